"""Which questions there are to ask about relations, and the steps of the rules that answer them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from ludarium.core import LudariumError
from ludarium.gdl.check.analysis import components
from ludarium.gdl.joins.code.blocks import Blocks
from ludarium.gdl.joins.code.orders import Orders
from ludarium.gdl.joins.code.sizes import Estimates
from ludarium.gdl.joins.code.steps import JoinStep, Query, QueryPlan, Source
from ludarium.gdl.joins.rules.columns import Columns, Rows
from ludarium.gdl.joins.rules.flat import DISTINCT, Atom, Flat, FlatRule, too_large
from ludarium.gdl.text.syntax import NOWHERE, Variable

MOST_KEYS = 1 << 48
MOST_ANSWERS = 1 << 19
MOST_ROOM = 1 << 20
"""Bits of an answer, where there is a choice and where there is none."""

MOST_WALK = 1 << 15
"""Bits of an answer that is worth walking through where fewer were asked for."""

MOST_CODE = 150
"""Conditions in all versions of the rules of a relation, beyond which one version has to do."""


Planned = tuple[
    list[tuple[FlatRule, tuple[JoinStep, ...]]], list[tuple[FlatRule, Atom, tuple[JoinStep, ...]]], tuple[int, ...]
]
"""The steps of the rules of a query, those of the rules that lead back to it, and the columns that change on the way."""


class Planner:
    """Plans all queries that the given ones lead to."""

    def __init__(self, flat: Flat, columns: Columns, rows: Rows, *, frugal: bool = False) -> None:
        self.flat, self.columns, self.rows, self._frugal = flat, columns, rows, frugal
        self.rules: dict[int, list[FlatRule]] = defaultdict(list)
        for rule in flat.rules:
            self.rules[rule.head.relation].append(rule)
        self._sources = {DISTINCT: Source.COMPARISON}
        self.estimates = Estimates(flat, columns, rows)
        self.plan = QueryPlan()
        self._common: dict[int, frozenset[int] | None] = {}
        named = {k for k, relation in enumerate(flat.relations) if relation.name in ("next", "legal", "sees")}
        self._lasting = {k: some for k, some in _lasting(self.rules).items() if k not in named and not frugal}
        self._listed, self.blocks = named, Blocks(self)
        self._planned: tuple[dict[Query, Planned], ...] = {}, {}  # in earnest, and to find out what it costs
        self._weighing = 0
        self.orders = Orders(self)
        self._found: dict[object, tuple[JoinStep, ...]] = {}

    def source(self, atom: Atom) -> Source:
        """Where the rows of an atom come from."""
        found = self._sources.get(atom.relation)
        if found is None:
            name = self.flat.relations[atom.relation].name
            usual = {"true": Source.STATE, "does": Source.MOVES}.get(name, Source.RULES)
            found = self._sources[atom.relation] = Source.FIXED if atom.relation in self.rows else usual
        return found

    def run(self, roots: Sequence[Query]) -> QueryPlan:
        """QueryPlan these queries and all that they need."""
        while True:
            self.plan, self._planned, self.blocks = QueryPlan(), ({}, {}), Blocks(self)
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

    def asked(self, relation: int, modes: str) -> str:
        """The modes of the query that answers a question."""
        lasting = self._lasting.get(relation)
        if lasting is not None:
            kept = frozenset(k for k, mode in enumerate(modes) if mode == "b" and k in lasting)
            plain = modes.replace("x", "f")
            if modes.count("b") == len(kept):
                return plain
            small = self._fits(relation, kept, MOST_WALK)
            if self._leads_on(relation, plain) and not (small and "f" not in plain):
                return plain
            if small:
                return "".join("b" if k in kept else "f" for k in range(len(modes)))
        common = self._common.get(relation)
        if common is None:
            return modes
        bound = {k for k, mode in enumerate(modes) if mode == "b"}
        if not common <= bound:
            if self._weighing:  # nobody asks that yet
                return modes
            common = common & bound
            self._common[relation] = common if self._fits(relation, common) else None
            self._narrowed = True
            if self._common[relation] is None:
                return modes
        return "".join("b" if k in common else "f" for k in range(len(modes)))

    def lasts(self, relation: int) -> bool:
        """Whether a relation leads back to itself only, and some of its columns stay the same on the way."""
        return relation in self._lasting

    def _fits(self, relation: int, common: frozenset[int], most: int = MOST_ANSWERS) -> bool:
        """Whether answers with all but some columns open are of a bearable size."""
        columns = self.columns.columns[relation]
        given = prod(c.width for k, c in enumerate(columns) if k in common)
        return given <= MOST_KEYS and prod(c.width for c in columns) // given <= most

    def _explore(self, roots: Sequence[Query]) -> dict[Query, dict[Query, bool]]:
        self._narrowed = False
        waiting = list(roots)
        edges: dict[Query, dict[Query, bool]] = {}
        while waiting:
            query = waiting.pop()
            if query in self.plan.queries:
                continue
            self.plan.queries[query], walks, moving = self.planned(query)
            if walks:
                self.plan.walks[query], self.plan.moving[query] = walks, moving
            edges[query] = {}
            for steps in [*(steps for _, steps in self.plan.queries[query]), *(steps for *_, steps in walks)]:
                for used, negative in self._used(steps):
                    edges[query][used] = edges[query].get(used, False) or negative
                    waiting.append(used)
                    self.plan.used.add(used)
        return edges

    def planned(self, query: Query) -> Planned:
        """The steps of the rules of a query, as in a plan: those of walks apart, with the columns that change on the way."""
        known = self._planned[self._weighing > 0]
        if query in known:
            return known[query]
        rules = self.rules[query.relation]
        walks: list[tuple[FlatRule, Atom, tuple[JoinStep, ...]]] = []
        moving: tuple[int, ...] = ()
        if self._walks(query) or self._leads_on(query.relation, query.modes):
            again = [(r, x) for r in rules for x in r.body if x.relation == query.relation]
            walk = self._rule if self._walks(query) else self._question
            walks = [(r, x, walk(r, query, x)) for r, x in again]
            if not self._walks(query):
                lasting = self._lasting[query.relation]
                moving = tuple(k for k, mode in enumerate(query.modes) if mode == "b" and k not in lasting)
            rules = [r for r in rules if not any(r is each for each, _ in again)]
        known[query] = [(r, self._rule(r, query)) for r in rules], walks, moving
        return known[query]

    def weighed(self, query: Query) -> Planned:
        """The same for a query that may not be asked in the end."""
        self._weighing += 1
        found = self.planned(query)
        self._weighing -= 1
        return found

    @property
    def depth(self) -> int:
        """How many questions are being weighed, each for the sake of the one before."""
        return self._weighing

    def may_widen(self, relation: int) -> bool:
        """Whether more than is needed may be asked of a relation."""
        return not self._frugal and relation not in self.estimates.recursive and self._common.get(relation) is None

    def in_words(self, query: Query) -> bool:
        """Whether words can be taken into the answer to a query."""
        return query.relation not in self._listed and query.relation not in self.estimates.recursive

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
                place = next((r.place for r in self.rules[query.relation]), NOWHERE)
                raise too_large(place, f"'{relation.name}' may have too many rows to be worked out")

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

    def _walks(self, query: Query) -> bool:
        """Whether rows follow from rows of the same answer only."""
        lasting = self._lasting.get(query.relation)
        return lasting is not None and all(
            mode == "f" or (mode == "b" and k in lasting) for k, mode in enumerate(query.modes)
        )

    def _leads_on(self, relation: int, modes: str) -> bool:
        """Whether a question leads to questions whose answers are answers to it, as they are."""
        lasting = self._lasting.get(relation)
        open_ = [k for k, mode in enumerate(modes) if mode != "b"]
        if lasting is None or "x" in modes or not lasting.issuperset(open_):
            return False
        for rule in self.rules[relation]:
            uses = Counter(x for atom in rule.body for x in atom.args)
            if any(x.relation == relation for x in rule.body):
                leaves = [rule.head.args[k] for k in open_ if isinstance(rule.head.args[k], Variable)]
                if len(set(leaves)) < len(leaves) or any(uses[x] > 1 or rule.head.args.count(x) > 1 for x in leaves):
                    return False
        return True

    def _question(self, rule: FlatRule, query: Query, atom: Atom) -> tuple[JoinStep, ...]:
        """The steps from a question to those that it leads to."""
        pairs = [(x, y) for x, y, mode in zip(rule.head.args, atom.args, query.modes, strict=True) if mode == "b"]
        bound = {x for x, _ in pairs if isinstance(x, Variable)}
        needed = {y for _, y in pairs if isinstance(y, Variable)}
        return self._order([x for x in rule.body if x is not atom], bound, needed - bound)

    def _rule(self, rule: FlatRule, query: Query, known: Atom | None = None) -> tuple[JoinStep, ...]:
        """The steps of a rule, or what is left of them once a condition is known to hold."""
        bound: set[Variable] = known.variables() if known else set()
        needed: set[Variable] = set()
        for leaf, mode in zip(rule.head.args, query.modes, strict=True):
            if isinstance(leaf, Variable) and mode != "x":
                (bound if mode == "b" else needed).add(leaf)
        steps = self._order([x for x in rule.body if x is not known], bound, needed - bound)
        return steps if self._frugal else self.blocks.best(rule, query, steps, frozenset(bound))

    def _order(self, left: list[Atom], bound: set[Variable], needed: set[Variable]) -> tuple[JoinStep, ...]:
        """The order of conditions that seems to be the least work."""
        common = tuple(self._common.get(x.relation) for x in left)
        key = tuple(map(id, left)), frozenset(bound), frozenset(needed), common
        if key in self._found:
            return self._found[key]
        steps = self.orders.best(left, bound, needed, rough=self._frugal or self._weighing > 0)
        if not self._weighing:  # which takes a rough estimate
            self._found[key] = steps
        return steps


def _lasting(rules: Mapping[int, Sequence[FlatRule]]) -> dict[int, frozenset[int]]:
    """For relations that lead back to themselves only, and once in a rule: the columns that stay the same on the way."""
    graph = {str(r): [str(x.relation) for rule in some for x in rule.body] for r, some in rules.items()}
    found: dict[int, frozenset[int]] = {}
    for group in components(graph):
        relation = int(group[0])
        if len(group) > 1 or group[0] not in graph.get(group[0], ()):
            continue
        again = [(rule, [x for x in rule.body if x.relation == relation]) for rule in rules[relation]]
        if all(len(some) < 2 and not any(x.negative for x in some) for _, some in again):
            pairs = [(rule.head, x) for rule, some in again for x in some]
            columns = range(len(pairs[0][0].args))
            found[relation] = frozenset(k for k in columns if all(head.args[k] == x.args[k] for head, x in pairs))
    return found
