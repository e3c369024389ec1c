"""The moves of Rinascimento: all of them, whether one is legal, and the random action generator.

How a hand can change when tokens are taken is simple in the end. If `m` different types are taken and some tokens have to
go back, then every change will do by which at most `m` types grow, each no more than is taken of a type, and that leaves
the right number of tokens: types that are taken and go back need not be told apart from those that are not taken.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ludarium.games.rinascimento.moves import BACK, BACK_JOKER, BLIND, BUY, EVEN, JOKERS, KIND, RESERVE, TAKE
from ludarium.games.rinascimento.rules import HIGH, ONES, nth, packed, summed
from ludarium.games.rinascimento.settings import Settings
from ludarium.kernel import Record, Stream, array, below, buffer, empty, i64, kernel, popcount, u64

BUY_TABLE, BUY_RESERVED, DIFFERENT, SAME, RESERVE_TABLE, RESERVE_DECK = range(6)
_SCALE = 1 << 20


class Taking(Record):
    """Which changes of a hand are listed: those that leave `total` in sum, by which some types grow."""

    hand: u64
    jokers: i64
    growing: u64
    """The types that may grow."""
    most: i64
    """How many of them may, ..."""
    top: i64
    """... and by how much."""
    total: i64
    known: u64
    """If some, only changes are listed by which another type grows, or one by more than is taken of a type."""


def list_kernels(settings: Settings, State: Any, turns: SimpleNamespace) -> SimpleNamespace:  # noqa: N803
    """Make the kernels that list the legal moves and tell whether one is."""
    types, decks, max_tokens = settings.types, settings.decks, settings.max_tokens
    max_reserved, published = settings.max_reserved, settings.published
    different, per_type, same = settings.different, settings.per_type, settings.same
    same_stack, slots = max(settings.same_stack, settings.same), decks * settings.face_up
    cards = len(settings.box.cards)
    held, stacks_with, affords, reserves = turns.held, turns.stacks_with, turns.affords, turns.reserves
    unused = (1 << JOKERS) - 1 - packed((0xFF,) * types)

    @kernel
    def list_changes(taking: Taking, out: buffer[u64], count: i64) -> i64:
        """List changes of a hand behind what is listed already; says how many there are then."""
        hand = taking.hand
        top = taking.top
        most = taking.most
        total = taking.total
        known = taking.known
        change = array(i64, types)
        sums = array(i64, types + 1)
        grown = array(i64, types + 1)
        fresh = array(i64, types + 1)
        least = array(i64, types + 1)  # what the types from here on can lose, jokers included
        back = most * top - total
        least[types] = taking.jokers
        for k in range(types):
            kind = types - 1 - k
            least[kind] = least[kind + 1] + min(back, i64(hand >> (8 * kind)) & 0xFF)
        fresh[0] = 1 if known == 0 else 0
        kind = 0
        change[0] = -min(back, i64(hand) & 0xFF) - 1
        while kind >= 0:
            change[kind] += 1
            can_grow = (taking.growing >> (8 * kind + 7)) & 1 == 1 and grown[kind] < most
            if change[kind] > (top if can_grow else 0):
                kind -= 1
                continue
            sum_ = sums[kind] + change[kind]
            grow = grown[kind] + (1 if change[kind] > 0 else 0)
            if sum_ - least[kind + 1] > total:
                kind -= 1  # and larger changes are worse
                continue
            if sum_ + (most - grow) * top < total:
                continue
            sums[kind + 1] = sum_
            grown[kind + 1] = grow
            news = change[kind] > per_type or (change[kind] > 0 and (known >> (8 * kind + 7)) & 1 == 0)
            fresh[kind + 1] = 1 if news else fresh[kind]
            if kind + 1 < types:
                kind += 1
                change[kind] = -min(back, i64(hand >> (8 * kind)) & 0xFF) - 1
            elif sum_ >= total and fresh[types] == 1:
                code = (u64(TAKE) << KIND) | (u64(sum_ - total) << JOKERS)
                for each in range(types):
                    code |= u64(change[each] + EVEN) << (8 * each)
                out[count] = code
                count += 1
        return count

    @kernel
    def list_takes(state: State, role: i64, out: buffer[u64], count: i64) -> i64:
        """List the ways to take different tokens, then the others to take the same."""
        room = max_tokens - held(state, role)
        taking = Taking()
        taking.hand = state.tokens[role]
        taking.jokers = 0 if published else state.jokers[role]
        taking.growing = stacks_with(state, per_type) if different > 0 else u64(0)
        taking.most = min(different, popcount(taking.growing))
        taking.top = per_type
        taking.total = min(taking.most * per_type, room)
        if taking.most > 0:
            count = list_changes(taking, out, count)
        stacked = stacks_with(state, same_stack) if same > 0 else u64(0)
        if stacked != 0:
            # Changes of another sum cannot have been listed.
            taking.known = taking.growing if taking.total == min(same, room) else u64(0)
            taking.growing = stacked
            taking.most = 1
            taking.top = same
            taking.total = min(same, room)
            count = list_changes(taking, out, count)
        return count

    @kernel
    def list_reserves(state: State, role: i64, code: u64, out: buffer[u64], count: i64) -> i64:
        """List a reserve with every token that may go back for the joker."""
        full = held(state, role) >= max_tokens
        if published or state.bank == 0 or not full:
            out[count] = code
            return count + 1
        for kind in range(types):
            if (state.tokens[role] >> (8 * kind)) & 0xFF != 0:
                out[count] = code | (u64(kind + 1) << BACK)
                count += 1
        out[count] = code | (u64(BACK_JOKER) << BACK)
        return count + 1

    @kernel
    def legal(state: State, role: i64, out: buffer[u64]) -> i64:
        """List purchases, then reserves, then tokens to take."""
        if state.ended != 0:
            return 0
        count = 0
        for place in range(slots):
            card = state.shown[place]
            if card != 0 and affords(state, role, card - 1):
                out[count] = (u64(BUY) << KIND) | u64(card - 1)
                count += 1
        for place in range(max_reserved):
            card = state.reserved[role * max_reserved + place]
            if card != 0 and affords(state, role, card - 1):
                out[count] = (u64(BUY) << KIND) | u64(card - 1)
                count += 1
        if reserves(state, role) < max_reserved:
            for place in range(slots):
                card = state.shown[place]
                if card != 0:
                    count = list_reserves(state, role, (u64(RESERVE) << KIND) | u64(card - 1), out, count)
            for deck in range(decks):
                if state.decks[deck] != 0:
                    count = list_reserves(state, role, (u64(BLIND) << KIND) | u64(deck), out, count)
        return list_takes(state, role, out, count)

    @kernel
    def may_take(state: State, role: i64, move: u64) -> bool:
        """Whether a hand may change as a move says."""
        back = i64(move >> JOKERS) & 15
        if (move >> KIND) != TAKE or move & unused != 0:
            return False
        if back > (0 if published else state.jokers[role]):
            return False
        plenty = stacks_with(state, per_type) if different > 0 else u64(0)
        stacked = stacks_with(state, same_stack) if same > 0 else u64(0)
        total = 0
        grown = 0
        largest = 0
        as_different = plenty != 0
        as_same = stacked != 0
        for kind in range(types):
            change = (i64(move >> (8 * kind)) & 0xFF) - EVEN
            if change + (i64(state.tokens[role] >> (8 * kind)) & 0xFF) < 0:
                return False
            total += change
            if change > 0:
                grown += 1
                largest = max(largest, change)
                as_different = as_different and (plenty >> (8 * kind + 7)) & 1 == 1
                as_same = as_same and (stacked >> (8 * kind + 7)) & 1 == 1
        room = max_tokens - held(state, role)
        most = min(different, popcount(plenty))
        as_different = as_different and grown <= most and largest <= per_type
        as_same = as_same and grown <= 1 and largest <= same
        if as_different and total - back == min(most * per_type, room):
            return True
        return as_same and total - back == min(same, room)

    @kernel
    def lies_there(state: State, card: i64) -> bool:
        """Whether a card lies face up."""
        for place in range(slots):
            if state.shown[place] == card + 1:
                return True
        return False

    @kernel
    def is_legal(state: State, role: i64, move: u64) -> i64:
        """Whether a player may make a move, if it is the turn of that player."""
        kind = move >> KIND
        if state.ended != 0:
            return 0
        if kind == TAKE:
            return 1 if may_take(state, role, move) else 0
        place = i64(move & 0xFFFF)
        if kind == BUY:
            known = move == (u64(BUY) << KIND) | u64(place) and place < cards
            if not known or not affords(state, role, place):
                return 0
            for k in range(max_reserved):
                if state.reserved[role * max_reserved + k] == place + 1:
                    return 1
            return 1 if lies_there(state, place) else 0
        if kind != RESERVE and kind != BLIND:
            return 0
        back = i64(move >> BACK) & 15
        if move != (kind << KIND) | (u64(back) << BACK) | u64(place) or reserves(state, role) >= max_reserved:
            return 0
        if kind == BLIND:
            if place >= decks or state.decks[place] == 0:
                return 0
        elif place >= cards or not lies_there(state, place):
            return 0
        if published or state.bank == 0 or held(state, role) < max_tokens:
            return 1 if back == 0 else 0
        if back == BACK_JOKER:
            return 1
        if back == 0 or back > types:
            return 0
        return 1 if (state.tokens[role] >> (8 * (back - 1))) & 0xFF != 0 else 0

    return SimpleNamespace(legal=legal, is_legal=is_legal)


def random_kernels(settings: Settings, State: Any, turns: SimpleNamespace, legal: Any, most: int) -> SimpleNamespace:  # noqa: N803
    """Make the random action generator, and playouts by it."""
    types, decks, players, max_tokens = settings.types, settings.decks, settings.players, settings.max_tokens
    max_reserved, published = settings.max_reserved, settings.published
    different, per_type, same = settings.different, settings.per_type, settings.same
    same_stack, slots = max(settings.same_stack, settings.same), decks * settings.face_up
    held, stacks_with, affords, reserves = turns.held, turns.stacks_with, turns.affords, turns.reserves
    make_move = turns.make_move
    even, highs = packed((EVEN,) * types), packed((0x80,) * types)
    scaled = [max(1, round(weight / sum(settings.weights) * _SCALE)) if weight else 0 for weight in settings.weights]
    weights, every = tuple(scaled), sum(scaled)
    joker_bit = 1 << 63
    picky = 0 in weights  # there may be moves and yet none of a kind that is drawn
    room = most if picky else 1

    @kernel
    def one_kind(tokens: u64, jokers: i64, rng: Stream) -> i64:
        """Draw a type of which there is a token, all equally likely; 7 for jokers."""
        there = (tokens + (HIGH - ONES)) & highs
        if jokers > 0:
            there |= joker_bit
        return nth(there, below(rng, popcount(there))) >> 3

    @kernel
    def take(state: State, role: i64, taken: u64, rng: Stream) -> u64:
        """Take tokens, and give back token by token what is too much: jokers, too."""
        hand = state.tokens[role] + taken
        jokers = 0 if published else state.jokers[role]
        back = 0
        for _ in range(held(state, role) + summed(taken) - max_tokens):
            kind = one_kind(hand, jokers - back, rng)
            if kind == 7:
                back += 1
            else:
                hand -= u64(1) << (8 * kind)
        changes: u64 = hand + even - state.tokens[role]
        return (u64(TAKE) << KIND) | (u64(back) << JOKERS) | changes

    @kernel
    def back_for_joker(state: State, role: i64, rng: Stream) -> u64:
        """Draw what goes back for the joker of a reserve, if anything has to."""
        if published or state.bank == 0 or held(state, role) < max_tokens:
            return 0
        kind = one_kind(state.tokens[role], 1, rng)
        return u64(BACK_JOKER if kind == 7 else kind + 1) << BACK

    @kernel
    def sample_kind(state: State, role: i64, kind: i64, out: buffer[u64], rng: Stream) -> i64:
        """Draw a move of a kind, and answer 1; 0 if there is none."""
        marks = u64(0)
        if kind == DIFFERENT:
            marks = stacks_with(state, per_type) if different > 0 else u64(0)
            if marks == 0:
                return 0
            for _ in range(popcount(marks) - different):
                marks ^= u64(1) << nth(marks, below(rng, popcount(marks)))
            out[0] = take(state, role, (marks >> 7) * per_type, rng)
            return 1
        if kind == SAME:
            marks = stacks_with(state, same_stack) if same > 0 else u64(0)
            if marks == 0:
                return 0
            place = nth(marks, below(rng, popcount(marks)))
            out[0] = take(state, role, u64(same) << (place - 7), rng)
            return 1
        if kind == BUY_TABLE:
            for place in range(slots):
                card = state.shown[place]
                if card != 0 and affords(state, role, card - 1):
                    marks |= u64(1) << place
            if marks == 0:
                return 0
            place = nth(marks, below(rng, popcount(marks)))
            out[0] = (u64(BUY) << KIND) | u64(state.shown[place] - 1)
            return 1
        if kind == BUY_RESERVED:
            for place in range(max_reserved):
                card = state.reserved[role * max_reserved + place]
                if card != 0 and affords(state, role, card - 1):
                    marks |= u64(1) << place
            if marks == 0:
                return 0
            place = nth(marks, below(rng, popcount(marks)))
            out[0] = (u64(BUY) << KIND) | u64(state.reserved[role * max_reserved + place] - 1)
            return 1
        if reserves(state, role) >= max_reserved:
            return 0
        if kind == RESERVE_TABLE:
            for place in range(slots):
                if state.shown[place] != 0:
                    marks |= u64(1) << place
            if marks == 0:
                return 0
            place = nth(marks, below(rng, popcount(marks)))
            out[0] = (u64(RESERVE) << KIND) | u64(state.shown[place] - 1) | back_for_joker(state, role, rng)
            return 1
        for deck in range(decks):
            if state.decks[deck] != 0:
                marks |= u64(1) << deck
        if marks == 0:
            return 0
        deck = nth(marks, below(rng, popcount(marks)))
        out[0] = (u64(BLIND) << KIND) | u64(deck) | back_for_joker(state, role, rng)
        return 1

    @kernel
    def sample_action(state: State, role: i64, out: buffer[u64], rng: Stream) -> i64:
        """Draw a kind by its weight, and a move of that kind; another kind if there is none."""
        left = every
        tried = 0
        while left > 0:
            mark = below(rng, left)
            kind = 0
            while (tried >> kind) & 1 == 1 or mark >= weights[kind]:
                if (tried >> kind) & 1 == 0:
                    mark -= weights[kind]
                kind += 1
            if sample_kind(state, role, kind, out, rng) == 1:
                return 1
            tried |= 1 << kind
            left -= weights[kind]
        return 0

    @kernel
    def playout(state: State, rng: Stream, limit: i64) -> i64:
        """Play as the generator draws."""
        out = empty(u64, room)
        plies = 0
        while plies < limit and state.ended == 0:
            role = state.tick % players
            if sample_action(state, role, out, rng) == 0 and picky:
                out[0] = out[below(rng, legal(state, role, out))]
            make_move(state, role, out[0], rng)
            plies += 1
        return plies

    return SimpleNamespace(sample_kind=sample_kind, sample_action=sample_action, playout=playout)
