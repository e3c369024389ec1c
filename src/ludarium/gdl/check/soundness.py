"""Whether rules have a meaning: variables bound, nothing depending on its own negation, nothing infinite."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from ludarium.core.problems import Problem
from ludarium.gdl.check.analysis import Dependencies, Use, components
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable, key

INDEPENDENT = {
    "init": (("true", "does"), "the initial state is there before any state or move"),
    "base": (("true", "does"), "what may ever hold is the same in all states"),
    "input": (("true", "does"), "what may ever be done is the same in all states"),
    "percept": (("true", "does"), "what may ever be seen is the same in all states"),
    "legal": (("does",), "what is legal is known before the moves are made"),
    "goal": (("does",), "what a state is worth depends on the state alone: remember the move as a fact"),
    "terminal": (
        ("does",),
        "whether a state is an end depends on the state alone: remember the move as a fact",
    ),
}
"""What a keyword must not depend on, and why."""


_SHOWN = 8  # relations on a long way from one to another


def check(rules: Sequence[Rule], dependencies: Dependencies) -> Iterator[Problem]:
    """All errors of meaning."""
    yield from _unsafe(rules)
    yield from _dependent(dependencies)
    yield from _negative_cycles(dependencies)
    yield from _unrestricted_recursion(rules, dependencies)


def _unsafe(rules: Sequence[Rule]) -> Iterator[Problem]:
    for rule in rules:
        bound = {v for literal in rule.body if _binds(literal) for v in literal.atom.variables()}
        if not rule.body and not rule.head.ground:
            if rule.head.name != "role":  # that has a message of its own
                yield Problem(
                    rule.place,
                    f"a fact cannot have variables: {_names(rule.head, bound)} in {rule.head}",
                    "state it for each constant, or make it a rule with conditions",
                )
            continue
        if missing := _names(rule.head, bound):
            yield Problem(
                rule.place,
                f"unsafe rule: nothing says what {missing} in the head may be",
                f"add a positive condition that contains {missing}",
            )
        for literal in rule.body:
            if not _binds(literal) and (missing := _names(literal.atom, bound)):
                word = "distinct" if literal.atom.name == "distinct" else "not"
                yield Problem(
                    literal.place,
                    f"unsafe rule: {missing} occurs under '{word}' and in no positive condition",
                    f"add a positive condition that contains {missing}",
                )


def _binds(literal: Literal) -> bool:
    return not literal.negative and literal.atom.name != "distinct"


def _names(atom: Term, bound: set[Variable]) -> str:
    """List the variables that are not bound, for a message."""
    return " and ".join(dict.fromkeys(str(variable) for variable in atom.variables() if variable not in bound))


def _dependent(dependencies: Dependencies) -> Iterator[Problem]:
    dependents = {keyword: dependencies.dependents(keyword) for keyword in ("true", "does")}
    for relation, definitions in dependencies.definitions.items():
        name = definitions[0].head.name
        if name not in INDEPENDENT:
            continue
        forbidden, reason = INDEPENDENT[name]
        if not any(relation in dependents[keyword] for keyword in forbidden):
            continue
        target = next(each for each in dependencies.reachable(relation) if _keyword(each) in forbidden)
        chain = dependencies.path(relation, target)
        through = [repr(use.literal.atom.name) for use in chain[:-1]]
        via = f" through {', '.join(through[:_SHOWN])}{' ...' if len(through) > _SHOWN else ''}" if through else ""
        yield Problem(chain[0].literal.place, f"'{name}' depends on '{_keyword(target)}'{via}", reason)


def _keyword(relation: str) -> str:
    return relation.split("/", maxsplit=1)[0].split(" ", maxsplit=1)[0]


def _negative_cycles(dependencies: Dependencies) -> Iterator[Problem]:
    """Recursion through negation, rule by rule: `(goal ?r 0)` may depend on `(not (goal ?r 100))`."""
    for group in dependencies.components:
        inner = [
            (relation, use)
            for relation in group
            for target, use in dependencies.edges.get(relation, {}).items()
            if target in group
        ]
        if not any(use.literal.negative for _, use in inner):
            continue
        rules = [rule for relation in group for rule in dependencies.definitions.get(relation, ())]
        edges = _rule_edges(rules)
        graph = {str(i): [str(j) for j in targets] for i, targets in edges.items()}
        for component in components(graph):
            members = {int(name) for name in component}
            cycle = next(
                (
                    _cycle(edges, members, i, j)
                    for i in members
                    for j in edges[i]
                    if j in members and edges[i][j].literal.negative
                ),
                None,
            )
            if cycle:
                names = list(dict.fromkeys(str(use.rule.head) for use in cycle))
                shown = [*names[:_SHOWN], *(["..."] if len(names) > _SHOWN else []), names[0]]
                yield Problem(
                    cycle[0].literal.place,
                    f"recursion through negation: {' <- '.join(shown)}",
                    f"{cycle[0].literal} must not depend on what it helps to define",
                )


def _rule_edges(rules: Sequence[Rule]) -> dict[int, dict[int, Use]]:
    """From each rule to the rules whose heads its conditions may meet, negative conditions first."""
    by_key: dict[str, list[int]] = {}
    for index, rule in enumerate(rules):
        by_key.setdefault(key(rule.head), []).append(index)
    edges: dict[int, dict[int, Use]] = {index: {} for index in range(len(rules))}
    for index, rule in enumerate(rules):
        for literal in sorted(rule.body, key=lambda literal: not literal.negative):
            for other in by_key.get(key(literal.atom), ()):
                if may_meet(literal.atom, rules[other].head):
                    edges[index].setdefault(other, Use(rule, literal))
    return edges


def _cycle(edges: dict[int, dict[int, Use]], members: set[int], start: int, then: int) -> list[Use]:
    """Find the shortest way from a rule over a given next one back to itself."""
    came: dict[int, tuple[int, Use]] = {}
    waiting = deque([then])
    while waiting and then != start and start not in came:
        at = waiting.popleft()
        for target, use in edges[at].items():
            if target in members and target != then and target not in came:
                came[target] = at, use
                waiting.append(target)
    chain, at = [], start
    while at != then:
        at, use = came[at]
        chain.append(use)
    return [edges[start][then], *reversed(chain)]


def may_meet(one: Argument, other: Argument) -> bool:
    """Whether two terms have no constants or functions that differ; variables are taken to be anything."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return True
    if one.name != other.name or one.arity != other.arity or (one.args is None) != (other.args is None):
        return False
    return all(map(may_meet, one.args or (), other.args or ()))


