"""Rules above the rules: moves that are not allowed although some rule makes them, and pieces that fall."""

from __future__ import annotations

from ludarium.ludii.code.filters import LATE
from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sinks import LEAF_BITS, PASS, SWAP, Leaf, decoded, forget_pending
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.frame.ends import write_ends
from ludarium.ludii.ludemes.where.directions import Heading, each_step, line_tables
from ludarium.ludii.memory.kinds import ABOUT_EDGES, STATELESS, types_in
from ludarium.ludii.model import Model, walk, word

_KNOWN = ("swap", "passEnd", "no Repeat", "no Suicide", "gravity", "pin", "noStackOn", "automove")
_MASK = (1 << LEAF_BITS) - 1
_BELOW, _ABOVE = Heading((("Downward",),)), Heading((("Upward",),))


def check_meta(model: Model) -> None:
    """Refuse rules above the rules that cannot be played yet."""
    for rule in model.meta:
        if rule.unit not in _KNOWN and rule.signature.ludeme.names[0] not in _KNOWN:
            raise model.unsupported(rule)
        asks = any(
            each.unit == "no Moves" and word(each.arguments["playerFn"]) == "Next"
            for phase in model.phases
            for each in walk(phase.moves)
        )
        if rule.unit == "no Repeat" and asks:
            raise model.unsupported(rule, why="with rules of play that ask whether the next player has moves")


_ANY_TYPE = STATELESS | {
    "count (CountNumber)", "count Pieces", "no Pieces", "forEach Piece", "is Empty", "is LastFrom", "is LastTo", "is Occupied",
    "is Path", "is Related", "move Remove", "place (PlaceItem)", "remove", "rotation", "set (SetSite)", "set Count", "set State",
    "set Value", "sites Around", "sites Cell", "sites Edge", "sites Empty", "sites Occupied", "sites State", "state",
    "value Piece", "what", "who",
}  # fmt: skip
"""Ludemes that mean sites of the type that they name, whatever the board is made of; or refuse them on their own."""

_ANY_ENDS = (
    "move Add", "add", "move Claim", "claim", "move Hop", "hop", "move Leap", "leap", "move Select", "select",
    "move Slide", "slide", "move (FromTo)", "fromTo", "move Step", "step",
)  # fmt: skip
"""Moves that go from sites of any type, or to them."""


def check_types(model: Model) -> None:
    """Refuse ludemes that name another type of sites than the usual one, unless they know it; hands have cells anyway."""
    own, hands = model.topology.default_type, len(model.topology.containers) > 1
    if model.large and len(model.types) > 1:
        raise model.unsupported(model.root, "pieces that cover several sites", "on sites of several types")
    for node in walk(model.root):
        ends = [each for each in node.arguments.values() if isinstance(each, Bound) and each.unit in ("from", "to")]
        if node.family == "equip":
            continue
        asked = [] if node.unit in (*_ANY_TYPE, *ABOUT_EDGES, "from", "to") else types_in(node)
        asked += (
            [] if node.unit in _ANY_ENDS else [kind for end in ends if end.family == "util" for kind in types_in(end)]
        )
        if any(kind != own and not (kind == "Cell" and hands) for kind in asked):
            raise model.unsupported(node, why="sites of several types")


def write_allowed(script: Script) -> str:
    """Write the kernel that says whether the rules above the rules allow a move; nothing if they allow all."""
    kinds = {rule.signature.ludeme.names[0] for rule in script.model.meta}
    layout = script.layout
    if not {"pin", "noStackOn"} & kinds and not layout.forbids and not layout.spares:
        return ""
    moves = [leaf for leaf in script.leaves if leaf.kind == "Move"]
    removes = [leaf for leaf in script.leaves if leaf.kind == "Remove"]
    pinned = _pinned_kernel(script) if "pin" in kinds else ""
    onto = _onto_kernel(script) if "noStackOn" in kinds else ""
    with script.kernel("is_allowed", "code: u64", "bool") as name:
        with script.block(f"match i64(code & u64({_MASK})):"):
            for leaf in moves:
                tests = [f"{pinned}(v, c, {decoded(leaf, 'from')})"] if pinned else []
                tests += [f"{onto}(v, c, {decoded(leaf, 'from')}, {decoded(leaf, 'to')})"] if onto else []
                _refused(script, leaf, tests)
            for leaf in removes:
                _refused(script, leaf, [f"{pinned}(v, c, {decoded(leaf, 'to')})"] if pinned else [])
            with script.block("case _:"):
                script.line("pass")
        if layout.spares:
            with script.block("if is_suicide(v, c, code):"):
                script.line("return False")
        if layout.forbids:
            passes = [PASS, SWAP, *(leaf.index for leaf in script.leaves if leaf.kind == "Pass")]
            tests = [f"code & u64({_MASK}) == u64({each})" for each in passes]
            with script.block(f"if {' or '.join(tests)}:"):
                script.line("return True")
            script.line("return not repeats(v, c, code)")
        else:
            script.line("return True")
    return name


