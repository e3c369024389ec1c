"""The rules of Rinascimento as kernels: what the state is, how turns change it, and what it is worth.

Counts per type of token lie in the bytes of a word, so that a price is compared with a hand in a few instructions. Decks
are sets: a card is drawn when it is turned up, and no order lies in a state that a search could look at. What is hidden
are the cards that others have reserved unseen.
"""

from __future__ import annotations

from array import array as memory
from types import SimpleNamespace
from typing import Any

from ludarium.games.rinascimento.content import standard
from ludarium.games.rinascimento.moves import BACK, BACK_JOKER, BLIND, BUY, EVEN, JOKERS, KIND, TAKE
from ludarium.games.rinascimento.settings import Settings
from ludarium.kernel import (
    Record,
    Stream,
    array,
    below,
    ctz,
    data,
    f64,
    i64,
    kernel,
    popcount,
    u8,
    u16,
    u64,
    view,
)

ONES = 0x0101010101010101
HIGH = 0x8080808080808080
WON, STALE = 1, 2
UNSEEN = 0x8000
"""In what a role is shown, 0x8000 + deck stands for a card that it has not seen."""


def packed(amounts: tuple[int, ...]) -> int:
    """Put an amount per type into the bytes of a word."""
    return sum(amount << 8 * kind for kind, amount in enumerate(amounts))


@kernel
def lacking(need: u64, have: u64) -> u64:
    """Give per type what is missing to what is needed."""
    apart = (need | HIGH) - have
    enough = apart & HIGH
    return apart & (enough - (enough >> 7))


@kernel
def summed(counts: u64) -> i64:
    """Add up the counts of all types."""
    return i64((counts * ONES) >> 56)


