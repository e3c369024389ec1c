"""Games whose players choose at the same time: whose move a move is, and how the moves of all become one.

All that players have chosen is done in the order of the players, each with its own consequences; those that wait for all
(`applyAfterAllMoves`) come last, and then the turn ends as that of a single move does.
"""

from __future__ import annotations

import re

from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sinks import LEAF_BITS, PASS, Leaf, consequence, forget_pending
from ludarium.ludii.grammar.binder import Bound, Constant, Symbol
from ludarium.ludii.model import Model, bound, rolls, walk

_MASK = (1 << LEAF_BITS) - 1
_ASK_FOR_TURNS = ("bool:no Moves", "bool:all Passed", "moves:max Moves", "moves:max Captures", "moves:swap Players")
_CHOOSER = re.compile(r"P\d+|Mover|Next|Prev")


def check_together(model: Model) -> None:
    """Refuse what speaks of one mover, where all move at once."""
    for rule in model.meta:
        if rule.signature.ludeme.names[0] != "passEnd":
            raise model.unsupported(rule, why="in a game of simultaneous moves")
    for node in walk(model.root):
        if f"{node.family}:{node.unit}" in _ASK_FOR_TURNS:
            raise model.unsupported(node, why="in a game of simultaneous moves")
    for phase in model.phases:
        if rolls(phase.moves):
            raise model.unsupported(bound(phase.moves), why="dice in a game of simultaneous moves")


def write_choosers(script: Script) -> None:
    """Write the kernel that says whose move a code is: that of the role that it names, or of the mover."""
    with script.out.kernel("chosen_by(v: view[u8], code: u64) -> i64"):
        script.line("s = State(v)")
        with script.block(f"match i64(code & u64({_MASK})):"):
            for leaf in script.leaves:
                chooser = _chooser(script, leaf)
                if chooser:
                    with script.block(f"case {leaf.index}:"):
                        script.line(f"return {chooser}")
            with script.block("case _:"):
                script.line("pass")
        script.line("return i64(s.mover)")


def _chooser(script: Script, leaf: Leaf) -> str:
    given = leaf.node.arguments
    role = given.get("role" if leaf.kind == "Bet" else "mover")
    if role is None and not (leaf.kind == "Bet" and "who" in given):
        return ""
    if not isinstance(role, Symbol) or not _CHOOSER.fullmatch(role.word):
        raise script.model.unsupported(leaf.node, why="whose move it is")
    return script.role(role)


def write_own(script: Script) -> None:
    """Write what keeps only the moves of the player whose moves are listed."""
    script.line("own = 0")
    with script.block("for k in range(c.count):"), script.block("if chosen_by(v, out[k]) == c.chooser:"):
        script.line("out[own] = out[k]")
        script.line("own += 1")
    script.line("c.count = own")


def write_apply_joint(script: Script) -> None:
    """Write the kernel that does what all have chosen."""
    _write_part(script, "perform_own", late=False)
    _write_part(script, "perform_late", late=True)
    players = script.layout.players
    passes = [PASS, *(leaf.index for leaf in script.leaves if leaf.kind == "Pass")]
    passed = " or ".join(f"code == {each}" for each in passes)
    with script.out.kernel("apply_joint(v: view[u8], c: Context, joint: view[u64]) -> None"):
        script.line("s = State(v)")
        forget_pending(script)
        if script.layout.ballots:
            script.line("s.decided = 0")
        script.line("playing = i64(s.active)")
        script.line("passed = 1")
        script.line("c.deep = 0")
        with script.block(f"for p in range({players}):"), script.block("if (playing >> (p + 1)) & 1 == 1:"):
            script.line("perform_own(v, c, joint[p])")
            script.line(f"code = i64(joint[p] & u64({_MASK}))")
            with script.block(f"if not ({passed}):"):
                script.line("passed = 0")
        script.line("note_move(v, c, 0, 0)")
        script.line("note_pass(s, passed)")
        with script.block(f"for p in range({players}):"), script.block("if (playing >> (p + 1)) & 1 == 1:"):
            script.line("perform_late(v, c, joint[p])")
        script.line("see_actions(s)")
        if script.layout.clears:
            with script.block("if c.deep == 0:"):
                script.line("remove_cleared(s)")
        script.line("finish(v, c, 0)")


def _write_part(script: Script, name: str, *, late: bool) -> None:
    """Write the kernel of a move of one of the players: itself, or what comes of it when all have moved."""
    thens = {
        leaf.index: [consequence(script, each) for each in leaf.thens if _waits(each) == late] for leaf in script.leaves
    }
    head = script.out.kernel(f"{name}(v: view[u8], c: Context, code: u64) -> None")
    with head, script.block(f"match i64(code & u64({_MASK})):"):
        for leaf in script.leaves:
            if thens[leaf.index] or not late:
                with script.block(f"case {leaf.index}:"):
                    if not late:
                        script.line(f"{leaf.kernel}(v, c, code)")
                    for then in thens[leaf.index]:
                        script.line(f"{then}(v, c)")
        with script.block("case _:"):
            script.line("pass")


def _waits(then: Bound) -> bool:
    given = then.arguments.get("applyAfterAllMoves")
    return isinstance(given, Constant) and given.value is True