def _refused(script: Script, leaf: Leaf, tests: list[str]) -> None:
    if tests:
        with script.block(f"case {leaf.index}:"), script.block(f"if {' or '.join(tests)}:"):
            script.line("return False")


def write_repeats(script: Script) -> None:
    """Write the kernel that says whether a move leads to a state that was there before."""
    if not script.layout.forbids:
        return
    size = script.layout.copy_size
    at = script.copies * size
    script.copies += 1
    with script.out.kernel("repeats(v: view[u8], c: Context, code: u64) -> bool"):
        script.line(f"w = c.copies[{at}:{at + script.layout.state.size}]")
        script.line("copy(w, v)")
        forget_pending(script, "State(w)")
        script.line("perform(w, c, code)")
        script.line("return was_before(State(w), State(v))")


def write_suicide(script: Script) -> None:
    """Write the kernel that says whether a move makes the mover lose; in ends that it leads to, the next player can move."""
    if not script.layout.spares:
        return
    modes, script.modes = script.modes, script.modes | {"stalled"}
    write_ends(script, "end_of_tried")
    script.modes = modes
    size = script.layout.copy_size
    at = script.copies * size
    script.copies += 1
    with script.out.kernel("is_suicide(v: view[u8], c: Context, code: u64) -> bool"):
        script.line(f"w = c.copies[{at}:{at + script.layout.state.size}]")
        script.line("copy(w, v)")
        script.line("tried = State(w)")
        script.line("mover = i64(tried.mover)")
        forget_pending(script, "tried")
        script.line("perform(w, c, code)")
        script.line("end_of_tried(w, c)")
        script.line("return (i64(tried.lost) >> mover) & 1 == 1")


def mark_allowed(script: Script) -> None:
    """Write what marks all listed moves to be asked whether they are allowed."""
    with script.block("for k in range(c.count):"):
        script.line(f"out[k] |= u64({LATE})")


def _pinned_kernel(script: Script) -> str:
    """Whether more than one piece rests on the piece of a site."""
    with script.kernel("is_pinned", "site: i64", "bool") as name:
        script.line("resting = 0")
        inside = script.block(f"if 0 <= site < {script.model.board_sites}:")
        with inside, each_step(script, _ABOVE, "site", "above") as above, script.block(f"if not is_empty(s, {above}):"):
            script.line("resting += 1")
        script.line("return resting > 1")
    return name


def _onto_kernel(script: Script) -> str:
    """Whether a piece would go along a line that leads up from where it stands, or down on the other side."""
    rows, starts, sites = line_tables(script, "Upward")
    with script.kernel("is_onto", "start: i64, to: i64", "bool") as name:
        inside = f"0 <= start < {script.model.board_sites} and 0 <= to < {script.model.board_sites}"
        lines = script.block(f"for line in range({rows}[start], {rows}[start + 1]):")
        along = script.block(f"for k in range({starts}[2 * line], {starts}[2 * line + 2]):")
        with script.block(f"if {inside}:"), lines, along, script.block(f"if {sites}[k] == to:"):
            script.line("return True")
        script.line("return False")
    return name


def write_fall(script: Script) -> str:
    """Write the kernel of gravity: pieces fall as long as there is a free site below one; nothing without gravity."""
    if not any(rule.signature.ludeme.names[0] == "gravity" for rule in script.model.meta):
        return ""
    with script.kernel("fall") as name:
        script.line("falls = True")
        with script.block("while falls:"):
            script.line("falls = False")
            sites = script.block(f"for site in range({script.model.board_sites}):")
            with sites, script.block("if not falls and not is_empty(s, site):"):
                free = each_step(script, _BELOW, "site", "below")
                with free as below, script.block(f"if not falls and is_empty(s, {below}):"):
                    script.line(f"move_piece(s, site, {below}, -1)")
                    script.line("falls = True")
    return name
