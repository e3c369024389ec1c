"""Random moves without more work than a draw needs, and still each as likely as the others.

Filters (`ifAfterwards`) are tested on the move that was drawn only: if it fails, another is drawn of those that are left. Where
a rule does nothing but add a piece to one of some sites, or makes one move at most at each of some sites, sites are drawn
until one has a move, instead of listing all. Where all that pieces do is step
and slide, a piece is drawn, and one of so many tickets as any piece may have moves: if it has a move of that number, that
is the move, and otherwise both are drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ludarium.kernel import Kernel, Stream, below, buffer, draw, empty, i64, kernel, nth, popcount, u8, u64, view
from ludarium.ludii.code.filters import LATE, has_filter
from ludarium.ludii.code.numbered import draw_by_ways
from ludarium.ludii.code.regions import Region
from ludarium.ludii.code.script import Script, by_phase
from ludarium.ludii.code.sinks import Found, Listed, Sink, coded, into
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import bound

_TRIES = 12
"""After so many pieces without luck all moves are listed: then there are few of them."""

_MOST_TICKETS = 64


class Drawn(Sink):
    """The first move that is found is taken: it was drawn."""

    more = "rng: Stream"
    result = "u64"
    draws = True

    def found(self, script: Script, move: Found) -> None:
        """Leave with the code of the move."""
        script.answer(coded(script, move)[1])

    def call(self, script: Script, name: str, state: str = "v") -> None:
        """Take what another kernel has drawn, if there is something."""
        code = script.local("code", f"{name}({state}, c, rng)")
        with script.block(f"if {code} != u64(0):"):
            script.answer(code)

    def nothing(self, script: Script) -> None:
        """Nothing is left but a pass."""
        script.line("return u64(0)")


class Lottery(Listed):
    """The moves of one piece are listed, which is drawn, and one of them is taken, or another piece is drawn."""

    def __init__(self, tickets: int) -> None:
        super().__init__()
        self.tickets = tickets

    @contextmanager
    def piece(self, script: Script, pieces: Region) -> Iterator[tuple[str, str]]:
        """A loop over pieces that are drawn, until one wins: the site and the kind of each."""
        rest, left = pieces.kept(), script.local("left", pieces.count())
        with script.block(f"for _ in range(min({left}, {_TRIES})):"):
            site = script.local("site", f"draw_piece(rng, {rest.name}, {left})")
            script.line("c.count = 0")
            yield site, script.local("piece", f"i64(s.what[{site}])")
            ticket = script.local("ticket", f"i64(below(rng, {self.tickets}))")
            with script.block(f"if {ticket} < c.count:"):
                script.answer(f"out[{ticket}]")


def write_draws(script: Script) -> None:
    """Write what draws a move without a list, if there is such a phase; `LATE` alone means that moves have to be listed."""
    phases = [bound(phase.moves) for phase in script.model.phases]
    layout = script.layout
    if "pin" in _metas(script) or layout.forbids or layout.spares or layout.large or layout.listing or layout.ghosts:
        return
    finders = [
        _drawer(script, moves) if is_drawn(moves) else _way_drawer(script, moves) or _piece_drawer(script, moves)
        for moves in phases
    ]
    if not any(finders):
        return
    with script.out.kernel("drawn(v: view[u8], c: Context, rng: Stream) -> u64"):
        script.line("s = State(v)")
        if script.model.uses("meta:swap"):
            with script.block(f"if s.moves == {script.layout.players - 1}:"):
                script.line(f"return u64({LATE})")
        script.line(f"code = u64({LATE})")
        by_phase(
            script,
            "s.mover",
            lambda phase: script.line(f"code = {finders[phase]}(v, c, rng)" if finders[phase] else "pass"),
        )
        script.line("return code")


def _metas(script: Script) -> set[str]:
    return {rule.signature.ludeme.names[0] for rule in script.model.meta}


def is_drawn(moves: Bound) -> bool:
    """Whether a rule makes one move at most for each of some sites: whichever is drawn first is the move."""
    given = moves.arguments
    if moves.unit == "do":
        return "next" not in given and is_drawn(bound(given["prior"]))
    if moves.unit == "forEach Site":
        return "noMoveYet" not in given and _is_one(bound(given["generator"]))
    return moves.unit == "move Add" and "region" in bound(given["to"]).arguments and not _adds_several(moves)


def _is_one(moves: Bound) -> bool:
    """Whether a rule makes one move at most."""
    given = moves.arguments
    match moves.unit:
        case "append":
            return True
        case "if":
            return all(_is_one(bound(given[each])) for each in ("list", "elseList") if each in given)
        case "move Add":
            return "region" not in bound(given["to"]).arguments and not _adds_several(moves)
    return False


def _adds_several(moves: Bound) -> bool:
    given = moves.arguments
    pieces = bound(given["what"]).arguments if "what" in given else {}
    return bool({"components", "nameComponents"} & pieces.keys())


def _drawer(script: Script, moves: Bound) -> str:
    before, script.sink = script.sink, Drawn()
    try:
        with script.kernel("draw_move", script.sink.more, script.sink.result, script.place(moves)) as name:
            script.moves(moves)
            script.sink.nothing(script)
    finally:
        script.sink = before
    return name


def _way_drawer(script: Script, moves: Bound) -> str:
    """Write what draws one of all moves by its number; nothing where none of the moves can be counted without a list."""
    with script.out.apart(), into(script, Drawn()):
        if not draw_by_ways(script, moves, LATE):
            return ""
    with into(script, Drawn()), script.kernel("draw_move", "rng: Stream", "u64", script.place(moves)) as name:
        draw_by_ways(script, moves, LATE)
    return name


def _piece_drawer(script: Script, moves: Bound) -> str:
    """Write what draws a piece, and one of its moves; nothing where that is not all there is to the moves."""
    from ludarium.ludii.ludemes.moving.going import most_moves  # noqa: PLC0415

    layout = script.layout
    plain = moves.unit == "forEach Piece" and moves.arguments.keys() <= {
        "forEachType",
        "specificMoves",
        "items",
        "item",
        "then",
    }
    if not plain or has_filter(moves) or layout.stacking or len(layout.types) > 1:
        return ""
    given = [moves.arguments.get("specificMoves"), *(piece.moves for piece in script.model.components)]
    bounds = [most_moves(script, bound(each)) for each in (given[:1] if given[0] is not None else given) if each]
    if None in bounds or not 0 < (tickets := max((each for each in bounds if each), default=0)) <= _MOST_TICKETS:
        return ""
    with into(script, Lottery(tickets)), script.kernel("draw_move", "rng: Stream", "u64", script.place(moves)) as name:
        script.line(f"out = empty(u64, {tickets})")
        script.moves(moves)
        script.line("c.count = 0")
        script.line(f"return u64({LATE})")
    return name


def site_drawers(layout: Layout) -> dict[str, Kernel[Any]]:
    """The kernels that draw a site and take it out of a set, and draw one of the pieces, which are fewer and stay."""
    pick, several = _picker(layout), layout.words > 1

    @kernel
    def draw_site(rng: Stream, sites: view[u64], count: i64) -> i64:
        """Draw one of so many sites, and take it out of the set."""
        site = i64(pick(sites, below(rng, count)))
        sites[site >> 6 if several else 0] &= ~(u64(1) << u64(site & 63))
        return site

    @kernel
    def draw_piece(rng: Stream, sites: view[u64], count: i64) -> i64:
        """Draw one of so many sites."""
        return i64(pick(sites, below(rng, count)))

    @kernel
    def pick_bit(sites: u64, rank: i64) -> i64:
        """The site of a set of up to 64 with so many below it."""
        return nth(sites, rank)

    @kernel
    def rotated(sites: u64, far: i64) -> u64:
        """The sites from which so many sites on leads into a set, where the last site comes before the first."""
        return (sites >> u64(far)) | (sites << u64((64 - far) & 63))

    return {"draw_site": draw_site, "draw_piece": draw_piece, "pick_bit": pick_bit, "rotated": rotated}


def _picker(layout: Layout) -> Kernel[Any]:
    """The kernel that finds a site by its rank in a set."""
    several = layout.words > 1

    @kernel
    def pick(sites: view[u64], place: i64) -> i64:
        rank = place
        k = 0
        if several:
            here = i64(popcount(sites[0]))
            while rank >= here:
                rank -= here
                k += 1
                here = i64(popcount(sites[k]))
        return k * 64 + nth(sites[k], rank)

    return pick


def playout_kernels(
    layout: Layout, Context: Any, given: dict[str, Any], most: int, *, stochastic: bool
) -> dict[str, Kernel[Any]]:
    """The kernels that test what was listed, draw one of it, and play at random to the end."""
    State: Any = layout.state
    list_moves, arrive = given["list_moves"], given["arrive"]
    apply_code = given.get("apply_code", list_moves)
    late, draws, logs = "holds" in given, "drawn" in given, layout.logs
    holds, drawn = given.get("holds", list_moves), given.get("drawn", list_moves)
    no_list = LATE

    @kernel
    def prepare(c: Context) -> None:
        c.from_ = -1
        c.to = -1
        c.between = -1
        c.site = -1
        c.level = -1
        c.value = -1
        c.player = -1
        c.track = -1
        c.pips = -1
        c.die = -1
        c.hint = -1
        c.top = 0
        c.count = 0
        c.target = -1
        c.deep = 0
        c.real_mover = 0
        if logs:
            c.log_top = 0
        c.forced_at = 0

    @kernel
    def sift(v: view[u8], c: Context, out: buffer[u64]) -> None:
        """Keep the moves that their filters let pass."""
        if late:
            kept = 0
            for k in range(c.count):
                code = out[k]
                good = True
                if code >> u64(63) == u64(1):
                    code &= ~u64(no_list)
                    good = holds(v, c, code)
                if good:
                    out[kept] = code
                    kept += 1
            c.count = kept

    @kernel
    def draw_listed(v: view[u8], c: Context, rng: Stream, out: buffer[u64]) -> u64:
        """Draw one of the moves of a list, and another as long as its filter does not let it pass."""
        left = i64(c.count)
        while left > 0:
            k = below(rng, left)
            code = out[k]
            good = True
            if late:
                if code >> u64(63) == u64(1):
                    code &= ~u64(no_list)
                    good = holds(v, c, code)
            if good:
                return code
            left -= 1
            out[k] = out[left]
        return u64(0)

    @kernel
    def playout(state: view[u8], rng: Stream, most_plies: i64, scratch: view[u8]) -> i64:
        moves = empty(u64, most)
        s = State(state)
        c = Context(scratch)
        plies = 0
        while plies < most_plies and s.over == 0:
            prepare(c)
            code = u64(no_list)
            if draws:
                code = drawn(state, c, rng)
            if code == u64(no_list):
                list_moves(state, c, moves)
                code = draw_listed(state, c, rng, moves)
            prepare(c)
            if stochastic:
                c.seed = draw(rng)
            apply_code(state, c, code)
            arrive(state, c)
            plies += 1
        return plies

    made = {"prepare": prepare, "sift": sift}
    return made if layout.together else {**made, "playout": playout}  # the table's own serves several movers
