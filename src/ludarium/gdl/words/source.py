"""The kernels of a plan of words, as text: only numbers of a description are in it, never names."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.network.network import FALSE, TRUE, Moves, Network
from ludarium.gdl.words.words import Part, Value, WordCircuit

_WORD = (1 << 64) - 1
_ROUNDS = 4  # in which a flood ends, on average


@dataclass
class Group:
    """Moves of a role under one guard: the values that hold their bits, and the slot at which each value begins."""

    moves: Moves
    values: list[tuple[int, int]] = field(default_factory=list)


class Writer:
    """Completes a plan with what a turn needs, and writes it down."""

    def __init__(self, net: Network, chance: int) -> None:
        self.net, self.chance = net, chance
        self.plan = WordCircuit(net)
        self.roles = len(net.goals)
        self.columns: list[dict[tuple[tuple[int, int], ...], int]] = [{} for _ in range(self.roles)]
        self.slot_of: dict[int, int] = {}
        """The slot of each move, counted from the first of its role."""

        self.slots = [0] * self.roles
        """How many slots the moves of each role take."""

        self.groups: list[list[Group]] = [[] for _ in range(self.roles)]
        self.next: dict[int, int] = {}
        """For a value of facts, the value that comes next."""

        self.operations = 0
        self._done: set[int] = set()
        self._found: dict[tuple[int, Part], dict[int, list[tuple[int, int]]]] = {}
        """The columns of what was looked up for moves, by value and part; by word."""

    def prepare(self) -> bool:
        """Make all values; False if the network has no order that could be used."""
        net, plan = self.net, self.plan
        ends = [*net.next, *(x for moves in net.moves for x in (moves.guard, *moves.gates)), net.terminal]
        if not plan.gates(ends) or not plan.gates(x for goals in net.goals for _, x in goals):
            return False
        does = {pair: len(net.facts) + k for k, pair in enumerate(net.does)}
        for role in range(self.roles):
            for moves in net.moves:
                if moves.role == role and moves.guard != FALSE and moves.slots:
                    self.groups[role].append(self._group(moves, self.slots[role], does))
                    self.slots[role] += 64 * -(-(moves.slots[-1].bit + 1) // 64)
        self._facts()
        return True

    def _group(self, moves: Moves, slot: int, does: dict[tuple[int, str], int]) -> Group:
        group = Group(moves)
        kinds: dict[tuple[int, int], list[int]] = {}
        for k, (each, name) in enumerate(zip(moves.slots, moves.names, strict=True)):
            self.slot_of[does[moves.role, name]] = slot + each.bit
            first = each.first if each.board >= 0 else 64 * (each.bit // 64)
            kinds.setdefault((each.board, first), []).append(k)
        for (board, first), members in kinds.items():
            space = board if board >= 0 else -2
            words = -(-self.net.order.boards[board].cells // 64) if board >= 0 else 1
            bits = [(moves.slots[k].bit - first, moves.gates[k]) for k in members]
            group.values.append((self._row(space, words, bits), slot + first))
        return group

    def _row(self, space: int, words: int, bits: Iterable[tuple[int, int]]) -> int:
        """Make a value whose bits are literals."""
        plan, value, entries = self.plan, Value(space, words), []
        for bit, x in bits:
            literals = plan.opened([x])
            if TRUE in literals:
                value.fixed |= 1 << bit
                value.bits |= 1 << bit
            elif literals:
                entries.append(plan.entry(-1, literals, space, bit, every=False))
        return plan.join(value, entries)

    def _facts(self) -> None:
        fact = 0
        for number, row in enumerate(self.net.order.rows):
            words = self.plan.values[number].words
            bits = [(bit, self.net.next[fact + k]) for k, bit in enumerate(row.facts)]
            self.next[number] = self._row(row.board, words, bits)
            fact += len(row.facts)
        for k in range(fact, len(self.net.facts)):
            self.next[self.plan.where[k].value] = self.plan.flag([self.net.next[k]], every=False)

    # Values as expressions

    def _word(self, value: int, word: int) -> str:
        return f"v{value}_{word}"

    def needs(self, roots: Iterable[int]) -> set[int]:
        """All values but facts that some values depend on, themselves included."""
        needed, stack = set[int](), list(roots)
        while stack:
            number = stack.pop()
            if number >= self.plan.facts and number not in needed:
                needed.add(number)
                value = self.plan.values[number]
                stack += [part.value for part in value.parts if part.value >= 0]
                stack += [source for source, _ in value.tests]
        return needed

    def values(self, roots: Iterable[int], indent: str = "    ", *, keep: bool = True) -> list[str]:
        """Work out what is needed for some values and is not there yet; it stays there if it is kept."""
        lines = []
        needed = sorted(self.needs(roots) - self._done)
        self._done.update(needed if keep else ())
        for number in needed:
            value = self.plan.values[number]
            if value.flag:
                lines.append(f"{indent}{self._word(number, 0)} = {self._flag(value)}")
            elif value.spreads:
                lines += [indent + line for line in self._flood(number, value)]
            else:
                lines += [f"{indent}{self._word(number, w)} = {self._bits(value, w)}" for w in range(value.words)]
        return lines

    def _flag(self, value: Value) -> str:
        if value.fixed:
            return "~u64(0)"
        texts = [
            self._masked(self._not(self._word(source, word), negated ^ value.every), bits)
            for (source, negated), mask in value.tests.items()
            for word in range(self.plan.values[source].words)
            if (bits := mask >> 64 * word & _WORD)
        ]
        for part in value.moves:
            looked_up = self._not(self._looked_up(value, part, 0), part.negated ^ value.every)
            texts += [self._masked(looked_up, 1)]
        self.operations += 3
        empty, full = ("~u64(0)", "u64(0)") if value.every else ("u64(0)", "~u64(0)")
        return f"{full} if {' | '.join(texts)} != 0 else {empty}" if texts else empty

    def _bits(self, value: Value, word: int) -> str:
        bits = value.bits >> 64 * word & _WORD
        if not bits:
            return "u64(0)"
        texts, open_ = [], value.every
        for part, where in value.parts.items():
            mask = where >> 64 * word & _WORD
            if not mask:
                continue
            text, known = self._part(value, part, word, mask)
            if value.every:
                if mask != bits:
                    text = f"({text} | {~mask & _WORD})"
                    self.operations += 1
                elif known & ~bits == 0:
                    open_ = False
            elif known & ~mask:
                text = self._masked(text, mask)
            texts.append(text)
        fixed = value.fixed >> 64 * word & _WORD
        if fixed:
            texts.append(f"u64({fixed})")
        self.operations += len(texts) - 1
        joined = (" & " if value.every else " | ").join(texts)
        return self._masked(f"({joined})", bits) if open_ else joined

    def _flood(self, number: int, value: Value) -> list[str]:
        """Lines that spread a value over its board until nothing is new."""
        lines, before = [], self.operations
        spread: list[list[str]] = []
        for word in range(value.words):
            starts, ways = [], list[str]()
            for k, parts in enumerate(value.needs):
                used = {
                    s.distances: m
                    for s, mask in value.spreads.items()
                    if s.needs == k and (m := mask >> 64 * word & _WORD)
                }
                if not used:
                    continue
                every = 0
                for mask in used.values():
                    every |= mask
                texts = [self._part(value, part, word, every)[0] for part in sorted(parts, key=Part.order)]
                need = f"need{number}_{k}_{word}"
                lines.append(f"{need} = {' & '.join(texts) or '~u64(0)'}")
                reached = [
                    self._reached(number, value, distances, word, mask) for distances, mask in used.items() if distances
                ]
                if frozenset() in used:
                    starts.append(self._masked(need, used[frozenset()]))
                if any(reached):
                    ways.append(f"({need} & ({' | '.join(filter(None, reached))}))")
                self.operations += len(texts) + 1
            lines.append(f"{self._word(number, word)} = {' | '.join(starts) or 'u64(0)'}")
            spread.append(ways)
        words = [self._word(number, word) for word in range(value.words)]
        lines += [f"old{number}_{k} = ~{word}" for k, word in enumerate(words)]
        lines.append(f"while {' or '.join(f'old{number}_{k} != {word}' for k, word in enumerate(words))}:")
        lines += [f"    old{number}_{k} = {word}" for k, word in enumerate(words)]
        lines += [f"    {word} |= {' | '.join(ways)}" for word, ways in zip(words, spread, strict=True) if ways]
        self.operations += _ROUNDS * (self.operations - before)
        return lines

    def _reached(self, number: int, value: Value, distances: Iterable[int], word: int, mask: int) -> str:
        """What is reached from all of some distances, in one word; nothing if that is never."""
        texts, known = [], _WORD
        for distance in sorted(distances):
            here = (
                value.bits >> 64 * word + distance
                if 64 * word + distance >= 0
                else value.bits << -(64 * word + distance)
            )
            if not here & mask:
                return ""
            text, some = self._part(value, Part(number, negated=False, shift=distance), word, mask)
            texts.append(text)
            known &= some
        joined = texts[0] if len(texts) == 1 else f"({' & '.join(texts)})"
        self.operations += len(texts)
        return self._masked(joined, mask) if known & ~mask else joined

    def _part(self, value: Value, part: Part, word: int, mask: int) -> tuple[str, int]:
        """A part in one word, and the bits that may be on."""
        if part.value < 0:
            known = _WORD if part.negated else mask
            return self._not(self._looked_up(value, part, word), part.negated), known
        source = self.plan.values[part.value]
        if part.shift is None:
            if part.bit < 0:
                return self._not(self._word(part.value, 0), part.negated), _WORD
            self.operations += 3
            found = self._word(part.value, part.bit >> 6)
            return self._not(f"(0 - (({found} >> {part.bit & 63}) & 1))", part.negated), _WORD
        high, low = divmod(64 * word + part.shift, 64)
        texts, known = [], 0
        for place, shift in ((high, low), (high + 1, low - 64)):
            here = source.bits >> 64 * place & _WORD if 0 <= place < source.words else 0
            moved = (here >> shift if shift >= 0 else here << -shift & _WORD) if shift > -64 else 0
            if moved & mask:
                name = self._word(part.value, place)
                texts.append(name if shift == 0 else f"({name} >> {shift})" if shift > 0 else f"({name} << {-shift})")
                self.operations += 1
                known |= moved
        joined = texts[0] if len(texts) == 1 else f"({' | '.join(texts)})"
        return self._not(joined, part.negated), _WORD if part.negated else known

    def _looked_up(self, value: Value, part: Part, word: int) -> str:
        """What a part that reads moves finds for the moves that are made."""
        key = id(value), part
        if key not in self._found:
            self._found[key] = self._columns(value.moves[part])
        columns = self._found[key].get(word, ())
        texts = [f"moves{role}[m{role} + {column}]" for role, column in columns]
        self.operations += 2 * len(texts)
        return "u64(0)" if not texts else texts[0] if len(texts) == 1 else f"({' | '.join(texts)})"

    def _columns(self, moves: dict[int, int]) -> dict[int, list[tuple[int, int]]]:
        """Where the bits of moves are looked up: by word, a column per role that makes one of them."""
        facts, does = len(self.net.facts), self.net.does
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for move, some in moves.items():
            bits, slot = some, self.slot_of.get(move)
            while bits and slot is not None:
                word = (bits.bit_length() - 1) >> 6
                found.setdefault((word, does[move - facts][0]), []).append((slot, bits >> 64 * word))
                bits &= (1 << 64 * word) - 1
        columns: dict[int, list[tuple[int, int]]] = {}
        for (word, role), items in sorted(found.items()):
            column = self.columns[role].setdefault(tuple(sorted(items)), len(self.columns[role]))
            columns.setdefault(word, []).append((role, column))
        return columns

    def _not(self, text: str, negated: bool) -> str:  # noqa: FBT001
        self.operations += negated
        return f"~{text}" if negated else text

    def _masked(self, text: str, mask: int) -> str:
        if mask == _WORD:
            return text
        self.operations += 1
        return f"({text} & {mask})"

    def holds(self, x: int) -> str:
        """A literal as a condition."""
        if x < 0:
            return "True" if x == TRUE else "False"
        place = self.plan.where[x >> 1]
        wanted = "==" if x & 1 else "!="
        if place.bit < 0:
            return f"{self._word(place.value, 0)} {wanted} 0"
        return f"({self._word(place.value, place.bit >> 6)} & {1 << (place.bit & 63)}) {wanted} 0"

    def everywhere(self, x: int) -> str:
        """A literal as a word of ones or zeros."""
        place = self.plan.where[x >> 1]
        if place.bit < 0:
            return self._not(self._word(place.value, 0), bool(x & 1))
        bit = f"(({self._word(place.value, place.bit >> 6)} >> {place.bit & 63}) & 1)"
        return f"({bit} - 1)" if x & 1 else f"(0 - {bit})"

    def roots(self, literals: Iterable[int]) -> list[int]:
        """The values that literals are read from."""
        return [self.plan.where[x >> 1].value for x in literals if x >= 0]

    def forget(self) -> None:
        """Begin a kernel: nothing is worked out."""
        self._done = set()

    # States as blocks

    def runs(self, value: int) -> Iterable[tuple[int, int, int, int, int]]:
        """How the bits of a row of facts lie in the block: word, shift, mask there; word and shift in the row."""
        fact = sum(len(row.facts) for row in self.net.order.rows[:value])
        bits = list(self.net.order.rows[value].facts)
        start = 0
        for k in range(1, len(bits) + 1):
            place, at = fact + start, bits[start]
            length = k - start
            if k == len(bits) or bits[k] != bits[k - 1] + 1 or (place + length) % 64 == 0 or (at + length) % 64 == 0:
                yield place >> 6, place & 63, (1 << length) - 1, at >> 6, at & 63
                start = k

    def gather(self) -> list[str]:
        """Read the facts of a block."""
        words = -(-len(self.net.facts) // 64)
        lines = [f"    base = recast(u64, state[0:{8 * words}])"]
        for number in range(len(self.net.order.rows)):
            texts: list[list[str]] = [[] for _ in range(self.plan.values[number].words)]
            for word, shift, mask, row_word, row_shift in self.runs(number):
                texts[row_word].append(_moved(f"base[{word}]", shift, mask, row_shift))
            lines += [f"    v{number}_{w} = {' | '.join(each) or 'u64(0)'}" for w, each in enumerate(texts)]
        for fact in range(len(self.net.facts) - len(self.net.order.others), len(self.net.facts)):
            number = self.plan.where[fact].value
            lines.append(f"    v{number}_0 = 0 - ((base[{fact >> 6}] >> {fact & 63}) & 1)")
        return lines

    def scatter(self, which: Sequence[int] | None = None) -> list[str]:
        """Write facts to a block; of each value of facts, the value that holds it now."""
        words: list[list[str]] = [[] for _ in range(-(-len(self.net.facts) // 64))]
        held = range(self.plan.facts) if which is None else which
        for number in range(len(self.net.order.rows)):
            for word, shift, mask, row_word, row_shift in self.runs(number):
                words[word].append(_moved(f"v{held[number]}_{row_word}", row_shift, mask, shift))
        for fact in range(len(self.net.facts) - len(self.net.order.others), len(self.net.facts)):
            words[fact >> 6].append(f"(v{held[self.plan.where[fact].value]}_0 & {1 << (fact & 63)})")
        return [f"    base[{k}] = {' | '.join(texts)}" for k, texts in enumerate(words)]

    def tables(self) -> list[array[int]]:
        """For each role, what is looked up for its moves, slot by slot; made when all has been written."""
        found = []
        for role, columns in enumerate(self.columns):
            size = max(1, len(columns))
            words = array("Q", bytes(8 * size * max(64, self.slots[role])))
            for items, column in columns.items():
                for slot, bits in items:
                    words[slot * size + column] = bits
            found.append(words)
        return found


def _moved(word: str, start: int, mask: int, end: int) -> str:
    """Bits of a word from one place at another."""
    text = f"({word} >> {start})" if start else word
    text = text if mask >> (63 - start) else f"({text} & {mask})"  # all that is left after the shift
    return f"({text} << {end})" if end else text
