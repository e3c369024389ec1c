"""Rules made ready for grounding: what is against the letter and has only one sensible meaning is mended.

There are descriptions that leave out `(role ?p)` where a role is meant, that derive their roles, or that keep
unsafe rules which nothing uses. Other systems play them, so we do; everything else that is wrong is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ludarium.gdl.check import soundness
from ludarium.gdl.check.analysis import Dependencies
from ludarium.gdl.ground.ground import dynamic_relations, ground
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import KEYWORDS, Literal, Rule, Term, Variable

_OF_ROLES = ("legal", "goal", "input", "sees", "percept")


def mended(rules: Sequence[Rule]) -> list[Rule]:
    """Mend the rules as far as it goes.

    >>> from ludarium.gdl.text.reader import parse
    >>> rest = "(<= (goal ?p 50) terminal) (<= terminal (true over)) (legal x end) (next over)"
    >>> for rule in mended(parse(f"(player x) (<= (role ?p) (player ?p)) {rest}")):
    ...     print(rule)
    (role x)
    (<= (goal ?p 50) terminal (role ?p))
    (<= terminal (true over))
    (legal x end)
    (next over)
    """
    return _below([_with_role(rule) for rule in _with_role_facts(rules)], KEYWORDS)  # what nothing asks for is left out


def extent(rules: Sequence[Rule], relation: str, arity: int) -> list[str]:
    """Work out a relation that never changes: its arguments as texts, sorted.

    >>> from ludarium.gdl.text.reader import parse
    >>> extent(parse("(succ 1 2) (succ 2 3) (<= (base (at ?n)) (succ ?m ?n))"), "base", 1)
    ['(at 2)', '(at 3)']
    """
    arguments = tuple(Variable(f"v{place}") for place in range(arity))
    found = Term("init", (arguments[0] if arity == 1 else Term(" row", arguments),))
    needed = _below(rules, {relation})
    grounded = ground([*needed, Rule(found, (Literal(Term(relation, arguments)),))])
    texts = sorted(grounded.names["init"])
    return texts if arity == 1 else [text.removeprefix("( row ").removesuffix(")") for text in texts]


def _with_role_facts(rules: Sequence[Rule]) -> list[Rule]:
    """Put facts in the place of rules that derive roles, in the order of the alphabet."""
    derived = [rule for rule in rules if rule.head.name == "role" and rule.body]
    needed = _below(rules, {"role"})
    if not derived or "role" in dynamic_relations(rules) or _unsound(needed):
        return list(rules)  # which is told as an error then
    known = {str(rule.head) for rule in rules if not rule.body}
    every = map(parse_term, extent(needed, "role", 1))
    facts = [Rule(Term("role", (role,)), (), derived[0].place) for role in every]
    new = [fact for fact in facts if str(fact.head) not in known]
    first = rules.index(derived[0])
    kept = [rule for rule in rules[first:] if rule not in derived]
    return [*rules[:first], *new, *kept]


def _unsound(rules: Sequence[Rule]) -> bool:
    return any(not problem.warning for problem in soundness.check(rules, Dependencies(rules)))


def _with_role(rule: Rule) -> Rule:
    """Say that what stands where a role belongs is a role, if nothing else says what it is."""
    args = rule.head.args or ()
    if rule.head.name not in _OF_ROLES or not args or not isinstance(args[0], Variable):
        return rule
    binding = (x.atom for x in rule.body if not x.negative and x.atom.name != "distinct")
    if any(args[0] in atom.variables() for atom in binding):
        return rule
    return Rule(rule.head, (*rule.body, Literal(Term("role", (args[0],)), place=rule.place)), rule.place)


def _below(rules: Sequence[Rule], names: set[str] | frozenset[str]) -> list[Rule]:
    """Select the rules of some relations, and of all that these are defined by."""
    by_name = defaultdict(list)
    for rule in rules:
        by_name[rule.head.name].append(rule)
    found, waiting = set(names), list(names)
    while waiting:
        for rule in by_name[waiting.pop()]:
            new = {literal.atom.name for literal in rule.body} - found
            found |= new
            waiting += new
    return [rule for rule in rules if rule.head.name in found]
