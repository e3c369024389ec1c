"""Sites that are drawn: where pieces stand at first, and where things happen."""

from __future__ import annotations

from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.regions import board, empty
from ludarium.ludii.ludemes.start import piece_named, start_rule
from ludarium.ludii.model import items
from ludarium.ludii.regions import Region, blank, put
from ludarium.ludii.script import Script, ludeme
from ludarium.ludii.sinks import Done


def draw_site(script: Script, left: Region) -> str:
    """Write what draws one of the sites of a set and takes it out; -1 if there is none. Outcomes that are given are sites."""
    site, rank = script.out.fresh("drawn"), script.out.fresh("rank")
    script.line(f"{site} = -1")
    many = script.local("many", left.count())
    with script.block(f"if {many} > 0:"):
        with script.block("if c.forced_at < c.forced_count:"):
            script.line(f"{site} = i64(c.forced[c.forced_at])")
            script.line("c.forced_at += 1")
        with script.block("else:"):
            script.line(f"{rank} = random_below(c, {many})")
            with left.each() as each:
                with script.block(f"if {rank} == 0:"):
                    script.line(f"{site} = {each}")
                script.line(f"{rank} -= 1")
        script.line(f"{left.word(f'({site} >> 6)')} &= ~(u64(1) << u64({site} & 63))")
    return site


@start_rule("place Random")
def _place_random(script: Script, node: Bound) -> None:
    given = node.arguments
    if "where" in given or "randPiecOrder" in given or "type" in given:
        raise script.model.unsupported(node, why="pieces in a random order")
    count = script.number(given.get("count"), "1")
    fields = f"{script.number(given.get('state'))}, -1, {script.number(given.get('value'))}"
    for each in items(given["item"]):
        piece = piece_named(script, each)
        region = script.region(given["region"]) if "region" in given else board(script)
        left = blank(script, "left")
        for k in range(script.layout.words):
            script.line(f"{left.word(str(k))} = {(region & empty(script)).word(str(k))}")
        with script.block(f"for _ in range({count}):"):
            site = draw_site(script, left)
            script.line(f"add_piece(s, {site}, {piece.index}, 1, {fields})")


@ludeme("region", "sites Random")
def _sites_random(script: Script, node: Bound) -> Region:
    """Some sites of a region, each as likely as the others."""
    given = node.arguments
    if not isinstance(script.sink, Done):
        raise script.model.unsupported(node, why="drawn when moves are listed")
    region = script.region(given["region"]) if "region" in given else empty(script)
    left, found = blank(script, "left"), blank(script)
    for k in range(script.layout.words):
        script.line(f"{left.word(str(k))} = {region.word(str(k))}")
    with script.block(f"for _ in range({script.number(given.get('num'), '1')}):"):
        put(found, draw_site(script, left))
    return found
