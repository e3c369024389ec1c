"""Choosing among moves by what they lead to, and loops that make moves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from ludarium.ludii.code.filters import Filtered
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Done, Ends, Listed, Reaches, copied
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.players import each_team
from ludarium.ludii.ludemes.moving.moves import moves_apart, span
from ludarium.ludii.ludemes.where.directions import each_radial, onwards
from ludarium.ludii.ludemes.where.places import track_tables
from ludarium.ludii.model import bound, text


@ludeme("moves", "forEach Value")
def _for_each_value(script: Script, node: Bound) -> None:
    given = node.arguments
    if "values" in given:
        with script.numbers(given["values"]).each() as value, script.register("value", value, loop=True):
            moves_apart(script, given["generator"])
        return
    least, most = script.local("least", script.number(given["min"])), script.local("most", script.number(given["max"]))
    value = script.out.fresh("value")
    with script.block(f"for {value} in range({least}, {most} + 1):"), script.register("value", value, loop=True):
        moves_apart(script, given["generator"])


@ludeme("moves", "forEach Level")
def _for_each_level(script: Script, node: Bound) -> None:
    given = node.arguments
    site = script.local("site", script.number(given["site"]))
    upwards = "stackDirection" in given and repr(given["stackDirection"]) == "FromBottom"
    high, k = script.local("high", f"height_of(s, {site})"), script.out.fresh("k")
    with script.block(f"for {k} in range({high}):"):
        level = k if upwards else f"{high} - 1 - {k}"
        with script.register("level", level, loop=True):
            moves_apart(script, given["moves"])


@ludeme("moves", "forEach Player", forgets_then=True)
def _for_each_player(script: Script, node: Bound) -> None:
    player = script.out.fresh("p")
    with script.block(f"for {player} in range(1, {script.layout.players + 1}):"):
        with script.register("player", player, loop=True):
            moves_apart(script, node.arguments["moves"])


@ludeme("moves", "forEach Team")
def _for_each_team(script: Script, node: Bound) -> None:
    with each_team(script):
        moves_apart(script, node.arguments["moves"])


@ludeme("moves", "forEach (ForEachPlayer)", forgets_then=True)
def _for_players(script: Script, node: Bound) -> None:
    with script.numbers(node.arguments["players"]).each() as player:
        some = script.block(f"if 0 <= {player} <= {script.layout.players + 1}:")
        with some, script.register("player", player, loop=True):
            moves_apart(script, node.arguments["moves"])


@ludeme("moves", "forEach Direction")
def _for_each_direction(script: Script, node: Bound) -> None:
    given = node.arguments
    from_part = bound(given["from"]).arguments if "from" in given else {}
    between = bound(given["between"]).arguments if "between" in given else {}
    to_part = bound(given["to"]).arguments if "to" in given else {}
    start = script.local("origin", script.number(from_part.get("loc"), "c.from_"))
    least, most = span(script, between.get("range"), 1, 1)
    piece, inside = script.local("piece", "c.from_"), f"0 <= {start} < {script.model.board_sites}"
    with script.block(f"if {inside} and 0 <= {piece} < {script.layout.sites} and not is_empty(s, {piece}):"):
        where = onwards(script, given.get("directions"), piece, "c.to")
        with each_radial(script, where, start) as (_, at, end, sites):
            far = script.out.fresh("far")
            script.line(f"{far} = 0")
            with script.block(f"while {at} < {end} and {far} < {most}:"):
                to = script.local("to", f"i64({sites}[{at}])")
                script.line(f"{at} += 1")
                script.line(f"{far} += 1")
                if "If" in between:
                    near = script.block(f"if {far} < {least}:")
                    with near, script.register("between", to):
                        with script.block(f"if not ({script.truth(between['If'])}):"):
                            script.line(f"{at} = {end} + 1")
                with script.block(f"if {at} <= {end}:"), script.register("to", to, loop=True):
                    with script.block(f"if {script.truth(to_part.get('If'))}:"):  # asked of nearer sites, too
                        with script.block(f"if {far} >= {least}:") if least != "1" else nullcontext():
                            # what is applied has no condition of its own, as Ludii has it
                            moves_apart(script, given.get("moves") or bound(to_part["effect"]).arguments["effect"])
                    with script.block("else:"):
                        script.line(f"{at} = {end}")


@ludeme("moves", "firstMoveOnTrack", forgets_then=True)
def _first_on_track(script: Script, node: Bound) -> None:
    """The moves of the first site of a track that has any."""
    given = node.arguments
    starts, sites, _ = track_tables(script)
    track = script.local("track", _track(script, node))
    sink = script.sink
    if isinstance(sink, Reaches | Ends | Filtered):
        raise script.model.unsupported(node, why="asking where it leads")
    counter = "c.top" if isinstance(sink, Done) else "c.count"
    before, at = script.local("before", counter), script.out.fresh("at")
    with script.block(f"if {track} >= 0:"):
        script.line(f"{at} = i64({starts}[{track}])")
        with script.block(f"while {at} < {starts}[{track} + 1] and {counter} == {before}:"):
            site = script.local("site", f"i64({sites}[{at}])")
            script.line(f"{at} += 1")
            with script.register("site", site, loop=True), script.filtered_at_once():
                moves_apart(script, given["moves"])


def _track(script: Script, node: Bound) -> str:
    given, tracks = node.arguments, script.topology.tracks
    name = text(given["trackName"]) if "trackName" in given else None
    if name is None:  # the first there is, whoever is named
        return "0" if tracks else "-1"
    if "owner" not in given:
        return str(next((k for k, each in enumerate(tracks) if each.name == name), -1))
    numbers = [
        next((k for k, each in enumerate(tracks) if each.owner == owner and name in each.name), -1)
        for owner in range(script.layout.players + 2)
    ]
    player = script.role(given["owner"])
    known = literal(player)
    return str(numbers[known]) if known is not None else f"i64({script.table(numbers, hint='track_of')}[{player}])"


@ludeme("moves", "max Moves")
def _max_moves(script: Script, node: Bound) -> None:
    """Only those moves that begin the longest chains of moves of the same player, or those that take what is worth most."""
    worth = script.truth(node.arguments.get("withValue"), "False")
    if worth not in ("True", "False"):
        raise script.model.unsupported(node, why="values that count only sometimes")
    by_worth = worth == "True"
    _keep_best(script, node, lambda: script.once(("chain", by_worth), lambda: _chain_kernel(script, by_worth=by_worth)))


@ludeme("moves", "max Captures")
def _max_captures(script: Script, node: Bound) -> None:
    """Only those moves that take most pieces, or what is worth most."""
    worth = script.truth(node.arguments.get("withValue"), "False")
    if worth not in ("True", "False"):
        raise script.model.unsupported(node, why="values that count only sometimes")
    field = "taken_tops" if worth == "True" else "taken"
    _keep_best(script, node, lambda: script.once(("taken", field), lambda: _taken_kernel(script, field)))


def _taken_kernel(script: Script, field: str) -> str:
    """What a move takes away."""
    with script.kernel("taken_by", "code: u64", "i64") as name, copied(script):
        script.line("t = State(w)")
        script.line("t.taken = 0")
        script.line("t.taken_tops = 0")
        script.line("old_count = c.count")
        script.line("apply_code(w, c, code)")
        script.line("c.count = old_count")
        script.line(f"return i64(t.{field})")
    return name


def _keep_best(script: Script, node: Bound, judge: Callable[[], str]) -> None:
    """List moves, and keep those that a kernel judges best."""
    given, sink = node.arguments, script.sink
    if isinstance(sink, Filtered):
        raise script.model.unsupported(node, why="chains that are filtered afterwards")
    if not isinstance(sink, Listed) or "unfiltered" in script.modes:
        moves_apart(script, given["moves"])
        return
    thens, script.thens = script.thens, [each for each in script.thens if each is not given.get("then")]
    first = script.local("first", "c.count")
    with script.filtered_at_once():
        moves_apart(script, given["moves"])
    script.thens = thens
    chain = judge()
    best, kept, k = script.out.fresh("best"), script.out.fresh("kept"), script.out.fresh("k")
    script.line(f"{best} = 0")
    script.line(f"{kept} = {first}")
    with script.block(f"for {k} in range({first}, c.count):"):
        length = script.local("length", f"{chain}(v, c, out[{k}])")
        with script.block(f"if {length} > {best}:"):
            script.line(f"{best} = {length}")
            script.line(f"{kept} = {first}")
        with script.block(f"if {length} == {best}:"):
            script.line(f"out[{kept}] = out[{k}]")
            script.line(f"{kept} += 1")
    script.line(f"c.count = {kept}")


CHAIN = 48
"""How long a chain of moves may be."""

WIDTH = 256
"""How many moves there may be in each step of a chain."""


def _chain_kernel(script: Script, *, by_worth: bool) -> str:
    """How long a player can go on after a move, or what he can take: all that is possible is tried, one step deeper at a time."""
    size = script.layout.copy_size
    at = script.copies * size
    script.copies += CHAIN
    script.chains = True
    with script.kernel("chain_after", "first: u64", "i64") as name:
        script.line(f"counts = empty(i64, {CHAIN})")
        script.line(f"places = empty(i64, {CHAIN})")
        script.line("old_count = c.count")
        script.line("best = 1")
        script.line("level = 0")
        script.line(f"w = c.copies[{at}:{at + script.layout.state.size}]")
        script.line("copy(w, v)")
        if by_worth:
            script.line("State(w).taken_worth = 0")
        script.line("apply_code(w, c, first)")
        if by_worth:
            script.line("best = i64(State(w).taken_worth)")
            script.line("State(w).taken_tops = best")
        script.line("counts[0] = 0")
        script.line("places[0] = 0")
        with script.block("if goes_on(w, c):"):
            script.line("c.count = 0")
            script.line(f"list_all(w, c, c.chain[0:{WIDTH}])")
            script.line("counts[0] = c.count")
        with script.block("while level >= 0:"):
            with script.block("if places[level] < counts[level]:"):
                script.line(f'assert level + 1 < {CHAIN}, "a chain of moves is longer than rules may have"')
                script.line(f"code = c.chain[level * {WIDTH} + places[level]]")
                script.line("places[level] += 1")
                script.line(
                    f"here = c.copies[{at} + level * {size} : {at} + level * {size} + {script.layout.state.size}]"
                )
                script.line(
                    f"there = c.copies[{at} + (level + 1) * {size} : {at} + (level + 1) * {size} + {script.layout.state.size}]"
                )
                script.line("copy(there, here)")
                script.line("apply_code(there, c, code)")
                script.line(f"best = max(best, {'i64(State(there).taken_tops)' if by_worth else 'level + 2'})")
                with script.block("if goes_on(there, c):"):
                    script.line("level += 1")
                    script.line("c.count = 0")
                    script.line(f"list_all(there, c, c.chain[level * {WIDTH} : (level + 1) * {WIDTH}])")
                    script.line("counts[level] = c.count")
                    script.line("places[level] = 0")
            with script.block("else:"):
                script.line("level -= 1")
        script.line("c.count = old_count")
        script.line("return best")
    return name


@ludeme("moves", "max Distance")
def _max_distance(script: Script, node: Bound) -> None:
    """As Ludii has it, nothing is left out."""
    moves_apart(script, node.arguments["moves"])
