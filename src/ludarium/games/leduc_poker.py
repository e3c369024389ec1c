"""Leduc poker (Southey et al., "Bayes' bluff", 2005): six cards, two rounds of bets, a card for all between them.

The card for all is drawn when it is turned up and never lies in a state before, so no search can look at the deck.
"""

from __future__ import annotations

from ludarium.core import IllegalMove, Offers, Role, Traits
from ludarium.core import State as GameState
from ludarium.core.hidden import Deal
from ludarium.drawing.cards import BACK, Card, Row, draw_rows
from ludarium.kernel import (
    KernelGame,
    KernelState,
    Record,
    Stream,
    array,
    below,
    buffer,
    copy,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)

RULES = """\
The deck has two jacks, two queens and two kings. Both players put a coin into the pot and are dealt one card each. There
are two rounds of bets; first begins in both. A player folds, calls what the other has raised to (or checks, if nothing),
or raises: by 2 coins in the first round, by 4 in the second, at most twice in a round. When both agree, a card for all is
turned up, and the second round begins. Whoever then has a pair with it wins the pot, else the higher card; equal ones
share. A gain from -13 to 13 coins is a utility from 0 to 1. A move is a word: fold, call or raise."""

MOVES = ("fold", "call", "raise")
CARDS = "JQK"
ROLES = ("first", "second")
RAISES, ANTE, MOST = 2, 1, 13
NONE = 3


class State(Record):
    """The card of each role and the one for all (3: none yet); coins in the pot; the bets of the round; who folded."""

    cards = array(u8, 2)
    common: u8
    coins = array(u8, 2)
    raises: u8
    calls: u8
    turn: u8
    round: u8
    folded: u8
    over: u8


@kernel
def draw_card(state: State, rng: Stream, held: i64) -> i64:
    """Draw one of the cards that the first players do not hold: two of each kind are in the deck."""
    n = below(rng, 6 - held)
    for card in range(3):
        left = 2
        for role in range(held):
            if state.cards[role] == card:
                left -= 1
        if n < left:
            return card
        n -= left
    return 0


@kernel
def init(state: State, rng: Stream) -> None:
    """Deal a card each."""
    state.cards[0] = draw_card(state, rng, 0)
    state.cards[1] = draw_card(state, rng, 1)
    state.common = NONE
    for role in range(2):
        state.coins[role] = ANTE
    state.raises = 0
    state.calls = 0
    state.turn = 0
    state.round = 0
    state.folded = 0
    state.over = 0


@kernel
def movers(state: State) -> i64:
    """Take turns until somebody folds or all bets are made."""
    return 0 if state.over == 1 else 1 << state.turn


@kernel
def legal(state: State, role: i64, out: buffer[u64]) -> i64:
    """Fold only against a raise; raise twice at most."""
    count = 0
    if state.coins[1 - role] > state.coins[role]:
        out[0] = 0
        count = 1
    out[count] = 1
    count += 1
    if state.raises < RAISES:
        out[count] = 2
        count += 1
    return count


@kernel
def apply(state: State, joint: view[u64], rng: Stream) -> None:
    """Fold, call or raise; when both agree, turn the card up or end."""
    role = state.turn
    move = joint[role]
    if move == 0:
        state.folded = role + 1
        state.over = 1
        return
    state.coins[role] = state.coins[1 - role]
    state.turn = 1 - role
    if move == 2:
        state.coins[role] += 2 + 2 * state.round
        state.raises += 1
        state.calls = 1
        return
    state.calls += 1
    if state.calls == 2:
        if state.round == 1:
            state.over = 1
            return
        state.common = draw_card(state, rng, 2)
        state.round = 1
        state.raises = 0
        state.calls = 0
        state.turn = 0


@kernel
def utilities(state: State, out: view[f64]) -> None:
    """Turn coins into utilities; a game that goes on is worth a half."""
    gain = 0  # of the first player, in coins
    if state.over == 1:
        if state.folded != 0:
            gain = state.coins[1] if state.folded == 2 else 0 - state.coins[0]
        else:
            first = state.cards[0] + (3 if state.cards[0] == state.common else 0)
            second = state.cards[1] + (3 if state.cards[1] == state.common else 0)
            if first != second:
                gain = state.coins[1] if first > second else 0 - state.coins[0]
    out[0] = (MOST + gain) / (2.0 * MOST)
    out[1] = 1.0 - out[0]


@kernel
def observe(state: State, role: i64, out: buffer[u8]) -> i64:
    """See everything but the other's card."""
    shown = State(out[0 : State.size])
    copy(shown, state)
    shown.cards[1 - role] = NONE
    return State.size


@kernel
def known(seen: view[u8], role: i64, state: State, left: view[i64], may: view[u8]) -> i64:
    """Tell which cards are unseen; any of them can be the other's."""
    if len(seen) != State.size:
        return -1
    copy(state, State(seen))
    mine = state.cards[role]
    if mine >= NONE or state.cards[1 - role] != NONE or state.common > NONE:
        return -1
    for card in range(3):
        left[card] = 2 - (1 if mine == card else 0) - (1 if state.common == card else 0)
        may[card] = 1
    return 1


@kernel
def fill(state: State, role: i64, dealt: view[i64]) -> None:
    """Give the other a card."""
    state.cards[1 - role] = dealt[0]


def text(move: int) -> str:
    """Write a word."""
    return MOVES[move]


def parse(written: str) -> int:
    """Read a word; checking is calling nothing."""
    if written == "check":
        return 1
    if written not in MOVES:
        raise IllegalMove(f"'{written}' is not a move: write fold, call or raise")
    return MOVES.index(written)


def picture(state: State, role: Role | None) -> str:
    """Show the cards, or those that a role sees, and the coins of each player."""
    shown = [CARDS[state.cards[each]] if role in (None, each) else "?" for each in range(2)]
    common = "?" if state.common == NONE else CARDS[state.common]
    lines = [f"{name:6} {shown[each]}  {state.coins[each]:2} coins" for each, name in enumerate(ROLES)]
    return "\n".join([*lines, f"for all {common}, round {state.round + 1}"])


def svg(state: GameState, role: Role | None = None) -> str:
    """Draw the cards, or those that a role sees, and the coins of each player."""
    assert isinstance(state, KernelState)
    table = State(bytearray(state.block))
    common = BACK if table.common == NONE else Card(CARDS[table.common])
    rows = [
        Row(name, [Card(CARDS[table.cards[each]]) if role in (None, each) else BACK], f"{table.coins[each]} coins")
        for each, name in enumerate(ROLES)
    ]
    return draw_rows([*rows, Row("for all", [common], f"round {table.round + 1}")], "leduc-poker")


class LeducPoker(KernelGame):
    """The game, with what it tells of hidden cards."""

    def __init__(self) -> None:
        super().__init__(
            "leduc-poker",
            ROLES,
            Traits(turn_taking=True, constant_sum=True, max_plies=8),
            state=State,
            max_moves=3,
            init=init,
            movers=movers,
            legal=legal,
            apply=apply,
            utilities=utilities,
            observe=observe,
            text=text,
            parse=parse,
            picture=picture,
            offers=Offers(
                rules=RULES, hidden=Deal(kinds=3, places=1, known=known, fill=fill), places=self.places, svg=svg
            ),
        )

    def places(self, state: KernelState, role: Role) -> dict[str, str]:
        """Tell the card of the other player."""
        return {f"card of {ROLES[1 - role]}": CARDS[State(bytearray(state.block)).cards[1 - role]]}


def leduc_poker() -> LeducPoker:
    """Make the game."""
    return LeducPoker()
