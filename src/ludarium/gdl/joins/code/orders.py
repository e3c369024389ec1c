"""In which order the conditions of a rule are looked at: the one that seems to be the least work, among a number of them.

Tests come as soon as their variables are bound; conditions that share no open variable with the rest are tested on their own.
Different orders soon come to the same conditions that are left, so what may come next is worked out once for these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ludarium.core import LudariumError
from ludarium.gdl.joins.code.sizes import PASSING
from ludarium.gdl.joins.code.steps import JoinStep, Source
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom
from ludarium.gdl.text.syntax import Variable

if TYPE_CHECKING:
    from ludarium.gdl.joins.code.plan import Planner

DEARNESS = 3.0
"""How much more it costs to have a row worked out than to look it up."""

MOST_TRIES, MOST_CHOICES = 300, 4
"""Orders of the conditions of a rule that are looked at, and ways to go on from one."""

_Column = tuple[Variable | None, bool]
_Key = tuple[tuple[int, ...], frozenset[Variable], frozenset[Variable]]


@dataclass(slots=True, eq=False)
class _Stage:
    """The conditions that are left, and the variables that are bound."""

    left: list[Atom]
    bound: frozenset[Variable]
    choices: list[JoinStep] | None = None
    after: dict[int, _Stage] = field(default_factory=dict)
    """By the choice, told by where its condition is."""


class _Weight(NamedTuple):
    """What the work of a step depends on, besides the rows that come to it."""

    test: bool
    negative: bool
    passed: float
    """Rows after it for each before it."""

    rules: bool
    keys: float
    each: float
    more: float

    def effort(self, rows: float) -> tuple[float, float]:
        """The work for so many rows, and how many there are after it."""
        work, after = rows, rows * self.passed
        if self.rules:
            work += min(rows, self.keys) * DEARNESS * (self.each + 1) + rows * self.more
        if self.negative:  # of what has to be worked out, little is known
            after = rows * PASSING if self.rules else max(rows - after, rows / 10)
        return work + (0 if self.test else after), after


class Orders:
    """Looks for orders, by what a planner knows."""

    def __init__(self, planner: Planner) -> None:
        self._planner, self._estimates = planner, planner.estimates
        self._tries = 0
        self._stages: dict[_Key, _Stage] = {}
        self._weights: dict[int, _Weight] = {}  # of the steps of stages
        self._variables: dict[int, set[Variable]] = {}
        self._columns: dict[int, list[_Column]] = {}
        self._steps: dict[tuple[int, str], JoinStep] = {}
        self._sizes: dict[tuple[int, str], float] = {}

    def best(
        self, left: list[Atom], bound: set[Variable], needed: set[Variable], *, rough: bool
    ) -> tuple[JoinStep, ...]:
        """The order of conditions that seems to be the least work; roughly, the one that looks best step by step."""
        self._stages, self._weights, self._steps, self._sizes = {}, {}, {}, {}
        self._variables = {id(atom): atom.variables() for atom in left}
        self._columns = {id(atom): _columns(atom) for atom in left}
        self._tries = 0 if rough else MOST_TRIES
        needed_then = frozenset(needed)
        return self._cheapest(self._stage(left, frozenset(bound), needed_then), needed_then, 1.0)[1]

    def effort(self, step: JoinStep, rows: float) -> tuple[float, float]:
        """About how much work a step is for so many rows, and how many there are after it."""
        if step.atom is None:
            return rows * DEARNESS * len(step.inner), rows / 2
        return self._weight(step.atom, step).effort(rows)

    def step(self, atom: Atom, modes: str) -> JoinStep:
        """A condition with the question that answers it."""
        rules = self._planner.source(atom) is Source.RULES
        return JoinStep(atom, modes, self._planner.asked(atom.relation, modes) if rules else "")

    def _weight(self, atom: Atom, step: JoinStep) -> _Weight:
        passed = self._estimates.share(atom) if step.test else self._estimates.fan(atom, step.modes)
        if self._planner.source(atom) is not Source.RULES:
            return _Weight(step.test, atom.negative, passed, rules=False, keys=0.0, each=0.0, more=0.0)
        keys, each = self._estimates.keys(atom, step.asked), self._estimates.fan(atom, step.asked)
        more = each if step.asked != step.modes else 0.0
        return _Weight(step.test, atom.negative, passed, rules=True, keys=keys, each=each, more=more)

    def _stage(self, left: list[Atom], bound: frozenset[Variable], needed: frozenset[Variable]) -> _Stage:
        key = tuple(map(id, left)), bound, needed
        if key not in self._stages:
            self._stages[key] = _Stage(left, bound)
        return self._stages[key]

    def _cheapest(self, stage: _Stage, needed: frozenset[Variable], rows: float) -> tuple[float, tuple[JoinStep, ...]]:
        """The least work for so many rows that come so far, and the steps."""
        total, steps = 0.0, list[JoinStep]()
        while stage.left:
            choices = self._choices(stage, needed)
            if len(choices) > 1 and self._tries > 0:
                found = []
                for step in choices[:MOST_CHOICES]:
                    self._tries -= 1
                    effort, here = self._work(step, rows)
                    more, rest = self._cheapest(self._after(stage, step, needed), needed, here)
                    found.append((effort + more, (step, *rest)))
                best, rest = min(found, key=lambda each: each[0])
                return total + best, (*steps, *rest)
            effort, rows = self._work(choices[0], rows)
            total += effort
            steps.append(choices[0])
            stage = self._after(stage, choices[0], needed)
        return total, tuple(steps)

    def _work(self, step: JoinStep, rows: float) -> tuple[float, float]:
        """The same as `effort` for a step of a stage, which comes up again and again."""
        if step.atom is None:
            return self.effort(step, rows)
        weight = self._weights.get(id(step))
        if weight is None:
            weight = self._weights[id(step)] = self._weight(step.atom, step)
        return weight.effort(rows)

    def _after(self, stage: _Stage, step: JoinStep, needed: frozenset[Variable]) -> _Stage:
        """What is left after a step."""
        found = stage.after.get(id(step.atom))
        if found is None:
            if step.atom is None:
                inside = {id(x) for x in _atoms(step.inner)}
                found = self._stage([x for x in stage.left if id(x) not in inside], stage.bound, needed)
            else:
                pairs = zip(step.atom.args, step.modes, strict=True)
                new = {x for x, mode in pairs if mode == "f" and isinstance(x, Variable)}
                found = self._stage([x for x in stage.left if x is not step.atom], stage.bound | new, needed)
            stage.after[id(step.atom)] = found
        return found

    def _choices(self, stage: _Stage, needed: frozenset[Variable]) -> list[JoinStep]:
        """What may come next, the likeliest first."""
        if stage.choices is not None:
            return stage.choices
        found = self._looked_for(stage.left, stage.bound, needed)
        if found[0].atom is not None:  # else it took some of the tries that there are, and will do so again
            stage.choices = found
        return found

    def _looked_for(self, left: list[Atom], bound: frozenset[Variable], needed: frozenset[Variable]) -> list[JoinStep]:
        source, variables, columns = self._planner.source, self._variables, self._columns
        uses = Counter(chain.from_iterable([variables[id(atom)] for atom in left]))
        closed = bound.union([x for x, count in uses.items() if count == 1 and x not in needed])
        """Variables of which no value is wanted here, unless a condition has them twice."""
        ready = [x for x in left if variables[id(x)] <= closed]
        several = needed.union([x for x, count in uses.items() if count > 1])
        modes = {id(x): _modes(columns[id(x)], bound, several) for x in ready}
        open_tests = [x for x in ready if "f" not in modes[id(x)]]
        cheap = [x for x in open_tests if source(x) is not Source.RULES]
        if cheap:
            best = min(cheap, key=lambda x: source(x) is not Source.COMPARISON)
            return [self._step(best, modes[id(best)])]
        modes |= {id(x): _modes(columns[id(x)], bound, several) for x in left if id(x) not in modes}
        loops = [x for x in left if not x.negative and x.relation != DISTINCT]
        sizes = {id(x): self._size(x, modes[id(x)]) for x in loops}
        lookups = [x for x in loops if source(x) is not Source.RULES and sizes[id(x)] <= 1.01]
        if lookups:
            best = min(lookups, key=lambda x: sizes[id(x)])
            return [self._step(best, modes[id(best)])]
        if open_tests:
            return [self._step(open_tests[0], modes[id(open_tests[0])])]
        parts, wanted = self._parts(left, bound), needed - bound
        alone = [part for part in parts if all(wanted.isdisjoint(variables[id(x)]) for x in part)]
        if alone and (wanted or len(parts) > 1):
            return [self._inner(alone[0], bound)]
        if not loops:
            raise LudariumError("a rule has a negative condition whose variables nothing binds")
        ranked = sorted(loops, key=lambda x: (sizes[id(x)], -modes[id(x)].count("b")))
        return [self._step(x, modes[id(x)]) for x in ranked]

    def _inner(self, part: list[Atom], bound: frozenset[Variable]) -> JoinStep:
        given = sorted({v for x in part for v in self._variables[id(x)]} & bound, key=lambda v: v.name)
        nothing = frozenset[Variable]()
        inside = self._cheapest(self._stage(part, bound, nothing), nothing, 1.0)[1]
        return JoinStep(None, "", "", inside, tuple(given))

    def _parts(self, left: Sequence[Atom], bound: frozenset[Variable]) -> list[list[Atom]]:
        """Conditions in groups that share open variables."""
        parts: list[tuple[set[Variable], list[Atom]]] = []
        for atom in left:
            names, members = self._variables[id(atom)] - bound, [atom]
            rest = []
            for part in parts:
                if part[0] & names:
                    names, members = names | part[0], part[1] + members
                else:
                    rest.append(part)
            parts = [*rest, (names, members)]
        return [members for _, members in parts]

    def _step(self, atom: Atom, modes: str) -> JoinStep:
        """The same as `step`, made once where no query answers it: what those are asked may yet change."""
        found = self._steps.get((id(atom), modes))
        if found is None:
            found = self.step(atom, modes)
            if not found.asked:
                self._steps[id(atom), modes] = found
        return found

    def _size(self, atom: Atom, modes: str) -> float:
        """About how many rows there are for given values, more if they have to be worked out."""
        found = self._sizes.get((id(atom), modes))
        if found is None:
            found = self._rows(atom, modes)
            if self._planner.source(atom) is not Source.RULES and not self._planner.lasts(atom.relation):
                self._sizes[id(atom), modes] = found
        return found

    def _rows(self, atom: Atom, modes: str) -> float:
        source = self._planner.source(atom)
        if source is Source.MOVES:
            return 1.0
        asked = self._planner.asked(atom.relation, modes) if self._planner.lasts(atom.relation) else modes
        size = self._estimates.fan(atom, asked)
        if source is Source.RULES:
            open_columns = modes.count("f") if atom.relation in self._estimates.recursive else 1
            size *= DEARNESS**open_columns  # recursion over pairs soon leads everywhere
        return size


def _columns(atom: Atom) -> list[_Column]:
    """The variable of each column, None for a constant, and whether the atom itself wants its value, as it has it twice."""
    args, distinct = atom.args, atom.relation == DISTINCT
    return [(x, not distinct and args.count(x) > 1) if isinstance(x, Variable) else (None, False) for x in args]


def _modes(columns: Sequence[_Column], bound: frozenset[Variable], several: frozenset[Variable]) -> str:
    """What each column is asked for; a variable that nothing else mentions does not matter."""
    return "".join(["b" if x is None or x in bound else "f" if twice or x in several else "x" for x, twice in columns])


def _atoms(steps: Iterable[JoinStep]) -> Iterable[Atom]:
    for step in steps:
        if step.atom is None:
            yield from _atoms(step.inner)
        else:
            yield step.atom
