"""Lists of pieces, as Ludii keeps them: where they are out of date, and their order.

In stacks ghosts stay behind: of a single piece that is promoted, what it was, and some pieces of a stack that is taken at the end
of a turn, since levels are counted from below while the stack sinks. `(forEach Piece)` comes to them.

Without stacks it is kept how often a kind of piece is on the list for a site.

That is once for every heap, but not always. Several pieces that are moved at once are put on the list again, whether a heap is
there or not; and when a heap has gone, it is taken off the list once, if the game is about cells only or vertices only. So
`(forEach Piece)` may come to a heap twice, and to one that has gone; `(no Pieces All)` sees it, too.

Groups are gone through in the order of these lists. There is one for each kind of piece: what comes is the last on it, and the
last one takes the place of what goes. So a piece has a rank among those like it. A heap has one rank, however often it was put on
the list: the ranks of a kind are always those from 0 on, and each belongs to one site.
"""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Kernel, i64, kernel
from ludarium.ludii.memory.kinds import types_in
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Model, walk

_MOST = 255


def _one_type(model: Model) -> bool:
    """Whether rules speak of sites of one type only; what is beside the board has cells."""
    named = {kind for node in walk(model.root) for kind in types_in(node)} | {model.topology.default_type}
    return named == {"Cell"} or (named == {"Vertex"} and len(model.topology.containers) == 1)


def listing_kernels(layout: Layout) -> dict[str, Kernel[Any]]:
    """Make the kernels that put pieces on the list, and take them off."""
    State: Any = layout.state
    ghosts = layout.ghosts
    listing, ordering, spots, once = layout.listing, layout.ordering, layout.spots, _one_type(layout.model)

    @kernel
    def lose_rank(s: State, x: i64) -> None:
        """Take a site off the list it is on; the last one takes its place."""
        if ordering:
            kind = i64(s.ranked_as[x])
            if kind > 0:
                s.ranked[kind] -= 1
                for y in range(spots):
                    if s.ranked_as[y] == kind and s.rank[y] == s.ranked[kind]:
                        s.rank[y] = s.rank[x]
                        break
                s.ranked_as[x] = 0
                s.rank[x] = 0

    @kernel
    def enlist(s: State, piece: i64, x: i64) -> None:
        if listing and piece > 0:
            k = piece * spots + x
            if s.listed[k] < _MOST:
                s.listed[k] += 1
        if ordering and s.ranked_as[x] != piece:
            lose_rank(s, x)
            if piece > 0:
                s.ranked_as[x] = piece
                s.rank[x] = s.ranked[piece]
                s.ranked[piece] += 1

    @kernel
    def delist(s: State, piece: i64, x: i64) -> None:
        if listing and piece > 0:
            k = piece * spots + x
            if s.listed[k] > 0:
                s.listed[k] = s.listed[k] - 1 if once else 0
        lose_rank(s, x)

    @kernel
    def haunt(s: State, piece: i64, x: i64) -> None:
        """Leave a piece on the list of the lowest pieces that is not there any more."""
        if ghosts and piece > 0:
            s.ghost[piece * spots + x] = 1

    @kernel
    def lay(s: State, piece: i64, x: i64) -> None:
        """Take what is like the lowest piece off the list, together with it."""
        if ghosts and piece > 0:
            s.ghost[piece * spots + x] = 0

    made: list[Kernel[Any]] = [lose_rank, enlist, delist, haunt, lay]
    return {each.name: each for each in made}
