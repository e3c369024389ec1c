"""A match in a terminal: boards move by move, what the agents thought, the result, and a seat for a human."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludarium.core import (
    Budget,
    Decision,
    Game,
    IllegalMove,
    InformationSet,
    LudariumError,
    Match,
    Move,
    Rng,
    Role,
    State,
)

_COLOURS = {"red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "white": "bright_white"}
_OTHERS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_WIDTH = 76
_BAR = 16
_SHOWN = 8  # moves that a decision is shown with
_LISTED = 60  # legal moves that a human is shown unasked
_HELP = "Type a move as it is listed, or: moves (list them all), board, rules, quit."


class Abandoned(LudariumError):
    """The human left the match."""


class Screen:
    """Watches a match and draws it; where something is hidden, only what the human at the keyboard may see."""

    def __init__(self, console: Console, game: Game, agents: Sequence[str]) -> None:
        self.console, self.game, self.agents = console, game, tuple(agents)
        self.humans = [role for role, name in enumerate(agents) if name == Human.name]
        self.state: State | None = None
        self._ply = 0
        self._before = ""

    @property
    def secret(self) -> bool:
        """Whether somebody at the keyboard must not see everything."""
        return bool(self.humans) and not self.game.traits.perfect_information

    def __call__(self, state: State, decisions: Mapping[Role, Decision]) -> None:
        """Draw a state, and the decisions that led to it."""
        self.state = state
        self._ply += bool(decisions)
        if self.secret and len(self.humans) > 1 and not state.over:
            return  # each sees the board at the prompt
        viewer = self.humans[0] if self.secret and not state.over else None
        picture = self.game.picture(state, viewer)
        content: RenderableType = self._board(picture)
        shown = {role: made for role, made in decisions.items() if made.visits}
        if shown and not self.secret:
            row = Table.grid(padding=(0, 4))
            row.add_row(content, *(self._thoughts(role, made) for role, made in shown.items()))
            content = row
        self._before = picture
        self.console.print(
            Panel(
                Padding(content, (0, 1)),
                title=self._title(decisions),
                title_align="left",
                border_style="dim" if len(decisions) != 1 else f"dim {self.colour(min(decisions))}",
                width=min(_WIDTH, self.console.width),
            )
        )

    def result(self, match: Match, again: str) -> None:
        """Say how it ended, and how to see it again."""
        table = Table.grid(padding=(0, 2))
        for role, (name, utility) in enumerate(zip(match.agents, match.utilities, strict=True)):
            table.add_row(
                Text(self.game.roles[role], self.colour(role)), name, _bar(utility), f"{utility:.3g}"
            )
        length = f"{len(match.moves)} plies, {_time(sum(match.seconds))}, seed {match.seed}"
        text = Group(
            Text(self.outcome(match), "bold"), "", table, "", Text(length, "dim"), Text(again, "dim")
        )
        width = min(_WIDTH, self.console.width)
        self.console.print(
            Panel(Padding(text, (0, 1)), title="result", title_align="left", border_style="bold", width=width)
        )

    def outcome(self, match: Match) -> str:
        """Name the winner, if there is one."""
        best = max(match.utilities)
        winners = [role for role, utility in enumerate(match.utilities) if utility == best]
        if len(match.utilities) == 1:
            return f"{match.agents[0]} scores {best:.3g}"
        if len(winners) == len(match.utilities):
            return "a draw"
        named = [f"{self.game.roles[role]} ({match.agents[role]})" for role in winners]
        return f"{' and '.join(named)} {'wins' if len(winners) == 1 else 'share the win'}"

    def _title(self, decisions: Mapping[Role, Decision]) -> Text:
        title = Text(f"{self._ply}" if decisions else self.game.name, "bold")
        for role, made in decisions.items():
            title.append(" · ", "dim")
            title.append(self.game.roles[role], f"bold {self.colour(role)}")
            title.append(f" {self.agents[role]}", "default")
            if role in self.humans or not self.secret:
                title.append(f" {self.game.text(made.move)}", "bold")
            if made.visits and not self.secret:
                title.append(f"  value {made.values.get(made.move, 0):.2f}", "default")
        return title

    def _board(self, picture: str) -> Text:
        """Colour the pieces, and mark what has changed."""
        board = Text(no_wrap=True, overflow="crop")
        before = self._before.split("\n")
        for y, line in enumerate(picture.split("\n")):
            if y:
                board.append("\n")
            old = before[y] if y < len(before) and len(before[y]) == len(line) else line
            for x, character in enumerate(line):
                # A letter that stands alone is a piece; letters in words are words.
                alone = not line[max(0, x - 1) : x + 2].replace(character, "", 1).strip()
                style = self._piece(character) if alone else ""
                board.append(character, f"{style} reverse" if character != old[x] and alone else style)
        return board

    def _piece(self, character: str) -> str:
        if character in ".·":
            return "dim"
        return f"bold {self.colour('XO'.index(character))}" if character in "XO" else ""

    def _thoughts(self, role: Role, made: Decision) -> RenderableType:
        """Tabulate the moves that were tried most: share of the visits, average value, visits."""
        table = Table.grid(padding=(0, 1))
        most = max(made.visits.values()) or 1
        order = sorted(made.visits, key=lambda move: (move != made.move, -made.visits[move]))
        for move in order[:_SHOWN]:
            style = "bold" if move == made.move else "default"
            bar = _bar(made.visits[move] / most, style=self.colour(role))
            value, visits = f"{made.values.get(move, 0):.2f}", f"{made.visits[move]:,}"
            table.add_row(Text(self.game.text(move), style), bar, Text(value, style), Text(visits, "dim"))
        if len(order) > _SHOWN:
            table.add_row(Text("…", "dim"), Text(f"{len(order) - _SHOWN} more", "dim"))
        return table

    def colour(self, role: Role) -> str:
        """Give a role the colour of its name, or one of its own."""
        names = self.game.roles
        return _COLOURS.get(names[role % len(names)], _OTHERS[role % len(_OTHERS)])


@dataclass(frozen=True)
class Human:
    """A person at the keyboard; the budget does not hurry people."""

    name: ClassVar[str] = "human"

    screen: Screen = field(compare=False, repr=False)

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
        self.screen.console.print(
            f"[bold {self.screen.colour(self.role)}]{self.game.roles[self.role]}[/]> ", end=""
        )
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
                raise Abandoned("")
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


def _bar(share: float, *, style: str = "default") -> Text:
    """Draw a number from 0 to 1."""
    filled = max(0, min(_BAR, round(share * _BAR)))
    return Text("█" * filled, style).append("░" * (_BAR - filled), "dim")


def _time(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
