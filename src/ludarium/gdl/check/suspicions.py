"""What a slip of the pen looks like: names that lead nowhere, or that nearly are another name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import islice

from ludarium.core.problems import Place, Problem
from ludarium.gdl.check.analysis import Dependencies
from ludarium.gdl.ground.domains import Domains
from ludarium.gdl.text.syntax import KEYWORDS, Rule, Term, Variable

LIKENESS = 0.7  # how alike two names are before one that is wrong is taken for a slip of the other
SINGLE_LIKENESS = 0.85  # the same for a name that nothing else is wrong with
VARIABLE_LIKENESS = 0.8  # the same for variables of a rule
MANY_NAMES = 2000  # among which nobody looks for one that is like another
LONG_NAME = 100  # letters, with which a name is compared to no other
MANY_VARIABLES = 100  # of a rule, among which nobody looks
MANY_SLIPS = 500  # after which no more are looked for


def check(rules: Sequence[Rule], dependencies: Dependencies) -> Iterator[Problem]:
    """All that looks like a slip; what contradicts `base` and `input` is an error, the rest are warnings."""
    yield from islice(_undefined(dependencies), MANY_SLIPS)
    yield from islice(_unused(dependencies), MANY_SLIPS)
    yield from _never_holding(rules)
    yield from islice(_unknown_roles(rules), MANY_SLIPS)
    yield from islice(_single_variables(rules), MANY_SLIPS)
    yield from islice(_single_names(rules), MANY_SLIPS)
    yield from _letter_case(rules)


def _undefined(dependencies: Dependencies) -> Iterator[Problem]:
    """Relations that are used and never defined, facts that are asked for and never made."""
    defined = {_name_in_conditions(name) for name in dependencies.definitions}
    names = {_plain(name) for name in defined}
    for relation, uses in dependencies.uses.items():
        keyword, _, fact = relation.rpartition(" ")
        wanted = f"true {fact}" if keyword else relation
        if wanted in defined or "true/1" in defined or (not keyword and _plain(relation) in KEYWORDS):
            continue
        name, place = _plain(relation), uses[0].literal.place
        near = "" if name in names else _near(name, names)
        if keyword == "true":
            yield Problem(place, f"no 'init' or 'next' ever makes {_shown(fact)} true", near, warning=True)
        elif not keyword and name not in names:
            yield Problem(place, f"the relation '{name}' is never defined", near, warning=True)


def _unused(dependencies: Dependencies) -> Iterator[Problem]:
    """Relations and facts that are made and never looked at."""
    used = {_name_in_conditions(name) for name in dependencies.uses}
    asked = {_plain(use) for use in dependencies.uses if use not in dependencies.definitions}
    for relation, definitions in dependencies.definitions.items():
        keyword, _, fact = relation.rpartition(" ")
        name, place = _plain(relation), definitions[0].place
        if keyword in ("init", "next"):
            if f"true {fact}" not in used and "true/1" not in used:
                yield Problem(place, f"{_shown(fact)} is made true, but nothing asks for it", warning=True)
        elif not keyword and name not in KEYWORDS and relation not in used:
            yield Problem(place, f"the relation '{name}' is never used", _near(name, asked), warning=True)


def _name_in_conditions(relation: str) -> str:
    """Name a relation as conditions do: what `init` and `next` make is asked for with `true`."""
    for keyword in ("init", "next"):
        if relation.startswith((f"{keyword} ", f"{keyword}/")):
            return "true" + relation[len(keyword) :]
    return relation


def _plain(relation: str) -> str:
    return relation.rpartition(" ")[2].rpartition("/")[0]


def _shown(fact: str) -> str:
    name, _, arity = fact.rpartition("/")
    return name if arity == "0" else f"({' '.join([name, *['_'] * int(arity)])})"


def _near(name: str, names: Iterable[str]) -> str:
    nearest = _nearest(name, sorted(set(names) - {name}), LIKENESS)
    return f"did you mean '{nearest}'?" if nearest else ""


def _nearest(name: str, names: Sequence[str], likeness: float) -> str:
    """Find the name that is most like another, if any is; among very many that would take too long."""
    few = len(names) <= MANY_NAMES and len(name) <= LONG_NAME
    return next(iter(get_close_matches(name, names, n=1, cutoff=likeness)), "") if few else ""


def _never_holding(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Conditions with a constant that never comes there; `base` and `input` that leave something out."""
    domains = Domains(rules)
    for rule in rules:
        for literal in rule.body:
            misfit = domains.misfit(literal.atom)
            if misfit and literal.atom.name != "distinct":
                label, known = misfit
                always = "is always true" if literal.negative else "never holds"
                hint = _near(label.name, (other.name for other in known)) or f"there may be {_some(map(str, known))}"
                yield Problem(literal.place, f"{literal} {always}: {label} never comes there", hint, warning=True)
        for made, declared in (("init", "base"), ("next", "base"), ("legal", "input")):
            if rule.head.name == made and domains.fires(rule):
                yield from _left_out(rule, Term(declared, rule.head.args), domains)


