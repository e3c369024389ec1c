"""Goofspiel, the game of pure strategy: both bid at once for every prize; a model for simultaneous moves.

Prizes to come are drawn when they are turned up and never lie in a state, so nothing is hidden and no search
can look at the deck.
"""

from __future__ import annotations

from typing import Any

from ludarium.core import BadParameter, IllegalMove, Offers, Role, Traits
from ludarium.core import State as GameState
from ludarium.drawing.cards import Card, Row, draw_rows
from ludarium.kernel import (
    KernelGame,
    KernelState,
    Record,
    Stream,
    array,
    below,
    buffer,
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u16,
    u64,
    view,
)

RULES = """\
Prizes worth 1, 2, 3 and so on are turned up one by one, in random, rising or falling order. Both players hold
cards with the same numbers. For each prize both show a card at once: the higher wins the prize, equal ones
throw it away. Shown cards are gone. Whoever has more points in the end wins. A move is a card's number."""

ORDERS = ("random", "rising", "falling")


class State(Record):
    """The cards of each hand and the prizes to come, a bit per number; the prize on the table; the points."""

    hands = array(u16, 2)
    prizes: u16
    prize: u8
    points = array(u8, 2)


def goofspiel(cards: int = 13, order: str = "random") -> KernelGame:
    """Make the game for this many cards each, and prizes that come in this order."""
    if type(cards) is not int or not 2 <= cards <= 16:
        raise BadParameter(f"Goofspiel is played with 2 to 16 cards each, not {cards}")
    if order not in ORDERS:
        raise BadParameter(f"the prizes of Goofspiel come in random, rising or falling order, not '{order}'")

    def parse(written: str) -> int:
        if not written.isdecimal() or not 1 <= int(written) <= cards:
            raise IllegalMove(f"'{written}' is not a card: a move is a number from 1 to {cards}")
        return int(written)

    return KernelGame(
        "goofspiel" if (cards, order) == (13, "random") else f"goofspiel(cards={cards}, order='{order}')",
        ("first", "second"),
        Traits(
            deterministic=order != "random",
            perfect_information=True,
            constant_sum=True,
            max_plies=cards,
        ),
        state=State,
        max_moves=cards,
        text=str,
        parse=parse,
        picture=picture,
        offers=Offers(rules=RULES, svg=svg),
        **_kernels(cards, ORDERS.index(order)),
    )


def picture(state: State, role: Role | None) -> str:
    """Show the prize, and what each player has won and holds."""
    lines = [f"prize {state.prize}" if state.prize else "no prizes left"]
    for role_, name in enumerate(("first ", "second")):
        hand = [str(card) for card in range(1, 17) if state.hands[role_] >> (card - 1) & 1]
        lines.append(f"{name} {state.points[role_]:3} points, holds {' '.join(hand) or 'nothing'}")
    return "\n".join(lines)


def svg(state: GameState, role: Role | None = None) -> str:
    """Draw the prize, and what each player has won and holds."""
    assert isinstance(state, KernelState)
    table = State(bytearray(state.block))
    rows = [Row("prize", [Card(str(table.prize))] if table.prize else [], "" if table.prize else "no prizes left")]
    for each, name in enumerate(("first", "second")):
        held = [str(card) for card in range(1, 17) if table.hands[each] >> (card - 1) & 1]
        cards = [Card(card, site=f"{name} {card}" if role in (None, each) else "") for card in held]
        rows.append(Row(name, cards, f"{table.points[each]} points"))
    return draw_rows(rows, "goofspiel")


def _kernels(cards: int, order: int) -> dict[str, Any]:
    @kernel
    def init(state: State, rng: Stream) -> None:
        """Deal both hands, and turn up the first prize."""
        for role in range(2):
            state.hands[role] = (1 << cards) - 1
            state.points[role] = 0
        state.prizes = (1 << cards) - 1
        turn_up(state, rng)

    @kernel
    def turn_up(state: State, rng: Stream) -> None:
        """Put the next prize on the table; 0 if there is none."""
        state.prize = 0
        left = popcount(state.prizes)
        if left > 0:
            place = 0 if order == 1 else (left - 1 if order == 2 else below(rng, left))
            state.prize = 1 + nth(state.prizes, place)
            state.prizes ^= 1 << (state.prize - 1)

    @kernel
    def nth(bits: i64, n: i64) -> i64:
        """Where the bit is that has n set bits below it."""
        for _ in range(n):
            bits &= bits - 1
        return ctz(bits)

    @kernel
    def movers(state: State) -> i64:
        """Let both bid as long as there is a prize."""
        return 3 if state.prize != 0 else 0

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """Any card of the hand."""
        hand = state.hands[role]
        count = 0
        while hand != 0:
            out[count] = u64(ctz(hand) + 1)
            hand &= hand - 1
            count += 1
        return count

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Give the prize to the higher card, and turn up the next."""
        for role in range(2):
            state.hands[role] ^= 1 << i64(joint[role] - 1)
            if joint[role] > joint[1 - role]:
                state.points[role] += state.prize
        turn_up(state, rng)

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """Let more points win; before the end, as if there were no more to win."""
        out[0] = 0.5
        if state.points[0] != state.points[1]:
            out[0] = 1.0 if state.points[0] > state.points[1] else 0.0
        out[1] = 1.0 - out[0]

    return {"init": init, "movers": movers, "legal": legal, "apply": apply, "utilities": utilities}
