"""Positions as terms: rules about whole positions that came up before, kept as a list instead of being grounded.

A description can build a term of the whole board (`position`), remember it (`past`), and ask whether the present
position is among those remembered. Nobody can ground the set of all positions. What rules can do with them is little,
though: insert the present position under a mark, keep or drop all of them, and ask for the present position under a
mark. These rules are recognised and replaced by facts without arguments: `known m` (the present position is
remembered with mark m), `insert m` and `keep`. The network carries them, and the game remembers the positions
themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ludarium.gdl.ground.specialise import match, put_term
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable

KNOWN, INSERT, KEEP = " known", " insert", " keep"
_MARKS = 64  # as many as a word has bits
_WIDE = 6  # a term of fewer parts than this can be grounded


@dataclass
class History:
    """What is remembered of positions: the facts that make one, the term that is built of them, and the marks."""

    relation: str
    parts: list[Term]
    term: Term
    marks: list[Term] = field(default_factory=list)

    @property
    def possible(self) -> list[Term]:
        """Facts that no rule brings about: the game itself does."""
        return [Term(KNOWN, (mark,)) for mark in self.marks]

    @property
    def asked(self) -> list[str]:
        """The facts that stand for what is remembered: that each mark is known, and is to be, then that all is kept."""
        return [*(str(Term(name, (mark,))) for mark in self.marks for name in (KNOWN, INSERT)), KEEP]

    def covers(self, fact: Term) -> bool:
        """Whether a fact is part of positions."""
        first = (fact.args or ())[:1]
        return any(match(part, fact, {}) for key in (first, ()) for part in self._by_first.get((fact.name, *key), ()))

    @cached_property
    def _by_first(self) -> dict[tuple[object, ...], list[Term]]:
        """The parts by name, and by the first argument unless it is open: there may be one for each cell of a board."""
        found: dict[tuple[object, ...], list[Term]] = defaultdict(list)
        for part in self.parts:
            first = [x for x in (part.args or ())[:1] if isinstance(x, Term) and x.ground]
            found[part.name, *first].append(part)
        return found

    def text(self, facts: Sequence[Term], mark: Term) -> str:
        """A remembered position as the fact that the description has for it."""
        bound: dict[str, Argument] = {}
        for part in self.parts:
            for fact in facts:
                if match(part, fact, dict(bound)):
                    match(part, fact, bound)
                    break
        return str(Term(self.relation, (put_term(self.term, bound), mark)))


def extract(rules: Sequence[Rule]) -> tuple[list[Rule], History | None]:
    """Replace rules about positions; the rules as they are if there are none that are understood."""
    by_head: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.head.name].append(rule)
    for name, candidates in by_head.items():
        if len(candidates) == 1 and candidates[0].head.arity == 1 and name not in ("next", "init", "true"):
            opened = _open(candidates[0], by_head)
            if opened is not None:
                return _replace(rules, name, *opened)
    return list(rules), None


def forgetting(rules: Sequence[Rule]) -> list[Rule]:
    """The rules of a game in which no position comes again: nothing is remembered, so nothing is known."""
    rest, history = extract(rules)
    if history is None:
        return rest
    own = {str(Term("next", (each,))) for each in [Term(KEEP), *(Term(INSERT, (mark,)) for mark in history.marks)]}
    known = {str(Term("true", (fact,))) for fact in history.possible}
    out = []
    for rule in rest:
        asked = [x for x in rule.body if str(x.atom) in known]
        if str(rule.head) not in own and all(x.negative for x in asked):
            out.append(Rule(rule.head, tuple(x for x in rule.body if x not in asked), rule.place))
    return out


def _open(rule: Rule, by_head: dict[str, list[Rule]]) -> tuple[Term, list[Term], list[Literal], set[str]] | None:
    """The term a rule builds, the facts it is built of, other conditions, and the relations that are used up by it."""
    (term,) = rule.head.args or ()
    if not isinstance(term, Term) or term.args is None:
        return None
    parts: list[Term] = []
    conditions: list[Literal] = []
    used: set[str] = set()
    bound: dict[str, Argument] = {}
    for literal in rule.body:
        inner = literal.atom.args[0] if literal.atom.name == "true" and literal.atom.args else None
        if isinstance(inner, Term) and not literal.negative and not inner.ground:
            parts.append(inner)
        elif literal.atom.ground:
            conditions.append(literal)
        else:
            found = _row(literal, by_head)
            if found is None:
                return None
            value, more = found
            used.add(literal.atom.name)
            variable = next(literal.atom.variables())
            bound[variable.name] = value
            parts += more
    whole = put_term(term, bound)
    free = {v.name for v in whole.variables()}
    held = [v.name for part in parts for v in part.variables()]
    if len(parts) < _WIDE or set(held) != free or len(held) != len(free):
        return None
    return whole, parts, conditions, used


def _row(literal: Literal, by_head: dict[str, list[Rule]]) -> tuple[Term, list[Term]] | None:
    """The part of a position that a relation such as (row 3 ?r) stands for, its variables made unique."""
    fitting = [r for r in by_head.get(literal.atom.name, ()) if match(literal.atom, r.head, {})]
    if literal.negative or len(fitting) != 1 or len(list(literal.atom.variables())) != 1:
        return None
    bound: dict[str, Argument] = {}
    match(literal.atom, fitting[0].head, bound)
    (value,) = bound.values()
    inner = [x.atom.args[0] for x in fitting[0].body if x.atom.name == "true" and x.atom.args and not x.negative]
    if not isinstance(value, Term) or len(inner) != len(fitting[0].body):
        return None
    label = " ".join(str(x) for x in literal.atom.args or () if isinstance(x, Term))
    unique: dict[str, Argument] = {v.name: Variable(f"{v.name} {label}") for v in value.variables()}
    return put_term(value, unique), [put_term(x, unique) for x in inner if isinstance(x, Term)]


def _replace(  # noqa: PLR0917
    rules: Sequence[Rule],
    position: str,
    term: Term,
    parts: list[Term],
    conditions: list[Literal],
    used: set[str],
) -> tuple[list[Rule], History | None]:
    relation = _remembering(rules, position)
    if relation is None:
        return list(rules), None
    history = History(relation, parts, term)
    out = []
    for rule in rules:
        if rule.head.name == position or rule.head.name in used:
            continue
        about = [x for x in rule.body if x.atom.name == position or _remembers(x.atom, relation)]
        if not about and not _remembers(rule.head, relation):
            out.append(rule)
            continue
        new = _replaced(rule, position, history, conditions)
        if new is None:
            return list(rules), None
        out.append(new)
    return (out, history) if len(history.marks) <= _MARKS else (list(rules), None)


def _remembering(rules: Sequence[Rule], position: str) -> str | None:
    for rule in rules:
        inner = rule.head.args[0] if rule.head.name == "next" and rule.head.args else None
        if isinstance(inner, Term) and inner.arity == 2 and any(x.atom.name == position for x in rule.body):
            return inner.name
    return None


def _remembers(atom: Term, relation: str) -> bool:
    inner = atom.args[0] if atom.name in ("true", "next") and atom.args else None
    return isinstance(inner, Term) and inner.name == relation


def _replaced(rule: Rule, position: str, history: History, conditions: list[Literal]) -> Rule | None:
    """One of the three things that rules can do with positions; None for anything else."""
    asks = [x for x in rule.body if x.atom.name == position]
    facts = [x for x in rule.body if _remembers(x.atom, history.relation)]
    rest = [x for x in rule.body if x not in asks and x not in facts]
    names = {v.name for x in [*asks, *facts] for v in x.atom.variables()}
    if any(v.name in names for x in rest for v in x.atom.variables()) or any(x.negative for x in asks):
        return None
    head = rule.head
    if _remembers(head, history.relation):
        inner = head.args[0] if head.args else None
        assert isinstance(inner, Term)
        assert inner.args is not None
        if not asks:  # everything stays
            kept = facts[0].atom.args if len(facts) == 1 else None
            if kept is None or kept[0] != inner:
                return None
            return Rule(Term("next", (Term(KEEP),)), tuple(rest), rule.place)
        mark = inner.args[1]
        if not isinstance(mark, Term) or not mark.ground:
            return None
        _note(history, mark)
        head = Term("next", (Term(INSERT, (mark,)),))
    body = list(rest) + (conditions if asks else [])
    for fact in facts:
        inner = fact.atom.args[0] if fact.atom.args else None
        asked = inner.args[1] if isinstance(inner, Term) and inner.args else None
        if not asks or not isinstance(asked, Term) or not asked.ground:
            return None
        _note(history, asked)
        body.append(Literal(Term("true", (Term(KNOWN, (asked,)),)), fact.negative, fact.place))
    return Rule(head, tuple(body), rule.place)


def _note(history: History, mark: Term) -> None:
    if mark not in history.marks:
        history.marks.append(mark)
