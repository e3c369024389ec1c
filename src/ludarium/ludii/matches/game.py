"""A match of games in Ludii's language as a game like any other."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ludarium.core import IllegalMove, Move, Offers, Role, State, Traits
from ludarium.core.fingerprint import digest
from ludarium.kernel import Kernel, KernelState, TableGame
from ludarium.kernel.table import hash_bytes
from ludarium.ludii.code.turns import MOST_MOVES
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.lud_game import LudGame
from ludarium.ludii.matches.finding import Finder
from ludarium.ludii.matches.model import MOST_GAMES, MatchLayout, MatchModel
from ludarium.ludii.matches.writing import MOST_PARTS, TAG, match_functions

NEXT = "next game"


class MatchGame(TableGame):
    """Games that are played one after the other; a state holds the scores, and the state of the game that is played."""

    hurry = True

    def __init__(self, rules: Rules, games: Finder, *, name: str = "", source: str = "") -> None:
        self.source = source or rules.description.text.string
        self.model = MatchModel(rules, games)
        self.parts: list[LudGame] = [part.game for part in self.model.parts]
        self._check_codes()
        self.name = name or self.model.name
        self.layout = MatchLayout(self.model.players)
        known = {game.roles for game in self.parts}
        self.roles = known.pop() if len(known) == 1 else tuple(f"player{p + 1}" for p in range(self.model.players))
        self.max_moves = max(game.max_moves for game in self.parts)
        self.state_size = self.layout.size + max(game.state_size for game in self.parts)
        self.max_observation = self.layout.size + max(game.max_observation for game in self.parts)
        self.scratch_size = max(self.layout.context.size, *(game.scratch_size for game in self.parts))
        self.traits = Traits(
            turn_taking=all(game.traits.turn_taking for game in self.parts),
            deterministic=all(game.traits.deterministic for game in self.parts),
            perfect_information=all(game.traits.perfect_information for game in self.parts),
            constant_sum=self.model.players == 2 and not self.model.shares_places,
            max_plies=MOST_GAMES * (MOST_MOVES + 1),
        )
        self._table, self._listing = match_functions(self.model, self.layout, self.max_moves)

    def _check_codes(self) -> None:
        """Refuse games whose moves leave no room to tell whose they are."""
        widest = max(
            (at + bits for game in self.parts for leaf in game.compiled.leaves for at, bits in leaf.fields.values()),
            default=0,
        )
        if widest > TAG or len(self.parts) > MOST_PARTS:
            raise self.model.unsupported(self.model.root, "match", "its moves need too many bits to be told apart")

    @cached_property
    def fingerprint(self) -> str:
        """What the match is: its description, and its games."""
        plain = " ".join(self.model.rules.description.text.string.split())
        return digest(["ludii match", plain, *(game.fingerprint for game in self.parts)])

    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table."""
        return {**self._table, "hash": hash_bytes}

    @cached_property
    def offers(self) -> Offers:  # type: ignore[override]
        """What the rules tell beyond how to play."""
        return Offers(rules=self.source, listing=self._code, svg=self.svg, sites=self._sites)

    def _code(self) -> str:
        return "\n".join([self._listing, *(game.compiled.text for game in self.parts)])

    def _part(self, move: Move) -> LudGame | None:
        """The game that a move belongs to; none if the next one begins."""
        number = move >> TAG
        return self.parts[number - 1] if number else None

    def _sites(self, move: Move) -> list[str]:
        game = self._part(move)
        return game.coordinates.sites(move & ((1 << TAG) - 1)) if game else []

    def text(self, move: Move) -> str:
        """Write a move as its game does; of several games, with the number of the game in front."""
        game = self._part(move)
        if game is None:
            return NEXT
        written = game.text(move & ((1 << TAG) - 1))
        return f"{move >> TAG}: {written}" if len(self.parts) > 1 else written

    def parse(self, text: str) -> Move:
        """Read a move."""
        plain = text.strip().lower()
        if plain == NEXT:
            return 0
        number, colon, rest = plain.partition(":") if len(self.parts) > 1 else ("1", ":", plain)
        if not colon or not number.strip().isdigit() or not 1 <= int(number) <= len(self.parts):
            raise IllegalMove(
                f"'{text}' is not how {self.name} writes a move: the number of the game is missing, as in '1: pass'"
            )
        return self.parts[int(number) - 1].parse(rest.strip()) | int(number) << TAG

    def part_of(self, state: State) -> tuple[LudGame, KernelState]:
        """The game that is played, and its state."""
        assert isinstance(state, KernelState)
        game = self.parts[self.record(state.block).index]
        return game, game.state(bytes(state.block[self.layout.size : self.layout.size + game.state_size]))

    def record(self, block: bytes) -> Any:
        """What the match itself keeps of a state."""
        return self.layout.state(bytearray(block[: self.layout.size]))

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw the game that is played, below the scores of the match."""
        game, inner = self.part_of(state)
        return f"{self._scores(state)}\n{game.picture(inner, role)}"

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw the game that is played."""
        game, inner = self.part_of(state)
        return game.svg(inner, role)

    def _scores(self, state: State) -> str:
        assert isinstance(state, KernelState)
        match = self.record(state.block)
        scores = ", ".join(f"{role} {match.score[p + 1]}" for p, role in enumerate(self.roles))
        return f"game {match.trials + 1 - match.over}, {self.parts[match.index].name}: {scores}"
