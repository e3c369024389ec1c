"""GDL evaluated straight from the rules, the slow way: nothing is grounded and nothing is compiled.

A question is a relation with some arguments known; its answers are kept in a table (tabling), so that every
question is worked out once per state, and questions that ask each other are repeated until nothing new comes.

Unsafe rules are treated as ggp-base's prover treats them: `distinct` and `not` wait until the literals before
them have bound their variables; if nothing ever does, `not` means that there is no such thing at all, and
`distinct` holds of a variable and anything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ludarium.gdl.text.syntax import Rule, Term, Variable
from tests.reference.gdl_terms import Relation, Template, Value, fill, inner, match, split, term, variables

Pattern = tuple  # per argument a ground term, or None for "any"

STATIC, STATE, JOINT = 0, 1, 2  # what an answer depends on: nothing, the state, the state and the joint move


class Reference:
    """A game as its rules say: states are sets of facts, moves are terms."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[Relation, list[_Rule]] = defaultdict(list)
        self.facts = _Facts()
        for rule in dict.fromkeys(rules):
            if rule.body:
                compiled = _Rule(rule)
                self.rules[compiled.relation].append(compiled)
            else:
                assert rule.head.ground, f"{rule.place}: a fact with variables: {rule}"
                self.facts.add(*split(rule.head, {}))
        self.roles = tuple(str(term(role)) for (role,) in self.facts.find(("role", 1), (None,)))
        self._reach = {relation: self._reachable(relation) for relation in self.rules}
        self._tables: dict[tuple, Iterable[Pattern]] = {}
        self._moment: _Moment | None = None

    def initial(self) -> frozenset[Term]:
        """The facts of the initial state."""
        return frozenset(term(fact) for (fact,) in self._ask(frozenset(), {}, "init", None))

    def legal(self, state: frozenset[Term], role: str) -> set[Term]:
        """The legal moves of a role."""
        return {term(move) for _, move in self._ask(state, {}, "legal", self._role(role), None)}

    def next(self, state: frozenset[Term], joint: Mapping[str, Term]) -> frozenset[Term]:
        """The facts of the state after a joint move."""
        return frozenset(term(fact) for (fact,) in self._ask(state, joint, "next", None))

    def terminal(self, state: frozenset[Term]) -> bool:
        """Whether the game is over."""
        return bool(self._ask(state, {}, "terminal"))

    def goal(self, state: frozenset[Term], role: str) -> list[int]:
        """All values that the rules give to a role; there should be exactly one."""
        return sorted(int(value) for _, value in self._ask(state, {}, "goal", self._role(role), None))

    def sees(self, state: frozenset[Term], joint: Mapping[str, Term], role: str) -> set[Term]:
        """What a role is shown when a joint move is played (GDL-II)."""
        return {term(seen) for _, seen in self._ask(state, joint, "sees", self._role(role), None)}

    def declared(self, relation: str) -> set[str]:
        """What the rules declare with `base`, `input` or `percept`, the arguments as texts."""
        arity = 1 if relation == "base" else 2
        found = self._ask(frozenset(), {}, relation, *[None] * arity)
        return {" ".join(str(term(arg)) for arg in args) for args in found}

    def _role(self, role: str) -> Value:
        return next(r for (r,) in self.facts.find(("role", 1), (None,)) if str(term(r)) == role)

    def _ask(self, state: frozenset[Term], joint: Mapping[str, Term], name: str, *args: Value | None) -> set[Pattern]:
        if self._moment is None or self._moment.state != state:
            self._moment = _Moment(state)
        self._moment.play({self._role(role): inner(move, {}) for role, move in joint.items()})
        return set(self.solve((name, len(args)), args))

    def _reachable(self, relation: Relation) -> set[Relation]:
        """All relations that this one is defined by, itself only if it is recursive."""
        found: set[Relation] = set()
        waiting = [relation]
        while waiting:
            for rule in self.rules.get(waiting.pop(), ()):
                new = {literal.relation for literal in rule.body} - found
                found |= new
                waiting += new
        return found

    @cache  # noqa: B019
    def _depends(self, relation: Relation) -> int:
        names = {reached[0] for reached in self._reach.get(relation, ())}
        return JOINT if "does" in names else STATE if "true" in names else STATIC

    def solve(self, relation: Relation, pattern: Pattern) -> Iterable[Pattern]:
        """All ground arguments of a relation that agree with a pattern."""
        if relation[0] in ("true", "does"):
            return self._moment.facts[relation[0]].find(relation, pattern)
        if relation not in self.rules:
            return self.facts.find(relation, pattern)
        tables = (self._tables, self._moment.tables, self._moment.joint_tables)[self._depends(relation)]
        if (relation, pattern) not in tables:
            if relation in self._reach[relation]:
                return self._solve_together(tables, relation, pattern)
            tables[relation, pattern] = self._evaluate(relation, pattern)
        return tables[relation, pattern]

    def _solve_together(self, tables: dict, relation: Relation, pattern: Pattern) -> Iterable[Pattern]:
        """Answer a question about a recursive relation, along with those that it leads back to.

        A question asked on the way is answered with what is known of it so far and put on the list; whenever
        a question gets new answers, those who asked it are put on the list again.
        """
        family = self._family(relation)
        open_questions = self._moment.open.get(family)
        question = relation, pattern
        if open_questions is not None:
            return open_questions.answers(question)
        open_questions = self._moment.open[family] = _OpenQuestions()
        open_questions.answers(question)
        while open_questions.waiting:
            asking = open_questions.waiting.pop()
            open_questions.asking = asking
            open_questions.tell(asking, self._evaluate(*asking))
        del self._moment.open[family]
        tables.update(open_questions.known)
        return tables[question]

    def deny(self, literal: _Literal, pattern: Pattern) -> bool:
        """Whether nothing agrees with a pattern; that is worked out to the end even amid a recursion."""
        question = literal.relation, pattern
        assert question not in self._moment.denied, f"{literal.relation} depends on its own negation"
        self._moment.denied.add(question)
        suspended = self._moment.open.pop(self._family(literal.relation), None)
        answers = self.solve(literal.relation, pattern)
        if suspended is not None:
            self._moment.open[self._family(literal.relation)] = suspended
        self._moment.denied.remove(question)
        return not any(_agrees(literal, pattern, answer) for answer in answers)

    @cache  # noqa: B019
    def _family(self, relation: Relation) -> frozenset[Relation]:
        """The relations that depend on this one and it on them."""
        return frozenset(r for r in self._reach.get(relation, ()) if relation in self._reach.get(r, ()))

    def _evaluate(self, relation: Relation, pattern: Pattern) -> set[Pattern]:
        """Apply all rules and facts of a relation once."""
        answers = set(self.facts.find(relation, pattern))
        known = tuple(arg is not None for arg in pattern)
        for rule in self.rules[relation]:
            if answers and all(known):
                break
            answers |= rule.plan(known).run(self, pattern)
        return answers


