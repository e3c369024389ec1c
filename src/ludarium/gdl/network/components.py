"""What depends on each other: strongly connected components of a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

_DONE = 1 << 62  # comes after every place, so what is done with counts no more


def components(  # noqa: C901
    wanted: Iterable[int], children: Callable[[int], Iterable[int]], known: Iterable[int] = ()
) -> Iterator[tuple[list[int], bool]]:
    """The strongly connected components that are reached from some atoms, lowest first, and whether each is a loop.

    What is known is not asked about. This is Tarjan's algorithm, without recursion.
    """
    index = dict.fromkeys(known, _DONE)
    stack: list[int] = []
    itself: set[int] = set()
    for root in wanted:
        if root in index:
            continue
        index[root] = len(index)
        stack.append(root)
        work = [(root, iter(children(root)), index[root])]
        while work:
            node, rest, low = work.pop()
            for child in rest:
                place = index.get(child)
                if place is None:
                    work.append((node, rest, low))
                    index[child] = len(index)
                    stack.append(child)
                    work.append((child, iter(children(child)), index[child]))
                    break
                if place < low:
                    low = place
                elif child == node:
                    itself.add(node)
            else:
                if low < index[node]:
                    above, others, lowest = work.pop()
                    work.append((above, others, min(low, lowest)))
                    continue
                component = [stack.pop()]
                while component[-1] != node:
                    component.append(stack.pop())
                for each in component:
                    index[each] = _DONE
                yield component, len(component) > 1 or node in itself