def _left_out(rule: Rule, declared: Term, domains: Domains) -> Iterator[Problem]:
    misfit = domains.misfit(declared)
    if misfit:
        left_out = (declared.args or ())[-1]
        detail = "" if str(misfit[0]) == str(left_out) else f": it never has {misfit[0]} there"
        hint = f"declare it, or leave out '{declared.name}' altogether"
        yield Problem(rule.place, f"'{declared.name}' leaves out {left_out}{detail}", hint)


def _some(names: Iterable[str]) -> str:
    first = sorted(set(names))
    return ", ".join(first[:6]) + (" ..." if len(first) > 6 else "")


def _unknown_roles(rules: Sequence[Rule]) -> Iterator[Problem]:
    roles = {str(arg) for rule in rules if rule.head.name == "role" for arg in rule.head.args or ()}
    for rule in rules:
        for place, atom in ((rule.place, rule.head), *((x.place, x.atom) for x in rule.body)):
            if atom.name in ("legal", "does", "goal", "sees", "input", "percept") and atom.args:
                role = atom.args[0]
                if isinstance(role, Term) and role.args is None and role.name not in roles:
                    hint = _near(role.name, roles) or f"the roles are {_some(roles)}"
                    yield Problem(place, f"{role} in {atom} is not a role", hint, warning=True)


def _single_variables(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Variables that occur once and nearly are another one of the statement.

    A variable that occurs once is otherwise nothing odd: GDL has no other way to say "whatever". The
    alternatives of an `or` belong to one statement.
    """
    statements: dict[Place, list[Rule]] = {}
    for rule in rules:
        statements.setdefault(rule.place, []).append(rule)
    for place, alternatives in statements.items():
        atoms = {(place, alternatives[0].head)} | {(x.place, x.atom) for rule in alternatives for x in rule.body}
        counts = Counter(variable.name for _, atom in atoms for variable in atom.variables())
        for name, count in counts.items():
            if count > 1 or len(counts) > MANY_VARIABLES:
                continue
            others = sorted(other for other in counts if not _numbered_alike(name, other))
            if near := _nearest(name, others, VARIABLE_LIKENESS):
                hint = f"did you mean ?{near}?"
                yield Problem(place, f"the variable ?{name} occurs only once", hint, warning=True)


def _numbered_alike(one: str, other: str) -> bool:
    """Whether two names are one of a series: `x1` and `x2`, `from_x` and `from_y`."""
    return _stem(one) == _stem(other)


def _stem(name: str) -> str:
    return re.sub(r"\d|_.$|[A-Z]$", "", name)


def _single_names(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Names that occur once and nearly are another one that occurs more often."""
    places: dict[str, Place] = {}
    counts: Counter[str] = Counter()
    for rule in dict.fromkeys(rules):
        for place, atom in ((rule.place, rule.head), *((x.place, x.atom) for x in rule.body)):
            for name in _names(atom):
                counts[name] += 1
                places.setdefault(name, place)
    common = [name for name, count in counts.items() if count > 2 and name not in KEYWORDS and name.isalpha()]
    for name, count in counts.items():
        if count == 1 and len(name) > 4 and name.isalpha() and (near := _nearest(name, common, SINGLE_LIKENESS)):
            yield Problem(places[name], f"'{name}' occurs only once", f"did you mean '{near}'?", warning=True)


def _names(term: Term) -> Iterator[str]:
    yield term.name
    for arg in term.args or ():
        if not isinstance(arg, Variable):
            yield from _names(arg)


def _letter_case(rules: Sequence[Rule]) -> Iterator[Problem]:
    """Names that differ in upper and lower case only, variables within a rule, others anywhere."""
    spellings: dict[str, str] = {}
    reported: set[str] = set()
    for rule in rules:
        variables: dict[str, str] = {}
        for place, atom in ((rule.place, rule.head), *((x.place, x.atom) for x in rule.body)):
            found = [(name, spellings) for name in _names(atom)]
            found += [(str(variable), variables) for variable in atom.variables()]
            for name, known in found:
                other = known.setdefault(name.casefold(), name)
                if other != name and (name not in reported or known is variables):
                    reported.add(name)
                    message = f"'{name}' and '{other}' differ in case only, and are different names"
                    yield Problem(place, message, f"write '{other}' if the same is meant", warning=True)
