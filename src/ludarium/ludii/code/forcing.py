"""Moves that make themselves: `(automove)` in the rules above the rules.

After a move, all further moves of the player are made with it that are the only ones to lead to their sites; then again what is
the only one now, until nothing is left. They are found in the state that all of them together are made in.
"""

from __future__ import annotations

from ludarium.ludii.code.script import Script, by_phase
from ludarium.ludii.code.sinks import LEAF_BITS, Listed, consequence, into

_MOST_ROUNDS = 10_000  # Ludii would go on for ever


def write_forced(script: Script) -> str:
    """Write the kernel of what follows by itself from a move; nothing without such a rule."""
    if not script.layout.forces:
        return ""
    finders = [_finder(script, phase) for phase in range(script.layout.phases)]
    chosen = [(leaf, [consequence(script, then) for then in leaf.thens]) for leaf in script.leaves]
    wide = (script.layout.sites + 2).bit_length()
    to = f"i64((c.sole[k] >> u64({LEAF_BITS + wide})) & u64({(1 << wide) - 1}))"
    rule = next(each for each in script.model.meta if each.unit == "automove")
    with script.kernel("follow_alone", origin=script.place(rule)) as name:
        script.line("listed = c.count")
        script.line("goes_on = True")
        script.line("rounds = 0")
        with script.block("while goes_on:"):
            script.line(f'assert rounds < {_MOST_ROUNDS}, "moves that follow by themselves have no end"')
            script.line("rounds += 1")
            script.line("c.count = 0")
            by_phase(script, "s.mover", lambda phase: script.line(f"{finders[phase]}(v, c, c.sole)"))
            script.line(f"often = array(i64, {1 << wide})")
            with script.block("for k in range(c.count):"):
                script.line(f"often[{to}] += 1")
            script.line("kept = 0")
            with script.block("for k in range(c.count):"), script.block(f"if often[{to}] == 1:"):
                script.line("c.sole[kept] = c.sole[k]")
                script.line("kept += 1")
            script.line("goes_on = kept > 0")
            with script.block("for k in range(kept):"):
                script.line("code = c.sole[k]")
                _keep_ends(script)
                with script.block(f"match i64(code & u64({(1 << LEAF_BITS) - 1})):"):
                    for leaf, thens in chosen:
                        with script.block(f"case {leaf.index}:"):
                            script.line(f"{leaf.kernel}(v, c, code)")
                            for then in thens:
                                script.line(f"{then}(v, c)")
                    with script.block("case _:"):
                        script.line('assert False, "there is no such move"')
                _give_back_ends(script)
        script.line("c.count = listed")
    return name


def _finder(script: Script, phase: int) -> str:
    """The kernel that lists the moves of a phase: as rules make them, whatever the rules above them say."""
    sink = Listed()
    with (
        into(script, sink),
        script.filtered_at_once(),
        script.kernel(f"list_alone_{phase}", sink.more, sink.result) as name,
    ):
        script.moves(script.model.phases[phase].moves)
    return name


def _keep_ends(script: Script) -> None:
    """Write what keeps what rules know of the move itself."""
    script.line("last_level = i64(s.last_level)")
    for field in _noted(script):
        script.line(f"old_{field} = array(u64, {script.layout.words})")
        with script.block(f"for j in range({script.layout.words}):"):
            script.line(f"old_{field}[j] = s.{field}[j]")


def _give_back_ends(script: Script) -> None:
    """Write what brings it back; all sites where something was done are of the move, too."""
    script.line("s.last_level = last_level")
    for field in _noted(script):
        with script.block(f"for j in range({script.layout.words}):"):
            script.line(f"s.{field}[j] {'=' if field == 'between' else '|='} old_{field}[j]")


def _noted(script: Script) -> list[str]:
    layout = script.layout
    return ["touched"] * layout.touches + ["begun"] * layout.begins + ["between"] * layout.betweens
