"""What a description says about a match: its games, what comes after each, and what they are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ludarium.core.errors import LudariumError
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.kernel import Record, array, i8, i16, i32, i64
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.grammar.checker import Rules, bind
from ludarium.ludii.lud_game import LudGame
from ludarium.ludii.matches.finding import Finder
from ludarium.ludii.memory.state import REGISTERS, make_record
from ludarium.ludii.model import MOST_PLAYERS, Unsupported, Within, bound, items, number, text, walk, word
from ludarium.ludii.text.expander import expand
from ludarium.ludii.text.options import selections

MOST_GAMES = 1_000
"""How many games a match may last: then all share what is left."""

_KNOWN = frozenset(
    [
        "int:matchScore", "int:count Trials", "int:+", "int:-", "int:*", "int:/", "int:%", "int:max", "int:min", "int:abs",
        "int:if", "bool:and", "bool:or", "bool:not", "bool:xor", "bool:=", "bool:!=", "bool:<", "bool:>", "bool:<=", "bool:>=",
        "end:if", "end:result", "end:byScore", "end:end",
    ]
)  # fmt: skip
"""What rules of a match may be made of: they see its scores, and nothing of the games."""


@dataclass(frozen=True)
class Part:
    """A game of a match."""

    game: LudGame
    next: Value | None
    """Which game comes after it, counted from 0; without, the one that stands next."""


class MatchLayout:
    """What a match keeps beside the state of the game that is played."""

    def __init__(self, players: int) -> None:
        self.players, self.phases, self.domain = players, 1, None
        n = players + 1
        fields: dict[str, Any] = {
            "score": array(i32, n), "rank2": array(i16, n), "trials": i32, "index": i16, "over": i8, "status": i8,
        }  # fmt: skip
        self.state: type[Record] = make_record("Match", fields)
        self.context: type[Record] = make_record("Context", dict.fromkeys(REGISTERS, i64))
        self.size = -(-self.state.size // 8) * 8
        """Where the state of the game begins."""


class MatchModel:
    """A bound description of a match."""

    topology: Any = None
    simulation = False
    of_match = True

    def __init__(self, rules: Rules, games: Finder) -> None:
        self.rules, self.root = rules, rules.root
        given = self.root.arguments
        self.name = str(text(given["name"]))
        self.players = self._players()
        listed = bound(given["games"]).arguments
        nodes = [bound(each) for each in ([listed["game"]] if "game" in listed else items(listed["games"]))]
        if not nodes:
            raise self.wrong(given["games"], "a match needs a game")
        self.end = bound(given["end"])
        self._check(self.end, *(node.arguments[slot] for node in nodes for slot in ("next",) if slot in node.arguments))
        self.parts = [self._part(node, games) for node in nodes]

    def unsupported(self, value: Value, unit: str = "", why: str = "") -> Unsupported:
        """The error for a ludeme that is not there yet."""
        name = unit or (f"{value.family}: {value.unit}" if isinstance(value, Bound) else repr(value))
        return Unsupported(self.place(value), name, why)

    def wrong(self, value: Value, message: str, hint: str = "") -> RulesError:
        """The error for what nobody could play."""
        return RulesError([Problem(self.place(value), message, hint)])

    def place(self, value: Value) -> Place:
        """Where something is written."""
        return self.rules.place(value)

    def _players(self) -> int:
        declared = self.root.arguments.get("players")
        if declared is None:
            return 2
        given = bound(declared).arguments
        players = len(items(given["players"])) if "players" in given else int(number(given["numPlayers"]))
        if not 1 <= players <= MOST_PLAYERS:
            raise self.wrong(declared, f"a match is for 1 to {MOST_PLAYERS} players")
        return players

    def _check(self, *values: Value) -> None:
        for value in values:
            for node in walk(value):
                if f"{node.family}:{node.unit}" not in _KNOWN:
                    raise self.unsupported(node, why="in the rules of a match")

    @property
    def shares_places(self) -> bool:
        """Whether several may win: two rules may hold in the same state."""
        results = [each.arguments for each in walk(self.end) if each.unit == "result"]
        return len({word(each["who"]) for each in results if word(each["result"]) == "Win"}) > 1

    def _worth(self, node: Bound) -> Bound | None:
        """What a game is worth to who wins it."""
        worth = node.arguments.get("result")
        if worth is not None and not isinstance(worth, Bound):
            raise self.unsupported(node, "subgame", "a result that is always the same")
        return worth

    def _part(self, node: Bound, games: Finder) -> Part:
        given = node.arguments
        title = str(text(given["name"]))
        try:
            found = games(title)
        except LudariumError as error:
            raise self.wrong(node, f"there is no game '{title}' to play in this match", str(error)) from error
        worth = self._worth(node)
        options = selections(text(given["option"])) if "option" in given else ()
        rules = bind(expand(found.text, found.file, options, found.defines))
        if rules.root.family == "match":
            raise self.unsupported(node, "subgame", "a match in a match")
        game = LudGame(rules, source=found.text, within=Within(self.rules, worth))
        if game.model.players != self.players or game.model.simulation:
            raise self.wrong(node, f"'{title}' is not for {self.players} players, as the match is")
        if game.compiled.layout.swaps or game.compiled.layout.domain:
            raise self.unsupported(node, "subgame", "a puzzle, or players who swap, in a match")
        return Part(game, given.get("next"))
