"""Lines through the top piece of a stack, on all levels: down, level, and slanting either way.

As Ludii has it, the top piece is not looked at in a line down, and the far side of the others is, whatever it is; nor are
conditions, or other sites to begin with.

A short line of pieces like the top one is looked for in words, without a branch that could not be foreseen: eight levels of
a stack are the eight bytes of a word, and the top bit of a byte says that such a piece is there. Stacks that lie in a line
are shifted so that their slanting lines become level ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludarium.kernel import u64
from ludarium.ludii.code.script import Script, literal
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.pieces import owner_table
from ludarium.ludii.ludemes.where.directions import line_tables, lines_through
from ludarium.ludii.model import items, word

_LONGEST = 4
"""Of the lines that are looked for in words: they reach at most three levels up and down, and a word has eight."""

_MOST_KINDS = 127
"""As many kinds of pieces leave the top bit of a byte free."""

_EACH = 0x0101010101010101
_TOPS = 0x80 * _EACH


def line_in_stacks(script: Script, node: Bound) -> str:
    """Whether pieces on levels of stacks are in a line with the top of one, as an expression."""
    given = node.arguments
    if script.settled(node, "exact"):
        raise script.model.unsupported(node, why="byLevel with exact")
    pivot = script.number(given.get("through"), "i64(s.last_to)")
    length = script.number(given["length"])
    places = (literal(length) or 0) - 1
    if 0 < places < _LONGEST and not {"what", "whats", "who"} & given.keys() and _is_plain(script):
        name = script.once(("words", id(node), script.modes), lambda: _word_kernel(script, node, places))
        return f"{name}(v, c, {pivot})"
    name = script.once(("levels", id(node), script.modes), lambda: _step_kernel(script, node))
    return f"{name}(v, c, {pivot}, {length})"


def _is_plain(script: Script) -> bool:
    """Whether there are few kinds of pieces, and nothing above the top of a stack: where none is, one may be promoted."""
    few = len(script.model.components) <= _MOST_KINDS
    return few and not script.model.uses("moves:promote", "moves:move Promote")


def _direction(node: Bound) -> str:
    return word(node.arguments["dirn"]) if "dirn" in node.arguments else "Adjacent"


# In words


def _word_kernel(script: Script, node: Bound, places: int) -> str:
    """Lines that go on for so many places beside the top piece."""
    high = script.layout.height
    rows, slots, tops = _place_tables(script, _direction(node), places)
    levels = script.once(("eight levels",), lambda: _eight_levels(script))
    with script.kernel("is_line_in_stacks", "pivot: i64", "bool", script.place(node)) as name:
        with script.block(f"if pivot < 0 or pivot >= {script.model.board_sites}:"):
            script.line("return False")
        with script.block("if s.height[pivot] == 0:"):
            script.line("return False")
        script.line("level = i64(s.height[pivot]) - 1")
        script.line(f"low = min(max(level - {_LONGEST - 1}, 0), {high - 8})")
        script.line(f"kind = u64(s.what[pivot * {high} + level]) * u64({_EACH})")
        script.line(f"here = u64({_TOPS}) - ({levels}(v, c, pivot * {high} + low) ^ kind)")
        script.line("found = " + " & ".join(_raised("here", step) for step in range(1, places + 1)))
        with _each_line(script, rows):
            for place in range(2 * places):
                at, word_at = f"[{2 * places} * k + {place}]", f"{'ab'[place // places]}{place % places + 1}"
                script.line(f"{word_at} = (u64({_TOPS}) - ({levels}(v, c, {slots}{at} + low) ^ kind)) & {tops}{at}")
            for slope in (-1, 0, 1):
                _look_along(script, slope, places)
        script.line("return found & (u64(128) << u64(8 * (level - low))) != u64(0)")
    return name


@contextmanager
def _each_line(script: Script, rows: list[int]) -> Iterator[None]:
    """A loop over the numbers of the lines through the site, or no loop where there is one line for each site."""
    if rows == list(range(len(rows))):
        script.line("k = pivot")
        yield
        return
    table = script.table(rows, hint="lines")
    with script.block(f"for k in range({table}[pivot], {table}[pivot + 1]):"):
        yield


def _look_along(script: Script, slope: int, places: int) -> None:
    """Note on which levels pieces make a line that rises like this: on one side of the top one, or some on either."""
    for side, rise in (("a", slope), ("b", -slope)):
        for step in range(1, places + 1):
            before = f" & {side}_to_{step - 1}" if step > 1 else ""
            script.line(f"{side}_to_{step} = {_raised(f'{side}{step}', -rise * step)}{before}")
    for ahead in range(places + 1):
        both = [f"{side}_to_{steps}" for side, steps in (("a", ahead), ("b", places - ahead)) if steps]
        script.line(f"found |= {' & '.join(both)}")


def _raised(name: str, levels: int) -> str:
    """A word whose pieces are so many levels higher."""
    return f"({name} {'<<' if levels > 0 else '>>'} u64({8 * abs(levels)}))" if levels else name


def _place_tables(script: Script, direction: str, places: int) -> tuple[list[int], str, str]:
    """The lines through each site: rows of lines, for each place on both sides the slot of its stack, and the bits that count.

    No bit counts of a place off the board.
    """
    rows = [0]
    slots: list[int] = []
    tops: list[int] = []
    for lines in lines_through(script, direction):
        for side in (side for line in lines for side in line):
            missing = max(0, places - len(side))
            slots += [script.layout.height * site for site in side[:places]] + [0] * missing
            tops += [_TOPS] * (places - missing) + [0] * missing
        rows.append(len(slots) // (2 * places))
    return rows, script.table(slots, hint="slots"), script.table(tops, u64, hint="tops")


def _eight_levels(script: Script) -> str:
    """Write what reads eight levels of a stack, which is one read of eight bytes; above its top a stack holds nothing."""
    with script.kernel("eight_levels", "slot: i64", "u64") as name:
        script.line("return " + " | ".join(f"u64(s.what[slot + {k}]) << u64({8 * k})" for k in range(8)))
    return name


# Step by step


def _step_kernel(script: Script, node: Bound) -> str:
    """Lines of any length, of any pieces."""
    rows, starts, sites = line_tables(script, _direction(node))
    with script.kernel("is_line_in_stacks", "pivot: i64, length: i64", "bool", script.place(node)) as name:
        with script.block(f"if pivot < 0 or pivot >= {script.model.board_sites}:"):
            script.line("return False")
        with script.block("if length == 1:"):
            script.line("return True")
        with script.block("if s.height[pivot] == 0:"):
            script.line("return False")
        wanted = wanted_kinds(script, node)
        script.line("level = i64(s.height[pivot]) - 1")
        with script.block("if level + 1 >= length:"):
            script.line("count = 1")
            with script.block(f"while count < length and {_on_level(script, wanted, 'pivot', 'level - count')}:"):
                script.line("count += 1")
            with script.block("if count == length:"):
                script.line("return True")
        first = script.local("first", f"1 if {_on_level(script, wanted, 'pivot', 'level')} else 0")
        with script.block(f"for k in range({rows}[pivot], {rows}[pivot + 1]):"):
            slopes = {-1: "falling", 0: "even", 1: "rising"}
            for line in slopes.values():
                script.line(f"{line} = {first}")
            with script.block(f"for side in range(1 - {first}, 2):"):
                script.line(f"begin = i64({starts}[2 * k + side])")
                script.line(f"end = i64({starts}[2 * k + side + 1])")
                for slope, line in slopes.items():
                    script.line("at = begin")
                    script.line(f"high = level + {slope}")
                    with script.block("while at < end and high >= 0:"):
                        script.line(f"site = i64({sites}[at])")
                        here = f"i64(s.what[site * {script.layout.height} + high])"
                        script.line(f"piece = {here} if high < s.height[site] else 0")
                        with script.block(f"if not {_counts(script, wanted, 'piece')}:"):
                            script.line("break")
                        script.line("at += 1")
                        script.line(f"high += {slope}")
                    with script.block("if side == 0:"):
                        script.line(f"{line} += at - begin")
                    with script.block("else:"):  # what falls on this side rises on the other
                        script.line(f"{slopes[-slope]} += at - begin")
            with script.block(f"if max({', '.join(slopes.values())}) >= length:"):
                script.line("return True")
        script.line("return False")
    return name


def _on_level(script: Script, wanted: list[str], site: str, level: str) -> str:
    """Whether a piece that counts is on a level of a stack."""
    return _counts(script, wanted, f"level_what(s, {site}, {level})")


def _counts(script: Script, wanted: list[str], piece: str) -> str:
    """Whether a piece is one that counts."""
    if wanted[:1] == ["owner"]:
        return f"({piece} > 0 and {owner_table(script)}[{piece}] == {wanted[1]})"
    return "(" + (" or ".join(f"{piece} == {each}" for each in wanted) or "False") + ")"


def wanted_kinds(script: Script, node: Bound) -> list[str]:
    """The kinds of pieces that count, as expressions; one that begins with a sign is a table of all that count."""
    given = node.arguments
    if "what" in given:
        return [script.local("kind", script.number(given["what"]))]
    if "whats" in given:
        return [script.local("kind", script.number(each)) for each in items(given["whats"])]
    if "who" in given:
        player = script.role(given["who"])
        known = literal(player)
        if known is not None:
            return [str(each.index) for each in script.model.components if each.owner == known]
        return ["owner", script.local("player", player)]
    return [script.local("kind", "top_of(s, pivot)")]
