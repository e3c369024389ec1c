"""For each game that hides something: another state that a role cannot tell from the one it is in."""

from ludarium.games import attaque, battleship, kuhn_poker, leduc_poker, whist
from ludarium.games.attaque_rules import MOVED, OWNER, RANK, SHOWN
from ludarium.games.battleship_rules import SHIPS, cells_of
from ludarium.kernel import KernelState


def _made(state, record):
    return KernelState(state.game, bytes(record.memory))


def _kuhn_poker(state, role, rng):
    """Give the other player the third card."""
    swapped = kuhn_poker.State(bytearray(state.block))
    swapped.cards[1 - role] = 3 - swapped.cards[0] - swapped.cards[1]
    return _made(state, swapped)


def _leduc_poker(state, role, rng):
    """Give the other player any other card that is not seen."""
    swapped = leduc_poker.State(bytearray(state.block))
    seen = [swapped.cards[role], swapped.common]
    swapped.cards[1 - role] = rng.choice([card for card in range(3) if seen.count(card) < 2])
    return _made(state, swapped)


def _battleship(state, role, rng):
    """Move the other's ships that were not hit, one by one, to where they were not seen to be missing."""
    settings, other = state.game.settings, 1 - role
    swapped = battleship.State(bytearray(state.block))
    ships = swapped.ships[2 * other] | swapped.ships[2 * other + 1] << 64
    shots = swapped.shots[2 * other] | swapped.shots[2 * other + 1] << 64
    for ship, length in enumerate(settings.fleet[: (swapped.placed + role) // 2]):
        way = swapped.places[SHIPS * other + ship]
        lies = sum(1 << cell for cell in cells_of(settings.width, way, length))
        if not lies & shots:
            free = [
                n
                for n, cells in enumerate(state.game.offers.hidden.ways[ship])
                if cells and not cells & (ships ^ lies | shots)
            ]
            swapped.places[SHIPS * other + ship] = moved = rng.choice(free)
            ships ^= lies | sum(1 << cell for cell in cells_of(settings.width, moved, length))
    swapped.ships[2 * other], swapped.ships[2 * other + 1] = ships & (1 << 64) - 1, ships >> 64
    return _made(state, swapped)


def _attaque(state, role, rng):
    """Shuffle the ranks of the other's pieces that were not shown: those that have moved, and those that have not."""
    swapped = attaque.State(bytearray(state.block))
    for moved in (0, MOVED):
        hidden = [
            at
            for at, piece in enumerate(swapped.cells)
            if piece and bool(piece & OWNER) != bool(role) and not piece & SHOWN and piece & MOVED == moved
        ]
        ranks = [swapped.cells[at] & RANK for at in hidden]
        rng.shuffle(ranks)
        for at, rank in zip(hidden, ranks, strict=True):
            swapped.cells[at] = swapped.cells[at] & ~RANK | rank
    return _made(state, swapped)


def _whist(state, role, rng):
    """Let two of the others, or one of them and the deck, exchange a card, if both may have the other's."""
    game, swapped = state.game, whist.State(bytearray(state.block))
    unseen = [card for card in range(game.suits * game.ranks) if not (swapped.gone | swapped.hands[role]) >> card & 1]

    def may(owner, card):
        return owner is None or not swapped.lacks[owner] >> (card // game.ranks) & 1

    for _ in range(10):
        owners = {
            card: next((each for each in range(game.players) if swapped.hands[each] >> card & 1), None)
            for card in unseen
        }
        if not unseen:
            break
        one, other = rng.choice(unseen), rng.choice(unseen)
        if owners[one] != owners[other] and may(owners[one], other) and may(owners[other], one):
            for owner in {owners[one], owners[other]} - {None}:
                swapped.hands[owner] ^= 1 << one | 1 << other
    return _made(state, swapped)


SWAPS = {
    "attaque": _attaque,
    "battleship": _battleship,
    "kuhn-poker": _kuhn_poker,
    "leduc-poker": _leduc_poker,
    "whist": _whist,
}
