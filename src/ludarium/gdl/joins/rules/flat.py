"""Rules without functions: every relation is told apart by the shapes of its arguments, and holds plain constants.

`(legal ?p (move ?x ?y))` becomes a relation of three columns, `legal` with a role and a move of two constants. Which
shapes there are is worked out from the facts on, with every constant taken for the same; a rule becomes one flat rule
per way that shapes fit it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from ludarium.core import LudariumError
from ludarium.core.problems import Place
from ludarium.gdl.text.syntax import NOWHERE, Argument, Literal, Rule, Term, Variable

MAX_DEPTH = 64
MAX_RULES = 40_000
DISTINCT = -1
"""The number of the relation `distinct`."""

Shape = tuple[str, tuple["Shape | None", ...]]
"""A function and the shapes of its arguments; None is a constant."""

Leaf = str | Variable


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation with arguments of certain shapes."""

    name: str
    shapes: tuple[Shape | None, ...]
    arity: int
    """The number of constants in a row."""

    def term(self, row: Sequence[str]) -> Term:
        """The atom that a row of constants stands for."""
        left = iter(row)
        args = tuple(_filled(shape, left) for shape in self.shapes)
        return Term(self.name, args or None)


@dataclass(frozen=True, slots=True)
class Atom:
    """A relation, by its number, and what stands in its columns."""

    relation: int
    args: tuple[Leaf, ...]
    negative: bool = False

    def variables(self) -> set[Variable]:
        """The variables in it."""
        return {x for x in self.args if isinstance(x, Variable)}


@dataclass(frozen=True, slots=True)
class FlatRule:
    """A head that holds whenever all of the body does."""

    head: Atom
    body: tuple[Atom, ...]
    place: Place = field(compare=False)


@dataclass
class Flat:
    """A description without functions."""

    relations: list[Relation] = field(default_factory=list)
    rules: list[FlatRule] = field(default_factory=list)
    numbers: dict[tuple[str, tuple[Shape | None, ...]], int] = field(default_factory=dict)

    def number(self, name: str, shapes: tuple[Shape | None, ...]) -> int:
        """The number of a relation."""
        if (name, shapes) not in self.numbers:
            self.numbers[name, shapes] = len(self.relations)
            self.relations.append(Relation(name, shapes, sum(_width(s) for s in shapes)))
        return self.numbers[name, shapes]

    def named(self, name: str) -> list[int]:
        """All relations of a name."""
        return [k for k, relation in enumerate(self.relations) if relation.name == name]

    def place(self, relation: int) -> Place:
        """Where a relation is defined: facts by `init` or `next`, moves by `legal`."""
        made, shapes = self.relations[relation].name, self.relations[relation].shapes
        heads = {self.numbers.get((name, shapes)) for name in (made, *(k for k, v in _ALIAS.items() if v == made))}
        return next((rule.place for rule in self.rules if rule.head.relation in heads), NOWHERE)


def too_large(place: Place, told: str) -> LudariumError:
    """Refuse what would need too much room, and say what to do."""
    return LudariumError(f"{place}: {told}\n  give it fewer arguments or its arguments fewer values, or split it up")


_ROOTS = ("role", "init", "legal", "next", "goal", "terminal", "sees")
_ALIAS = {"init": "true", "next": "true", "legal": "does"}


def flatten(rules: Iterable[Rule]) -> Flat:
    """Make flat rules of all rules that the play depends on."""
    kept = _needed(list(dict.fromkeys(rules)))
    variants = _Variants(kept)
    flat = Flat()
    for rule in kept:
        for bound in variants.bindings[rule]:
            flat.rules += _flattened(rule, dict(bound), variants, flat)
            if len(flat.rules) > MAX_RULES:
                raise too_large(rule.place, f"the terms in '{rule.head.name}' have too many forms")
    flat.rules = list(dict.fromkeys(flat.rules))
    for name in ("init", "next"):
        for number in flat.named(name):
            flat.number("true", flat.relations[number].shapes)
    for number in flat.named("legal"):
        flat.number("does", flat.relations[number].shapes)
    return flat


def _needed(rules: list[Rule]) -> list[Rule]:
    by_name = defaultdict(list)
    for rule in rules:
        by_name[rule.head.name].append(rule)
    found = set(_ROOTS)
    queue = list(_ROOTS)
    while queue:
        for rule in by_name[queue.pop()]:
            new = {x.atom.name for x in rule.body} - found
            found |= new
            queue += new
    return [rule for rule in rules if rule.head.name in found]


Bound = tuple[tuple[Variable, Shape | None], ...]


