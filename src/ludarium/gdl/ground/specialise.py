"""Relations that are only ever asked about certain constants become relations of their own, one per question.

`(count e3 e4 f3 f4 red ?n)` needs no table of all counts over all cells; grounding would make one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from ludarium.gdl.text.syntax import KEYWORDS, Argument, Literal, Rule, Term, Variable

_MOST = 64  # questions about one relation; with more of them the whole table is no worse
_GROWTH = 20_000  # rules that may be added; a chain of questions with two answers each doubles at every step


def specialise(rules: Sequence[Rule]) -> list[Rule]:
    """Specialise as long as there is something to specialise."""
    current = list(rules)
    for _ in range(20):
        positions = _constant_positions(current)
        if not positions:
            break
        made = _apply(current, positions)
        if made is None:
            break
        current = made
    return current


def unfold(rules: Sequence[Rule], dynamic: frozenset[str]) -> list[Rule]:
    """Put the body of a static relation with one rule in place of the relation, where it has variables to take out.

    A wide static table, such as "four pieces have something in common", is better split than looked up.
    """
    by_name: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_name[_name(rule.head)].append(rule)
    wide = {name: rs[0] for name, rs in by_name.items() if len(rs) == 1 and _unfolds(rs[0], dynamic)}
    out = []
    for rule in rules:
        new = rule
        if rule.head.name in dynamic:
            for number, literal in enumerate(rule.body):
                if not literal.negative and _name(literal.atom) in wide:
                    new = _unfolded(new, literal, wide[_name(literal.atom)], number)
        out.append(new)
    return out


def _unfolds(rule: Rule, dynamic: frozenset[str]) -> bool:
    args = rule.head.args or ()
    names = {x.name for x in args if isinstance(x, Variable)}
    inner = {v.name for x in rule.body for v in x.atom.variables()} - names
    fixed = rule.head.name in dynamic or rule.head.name in KEYWORDS or any(x.negative for x in rule.body)
    return len(args) >= 3 and len(names) == len(args) and bool(inner) and not fixed


def _unfolded(rule: Rule, literal: Literal, definition: Rule, number: int) -> Rule:
    bound: dict[str, Argument] = {}
    for pattern, value in zip(definition.head.args or (), literal.atom.args or (), strict=True):
        assert isinstance(pattern, Variable)
        bound[pattern.name] = value
    for x in definition.body:
        for v in x.atom.variables():
            bound.setdefault(v.name, Variable(f"{v.name} {number}"))
    body = tuple(Literal(put_term(x.atom, bound), x.negative, x.place) for x in definition.body)
    return Rule(rule.head, tuple(x for x in rule.body if x is not literal) + body, rule.place)


def _name(rule: Term) -> str:
    return f"{rule.name}/{rule.arity}"


def _constant_positions(rules: Sequence[Rule]) -> dict[str, tuple[int, ...]]:
    """The arguments at which a derived relation is always asked with a constant, and defined with a variable."""
    open_heads: dict[str, set[int]] = defaultdict(set)
    defined: set[str] = set()
    for rule in rules:
        defined.add(_name(rule.head))
        if rule.body:
            open_heads[_name(rule.head)] |= {
                k for k, x in enumerate(rule.head.args or ()) if not (isinstance(x, Term) and x.ground)
            }
    constant: dict[str, set[int]] = {}
    questions: dict[str, set[tuple[Argument, ...]]] = defaultdict(set)
    for rule in rules:
        for literal in rule.body:
            atom = literal.atom
            if atom.name in KEYWORDS or _name(atom) not in defined:
                continue
            here = {k for k, x in enumerate(atom.args or ()) if isinstance(x, Term) and x.ground}
            constant[_name(atom)] = constant.get(_name(atom), here) & here
            questions[_name(atom)].add(atom.args or ())
    found = {}
    for name, places in constant.items():
        chosen = tuple(sorted(places & open_heads[name]))
        asked = {tuple(q[k] for k in chosen) for q in questions[name]}
        if chosen and len(asked) <= _MOST:
            found[name] = chosen
    return found


def _apply(rules: Sequence[Rule], positions: dict[str, tuple[int, ...]]) -> list[Rule] | None:
    """The rules with relations of their own for all questions; None if those are too many."""
    by_name: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_name[_name(rule.head)].append(rule)
    asked: dict[str, dict[tuple[Argument, ...], None]] = defaultdict(dict)

    def renamed(literal: Literal) -> Literal:
        places = positions.get(_name(literal.atom))
        if places is None or literal.atom.name in KEYWORDS:
            return literal
        args = literal.atom.args or ()
        asked[_name(literal.atom)][tuple(args[k] for k in places)] = None
        return Literal(_short(literal.atom, places, args), literal.negative, literal.place)

    done: list[Rule] = []
    waiting = [r for r in rules if _name(r.head) not in positions or r.head.name in KEYWORDS]
    done += [Rule(r.head, tuple(map(renamed, r.body)), r.place) for r in waiting]
    answered: set[tuple[str, tuple[Argument, ...]]] = set()
    while True:
        pending = [(n, q) for n, qs in asked.items() for q in qs if (n, q) not in answered]
        if not pending:
            return done
        for name, question in pending:
            answered.add((name, question))
            for rule in by_name[name]:
                done += _specialised(rule, positions[name], question, renamed)
            if len(done) > len(rules) + _GROWTH:
                return None


def _specialised(
    rule: Rule, places: tuple[int, ...], question: tuple[Argument, ...], renamed: object
) -> Iterable[Rule]:
    bound: dict[str, Argument] = {}
    args = rule.head.args or ()
    if not all(match(args[k], x, bound) for k, x in zip(places, question, strict=True)):
        return
    full = tuple(question[places.index(k)] if k in places else _put(x, bound) for k, x in enumerate(args))
    assert callable(renamed)
    body = tuple(renamed(Literal(put_term(x.atom, bound), x.negative, x.place)) for x in rule.body)
    yield Rule(_short(rule.head, places, full), body, rule.place)


def _short(atom: Term, places: tuple[int, ...], args: tuple[Argument, ...]) -> Term:
    """The relation for one question, with the arguments that are left."""
    label = " ".join(str(args[k]) for k in places)
    rest = tuple(x for k, x in enumerate(args) if k not in places)
    return Term(f"{atom.name} @{places} {label}", rest or None)


def match(pattern: Argument, value: Argument, bound: dict[str, Argument]) -> bool:
    """Whether a pattern fits a value, binding its variables."""
    if isinstance(pattern, Variable):
        return bound.setdefault(pattern.name, value) == value
    if not isinstance(value, Term) or pattern.name != value.name or pattern.arity != value.arity:
        return False
    return all(match(p, v, bound) for p, v in zip(pattern.args or (), value.args or (), strict=True))


def _put(term: Argument, bound: dict[str, Argument]) -> Argument:
    if isinstance(term, Variable):
        return bound.get(term.name, term)
    return put_term(term, bound)


def put_term(term: Term, bound: dict[str, Argument]) -> Term:
    """A term with its variables replaced."""
    return term if term.args is None else Term(term.name, tuple(_put(x, bound) for x in term.args))
