"""Sites that are drawn: where pieces stand at first, and where things happen."""

from __future__ import annotations

from ludarium.ludii.code.regions import Region, blank, occupied, put
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.frame.start import piece_named, start_rule
from ludarium.ludii.ludemes.where.regions import board, empty
from ludarium.ludii.memory.spots import kind_of
from ludarium.ludii.model import bound, items


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
    if kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="sites of another type")
    if "where" in given:
        _shuffled_stack(script, node)
        return
    pieces = [piece_named(script, each) for each in items(given["item"])]
    fields = f"{script.number(given.get('state'))}, -1, {script.number(given.get('value'))}"
    if script.settled(node, "randPiecOrder"):
        rest, chosen = script.out.fresh("rest"), script.out.fresh("chosen")
        script.line(f"{rest} = u64({(1 << len(pieces)) - 1})")
        with script.block(f"for _ in range({len(pieces)}):"):
            script.line(f"{chosen} = draw_one(c, {rest})")
            script.line(f"{rest} &= ~(u64(1) << u64({chosen}))")
            table = script.table([each.index for each in pieces], hint="pieces")
            _placed_somewhere(script, node, f"i64({table}[{chosen}])", fields)
        return
    for each in pieces:
        _placed_somewhere(script, node, str(each.index), fields)


def _placed_somewhere(script: Script, node: Bound, piece: str, fields: str) -> None:
    """Write what puts so many pieces of a kind on free sites, as long as there are any."""
    given = node.arguments
    region = script.region(given["region"]) if "region" in given else board(script)
    left, done, goes = blank(script, "left"), script.out.fresh("done"), script.out.fresh("goes")
    for k in range(script.layout.words):
        script.line(f"{left.word(str(k))} = {(region - occupied(script)).word(str(k))}")
    script.line(f"{done} = 0")
    script.line(f"{goes} = True")
    with script.block(f"while {goes}:"):  # as in Ludii, a number that is drawn is drawn again for every piece
        script.line(f"{goes} = {done} < {script.number(given.get('count'), '1')} and {left.some()}")
        with script.block(f"if {goes}:"):
            site = draw_site(script, left)
            script.line(f"add_piece(s, {site}, {piece}, 1, {fields})")
            script.line(f"{done} += 1")


def _shuffled_stack(script: Script, node: Bound) -> None:
    """Write what puts pieces on a stack one by one, each as likely as the others that are left."""
    given = node.arguments
    counts: list[Value | None]
    if "items" in given:
        parts = [bound(each).arguments for each in items(given["items"])]
        named, counts = [each["item"] for each in parts], [each["count"] for each in parts]
    else:
        named = list(items(given["pieces"]))
        counts = list(items(given["count"])) if "count" in given else [None] * len(named)
    kinds = [piece_named(script, each).index for each in named]
    fields = f"{script.number(given.get('state'))}, -1, {script.number(given.get('value'))}"
    site, left = script.local("site", script.number(given["where"])), script.out.fresh("left")
    script.line(f"{left} = array(i64, {len(kinds)})")
    for k, count in enumerate(counts):
        script.line(f"{left}[{k}] = {script.number(count, '1')}")
    total, rank, kind = (script.out.fresh(hint) for hint in ("total", "rank", "kind"))
    script.line(f"{total} = " + " + ".join(f"{left}[{k}]" for k in range(len(kinds))))
    with script.block(f"while {total} > 0:"):
        script.line(f"{rank} = random_below(c, {total})")
        script.line(f"{kind} = 0")
        with script.block(f"while {rank} >= {left}[{kind}]:"):
            script.line(f"{rank} -= {left}[{kind}]")
            script.line(f"{kind} += 1")
        script.line(f"{left}[{kind}] -= 1")
        script.line(f"{total} -= 1")
        script.line(f"add_piece(s, {site}, i64({script.table(kinds, hint='pieces')}[{kind}]), 1, {fields})")


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
