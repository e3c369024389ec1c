"""Simulations: games that nobody plays. One role looks on; its only move lets all happen that the rules find, at once."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, by_phase
from ludarium.ludii.code.sinks import Exists, into, perform
from ludarium.ludii.model import Model, bound, rolls, walk

_ASK_FOR_MOVES = (
    "int:last To", "int:last From", "region:last Between", "bool:no Moves", "bool:can Move", "moves:max Moves", "int:mover",
    "int:next", "int:prev",
)  # fmt: skip


def check_simulation(model: Model) -> None:
    """Refuse what speaks of players and their moves."""
    if not model.simulation:
        raise model.unsupported(model.root.arguments["mode"], f"mode {model.mode}", "with players")
    for rule in model.meta:
        raise model.unsupported(rule, why="in a simulation")
    for node in walk(model.root):
        if f"{node.family}:{node.unit}" in _ASK_FOR_MOVES:
            raise model.unsupported(node, why="in a simulation")
    for phase in model.phases:
        if rolls(phase.moves):
            raise model.unsupported(bound(phase.moves), why="dice in a simulation")


def write_simulation(script: Script) -> None:
    """Write the kernels of a step: what happens in it, and what ends the game when nothing more does."""
    phases = [bound(phase.moves) for phase in script.model.phases]
    steps, found = [], []
    for moves in phases:
        with script.kernel("step", origin=script.place(moves)) as name:
            perform(script, moves)
        steps.append(name)
        exists = Exists()
        with into(script, exists), script.kernel("happens", result="bool", origin=script.place(moves)) as name:
            script.moves(moves)
            exists.nothing(script)
        found.append(name)
    with script.out.kernel("list_moves(v: view[u8], c: Context, out: buffer[u64]) -> None"):
        script.line("c.count = 0")
    with script.out.kernel("perform(v: view[u8], c: Context, code: u64) -> None"):
        script.line("s = State(v)")
        by_phase(script, "s.mover", lambda phase: script.line(f"{steps[phase]}(v, c)"))
        script.line("note_move(v, c, -1, -1)")
    with script.out.kernel("arrive(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        script.line("goes_on = False")
        with script.block("if s.over == 0:"):
            by_phase(script, "s.mover", lambda phase: script.line(f"goes_on = {found[phase]}(v, c)"))
            with script.block("if not goes_on:"):
                script.line("draw_game(s)")
