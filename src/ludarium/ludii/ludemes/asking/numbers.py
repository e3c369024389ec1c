"""Numbers and sites."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludarium.ludii.board.topology import Sites
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import folded
from ludarium.ludii.ludemes.asking.fractions import fraction
from ludarium.ludii.ludemes.where.places import of_player
from ludarium.ludii.memory.spots import kind_of, spot
from ludarium.ludii.model import items, text, word

for _unit, _register in {
    "to": "to", "between": "between", "site": "site", "level": "level", "value (ValueIterated)": "value", "pips": "pips",
    "player": "player",
}.items():  # fmt: skip

    def _read(script: Script, node: Bound, register: str = _register) -> str:
        return f"c.{register}"

    ludeme("int", _unit)(_read)

for _unit in ("mover", "next", "counter"):

    def _field(script: Script, node: Bound, field: str = _unit) -> str:
        return f"i64(s.{field})"

    ludeme("int", _unit)(_field)


@ludeme("int", "from")
def _from(script: Script, node: Bound) -> str:
    return "i64(s.turn_from)" if "at" in node.arguments else "c.from_"


@ludeme("int", "last To", "last From")
def _last(script: Script, node: Bound) -> str:
    end = "to" if word(node.arguments["lastType"]) == "To" else "from"
    if script.settled(node, "afterConsequence"):
        return f"i64(s.seen_{end})"
    return f"i64(s.last_{end})"


@ludeme("int", "last LevelTo")
def _last_level(script: Script, node: Bound) -> str:
    """The level of what was selected or added; 0 after all other moves."""
    if script.settled(node, "afterConsequence"):
        raise script.model.unsupported(node, why="after all that came of the move")
    return "i64(s.last_level)"


@ludeme("int", "+", "*")
def _many(script: Script, node: Bound) -> str:
    given, sign = node.arguments, node.signature.ludeme.names[0]
    if "array" in given:
        return folded(script, node, sign, "0" if sign == "+" else "1", "0")
    parts = [given["a"], given["b"]] if "a" in given else list(items(given["list"]))
    values = [script.number(each) for each in parts]
    known = [literal(each) for each in values]
    if values and all(each is not None for each in known):
        total = 0 if sign == "+" else 1
        for each in known:
            assert each is not None
            total = total + each if sign == "+" else total * each
        return str(total)
    return "(" + f" {sign} ".join(values or ["0"]) + ")"


@ludeme("int", "-")
def _minus(script: Script, node: Bound) -> str:
    first, second = script.number(node.arguments.get("valueA"), "0"), script.number(node.arguments["valueB"])
    one, two = literal(first), literal(second)
    if one is not None and two is not None:
        return str(one - two)
    return f"({first} - {second})"


@ludeme("int", "/")
def _over(script: Script, node: Bound) -> str:
    first, second = script.number(node.arguments["a"]), script.number(node.arguments["b"])
    one, two = literal(first), literal(second)
    if one is not None and two:
        return str(int(one / two))
    return f"{script.once(('quotient',), lambda: _quotient(script))}(v, c, {first}, {second})"


def _quotient(script: Script) -> str:
    """Division that cuts towards zero."""
    with script.kernel("quotient", "a: i64, b: i64", "i64") as name:
        script.line('assert b != 0, "division by zero"')
        script.line("q = abs(a) // abs(b)")
        script.line("return q if (a < 0) == (b < 0) else -q")
    return name


@ludeme("int", "%")
def _rest(script: Script, node: Bound) -> str:
    first, second = script.number(node.arguments["value"]), script.number(node.arguments["modulo"])
    one, two = literal(first), literal(second)
    if one is not None and two is not None and one >= 0 and two > 0:
        return str(one % two)
    first = script.local("value", first)
    second = script.local("modulo", second)
    return f"({first} - {second} * {script.once(('quotient',), lambda: _quotient(script))}(v, c, {first}, {second}))"


@ludeme("int", "max", "min")
def _extreme(script: Script, node: Bound) -> str:
    if "array" in node.arguments:
        return folded(script, node, node.signature.ludeme.names[0], "0", "-1")
    first, second = (script.number(node.arguments[name]) for name in ("valueA", "valueB"))
    one, two = literal(first), literal(second)
    name = node.signature.ludeme.names[0]
    if one is not None and two is not None:
        return str(max(one, two) if name == "max" else min(one, two))
    return f"{name}({first}, {second})"


@ludeme("int", "abs")
def _abs(script: Script, node: Bound) -> str:
    return f"abs({script.number(node.arguments['value'])})"


@ludeme("int", "^")
def _power(script: Script, node: Bound) -> str:
    first, second = script.number(node.arguments["a"]), script.number(node.arguments["b"])
    one, two = literal(first), literal(second)
    if one is not None and two is not None and two >= 0:
        return str(one**two)
    return f"{script.once(('power',), lambda: _power_kernel(script))}(v, c, {first}, {second})"


def _power_kernel(script: Script) -> str:
    """A power, cut towards zero as a small whole number is."""
    with script.kernel("power", "a: i64, b: i64", "i64") as name:
        script.line("found = 1")
        with script.block("for _ in range(abs(b)):"):
            script.line("found *= a")
        with script.block("if b < 0:"):
            script.line("return found if abs(found) == 1 else 0")
        script.line(f"return min(max(found, {-(2**31)}), {2**31 - 1})")
    return name


@ludeme("int", "if")
def _if(script: Script, node: Bound) -> str:
    given = node.arguments
    condition = script.truth(given["cond"])
    return script.either(condition, lambda: script.number(given["valueA"]), lambda: script.number(given["valueB"]))


@ludeme("int", "who", "what", "state", "value Piece", "rotation")
def _at_site(script: Script, node: Bound) -> str:
    given, kind = node.arguments, node.signature.ludeme.names[0]
    layout, site = script.layout, script.number(given["at"])
    plain = kind == "who" and not ("level" in given and layout.stacking)
    site = of_type(script, node, site) if plain else _anywhere(script, node, site)
    from ludarium.ludii.ludemes.asking.pieces import owner_table

    if kind == "who":
        if "level" in given and layout.stacking:
            level = script.number(given["level"])
            return f"i64({owner_table(script)}[level_what(s, {site}, {level})])"
        return f"who_at(s, {site})"
    if kind == "what":
        if "level" in given and layout.stacking:
            return f"level_what(s, {site}, {script.number(given['level'])})"
        return f"what_at(s, {site})"
    field = {"state": layout.local_states, "value": layout.values, "rotation": layout.rotations}
    if not field[kind]:
        return "0"
    if kind == "value" and "type" not in given:  # values are found in hands, too, whatever the board is made of
        site = script.number(given["at"])
    site, level = script.local("site", site), script.number(given.get("level"))
    return f"({kind_field(kind)}[slot_of(s, {site}, {level})] if 0 <= {site} < {layout.spots} else 0)"


def _anywhere(script: Script, node: Bound, site: str) -> str:
    """The spot of a site of the type that a ludeme asks for, or in a hand whatever it asks for."""
    containers, found = script.topology.containers, spot(script, kind_of(script, node), site)
    if found == site or len(containers) == 1:
        return found
    site = script.local("site", site)
    hand = f"{containers[1].first} <= {site} < {script.model.sites}"
    return f"({site} if {hand} else {spot(script, kind_of(script, node), site)})"


def of_type(script: Script, node: Bound, site: str) -> str:
    """The spot of a site of the type that a ludeme asks for, or -1: hands hold cells only."""
    usual, kind = script.topology.default_type, kind_of(script, node)
    if kind != usual:
        return spot(script, kind, site)
    board, known = script.model.board_sites, literal(site)
    if kind == "Cell" or board == script.layout.sites:
        return site
    if known is not None:
        return site if known < board else "-1"
    site = script.local("site", site)
    return f"({site} if {site} < {board} else -1)"


def kind_field(kind: str) -> str:
    """The field of a state that holds something for every piece."""
    return f"s.{kind}"


@ludeme("int", "count (CountNumber)")
def _count(script: Script, node: Bound) -> str:
    """How many pieces are on sites, whatever is said of their kinds and owners: Ludii does not look at that."""
    given = node.arguments
    if "in" in given:
        total = script.out.fresh("total")
        script.line(f"{total} = 0")
        with script.region(given["in"]).each() as site:
            script.line(f"{total} += count_at(s, {of_type(script, node, site)})")
        return total
    return f"count_at(s, {of_type(script, node, script.number(given.get('at'), 'i64(s.last_to)'))})"


@ludeme("int", "count Orthogonal", "count Adjacent", "count Diagonal", "count Neighbours", "count Off")
def _count_around(script: Script, node: Bound) -> str:
    """How many sites are next to a site, of several the first; -1 off the board."""
    given, board = node.arguments, script.model.board_sites
    if kind_of(script, node) != script.topology.default_type:
        raise script.model.unsupported(node, why="of such sites")
    at = script.region(given["in"]).first() if "in" in given else script.number(given.get("at"), "i64(s.last_to)")
    site, table = script.local("site", at), script.table(_around(script, word(given["countType"])), hint="around")
    return f"(i64({table}[{site}]) if 0 <= {site} < {board} else -1)"


def _around(script: Script, relation: str) -> list[int]:
    """How many sites are next to each site; of an edge those at both ends, itself each time, in all relations but two."""
    topology, kind = script.topology, script.topology.default_type
    if kind == "Edge":
        ends = [end for pair in topology.ends for end in pair]
        at = {vertex: ends.count(vertex) for vertex in set(ends)}
        none = relation in ("Diagonal", "Off")
        return [0 if none else at[one] + at[two] for one, two in topology.ends]
    if relation == "Off" and kind == "Vertex":
        return [0] * topology.sites(kind).count
    names = {"Neighbours": "All", "Off": "OffDiagonal"}
    return [len(set(steps)) for steps in topology.steps(kind, names.get(relation, relation))]


@ludeme("int", "count Sites")
def _count_sites(script: Script, node: Bound) -> str:
    given = node.arguments
    if "in" in given:
        return script.region(given["in"]).count()
    containers = script.topology.containers
    if "name" in given:
        found = [each.count for each in containers if each.name == text(given["name"])]
        return str(found[0] if found else 0)
    if "at" not in given:
        return "(1 if s.last_to >= 0 else 0)"  # the site of the last move
    index = literal(script.number(given["at"]))
    if index is None:
        raise script.model.unsupported(node)
    return str(containers[index].count if 0 <= index < len(containers) else 0)


@ludeme(
    "int",
    "count Rows",
    "count Columns",
    "count Moves",
    "count Turns",
    "count MovesThisTurn",
    "count Players",
    "count Active",
    "count Vertices",
    "count Edges",
    "count Cells",
    "count Phases",
    "count LegalMoves",
)
def _count_simple(script: Script, node: Bound) -> str:
    sites = script.topology.sites(word(node.arguments["type"]) if "type" in node.arguments else None)  # type: ignore[arg-type]
    players = 0 if script.model.simulation else script.layout.players
    known = {
        "Rows": str(_lines(sites, sites.rows)), "Columns": str(_lines(sites, sites.columns)), "Moves": "i64(s.moves)",
        "Turns": "i64(s.turns)", "MovesThisTurn": "i64(s.same_turn)", "Players": str(players),
        "Active": "i64(popcount(u64(s.active)))", "Vertices": str(script.topology.vertices.count),
        "Edges": str(script.topology.edges.count), "Cells": str(script.topology.cells.count),
        "Phases": str(script.layout.phases), "LegalMoves": "i64(s.choices)",
    }  # fmt: skip
    return known[word(node.arguments["countType"])]


def _lines(sites: Sites, numbers: NDArray[np.int32]) -> int:
    """How many rows or columns there are; where there are layers, on the ground."""
    return 1 + max((int(line) for line, layer in zip(numbers, sites.layers, strict=True) if layer == 0), default=-1)


@ludeme("int", "track")
def _track(script: Script, node: Bound) -> str:
    """The number of the track that an end rule looks at."""
    return next((each.split()[1] for each in script.modes if each.startswith("track ")), "-1")


@ludeme("int", "toInt")
def _to_int(script: Script, node: Bound) -> str:
    """One for what holds, else none; of a number with a fraction what is before it."""
    if "floatFn" in node.arguments:
        return f"i64({fraction(script, node.arguments['floatFn'])})"
    return f"(1 if {script.truth(node.arguments['boolFn'])} else 0)"


@ludeme("int", "centrePoint")
def _centre(script: Script, node: Bound) -> str:
    return str(min(script.topology.sites(kind_of(script, node)).centre))


@ludeme("int", "coord")
def _coord(script: Script, node: Bound) -> str:
    given, sites = node.arguments, script.topology.sites()
    if "coordinate" in given:
        return str(sites.by_label.get(text(given["coordinate"]), -1))
    row, column = script.number(given["row"]), script.number(given["column"])
    one, two = literal(row), literal(column)
    if one is None or two is None:
        return _dynamic_coord(script, script.local("row", row), script.local("column", column))
    found = [k for k in range(sites.count) if sites.rows[k] == one and sites.columns[k] == two]
    return str(found[0] if found else -1)


def _dynamic_coord(script: Script, row: str, column: str) -> str:
    sites = script.topology.sites()
    rows, columns = len(sites.row_sites), len(sites.column_sites)
    found = [-1] * (rows * columns)
    for site in reversed(range(sites.count)):
        found[sites.rows[site] * columns + sites.columns[site]] = site
    inside = f"0 <= {row} < {rows} and 0 <= {column} < {columns}"
    return f"(i64({script.table(found, hint='coords')}[{row} * {columns} + {column}]) if {inside} else -1)"


@ludeme("int", "row", "column", "phase")
def _line_of(script: Script, node: Bound) -> str:
    sites = script.topology.sites()
    lines = {"row": sites.rows, "column": sites.columns, "phase": sites.phase}[node.signature.ludeme.names[0]]
    table = script.table([*lines, -1], hint=node.signature.ludeme.names[0])
    site = script.local("site", script.number(node.arguments["of"]))
    return f"i64({table}[{site} if 0 <= {site} < {sites.count} else {sites.count}])"


@ludeme("int", "handSite")
def _hand_site(script: Script, node: Bound) -> str:
    player = script.player(node, "role", "indexPlayer")
    firsts = [-1] * (script.layout.players + 2)
    for container in reversed(script.topology.containers):
        if container.kind != "board":
            firsts[script.model.owner_of(container)] = container.first
    hand, offset = of_player(script, firsts, player, "hands"), script.number(node.arguments.get("site"), "0")
    first, more = literal(hand), literal(offset)
    if first is None:
        return f"({hand} + {offset} if {hand} >= 0 else -1)"
    if first < 0:
        return "-1"
    return str(first + more) if more is not None else f"({first} + {offset})"


@ludeme("int", "id (Id)", "id", "id Mover", "id Next", "id Prev")
def _id(script: Script, node: Bound) -> str:
    given = node.arguments
    if "name" not in given:
        return script.role(given["who"])
    name = text(given["name"])
    if "who" not in given:
        for number, container in enumerate(script.topology.containers):
            if container.name == name:
                return str(number)
        found = script.model.named(name)
        return str(found.index if found else -1)
    if word(given["who"]) == "Player":  # Ludii forgets the name
        return "c.player"
    if word(given["who"]) not in _OWNERS:
        return "-1"
    pieces = [script.model.owned(name, player) for player in range(script.layout.players + 2)]
    numbers = [piece.index if piece else -1 for piece in pieces]
    return of_player(script, numbers, script.role(given["who"]), "pieces")


_OWNERS = frozenset(["Neutral", "Shared", "Mover", "Next", "Prev", *(f"P{k}" for k in range(1, 9))])
"""The roles by which a kind of piece is found; Ludii knows no others there."""


@ludeme("int", "score")
def _score(script: Script, node: Bound) -> str:
    return f"i64(s.score[{script.player(node)}])"


@ludeme("int", "var")
def _var(script: Script, node: Bound) -> str:
    if "key" not in node.arguments:
        return "i64(s.temp)"
    return f"i64(s.var[{script.layout.vars.index(text(node.arguments['key']))}])"