def _unrestricted_recursion(rules: Sequence[Rule], dependencies: Dependencies) -> Iterator[Problem]:
    """GDL's recursion restriction: terms must not grow from one round of a recursion to the next."""
    grows: dict[str, bool] = {}
    for rule in rules:
        head = key(rule.head)
        cyclic = [x for x in rule.body if not x.negative and dependencies.together(head, key(x.atom))]
        if not cyclic:
            continue
        bound = {v for x in rule.body if _binds(x) and x not in cyclic for v in x.atom.variables()}
        group = dependencies.group(head)[0]
        if group not in grows:
            grows[group] = _builds_terms(dependencies, head)
        for literal in cyclic:
            for arg in literal.atom.args or ():
                free = {arg} if isinstance(arg, Variable) else set(arg.variables())
                if free <= bound or arg in (rule.head.args or ()):
                    continue
                yield Problem(
                    literal.place,
                    f"unrestricted recursion: only '{literal.atom.name}', which depends on "
                    f"'{rule.head.name}', says what {arg} may be",
                    f"add a condition on {arg} that is not recursive",
                    warning=not grows[group],
                )


def _builds_terms(dependencies: Dependencies, relation: str) -> bool:
    """Whether a recursion makes new terms, maybe for ever; without them it is against the letter only."""
    return any(
        isinstance(arg, Term) and not arg.ground
        for member in dependencies.group(relation)
        for rule in dependencies.definitions.get(member, ())
        for arg in rule.head.args or ()
    )
