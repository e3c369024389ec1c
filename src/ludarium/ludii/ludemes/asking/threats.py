"""Asking what others could do: whether the next player can move, and whether a site is attacked."""

from __future__ import annotations

from ludarium.ludii.code.filters import LATE
from ludarium.ludii.code.regions import Region, blank, occupied, put
from ludarium.ludii.code.script import Script, by_phase, ludeme
from ludarium.ludii.code.sinks import Reaches, copied, into
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.conditions import any_move
from ludarium.ludii.ludemes.asking.pieces import owner_table
from ludarium.ludii.ludemes.where.places import where_kernel
from ludarium.ludii.ludemes.where.regions import board
from ludarium.ludii.model import bound, word

_MANY = 16_384  # moves that may be listed


@ludeme("bool", "no Moves")
def _no_moves(script: Script, node: Bound) -> str:
    role = node.arguments["playerFn"]
    if word(role) != "Next":
        return f"((s.stalemate >> {script.role(role)}) & 1 == 1)"
    if "stalled" in script.modes:
        return "False"
    return f"(not {script.once(('next can move', script.modes), lambda: _next_can_move(script))}(v, c))"


def _next_may_move(script: Script) -> str:
    """Whether the next player has a move that leads to no state that may not come again."""
    with script.kernel("next_may_move", result="bool") as name, copied(script):
        script.line("t = State(w)")
        script.line("t.prev = s.mover")
        script.line("t.mover = s.next")
        script.line("t.next = next_active(t, t.mover)")
        script.line(f"listed = empty(u64, {_MANY})")
        script.line("old_count = c.count")
        script.line("c.count = 0")
        script.line("list_moves(w, c, listed)")
        script.line("many = c.count")
        script.line("c.count = old_count")
        with script.block("for k in range(many):"):
            with script.block(f"if listed[k] < u64({LATE}) or holds(w, c, listed[k] & ~u64({LATE})):"):
                script.line("return True")
        script.line("return False")
    return name


def _next_can_move(script: Script) -> str:
    if (script.layout.forbids or script.layout.spares) and "stalled" not in script.modes:
        return _next_may_move(script)
    modes, script.modes = script.modes, script.modes | {"stalled"}
    try:
        finders = [any_move(script, bound(phase.moves)) for phase in script.model.phases]
        with script.kernel("next_can_move", result="bool") as name, copied(script):
            script.line("t = State(w)")
            script.line("t.prev = s.mover")
            script.line("t.mover = s.next")
            script.line("t.next = next_active(t, t.mover)")
            script.line("found = False")
            by_phase(script, "t.mover", lambda phase: script.line(f"found = {finders[phase]}(w, c)"))
            script.line("return found")
    finally:
        script.modes = modes
    return name


@ludeme("bool", "is Threatened")
def _threatened(script: Script, node: Bound) -> str:
    given = node.arguments
    if "threat" in script.modes:
        return "False"
    what = script.local("kind", script.number(given["what"])) if "what" in given else "0"
    sites = blank(script)
    if "at" in given:
        put(sites, script.number(given["at"]))
    elif "in" in given:
        sites = script.region(given["in"]).kept()
    elif "what" in given:
        put(sites, f"{where_kernel(script)}(v, c, {what}, -1)")
    else:
        sites = (occupied(script) & board(script)).kept()
    found = script.out.fresh("threatened")
    script.line(f"{found} = False")
    name = script.once(("threatened", id(node), script.modes), lambda: _attack_kernel(script, node))
    with sites.each() as site, script.block(f"if not {found}:"):
        script.line(f"{found} = {name}(v, c, {site}, {what})")
    return found


def _attack_kernel(script: Script, node: Bound) -> str:
    """Whether an enemy of a piece could move to its site, if it stood there."""
    modes, script.modes = script.modes, script.modes | {"threat"}
    own_rule = node.arguments.get("specificMoves")
    try:
        if own_rule is not None:
            reaching = [reach_kernel(script, bound(own_rule))]
        else:
            reaching = [reach_kernel(script, bound(phase.moves)) for phase in script.model.phases]
        with script.kernel("is_attacked", "site: i64, what: i64", "bool") as name, copied(script):
            script.line("t = State(w)")
            script.line("piece = what if what > 0 else top_of(s, site)")
            with script.block("if piece < 1:"):
                script.line("return False")
            script.line(f"owner = i64({owner_table(script)}[piece])")
            with script.block("if what > 0:"):
                with script.block("if top_of(t, site) != what:"):
                    if script.layout.counting:  # Ludii sets the kind but no number: an empty site stays empty
                        with script.block("if is_empty(t, site):"):
                            script.line("t.what[site] = what")
                        with script.block("else:"):
                            _put_instead(script)
                    else:
                        _put_instead(script)
            with script.block("else:"):
                script.line("t.next = owner")
            script.line("t.prev = owner")
            script.line("old = c.target")
            script.line("c.target = site")
            script.line("found = False")
            with script.block(f"for enemy in range(1, {script.layout.players + 1}):"):
                with script.block("if enemy != owner and not found:"):
                    script.line("t.mover = enemy")
                    if own_rule is not None:
                        script.line(f"found = {reaching[0]}(w, c)")
                    else:
                        by_phase(script, "enemy", lambda phase: script.line(f"found = {reaching[phase]}(w, c)"))
            script.line("c.target = old")
            script.line("return found")
    finally:
        script.modes = modes
    return name


def _put_instead(script: Script) -> None:
    script.line("remove_piece(t, site, -1)")
    script.line("add_piece(t, site, what, 1, -1, -1, -1)")


def reach_kernel(script: Script, moves: Bound) -> str:
    """The kernel that says whether rules make a move to the site in `c.target`."""

    def write() -> str:
        with into(script, Reaches()), script.kernel("reaches", result="bool", origin=script.place(moves)) as name:
            script.moves(moves)
            script.line("return False")
        return name

    return script.once(("reaches", id(moves), script.modes), write)


__all__ = ["Region", "reach_kernel", "word"]