class _Moment:
    """A state and the joint move played in it, with all that was found out about them."""

    def __init__(self, state: frozenset[Term]) -> None:
        self.state = state
        self.facts = {"true": _Facts(), "does": _Facts()}
        for fact in state:
            self.facts["true"].add(*split(Term("true", (fact,)), {}))
            self.facts["true"].add(("true", 1), (inner(fact, {}),))
        self.tables: dict[tuple, Iterable[Pattern]] = {}
        self.joint_tables: dict[tuple, Iterable[Pattern]] = {}
        self.joint: dict[Value, Value] = {}
        self.open: dict[frozenset[Relation], _OpenQuestions] = {}
        self.denied: set[tuple] = set()

    def play(self, joint: dict[Value, Value]) -> None:
        """Take note of the joint move."""
        if joint == self.joint:
            return
        self.joint, self.joint_tables, self.facts["does"] = joint, {}, _Facts()
        for does in joint.items():
            self.facts["does"].add(("does", 2), does)


class _OpenQuestions:
    """Questions about recursive relations that are being worked out."""

    def __init__(self) -> None:
        self.known: dict[tuple, set[Pattern]] = {}
        self.askers: dict[tuple, set[tuple]] = defaultdict(set)
        self.waiting: list[tuple] = []
        self.asking: tuple | None = None

    def answers(self, question: tuple) -> set[Pattern]:
        """What is known so far; who asks is remembered."""
        if question not in self.known:
            self.known[question] = set()
            self.waiting.append(question)
        if self.asking is not None:
            self.askers[question].add(self.asking)
        return self.known[question]

    def tell(self, question: tuple, answers: set[Pattern]) -> None:
        """Take in what an evaluation found, and wake up who depends on it."""
        if not answers <= self.known[question]:
            self.known[question] = self.known[question] | answers
            self.waiting += self.askers[question] - set(self.waiting)


