"""How the relations of a description hang together: what is defined by what, and what is recursive.

A relation goes by its `key`: name and arity, with the facts of a state told apart (`true cell/3`,
`next cell/3`). Nothing leads from a `true` to a `next`: dependence is within one moment of a game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple

from ludarium.gdl.text.syntax import Literal, Rule, key


class Scope(IntEnum):
    """What a relation depends on."""

    STATIC = 0
    """On nothing: it is the same all through the game."""
    STATE = 1
    """On the facts of the state."""
    JOINT = 2
    """On the moves just made, too."""


class Use(NamedTuple):
    """A literal in the body of a rule."""

    rule: Rule
    literal: Literal


class Dependencies:
    """The graph of all relations: an edge for every literal, from the relation that it helps to define."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.definitions: dict[str, list[Rule]] = {}
        """The rules and facts per relation, in the order of the file."""
        self.uses: dict[str, list[Use]] = {}
        """Where a relation occurs in bodies, in the order of the file."""
        self.edges: dict[str, dict[str, Use]] = {}
        """Per relation what it is defined by, with a literal that says so, a negative one if any does."""
        for rule in rules:
            head = key(rule.head)
            self.definitions.setdefault(head, []).append(rule)
            edges = self.edges.setdefault(head, {})
            for literal in rule.body:
                target = key(literal.atom)
                use = Use(rule, literal)
                self.uses.setdefault(target, []).append(use)
                if target not in edges or literal.negative > edges[target].literal.negative:
                    edges[target] = use
        self.components = components({head: list(edges) for head, edges in self.edges.items()})
        """The relations in groups that depend on each other, every group after those it needs."""
        self._component = {name: index for index, group in enumerate(self.components) for name in group}

    def reachable(self, relation: str) -> frozenset[str]:
        """All that a relation depends on; itself only if it is recursive."""
        return _reached([relation], self.edges)

    def dependents(self, keyword: str) -> frozenset[str]:
        """All relations that depend on a keyword."""
        users: dict[str, list[str]] = {}
        for relation, edges in self.edges.items():
            for target in edges:
                users.setdefault(target, []).append(relation)
        return _reached([name for name in users if _keyword(name) == keyword], users)

    def scope(self, relation: str) -> Scope:
        """Say what a relation depends on."""
        names = {_keyword(name) for name in (*self.reachable(relation), relation)}
        return Scope.JOINT if "does" in names else Scope.STATE if "true" in names else Scope.STATIC

    def together(self, one: str, other: str) -> bool:
        """Whether two relations depend on each other (a relation on itself: whether it is recursive)."""
        index = self._component.get(one)
        if index is None or index != self._component.get(other):
            return False
        return len(self.components[index]) > 1 or other in self.edges.get(one, ())

    def group(self, relation: str) -> tuple[str, ...]:
        """The relations that depend on each other, this one among them."""
        return self.components[self._component[relation]]

    def path(self, start: str, goal: str) -> list[Use]:
        """Find the shortest chain of literals that leads from a relation to another; empty if none does."""
        came: dict[str, tuple[str, Use]] = {}
        waiting = deque([start])
        while waiting and goal not in came:
            name = waiting.popleft()
            for target, use in self.edges.get(name, {}).items():
                if target not in came:
                    came[target] = name, use
                    waiting.append(target)
        chain: list[Use] = []
        while goal in came and not (chain and goal == start):
            goal, use = came[goal]
            chain.append(use)
        return chain[::-1]

    def strata(self) -> dict[str, int]:
        """Count the negations below each relation; it makes sense if none depends on its own negation."""
        result: dict[str, int] = {}
        for group in self.components:
            level = 0
            for name in group:
                for target, use in self.edges.get(name, {}).items():
                    if target not in group:
                        level = max(level, result[target] + use.literal.negative)
            result.update(dict.fromkeys(group, level))
        return result


def _keyword(relation: str) -> str:
    return relation.split("/", maxsplit=1)[0].split(" ", maxsplit=1)[0]


def _reached(starts: Iterable[str], edges: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """What edges lead to from some names, in any number of steps, but at least one."""
    found: set[str] = set()
    waiting = list(starts)
    while waiting:
        new = set(edges.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return frozenset(found)


def components(graph: Mapping[str, Iterable[str]]) -> list[tuple[str, ...]]:
    """Find the strongly connected components, each after those that it points to (Tarjan)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    is_open: set[str] = set()
    result: list[tuple[str, ...]] = []
    for root in graph:
        if root in number:
            continue
        work = [(root, iter(graph[root]))]
        number[root] = low[root] = len(number)
        open_names.append(root)
        is_open.add(root)
        while work:
            name, targets = work[-1]
            for target in targets:
                if target not in number:
                    number[target] = low[target] = len(number)
                    open_names.append(target)
                    is_open.add(target)
                    work.append((target, iter(graph.get(target, ()))))
                    break
                if target in is_open:
                    low[name] = min(low[name], number[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == number[name]:
                    group = [open_names.pop()]
                    while group[-1] != name:
                        group.append(open_names.pop())
                    result.append(tuple(reversed(group)))
                    is_open.difference_update(group)
    return result
