"""The memory in which questions are answered: a table of the questions asked about a state, and room for their answers.

An answer is yes or no, or a set of rows as bits. All of it is forgotten when the state changes, at the cost of what was used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ludarium.kernel import Kernel, Record, array, i32, i64, kernel, u8, u16, u32, u64, view

MOST_GOALS = 128
"""Goal values that a role can have at once."""

NO_GOAL = -1 << 40
"""What is written for a goal that is no number."""

STACK = 1 << 14
"""Rows of recursive relations that wait for what follows from them."""

DENSE = 1 << 16
"""Possible moves, up to which each has a bit that says whether it is listed."""

_LAST = 1 << 30
"""States until stamps begin anew."""


@dataclass(frozen=True)
class Sizes:
    """How much room there is."""

    facts: int
    """Words for the facts in all orders in which they are looked up; those of a state come first."""

    state: int
    """Words for the facts of a state."""

    questions: int
    """A power of two."""

    stamps: int
    """Questions with a place of their own, whether they are asked or not."""

    pool: int
    """Words for the answers to all questions."""

    roles: int
    width: int
    """Numbers that describe a move: its form and its columns."""

    moves: int
    """Room for the legal moves of all roles together."""

    offers: int
    """Room for the legal moves of a role; a power of two."""

    codes: int
    """The number of possible moves."""

    rules: int
    """Rules that are counted."""

    seen: int
    """Words for what the roles see."""

    wide: bool
    """Whether the code of a move needs more than 32 bits."""

    @property
    def dense(self) -> bool:
        """Whether each possible move has a bit."""
        return self.codes <= DENSE


class Records(NamedTuple):
    """The record of a state, and that of the memory in which it is worked on."""

    state: Any
    work: Any


def records(sizes: Sizes) -> Records:
    """Make the records of a game."""

    class State(Record):
        facts = array(u64, max(1, sizes.state))  # first, as in other states of rules; numbers would come before
        seen = array(u64, max(1, sizes.seen))
        over = array(i64, 1)
        first = array(i32, sizes.roles + 1)
        moves = array(i64 if sizes.wide else u32 if sizes.codes > 1 << 16 else u16, max(1, sizes.moves))

    class Work(Record):
        ready: i64
        epoch: i64
        count: i64
        top: i64
        high: i64
        steps: i64
        changed: i64
        waiting: i64
        offered: i64
        first: i64
        keys = array(i64, sizes.questions)
        facts = array(u64, max(1, sizes.facts))
        nexts = array(u64, max(1, sizes.state))
        seen = array(u64, max(1, sizes.seen))
        joint = array(i64, (sizes.roles + 1) * sizes.width)
        goals = array(i64, MOST_GOALS)
        costs = array(i64, max(1, sizes.rules))
        pool = array(u64, max(1, sizes.pool))
        moves = array(i64, max(1, sizes.moves))
        marks = array(u64, max(1, -(-sizes.codes // 64))) if sizes.dense else array(u16, 2 * sizes.offers)
        mark_of = array(u16, 1 if sizes.dense else sizes.offers)
        stack = array(u32, STACK)
        stamps = array(u32, max(1, sizes.stamps))
        stamped = array(u32, max(1, sizes.stamps))
        slots = array(u32, 2 * sizes.questions)
        slot_of = array(u32, sizes.questions)
        places = array(u32, sizes.questions)
        kinds = array(u16, sizes.questions)
        value = array(u8, sizes.questions)
        done = array(u8, sizes.questions)

    return Records(State, Work)


@kernel
def bit(words: view[u64], code: i64) -> bool:
    """Whether a bit is set."""
    return (words[code >> 6] >> (code & 63)) & 1 == 1


@kernel
def put(words: view[u64], code: i64) -> None:
    """Set a bit."""
    words[code >> 6] |= u64(1) << (code & 63)


@kernel
def drop(words: view[u64], code: i64) -> None:
    """Take a bit out."""
    words[code >> 6] &= ~(u64(1) << (code & 63))


@kernel
def flip(words: view[u64], code: i64) -> None:
    """Turn a bit over."""
    words[code >> 6] ^= u64(1) << (code & 63)


@kernel
def some(words: view[u64], start: i64, stop: i64) -> bool:
    """Whether any bit of some words is set."""
    for k in range(start, stop):  # noqa: SIM110
        if words[k] != 0:
            return True
    return False


@kernel
def find(keys: view[i64], key: i64) -> i64:
    """Where a key is in a sorted table; -1 if it is not there."""
    low = 0
    high = len(keys)
    while low < high:
        middle = (low + high) >> 1
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    if low < len(keys) and keys[low] == key:
        return low
    return -1


def questions(sizes: Sizes, Work: Any) -> dict[str, Kernel[Any]]:
    """Make the kernels that look questions up, enter them and take answers in, by name."""
    QUESTIONS, POOL, KEEP = sizes.questions, sizes.pool, sizes.questions - sizes.questions // 4
    STAMPS = max(1, sizes.stamps)
    MASK, SHIFT = 2 * sizes.questions - 1, 64 - sizes.questions.bit_length()

    @kernel
    def look(w: Work, key: i64) -> i64:
        """The number of a question, or -1 if it has not been asked."""
        k = i64((u64(key) * 0x9E3779B97F4A7C15) >> SHIFT)
        while w.slots[k] != 0:
            n = w.slots[k] - 1
            if w.keys[n] == key:
                return i64(n)
            k = (k + 1) & MASK
        return -1

    @kernel
    def ask(w: Work, key: i64, kind: i64, used: i64, words: i64) -> i64:
        """Enter a question that has not been asked, with no answers yet: some words for them, those in use all zero."""
        n = w.count
        assert n < QUESTIONS, "a state raises more questions than there is room for"
        place = w.top
        assert place + words <= POOL, "a state has more answers than there is room for"
        k = i64((u64(key) * 0x9E3779B97F4A7C15) >> SHIFT)
        while w.slots[k] != 0:
            k = (k + 1) & MASK
        w.slots[k] = n + 1
        w.slot_of[n] = k
        w.keys[n] = key
        w.kinds[n] = kind
        w.value[n] = 0
        w.done[n] = 1
        w.places[n] = place
        for i in range(place, place + used):
            w.pool[i] = 0
        w.top = place + words
        w.count = n + 1
        return i64(n)

    @kernel
    def keep(w: Work, key: i64, kind: i64, found: bool) -> bool:
        """Note the answer to a question if there is room."""
        if w.count < KEEP:
            n = ask(w, key, kind, 0, 0)
            w.value[n] = 1 if found else 0
        return found

    @kernel
    def add(w: Work, code: i64) -> None:
        """Take a row into a set of answers that others may be waiting for."""
        one = u64(1) << (code & 63)
        if w.pool[code >> 6] & one == 0:
            w.pool[code >> 6] |= one
            w.changed = 1

    @kernel
    def add_far(w: Work, place: i64, heads: i64, code: i64) -> None:
        """Take a row into a large set of answers, whose first words say which of the others are in use."""
        k = code >> 6
        used = u64(1) << (k & 63)
        at = place + heads + k
        if w.pool[place + (k >> 6)] & used == 0:
            w.pool[place + (k >> 6)] |= used
            w.pool[at] = 0
        one = u64(1) << (code & 63)
        if w.pool[at] & one == 0:
            w.pool[at] |= one
            w.changed = 1

    @kernel
    def room(w: Work, used: i64, words: i64) -> i64:
        """Make room for the answers to a question: some words, those in use all zero."""
        place = i64(w.top)
        assert place + words <= POOL, "a state has more answers than there is room for"
        for i in range(place, place + used):
            w.pool[i] = 0
        w.top = place + words
        return place

    @kernel
    def grow(w: Work, place: i64, code: i64) -> None:
        """Take a row into a set of answers, and wait for what follows from it if it is new."""
        one = u64(1) << (code & 63)
        at = place + (code >> 6)
        if w.pool[at] & one == 0:
            w.pool[at] |= one
            assert w.high < STACK, "a state has more answers than there is room for"
            w.stack[w.high] = code
            w.high += 1

    @kernel
    def fresh(w: Work, place: i64, code: i64) -> bool:
        """Take a row into a set of answers; whether it is new."""
        one = u64(1) << (code & 63)
        at = place + (code >> 6)
        new = bool(w.pool[at] & one == 0)
        w.pool[at] |= one
        return new

    @kernel
    def grow_far(w: Work, place: i64, heads: i64, code: i64) -> None:
        """The same for a large set of answers, whose first words say which of the others are in use."""
        k = code >> 6
        used = u64(1) << (k & 63)
        if w.pool[place + (k >> 6)] & used == 0:
            w.pool[place + (k >> 6)] |= used
            w.pool[place + heads + k] = 0
        grow(w, place + heads, code)

    @kernel
    def has(w: Work, place: i64, code: i64) -> bool:
        """Whether a row is among answers."""
        return bit(w.pool, place * 64 + code)

    @kernel
    def has_far(w: Work, place: i64, heads: i64, code: i64) -> bool:
        """Whether a row is in a large set of answers."""
        return bit(w.pool, place * 64 + (code >> 6)) and bit(w.pool, (place + heads) * 64 + code)

    @kernel
    def add_word(w: Work, place: i64, heads: i64, k: i64, word: u64) -> None:
        """Take all rows of a word into a large set of answers."""
        used = u64(1) << (k & 63)
        at = place + heads + k
        if w.pool[place + (k >> 6)] & used == 0:
            w.pool[place + (k >> 6)] |= used
            w.pool[at] = 0
        w.pool[at] |= word

    @kernel
    def far(w: Work, place: i64, heads: i64, k: i64) -> u64:
        """A word of a large set of answers."""
        return w.pool[place + heads + k] if bit(w.pool, place * 64 + k) else u64(0)

    @kernel
    def forget(w: Work) -> None:
        """Forget all questions."""
        for n in range(w.count):
            w.slots[w.slot_of[n]] = 0
        w.count = 0
        w.top = 0
        w.high = 0
        w.epoch += 1
        if w.epoch == _LAST:
            w.epoch = 1
            for k in range(STAMPS):
                w.stamps[k] = 0

    made: tuple[Kernel[Any], ...] = (
        look,
        ask,
        keep,
        add,
        add_far,
        room,
        grow,
        fresh,
        grow_far,
        has,
        has_far,
        add_word,
        far,
        forget,
    )
    return {each.name: each for each in made}


def lists(sizes: Sizes, Work: Any) -> tuple[Kernel[None], Kernel[None]]:
    """Make the kernels that list the legal moves of a role: `offer` takes one in, `clear_offers` begins the next list."""
    if sizes.dense:
        return _dense_lists(sizes, Work)
    MOVES, OFFERS = max(1, sizes.moves), sizes.offers
    MARK_MASK, MARK_SHIFT = 2 * sizes.offers - 1, 63 - (sizes.offers - 1).bit_length()

    @kernel
    def offer(w: Work, code: i64) -> None:
        """Take a move into the list of a role, once."""
        k = i64((u64(code) * 0x9E3779B97F4A7C15) >> MARK_SHIFT)
        while w.marks[k] != 0:
            if w.moves[w.first + w.marks[k] - 1] == code:
                return
            k = (k + 1) & MARK_MASK
        n = w.offered - w.first
        assert n < OFFERS, "there are more legal moves than there is room for"
        assert w.offered < MOVES, "there are more legal moves than there is room for"
        w.moves[w.offered] = code
        w.offered += 1
        w.mark_of[n] = k
        w.marks[k] = n + 1

    @kernel
    def clear_offers(w: Work) -> None:
        """Begin the list of the next role."""
        for n in range(w.offered - w.first):
            w.marks[w.mark_of[n]] = 0
        w.first = w.offered

    return offer, clear_offers


def _dense_lists(sizes: Sizes, Work: Any) -> tuple[Kernel[None], Kernel[None]]:
    """The same where every possible move has a bit."""
    MOVES = max(1, sizes.moves)

    @kernel
    def offer(w: Work, code: i64) -> None:
        """Take a move into the list of a role, once."""
        one = u64(1) << (code & 63)
        if w.marks[code >> 6] & one == 0:
            assert w.offered < MOVES, "there are more legal moves than there is room for"
            w.marks[code >> 6] |= one
            w.moves[w.offered] = code
            w.offered += 1

    @kernel
    def clear_offers(w: Work) -> None:
        """Begin the list of the next role."""
        for n in range(w.first, w.offered):
            w.marks[w.moves[n] >> 6] = 0
        w.first = w.offered

    return offer, clear_offers
