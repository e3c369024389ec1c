"""Kuhn poker (H. W. Kuhn, 1950): three cards, one bet; a model for hidden information and chance.

All chance is drawn in `init`. What a role may know is written in one place, `observe`; the picture for a role
shows no more than that.
"""

from __future__ import annotations

from ludarium.core import IllegalMove, Offers, Role, Traits
from ludarium.core import State as GameState
from ludarium.drawing.cards import BACK, Card, Row, draw_rows
from ludarium.kernel import (
    KernelGame,
    KernelState,
    Record,
    Stream,
    array,
    below,
    buffer,
    f64,
    i64,
    kernel,
    u8,
    u64,
    view,
)

RULES = """\
Both players put a coin into the pot and are dealt one card each of jack, queen and king. They take turns to
pass or to bet one more coin. A pass after a bet gives up the pot; after two passes or two bets the higher
card wins it. A gain of -2, -1, 1 or 2 coins is a utility of 0, 1/4, 3/4 or 1. A move is written as a word."""

MOVES = ("pass", "bet")
CARDS = "JQK"


class State(Record):
    """The card of each role, and the moves so far."""

    cards = array(u8, 2)
    moves = array(u8, 3)
    plies: u8


@kernel
def init(state: State, rng: Stream) -> None:
    """Deal a card each."""
    state.cards[0] = below(rng, 3)
    state.cards[1] = (state.cards[0] + 1 + below(rng, 2)) % 3
    for ply in range(3):
        state.moves[ply] = 0
    state.plies = 0


@kernel
def movers(state: State) -> i64:
    """Take turns; the second move ends the game unless it answers a pass with a bet."""
    raised = state.moves[0] == 0 and state.moves[1] == 1
    if state.plies == 3 or (state.plies == 2 and not raised):
        return 0
    return 1 << (state.plies & 1)


@kernel
def legal(state: State, role: i64, out: buffer[u64]) -> i64:
    """Pass or bet, always."""
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def apply(state: State, joint: view[u64], rng: Stream) -> None:
    """Note the move."""
    state.moves[state.plies] = i64(joint[state.plies & 1])
    state.plies += 1


@kernel
def utilities(state: State, out: view[f64]) -> None:
    """Turn coins into utilities; a game that goes on is worth a half."""
    gain = 0  # of the first player, in coins
    if movers(state) == 0:
        last = state.moves[state.plies - 1]
        if state.moves[state.plies - 2] != last:  # a pass after a bet
            gain = 1 if state.plies == 2 else -1
        else:
            gain = 1 + last if state.cards[0] > state.cards[1] else -1 - last
    out[0] = (2 + gain) / 4
    out[1] = 1.0 - out[0]


@kernel
def observe(state: State, role: i64, out: buffer[u8]) -> i64:
    """See one's own card and all moves, never the other card."""
    out[0] = state.cards[role]
    for ply in range(state.plies):
        out[1 + ply] = state.moves[ply]
    return 1 + state.plies


def text(move: int) -> str:
    """Write a word."""
    return MOVES[move]


def parse(written: str) -> int:
    """Read a word."""
    if written not in MOVES:
        raise IllegalMove(f"'{written}' is not a move: write pass or bet")
    return MOVES.index(written)


def picture(state: State, role: Role | None) -> str:
    """Show the cards, or the one that a role holds, and the moves."""
    shown = [CARDS[state.cards[each]] if role in (None, each) else "?" for each in range(2)]
    moves = [MOVES[state.moves[ply]] for ply in range(state.plies)]
    return f"first {shown[0]}  second {shown[1]}  moves: {', '.join(moves) or 'none'}"


def svg(state: GameState, role: Role | None = None) -> str:
    """Draw the cards, or the one that a role holds, and the moves."""
    assert isinstance(state, KernelState)
    table = State(bytearray(state.block))
    moves = [[MOVES[table.moves[ply]] for ply in range(each, table.plies, 2)] for each in range(2)]
    return draw_rows(
        [
            Row(name, [Card(CARDS[table.cards[each]]) if role in (None, each) else BACK], ", ".join(moves[each]))
            for each, name in enumerate(("first", "second"))
        ],
        "kuhn-poker",
    )


def kuhn_poker() -> KernelGame:
    """Make the game."""
    return KernelGame(
        "kuhn-poker",
        ("first", "second"),
        Traits(turn_taking=True, constant_sum=True, max_plies=3),
        state=State,
        max_moves=2,
        max_observation=4,
        init=init,
        movers=movers,
        legal=legal,
        apply=apply,
        utilities=utilities,
        observe=observe,
        text=text,
        parse=parse,
        picture=picture,
        offers=Offers(rules=RULES, svg=svg),
    )
