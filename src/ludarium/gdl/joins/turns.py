"""The game table of rules that are worked out by joins: what a turn asks of them, and what else a state tells.

Scratch memory keeps the answers to questions about the last state that it was loaded with, if it is `ready`: an error may have
stopped in the middle of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ludarium.gdl.joins.tables import Records, Sizes, find, put
from ludarium.gdl.turn_kernels import Rules, turn_kernels
from ludarium.kernel import Kernel, Stream, buffer, copy, f64, i64, kernel, recast, u8, u64, view
from ludarium.kernel.table import hash_words


class Names(NamedTuple):
    """The codes that moves have outside, by those that rules give them, and the other way round; as tables."""

    outside: Any
    inside: Any
    sorted: Any = None
    """The codes of the rules that `outside` is about, in order, if it is not about all of them."""


def functions(
    records: Records, sizes: Sizes, own: Mapping[str, Kernel[Any]], initial: Any, luck: int, names: Names | None = None
) -> dict[str, Kernel[Any]]:
    """Make the functions of the game table from the kernels of its rules, and one that lists goals."""
    State: Any = records.state
    Work: Any = records.work
    STATE, SEES = max(1, sizes.state), bool(sizes.seen)
    goals, percepts = own["goals"], own["percepts"]
    prepare, settle = settling = _settling(records, sizes, own)
    written, _ = _naming(names)
    turn = turn_kernels(_rules(records, sizes, own, settling, luck, names), sizes.roles)
    role_of, ending = turn.role_of, turn.ending

    @kernel
    def init(state: view[u8], rng: Stream, scratch: view[u8]) -> None:
        """Begin."""
        for k in range(len(state)):
            state[k] = 0
        s = State(state)
        for k in range(len(initial)):
            put(s.facts, initial[k])
        settle(s, Work(scratch), True)

    @kernel
    def legal(state: view[u8], player: i64, moves: buffer[u64]) -> i64:
        """All legal moves of a role."""
        s = State(state)
        first = s.first[role_of(player)]
        count = s.first[role_of(player) + 1] - first
        for k in range(count):
            moves[k] = u64(written(s.moves[first + k]))
        return i64(count)

    @kernel
    def list_goals(state: view[u8], player: i64, values: buffer[i64], scratch: view[u8]) -> i64:
        """All goal values of a role."""
        w = Work(scratch)
        prepare(w, State(state).facts)
        w.ready = 0
        count: i64 = goals(w, role_of(player), values)
        w.ready = 1
        return count

    @kernel
    def observe(state: view[u8], player: i64, shown: buffer[u8], scratch: view[u8]) -> i64:
        """What a role sees: if the game has percepts, these and how the game goes on; else facts."""
        s = State(state)
        words = recast(u64, shown)
        if SEES:
            count = percepts(s, role_of(player), words)
            words[count] = u64(ending(state, scratch))
            return i64(8 * (count + 1))
        for k in range(STATE):
            words[k] = s.facts[k]
        return 8 * STATE

    @kernel
    def hash_state(state: view[u8]) -> u64:
        """From the facts, and from what the roles see."""
        s = State(state)
        h = hash_words(u64(0x9E3779B97F4A7C15), s.facts)
        return hash_words(h, s.seen) if SEES else h

    others: dict[str, Kernel[Any]] = {
        "init": init,
        "legal": legal,
        "goals": list_goals,
        "observe": observe,
        "hash": hash_state,
    }
    return turn.functions() | others


_Settling = tuple[Kernel[None], Kernel[None]]


def _settling(records: Records, sizes: Sizes, own: Mapping[str, Kernel[Any]]) -> _Settling:
    """Make what loads a state unless it is there, and what works out how the game goes on from it."""
    State: Any = records.state
    Work: Any = records.work
    ROLES, STATE = sizes.roles, max(1, sizes.state)
    load, terminal, legal, clear_offers = (own[name] for name in ("load", "terminal", "legal", "clear_offers"))

    @kernel
    def prepare(w: Work, facts: view[u64]) -> None:
        """Load the facts of a state unless they are there, with answers to questions about them."""
        same = w.ready != 0
        for k in range(STATE):
            same = same and w.facts[k] == facts[k]
        if not same:
            load(w, facts)

    @kernel
    def settle(s: State, w: Work, always: bool) -> None:
        """Work out whether the game is over, and the legal moves if it is not, or always."""
        w.ready = 0
        load(w, s.facts)
        s.over[0] = 1 if terminal(w) else 0
        clear_offers(w)  # an error may have left some
        w.offered = 0
        w.first = 0
        for role in range(ROLES):
            s.first[role] = w.offered
            if always or s.over[0] == 0:
                legal(w, role)
                clear_offers(w)
        s.first[ROLES] = w.offered
        for k in range(w.offered):
            s.moves[k] = w.moves[k]
        w.ready = 1

    return prepare, settle


def _naming(names: Names | None) -> tuple[Kernel[int], Kernel[int]]:
    """Make what turns the codes of moves into those outside, and back; -1 for what is no move."""
    if names is None:

        @kernel
        def same(code: i64) -> i64:
            return code

        return same, same
    outside, inside, some = names

    @kernel
    def read(code: i64) -> i64:
        return i64(inside[code]) if 0 <= code < len(inside) else -1

    if some is not None:

        @kernel
        def looked_up(code: i64) -> i64:
            return i64(outside[find(some, code)])

        return looked_up, read

    @kernel
    def written(code: i64) -> i64:
        return i64(outside[code])

    return written, read


def _rules(
    records: Records,
    sizes: Sizes,
    own: Mapping[str, Kernel[Any]],
    settling: _Settling,
    luck: int,
    names: Names | None = None,
) -> Rules:
    """Make what a turn asks of rules."""
    _, read = _naming(names)
    State: Any = records.state
    Work: Any = records.work
    ROLES, SEES = sizes.roles, bool(sizes.seen)
    decode, play, goals = own["decode"], own["advance"], own["goals"]
    prepare, settle = settling

    @kernel
    def roles() -> i64:
        return ROLES

    @kernel
    def chance() -> i64:
        return luck

    @kernel
    def over(state: view[u8], scratch: view[u8]) -> bool:
        """Whether the game is over."""
        return bool(State(state).over[0] != 0)

    @kernel
    def count(state: view[u8], role: i64, scratch: view[u8]) -> i64:
        """How many legal moves a role has."""
        s = State(state)
        return i64(s.first[role + 1] - s.first[role])

    @kernel
    def pick(state: view[u8], role: i64, number: i64, scratch: view[u8]) -> i64:
        """The code of a legal move."""
        s = State(state)
        return i64(s.moves[s.first[role] + number])

    @kernel
    def find(state: view[u8], role: i64, code: u64, scratch: view[u8]) -> i64:
        """The same code, if that move is legal."""
        s = State(state)
        wanted = read(i64(code))
        for k in range(s.first[role], s.first[role + 1]):
            if s.moves[k] == wanted:
                return i64(wanted)
        return -1

    @kernel
    def advance(state: view[u8], moves: view[i64], always: bool, scratch: view[u8]) -> None:
        """Go on to the next state."""
        s = State(state)
        w = Work(scratch)
        prepare(w, s.facts)
        w.ready = 0
        for role in range(ROLES):
            decode(w, role, moves[role])
        play(w)
        copy(s.facts, w.nexts)
        if SEES:
            copy(s.seen, w.seen)
        settle(s, w, always)

    @kernel
    def judge(state: view[u8], scratch: view[u8]) -> None:
        """Get ready to ask for goals."""
        prepare(Work(scratch), State(state).facts)

    @kernel
    def goal(state: view[u8], role: i64, none: f64, scratch: view[u8]) -> f64:
        """What the best goal of a role is worth."""
        w = Work(scratch)
        w.ready = 0
        best = -1
        for k in range(goals(w, role, w.goals)):
            best = max(best, w.goals[k])
        w.ready = 1
        return f64(best) / 100.0 if best >= 0 else none

    return Rules(roles, chance, over, count, pick, find, advance, judge, goal)
