"""The features of a whole game: all that its ludemes raise, and what only the whole shows."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.features import Feature
from ludarium.ludii.board import build
from ludarium.ludii.board.topology import Topology
from ludarium.ludii.concepts.drawn import called, drawn
from ludarium.ludii.concepts.measures import of_board
from ludarium.ludii.concepts.pieces import asymmetric, of_pieces, pieces
from ludarium.ludii.concepts.raising import Raiser
from ludarium.ludii.concepts.words import columns, used
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Value
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.model import bound, items, walk, word

_BOARDS = {
    "AlquerqueBoardWithBottomAndTopTriangles": "AlquerqueBoardWithTwoTriangles",
    "AlquerqueBoardWithBottomTriangle": "AlquerqueBoardWithOneTriangle",
    "ThreeMensMorrisBoardWithLeftAndRightTriangles": "ThreeMensMorrisBoardWithTwoTriangles",
}  # fmt: skip
_NAMED = (
    "AlquerqueBoard", "AlquerqueBoardWithFourTriangles", "AlquerqueBoardWithEightTriangles", "ThreeMensMorrisBoard",
    "NineMensMorrisBoard", "StarBoard", "CrossBoard", "KintsBoard", "PachisiBoard", "FortyStonesWithFourGapsBoard",
)  # fmt: skip
"""Boards that go by the name of a define of the library."""


def features(rules: Rules, board: Topology | None = None) -> dict[str, Feature]:
    """All that can be told: concepts by their names, ludemes by the names of their columns; what is not there is absent."""
    players = _players(rules.root)
    topology = board or build(rules, players)
    raiser = Raiser(rules, players, topology)
    concepts = set(raiser.of(rules.root))
    found = {
        name: Feature(1, f"{raiser.sources[name].unit}, {_where(rules, raiser.sources[name])}") for name in concepts
    }
    for name, source in _whole(rules, players, topology, concepts).items():
        found.setdefault(name, Feature(1, source))
    added, taken = drawn(rules, topology, found.keys())
    for name in added:
        found.setdefault(name, Feature(1, "the metadata", beside=True))
    for name in taken:
        found.pop(name, None)
    counted = {**of_board(topology, found.keys()), **of_pieces(rules, players, topology), "NumPlayers": players}
    counted["NumPlayPhase"] = max(1, len(_phases(rules)))
    found |= {name: Feature(value, "the board and the equipment") for name, value in counted.items()}
    ludemes = dict.fromkeys(columns(), Feature(0, "the rules"))
    return found | ludemes | {name: Feature(1, _where(rules, value)) for name, value in used(rules.root).items()}


def _where(rules: Rules, value: Value) -> str:
    place = rules.place(value)
    return f"{Path(place.file).name}:{place.line}"


def _players(root: Bound) -> int:
    given = bound(root.arguments["players"]).arguments
    if "players" in given:
        return len(items(given["players"]))
    count = given["numPlayers"]
    assert isinstance(count, Constant)
    return int(count.value)


def _phases(rules: Rules) -> list[Bound]:
    given = bound(rules.root.arguments["rules"]).arguments.get("phases")
    return [bound(each) for each in items(given)] if isinstance(given, Array) else []


def _whole(rules: Rules, players: int, board: Topology, raised: set[str]) -> dict[str, str]:
    """Concepts of the game as a whole, and what shows them."""
    found = {"End": "every game ends", board.default_type: "what the board is made of"}
    found |= _form(rules, players, raised) | _follows(raised) | _named(rules, players)
    if board.regions:
        found["Region"] = "the equipment"
    if len(_phases(rules)) > 1:
        found["Phase"] = "several phases"
    if any(each.unit in _STACKS or _true(each, "stack") or "largeStack" in each.arguments for each in walk(rules.root)):
        found |= dict.fromkeys(("Stack", "StackState"), "sites hold stacks")
    if board.default_type != "Cell":
        found["GraphStyle"] = "pieces stand on points"
    return found


def _form(rules: Rules, players: int, raised: set[str]) -> dict[str, str]:
    """Who plays, and when."""
    mode = rules.root.arguments.get("mode")
    kind = word(bound(mode).arguments["mode"]) if mode is not None else "Alternating"
    found = dict.fromkeys((kind, "Realtime" if kind == "Simulation" else "Discrete"), f"the mode {kind}")
    if players:
        number = "Solitaire" if players == 1 else "TwoPlayer" if players == 2 else "Multiplayer"
        found[number] = f"{players} players"
    if players == 1 and "DeductionPuzzle" not in raised:
        found["PlanningPuzzle"] = "one player, and nothing to deduce"
    return found


def _follows(raised: set[str]) -> dict[str, str]:
    """What comes with dice, dominoes, cards and large pieces."""
    found = {}
    if raised & {"Dice", "Domino", "Card"}:
        found["Stochastic"] = "dice, dominoes or cards"
    if raised & {"Dice", "LargePiece"}:
        found["SiteState"] = "dice and large pieces have states"
    if "Domino" in raised:
        found["PieceCount"] = "dominoes"
    return found


def _named(rules: Rules, players: int) -> dict[str, str]:
    """What goes by a name: pieces, and boards that are defines of the library."""
    kinds = pieces(rules, players)
    found = dict.fromkeys(called([name for name, _ in kinds]), "what pieces are called")
    if any(name == "Ball" for name, _ in kinds):
        found["Piece"] = "what pieces are called"
    if asymmetric(kinds, players):
        found["AsymmetricPiecesType"] = "players have different pieces"
    for name in rules.description.used:
        plain = name.replace("Graph", "Board")
        plain = _BOARDS.get(plain, plain)
        if plain in _NAMED or plain in _BOARDS.values():
            more = [each for each in ("AlquerqueBoard", "ThreeMensMorrisBoard") if plain.startswith(each)]
            found |= dict.fromkeys([plain, *more], f'the define "{name}"')
    return found


_STACKS = ("place Stack", "count Stack", "size Stack", "topLevel", "level", "forEach Level", "where Level")


def _true(node: Bound, slot: str) -> bool:
    value = node.arguments.get(slot)
    return isinstance(value, Constant) and value.value is True
