"""Rows that are looked at together, as the bits of words, and what is worth being asked for all at once.

A loop whose last columns make up a word or a few has a block: conditions about these columns are words, too, if the relation is
asked for all of them, and a whole word is cut down at once. A question about one row is widened to one about all where that
seems to be less work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from math import prod
from typing import TYPE_CHECKING

from ludarium.gdl.joins.code.steps import JoinStep, Query, Source
from ludarium.gdl.joins.rules.columns import Column
from ludarium.gdl.joins.rules.flat import Atom, FlatRule, Leaf
from ludarium.gdl.text.syntax import Variable

if TYPE_CHECKING:
    from ludarium.gdl.joins.code.plan import Planner

MOST_WORDS = 8
"""Words of a block."""

MOST_LANES = 1 << 13
"""Words of a table that has the rows of a fixed relation as blocks."""

MOST_ASIDE = 1 << 11
"""Bits of an answer that is asked for where one row was."""

FEWEST_ROWS = 1.6
"""Rows of a fixed relation from which on they are better looked at together."""

ROW, WORD, CALL = 2.0, 1.5, 4.0
"""What it costs, roughly, to look at a row or at a word, and to ask."""

UNKNOWN = 60.0
"""What a question costs that leads back to itself, or comes after too many others."""

DEEP = 20
"""Questions that are weighed for each other's sake, at most."""

WORTH = 0.8
"""How much less work it has to be to ask for more, as estimates are rough."""


