"""The game table of a plan of words: the whole turn is straight-line code over a few words.

All functions read the facts of a block and nothing else of it, and write nothing but facts. They answer what the
functions of `ludarium.gdl.net` answer, draw for draw.
"""

from __future__ import annotations

import hashlib
import linecache
from array import array as array_of
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludarium import kernel as language
from ludarium.gdl import words_moves
from ludarium.gdl.layout import Layout
from ludarium.gdl.network import TRUE, Network
from ludarium.gdl.words_source import Group, Writer
from ludarium.kernel import Kernel, data, i32, u64

_MOST = 2500  # operations in a turn; more is better left to passing changes on
_FEW = 9  # moves in a word, from which one is taken without branches
_CHAIN = 8  # words of legal moves among which one is chosen without branches
_LARGE = 5000  # gates; to look for order in more takes too long
_WORD = (1 << 64) - 1
_LANGUAGE = (
    "Stream", "Table", "array", "below", "buffer", "ctz", "f64", "i64", "kernel", "popcount", "recast", "u8", "u64", "view",
)  # fmt: skip
_WRITTEN = ("init", "movers", "legal", "apply", "utilities", "playout", "goals", "draw_action")


@dataclass
class Words:
    """The text of the kernels of a game, and the tables that it speaks of."""

    text: str
    names: dict[str, Any]
    operations: int
    tell: Callable[[], str]
    """Writes one more kernel, which few need."""

    def functions(self, others: dict[str, Kernel[Any]]) -> dict[str, Kernel[Any]]:
        """Make the functions of the table, those that the text does not have as they are given; and two more.

        These are `goals`, and `draw_action` that draws a legal move as if all had been listed.
        """
        return others | {name: self._made[name] for name in _WRITTEN}

    @cached_property
    def told_playout(self) -> Kernel[int]:
        """Plays at random and tells what is played."""
        made: Kernel[int] = _run(self.tell(), self._made)["told_playout"]
        return made

    @cached_property
    def _made(self) -> dict[str, Any]:
        """All that the text defines."""
        names = {"__name__": __name__} | {name: getattr(language, name) for name in _LANGUAGE} | self.names
        names |= {name: getattr(words_moves, name) for name in ("counted", "drawn", "listed", "made", "picked")}
        return _run(self.text, names)