class _Facts:
    """Ground atoms, found by whichever arguments are known."""

    def __init__(self) -> None:
        self._rows: dict[Relation, list[Pattern]] = defaultdict(list)
        self._indexes: dict[tuple, dict[tuple, list[Pattern]]] = {}

    def add(self, relation: Relation, args: Pattern) -> None:
        """Take in one atom; all of them come before the first question."""
        self._rows[relation].append(args)

    def find(self, relation: Relation, pattern: Pattern) -> Sequence[Pattern]:
        """The arguments of all atoms that agree with a pattern."""
        known = tuple(i for i, arg in enumerate(pattern) if arg is not None)
        index = self._indexes.get((relation, known))
        if index is None:
            index = self._indexes[relation, known] = defaultdict(list)
            for row in self._rows.get(relation, ()):
                index[tuple(row[i] for i in known)].append(row)
        return index.get(tuple(pattern[i] for i in known), ())


@dataclass(frozen=True)
class _Literal:
    """A literal with its variables numbered."""

    relation: Relation
    args: tuple[Template, ...]
    negative: bool

    def variables(self) -> set[int]:
        return {v for arg in self.args for v in variables(arg)}


class _Rule:
    """A rule with its variables numbered."""

    def __init__(self, rule: Rule) -> None:
        self.source = rule
        slots: dict[Variable, int] = {}
        self.relation, self.head = split(rule.head, slots)
        self.body = [_Literal(*split(literal.atom, slots), literal.negative) for literal in rule.body]
        self.width = len(slots)
        self._plans: dict[tuple[bool, ...], _Plan] = {}

    def plan(self, known: tuple[bool, ...]) -> _Plan:
        """How to evaluate the rule when these arguments of its head are known."""
        if known not in self._plans:
            self._plans[known] = _Plan(self, known)
        return self._plans[known]


class _Plan:
    """The literals of a rule in their order: as written, but tests as soon as their variables are bound."""

    def __init__(self, rule: _Rule, known: tuple[bool, ...]) -> None:
        self.rule = rule
        self.given = [i for i, is_known in enumerate(known) if is_known]
        bound = {v for i in self.given for v in variables(rule.head[i])}
        waiting = list(rule.body)
        order: list[tuple[_Literal, set[int]]] = []
        while waiting:
            literal = next((x for x in waiting if x.variables() <= bound), None)
            if literal is None:
                literal = next((x for x in waiting if not _is_test(x)), waiting[0])
            waiting.remove(literal)
            order.append((literal, set(bound)))
            if not _is_test(literal):
                bound |= literal.variables()
        self.steps = []
        needed = {v for arg in rule.head for v in variables(arg)}
        for literal, bound_before in reversed(order):
            drop = [v for v in range(rule.width) if v not in needed]
            unknown = [(i, arg) for i, arg in enumerate(literal.args) if not set(variables(arg)) <= bound_before]
            self.steps.append((literal, unknown, drop))
            needed |= literal.variables()
        self.steps.reverse()

    def run(self, reference: Reference, pattern: Pattern) -> set[Pattern]:
        """The arguments of the head for which the body holds."""
        first: list[Value | None] = [None] * self.rule.width
        if not all(match(self.rule.head[i], pattern[i], first) for i in self.given):
            return set()
        rows = {tuple(first)}
        for literal, unknown, drop in self.steps:
            rows = _extend(reference, rows, literal, unknown, drop)
            if not rows:
                return set()
        answers = {tuple(fill(arg, row) for arg in self.rule.head) for row in rows}
        assert all(None not in answer for answer in answers), f"{self.rule.source.place}: unsafe: {self.rule.source}"
        return answers


def _extend(
    reference: Reference,
    rows: set[tuple],
    literal: _Literal,
    unknown: list[tuple[int, Template]],
    drop: list[int],
) -> set[tuple]:
    """The rows for which a literal holds, with the variables that it binds and without those in `drop`."""
    result: set[tuple] = set()
    for row in rows:
        pattern = tuple(fill(arg, row) for arg in literal.args)
        if literal.relation == ("distinct", 2):
            same = pattern[0] == pattern[1] if None not in pattern else literal.args[0] == literal.args[1]
            answers = [()] if same == literal.negative else []
        elif literal.negative:
            answers = [()] if reference.deny(literal, pattern) else []
        else:
            answers = reference.solve(literal.relation, pattern)
        for answer in answers:
            extended = list(row)
            if _is_test(literal) or all(match(arg, answer[i], extended) for i, arg in unknown):
                for slot in drop:
                    extended[slot] = None
                result.add(tuple(extended))
    return result


def _agrees(literal: _Literal, pattern: Pattern, answer: Pattern) -> bool:
    """Whether an answer speaks against a negative literal; its unbound variables, if any, may be anything."""
    row: list[Value | None] = [None] * (max(literal.variables(), default=-1) + 1)
    return None not in pattern or all(map(match, literal.args, answer, [row] * len(answer)))


def _is_test(literal: _Literal) -> bool:
    return literal.negative or literal.relation == ("distinct", 2)
