"""Pieces that are enclosed between two ends, in words of bits.

All sites at once from which pieces would be enclosed, `(can Move (custodial ..))`: in each direction the set of ends is moved
back over the pieces that are between, as far as lines go, and one step further.

The pieces that are enclosed from one site: on each line, what does not fit and lies nearest is its lowest or highest bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from ludarium.kernel import u64
from ludarium.ludii.code.regions import Region
from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sets import has_sets, sites_where
from ludarium.ludii.code.sinks import Exists, into, registers_in
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.model import bound, word

_MOST = 8
"""Directions: a square board has eight."""


def enclosing_sites(script: Script, value: Value | None) -> Region | None:
    """The sites from which, if each were `(to)`, captures are there to be made; nothing where bits cannot tell."""
    node = bound(value).arguments.get("moves") if isinstance(value, Bound) and value.unit == "can Move" else None
    if not isinstance(node, Bound) or not _is_plain(script, node):
        return None
    ways = _ways(script, word(node.arguments["dirnChoice"]) if "dirnChoice" in node.arguments else "Adjacent")
    return None if ways is None else _enclosing(script, node, ways, lambda: f"{_takes(script, node)}(v, c)")


def sites_to_capture_from(script: Script, moves: Bound, registers: frozenset[str]) -> Region | None:
    """The sites from which something is enclosed, if each were what some registers hold: moves that capture begin nowhere else.

    Nothing where bits cannot tell, or where moves may be found that capture nothing.
    """
    if moves.unit == "append":
        return sites_to_capture_from(script, bound(moves.arguments["list"]), registers)
    if moves.unit != "custodial" or not isinstance(moves.arguments.get("from"), Bound):
        return None
    start = bound(moves.arguments["from"]).arguments
    if start.keys() != {"loc"} or not any(_is_register(start["loc"], each) for each in registers):
        return None
    direction = word(moves.arguments["dirnChoice"]) if "dirnChoice" in moves.arguments else "Adjacent"
    ways = _ways(script, direction) if enclosed_and_ends(script, moves) else None
    return None if ways is None else _enclosing(script, moves, ways, lambda: "True")


def _enclosing(script: Script, node: Bound, ways: Mapping[int, tuple[int, int]], takes: Callable[[], str]) -> Region:
    """The sites from which something is enclosed; none if it is not taken."""

    def write() -> str:
        with script.kernel("enclosing", result="u64", origin=script.place(node)) as name:
            for part, found in zip(("inner", "ends"), enclosed_and_ends(script, node), strict=True):
                script.line(f"{part} = {found}")
            script.line("found = u64(0)")
            for offset, (sites, longest) in ways.items():
                script.line(f"way = inner & u64({sites})")
                script.line(f"row = way & {_from(offset, 'ends')}")
                for _ in range(longest - 2):
                    script.line(f"row |= way & {_from(offset, 'row')}")
                script.line(f"found |= u64({sites}) & {_from(offset, 'row')}")
            taken = takes()
            script.line("return found" if taken == "True" else f"return found if {taken} else u64(0)")
        return name

    name = script.once(("enclosing", id(node), script.modes), write)
    found = script.local("enclosing", f"{name}(v, c)")
    return Region(script, lambda _: found)


def enclosed_and_ends(script: Script, node: Bound) -> tuple[str, ...]:
    """The sets of pieces that may be enclosed, and of what may be at the other end; nothing where bits cannot tell."""
    parts = [bound(node.arguments[part]).arguments for part in ("between", "to") if part in node.arguments]
    if not has_sets(script) or len(parts) < 2 or not all("If" in part for part in parts) or "range" in parts[0]:
        return ()
    between, to = (part["If"] for part in parts)
    if bound(to).unit not in ("is Friend", "is Enemy"):  # what is off the board is neither
        return ()
    with script.out.apart() as lines:
        found = sites_where(script, between, "between"), sites_where(script, to, "to")
    return () if lines else tuple(each for each in found if each) if None not in found else ()


@dataclass(frozen=True)
class Rays:
    """Lines from each site as sets of bits, whose numbers grow or shrink along them."""

    script: Script
    inner: str
    ends: str
    lines: str
    upwards: str

    def seen(self, line: str) -> tuple[str, str, str]:
        """How many pieces are in a row from the beginning of a line on, the site beyond, and whether these are enclosed."""
        script = self.script
        ray, up = script.local("ray", f"{self.lines}[{line}]"), script.local("up", f"{self.upwards}[{line}]")
        stops = script.local("stops", f"{ray} & ~{self.inner}")
        beyond = script.local("beyond", f"i64(ctz({stops})) if {up} == 1 else 63 - i64(clz({stops}))")
        place = f"u64({beyond} & 63)"
        nearer = f"((u64(1) << {place}) - u64(1)) if {up} == 1 else u64(0) - (u64(2) << {place})"
        run = script.local("run", f"i64(popcount({ray} & ({nearer})))")
        return run, beyond, f"{run} > 0 and {stops} != u64(0) and ({self.ends} >> {place}) & u64(1) == u64(1)"


def rays_between(script: Script, node: Bound, direction: str) -> Rays | None:
    """What tells by bits how many pieces are enclosed on a line; nothing where bits cannot tell."""
    sets, kind = enclosed_and_ends(script, node), script.topology.default_type
    if not sets:
        return None
    lines = [radial.sites for radials in script.topology.radials(kind, direction) for radial in radials]
    if not all(
        list(line) in (sorted(line), sorted(line, reverse=True)) and len(set(line)) == len(line) for line in lines
    ):
        return None
    inner, ends = (script.local(name, each) for name, each in zip(("inner", "ends"), sets, strict=True))
    bits = script.table([sum(1 << site for site in line[1:]) for line in lines], u64, "rays")
    return Rays(script, inner, ends, bits, script.table([int(line[-1] > line[0]) for line in lines], hint="upwards"))


def _is_plain(script: Script, node: Bound) -> bool:
    """Whether captures begin at `(to)`, go over any number of pieces, and do to each what does not depend on where it is."""
    given = node.arguments
    if node.unit != "custodial" or not {"from", "between"} <= given.keys() <= {"from", "between", "to", "dirnChoice"}:
        return False
    if not enclosed_and_ends(script, node) or script.layout.visits or script.layout.forbids:
        return False
    start, between = (bound(given[part]).arguments for part in ("from", "between"))
    if start.keys() != {"loc"} or not between.keys() <= {"If", "effect"}:
        return False
    return _is_register(start["loc"], "to") and _is_same_everywhere(
        bound(between["effect"]) if "effect" in between else None
    )


def _is_register(value: Value | None, name: str) -> bool:
    return isinstance(value, Bound) and f"{value.family}:{value.unit}" == f"int:{name}"


def _is_same_everywhere(effect: Bound | None) -> bool:
    """Whether it does not depend on the site if a captured piece can be removed or promoted."""
    if effect is None or "effect" not in effect.arguments:
        return effect is None
    what = bound(effect.arguments["effect"])
    given = dict(what.arguments)
    if what.unit != "promote" or not _is_register(given.pop("locationFn", None), "between"):
        return False
    return not any(registers_in(each) for each in given.values() if isinstance(each, Bound))


def _takes(script: Script, node: Bound) -> str:
    """The kernel that says whether captures do anything."""
    from ludarium.ludii.ludemes.changing.captures import captured

    with into(script, Exists()), script.kernel("takes", result="bool", origin=script.place(node)) as name:
        captured(script, node, "0", "between", bound(node.arguments["between"]).arguments.get("effect"))
        script.line("return False")
    return name


def _ways(script: Script, direction: str) -> Mapping[int, tuple[int, int]] | None:
    """Directions by how much the numbers of sites grow with each step: the sites that have a next one, and the most steps.

    Nothing where lines go otherwise.
    """
    kind = script.topology.default_type
    lines = [
        each.sites for radials in script.topology.radials(kind, direction) for each in radials if len(each.sites) > 1
    ]
    steps: dict[int, set[int]] = {}
    for line in lines:
        steps.setdefault(line[1] - line[0], set()).add(line[0])
    for line in lines:
        offset = line[1] - line[0]
        known = steps[offset]
        evenly = all(b - a == offset for a, b in pairwise(line))
        if not evenly or line[-1] in known or not known.issuperset(line[:-1]):
            return None
    if len(steps) > _MOST:
        return None
    most = {offset: max(len(line) - 1 for line in lines if line[1] - line[0] == offset) for offset in steps}
    return {
        offset: (sum(1 << site for site in sites), most[offset]) for offset, sites in steps.items() if most[offset] > 1
    }


def _from(offset: int, name: str) -> str:
    """The sites whose next one is in a set."""
    return f"({name} {'>>' if offset > 0 else '<<'} u64({abs(offset)}))"
