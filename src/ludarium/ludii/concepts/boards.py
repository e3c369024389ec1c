"""Boards: their shapes and tilings, and the tracks on them."""

from __future__ import annotations

from typing import NoReturn

from ludarium.ludii.board.arguments import Arguments
from ludarium.ludii.board.graph import Graph
from ludarium.ludii.concepts.raising import Case, Raiser, raises
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol

_TILINGS = ("T31212", "T3464", "T488", "T33434", "T33336", "T33344", "T3636", "T4612", "T333333_33434")


def _no_graph(node: Bound) -> NoReturn:
    raise AssertionError(node)  # sizes need no graph


def _given(raiser: Raiser, node: Bound) -> Arguments:
    def make(inner: Bound) -> Graph:
        return _no_graph(inner)

    return Arguments(node, raiser.topology.default_type, raiser.rules.place, make)


@raises("equip:boardless")
def _boardless(case: Case) -> None:
    """Where there is no board, there is one that is large enough."""
    tiling = case.node.arguments["tiling"]
    name = tiling.word if isinstance(tiling, Symbol) else ""
    case.found.update(["PolygonShape", "RegularShape"])
    case.found.update(
        {"Square": ["SquareTiling", "SquareShape"], "Hexagonal": ["HexTiling", "HexShape"]}.get(
            name, ["TriangleTiling", "TriangleShape"]
        )
    )


@raises("graph:rotate", "graph:scale", "graph:shift", "graph:skew", "graph:renumber", "graph:add")
def _moved(case: Case) -> None:
    """A board that is turned or stretched is still what it was; by how much is no matter of arithmetic."""
    case.found.clear()
    case.found |= case.raiser.of(case.node.arguments.get("graph"))


@raises("graph:square", "graph:rectangle")
def _squares(case: Case) -> None:
    given = _given(case.raiser, case.node)
    diagonals = given.word("diagonals")
    if not diagonals:
        case.found.add("SquareTiling")
    elif diagonals == "Alternating":
        case.found.add("AlquerqueTiling")
    if given.has("poly") or given.has("sides"):
        return
    shape = given.word("shape", "Square")
    if shape == "Diamond":
        case.found.add("DiamondShape")
        return
    case.found.update(["PolygonShape", "RegularShape"])
    even = shape != "Limping" if given.has("dim") else given.dim("dimA") == given.dim("dimB", given.dim("dimA"))
    pyramid = "Pyramidal" if given.flag("pyramidal") else ""
    case.found.add(f"{'Square' if even else 'Rectangle'}{pyramid}Shape")


@raises("graph:hex", "graph:tri")
def _hexagons(case: Case) -> None:
    given = _given(case.raiser, case.node)
    if given.has("poly") or given.has("sides"):
        return
    usual = "Rectangle" if given.has("dimB") else "Hexagon" if case.node.unit == "hex" else "Triangle"
    shape = given.word("shape", usual)
    if shape == "Limping":
        return
    case.found.add("RegularShape")
    if shape == "Square" and case.node.unit == "hex":
        shape = "Rectangle"
    if shape == "Diamond" and given.has("dimB"):
        shape = "Prism"
    case.found.add({"Hexagon": "HexShape"}.get(shape, f"{shape}Shape"))


@raises("graph:brick", "graph:celtic")
def _bricks(case: Case) -> None:
    given = _given(case.raiser, case.node)
    if given.has("poly") or given.has("sides"):
        return
    sizes = [given.dim(name) for name in ("dimA", "dimB", "rows", "columns") if given.has(name)]
    case.found.add("SquareShape" if len(set(sizes)) == 1 else "RectangleShape")


@raises(*(f"graph:tiling {name}" for name in _TILINGS))
def _tilings(case: Case) -> None:
    case.found.update(["SemiRegularTiling", "PolygonShape"])
    given = _given(case.raiser, case.node)
    if case.node.unit == "tiling T3464" and not given.has("poly") and not given.has("sides") and not given.has("dimB"):
        case.found.add("HexShape")


@raises(
    *(
        f"graph:{name}"
        for name in ("merge", "union", "keep", "remove", "splitCrossings", "hole", "dual", "intersect", "trim")
    ),
    *(f"graph:{name}" for name in ("subdivide", "complete", "makeFaces", "clip", "layers", "recoordinate")),
)
def _changed(case: Case) -> None:
    """What is cut or put together has no shape that has a name."""
    case.found.clear()


@raises("graph:concentric")
def _rings(case: Case) -> None:
    given = _given(case.raiser, case.node)
    case.found.add("ConcentricTiling")
    shape = given.word("shape")
    sides = {"Square": 4, "Triangle": 3, "Hexagon": 6}.get(shape) or (given.dim("sides") if given.has("sides") else 0)
    if shape == "Target":
        case.found.add("TargetShape")
    elif given.has("cells") or not sides:
        case.found.update(["CircleShape", "CircleTiling"])
    else:
        case.found.update(["MorrisTiling", "PolygonShape", "RegularShape"])
        case.found.update({4: ["SquareShape"], 6: ["HexShape"], 3: ["TriangleShape"]}.get(sides, []))


@raises("equip:board", "equip:mancalaBoard", "equip:surakartaBoard")
def _board(case: Case) -> None:
    if case.raiser.topology.tracks:
        case.found.add("Track")


@raises("equip:track")
def _track(case: Case) -> None:
    given = case.node.arguments
    loop = given.get("loop")
    if isinstance(loop, Constant) and loop.value is True:
        case.found.add("TrackLoop")
    role, owner = given.get("role"), given.get("owner")
    if (isinstance(role, Symbol) and role.word.startswith("P")) or (isinstance(owner, Constant) and owner.value):
        case.found.add("TrackOwned")


@raises("equip:dice")
def _dice(case: Case) -> None:
    given = case.node.arguments
    faces = given.get("faces", given.get("d"))
    count = 6
    if isinstance(faces, Array):
        count = len(faces)
    elif isinstance(faces, Constant):
        count = int(faces.value)
    elif isinstance(given.get("facesByDie"), Array):
        first = given["facesByDie"]
        assert isinstance(first, Array)
        count = len(first.items[0]) if first.items and isinstance(first.items[0], Array) else count
    if count in (2, 3, 4, 6):
        case.found.add(f"DiceD{count}")
    if "biased" in given:
        case.found.add("BiasedDice")


@raises("equip:tile")
def _tile(case: Case) -> None:
    if {"walk", "walks"} & case.node.arguments.keys():
        case.found.add("LargePiece")


@raises("players:player")
def _player(case: Case) -> None:
    case.found.update(["PieceDirection", "PlayersWithDirections"])
