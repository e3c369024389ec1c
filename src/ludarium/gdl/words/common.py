"""Gates that ask for the same, and for one of some moves each: where any of them will do, one asks for one of all their moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludarium.gdl.words.values import Part, Value


def join_lookups(value: Value, values: list[Value]) -> None:
    """Have a value that any part turns on read such gates as one, which is added to the values: one column is looked up."""
    alike: dict[tuple[int, frozenset[Part]], list[Part]] = defaultdict(list)
    for part in value.parts:
        if part.value >= 0 and part.shift == 0 and not part.negated:
            read = values[part.value]
            if _asks_for_moves(read):
                alike[read.space, frozenset(read.parts.keys() - read.moves.keys())].append(part)
    for parts in alike.values():
        if len(parts) > 1:
            values.append(_joined(value, parts, values))
            made = Part(len(values) - 1, negated=False, shift=0)
            value.parts[made] = values[-1].bits
            for part in parts:
                del value.parts[part]


def _asks_for_moves(value: Value) -> bool:
    """Whether all bits of a value need the same parts, and one of their moves."""
    if not value.every or value.flag or value.fixed or value.spreads or len(value.moves) != 1:
        return False
    return not any(part.negated for part in value.moves) and all(bits == value.bits for bits in value.parts.values())


def _joined(value: Value, parts: Sequence[Part], values: Sequence[Value]) -> Value:
    first = values[parts[0].value]
    joined = Value(first.space, first.words, every=True)
    (move,) = first.moves
    moves: dict[int, int] = defaultdict(int)
    for part in parts:
        joined.bits |= value.parts[part]
        for some in values[part.value].moves.values():
            for each, bits in some.items():
                moves[each] |= bits & value.parts[part]
    joined.parts = dict.fromkeys(first.parts, joined.bits)
    joined.moves = {move: {each: bits for each, bits in moves.items() if bits}}
    return joined
