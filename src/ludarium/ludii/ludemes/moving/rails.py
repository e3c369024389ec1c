"""Slides along the tracks of a board."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.code.script import Script
from ludarium.ludii.code.sinks import Found, act, perform
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.moving.moves import each_from, find, span
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound, text


def slide_on_track(script: Script, node: Bound, between: Mapping[str, Value], to_part: Mapping[str, Value]) -> None:
    """Along all tracks of a name: what is done where it lands is done only where a slide must stop, as Ludii has it."""
    given, effect = node.arguments, to_part.get("effect")
    if "stack" in given or {"trail", "effect"} & between.keys() or "directions" in given:
        raise script.model.unsupported(node, why="along a track")
    least, most = span(script, between.get("range"), 0, 10**9)
    allowed = bound(effect).arguments.get("If") if effect is not None else None
    rows, starts, sites, counted = _rails(script, node, text(given["track"]))

    def push(from_: str, to: str, known: Mapping[str, str]) -> None:
        if effect is not None:
            with script.block(f"if {known['stops']} == 1:"):
                perform(script, bound(bound(effect).arguments["effect"]))
        act(script, actions.MOVE, from_, to, -1)

    def found(from_: str, to: str, stops: str) -> None:
        find(script, Found(node, "Move", from_, to, push, {} if effect is None else {"stops": (stops, 2)}))

    with each_from(script, given.get("from")) as from_:
        rail, at, far = (script.out.fresh(hint) for hint in ("rail", "at", "far"))
        with script.block(f"for {rail} in range({rows}[{from_}], {rows}[{from_} + 1]):"):
            script.line(f"{at} = i64({starts}[{rail}])")
            end = script.local("end", f"i64({starts}[{rail} + 1])")
            script.line(f"{far} = 1")
            with script.block(f"while {at} < {end} and {far} <= {most}:"):
                to = script.local("to", f"i64({sites}[{at}])")
                with script.block(f"if {counted}[{at}] == 1:"), script.register("to", to):
                    stops = script.local("stops", script.truth(to_part.get("If"), "False"))
                    with script.block(f"if {stops}:"):
                        with script.block(f"if {far} >= {least}:"):
                            script.line(f"{at} = {end}")
                            found(from_, to, "1")
                    with script.block(f"elif {far} >= {least}:"):
                        with script.block(f"if {script.truth(allowed)}:"):
                            found(from_, to, "0")
                script.line(f"{at} += 1")
                script.line(f"{far} += 1")
                with script.block(f"if {at} < {end}:"), script.register("to", to), script.register("between", to):
                    free = script.truth(between["If"]) if "If" in between else f"is_empty(s, {to})"
                    with script.block(f"if not ({free}):"):
                        script.line(f"{at} = {end}")


def _rails(script: Script, node: Bound, name: str) -> tuple[str, str, str, str]:
    """Where tracks lead from each site: rows of ways, their beginnings, the sites, and whether a slide may end there.

    Of all tracks of a board, a slide must have gone round a bend.
    """
    tracks = [each for each in script.topology.tracks if name in (each.name, "AllTracks")]
    if any(site < 0 for track in tracks for site in track.sites):
        raise script.model.unsupported(node, why="along a track that leaves the board")
    rows, starts = [0], [0]
    sites: list[int] = []
    counted: list[int] = []
    for site in range(script.layout.sites):
        for track in tracks:
            for first in (k for k, each in enumerate(track.sites) if each == site):
                at, bends = first, track.bumps[first]
                for _ in range(len(track.sites) - 1):
                    if track.next_index[at] < 0:
                        break
                    sites.append(track.next[at])
                    counted.append(int(bends > 0 or name != "AllTracks"))
                    at = track.next_index[at]
                    bends += track.bumps[at]
                starts.append(len(sites))
        rows.append(len(starts) - 1)
    return (
        script.table(rows, hint="rail_rows"),
        script.table(starts, hint="rails"),
        script.table(sites, hint="on_rails"),
        script.table(counted, hint="may_end"),
    )