@kernel
def nth(bits: u64, n: i64) -> i64:
    """Where the bit is that has n set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return ctz(bits)


def state_record(settings: Settings) -> type[Record]:
    """Make the record of a game with these settings."""
    players, piles, guests = settings.players, settings.decks, max(1, settings.nobles)
    places, slots = max(1, players * settings.max_reserved), piles * settings.face_up

    class State(Record):
        """Cards and nobles go by their number plus 1, and 0 is none; decks have a bit per card that is left."""

        stacks: u64
        tokens = array(u64, players)
        bonuses = array(u64, players)
        decks = array(u64, piles)
        shown = array(u16, slots)
        reserved = array(u16, places)
        points = array(u16, players)
        bought = array(u16, players)
        tick: u16
        jokers = array(u8, players)
        unseen = array(u8, players)  # a bit per reserved card that others have not seen
        nobles = array(u8, guests)
        bank: u8  # jokers on the table
        ended: u8

    return State


def content_tables(settings: Settings) -> SimpleNamespace:
    """Lay out the cards and nobles as kernels read them."""
    box = settings.box
    bonuses = [card.bonus for card in box.cards]
    if settings.published and box.cards == standard().first(settings.decks).cards:
        # Its decks count the types of bonuses in another order than those of prices.
        bonuses = [{0: 2, 1: 1, 2: 3, 3: 4, 4: 0}[bonus] for bonus in bonuses]
    return SimpleNamespace(
        price=data("price", u64, memory("Q", [packed(card.price) for card in box.cards])),
        bonus=data("bonus", u64, memory("Q", [1 << 8 * bonus for bonus in bonuses])),
        worth=data("worth", u8, memory("B", [card.points for card in box.cards])),
        deck_of=data("deck_of", u8, memory("B", [card.deck for card in box.cards])),
        needs=data("needs", u64, memory("Q", [packed(noble.needs) for noble in box.nobles] or [0])),
        noble_worth=data("noble_worth", u8, memory("B", [noble.points for noble in box.nobles] or [0])),
        first=data("first", i64, memory("q", [deck.start for deck in box.decks])),
        full=data("full", u64, memory("Q", [(1 << len(deck)) - 1 for deck in box.decks])),
    )


def turn_kernels(settings: Settings, State: Any, box: SimpleNamespace) -> SimpleNamespace:  # noqa: N803
    """Make the kernels that begin a game, make a move, and end a turn or the game."""
    players, types, decks, face_up = settings.players, settings.types, settings.decks, settings.face_up
    max_reserved, max_tokens, goal, ticks = settings.max_reserved, settings.max_tokens, settings.goal, settings.ticks
    stack, jokers, nobles, all_nobles = settings.stack, settings.jokers, settings.nobles, len(settings.box.nobles)
    different, per_type, same = settings.different, settings.per_type, settings.same
    same_stack, published = max(settings.same_stack, settings.same), settings.published
    price, bonus, worth, deck_of, first, full = box.price, box.bonus, box.worth, box.deck_of, box.first, box.full
    needs, noble_worth = box.needs, box.noble_worth
    lanes = packed((0xFF,) * types)
    even = packed((EVEN,) * types)
    highs = packed((0x80,) * types)
    slots = decks * face_up

    @kernel
    def draw_card(state: State, deck: i64, rng: Stream) -> i64:
        """Take a card from a deck: its number plus 1, or 0 if there is none."""
        left = state.decks[deck]
        if left == 0:
            return 0
        place = nth(left, below(rng, popcount(left)))
        state.decks[deck] = left ^ (u64(1) << place)
        number: i64 = first[deck] + place + 1
        return number

    @kernel
    def init(state: State, rng: Stream) -> None:
        """Lay out the table."""
        state.stacks = packed_stack
        for player in range(players):
            state.tokens[player] = 0
            state.bonuses[player] = 0
            state.points[player] = 0
            state.bought[player] = 0
            state.jokers[player] = 0
            state.unseen[player] = 0
        for place in range(len(state.reserved)):
            state.reserved[place] = 0
        for deck in range(decks):
            state.decks[deck] = full[deck]
            for place in range(face_up):
                state.shown[deck * face_up + place] = draw_card(state, deck, rng)
        left = u64((1 << all_nobles) - 1)
        state.nobles[0] = 0
        for place in range(nobles):
            noble = nth(left, below(rng, popcount(left)))
            left ^= u64(1) << noble
            state.nobles[place] = noble + 1
        state.tick = 0
        state.bank = jokers
        state.ended = 0

    packed_stack = packed((stack,) * types)

    @kernel
    def movers(state: State) -> i64:
        """Take turns until the game has ended."""
        return 0 if state.ended != 0 else 1 << (state.tick % players)

    @kernel
    def held(state: State, role: i64) -> i64:
        """Count the tokens of a player."""
        count: i64 = summed(state.tokens[role]) + state.jokers[role]
        return count

    @kernel
    def stacks_with(state: State, least: i64) -> u64:
        """Mark the stacks on the table that hold so many tokens, by the upper bit of their byte."""
        marks: u64 = ((state.stacks | HIGH) - u64(least) * ONES) & highs
        return marks

    @kernel
    def affords(state: State, role: i64, card: i64) -> bool:
        """Whether a player can pay for a card."""
        have = state.tokens[role] + state.bonuses[role]
        enough: bool = summed(lacking(price[card], have)) <= state.jokers[role]
        return enough

    @kernel
    def reserves(state: State, role: i64) -> i64:
        """Count the cards that a player has reserved."""
        count = 0
        for place in range(max_reserved):
            if state.reserved[role * max_reserved + place] != 0:
                count += 1
        return count

    @kernel
    def can_move(state: State, role: i64) -> bool:
        """Whether a player can do anything at all."""
        if different > 0 and stacks_with(state, per_type) != 0:
            return True
        if same > 0 and stacks_with(state, same_stack) != 0:
            return True
        room = reserves(state, role) < max_reserved
        for place in range(slots):
            card = state.shown[place]
            if card != 0 and (room or affords(state, role, card - 1)):
                return True
        for deck in range(decks):
            if room and state.decks[deck] != 0:
                return True
        for place in range(max_reserved):
            card = state.reserved[role * max_reserved + place]
            if card != 0 and affords(state, role, card - 1):
                return True
        return False

    @kernel
    def welcome_noble(state: State, role: i64) -> None:
        """Let the first noble come whose wishes are fulfilled; one at most."""
        for place in range(nobles):
            noble = state.nobles[place]
            if noble != 0 and lacking(needs[noble - 1], state.bonuses[role]) == 0:
                state.points[role] += noble_worth[noble - 1]
                state.nobles[place] = 0
                break

    @kernel
    def end_turn(state: State) -> None:
        """Go on to the next player, or end the game: after a full round if somebody has reached the goal."""
        state.tick += 1
        if published or state.tick % players == 0:
            for player in range(players):
                if state.points[player] >= goal:
                    state.ended = WON
        if state.ended == 0 and (state.tick >= ticks or not can_move(state, state.tick % players)):
            state.ended = STALE

    @kernel
    def buy(state: State, role: i64, card: i64, rng: Stream) -> None:
        """Pay with bonuses, then tokens, then jokers, and take the card from where it lies."""
        need = lacking(price[card], state.bonuses[role])
        short = lacking(need, state.tokens[role])
        missing = summed(short)
        state.tokens[role] -= need - short
        state.stacks += need - short
        state.jokers[role] -= missing
        state.bank += missing
        state.bonuses[role] += bonus[card]
        state.points[role] += worth[card]
        state.bought[role] += 1
        if not turn_up(state, card, rng):
            give_up_reserve(state, role, card)

    @kernel
    def turn_up(state: State, card: i64, rng: Stream) -> bool:
        """Put the next card in the place of one that lies face up; False if it does not."""
        deck = deck_of[card]
        for place in range(deck * face_up, (deck + 1) * face_up):
            if state.shown[place] == card + 1:
                state.shown[place] = draw_card(state, deck, rng)
                return True
        return False

    @kernel
    def give_up_reserve(state: State, role: i64, card: i64) -> None:
        """Remove a reserved card, and close the gap."""
        base = role * max_reserved
        place = 0
        while place < max_reserved and state.reserved[base + place] != card + 1:
            place += 1
        below_ = (1 << place) - 1
        state.unseen[role] = (state.unseen[role] & below_) | ((state.unseen[role] >> 1) & ~below_)
        while place < max_reserved:
            state.reserved[base + place] = state.reserved[base + place + 1] if place + 1 < max_reserved else 0
            place += 1

    @kernel
    def reserve(state: State, role: i64, move: u64, rng: Stream) -> None:
        """Put a card aside, take a joker if there is one, and give a token back if that is one too many."""
        place = reserves(state, role)
        card = i64(move & 0xFFFF)
        if move >> KIND == BLIND:
            state.unseen[role] |= 1 << place
            card = draw_card(state, card, rng) - 1
        else:
            turn_up(state, card, rng)
        state.reserved[role * max_reserved + place] = card + 1
        back = i64(move >> BACK) & 15
        full_hand = held(state, role) >= max_tokens
        if state.bank == 0 or back == BACK_JOKER or (published and full_hand):
            return
        state.bank -= 1
        state.jokers[role] += 1
        if back != 0:
            state.tokens[role] -= u64(1) << (8 * (back - 1))
            state.stacks += u64(1) << (8 * (back - 1))

    @kernel
    def make_move(state: State, role: i64, move: u64, rng: Stream) -> None:
        """Make the move of a player, and end the turn."""
        kind = move >> KIND
        if kind == TAKE:
            state.tokens[role] = state.tokens[role] + (move & lanes) - even
            state.stacks = state.stacks + even - (move & lanes)
            back = i64(move >> JOKERS) & 15
            state.jokers[role] -= back
            state.bank += back
        elif kind == BUY:
            buy(state, role, i64(move & 0xFFFF), rng)
        else:
            reserve(state, role, move, rng)
        if published:
            for player in range(players):
                welcome_noble(state, player)
        else:
            welcome_noble(state, role)
        end_turn(state)

    @kernel
    def apply(state: State, joint: view[u64], rng: Stream) -> None:
        """Make the move of the player whose turn it is."""
        role = state.tick % players
        make_move(state, role, joint[role], rng)

    @kernel
    def do_nothing(state: State, role: i64, rng: Stream) -> i64:
        """Pass, which the rules do not allow: for models of opponents."""
        end_turn(state)
        return 1

    @kernel
    def utilities(state: State, out: view[f64]) -> None:
        """Let most points win, then fewest cards, and all who are still equal; before the end, half the way to the goal."""
        best = -1
        for player in range(players):
            standing = state.points[player] * 65536 - state.bought[player]
            out[player] = 0.0
            if state.ended == 0:
                out[player] = 0.5 * min(1.0, state.points[player] / goal)
            elif standing > best or player == 0:
                best = standing
        if state.ended == WON:
            for player in range(players):
                if state.points[player] * 65536 - state.bought[player] == best:
                    out[player] = 1.0

    return SimpleNamespace(
        init=init, movers=movers, apply=apply, utilities=utilities, do_nothing=do_nothing, make_move=make_move,
        held=held, stacks_with=stacks_with, affords=affords, reserves=reserves, can_move=can_move, draw_card=draw_card,
    )  # fmt: skip
