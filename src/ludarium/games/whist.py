"""Little whist: tricks with a small deck, a suit that beats all others, and cards that nobody was dealt; hidden hands.

A role is shown the state itself without the hands of the others: who did not follow suit has none of it, and that is
noted for all to see.
"""

from __future__ import annotations

import re
from typing import Any

from ludarium.core import BadParameter, IllegalMove, Offers, Role, Traits
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
    ctz,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u64,
    view,
)

RULES = """\
The deck has the cards 1 to 6 of three suits; each of three players is dealt five, and the rest stays face down. One suit is
drawn as trump, for all to see. Whoever leads plays any card, the others in turn must follow suit if they can, else they
play any card. The highest trump wins the trick, or the highest card of the suit led if there is none; the winner leads
next. A utility is the share of the tricks. Settings: players, suits, ranks, and the cards of a hand. A card is written as
its number and the letter of its suit: 5h."""

SUITS = "chsd"
ROLES = ("north", "east", "south", "west")
MOST, NONE = 4, 255


class State(Record):
    """Hands and cards gone, a bit per card; who has how many; cards on the table; suits that a role lacks; tricks won."""

    hands = array(u64, MOST)
    gone: u64
    held = array(u8, MOST)
    table = array(u8, MOST)
    lacks = array(u8, MOST)
    tricks = array(u8, MOST)
    trump: u8
    leader: u8
    turn: u8
    laid: u8


