"""In which order the conditions of a rule are looked at, and which questions that asks about other relations.

A question is a relation with a mode per column: `b` the value is given, `f` all values are wanted, `x` any will do. Tests
come as soon as their variables are bound; conditions that share no open variable with the rest are tested on their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import prod

from ludarium.core import LudariumError
from ludarium.gdl.check.analysis import components
from ludarium.gdl.joins.code.sizes import Estimates
from ludarium.gdl.joins.rules.columns import Columns, Rows
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule
from ludarium.gdl.text.syntax import Variable

DEARNESS = 3.0
"""How much more it costs to have a row worked out than to look it up."""

MOST_KEYS = 1 << 48
MOST_ANSWERS = 1 << 19
MOST_ROOM = 1 << 20
"""Bits of an answer, where there is a choice and where there is none."""

MOST_CODE = 150
"""Conditions in all versions of the rules of a relation, beyond which one version has to do."""


class Source(Enum):
    """Where the rows of a relation come from."""

    COMPARISON = "distinct"
    FIXED = "fixed"
    STATE = "true"
    MOVES = "does"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Query:
    """A question about a relation."""

    relation: int
    modes: str

    @property
    def test(self) -> bool:
        """Whether the answer is yes or no."""
        return "f" not in self.modes


@dataclass(frozen=True, slots=True)
class JoinStep:
    """A condition: a test, or a loop that binds variables; `inner` is a number of conditions tested on their own."""

    atom: Atom | None
    modes: str = ""
    asked: str = ""
    """The modes of the query that answers it, which may ask for more; only for relations with rules."""

    inner: tuple[JoinStep, ...] = ()
    given: tuple[Variable, ...] = ()
    """What `inner` is told."""

    @property
    def test(self) -> bool:
        """Whether it binds nothing."""
        return "f" not in self.modes


@dataclass
class QueryPlan:
    """Everything there is to ask: the steps of each rule of each query, and which queries lead back to themselves."""

    queries: dict[Query, list[tuple[FlatRule, tuple[JoinStep, ...]]]] = field(default_factory=dict)
    groups: dict[Query, int] = field(default_factory=dict)
    """Queries that depend on each other have the same number; those that do not are not in it."""

    order: list[Query] = field(default_factory=list)
    """All queries, each after those that it needs."""

    used: set[Query] = field(default_factory=set)
    """Those that another one asks."""


class Planner:
    """Plans all queries that the given ones lead to."""

    def __init__(self, flat: Flat, columns: Columns, rows: Rows) -> None:
        self.flat, self.columns, self.rows = flat, columns, rows
        self.rules: dict[int, list[FlatRule]] = defaultdict(list)
        for rule in flat.rules:
            self.rules[rule.head.relation].append(rule)
        self._estimates = Estimates(flat, columns, rows)
        self.plan = QueryPlan()
        self._common: dict[int, frozenset[int] | None] = {}

    def source(self, atom: Atom) -> Source:
        """Where the rows of an atom come from."""
        if atom.relation == DISTINCT:
            return Source.COMPARISON
        if atom.relation in self.rows:
            return Source.FIXED
        name = self.flat.relations[atom.relation].name
        return {"true": Source.STATE, "does": Source.MOVES}.get(name, Source.RULES)

    def run(self, roots: Sequence[Query]) -> QueryPlan:
        """QueryPlan these queries and all that they need."""
        while True:
            self.plan = QueryPlan()
            edges = self._explore(roots)
            if not self._merge(roots):
                break
        self._sort(edges)
        self._check([q for q in roots if self.flat.relations[q.relation].name in ("next", "legal", "sees")])
        return self.plan

    def _merge(self, roots: Sequence[Query]) -> bool:
        """Where a relation with many rules is asked in many ways, ask once for all; whether that changed anything."""
        asked: dict[int, list[Query]] = defaultdict(list)
        for query in self.plan.queries:
            if query not in roots:
                asked[query.relation].append(query)
        changed = False
        for relation, queries in asked.items():
            code = len(queries) * sum(1 + len(r.body) for r in self.rules[relation])
            if relation in self._common or len(queries) < 2 or code < MOST_CODE:
                continue
            bound = [{k for k, mode in enumerate(q.modes) if mode == "b"} for q in queries]
            common = frozenset(set.intersection(*bound))
            self._common[relation] = common if self._fits(relation, common) else None
            changed = changed or self._common[relation] is not None
        return changed or self._narrowed

    def _asked(self, relation: int, modes: str) -> str:
        """The modes of the query that answers a question."""
        common = self._common.get(relation)
        if common is None:
            return modes
        bound = {k for k, mode in enumerate(modes) if mode == "b"}
        if not common <= bound:
            common = common & bound
            self._common[relation] = common if self._fits(relation, common) else None
            self._narrowed = True
            if self._common[relation] is None:
                return modes
        return "".join("b" if k in common else "f" for k in range(len(modes)))

    def _fits(self, relation: int, common: frozenset[int]) -> bool:
        """Whether answers with all but some columns open are of a bearable size."""
        columns = self.columns.columns[relation]
        given = prod(c.width for k, c in enumerate(columns) if k in common)
        return given <= MOST_KEYS and prod(c.width for c in columns) // given <= MOST_ANSWERS

    def _explore(self, roots: Sequence[Query]) -> dict[Query, dict[Query, bool]]:
        self._narrowed = False
        waiting = list(roots)
        edges: dict[Query, dict[Query, bool]] = {}
        while waiting:
            query = waiting.pop()
            if query in self.plan.queries:
                continue
            self.plan.queries[query] = [(r, self._rule(r, query)) for r in self.rules[query.relation]]
            edges[query] = {}
            for _, steps in self.plan.queries[query]:
                for used, negative in self._used(steps):
                    edges[query][used] = edges[query].get(used, False) or negative
                    waiting.append(used)
                    self.plan.used.add(used)
        return edges

    def _check(self, lists: Sequence[Query]) -> None:
        """Refuse questions with more answers than there is room for."""
        for query in self.plan.queries:
            if query in lists or (query.test and query not in self.plan.groups):
                continue
            common = frozenset(k for k, mode in enumerate(query.modes) if mode == "b")
            wanted = [
                c.width for c, m in zip(self.columns.columns[query.relation], query.modes, strict=True) if m == "f"
            ]
            given = [self.columns.columns[query.relation][k].width for k in common]
            if prod(given) > MOST_KEYS or prod(wanted) > MOST_ROOM:
                relation = self.flat.relations[query.relation]
                place = next((r.place for r in self.rules[query.relation]), "")
                raise LudariumError(f"{place}: '{relation.name}' may have too many rows to be worked out")

    def _sort(self, edges: dict[Query, dict[Query, bool]]) -> None:
        """Put queries after those that they need, and find those that need themselves."""
        names = {str(number): query for number, query in enumerate(edges)}
        numbers = {query: name for name, query in names.items()}
        graph = {numbers[q]: [numbers[u] for u in used] for q, used in edges.items()}
        for number, group in enumerate(components(graph)):
            members = {names[name] for name in group}
            self.plan.order += [names[name] for name in group]
            inside = [(q, u) for q in members for u in edges[q] if u in members]
            if inside:
                self.plan.groups |= dict.fromkeys(members, number)
            for query, used in inside:
                if edges[query][used]:
                    name = self.flat.relations[query.relation].name
                    raise LudariumError(f"'{name}' depends on its own negation")

    def _used(self, steps: Iterable[JoinStep]) -> Iterable[tuple[Query, bool]]:
        for step in steps:
            if step.atom is None:
                yield from self._used(step.inner)
            elif self.source(step.atom) is Source.RULES:
                yield Query(step.atom.relation, step.asked), step.atom.negative

    def _rule(self, rule: FlatRule, query: Query) -> tuple[JoinStep, ...]:
        bound: set[Variable] = set()
        needed: set[Variable] = set()
        for leaf, mode in zip(rule.head.args, query.modes, strict=True):
            if isinstance(leaf, Variable) and mode != "x":
                (bound if mode == "b" else needed).add(leaf)
        return self._order(list(rule.body), bound, needed - bound)

    def _order(self, left: list[Atom], bound: set[Variable], needed: set[Variable]) -> tuple[JoinStep, ...]:
        steps: list[JoinStep] = []
        bound = set(bound)
        while left:
            step = self._next(left, bound, needed)
            if step.atom is not None:
                left = [x for x in left if x is not step.atom]
                if step.modes:
                    pairs = zip(step.atom.args, step.modes, strict=True)
                    bound |= {x for x, mode in pairs if mode == "f" and isinstance(x, Variable)}
            else:
                inside = {id(x) for x in _atoms(step.inner)}
                left = [x for x in left if id(x) not in inside]
            steps.append(step)
        return tuple(steps)

    def _next(self, left: list[Atom], bound: set[Variable], needed: set[Variable]) -> JoinStep:
        """Choose what comes next."""
        uses = Counter(v for x in left for v in x.variables())
        modes = {id(x): _modes(x, uses, bound, needed) for x in left}
        open_tests = [x for x in left if "f" not in modes[id(x)]]
        cheap = [x for x in open_tests if self.source(x) is not Source.RULES]
        if cheap:
            best = min(cheap, key=lambda x: self.source(x) is not Source.COMPARISON)
            return self._step(best, modes[id(best)])
        loops = [x for x in left if not x.negative and x.relation != DISTINCT]
        sizes = {id(x): self._size(x, modes[id(x)]) for x in loops}
        lookups = [x for x in loops if self.source(x) is not Source.RULES and sizes[id(x)] <= 1.01]
        if lookups:
            best = min(lookups, key=lambda x: sizes[id(x)])
            return self._step(best, modes[id(best)])
        if open_tests:
            return self._step(open_tests[0], modes[id(open_tests[0])])
        parts = _parts(left, bound)
        alone = [part for part in parts if not any(x.variables() & needed - bound for x in part)]
        if alone and (needed - bound or len(parts) > 1):
            return self._inner(alone[0], bound)
        if not loops:
            raise LudariumError("a rule has a negative condition whose variables nothing binds")
        best = min(loops, key=lambda x: (sizes[id(x)], -modes[id(x)].count("b")))
        return self._step(best, modes[id(best)])

    def _step(self, atom: Atom, modes: str) -> JoinStep:
        rules = self.source(atom) is Source.RULES
        return JoinStep(atom, modes, self._asked(atom.relation, modes) if rules else "")

    def _inner(self, part: Sequence[Atom], bound: set[Variable]) -> JoinStep:
        given = sorted({v for x in part for v in x.variables()} & bound, key=lambda v: v.name)
        return JoinStep(None, "", "", self._order(list(part), bound, set()), tuple(given))

    def _size(self, atom: Atom, modes: str) -> float:
        """About how many rows there are for given values, more if they have to be worked out."""
        source = self.source(atom)
        if source is Source.MOVES:
            return 1.0
        size = self._estimates.fan(atom, modes)
        if source is Source.RULES:
            open_columns = modes.count("f") if atom.relation in self._estimates.recursive else 1
            size *= DEARNESS**open_columns  # recursion over pairs soon leads everywhere
        return size


def _modes(atom: Atom, uses: Counter[Variable], bound: set[Variable], needed: set[Variable]) -> str:
    """What each column is asked for; a variable that nothing else mentions does not matter."""
    return "".join(
        "b"
        if not isinstance(x, Variable) or x in bound
        else "f"
        if x in needed or uses[x] > 1 or (atom.args.count(x) > 1 and atom.relation != DISTINCT)
        else "x"
        for x in atom.args
    )


def _parts(left: Sequence[Atom], bound: set[Variable]) -> list[list[Atom]]:
    """Conditions in groups that share open variables."""
    parts: list[tuple[set[Variable], list[Atom]]] = []
    for atom in left:
        names, members = atom.variables() - bound, [atom]
        rest = []
        for part in parts:
            if part[0] & names:
                names, members = names | part[0], part[1] + members
            else:
                rest.append(part)
        parts = [*rest, (names, members)]
    return [members for _, members in parts]


def _atoms(steps: Iterable[JoinStep]) -> Iterable[Atom]:
    for step in steps:
        if step.atom is None:
            yield from _atoms(step.inner)
        else:
            yield step.atom
