"""Graphs that pieces on the edges of a board make: whether they are trees, paths, circles, and where a tree has its centre.

A board is one table of numbers (`graph_table`): how many vertices and edges there are, where the edges of each vertex begin in a
list, that list, and the two ends of each edge. The edges that count are a set of bits; `work` is memory for `WORK` numbers of
each vertex.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.kernel import i32, i64, kernel, u64, view

WORK = 5
"""How many numbers of each vertex the kernels work with."""


def graph_table(vertices: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """So many vertices, and edges between them, as one table."""
    touching: list[list[int]] = [[] for _ in range(vertices)]
    for edge, ends in enumerate(edges):
        for vertex in ends:
            touching[vertex].append(edge)
    rows = [0]
    for each in touching:
        rows.append(rows[-1] + len(each))
    listed = [edge for each in touching for edge in each]
    return [vertices, len(edges), *rows, *listed, *(vertex for ends in edges for vertex in ends)]


@kernel
def end_of(graph: view[i32], edge: i64, which: i64) -> i64:
    """One of the two ends of an edge."""
    return i64(graph[3 + graph[0] + 2 * graph[1] + 2 * edge + which])


@kernel
def edge_of(graph: view[i32], vertex: i64, number: i64) -> i64:
    """One of the edges of a vertex; -1 where there are no more."""
    at = i64(graph[2 + vertex]) + number
    if at >= graph[3 + vertex]:
        return -1
    return i64(graph[3 + graph[0] + at])


@kernel
def has_edge(mine: view[u64], edge: i64) -> bool:
    """Whether an edge counts."""
    return bool((mine[edge >> 6] >> u64(edge & 63)) & u64(1) == u64(1))


@kernel
def beyond(graph: view[i32], mine: view[u64], vertex: i64, number: i64) -> i64:
    """Where one of the edges of a vertex leads to: -1 if it does not count, -2 where there are no more."""
    edge = edge_of(graph, vertex, number)
    if edge < 0:
        return -2
    if not has_edge(mine, edge):
        return -1
    return end_of(graph, edge, 0) + end_of(graph, edge, 1) - vertex


@kernel
def edge_between(graph: view[i32], one: i64, two: i64) -> i64:
    """The edge between two vertices, or -1."""
    if one < 0 or two < 0 or one >= graph[0] or two >= graph[0]:
        return -1
    number = 0
    edge = edge_of(graph, one, number)
    while edge >= 0:
        if end_of(graph, edge, 0) + end_of(graph, edge, 1) - one == two:
            return edge
        number += 1
        edge = edge_of(graph, one, number)
    return -1


@kernel
def root_of(work: view[i64], vertex: i64) -> i64:
    """The vertex that stands for all that are joined with one."""
    at = vertex + 0
    while work[at] != at:
        at = work[at]
    return at


@kernel
def join_all(graph: view[i32], mine: view[u64], work: view[i64]) -> i64:
    """Join the vertices along edges: how many edges there are, -1 if some make a circle."""
    for vertex in range(graph[0]):
        work[vertex] = vertex
    count = 0
    circle = False
    for edge in range(graph[1]):
        if has_edge(mine, edge):
            one = root_of(work, end_of(graph, edge, 0))
            two = root_of(work, end_of(graph, edge, 1))
            count += 1
            if one == two:
                circle = True
            work[one] = two
    return -1 if circle else count


@kernel
def degree_of(graph: view[i32], mine: view[u64], vertex: i64) -> i64:
    """How many edges of a vertex count."""
    count = 0
    number = 0
    to = beyond(graph, mine, vertex, number)
    while to > -2:
        if to >= 0:
            count += 1
        number += 1
        to = beyond(graph, mine, vertex, number)
    return count


@kernel
def is_tree(graph: view[i32], mine: view[u64], work: view[i64]) -> bool:
    """Whether edges make no circle."""
    return join_all(graph, mine, work) >= 0


@kernel
def is_spanning(graph: view[i32], mine: view[u64], work: view[i64]) -> bool:
    """Whether edges make one tree of all vertices."""
    return join_all(graph, mine, work) == i64(graph[0]) - 1


@kernel
def is_caterpillar(graph: view[i32], mine: view[u64], work: view[i64]) -> bool:
    """Whether edges make a tree of all vertices that is a path, once its leaves are gone."""
    if not is_spanning(graph, mine, work):
        return False
    inner = 0
    for vertex in range(graph[0]):
        work[vertex] = 0
    for edge in range(graph[1]):
        if has_edge(mine, edge):
            one = end_of(graph, edge, 0)
            two = end_of(graph, edge, 1)
            if degree_of(graph, mine, one) > 1 and degree_of(graph, mine, two) > 1:
                inner += 1
                work[one] += 1
                work[two] += 1
    for vertex in range(graph[0]):
        if work[vertex] > 2:
            return False
    return inner > 0


@kernel
def common_degree(graph: view[i32], mine: view[u64]) -> i64:
    """How many edges each vertex has, if that is the same for all; else -1."""
    degree = degree_of(graph, mine, 0)
    for vertex in range(1, graph[0]):
        if degree_of(graph, mine, vertex) != degree:
            return -1
    return degree


@kernel
def path_size(graph: view[i32], mine: view[u64], edge: i64, work: view[i64]) -> i64:
    """How many edges the path has that an edge lies on; -1 if what it belongs to is no path."""
    added = mine[edge >> 6]
    mine[edge >> 6] |= u64(1) << u64(edge & 63)
    join_all(graph, mine, work)
    root = root_of(work, end_of(graph, edge, 0))
    vertices = 0
    ends = 0
    most = 0
    for vertex in range(graph[0]):
        if root_of(work, vertex) == root:
            degree = degree_of(graph, mine, vertex)
            vertices += 1
            ends += degree
            most = max(most, degree)
    mine[edge >> 6] = added
    if most > 2 or ends != 2 * (vertices - 1):
        return -1
    return vertices - 1


@kernel
def mark_circles(graph: view[i32], mine: view[u64], edge: i64, work: view[i64]) -> i64:
    """Mark the vertices that no single edge cuts off from an end of an edge: how many, or 0 if the other end is none of them."""
    n = i64(graph[0])
    start = end_of(graph, edge, 0)
    for k in range(4 * n):
        work[k] = 0
    here = start
    work[here] = 1  # depth, then the least depth that can be reached, the edge that is next, and who came before
    work[n + here] = 1
    work[3 * n + here] = -1
    while here >= 0:
        to = beyond(graph, mine, here, work[2 * n + here])
        work[2 * n + here] += 1
        before = work[3 * n + here]
        if to >= 0 and to != before:
            if work[to] == 0:
                work[to] = work[here] + 1
                work[n + to] = work[to]
                work[3 * n + to] = here
                here = to
            else:
                work[n + here] = min(work[n + here], work[to])
        elif to == -2:
            if before >= 0:
                work[n + before] = min(work[n + before], work[n + here])
            here = before
    count = 0
    for vertex in range(n):
        at = vertex + 0
        while at != start and work[at] > 0 and work[n + at] < work[at]:
            at = work[3 * n + at]
        work[2 * n + vertex] = 1 if at == start else 0
        count += work[2 * n + vertex]
    return count if work[2 * n + end_of(graph, edge, 1)] == 1 else 0


@kernel
def way_round(graph: view[i32], mine: view[u64], edge: i64, work: view[i64]) -> i64:
    """How many edges a circle through an edge has: low numbers come first, as in Ludii, so it may not be the shortest."""
    n = i64(graph[0])
    start = end_of(graph, edge, 0)
    goal = end_of(graph, edge, 1)
    for vertex in range(n):
        work[vertex] = n + 1  # distance, before, waiting, seen
        work[n + vertex] = -1
        work[2 * n + vertex] = 0
        work[3 * n + vertex] = 0
    work[start] = 0
    work[2 * n + start] = 1
    here = start
    while here < n and here != goal:
        work[2 * n + here] = 0
        if work[3 * n + here] == 0:
            work[3 * n + here] = 1
            number = 0
            to = beyond(graph, mine, here, number)
            while to > -2:
                if to >= 0 and edge_of(graph, here, number) != edge and work[to] > work[here] + 1:
                    work[to] = work[here] + 1
                    work[n + to] = here
                    work[2 * n + to] = 1
                number += 1
                to = beyond(graph, mine, here, number)
        here = 0
        while here < n and work[2 * n + here] == 0:
            here += 1
    length = 1
    at = goal
    while at != start and at >= 0:
        length += 1
        at = work[n + at]
    return length


@kernel
def circle_size(graph: view[i32], mine: view[u64], edge: i64, work: view[i64]) -> i64:
    """How many edges the circle has that an edge lies on; below zero where several meet, 0 if there is none."""
    n = i64(graph[0])
    size = mark_circles(graph, mine, edge, work)
    if size == 0:
        return 0
    inside = 0
    for each in range(graph[1]):
        joins = work[2 * n + end_of(graph, each, 0)] == 1 and work[2 * n + end_of(graph, each, 1)] == 1
        if joins and has_edge(mine, each):
            inside += 1
    return size if inside <= size else -way_round(graph, mine, edge, work)


@kernel
def has_triangle(graph: view[i32], mine: view[u64], vertex: i64) -> bool:
    """Whether two neighbours of a vertex are neighbours of each other."""
    number = 0
    one = beyond(graph, mine, vertex, number)
    while one > -2:
        other = number + 1
        two = beyond(graph, mine, vertex, other)
        while two > -2:
            if one >= 0 and two >= 0:
                edge = edge_between(graph, one, two)
                if edge >= 0 and has_edge(mine, edge):
                    return True
            other += 1
            two = beyond(graph, mine, vertex, other)
        number += 1
        one = beyond(graph, mine, vertex, number)
    return False


@kernel
def count_side(graph: view[i32], mine: view[u64], vertex: i64, before: i64, work: view[i64]) -> i64:
    """How many vertices of a tree are beyond one, seen from another."""
    n = i64(graph[0])
    work[n] = vertex
    work[2 * n] = before
    top = 1
    count = 0
    while top > 0:
        top -= 1
        here = work[n + top]
        origin = work[2 * n + top]
        count += 1
        number = 0
        to = beyond(graph, mine, here, number)
        while to > -2:
            if to >= 0 and to != origin:
                work[n + top] = to
                work[2 * n + top] = here
                top += 1
            number += 1
            to = beyond(graph, mine, here, number)
    return count


@kernel
def greedy_way(graph: view[i32], mine: view[u64], vertex: i64, work: view[i64]) -> i64:
    """How many vertices there are on the way that always goes on to the next vertex with the lowest number."""
    n = i64(graph[0])
    for k in range(n):
        work[n + k] = 0
    count = 0
    here = vertex + 0
    while here >= 0:
        work[n + here] = 1
        count += 1
        best = -1
        number = 0
        to = beyond(graph, mine, here, number)
        while to > -2:
            if to >= 0 and work[n + max(to, 0)] == 0 and (best < 0 or to < best):
                best = to
            number += 1
            to = beyond(graph, mine, here, number)
        here = best
    return count


@kernel
def centre_of(graph: view[i32], mine: view[u64], vertex: i64, work: view[i64]) -> i64:
    """The vertex of a tree that has no more than half of it on any side, coming from the one with the lowest number."""
    root = root_of(work, vertex)
    here = 0
    while root_of(work, here) != root:
        here += 1
    total = count_side(graph, mine, here, -1, work)
    before = -1
    goes = True
    while goes:
        goes = False
        best = -1
        number = 0
        to = beyond(graph, mine, here, number)
        while to > -2:
            first = to >= 0 and to != before and (best < 0 or to < best)
            if first and count_side(graph, mine, to, here, work) > total // 2:
                best = to
            number += 1
            to = beyond(graph, mine, here, number)
        if best >= 0:
            before = here
            here = best
            goes = True
    return here


@kernel
def is_centre(graph: view[i32], mine: view[u64], vertex: i64, work: view[i64]) -> bool:
    """Whether a vertex is the centre of its tree, or as good as it."""
    if join_all(graph, mine, work) < 0:
        return False
    degree = degree_of(graph, mine, vertex)
    centre = 0
    if degree > 0:
        centre = centre_of(graph, mine, vertex, work)
    if vertex == centre:
        return True
    if degree == 1 and degree_of(graph, mine, centre) == 1:
        return True
    edge = edge_between(graph, vertex, centre)
    if edge >= 0 and has_edge(mine, edge):
        return greedy_way(graph, mine, vertex, work) == greedy_way(graph, mine, centre, work)
    return False
