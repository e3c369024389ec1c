"""A seat for a person: lists the legal moves by number, and asks until it gets one; help, hints and taking back included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import ClassVar

from rich.text import Text

from ludarium.arena.seating import sit_down
from ludarium.core import (
    Agent,
    Budget,
    Decision,
    Game,
    IllegalMove,
    InformationSet,
    Limit,
    LudariumError,
    Move,
    Rng,
    Role,
)
from ludarium.core.agent import HUMAN
from ludarium.terminal.screen import Screen
from ludarium.terminal.understand import understand

_LISTED = 60  # legal moves that are shown unasked
_HINT = Limit(iterations=2000)
_HELP = (
    "Type a move, its number, or as much of it as makes it clear; brackets may be left out.\n"
    "Or: moves (list them all), board, history, hint (what a search would play), undo (take back your last move), "
    "save (how to go on later), rules, quit."
)


class Abandoned(LudariumError):
    """Nobody is there any more to play on."""


class TakenBack(Exception):
    """Somebody takes moves back: so many plies stay."""

    def __init__(self, plies: int) -> None:
        super().__init__(plies)
        self.plies = plies


class Human:
    """A person at the keyboard; the budget does not hurry people."""

    name: ClassVar[str] = HUMAN

    def __init__(self, screen: Screen, adviser: Agent | None = None, again: str = "") -> None:
        self.screen, self.adviser, self.again = screen, adviser, again

    def seat(self, game: Game, role: Role, rng: Rng) -> HumanPlayer:
        """Give the person a seat."""
        return HumanPlayer(self, game, role, rng)


@dataclass
class HumanPlayer:
    """Asks for a move until it gets one."""

    person: Human
    game: Game
    role: Role
    rng: Rng

    def __post_init__(self) -> None:
        self.screen = self.person.screen

    def choose(self, info: InformationSet, budget: Budget) -> Decision:  # noqa: ARG002
        """Ask for a move."""
        if self.screen.public is not None:
            self.screen.public.choosing(info)
        if self.screen.secret and len(self.screen.humans) > 1:
            self._show_board()
        self._list_moves(info.legal, _LISTED)
        while True:
            typed = self._read()
            if (move := self._understand(typed, info)) is not None:
                return Decision(move)

    def _read(self) -> str:
        # Not the prompt of input(): that goes to standard error where standard output is no terminal.
        prompt = Text(f"{len(self.screen.history) + 1}. ", "dim")
        prompt.append(self.game.roles[self.role], f"bold {self.screen.colour(self.role)}").append("> ")
        self.screen.console.print(prompt, end="")
        try:
            return input().strip()
        except EOFError:
            self.screen.console.print()
            raise Abandoned("the input ended before the match did") from None

    def _understand(self, typed: str, info: InformationSet) -> Move | None:
        """Find the move that was meant, or do what was asked instead."""
        legal = info.legal
        texts = [(self.game.text(move), self.game.notation(move)) for move in legal]
        for move, written in zip(legal, texts, strict=True):
            if typed in written:
                return move
        asked: dict[str, Callable[[], None]] = {
            "": lambda: self._list_moves(legal, _LISTED),
            "moves": lambda: self._list_moves(legal, len(legal)),
            "board": self._show_board,
            "history": self._show_history,
            "hint": lambda: self._advise(info),
            "undo": self._take_back,
            "save": self._tell_again,
            "rules": lambda: self._say(in_words(self.game)),
            **dict.fromkeys(("help", "?"), lambda: self._say(_HELP)),
            **dict.fromkeys(("quit", "exit", "q"), self._leave),
        }
        if typed.lower() in asked:
            asked[typed.lower()]()
            return None
        return self._meant(typed, legal, understand(typed, texts))

    def _leave(self) -> None:
        self._tell_again()
        self._say("You left the match.")
        raise SystemExit(0)

    def _meant(self, typed: str, legal: Sequence[Move], places: Sequence[int]) -> Move | None:
        if len(places) == 1:
            move = legal[places[0]]
            if typed != self.game.notation(move):
                self._say(f"{self.game.notation(move)}")
            return move
        if places:
            self._say(f"which one? {self._numbered(legal, places[:_LISTED])}")
            return None
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

    def _take_back(self) -> None:
        mine = [ply for ply, moves in enumerate(self.screen.history) if self.role in moves]
        if not mine:
            self._say("there is nothing to take back: you have not moved yet")
            return
        raise TakenBack(mine[-1])

    def _advise(self, info: InformationSet) -> None:
        """Show what a search would play here."""
        if self.person.adviser is None:
            self._say("there is nobody to ask for a hint")
            return
        try:
            player = sit_down(self.person.adviser, self.game, self.role, Rng.keyed(len(info.seen), "hint"))
            made = player.choose(info, _HINT.start())
        except LudariumError as problem:
            self._say(f"no hint: {problem}")
            return
        worth = f", worth about {made.values[made.move]:.2f}" if made.move in made.values else ""
        self._say(f"{self.person.adviser.name} would play {self.game.notation(made.move)}{worth}")

    def _tell_again(self) -> None:
        if self.person.again:
            moves = "; ".join(self.screen.texts())
            again = f"{self.person.again} --moves {quote(moves)}" if moves else self.person.again
            self.screen.console.print(f"To continue from here: {again}", markup=False, highlight=False, soft_wrap=True)

    def _list_moves(self, legal: Sequence[Move], most: int) -> None:
        more = f"  … {len(legal) - most} more: type moves" if len(legal) > most else ""
        self._say(f"legal: {self._numbered(legal, range(min(most, len(legal))))}{more}")

    def _numbered(self, legal: Sequence[Move], places: Sequence[int]) -> str:
        """Write moves with their numbers; moves that are one character, or numbers themselves, need none."""
        texts = [self.game.notation(legal[place]) for place in places]
        if all(len(text) == 1 or text.isdecimal() for text in texts):
            return "  ".join(texts)
        return "  ".join(
            f"{place + 1}) {text}".replace(" ", "\N{NO-BREAK SPACE}") for place, text in zip(places, texts, strict=True)
        )

    def _show_board(self) -> None:
        assert self.screen.state is not None
        hidden = not self.game.traits.perfect_information
        self._say(self.game.picture(self.screen.state, self.role if hidden else None))

    def _show_history(self) -> None:
        if self.screen.secret:
            self._say("what the others did is hidden; the boards above show what you may know")
            return
        lines = []
        for ply, moves in enumerate(self.screen.history, 1):
            lines.append(
                f"{ply}. " + " + ".join(f"{self.game.roles[r]} {self.game.notation(m)}" for r, m in moves.items())
            )
        self._say("   ".join(lines) or "nobody has moved yet")

    def _say(self, text: str) -> None:
        self.screen.console.print(text, markup=False, highlight=False)


def in_words(game: Game) -> str:
    """Give the rules in words: the head of a rule file, or what the game says of itself."""
    text = game.offers.rules or ""
    head = []
    for line in text.splitlines():
        if not line.startswith((";", "//")):  # how comments begin in GDL and in Ludii's language
            break
        if not line.startswith(";@"):
            head.append(line.lstrip(";/ ").rstrip())
    if head and any(head):
        return "\n".join(head).strip() + f"\n(in full: ludarium show {game.spec or game.name} --rules)"
    return text or f"{game.name} comes without a text of its rules."