class _Variants:
    """The shapes that the arguments of each relation have, and the ways in which they fit each rule."""

    def __init__(self, rules: list[Rule]) -> None:
        self.shapes: dict[tuple[str, int], dict[tuple[Shape | None, ...], None]] = defaultdict(dict)
        self.bindings: dict[Rule, dict[Bound, None]] = {rule: {} for rule in rules}
        users = defaultdict(set)
        for rule in rules:
            for literal in rule.body:
                users[literal.atom.name, literal.atom.arity].add(rule)
        order = {rule: place for place, rule in enumerate(rules)}
        waiting = set(rules)
        while waiting:
            changed: set[tuple[str, int]] = set()
            for rule in sorted(waiting, key=order.__getitem__):
                changed |= self._apply(rule)
            waiting = {rule for relation in changed for rule in users[relation]}

    def _apply(self, rule: Rule) -> set[tuple[str, int]]:
        changed = set()
        for bound in self._fits(rule):
            if bound in self.bindings[rule]:
                continue
            self.bindings[rule][bound] = None
            known = dict(bound)
            if unbound := [v for v in rule.head.variables() if v not in known]:
                raise LudariumError(f"{rule.place}: nothing in the rule says what {unbound[0]} is")
            shapes = tuple(_shape(x, known) for x in rule.head.args or ())
            if any(_depth(shape) > MAX_DEPTH for shape in shapes):
                raise LudariumError(f"{rule.place}: the terms in '{rule.head.name}' grow without end")
            for name in (rule.head.name, _ALIAS.get(rule.head.name)):
                if name and shapes not in self.shapes[name, len(shapes)]:
                    self.shapes[name, len(shapes)][shapes] = None
                    changed.add((name, len(shapes)))
        return changed

    def _fits(self, rule: Rule) -> Iterable[Bound]:
        """All ways to give shapes to the variables of a rule."""
        found: dict[Bound, None] = {(): None}
        for literal in rule.body:
            atom = literal.atom
            if not literal.negative and atom.name != "distinct":
                found = dict.fromkeys(more for bound in found for more in self.extend(atom, dict(bound)))
                if len(found) > MAX_RULES:
                    raise too_large(rule.place, f"the terms in '{rule.head.name}' have too many forms")
        return found

    def extend(self, atom: Term, bound: dict[Variable, Shape | None]) -> Iterator[Bound]:
        """All ways in which an atom fits, with what is bound already."""
        for shapes in self.shapes[atom.name, atom.arity]:
            known = dict(bound)
            if all(_match(x, s, known) for x, s in zip(atom.args or (), shapes, strict=True)):
                yield tuple(known.items())


def _match(term: Argument, shape: Shape | None, known: dict[Variable, Shape | None]) -> bool:
    if isinstance(term, Variable):
        if term in known:
            return known[term] == shape
        known[term] = shape
        return True
    if term.args is None or shape is None:
        return term.args is None and shape is None
    name, parts = shape
    return (
        name == term.name
        and len(parts) == len(term.args)
        and all(_match(x, s, known) for x, s in zip(term.args, parts, strict=True))
    )


def _shape(term: Argument, known: dict[Variable, Shape | None]) -> Shape | None:
    if isinstance(term, Variable):
        return known[term]
    return None if term.args is None else (term.name, tuple(_shape(x, known) for x in term.args))


def _depth(shape: Shape | None) -> int:
    return 0 if shape is None else 1 + max(map(_depth, shape[1]), default=0)


def _width(shape: Shape | None) -> int:
    return 1 if shape is None else sum(map(_width, shape[1]))


def _filled(shape: Shape | None, left: Iterator[str]) -> Term:
    if shape is None:
        return Term(next(left))
    return Term(shape[0], tuple(_filled(part, left) for part in shape[1]))


def _flattened(rule: Rule, known: dict[Variable, Shape | None], variants: _Variants, flat: Flat) -> Iterator[FlatRule]:
    """One rule for each way in which terms of the same shape are distinct."""
    body: list[Atom] = []
    choices: list[list[Atom]] = []
    for literal in rule.body:
        if literal.atom.name == "distinct":
            pairs = _differences(literal, known)
            if pairs is None:
                continue
            if literal.negative:
                body += pairs
                if any(isinstance(a, str) and isinstance(b, str) for a, b in (x.args for x in pairs)):
                    return
            else:
                choices.append(pairs)
        elif literal.negative:
            body += _denied(literal.atom, known, variants, flat)
        else:
            body.append(_atom(literal.atom, known, flat))
    head = _atom(rule.head, known, flat)
    for chosen in product(*choices):
        yield FlatRule(head, tuple(dict.fromkeys([*body, *chosen])), rule.place)


def _differences(literal: Literal, known: dict[Variable, Shape | None]) -> list[Atom] | None:
    """The pairs of leaves of which one must differ; None if the terms are distinct in any case."""
    a, b = literal.atom.args or ()
    if any(v not in known for v in literal.atom.variables()):
        return None if a != b and not literal.negative else []
    if _shape(a, known) != _shape(b, known):
        return [Atom(DISTINCT, ("a", "b"), negative=True)] if literal.negative else None
    pairs = list(zip(_leaves(a, known), _leaves(b, known), strict=True))
    if not literal.negative and any(isinstance(x, str) and isinstance(y, str) and x != y for x, y in pairs):
        return None
    return [Atom(DISTINCT, pair, literal.negative) for pair in pairs if pair[0] != pair[1]]


def _denied(atom: Term, known: dict[Variable, Shape | None], variants: _Variants, flat: Flat) -> Iterator[Atom]:
    """A negated atom, once for each shape that it may have; what nothing makes true needs no denial."""
    for bound in variants.extend(atom, known):
        found = _atom(atom, dict(bound), flat)
        yield Atom(found.relation, found.args, negative=True)


def _atom(atom: Term, known: dict[Variable, Shape | None], flat: Flat) -> Atom:
    shapes = tuple(_shape(x, known) for x in atom.args or ())
    leaves = tuple(leaf for x in atom.args or () for leaf in _leaves(x, known))
    return Atom(flat.number(atom.name, shapes), leaves)


def _leaves(term: Argument, known: dict[Variable, Shape | None]) -> Iterator[Leaf]:
    if isinstance(term, Variable):
        shape = known[term]
        if shape is None:
            yield term
        else:
            yield from (Variable(f"{term.name}.{k}") for k in range(_width(shape)))
    elif term.args is None:
        yield term.name
    else:
        for part in term.args:
            yield from _leaves(part, known)
