"""What every determinizer promises: states that agree with all that a role knows, as likely as they are, repeatable.

The reference is exact enumeration, which has tests of its own. A check raises an AssertionError that names the
determinizer, the game and the position.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable

from ludarium.arena.position import Position
from ludarium.core import Game, InformationSet, Rng, State
from ludarium.hidden import Determinizer, Draw, Enumeration, NoSuchState

DRAWS = 600
SIGMAS = 5  # a false alarm in about two million states that are counted
POOLED = 256  # states stand between a draw and the beginning, where a match is long: draws share ancestors


def check_determinizer(
    determinizer: Determinizer,
    games: Iterable[Callable[[], Game]],
    *,
    plies: int = 3,
    seed: int = 0,
) -> int:
    """Check a determinizer in the first plies of a random match of each game; tells how many positions it has met."""
    met = 0
    for make in games:
        game = make()
        carried = [determinizer.sampler(game, role) for role in range(len(game.roles))]
        exact = [Enumeration().sampler(game, role) for role in range(len(game.roles))]
        for ply, infos in enumerate(positions(game, seed, plies)):
            for info in infos:
                where = f"{determinizer} for {game.roles[info.role]} in {game.name} after {ply} plies"
                likely = exact[info.role].likelihoods(info)
                for how, sampler in (
                    ("anew", determinizer.sampler(game, info.role)),
                    ("carried on", carried[info.role]),
                ):
                    states = sampler.sample(info, DRAWS, Rng.keyed(seed, how, ply))
                    _check_states(f"{where}, {how}", states, info, likely)
                _check_pieces(where, determinizer, info)
                _check_impossible(where, determinizer, info)
                met += 1
    return met


def positions(game: Game, seed: int, plies: int) -> Iterable[list[InformationSet]]:
    """Play at random, and tell what the movers know before each ply."""
    position, rng = Position(game, seed), Rng.keyed(seed, "moves")
    for _ in range(plies + 1):
        movers = position.state.movers
        if not movers:
            return
        yield [position.known(role) for role in movers]
        position.play({role: rng.choice(position.state.legal(role)) for role in movers})


def _check_states(where: str, states: list[State], info: InformationSet, likely: dict[State, float]) -> None:
    assert len(states) == DRAWS, f"{where}: {len(states)} states instead of {DRAWS}"
    counts = Counter(states)
    for state in counts:
        assert state.observe(info.role) == info.seen[-1], f"{where}: it looks otherwise in the state {state}"
        assert info.role in state.movers, f"{where}: it has no choice in the state {state}"
        assert sorted(state.legal(info.role)) == sorted(info.legal), (
            f"{where}: other moves are legal in the state {state}"
        )
        assert state in likely, f"{where}: no history that looks as it did leads to the state {state}"
    samples = DRAWS if len(info.seen) <= 2 else 1 / (1 / DRAWS + len(info.seen) / POOLED)
    for state, share in likely.items():
        off = abs(counts[state] / DRAWS - share)
        allowed = SIGMAS * math.sqrt(share * (1 - share) / samples) + 1 / DRAWS
        assert off <= allowed, f"{where}: it draws {counts[state] / DRAWS:.3f} of the state {state}, not {share:.3f}"


def _check_pieces(where: str, determinizer: Determinizer, info: InformationSet) -> None:
    """Whether the same states come in pieces as at once, and no piece takes more forward calls than it may."""

    def draw(count: int, calls: int) -> tuple[list[State], int]:
        sampler, rng = determinizer.sampler(info.game, info.role), Rng(1)
        found: list[State] = []
        used = 0
        while len(found) < count:
            piece: Draw = sampler.draw(info, count - len(found), rng, calls)
            assert piece.calls <= calls, f"{where}: it took {piece.calls} forward calls where {calls} were allowed"
            assert piece.more or len(found) + len(piece.states) > 0, f"{where}: it gives up without a state"
            found += piece.states
            used += piece.calls
            if not piece.more:
                break
        return found, used

    whole = draw(20, 1 << 40)
    assert whole == draw(20, 1 << 40), f"{where}: with the same seed it draws other states"
    longest = len(info.seen) * 40 + 40  # a try that is cut short is lost, so pieces must be long enough for one
    assert draw(20, longest)[0], f"{where}: it finds nothing in pieces of {longest} forward calls"


def _check_impossible(where: str, determinizer: Determinizer, info: InformationSet) -> None:
    *before, last = info.seen
    wrong = InformationSet(
        game=info.game, role=info.role, legal=info.legal, seen=(*before, last + b"?"), played=info.played
    )
    try:
        determinizer.sampler(info.game, info.role).sample(wrong, 1, Rng(0))
    except NoSuchState as problem:
        assert info.game.roles[info.role] in str(problem), f"{where}: it does not say who cannot have seen this"
        return
    raise AssertionError(f"{where}: it imagines states for something that cannot have been seen")