def words_of(columns: Sequence[Column]) -> int:
    """How many words rows of these columns are the bits of."""
    return -(-prod(c.width for c in columns) // 64)


def apart(columns: Sequence[Column]) -> bool:
    """Whether blocks of these columns that follow each other begin at words, or lie within them."""
    size = prod(c.width for c in columns)
    return size % 64 == 0 or 64 % size == 0


def alike(some: Sequence[Column], others: Sequence[Column]) -> bool:
    """Whether rows have the same places among the bits."""
    return [(c.low, c.width) for c in some] == [(c.low, c.width) for c in others]


def open_columns(step: JoinStep, source: Source) -> list[int]:
    """The columns of a loop whose values make up the number of a bit."""
    if source is Source.RULES:
        return [k for k, mode in enumerate(step.asked) if mode == "f"]
    wanted = "f" if source is Source.FIXED else "fx"
    return [k for k, mode in enumerate(step.modes) if mode in wanted]


def is_lane(
    step: JoinStep, source: Source, block: Sequence[Variable], inside: Sequence[Column], own: Sequence[Column]
) -> bool:
    """Whether a test of rows is a look at words, given the columns of the block and of the relation."""
    atom = step.atom
    assert atom
    places = [k for k, x in enumerate(atom.args) if x in block]
    if not places or source in (Source.COMPARISON, Source.MOVES):
        return False
    if source is Source.FIXED:
        given = prod(own[k].width for k, mode in enumerate(step.modes) if mode == "b" and k not in places)
        return given * words_of(inside) <= MOST_LANES
    if (
        "x" in step.modes
        or [atom.args[k] for k in places] != list(block)
        or not alike([own[k] for k in places], inside)
    ):
        return False
    if source is Source.STATE:
        return True
    open_ = [k for k, mode in enumerate(step.asked) if mode == "f"]
    return open_[-len(places) :] == places and (len(open_) == len(places) or apart(inside))


def takes_words(
    rule: FlatRule, query: Query, block: Sequence[Variable], inside: Sequence[Column], own: Sequence[Column]
) -> bool:
    """Whether the rows of a block are rows of an answer side by side."""
    wanted = [k for k, mode in enumerate(query.modes) if mode == "f"]
    last = wanted[-len(block) :]
    if [rule.head.args[k] for k in last] != list(block) or not alike([own[k] for k in last], inside):
        return False
    before = wanted[: -len(block)]
    return not before or (apart(inside) and not any(rule.head.args[k] in block for k in before))


def about(step: JoinStep, block: Sequence[Variable]) -> bool:
    """Whether a condition has to do with the variables of a block."""
    return any(x in block for x in (step.given if step.atom is None else step.atom.args))


def _open(atom: Atom, modes: str, leaves: Collection[Leaf], mode: str) -> str:
    """Modes of a condition, with another one for some of its variables."""
    return "".join(mode if x in leaves and m != "x" else m for x, m in zip(atom.args, modes, strict=True))


class Blocks:
    """Finds blocks in the steps of rules, and asks for more where that is less work."""

    def __init__(self, planner: Planner) -> None:
        self._planner, self._estimates = planner, planner.estimates
        self._columns = planner.columns.columns
        self._costs: dict[Query, float] = {}

    def best(
        self, rule: FlatRule, query: Query, steps: Sequence[JoinStep], given: frozenset[Variable]
    ) -> tuple[JoinStep, ...]:
        """The steps of a rule with blocks; what is tested after a loop comes before it where that is less work."""
        made, sooner = self.marked(rule, query, steps, given), self._sooner(steps)
        if not sooner or self._planner.flat.relations[query.relation].name == "legal":  # moves stay in their order
            return made
        other = self.marked(rule, query, sooner, given)
        return min((made, other), key=lambda each: self._rule(rule, query, each))

    def _sooner(self, steps: Sequence[JoinStep]) -> list[JoinStep]:
        """Steps in which a loop over a fixed relation comes before what is worked out, instead of a test after it."""
        for place, loop in enumerate(steps):
            if loop.atom is None or loop.test or self._planner.source(loop.atom) is not Source.RULES:
                continue
            bound = {x for x, mode in zip(loop.atom.args, loop.modes, strict=True) if mode == "f"}
            tests = takewhile(lambda step: step.test, steps[place + 1 :])
            for test in tests:
                atom = test.atom
                if atom and not atom.negative and self._planner.source(atom) is Source.FIXED and bound & set(atom.args):
                    first = replace(test, modes=_open(atom, test.modes, bound, "f"))
                    then = self._planner.orders.step(loop.atom, _open(loop.atom, loop.modes, set(atom.args), "b"))
                    rest = [step for step in steps[place + 1 :] if step is not test]
                    return [*steps[:place], first, then, *rest]
        return []

    def marked(
        self, rule: FlatRule, query: Query, steps: Sequence[JoinStep], given: frozenset[Variable]
    ) -> tuple[JoinStep, ...]:
        """The same steps with blocks, and with wider questions; the loops stay in their order."""
        found, rows, place, until = list(steps), 1.0, 0, 0
        any_ = Query(query.relation, query.modes.replace("f", "x"))
        while place < len(found):
            step = found[place]
            if step.atom is not None and not step.test:
                found[place:] = self._block(rule, query, found[place:], rows)
                tests = len(list(takewhile(lambda x: x.test, found[place + 1 :])))
                until = place + tests if found[place].block else 0
            elif step.atom is not None and not self._in_block(found, place, until):
                found[place] = self._wider(step, rows, given)
            elif step.atom is None:
                found[place] = replace(step, inner=self.marked(rule, any_, step.inner, frozenset(step.given)))
            rows = self._planner.orders.effort(found[place], rows)[1]
            place += 1
        return tuple(found)

    def _in_block(self, steps: Sequence[JoinStep], place: int, until: int) -> bool:
        loop = next((x for x in reversed(steps[:place]) if not x.test), None)
        return place <= until and loop is not None and self.lane(steps[place], loop)

    def inside(self, loop: JoinStep) -> list[Column]:
        """The columns of a block."""
        assert loop.atom
        own = self._columns[loop.atom.relation]
        return [own[loop.atom.args.index(x)] for x in loop.block]

    def lane(self, step: JoinStep, loop: JoinStep) -> bool:
        """Whether a test is a look at words of the block of a loop."""
        if step.atom is None or not step.test or not loop.block:
            return False
        source = self._planner.source(step.atom)
        own = () if source is Source.COMPARISON else self._columns[step.atom.relation]
        return is_lane(step, source, loop.block, self.inside(loop), own)

    def _suffixes(self, step: JoinStep) -> Iterator[tuple[Variable, ...]]:
        """What may be the block of a loop, the longest first."""
        atom, source = step.atom, self._planner.source(step.atom)  # type: ignore[arg-type]
        assert atom
        if source is Source.MOVES:
            return
        open_ = open_columns(step, source)
        own = self._columns[atom.relation]
        for start in range(len(open_)):
            last, before = open_[start:], open_[:start]
            leaves = [atom.args[k] for k in last]
            if any(step.modes[k] != "f" or atom.args.count(atom.args[k]) > 1 for k in last):
                continue
            columns = [own[k] for k in last]
            size, free = prod(c.width for c in columns), any(step.modes[k] != "b" for k in before)
            if words_of(columns) > MOST_WORDS or size < 2 or (free and size != 64) or (before and not apart(columns)):
                continue
            if source is Source.FIXED:
                keys = prod(own[k].width for k, mode in enumerate(step.modes) if mode == "b")
                if before or keys * words_of(columns) > MOST_LANES:
                    continue
                if words_of(columns) > 1 or self._estimates.fan(atom, step.modes) < FEWEST_ROWS:
                    continue
            yield tuple(x for x in leaves if isinstance(x, Variable))

    def _block(self, rule: FlatRule, query: Query, steps: list[JoinStep], rows: float) -> list[JoinStep]:
        """Steps from a loop on, with its block if it gains from one."""
        loop, name = steps[0], self._planner.flat.relations[query.relation].name
        assert loop.atom
        if name == "legal" and self._planner.source(loop.atom) is Source.FIXED:
            return steps  # whose rows are in no order, but moves are listed in that of the rows
        best: tuple[int, list[JoinStep]] = 0, steps
        for block in self._suffixes(loop):
            made = self._with(replace(loop, block=block), steps, rows)
            tests = list(takewhile(lambda x: x.test, made[1:]))
            gain = sum(self.lane(x, made[0]) or not about(x, block) for x in tests)
            gain += 2 * self.ends(rule, query, made)
            best = max(best, (gain, made), key=lambda each: each[0])
        return best[1]

    def _with(self, loop: JoinStep, steps: list[JoinStep], rows: float) -> list[JoinStep]:
        """Steps with a block, and with tests as words where that is no more work."""
        made, after = [loop], self._planner.orders.effort(loop, rows)[1]
        tests = list(takewhile(lambda x: x.test, steps[1:]))
        for test in tests:
            made.append(self._as_lane(test, loop, self._passes(loop, rows), after))
            after = self._planner.orders.effort(test, after)[1]
        return made + steps[1 + len(tests) :]

    def _passes(self, loop: JoinStep, rows: float) -> float:
        """How often a block is looked at: once for all values of the columns before it that are not given."""
        assert loop.atom
        own, open_ = self._columns[loop.atom.relation], open_columns(loop, self._planner.source(loop.atom))
        free = prod(own[k].width for k in open_[: -len(loop.block)] if loop.modes[k] != "b")
        return rows * min(free, max(1.0, self._estimates.fan(loop.atom, loop.modes))) * words_of(self.inside(loop))

    def _as_lane(self, test: JoinStep, loop: JoinStep, passes: float, rows: float) -> JoinStep:
        atom = test.atom
        if atom is None or self._planner.source(atom) is not Source.RULES or not self._planner.may_widen(atom.relation):
            return test
        asked = "".join("f" if x in loop.block else "b" for x in atom.args)
        wide = replace(test, asked=asked)
        if "x" in test.modes or not self.lane(wide, loop) or not self._small(atom, asked):
            return test
        return wide if self._asking(wide, passes) + WORD * passes < self._asking(test, rows) + ROW * rows else test

    def ends(self, rule: FlatRule, query: Query, steps: Sequence[JoinStep]) -> bool:
        """Whether nothing but words is looked at after a loop: rows of its block are rows of the answer, or any will do."""
        loop, block = steps[0], set(steps[0].block)
        for step in steps[1:]:
            if not step.test or (about(step, loop.block) and not self.lane(step, loop)):
                return False
        if not block.intersection(x for x, mode in zip(rule.head.args, query.modes, strict=True) if mode == "f"):
            return True
        if not self._planner.in_words(query):
            return False
        return takes_words(rule, query, loop.block, self.inside(loop), self._columns[query.relation])

    def _wider(self, step: JoinStep, rows: float, given: frozenset[Variable]) -> JoinStep:
        """A test of many rows, as a look at all answers together if that seems to be less work."""
        atom = step.atom
        if atom is None or not step.test or step.asked != step.modes or "x" in step.modes or rows < 2:
            return step
        if self._planner.source(atom) is not Source.RULES or not self._planner.may_widen(atom.relation):
            return step
        kept = {k for k, x in enumerate(atom.args) if not isinstance(x, Variable) or x in given}
        asked = "".join("b" if k in kept else "f" for k in range(len(step.modes)))
        if asked == step.modes or not self._small(atom, asked):
            return step
        wide = replace(step, asked=asked)
        return wide if self._asking(wide, rows) < WORTH * self._asking(step, rows) else step

    def _small(self, atom: Atom, asked: str) -> bool:
        columns = self._columns[atom.relation]
        return prod(c.width for c, mode in zip(columns, asked, strict=True) if mode == "f") <= MOST_ASIDE

    def _asking(self, step: JoinStep, times: float) -> float:
        """What it costs to ask a question so many times, with as many different values as there are."""
        assert step.atom
        each = self.cost(Query(step.atom.relation, step.asked))
        return min(times, self._estimates.keys(step.atom, step.asked)) * each + times

    def cost(self, query: Query) -> float:
        """About how much work it is to answer a question."""
        if query not in self._costs:
            if self._planner.depth >= DEEP:
                return UNKNOWN
            self._costs[query] = UNKNOWN
            rules, walks, moving = self._planner.weighed(query)
            total = CALL + sum(self._rule(rule, query, steps) for rule, steps in rules)
            onward = sum(self._rule(rule, query, steps) for rule, _, steps in walks)
            if walks and moving:
                total = CALL + 4 * (total + onward)
            elif walks:
                anything = Atom(query.relation, tuple(Variable(str(k)) for k in range(len(query.modes))))
                total += max(1.0, self._estimates.fan(anything, query.modes)) * (ROW + onward)
            self._costs[query] = total * (WORTH if query.test else 1.0)
        return self._costs[query]

    def _rule(self, rule: FlatRule, query: Query, steps: Sequence[JoinStep]) -> float:
        total, rows, passes = ROW, 1.0, 0.0
        loop: JoinStep | None = None
        for place, step in enumerate(steps):
            after = self._planner.orders.effort(step, rows)[1]
            if step.atom is None:
                total += rows * (CALL + self._rule(rule, query, step.inner))
                rows = after
                continue
            if not step.test and loop:
                total, loop = total + ROW * rows, None
            times = passes if loop and self.lane(step, loop) else rows
            if self._planner.source(step.atom) is Source.RULES:
                total += self._asking(step, times)
            if step.block:
                loop, passes = step, self._passes(step, rows)
                total += WORD * passes
                if self.ends(rule, query, steps[place:]):
                    rows, after = passes, passes
            else:
                total += WORD * times if step.test else ROW * (rows + after)
            rows = after
        return total + ROW * rows