class Whist(KernelGame):
    """The game for some settings, with what it tells of hidden hands."""

    def __init__(self, players: int, suits: int, ranks: int, cards: int) -> None:
        self.players, self.suits, self.ranks = players, suits, ranks
        made = _kernels(players, suits, ranks, cards)
        places = (players - 1) * cards
        hidden = Deal(kinds=suits * ranks, places=places, known=made.pop("known"), fill=made.pop("fill"))
        usual = {"players": 3, "suits": 3, "ranks": 6, "cards": 5}
        asked = {"players": players, "suits": suits, "ranks": ranks, "cards": cards}
        given = ", ".join(f"{key}={value}" for key, value in asked.items() if usual[key] != value)
        super().__init__(
            f"whist({given})" if given else "whist",
            ROLES[:players],
            Traits(turn_taking=True, constant_sum=True, max_plies=players * cards),
            state=State,
            max_moves=cards,
            text=self._written,
            parse=self._read,
            picture=self._picture,
            offers=Offers(rules=RULES, hidden=hidden, places=self.places, svg=self.svg),
            **made,
        )

    def places(self, state: KernelState, role: Role) -> dict[str, str]:
        """Tell who has each of the cards that a role has not seen."""
        deal = State(bytearray(state.block))
        found = {}
        for card in range(self.suits * self.ranks):
            if not (deal.gone | deal.hands[role]) >> card & 1:
                owners = [name for each, name in enumerate(self.roles) if deal.hands[each] >> card & 1]
                found[self._written(card)] = owners[0] if owners else "nobody"
        return found

    def svg(self, state: GameState, role: Role | None = None) -> str:
        """Draw hands as far as they are seen, cards on the table, and tricks."""
        assert isinstance(state, KernelState)
        deal = State(bytearray(state.block))
        rows = [Row("trump", [Card(" ", SUITS[deal.trump])])]
        for each, name in enumerate(self.roles):
            cards = [card for card in range(self.suits * self.ranks) if deal.hands[each] >> card & 1]
            shown = role in (None, each)
            hand = [self._card(card) for card in cards] if shown else [BACK] * deal.held[each]
            lacking = [SUITS[suit] for suit in range(self.suits) if deal.lacks[each] >> suit & 1]
            told = f"{deal.tricks[each]} tricks" + "".join(f", no {suit}" for suit in lacking if not shown)
            table = "" if deal.table[each] == NONE else f", plays {self._written(deal.table[each])}"
            rows.append(Row(name, hand, told + table))
        laid = [card for each in range(self.players) if (card := deal.table[each]) != NONE]
        rows.insert(1, Row("table", [Card(str(card % self.ranks + 1), SUITS[card // self.ranks]) for card in laid]))
        return draw_rows(rows, self.name)

    def _card(self, card: int) -> Card:
        return Card(str(card % self.ranks + 1), SUITS[card // self.ranks], self._written(card))

    def _written(self, card: int) -> str:
        return f"{card % self.ranks + 1}{SUITS[card // self.ranks]}"

    def _read(self, written: str) -> int:
        match = re.fullmatch(r"(\d{1,2})([a-z])", written)
        suits = SUITS[: self.suits]
        if not match or match[2] not in suits or not 1 <= int(match[1]) <= self.ranks:
            raise IllegalMove(
                f"'{written}' is not a card: write 1 to {self.ranks} and one of {', '.join(suits)}, like 1c"
            )
        return suits.index(match[2]) * self.ranks + int(match[1]) - 1

    def _picture(self, state: State, role: Role | None) -> str:
        """Show hands as far as they are seen, cards on the table, and tricks."""
        lines = [f"trump {SUITS[state.trump]}"]
        for each, name in enumerate(self.roles):
            cards = [card for card in range(self.suits * self.ranks) if state.hands[each] >> card & 1]
            hand = " ".join(self._written(card) for card in cards)
            if role not in (None, each):
                hand = f"{state.held[each]} cards" + "".join(
                    f", no {SUITS[suit]}" for suit in range(self.suits) if state.lacks[each] >> suit & 1
                )
            table = "" if state.table[each] == NONE else f"  plays {self._written(state.table[each])}"
            lines.append(f"{name:5} {state.tricks[each]} tricks, holds {hand or 'nothing'}{table}")
        return "\n".join(lines)


def whist(players: int = 3, suits: int = 3, ranks: int = 6, cards: int = 5) -> Whist:
    """Make the game for so many players, and a deck and hands of this size."""
    for name, value, low, high in (("players", players, 2, 4), ("suits", suits, 1, 4), ("ranks", ranks, 1, 13)):
        if type(value) is not int or not low <= value <= high:
            raise BadParameter(f"whist is played with {low} to {high} {name}, not {value}")
    if type(cards) is not int or not 1 <= cards <= suits * ranks // players:
        raise BadParameter(
            f"{players} players of whist are dealt 1 to {suits * ranks // players} cards each, not {cards}: the deck has "
            f"{suits * ranks}"
        )
    return Whist(players, suits, ranks, cards)


def _kernels(players: int, suits: int, ranks: int, cards: int) -> dict[str, Any]:
    deck, row = suits * ranks, (1 << ranks) - 1
    whole = (1 << deck) - 1

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Deal the hands, and draw the trump."""
        left = u64(whole)
        for role in range(MOST):
            state.hands[role] = 0
            state.held[role] = 0
            state.table[role] = NONE
            state.lacks[role] = 0
            state.tricks[role] = 0
        for role in range(players):
            for _ in range(cards):
                bits = left
                for _ in range(below(rng, popcount(left))):
                    bits &= bits - 1
                bits &= 0 - bits
                left ^= bits
                state.hands[role] |= bits
            state.held[role] = cards
        state.gone = 0
        state.trump = below(rng, suits) if suits > 1 else 0
        state.leader = 0
        state.turn = 0
        state.laid = 0

    @kernel
    def movers(state: State) -> i64:
        """Take turns until all cards are played."""
        return 0 if state.held[state.turn] == 0 else 1 << state.turn

    @kernel
    def playable(state: State, role: i64) -> u64:
        """Follow suit, if that is possible."""
        hand = state.hands[role]
        if state.laid > 0 and role != state.leader:
            led = hand & (u64(row) << (state.table[state.leader] // ranks * ranks))
            if led != 0:
                return led
        return hand

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """Any card that follows suit, or any at all."""
        hand = playable(state, role)
        count = 0
        while hand != 0:
            out[count] = u64(ctz(hand))
            hand &= hand - 1
            count += 1
        return count

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Play a card; the last one of a trick ends it."""
        role = state.turn
        card = i64(joint[role])
        if state.laid > 0:
            led = state.table[state.leader] // ranks
            if card // ranks != led:
                state.lacks[role] |= 1 << led
        state.hands[role] &= ~(u64(1) << card)
        state.gone |= u64(1) << card
        state.held[role] -= 1
        state.table[role] = card
        state.laid += 1
        state.turn = (role + 1) % players
        if state.laid == players:
            end_trick(state)

    @kernel
    def end_trick(state: State) -> None:
        """Give the trick to whoever played highest, who leads next."""
        best = state.leader
        for k in range(players):
            card = state.table[k]
            high = state.table[best]
            same = card // ranks == high // ranks
            if (same and card > high) or (not same and card // ranks == state.trump):
                best = k
        for k in range(players):
            state.table[k] = NONE
        state.tricks[best] += 1
        state.leader = best
        state.turn = best
        state.laid = 0

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """Share the tricks; those to come count the same for all."""
        open_ = cards
        for role in range(players):
            open_ -= state.tricks[role]
        for role in range(players):
            out[role] = (state.tricks[role] + open_ / players) / cards

    @kernel
    def observe(state: State, role: i64, out: buffer[u8]) -> i64:
        """See everything but the hands of the others."""
        shown = State(out[0 : State.size])
        copy(shown, state)
        for other in range(players):
            if other != role:
                shown.hands[other] = 0
        return State.size

    @kernel
    def known(seen: view[u8], role: i64, state: State, left: view[i64], may: view[u8]) -> i64:
        """Tell which cards are unseen, and which suits the others lack."""
        if len(seen) != State.size:
            return -1
        copy(state, State(seen))
        if popcount(state.hands[role]) != state.held[role] or state.hands[role] & state.gone != 0:
            return -1
        unseen = u64(whole) & ~(state.gone | state.hands[role])
        for card in range(deck):
            left[card] = i64((unseen >> card) & 1)
        places = 0
        for other in range(players):
            if other != role:
                if places + state.held[other] > (players - 1) * cards:
                    return -1
                for _ in range(state.held[other]):
                    for card in range(deck):
                        may[places * deck + card] = 1 - ((state.lacks[other] >> (card // ranks)) & 1)
                    places += 1
        return places

    @kernel
    def fill(state: State, role: i64, dealt: view[i64]) -> None:
        """Give the others their cards."""
        place = 0
        for other in range(players):
            if other != role:
                state.hands[other] = 0
                for _ in range(state.held[other]):
                    state.hands[other] |= u64(1) << dealt[place]
                    place += 1

    return {
        "init": init,
        "movers": movers,
        "legal": legal,
        "apply": apply,
        "utilities": utilities,
        "observe": observe,
        "known": known,
        "fill": fill,
    }
