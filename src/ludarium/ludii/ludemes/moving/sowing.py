"""Sowing: seeds along a track, and what is captured where the last one falls."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Done, Found, act, consequence, copied
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.asking.players import known_player
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, text


@ludeme("moves", "sow")
def _sow(script: Script, node: Bound) -> None:
    def push(*_: object) -> None:
        name = script.once(("sow", id(node), script.modes), lambda: _sow_kernel(script, node))
        script.line(f"{name}(v, c)")

    if not isinstance(script.sink, Done):
        raise script.model.unsupported(node, why="sowing as a move")
    find(script, Found(node, "Sow", "-1", "-1", push))


def _tracks(script: Script, node: Bound) -> list[int]:
    """The track for each owner, from nobody on; -1 where there is none."""
    tracks = script.topology.tracks
    if "trackName" not in node.arguments:
        return [0 if tracks else -1] * (script.layout.players + 2)
    name = text(node.arguments["trackName"])
    if "owner" not in node.arguments:
        found = next((k for k, each in enumerate(tracks) if each.name == name), -1)
        return [found] * (script.layout.players + 2)
    return [
        next((k for k, each in enumerate(tracks) if each.owner == owner and name in each.name), -1)
        for owner in range(script.layout.players + 2)
    ]


def _way_tables(script: Script) -> tuple[str, str, str, str, str, str]:
    """All tracks: where each begins, its sites, and for each element the next and the previous site and element."""
    starts: list[int] = [0]
    sites: list[int] = []
    onwards: list[int] = []
    back: list[int] = []
    next_at: list[int] = []
    back_at: list[int] = []
    for track in script.topology.tracks:
        base = len(sites)
        sites += track.sites
        onwards += track.next
        back += track.previous
        next_at += [base + k if k >= 0 else base for k in track.next_index]
        back_at += [base + k if k >= 0 else base for k in track.previous_index]
        starts.append(len(sites))
    table = script.table
    return (
        table(starts, hint="tracks"), table(sites, hint="track_sites"), table(onwards, hint="onwards"),
        table(next_at, hint="next_at"), table(back, hint="back"), table(back_at, hint="back_at"),
    )  # fmt: skip


def _sow_kernel(script: Script, node: Bound) -> str:
    """All seeds are found first; what they lead to is looked at in a copy where they have been sown."""
    given = node.arguments
    starts, sites, onwards, next_at, back, back_at = _way_tables(script)
    captures = _capture_kernels(script, node)
    with script.kernel("sow", origin=script.place(node)) as name:
        start = script.local("start", script.number(given.get("start"), "i64(s.last_to)"))
        count = script.local("count", script.number(given.get("count"), f"count_at(s, {start})"))
        owner = script.number(given["owner"]) if "owner" in given else "0"
        numbers = _tracks(script, node)
        numbers.append(-1)  # of whoever does not play
        owner = known_player(script, owner)
        known = literal(owner)
        script.line(f"track = {numbers[known] if known is not None else f'i64({script.table(numbers)}[{owner}])'}")
        with script.block("if track < 0:"):
            script.line("return")
        script.line(f"at = i64({starts}[track])")
        script.line(f"last = i64({starts}[track + 1])")
        with script.block(f"while at < last and {sites}[at] != {start}:"):
            script.line("at += 1")
        with script.block("if at == last:"):
            script.line("return")
        script.line("old_to = c.to")
        script.line("old_value = c.value")
        script.line("first = c.top")
        script.line("sown = 0")
        before, script.sink = script.sink, _Plain()
        _sow_origin(script, node, start, count)
        _sow_holes(script, node, start, count, onwards, next_at)
        script.sink = before
        if captures:
            rule, effect = captures
            with copied(script):
                with script.block("for k in range(first, c.top):"):
                    script.line("do_action(w, c, k)")
                script.line("old_from = c.from_")
                script.line("taken = 0")
                script.line("goes = True")
                with script.block(f"while goes and taken < last - i64({starts}[track]):"):
                    script.line("taken += 1")
                    script.line(f"goes = {rule}(w, c)")
                    with script.block("if goes:"):
                        script.line(f"c.from_ = {start}")
                        script.line(f"{effect}(w, c)")
                        _onwards(script, node, start, onwards, next_at, back, back_at)
                script.line("c.from_ = old_from")
        script.line("c.to = old_to")
        script.line("c.value = old_value")
    return name


def _sow_origin(script: Script, node: Bound, start: str, count: str) -> None:
    """Write what leaves the first seeds where they are."""
    given = node.arguments
    if "origin" not in given or script.truth(given["origin"]) == "False":
        return
    with script.register("from_", start):
        origin = script.local("origin", script.truth(given["origin"]))
        with script.block(f"if {origin}:"):
            _sow_effect(script, node)
    with script.block(f"if {origin}:"):
        script.line(f"sown += {script.number(given.get('numPerHole'), '1')}")
        script.line(f"c.to = {start}")


def _sow_holes(script: Script, node: Bound, start: str, count: str, onwards: str, next_at: str) -> None:
    """Write the loop over the holes; a hole that is left out does not count."""
    given = node.arguments
    script.line("hole = 0")
    script.line("left_out = 0")
    with script.block(f"while sown < {count} and hole < {count} and left_out <= 4 * last:"):
        script.line(f"c.value = {count} - hole")
        script.line(f"to = i64({onwards}[at])")
        script.line("c.to = to")
        skips = script.local("skips", script.truth(given.get("skipIf"), "False"))
        with script.block(f"if {skips}:"):
            script.line(f"at = i64({next_at}[at])")
            script.line("left_out += 1")
        with script.block("else:"):
            script.line("hole += 1")
            if not script.settled(node, "includeSelf", default=True):
                with script.block(f"if to == {start}:"):  # `(to)` in rules stays what it was
                    script.line(f"at = i64({next_at}[at])")
                    script.line(f"to = i64({onwards}[at])")
            many = script.local("many", script.number(given.get("numPerHole"), "1"))
            _sow_effect(script, node)
            seed = (actions.MOVE, start, "to") if script.layout.stacking else (actions.MOVE_COUNT, start, "to", 1, 1)
            if many == "1":
                act(script, *seed)
            else:
                with script.block(f"for _ in range(min({many}, {count} - sown)):"):
                    act(script, *seed)
            script.line(f"sown += {many}")
            script.line(f"at = i64({next_at}[at])")


def _sow_effect(script: Script, node: Bound) -> None:
    if "sowEffect" in node.arguments:
        thens, script.thens = script.thens, []
        script.moves(node.arguments["sowEffect"])
        script.thens = thens


def _onwards(script: Script, node: Bound, start: str, onwards: str, next_at: str, back: str, back_at: str) -> None:
    """Write where captures go on: back along the track, or forward, as long as a condition holds."""
    given = node.arguments
    if "backtracking" not in given and "forward" not in given:
        script.line("goes = False")
    for slot, sites, places in (("backtracking", back, back_at), ("forward", onwards, next_at)):
        if slot not in given:
            continue
        holds = _condition(script, given[slot])
        with script.block("if goes:"):
            script.line(f"goes = {holds}(w, c) and {sites}[at] >= 0")
        with script.block("if goes:"):
            script.line(f"c.to = i64({sites}[at])")
            script.line(f"at = i64({places}[at])")
            script.line(f"goes = {holds}(w, c)")
        if slot == "backtracking":
            with script.block(f"if c.to == {start}:"):
                script.line("goes = False")


def _condition(script: Script, value: Value) -> str:
    def write() -> str:
        with script.kernel("holds", result="bool") as name:
            script.answer(script.truth(value))
        return name

    return script.once(("condition", id(value), script.modes), write)


def _capture_kernels(script: Script, node: Bound) -> tuple[str, str] | None:
    """The kernels of the condition and of the effect of captures; what they do waits with the rest."""
    given = node.arguments
    if "apply" not in given:
        return None
    with script.kernel("is_capture", result="bool") as rule:
        script.answer(script.truth(given.get("If")))
    thens, script.thens = script.thens, []
    before, script.sink = script.sink, Foreseen()
    try:
        with script.kernel("capture", origin=script.place(given["apply"])) as effect:
            script.moves(bound(given["apply"]))
    finally:
        script.thens, script.sink = thens, before
    return rule, effect


class _Plain(Done):
    """Effects whose consequences are left out."""

    def __init__(self) -> None:
        super().__init__(at_once=False)

    def found(self, script: Script, move: Found) -> None:
        """Write the actions of an effect."""
        move.push(move.from_, move.to, {name: expression for name, (expression, _) in move.extra.items()})


class Foreseen(_Plain):
    """Effects whose consequences are worked out now, on a copy in which nothing but the effect itself has been done."""

    def found(self, script: Script, move: Found) -> None:
        """Write the actions of an effect, and those that its consequences come to."""
        if not script.thens:
            super().found(script, move)
            return
        first = script.local("first", "c.top")
        super().found(script, move)
        script.line(f"{_foreseeing(script)}(v, c, {first}, {move.from_}, {move.to})")


def _foreseeing(script: Script) -> str:
    """The kernel that lets the actions wait that the consequences of others come to."""
    thens = tuple(reversed(script.thens))

    def write() -> str:
        names = [consequence(script, then) for then in thens]
        with script.kernel("foresee", "first: i64, from_: i64, to: i64") as name, copied(script):
            script.line("tried = State(w)")
            script.line("tried.pending_count = 0")
            script.line("tried.after_from = -1")
            script.line("tried.after_to = -1")
            with script.block("for k in range(first, c.top):"):
                script.line("do_action(w, c, k)")
            script.line("note_move(w, c, from_, to)")
            script.line("tried.logged = 1")
            script.line("start = c.log_top")
            for each in names:
                script.line(f"{each}(w, c)")
            script.line("push_logged(c, start, c.log_top)")
            script.line("c.log_top = start")
        return name

    return script.once(("foresee", tuple(map(id, thens)), script.modes), write)
