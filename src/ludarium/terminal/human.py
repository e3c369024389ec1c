"""A seat for a person: lists the legal moves, and asks until it gets one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from ludarium.core import Budget, Decision, Game, IllegalMove, InformationSet, LudariumError, Move, Rng, Role
from ludarium.terminal.screen import HUMAN, Screen

_LISTED = 60  # legal moves that are shown unasked
_HELP = "Type a move as it is listed, or: moves (list them all), board, rules, quit."


class Abandoned(LudariumError):
    """Nobody is there any more to play on."""


class Human:
    """A person at the keyboard; the budget does not hurry people."""

    name: ClassVar[str] = HUMAN

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    def seat(self, game: Game, role: Role, rng: Rng) -> HumanPlayer:  # noqa: ARG002
        """Give the person a seat."""
        return HumanPlayer(self.screen, game, role)


@dataclass
class HumanPlayer:
    """Asks for a move until it gets one."""

    screen: Screen
    game: Game
    role: Role

    def choose(self, info: InformationSet, budget: Budget) -> Decision:  # noqa: ARG002
        """Ask for a move."""
        if self.screen.secret and len(self.screen.humans) > 1:
            self._show_board()
        self._list_moves(info.legal, _LISTED)
        while True:
            typed = self._read()
            if (move := self._understand(typed, info.legal)) is not None:
                return Decision(move)

    def _read(self) -> str:
        # Not the prompt of input(): that goes to standard error where standard output is no terminal.
        self.screen.console.print(f"[bold {self.screen.colour(self.role)}]{self.game.roles[self.role]}[/]> ", end="")
        try:
            return input().strip()
        except EOFError:
            self.screen.console.print()
            raise Abandoned("the input ended before the match did") from None

    def _understand(self, typed: str, legal: Sequence[Move]) -> Move | None:
        """Find the move that was meant, or do what was asked instead."""
        for move in legal:
            if self.game.text(move) == typed:
                return move
        match typed.lower():
            case "":
                self._list_moves(legal, _LISTED)
            case "help" | "?":
                self._say(_HELP)
            case "moves":
                self._list_moves(legal, len(legal))
            case "board":
                self._show_board()
            case "rules":
                self._say(getattr(self.game, "rules", "") or f"{self.game.name} comes without a text of its rules.")
            case "quit" | "exit" | "q":
                self._say("You left the match.")
                raise SystemExit(0)
            case _:
                return self._parsed(typed, legal)
        return None

    def _parsed(self, typed: str, legal: Sequence[Move]) -> Move | None:
        try:
            move = self.game.parse(typed)
        except IllegalMove as problem:
            self._say(f"{problem} (help says what else you can type)")
            return None
        if move in legal:
            return move
        self._say(f"{typed} is not legal now")
        self._list_moves(legal, _LISTED)
        return None

    def _list_moves(self, legal: Sequence[Move], most: int) -> None:
        listed = "  ".join(self.game.text(move) for move in legal[:most])
        more = f"  … {len(legal) - most} more: type moves" if len(legal) > most else ""
        self._say(f"legal: {listed}{more}")

    def _show_board(self) -> None:
        assert self.screen.state is not None
        hidden = not self.game.traits.perfect_information
        self._say(self.game.picture(self.screen.state, self.role if hidden else None))

    def _say(self, text: str) -> None:
        self.screen.console.print(text, markup=False, highlight=False)
