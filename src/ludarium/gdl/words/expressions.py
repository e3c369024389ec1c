"""Values as expressions of the kernel language: parts are shifted, masked and joined; operations are counted."""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.gdl.network.network import TRUE, Network
from ludarium.gdl.words.values import Part, Value
from ludarium.gdl.words.words import WordCircuit

_WORD = (1 << 64) - 1
_ROUNDS = 4  # in which a flood ends, on average


class Expressions:
    """Writes down values, in the order in which they are needed."""

    def __init__(self, net: Network, *, strict: bool = False) -> None:
        self.net = net
        self.plan = WordCircuit(net, strict=strict)
        self.columns: list[dict[tuple[tuple[int, int], ...], int]] = [{} for _ in net.goals]
        self.slot_of: dict[int, int] = {}
        """The slot of each move, counted from the first of its role."""

        self.operations = 0
        self._done: set[int] = set()
        self._found: dict[tuple[int, Part], dict[int, list[tuple[int, int]]]] = {}
        """The columns of what was looked up for moves, by value and part; by word."""

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
            elif value.steps:
                lines += [indent + line for line in self._ray(number, value)]
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

    def _ray(self, number: int, value: Value) -> list[str]:
        """Lines that go along a ray, from all of its places at once."""
        lines, further = [], []
        for word in range(value.words):
            ways: dict[frozenset[int], list[str]] = {frozenset(): []}
            for (distances, k), mask in value.spreads.items():
                if here := mask >> 64 * word & _WORD:
                    texts = [self._part(value, part, word, here)[0] for part in sorted(value.needs[k], key=Part.order)]
                    need = texts[0] if len(texts) == 1 else f"({' & '.join(texts)})" if texts else "~u64(0)"
                    ways.setdefault(distances, []).append(self._masked(need, here))
                    self.operations += len(texts)
            name, starts = self._word(number, word), ways.pop(frozenset())
            lines.append(f"{name} = {' | '.join(starts) or 'u64(0)'}")
            for k, (distances, texts) in enumerate(ways.items()):
                lines.append(f"way{number}_{k}_{word} = {' | '.join(texts)}")
                moved = [Part(number, negated=False, shift=distance) for distance in sorted(distances)]
                steps = [self._part(value, part, word, _WORD)[0] for part in moved]
                further.append(f"{name} |= way{number}_{k}_{word} & {' & '.join(steps)}")
        self.operations += 3 * value.steps * len(further)
        return lines + value.steps * further

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
