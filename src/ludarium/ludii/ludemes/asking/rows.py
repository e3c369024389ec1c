"""Short lines on small boards: all rows of so many sites through a site are words of bits, and a line is a row without a gap.

A board of up to 64 sites has a few such rows through each site, whatever its shape, and they never change. So no line has to be
followed from site to site, whose ends could not be foreseen: all rows are compared with the set of the pieces that count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludarium.kernel import u64
from ludarium.ludii.code.regions import occupied, owned
from ludarium.ludii.code.script import Script, literal
from ludarium.ludii.code.sets import has_sets
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.pieces import owner_table
from ludarium.ludii.ludemes.where.directions import lines_through

_PLAIN = frozenset(["isType", "length", "dirn", "through", "throughAny", "who", "exact"])

_MOST = 40
"""Rows through a site: more would not be looked at faster than lines are followed."""

_NONE = (1 << 64) - 1
"""In place of a row: no set of sites of a smaller board has it."""


def row_kernel(script: Script, node: Bound, direction: str) -> str:
    """The kernel that says whether there is a line through a site; nothing where sets of bits cannot tell."""
    given = node.arguments
    with script.out.apart():
        exact, length = script.truth(given.get("exact"), "False"), literal(script.number(given["length"])) or 0
    if not _is_told(script, node) or not given.keys() <= _PLAIN or exact not in ("True", "False") or length < 2:
        return ""  # a line of one site is exactly that long
    rows = [
        list(dict.fromkeys(_rows(lines, site, length))) for site, lines in enumerate(lines_through(script, direction))
    ]
    most = max(map(len, rows), default=0)
    if not 0 < most <= _MOST or (script.layout.sites == 64 and not all(rows)):
        return ""

    def write() -> str:
        ends = exact == "True"
        padded = [row for each in rows for row in (each + most * (each[:1] or [(_NONE, 0)]))[:most]]
        table = script.table([mask for mask, _ in padded], u64, "rows_of_sites")
        beyond = script.table([each for _, each in padded], u64, "beyond") if ends else ""
        with script.kernel("is_line", "pivot: i64", "bool", script.place(node)) as name:
            with script.block(f"if pivot < 0 or pivot >= {script.model.board_sites}:"):
                script.line("return False")
            script.line(f"pieces = {_pieces(script, node)}")
            script.line("gaps = ~pieces")
            script.line(f"least = u64({_NONE})")
            with script.block(f"for k in range({most}):"):
                at = f"[{most} * pivot + k]"
                more = f" | ({beyond}{at} & pieces)" if ends else ""
                script.line(f"least = min(least, ({table}{at} & gaps){more})")
            script.line("return least == u64(0)")
        return name

    return script.once(("rows", id(node), script.modes), write)


def _rows(lines: Sequence[tuple[Sequence[int], Sequence[int]]], site: int, length: int) -> Iterator[tuple[int, int]]:
    """The rows of so many sites through a site, and what lies at both ends of each, as bits."""
    for ahead, behind in lines:
        line = (*reversed(behind), site, *ahead)
        here = len(behind)
        for first in range(max(0, here - length + 1), min(here, len(line) - length) + 1):
            ends = (line[max(0, first - 1) : first], line[first + length : first + length + 1])
            yield _bits(line[first : first + length]), _bits(each for end in ends for each in end)


def _bits(sites: Iterable[int]) -> int:
    found = 0
    for site in sites:
        found |= 1 << site
    return found


def _is_told(script: Script, node: Bound) -> bool:
    """Whether there is a set of the pieces that count: a player's, or those of the kind that is there, however many."""
    layout = script.layout
    if "who" in node.arguments:
        player = script.role(node.arguments["who"])
        known = player.isdigit() and int(player) <= layout.players + 1
        return has_sets(script) and (player.startswith("i64(s.") or known)
    tried = layout.counting and script.model.uses("bool:is Threatened")  # pieces are put where sets do not tell of them
    if layout.stacking or layout.large or layout.hides or layout.spot_words > 1 or tried:
        return False
    return bool(layout.kinds) or _is_one_each(script)


def _is_one_each(script: Script) -> bool:
    """Whether nobody has pieces of several kinds."""
    owners = [each.owner for each in script.model.components]
    return len(set(owners)) == len(owners)


def _pieces(script: Script, node: Bound) -> str:
    """The set of the pieces that count; if nothing is there, that of empty sites."""
    if "who" in node.arguments:
        return owned(script, script.role(node.arguments["who"])).word("0")
    script.line("kind = i64(s.what[pivot])")
    same = "s.kinds[kind]" if script.layout.kinds else owned(script, f"i64({owner_table(script)}[kind])").word("0")
    board = (1 << script.model.board_sites) - 1
    return f"{same} if kind > 0 else u64({board}) & ~({occupied(script).word('0')})"
