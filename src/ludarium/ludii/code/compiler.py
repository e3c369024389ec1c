"""From a bound description to the kernels of a game table.

The rules are written as text, ludeme by ludeme; what all games have in common (sites, actions, turns, results) are kernels over
the layout of the game. `Compiled.text` is what `ludarium show FILE --code` prints.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

from ludarium.kernel import Kernel, Record, Stream, below
from ludarium.ludii.code.choices import check_choices
from ludarium.ludii.code.filters import write_holds
from ludarium.ludii.code.forcing import write_forced
from ludarium.ludii.code.meta import (
    check_meta,
    check_types,
    mark_allowed,
    write_allowed,
    write_fall,
    write_repeats,
    write_suicide,
)
from ludarium.ludii.code.playouts import playout_kernels, site_drawers, write_draws
from ludarium.ludii.code.script import Script, by_phase
from ludarium.ludii.code.simulating import check_simulation, write_simulation
from ludarium.ludii.code.sinks import (
    LEAF_BITS,
    PASS,
    SWAP,
    Leaf,
    Listed,
    Sink,
    consequence,
    forget_pending,
    into,
    note_types,
)
from ludarium.ludii.code.table import table_functions
from ludarium.ludii.code.together import check_together, write_apply_joint, write_choosers, write_own
from ludarium.ludii.code.turns import turn_kernels
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes import learn
from ludarium.ludii.ludemes.asking.conditions import any_move
from ludarium.ludii.ludemes.frame.ends import write_ends, write_phases
from ludarium.ludii.ludemes.frame.puzzles import variables
from ludarium.ludii.ludemes.frame.start import write_start
from ludarium.ludii.ludemes.moving.cards import check_cards
from ludarium.ludii.ludemes.moving.choosing import CHAIN, WIDTH
from ludarium.ludii.ludemes.moving.dice import roll_kernel
from ludarium.ludii.ludemes.moving.dominoes import check_dominoes
from ludarium.ludii.ludemes.moving.tiles import check_large
from ludarium.ludii.memory.actions import doing_kernels
from ludarium.ludii.memory.sites import site_kernels
from ludarium.ludii.memory.state import Layout
from ludarium.ludii.model import Model, bound, items, rolls, walk

MANY_MOVES = 16_384
_CHANCE = (
    "moves:roll", "int:value Random", "region:sites Random", "start:place Random", "moves:random", "start:deal", "moves:deal",
    "dirs:directions Random", "moves:take Domino",
)  # fmt: skip


@dataclass(frozen=True)
class Compiled:
    """A game as kernels."""

    model: Model
    layout: Layout
    context: type[Record]
    functions: dict[str, Kernel[Any]]
    leaves: tuple[Leaf, ...]
    max_moves: int
    stochastic: bool
    text: str
    variables: tuple[int, ...] = ()
    """Of a deduction puzzle."""


def compile_game(model: Model) -> Compiled:
    """Write the kernels of a game, and load them."""
    learn()
    _check_whole(model)
    layout = Layout(model)
    script = Script(model, layout)
    if model.simulation:
        write_simulation(script)
    else:
        _write_lists(script)
    if script.chains:
        _write_unfiltered(script)
    if not model.together and not model.simulation:
        write_draws(script)
        _write_perform(script)
    write_ends(script)
    write_phases(script)
    _write_finish(script)
    if model.together:
        write_apply_joint(script)
    else:
        _write_apply(script)
    write_start(script)
    if model.in_match:
        _write_worth(script)
    if not model.simulation:
        _write_arrival(script)
    text = script.out.text
    most, stochastic = _most_moves(script), model.uses(*_CHANCE) or bool(model.decks)
    chain = CHAIN * WIDTH if script.chains else 0
    context = layout.context(script.copies, most, chain, group=script.group_asked)
    names = site_kernels(layout, context)
    names |= doing_kernels(layout, context, names)
    names |= turn_kernels(layout, context, names)
    scope = {
        **script.scope,
        **names,
        **site_drawers(layout),
        "below": below,
        "Stream": Stream,
        "State": layout.state,
        "Context": context,
    }
    made = script.out.kernels(scope)
    given = {**names, **made}
    given |= playout_kernels(layout, context, given, most, stochastic=stochastic)
    functions = table_functions(layout, context, given, most, stochastic=stochastic, repeats=_repeats(script))
    leaves = tuple(replace(leaf, offered=leaf.index in script.offered) for leaf in script.leaves)
    puzzle = tuple(variables(script)) if layout.domain else ()
    return Compiled(model, layout, context, functions, leaves, most, stochastic, text, puzzle)


def _check_whole(model: Model) -> None:
    """Refuse what changes the rules as a whole and cannot be played yet."""
    if model.simulation or model.mode == "Simulation":
        check_simulation(model)
    if model.together:
        check_together(model)
    if model.large:
        check_large(model)
    check_cards(model)
    check_dominoes(model)
    check_meta(model)
    check_choices(model)
    check_types(model)


def finder(script: Script, hint: str, sink: Sink, phase: int) -> str:
    """The kernel that finds the moves of a phase, for a sink."""

    def write() -> str:
        with into(script, sink), script.kernel(f"{hint}_{phase}", sink.more, sink.result) as name:
            script.moves(script.model.phases[phase].moves)
            sink.nothing(script)
        return name

    return script.once((hint, phase, script.modes), write)


def _write_lists(script: Script) -> None:
    """The list of all moves; those whose filters wait are marked."""
    sink = Listed(offered=True)
    late: dict[int, str] = {}
    script.late = late
    finders = [finder(script, "list", sink, phase) for phase in range(script.layout.phases)]
    script.late = None
    allowed = write_allowed(script)
    if late or allowed:
        write_holds(script, late, allowed)
    together = script.model.together
    if together:
        write_choosers(script)
    with script.out.kernel("list_moves(v: view[u8], c: Context, out: buffer[u64]) -> None"):
        script.line("s = State(v)")
        by_phase(
            script, "c.chooser" if together else "s.mover", lambda phase: script.line(f"{finders[phase]}(v, c, out)")
        )
        if together:
            write_own(script)
        if allowed:
            mark_allowed(script)
        if script.model.uses("meta:swap"):
            with script.block(f"if s.moves == {script.layout.players - 1} and s.prev != s.mover and s.prev > 0:"):
                script.line(f"out[c.count] = u64({SWAP})")
                script.line("c.count += 1")


def _write_unfiltered(script: Script) -> None:
    """The list of moves for chains: those that begin the longest are among all."""
    modes, script.modes = script.modes, script.modes | {"unfiltered"}
    sink = Listed()
    finders = [finder(script, "list_all", sink, phase) for phase in range(script.layout.phases)]
    script.modes = modes
    with script.out.kernel("list_all(v: view[u8], c: Context, out: buffer[u64]) -> None"):
        script.line("s = State(v)")
        by_phase(script, "s.mover", lambda phase: script.line(f"{finders[phase]}(v, c, out)"))
    with script.out.kernel("goes_on(v: view[u8], c: Context) -> bool"):
        script.line("s = State(v)")
        script.line("return s.over == 0 and s.prev == s.mover")


def _write_apply(script: Script) -> None:
    """The kernel of a whole move: what it does, what comes of it, and the turn that it ends."""
    with script.out.kernel("apply_code(v: view[u8], c: Context, code: u64) -> None"):
        script.line("s = State(v)")
        if script.layout.counts_choices:
            script.line("c.count = 0")
            script.line("list_moves(v, c, c.sole)")
            script.line("s.choices = max(c.count, 1)")
        forget_pending(script)
        if script.layout.ballots:
            script.line("s.decided = 0")
        script.line("s.stalemate &= ~(1 << s.mover)")
        script.line("again = c.deep")
        script.line("c.deep = 0")
        script.line("perform(v, c, code)")
        if script.layout.clears:
            with script.block("if c.deep == 0:"):
                script.line("remove_cleared(s)")
        script.line("c.deep = again")
        swaps = [SWAP, *(leaf.index for leaf in script.leaves if leaf.kind == "Swap")]
        mask = (1 << LEAF_BITS) - 1
        swapped = " or ".join(f"code & u64({mask}) == u64({each})" for each in swaps)
        script.line(f"finish(v, c, 1 if {swapped} else 0)")


def _write_perform(script: Script) -> None:
    """The kernel that does a move by its code, consequences and all."""
    forced = write_forced(script)
    chosen: list[tuple[Leaf, list[str]]] = []
    for leaf in script.leaves:
        chosen.append((leaf, [consequence(script, then) for then in leaf.thens]))
    fall, levels = write_fall(script), script.model.uses("int:last LevelTo")
    with script.out.kernel("perform(v: view[u8], c: Context, code: u64) -> None"):
        script.line("s = State(v)")
        with script.block(f"match i64(code & u64({(1 << LEAF_BITS) - 1})):"):
            with script.block(f"case {PASS}:"):
                script.line("forget_ends(s)")
                script.line("note_move(v, c, -1, -1)")
                if levels:
                    script.line("s.last_level = 0")
                if script.layout.betweens:
                    for k in range(script.layout.words):
                        script.line(f"s.between[{k}] = u64(0)")
                script.line("note_pass(s, 1)")
                script.line("s.stalemate |= 1 << s.mover")
            if script.model.uses("meta:swap"):
                with script.block(f"case {SWAP}:"):
                    script.line("other = i64(s.prev)")
                    script.line("old = s.order[s.mover]")
                    script.line("s.order[s.mover] = s.order[other]")
                    script.line("s.order[other] = old")
                    script.line("note_move(v, c, -1, -1)")
                    script.line("note_pass(s, 0)")
                    script.line("s.next = s.mover")
            for leaf, thens in chosen:
                with script.block(f"case {leaf.index}:"):
                    script.line(f"{leaf.kernel}(v, c, code)")
                    ends = [_field(leaf, "from"), _field(leaf, "to")]
                    if leaf.kind == "Play":  # where the card lay is known only now
                        ends = ["i64(s.after_from)", "i64(s.after_to)"]
                    script.line(f"note_move(v, c, {', '.join(ends)})")
                    note_types(script, leaf)
                    if levels and leaf.node.unit not in (
                        "move Select",
                        "move Add",
                        "move Claim",
                        "move PlayCard",
                    ):  # they have told it
                        script.line("s.last_level = 0")
                    script.line(f"note_pass(s, {int(leaf.kind == 'Pass')})")
                    for then in thens:
                        script.line(f"{then}(v, c)")
            with script.block("case _:"):
                script.line('assert False, "there is no such move"')
        if forced:
            with script.block(f"if code & u64({(1 << LEAF_BITS) - 1}) != u64({PASS}):"):
                script.line(f"{forced}(v, c)")
        if fall:
            script.line(f"{fall}(v, c)")
        script.line("see_actions(s)")
    write_repeats(script)
    write_suicide(script)


def _field(leaf: Leaf, name: str) -> str:
    at, bits = leaf.fields[name]
    return f"i64((code >> u64({at})) & u64({(1 << bits) - 1})) - 1"


def _write_finish(script: Script) -> None:
    """The kernel of all that comes after a move: the end, phases, the next turn."""
    with script.out.kernel("finish(v: view[u8], c: Context, swapped: i64) -> None"):
        script.line("s = State(v)")
        script.line("end_rules(v, c)")
        script.line("limit_game(s)")
        with script.block("if s.over == 0:"):
            script.line("next_phases(v, c)")
            script.line("next_turn(s, swapped)")
        with script.block("else:"):
            script.line("s.prev = s.mover")


def _write_arrival(script: Script) -> None:
    """The kernel of what chance does before a player chooses: dice that are rolled while moves are listed belong to the state."""
    names = [_arrival(script, bound(phase.moves)) for phase in script.model.phases]
    with script.out.kernel("arrive(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        with script.block("if s.over == 0:"):
            by_phase(script, "s.mover", lambda phase: script.line(f"{names[phase]}(v, c)" if names[phase] else "pass"))


def _arrival(script: Script, moves: Bound) -> str:
    if not rolls(moves):
        return ""
    with script.kernel("arrive_in") as name:
        _rolls(script, moves)
    return name


def _rolls(script: Script, node: Bound) -> None:
    """Write what rolls dice where a rule that lists moves rolls them first."""
    given = node.arguments
    if not rolls(node):
        return
    match node.unit:
        case "roll":
            script.line(f"{roll_kernel(script)}(v, c)")
        case "do":
            _rolls(script, bound(given["prior"]))
            if "next" in given:
                _rolls(script, bound(given["next"]))
        case "if":
            with script.block(f"if {script.truth(given['cond'])}:"):
                _rolls(script, bound(given["list"]))
                script.line("pass")
            if "elseList" in given:
                with script.block("else:"):
                    _rolls(script, bound(given["elseList"]))
                    script.line("pass")
        case "or" | "and":
            for each in items(given["list"]) if "list" in given else [given["movesA"], given["movesB"]]:
                _rolls(script, bound(each))
        case "seq":
            for each in items(given["moves"]):
                _rolls(script, bound(each))
        case "priority":
            with ExitStack() as stack:
                for each in items(given["list"]) if "list" in given else [given["list1"], given["list2"]]:
                    _rolls(script, bound(each))
                    stack.enter_context(script.block(f"if not {any_move(script, bound(each))}(v, c):"))
                script.line("pass")
        case "max Moves":
            _rolls(script, bound(given["moves"]))
        case _:
            raise script.model.unsupported(node, why="dice that are rolled in it")


def _write_worth(script: Script) -> None:
    """The kernel of what a game is worth to its winners, in a match that says so; -1 if it does not."""
    within = script.model.within
    with script.out.kernel("worth_of_game(v: view[u8], c: Context) -> i64"):
        script.line("s = State(v)")
        script.answer(script.number(within.worth) if within and within.worth else "-1")


def _most_moves(script: Script) -> int:
    sites = script.layout.sites
    most = max(256, 16 * sites)
    pairs = any(each.unit == "move Select" and "to" in each.arguments for each in walk(script.model.root))
    if pairs or script.model.uses("moves:move (FromTo)", "moves:allCombinations"):
        most = max(most, min(sites * sites, MANY_MOVES))
    own = [each for piece in script.model.components if piece.moves for each in walk(piece.moves)]
    from_all = [each for each in own if each.unit in ("move (FromTo)", *_GOING)]
    for loop in (each for each in walk(script.model.root) if each.unit == "forEach Piece"):
        if "specificMoves" in loop.arguments:
            from_all += [each for each in walk(loop.arguments["specificMoves"]) if each.unit in _GOING]
    if any("region" in bound(each.arguments.get("from", each)).arguments for each in from_all):
        most = MANY_MOVES  # each piece makes the moves of all
    if script.model.uses("moves:forEach Value"):  # as many moves as there are pieces on a site
        most = max(most, 256 * sites)
    if script.layout.large:  # all pieces in all their states
        ways = sum(4 * len(piece.walks) for piece in script.model.components)
        most = max(most, ways * script.model.board_sites)
    if script.layout.domain:
        most = max(most, 2 * sites * (1 + script.layout.domain[1]))
    return min(most, MANY_MOVES)


_GOING = ("move Slide", "move Step", "move Leap")


def _repeats(script: Script) -> bool:
    """Whether rules may make the same move twice."""
    listed = script.layout.stacking or script.layout.listing
    return listed or any(leaf.repeated or leaf.node.unit not in _ONCE for leaf in script.leaves)


_ONCE = frozenset(
    ["move Add", "move Step", "move Remove", "move Select", "move Pass", "move (FromTo)", "move Promote", "move Leap"]
)
