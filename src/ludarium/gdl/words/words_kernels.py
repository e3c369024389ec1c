"""The game table of a plan of words: the whole turn is straight-line code over a few words.

All functions read the facts of a block and nothing else of it, and write nothing but facts. They answer what the
functions of `ludarium.gdl.network.network_kernels` answer, draw for draw.
"""

from __future__ import annotations

from array import array as array_of
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from ludarium.gdl.network.layout import END, PAST, PENDING, Layout
from ludarium.gdl.network.network import TRUE, Network
from ludarium.gdl.network.remember import memory
from ludarium.gdl.turn_kernels import Rules, turn_kernels
from ludarium.gdl.words.moves import counted, listed, pick, picked
from ludarium.gdl.words.picking import FEW, Word, lines_to_list, lines_to_look_up, lines_to_pick
from ludarium.gdl.words.source import Group, Writer
from ludarium.gdl.words.tallies import Tables, counting, tables
from ludarium.kernel import Kernel, Stream, Table, below, buffer, data, i32, i64, kernel, u8, u64, view
from ludarium.kernel.generate import kernels

_MOST = 6000  # operations in a turn; more take long to compile
_COUNTED = 5000  # the same where goals are counted gate by gate: with more, loops over relations are as good
_LARGE = 30000  # gates; to look for order in more takes too long
_SMALL = 6000  # gates, of which two plans are made
_FEWER = 0.8  # share of the operations of a strict plan that another one may have, to be the better one: its are longer chains
_WORD = (1 << 64) - 1


