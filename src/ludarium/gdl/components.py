"""What depends on each other: strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def components(  # noqa: C901
    wanted: Iterable[int], children: Callable[[int], Iterable[int]]
) -> Iterator[tuple[list[int], bool]]:
    """The strongly connected components that are reached from some atoms, lowest first, and whether each is a loop.

    This is Tarjan's algorithm, without recursion.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    on: set[int] = set()
    itself: set[int] = set()
    for root in wanted:
        if root in index:
            continue
        work = [(root, iter(children(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for child in rest:
                if child not in index:
                    index[child] = low[child] = len(index)
                    stack.append(child)
                    on.add(child)
                    work.append((child, iter(children(child))))
                    break
                if child in on:
                    low[node] = min(low[node], index[child])
                    if child == node:
                        itself.add(node)
            else:
                work.pop()
                if work and low[node] < low[work[-1][0]]:
                    low[work[-1][0]] = low[node]
                if low[node] == index[node]:
                    component = [stack.pop()]
                    while component[-1] != node:
                        component.append(stack.pop())
                    on.difference_update(component)
                    yield component, len(component) > 1 or node in itself
