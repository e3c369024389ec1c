"""Moves counted without a list, so that one of them can be drawn by its number: see `ways.py`.

For each lane there is a word of bits with the pieces that can go along it. The bits of all words together are the moves, so
that a number below their count is a move, each as likely as the others; where a lane leads from its site makes the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.kernel import u64
from ludarium.ludii.code.filters import has_filter
from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sets import ALL
from ludarium.ludii.code.sinks import Found, Leaf, Sink, coded, into
from ludarium.ludii.code.ways import Way, asked, ends_of, then_of, ways_of
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.model import bound, items

_TOLD = {"from", "to", "from_", "first"}
"""What tells moves of a rule apart, if a site and a lane do."""


@dataclass(frozen=True)
class Written:
    """Sets of pieces that can move, as local variables, each with the way it is of and its number among all lanes."""

    sets: tuple[str, ...]
    ways: tuple[Way, ...]

    @property
    def some(self) -> str:
        """Whether there is a move."""
        return f"({' | '.join(self.sets)}) != u64(0)" if self.sets else "False"

    @property
    def lanes(self) -> list[tuple[Way, int]]:
        """The way of each set, and the number of the lane in it."""
        return [(way, k) for way in self.ways for k in range(len(way.lanes[0]))]


def write_sets(script: Script, ways: Sequence[Way]) -> Written:
    """Write the sets of the pieces that can go along each lane."""
    found = []
    for way in ways:
        begins, (to, over) = asked(script, way.node, "from", "from_"), ends_of(script, way.node)
        pieces = f"s.kinds[{by_player(script, way.kinds)}]" if way.kinds else "s.owned[i64(s.mover)]"
        pieces = script.local("pieces", pieces if begins == ALL else f"{pieces} & {begins}")
        to, over = (each if each == ALL else script.local("free", str(each)) for each in (to, over))
        for k in range(len(way.lanes[0])):
            row = [each[k] for each in way.lanes]
            tests = [pieces, by_player(script, [lane.mask for lane in row], u64)]
            tests += [_turned(script, each, [lane.far for lane in row]) for each in (to,) if each != ALL]
            tests += [_turned(script, each, [lane.over for lane in row]) for each in (over,) if each != ALL]
            found.append(script.local("able", " & ".join(tests)))
    return Written(tuple(found), tuple(ways))


def _turned(script: Script, found: str, far: Sequence[int]) -> str:
    """The sites from which so many sites on leads into a set; no lane leads where a set is turned over its end."""
    known = {each for each in far[1:] if each}
    if len(known) == 1:
        offset = known.pop()
        return f"({found} >> u64({offset}))" if offset > 0 else f"({found} << u64({-offset}))"
    return f"rotated({found}, {by_player(script, [each % 64 for each in far])})"


def by_player(script: Script, values: Sequence[int], kind: type | None = None) -> str:
    """A number that depends on the mover, of which that of nobody does not count."""
    if len(set(values[1:])) == 1:
        return f"u64({values[1]})" if kind is u64 else str(values[1])
    if kind is u64:
        return f"{script.table(values, u64, 'lanes')}[i64(s.mover)]"
    return f"i64({script.table(values, hint='lanes')}[i64(s.mover)])"


class _Caught(Sink):
    """All that is asked is how moves are told apart."""

    leaf: Leaf | None = None

    def found(self, script: Script, move: Found) -> None:
        """Keep the leaf."""
        self.leaf = coded(script, move)[0]


def _leaf_of(script: Script, way: Way) -> Leaf:
    caught = _Caught()
    with script.out.apart(), into(script, caught):
        script.thens, script.live = list(way.thens[: len(way.thens) - ("then" in way.node.arguments)]), ["from_"]
        script.moves(way.node)
    assert caught.leaf is not None
    return caught.leaf


def write_draw(script: Script, written: Written) -> None:
    """Write what draws one of all moves by its number, if there is any."""
    counts = [script.local("count", f"i64(popcount({each}))") for each in written.sets]
    sums = [counts[0]] if counts else []
    for each in counts[1:]:
        sums.append(script.local("sum", f"{sums[-1]} + {each}"))
    with script.block(f"if {sums[-1] if sums else '0'} > 0:"):
        number = script.local("number", f"i64(below(rng, {sums[-1] if sums else '1'}))")
        rank, bits, lane = script.local("rank", f"{number} + 0"), script.local("bits", written.sets[0]), "0"
        if len(sums) > 1:
            lane = script.out.fresh("lane")
            script.line(f"{lane} = 0")
        for k, before in enumerate(sums[:-1], 1):
            script.line(f"{bits} = {written.sets[k]} if {number} >= {before} else {bits}")
            script.line(f"{rank} = {number} - {before} if {number} >= {before} else {rank}")
            script.line(f"{lane} = {k} if {number} >= {before} else {lane}")
        site = script.local("site", f"pick_bit({bits}, {rank})")
        script.answer(_code(script, written, lane, site))


def _code(script: Script, written: Written, lane: str, site: str) -> str:
    """The code of a move: where it leads is as far from where it begins as its lane is long."""
    lanes, players = written.lanes, script.layout.players + 1
    leaves = {id(way): _leaf_of(script, way) for way in written.ways}
    codes, steps, places = [], [], []
    for player in range(players):
        for way, k in lanes:
            leaf, one = leaves[id(way)], way.lanes[player][k]
            at = {name: 1 << low for name, (low, _) in leaf.fields.items()}
            first = at.pop("first", 0)
            codes.append((leaf.index + sum(at.values()) + one.far * at["to"]) % (1 << 64))
            steps.append(sum(at.values()))
            firsts = dict(one.firsts)
            places += [(firsts.get(each, -1) + 1) * first for each in range(script.layout.sites)]
    row = script.local("at", f"i64(s.mover) * {len(lanes)} + {lane}")
    step = f"u64({steps[0]})" if len(set(steps)) == 1 else f"{script.table(steps, u64, 'steps')}[{row}]"
    code = f"{script.table(codes, u64, 'codes')}[{row}] + {step} * u64({site})"
    if any(places):
        code += f" + {script.table(places, u64, 'places')}[{row} * {script.layout.sites} + {site}]"
    return code


def _drawn_ways(script: Script, rule: Bound) -> list[Way] | None:
    """The ways of a rule whose moves are told apart by where they begin and by their lane."""
    ways = ways_of(script, rule)
    if ways is None or not any(way.lanes[0] for way in ways):
        return None
    if any(not _leaf_of(script, way).fields.keys() <= _TOLD for way in ways):
        return None
    return ways


def draw_by_ways(script: Script, rule: Bound, late: int) -> bool:
    """Write what draws a move, and say whether any of it is drawn by a number; what cannot be is left to a list."""
    return _Drawing(script, late).rule(rule)


@dataclass(frozen=True)
class _Drawing:
    """What draws a move while it is written: each of its methods ends with a result, and says whether any is a number's."""

    script: Script
    late: int
    """The result that asks for a list."""

    def rule(self, rule: Bound) -> bool:
        given, script = rule.arguments, self.script
        ways = _drawn_ways(script, rule)
        if ways is not None:
            write_draw(script, write_sets(script, ways))
            return self._ended(0)
        with then_of(script, rule):
            if rule.unit == "if" and not has_filter(rule):
                with script.block(f"if {script.truth(given['cond'])}:"):
                    found = self.rule(bound(given["list"]))
                return (self.rule(bound(given["elseList"])) if "elseList" in given else self._ended(0)) or found
            if rule.unit == "priority" and not has_filter(rule):
                parts = items(given["list"]) if "list" in given else [given["list1"], given["list2"]]
                return self._in_order([bound(each) for each in parts])
        return not self._ended(self.late)

    def _in_order(self, rules: list[Bound]) -> bool:
        """Of some rules, the first with a move."""
        for k, each in enumerate(rules):
            ways = _drawn_ways(self.script, each)
            if ways is None:
                self._ended(self.late)
                return k > 0
            write_draw(self.script, write_sets(self.script, ways))
        return self._ended(0)

    def _ended(self, code: int) -> bool:
        self.script.line(f"return u64({code})")
        return True
