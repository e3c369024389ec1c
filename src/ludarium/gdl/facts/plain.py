"""What is plain from a network without a search: that roles take turns, that a counter ends the game, that goals add up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from ludarium.gdl.facts.proof import engine_fact
from ludarium.gdl.network.network import FALSE, TRUE, Network

_DEPTH = 6  # how far below a literal it is looked for what follows from it
_WIDE = 64  # alternatives that are looked at


def takes_turns(net: Network, seats: Sequence[int]) -> bool:
    """Whether it is plain that no two roles ever have a choice at once: each has one only if a fact of its own holds."""
    needs = {role: _needs(net, role) for role in seats}
    alone = _Alone(net)
    return all(
        any(alone(f, g) for f in needs[r] for g in needs[s])
        for r, s in combinations([role for role in seats if len(_moves(net, role)) > 1], 2)
    )


def exclusive(net: Network) -> list[list[int]]:
    """Relations of which it is plain that never two facts hold at once, like whose turn it is."""
    alone = _Alone(net)
    return [facts for facts in by_relation(net).values() if len(facts) > 1 and alone.holds(frozenset(facts))]


def counts_plies(net: Network) -> int | None:
    """The length of the longest match, if there is a plain counter: a chain of facts, each followed by the next."""
    ends = set(alternatives(net, net.terminal))
    bounds = []
    for facts in by_relation(net).values():
        before = {fact: enough_for(net, fact) for fact in facts}
        begun = [fact for fact in facts if net.initial[fact]]
        inside = {2 * fact for fact in facts}
        if len(begun) != 1 or any(sources is None or not inside.issuperset(sources) for sources in before.values()):
            continue
        after: dict[int, list[int]] = defaultdict(list)
        for fact, sources in before.items():
            for x in sources or ():
                after[x].append(fact)
        here, plies = 2 * begun[0], 0
        while here not in ends and len(after[here]) == 1 and plies < len(facts):
            here = 2 * after[here][0]
            plies += 1
        if here in ends:
            bounds.append(max(plies, 1))
    return min(bounds, default=None)


def adds_up(net: Network, seats: Sequence[int]) -> bool:
    """Whether it is plain that the goals of two roles add up to the same: what one gains the other loses."""
    if len(seats) != 2:
        return False
    first, second = ([(value, x) for value, x in net.goals[role] if x != FALSE] for role in seats)
    totals = {a + b for a, _ in first for b, _ in second}
    return any(sorted((total - a, x) for a, x in first) == sorted(second) for total in totals)


def _moves(net: Network, role: int) -> list[tuple[int, int]]:
    """The guard and the gate of each move of a role."""
    return [(group.guard, gate) for group in net.moves if group.role == role for gate in group.gates]


def _needs(net: Network, role: int) -> list[int]:
    """The literals without which a role has no choice: all of its moves but one need them."""
    counts: Counter[int] = Counter()
    total = 0
    for group in net.moves:
        if group.role != role:
            continue
        total += len(group.gates)
        if group.guard != TRUE:
            for x in _follow(net, group.guard):
                counts[x] += len(group.gates)
        else:
            for gate in group.gates:
                counts.update(_follow(net, gate))
    inputs = 2 * len(net.facts)
    return [x for x, count in counts.items() if count >= total - 1 and x < inputs]


def _follow(net: Network, x: int, depth: int = _DEPTH) -> frozenset[int]:
    """Literals that hold whenever a literal holds, itself included."""
    first = len(net.facts) + len(net.does)
    if x < 2 * first or depth == 0:
        return frozenset([x] if x >= 0 else [])
    literals, least = net.inputs[(x >> 1) - first], net.threshold[(x >> 1) - first]
    every = (least == len(literals) and not x & 1) or (least == 1 and bool(x & 1))
    parts = [_follow(net, y ^ (x & 1), depth - 1) for y in literals if y >= 0]
    if every:
        return frozenset([x]).union(*parts)
    if least not in (1, len(literals)) or len(literals) > _WIDE or len(parts) < len(literals) or not parts:
        return frozenset([x])
    return frozenset([x]).union(frozenset.intersection(*parts))


class _Alone:
    """Which literals of facts exclude each other in all states."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.relations = by_relation(net)
        self.known: dict[frozenset[int], bool] = {}

    def __call__(self, f: int, g: int) -> bool:
        if f ^ 1 == g:
            return True
        if f & 1 or g & 1 or f == g:
            return False
        same = [facts for facts in self.relations.values() if f >> 1 in facts or g >> 1 in facts]
        pair = frozenset({f >> 1, g >> 1})
        return self.holds(pair.union(*same)) or self.holds(pair)

    def holds(self, facts: frozenset[int]) -> bool:
        """Whether it is plain that never two of the facts hold at once."""
        if facts not in self.known:
            self.known[facts] = len(facts) <= _WIDE and self._kept(facts)
        return self.known[facts]

    def _kept(self, facts: frozenset[int]) -> bool:
        """Whether never two of the facts hold: not at first, and no two come about unless two held before."""
        net = self.net
        if sum(net.initial[fact] for fact in facts) > 1 or any(engine_fact(net.facts[fact]) for fact in facts):
            return False
        coming = {fact: _follow(net, net.next[fact]) for fact in facts if net.next[fact] != FALSE}
        members = {2 * fact for fact in facts}
        return all(
            net.next[f] != net.next[g] and self._contrary(coming[f] | coming[g], members)
            for f, g in combinations(sorted(coming), 2)
        )

    def _contrary(self, literals: frozenset[int], members: set[int]) -> bool:
        return len(literals & members) > 1 or any(x ^ 1 in literals for x in literals)


def by_relation(net: Network) -> dict[str, list[int]]:
    """The facts with one argument, or with none, by relation."""
    found: dict[str, list[int]] = defaultdict(list)
    for fact, text in enumerate(net.facts):
        if text.count(" ") <= 1 and not engine_fact(text):
            found[text.partition(" ")[0]].append(fact)
    return found


def enough_for(net: Network, fact: int) -> list[int] | None:
    """The facts of which one must hold for another to come about, and each of which is enough; None if it is not that plain."""
    found = list(alternatives(net, net.next[fact]))
    return found if all(0 <= x < 2 * len(net.facts) and not x & 1 for x in found) else None


def alternatives(net: Network, x: int) -> Iterator[int]:
    """The literals each of which is enough for a literal to hold, and of which one must."""
    gate = (x >> 1) - len(net.facts) - len(net.does)
    looped = any(first <= x >> 1 < end for first, end in net.components)
    if x >= 0 and gate >= 0 and not x & 1 and net.threshold[gate] == 1 and not looped:
        for y in net.inputs[gate]:
            yield from alternatives(net, y)
    elif x != FALSE:
        yield x