def _run(text: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run a text; the names that it knows, and those that it defines."""
    file = f"<words {hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), names)  # noqa: S102  (nothing of a description is in it but numbers)
    return names


def words(net: Network, layout: Layout, chance: int) -> Words | None:
    """Write the kernels of a network; None if it has too little order, or things that words cannot do."""
    if not net.facts or net.components or layout.history or any(net.sees) or net.size > _LARGE:
        return None
    text = _Text(net, layout, chance)
    if not text.write():
        return None
    return Words("\n".join(text.lines), text.names(), text.operations, text.tell)


class _Text:
    """Writes the kernels."""

    def __init__(self, net: Network, layout: Layout, chance: int) -> None:
        self.net, self.layout, self.chance = net, layout, chance
        self.writer = Writer(net, chance)
        self.lines: list[str] = []
        self.players = [role for role in range(len(net.goals)) if role != chance]

    def write(self) -> bool:
        """Write them all; False if that would be no gain."""
        if not self.writer.prepare():
            return False
        self._playout()
        self.operations = self.writer.operations
        if self.operations > _MOST:
            return False
        self._init()
        self._parts()
        self._movers()
        self._legal()
        self._draw()
        self._apply()
        self._utilities()
        return True

    def tell(self) -> str:
        """Write a playout that tells what is played."""
        self.lines = []
        self._playout(tell=True)
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
        return found

    def _kernel(self, head: str, lines: list[str]) -> None:
        self.lines += ["@kernel", f"def {head}:", *lines, ""]

    def _begin(self) -> list[str]:
        self.writer.forget()
        return self.writer.gather()

    # Legal moves

    def _words(self, group: Group) -> list[tuple[str, int]]:
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

    def _list(self, role: int, indent: str) -> tuple[list[str], list[tuple[str, int]]]:
        """Lines that work out a role's legal moves, and the words that hold them."""
        writer, groups = self.writer, self.writer.groups[role]
        roots = writer.roots(group.moves.guard for group in groups)
        lines = writer.values(roots + [number for group in groups for number, _ in group.values], indent)
        found: list[tuple[str, int]] = []
        for group in groups:
            guard, mask = group.moves.guard, ""
            if guard != TRUE:
                mask = f"guard{role}_{len(found)}"
                lines.append(f"{indent}{mask} = {writer.everywhere(guard)}")
            for text, slot in self._words(group):
                name = f"w{role}_{len(found)}"
                lines.append(f"{indent}{name} = {text}" + (f" & {mask}" if mask else ""))
                found.append((name, slot))
        return lines, found

    def _pick(self, role: int, words: list[tuple[str, int]], widest: int, indent: str) -> list[str]:
        """Lines that draw one of the moves in some words, as its slot."""
        total = " + ".join(f"popcount({name})" for name, _ in words)
        lines = [f"count{role} = {total}", f'assert count{role} > 0, "a role has no legal move"', f"n{role} = 0"]
        lines += [f"if count{role} > 1:", f"    n{role} = below(rng, count{role})"]
        if len(words) > _CHAIN:
            lines += [f"list{role}[{slot >> 6}] = {name}" for name, slot in words]
            lines += [f"s{role} = picked(list{role}, n{role})"]
            return [indent + line for line in lines]
        texts = [words[0][0], str(words[0][1]), "0"]
        for k, (name, slot) in enumerate(words[1:]):
            before = f"e{role}_{k - 1} + " if k else ""
            lines.append(f"e{role}_{k} = {before}popcount({words[k][0]})")
            better = (name, str(slot), f"e{role}_{k}")
            texts = [f"({b} if n{role} >= e{role}_{k} else {text})" for b, text in zip(better, texts, strict=True)]
        lines += [f"x{role} = {texts[0]}", f"y{role} = n{role} - {texts[2]}"]
        if widest <= _FEW:
            lines += [f"x{role} = x{role} & (x{role} - 1) if y{role} > {k} else x{role}" for k in range(widest - 1)]
        else:
            lines += [f"for _skip{role} in range(y{role}):", f"    x{role} &= x{role} - 1"]
        lines += [f"s{role} = {texts[1]} + ctz(x{role})"]
        return [indent + line for line in lines]

    def _one_or_many(self, role: int) -> tuple[Group, int] | None:
        """A group of moves under a guard, and the slot of the one move that is legal where the guard does not hold."""
        groups = self.writer.groups[role]
        if len(groups) == 2:
            for many, one in (groups, groups[::-1]):
                alone = one.moves.guard == TRUE and one.moves.gates == [many.moves.guard ^ 1]
                if alone and many.moves.guard >= 0 and many.moves.names:
                    return many, one.values[0][1]
        return None

    def _tell(self, role: int, indent: str) -> list[str]:
        """Lines that tell the move that was drawn, if the role has a choice."""
        if role == self.chance:
            return []
        lines = [f"told[n] = {self.players.index(role)}", f"told[n + 1] = u64(codes{role}[s{role}])"]
        return [indent + line for line in (*lines, f"n += 2 if count{role} > 1 else 0")]

    def _choose(self, role: int, indent: str, later: set[int], *, tell: bool) -> list[str]:
        """Lines that draw a move of a role at random; values that are needed later are worked out in any case."""
        writer, short = self.writer, self._one_or_many(role)
        if short is None:
            lines, words = self._list(role, indent)
            if not words:
                return [f'{indent}assert False, "a role has no legal move"', f"{indent}s{role} = 0"]
            lines += self._pick(role, words, max(map(self._widest, writer.groups[role])), indent)
            return lines + (self._tell(role, indent) if tell else [])
        many, alone = short
        roots, inner = [number for number, _ in many.values], indent + "    "
        lines = writer.values([*writer.roots([many.moves.guard]), *writer.needs(roots) & later], indent)
        lines += [f"{indent}s{role} = {alone}", f"{indent}if {writer.holds(many.moves.guard)}:"]
        lines += writer.values(roots, inner, keep=False)
        lines += self._pick(role, self._words(many), self._widest(many), inner)
        return lines + (self._tell(role, inner) if tell else [])

    # The functions

    def _playout(self, *, tell: bool = False) -> None:
        """Play at random; if it is to tell what is played: a pair of player and move for each that had a choice.

        Where nobody had one, the first player is told of. Pairs begin at 1, and at 0 is where they end; a turn for which
        there may be no room is not played.
        """
        writer, indent = self.writer, " " * 8
        lines = self._begin()
        for role in range(writer.roles):
            if sum(len(self._words(group)) for group in writer.groups[role]) > _CHAIN:
                lines.append(f"    list{role} = array(u64, {self._size(role)})")
        room = f" and n + {2 * len(self.players)} <= len(told)" if tell else ""
        lines += ["    n = 1"] * tell + ["    plies = 0", f"    while plies < limit{room}:"]
        lines += writer.values(writer.roots([self.net.terminal]), indent)
        lines += [f"{indent}if {writer.holds(self.net.terminal)}:", f"{indent}    break"]
        lines += [f"{indent}before = n"] * tell
        later = writer.needs(writer.next.values())
        for role in range(writer.roles):
            lines += self._choose(role, indent, later, tell=tell)
            lines += [f"{indent}m{role} = s{role} * SIZE{role}"]
        if tell and self.players:
            first = self.players[0]
            only = ["    told[n] = 0", f"    told[n + 1] = u64(codes{first}[s{first}])", "    n += 2"]
            lines += [indent + line for line in ("if n == before:", *only)]
        lines += writer.values(writer.next.values(), indent)
        for old, new in writer.next.items():
            lines += [f"{indent}v{old}_{w} = v{new}_{w}" for w in range(writer.plan.values[old].words)]
        lines += [f"{indent}plies += 1", *writer.scatter(), *["    told[0] = u64(n)"] * tell, "    return plies"]
        name, more = ("told_playout", ", told: view[u64]") if tell else ("playout", "")
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
        self._kernel("init(state: view[u8], rng: Stream) -> None", lines)

    def _parts(self) -> None:
        """What several functions need: whether the game is over, the words of legal moves, which goals hold."""
        writer, terminal = self.writer, self.net.terminal
        lines = [*self._begin(), *writer.values(writer.roots([terminal])), f"    return {writer.holds(terminal)}"]
        self._kernel("over(state: view[u8]) -> bool", lines)
        for role in range(writer.roles):
            begun = self._begin()
            lines, words = self._list(role, "    ")
            lines += [f"    out[{slot >> 6}] = {name}" for name, slot in words]
            self._kernel(f"offer{role}(state: view[u8], out: view[u64]) -> None", [*begun, *lines])
        goals = [x for role in self.players for _, x in self.net.goals[role]]
        lines = [*self._begin(), *writer.values(writer.roots(goals))]
        lines += [f"    out[{k}] = 1 if {writer.holds(x)} else 0" for k, x in enumerate(goals)]
        self._kernel("goals(state: view[u8], out: view[u8]) -> None", lines)

    def _offered(self, role: int, indent: str) -> list[str]:
        texts = [f"w{role} = array(u64, {self._size(role)})", f"offer{role}(state, w{role})"]
        return [indent + text for text in texts]

    def _movers(self) -> None:
        lines = ["    if over(state):", "        return 0", "    acting = 0"]
        for player, role in enumerate(self.players):
            lines += [*self._offered(role, "    "), f"    if counted(w{role}) > 1:", f"        acting |= {1 << player}"]
        lines += ["    return 1 if acting == 0 else acting"]
        self._kernel("movers(state: view[u8]) -> i64", lines)

    def _legal(self) -> None:
        lines = ["    count = 0"]
        for player, role in enumerate(self.players):
            lines += [f"    if player == {player}:", *self._offered(role, "        ")]
            lines += [f"        count = listed(w{role}, codes{role}, out)"]
        self._kernel("legal(state: view[u8], player: i64, out: buffer[u64]) -> i64", [*lines, "    return count"])

    def _draw(self) -> None:
        lines = []
        for player, role in enumerate(self.players):
            lines += [f"    if player == {player}:", *self._offered(role, "        ")]
            lines += [f"        out[0] = u64(codes{role}[drawn(w{role}, rng)])"]
        head = "draw_action(table: Table, state: view[u8], player: i64, out: buffer[u64], rng: Stream) -> i64"
        self._kernel(head, [*lines, "    return 1"])

    def _apply(self) -> None:
        writer = self.writer
        lines = self._begin()
        for role in range(writer.roles):
            lines += self._offered(role, "    ")
            if role == self.chance:
                lines += [f"    m{role} = drawn(w{role}, rng) * SIZE{role}"]
            else:
                move = f"joint[{self.players.index(role)}]"
                lines += [f"    m{role} = made(w{role}, slots{role}, {move}) * SIZE{role}"]
        lines += writer.values(writer.next.values())
        lines += writer.scatter([writer.next[k] for k in range(writer.plan.facts)])
        self._kernel("apply(state: view[u8], joint: view[u64], rng: Stream) -> None", lines)

    def _utilities(self) -> None:
        values = [(player, value) for player, role in enumerate(self.players) for value, _ in self.net.goals[role]]
        lines = [f"    held = array(u8, {max(1, len(values))})", "    goals(state, held)"]
        lines += ["    none = 0.0 if over(state) else 0.5"]
        for player in range(len(self.players)):
            lines += [f"    out[{player}] = none"]
            for value, k in sorted((value, k) for k, (each, value) in enumerate(values) if each == player):
                if value >= 0:
                    lines += [f"    if held[{k}] == 1:", f"        out[{player}] = {value / 100!r}"]
        self._kernel("utilities(state: view[u8], out: view[f64]) -> None", lines)
