"""The kernels of a plan of words, as text: only numbers of a description are in it, never names."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ludarium.gdl.network.network import FALSE, TRUE, Moves, Network
from ludarium.gdl.words.expressions import Expressions
from ludarium.gdl.words.tallies import Tally, tally
from ludarium.gdl.words.values import Value

_MANY = 1000  # gates of goals, beside rays, in which no order is looked for


@dataclass
class Group:
    """Moves of a role under one guard: the values that hold their bits, and the slot at which each value begins."""

    moves: Moves
    values: list[tuple[int, int]] = field(default_factory=list)


class Writer(Expressions):
    """Completes a plan with what a turn needs, and writes it down."""

    def __init__(self, net: Network, chance: int, *, strict: bool = False) -> None:
        super().__init__(net, strict=strict)
        self.chance, self.roles = chance, len(net.goals)
        self.slots = [0] * self.roles
        """How many slots the moves of each role take."""

        self.groups: list[list[Group]] = [[] for _ in range(self.roles)]
        self.next: dict[int, int] = {}
        """For a value of facts, the value that comes next."""

        self.tally: Tally | None = None
        """The gates of goals, if they are not worked out on words."""

    def prepare(self, most: int) -> bool:
        """Make all values; False if the network has no order that could be used, or a turn takes more operations."""
        net, plan = self.net, self.plan
        ends = [*net.next, *(x for moves in net.moves for x in (moves.guard, *moves.gates)), net.terminal]
        if not plan.gates(ends, most) and (
            plan.hopeless or not (plan.find_rays(plan.asked) and plan.gates(ends, most))
        ):
            return False
        made, goals = len(plan.values), [x for goals in net.goals for _, x in goals]
        if (plan.rays and net.size - net.lazy > _MANY) or not plan.gates(goals):
            plan.forget(made)
            self.tally = tally(net, goals)
            if not plan.gates(2 * gate for gate in self.tally.given):
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

    def counted(self, goals: Sequence[int]) -> list[str]:
        """Lines that work out goals gate by gate, from the facts in a block."""
        assert self.tally
        found = self.tally
        size = -(-found.size // 64)
        lines = self.values(self.roots(2 * gate for gate in found.given))
        lines += [f"    on = array(u64, {size})", f"    pending = array(u64, {size})"]
        lines += [f"    on[{k}] = base[{k}]" for k in range(-(-len(self.net.facts) // 64))]
        for gate in found.given:
            place = found.number[gate]
            lines.append(f"    on[{place >> 6}] |= u64({1 << (place & 63)}) if {self.holds(2 * gate)} else u64(0)")
        lines.append("    count_up(on, pending)")
        for k, x in enumerate(goals):
            if x < 0:
                lines.append(f"    out[{k}] = {int(x == TRUE)}")
            else:
                place = found.number[x >> 1]
                lines.append(f"    out[{k}] = u8(((on[{place >> 6}] >> {place & 63}) & 1) ^ {x & 1})")
        return lines

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