@dataclass
class Words:
    """The text of the kernels of a game, and the tables that it speaks of."""

    text: str
    names: dict[str, Any]
    tally: Tables | None
    """The gates of goals that are counted."""

    operations: int
    roles: int
    chance: int
    scratch_size: int
    """Bytes that the kernels work in: the legal moves of a role, then which goals hold."""

    layout: Layout
    write_recorded: Callable[[], str]
    """Writes one more kernel, which few need."""

    def functions(self, others: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
        """Make the functions of the table, those that the text does not have as they are given; and two more.

        These are `goals`, and `draw_action` that draws a legal move as if all had been listed.
        """
        own = kernels("words", self.text, self._scope)
        number, luck = self.roles, self.chance
        count, list_moves, code = own["count"], own["list_moves"], own["code"]

        @kernel
        def roles() -> i64:
            return number

        @kernel
        def chance() -> i64:
            return luck

        asked = (own[name] for name in ("advance", "judge", "goal"))
        turn = turn_kernels(Rules(roles, chance, own["over"], count, pick, own["find"], *asked), number)
        role_of = turn.role_of

        @kernel
        def legal(state: view[u8], player: i64, out: buffer[u64], scratch: view[u8]) -> i64:
            """All legal moves of a role."""
            return i64(list_moves(state, role_of(player), out, scratch))

        @kernel
        def draw_action(table: Table, state: view[u8], player: i64, out: buffer[u64], rng: Stream) -> i64:
            """Draw one of the moves of a role."""
            role = role_of(player)
            total = count(state, role, table.scratch)
            assert total > 0, "a role has no legal move"
            out[0] = u64(code(role, pick(state, role, below(rng, total), table.scratch)))
            return 1

        mine = {name: own[name] for name in ("init", "playout", "goals", "utilities")}
        return others | turn.functions() | mine | {"legal": legal, "draw_action": draw_action}

    @cached_property
    def recorded_playout(self) -> Kernel[int]:
        """Plays at random and tells what is played."""
        return kernels("words", self.write_recorded(), self._scope)["recorded_playout"]

    @property
    def past(self) -> int:
        """Where a state has what is remembered of positions: after its facts."""
        return self.layout.at[PENDING]

    @property
    def state_size(self) -> int:
        """The bytes of a state."""
        return self.past + self.layout.at[END] - self.layout.at[PAST]

    @property
    def _scope(self) -> dict[str, Any]:
        scope = {"counted": counted, "listed": listed, "picked": picked, **self.names}
        if self.tally:
            scope["count_up"] = counting(self.tally)
        if self.layout.history:
            scope |= memory(self.layout)._asdict()
        return scope


def words(net: Network, layout: Layout, chance: int) -> Words | None:
    """Write the kernels of a network; None if it has too little order, or things that words cannot do."""
    if not net.facts or any(net.sees) or net.size > _LARGE:
        return None
    text = _better(net, layout, chance)
    if text is None:
        return None
    text.complete()
    roles = len(net.goals)
    return Words(
        "\n".join(text.lines),
        text.names(),
        tables(text.writer.tally) if text.writer.tally else None,
        text.operations,
        roles,
        chance,
        text.scratch_size,
        layout,
        text.write_recorded,
    )


def _better(net: Network, layout: Layout, chance: int) -> _Text | None:
    """The better plan, if one can be had: gates share a value if they read mostly the same, or only if it is just that."""
    loose = _Text(net, layout, chance, strict=False)
    fits = loose.begin()
    if net.size > _SMALL:
        return loose if fits else None
    strict = _Text(net, layout, chance, strict=True)
    if strict.begin() and not (fits and loose.operations < _FEWER * strict.operations):
        return strict
    return loose if fits else None


class _Text:
    """Writes the kernels."""

    def __init__(self, net: Network, layout: Layout, chance: int, *, strict: bool) -> None:
        self.net, self.layout, self.chance = net, layout, chance
        self.writer = Writer(net, chance, strict=strict)
        self.lines: list[str] = []
        self.players = [role for role in range(len(net.goals)) if role != chance]
        *marks, self._keep = layout.past_facts
        self._marks = list(zip(marks[::2], marks[1::2], strict=True))
        """For each mark of positions that are remembered: the fact that tells so, and the one that asks for it."""

    def begin(self) -> bool:
        """Write the one that plays; False if that would be no gain."""
        if not self.writer.prepare(_MOST):
            return False
        self._playout()
        self.operations = self.writer.operations
        return self.operations <= (_COUNTED if self.writer.tally else _MOST)

    def complete(self) -> None:
        """Write the others."""
        self._init()
        self._parts()
        self._count()
        self._list_moves()
        self._advance()
        self._goals()
        self._utilities()

    def write_recorded(self) -> str:
        """Write a playout that tells what is played."""
        self.lines = []
        self._playout(recorded=True)
        return "\n".join(self.lines)

    def names(self) -> dict[str, Any]:
        """The tables that the text speaks of."""
        found: dict[str, Any] = {}
        codes = {text: code for code, text in enumerate(self.layout.codes)}
        for role, words in enumerate(self.writer.tables()):
            found[f"moves{role}"] = data(f"moves{role}", u64, words)
            found[f"SIZE{role}"] = max(1, len(self.writer.columns[role]))
            slots, names = [-1] * len(codes), [0] * max(64, self.writer.slots[role])
            for k, (each, move) in enumerate(self.net.does):
                slot = self.writer.slot_of.get(len(self.net.facts) + k, -1)
                if each == role and slot >= 0:
                    slots[codes[move]], names[slot] = slot, codes[move]
            found[f"slots{role}"] = data(f"slots{role}", i32, array_of("i", slots))
            found[f"codes{role}"] = data(f"codes{role}", i32, array_of("i", names))
            if always := self._always(role):
                found[f"always{role}"] = data(f"always{role}", i32, array_of("i", always))
        return found

    def _kernel(self, head: str, lines: list[str]) -> None:
        self.lines += ["@kernel", f"def {head}:", *lines, ""]

    def _begin(self) -> list[str]:
        self.writer.forget()
        return self.writer.gather()

    # Positions of the past

    def _past(self) -> list[str]:
        """Lines that find what is remembered, and tell the position in the block and its marks."""
        if not self.layout.history:
            return []
        marks = [f"{self._marked(fact)} & {1 << k}" for k, (fact, _) in enumerate(self._marks)]
        lines = [f"past = recast(u64, state[{self.layout.at[PENDING]}:len(state)])", "here = position(base)"]
        return ["    " + line for line in (*lines, f"known = {' | '.join(f'({mark})' for mark in marks) or 'u64(0)'}")]

    def _marked(self, fact: int) -> str:
        """Whether the position is remembered with a mark, as a word."""
        return f"v{self.writer.plan.where[fact].value}_0"

    def _remember(self, indent: str) -> list[str]:
        """Lines that remember the position in the block, before the next one is written."""
        if not self.layout.history:
            return []
        keep = self._asked(self._keep)
        marks = [f"(u64({1 << k}) if {self._asked(fact)} else u64(0))" for k, (_, fact) in enumerate(self._marks)]
        new = f"({' | '.join(marks) or 'u64(0)'})"
        lines = [f"known = known if {keep} else u64(0)", f"remember(past, base, here, {keep}, {new} & ~known)"]
        return [indent + line for line in lines]

    def _asked(self, fact: int) -> str:
        """Whether a fact comes next."""
        return f"v{self.writer.next[self.writer.plan.where[fact].value]}_0 != 0" if fact >= 0 else "False"

    def _recall(self, indent: str) -> list[str]:
        """Lines that tell whether the position in the block is remembered, there and in the values of facts."""
        if not self.layout.history:
            return []
        lines = ["here = position(base)", "known = recall(past, base, here)"]
        for mark, (fact, _) in enumerate(self._marks):
            name = self._marked(fact)
            lines.append(f"{name} = 0 - ((known >> {mark}) & 1)")
            lines.append(f"base[{fact >> 6}] |= {name} & {1 << (fact & 63)}")
        return [indent + line for line in lines]

    # Legal moves

    def _words(self, group: Group) -> list[Word]:
        """The words of a group in order, with the slot at which each begins; the slots of a role are counted from 0."""
        found = []
        for number, first in group.values:
            value = self.writer.plan.values[number]
            used = (word for word in range(value.words) if value.bits >> 64 * word & _WORD)
            found += [(f"v{number}_{word}", first + 64 * word) for word in used]
        return found

    def _widest(self, group: Group) -> int:
        """The most moves that a word of a group can hold."""
        values = [self.writer.plan.values[number] for number, _ in group.values]
        return max((v.bits >> 64 * w & _WORD).bit_count() for v in values for w in range(v.words))

    def _always(self, role: int) -> list[int]:
        """The slots of a role's legal moves, if these are the same in every state; else none."""
        groups = self.writer.groups[role]
        rows = [(self.writer.plan.values[number], first) for group in groups for number, first in group.values]
        if any(group.moves.guard != TRUE for group in groups) or any(value.fixed != value.bits for value, _ in rows):
            return []
        return [first + bit for value, first in rows for bit in range(64 * value.words) if value.fixed >> bit & 1]

    def _many(self, role: int) -> bool:
        """Whether the moves of a role are in so many words that these are listed in memory."""
        return not self._always(role) and sum(len(self._words(group)) for group in self.writer.groups[role]) > FEW

    def _list(self, role: int, indent: str, *, store: bool = False) -> tuple[list[str], list[Word]]:
        """Lines that work out a role's legal moves, and the words that hold them; stored, group by group."""
        writer, groups = self.writer, self.writer.groups[role]
        needed = [[*writer.roots([group.moves.guard]), *(number for number, _ in group.values)] for group in groups]
        lines = [] if store else writer.values(chain.from_iterable(needed), indent)
        found: list[Word] = []
        for group, roots in zip(groups, needed, strict=True):
            lines += writer.values(roots, indent) if store else []
            guard, mask = group.moves.guard, ""
            if guard != TRUE:
                mask = f"guard{role}_{len(found)}"
                lines.append(f"{indent}{mask} = {writer.everywhere(guard)}")
            for text, slot in self._words(group):
                word = f"w{role}_{len(found)}", slot
                lines.append(f"{indent}{word[0]} = {text}" + (f" & {mask}" if mask else ""))
                lines += [indent + line for line in lines_to_list(role, len(found), word)] if store else []
                found.append(word)
        return lines, found

    def _one_or_many(self, role: int) -> tuple[Group, int] | None:
        """A group of moves under a guard, and the slot of the one move that is legal where the guard does not hold."""
        groups = self.writer.groups[role]
        if len(groups) == 2:
            for many, one in (groups, groups[::-1]):
                alone = one.moves.guard == TRUE and one.moves.gates == [many.moves.guard ^ 1]
                if alone and many.moves.guard >= 0 and many.moves.names:
                    return many, one.values[0][1]
        return None

    def _note_move(self, role: int, indent: str) -> list[str]:
        """Lines that note the move that was drawn, if the role has a choice."""
        if role == self.chance:
            return []
        lines = [f"record[n] = {self.players.index(role)}", f"record[n + 1] = u64(codes{role}[s{role}])"]
        return [indent + line for line in (*lines, f"n += 2 if count{role} > 1 else 0")]

    def _choose(self, role: int, indent: str, later: set[int], *, recorded: bool) -> list[str]:
        """Lines that draw a move of a role at random; values that are needed later are worked out in any case."""
        writer, short = self.writer, self._one_or_many(role)
        if always := self._always(role):
            lines = [indent + line for line in lines_to_look_up(role, always)]
            return lines + (self._note_move(role, indent) if recorded else [])
        if short is None:
            lines, words = self._list(role, indent, store=self._many(role))
            if not words:
                return [f'{indent}assert False, "a role has no legal move"', f"{indent}s{role} = 0"]
            lines += [indent + line for line in lines_to_pick(role, words, max(map(self._widest, writer.groups[role])))]
            return lines + (self._note_move(role, indent) if recorded else [])
        many, alone = short
        roots, inner = [number for number, _ in many.values], indent + "    "
        lines = writer.values([*writer.roots([many.moves.guard]), *writer.needs(roots) & later], indent)
        lines += [f"{indent}s{role} = {alone}", f"{indent}if {writer.holds(many.moves.guard)}:"]
        lines += writer.values(roots, inner, keep=False)
        words = self._words(many)
        for k, word in enumerate(words if len(words) > FEW else ()):
            lines += [inner + line for line in lines_to_list(role, k, word)]
        lines += [inner + line for line in lines_to_pick(role, words, self._widest(many))]
        return lines + (self._note_move(role, inner) if recorded else [])

    # The functions

    def _playout(self, *, recorded: bool = False) -> None:
        """Play at random; if that is recorded, note a pair of player and move for each that had a choice.

        Where nobody had one, that of the first player is noted. Pairs begin at 1, and at 0 is where they end; a turn for which
        there may be no room is not played.
        """
        writer, indent = self.writer, " " * 8
        lines = self._begin() + self._past()
        for role in range(writer.roles):
            if self._many(role):
                lines.append(f"    list{role} = array(u64, {self._size(role)})")
        room = f" and n + {2 * len(self.players)} <= len(record)" if recorded else ""
        lines += ["    n = 1"] * recorded + ["    plies = 0", f"    while plies < limit{room}:"]
        lines += writer.values(writer.roots([self.net.terminal]), indent)
        lines += [f"{indent}if {writer.holds(self.net.terminal)}:", f"{indent}    break"]
        lines += [f"{indent}before = n"] * recorded
        later = writer.needs(writer.next.values())
        for role in range(writer.roles):
            lines += self._choose(role, indent, later, recorded=recorded)
            lines += [f"{indent}m{role} = s{role} * SIZE{role}"]
        if recorded and self.players:
            first = self.players[0]
            only = ["    record[n] = 0", f"    record[n + 1] = u64(codes{first}[s{first}])", "    n += 2"]
            lines += [indent + line for line in ("if n == before:", *only)]
        lines += writer.values(writer.next.values(), indent) + self._remember(indent)
        for old, new in writer.next.items():
            lines += [f"{indent}v{old}_{w} = v{new}_{w}" for w in range(writer.plan.values[old].words)]
        if self.layout.history:
            lines += [f"    {line}" for line in writer.scatter()] + self._recall(indent)
        lines += [f"{indent}plies += 1", *writer.scatter(), *["    record[0] = u64(n)"] * recorded, "    return plies"]
        name, more = ("recorded_playout", ", record: view[u64]") if recorded else ("playout", "")
        self._kernel(f"{name}(state: view[u8], rng: Stream, limit: i64{more}) -> i64", lines)

    def _size(self, role: int) -> int:
        """How many words the slots of a role take."""
        return max(1, self.writer.slots[role] >> 6)

    def _init(self) -> None:
        words = [0] * -(-len(self.net.facts) // 64)
        for k, holds in enumerate(self.net.initial):
            words[k >> 6] |= int(holds) << (k & 63)
        lines = [f"    base = recast(u64, state[0:{8 * len(words)}])"]
        lines += [f"    base[{k}] = {word}" for k, word in enumerate(words)]
        if self.layout.history:
            lines += [f"    for k in range({self.layout.at[PENDING]}, len(state)):", "        state[k] = 0"]
        self._kernel("init(state: view[u8], rng: Stream) -> None", lines)

    def _parts(self) -> None:
        """Whether the game is over, and the words of legal moves."""
        writer, terminal = self.writer, self.net.terminal
        lines = [*self._begin(), *writer.values(writer.roots([terminal])), f"    return {writer.holds(terminal)}"]
        self._kernel("over(state: view[u8], scratch: view[u8]) -> bool", lines)
        for role in range(writer.roles):
            begun = self._begin()
            lines, words = self._list(role, "    ")
            held = {slot >> 6: name for name, slot in words}
            lines += [f"    out[{k}] = {held.get(k, 0)}" for k in range(self._size(role))]
            self._kernel(f"offer{role}(state: view[u8], out: view[u64]) -> None", [*begun, *lines])

    def _by_role(self, roles: dict[int, list[str]]) -> list[str]:
        """Lines that depend on the role."""
        lines = ["    match role:"]
        for number, inner in roles.items():
            lines += [f"        case {number}:", *(f"            {line}" for line in inner)]
        return lines

    def _words_in_scratch(self) -> str:
        return f"    words = recast(u64, scratch[0:{8 * self._most}])"

    @property
    def _most(self) -> int:
        """The most words that the legal moves of a role take."""
        return max(map(self._size, range(self.writer.roles)))

    @property
    def scratch_size(self) -> int:
        """The bytes that the kernels work in."""
        return 8 * self._most + sum(len(self.net.goals[role]) for role in self.players)

    def _count(self) -> None:
        """Offer the moves of a role in scratch memory, and count them; find one of them."""
        sizes = [self._size(role) for role in range(self.writer.roles)]
        offers = {
            role: [f"offer{role}(state, words)", f"return counted(words[0:{size}])"] for role, size in enumerate(sizes)
        }
        head = "count(state: view[u8], role: i64, scratch: view[u8]) -> i64"
        self._kernel(head, [self._words_in_scratch(), *self._by_role(offers), "    return 0"])
        slots = {
            role: [f"return slots{role}[code] if code < u64(len(slots{role})) else -1"] for role in range(len(sizes))
        }
        head = "find(state: view[u8], role: i64, code: u64, scratch: view[u8]) -> i64"
        self._kernel(head, [*self._by_role(slots), "    return -1"])

    def _list_moves(self) -> None:
        """List the moves of a role; name one of them."""
        sizes = [self._size(role) for role in range(self.writer.roles)]
        lists = {
            role: [f"offer{role}(state, words)", f"return listed(words[0:{size}], codes{role}, out)"]
            for role, size in enumerate(sizes)
        }
        head = "list_moves(state: view[u8], role: i64, out: buffer[u64], scratch: view[u8]) -> i64"
        self._kernel(head, [self._words_in_scratch(), *self._by_role(lists), "    return 0"])
        codes = {role: [f"return codes{role}[slot]"] for role in range(len(sizes))}
        self._kernel("code(role: i64, slot: i64) -> i64", [*self._by_role(codes), "    return -1"])

    def _advance(self) -> None:
        writer = self.writer
        lines = [*self._begin(), *self._past()]
        lines += [f"    m{role} = moves[{role}] * SIZE{role}" for role in range(writer.roles)]
        lines += writer.values(writer.next.values()) + self._remember("    ")
        lines += writer.scatter([writer.next[k] for k in range(writer.plan.facts)]) + self._recall("    ")
        head = "advance(state: view[u8], moves: view[i64], always: bool, scratch: view[u8]) -> None"
        self._kernel(head, lines)

    def _goals(self) -> None:
        """Say which goals of the players hold, to whoever asks and in scratch memory; the best of a role."""
        writer = self.writer
        goals = [x for role in self.players for _, x in self.net.goals[role]]
        lines = self._begin()
        if writer.tally:
            lines += writer.counted(goals)
        else:
            lines += writer.values(writer.roots(goals))
            lines += [f"    out[{k}] = 1 if {writer.holds(x)} else 0" for k, x in enumerate(goals)]
        self._kernel("goals(state: view[u8], out: view[u8]) -> None", lines)
        start, stop = 8 * self._most, self.scratch_size
        self._kernel(
            "judge(state: view[u8], scratch: view[u8]) -> None", [f"    goals(state, scratch[{start}:{stop}])"]
        )
        best: dict[int, list[str]] = {}
        for role in self.players:
            values = [(value, start + k) for k, (value, _) in enumerate(self.net.goals[role])]
            tests = [
                f"best = {value / 100!r} if scratch[{k}] == 1 else best" for value, k in sorted(values) if value >= 0
            ]
            best[role] = tests or ["pass"]
            start += len(values)
        head = "goal(state: view[u8], role: i64, none: f64, scratch: view[u8]) -> f64"
        self._kernel(head, ["    best = none", *self._by_role(best), "    return best"])

    def _utilities(self) -> None:
        """Say what a state is worth to all players: the best goal of each, by flags that need not be in memory."""
        goals = [(player, value) for player, role in enumerate(self.players) for value, _ in self.net.goals[role]]
        lines = [f"    held = array(u8, {max(1, len(goals))})", "    goals(state, held)"]
        lines += ["    none = 0.0 if over(state, scratch) else 0.5"]
        for player in range(len(self.players)):
            lines += [f"    best{player} = none"]
            for value, k in sorted((value, k) for k, (each, value) in enumerate(goals) if each == player):
                if value >= 0:
                    lines += [f"    if held[{k}] == 1:", f"        best{player} = {value / 100!r}"]
            lines += [f"    out[{player}] = best{player}"]
        self._kernel("utilities(state: view[u8], out: view[f64], scratch: view[u8]) -> None", lines)
