"""How far it is from one site to another along a track."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.where.places import of_player, place_kernel, track_tables
from ludarium.ludii.model import text


@ludeme("int", "count StepsOnTrack")
def _steps_on_track(script: Script, node: Bound) -> str:
    """Steps from the first site to the second, round the end of the track if need be; -1 if that is not on it."""
    given = node.arguments
    name = script.once(("steps on track",), lambda: _steps_kernel(script))
    player = script.local("player", script.player(node, default="i64(s.mover)"))
    title = text(given["name"]) if "name" in given else None
    numbers = [_track(script, title, owner) for owner in range(script.layout.players + 2)]
    nobodys = _track(script, title, -1)
    track = of_player(script, numbers, player, "track_of", nobodys)
    sites = [script.local("site", script.number(given[slot])) for slot in ("site1", "site2")]
    return f"{name}(v, c, {track}, {sites[0]}, {sites[1]}, {player})"


def _track(script: Script, name: str | None, owner: int) -> int:
    """The first track of a player with that name, else the first of his, else the first of nobody."""
    tracks = list(enumerate(script.topology.tracks))
    named = [k for k, each in tracks if each.owner == owner and name is not None and name in each.name]
    own = [k for k, each in tracks if each.owner == owner]
    nobodys = [k for k, each in tracks if each.owner == 0]
    return next(iter([*named, *own, *nobodys]), -1)


def _steps_kernel(script: Script) -> str:
    """Where tracks cross themselves, one that is no loop is followed from the place of the piece, and only to its end."""
    starts, sites, loops = track_tables(script)
    with script.kernel("steps_on_track", "track: i64, site: i64, other: i64, player: i64", "i64") as name:
        with script.block("if track < 0:"):
            script.line("return -1")
        script.line(f"first = i64({starts}[track])")
        script.line(f"length = i64({starts}[track + 1]) - first")
        script.line(f"at = {place_kernel(script)}(v, c, track, site, player)")
        script.line("begin = max(at - first, 0)")
        script.line("most = length")
        if script.layout.crossing:
            with script.block(f"if {loops}[track] == 0:"):
                script.line("most = length - begin if at >= 0 else 0")
        with script.block("for k in range(most):"):
            with script.block(f"if {sites}[first + (begin + k) % length] == other:"):
                script.line("return k")
        script.line("return -1")
    return name
