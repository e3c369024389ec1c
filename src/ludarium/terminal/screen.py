"""A match in a terminal: boards move by move, what the agents thought, and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ludarium.core import TOGETHER, Decision, Game, Match, Move, Role, State
from ludarium.core.agent import HUMAN
from ludarium.terminal.public_moves import PublicMoves

_COLOURS = {"red": "red", "yellow": "yellow", "green": "green", "blue": "blue", "white": "bright_white"}
_OTHERS = ("cyan", "magenta", "green", "yellow", "blue", "red")
_WIDEST = 110  # columns that are easy to read across
_FRAME = 6  # columns that a frame takes
_AGAIN = "  ↳ "  # begins what does not fit on a line
_BAR = 12
_SHOWN = 8  # moves that a decision is shown with


class Screen:
    """Watches a match and draws it; of what is hidden, only what the human at the keyboard may see."""

    def __init__(self, console: Console, game: Game, agents: Sequence[str]) -> None:
        self.console, self.game, self.agents = console, game, tuple(agents)
        self.humans = [role for role, name in enumerate(agents) if name == HUMAN]
        self.state: State | None = None
        self.history: list[dict[Role, Move]] = []
        """The moves of each ply so far."""

        self.skip = 0
        """Plies that were made before, and need not be drawn again."""

        self.public: PublicMoves | None = None
        self._before = ""

    def begin(self, skip: int = 0) -> None:
        """Begin the match again; of the first plies only the last is drawn."""
        self.history.clear()
        self.skip, self.public, self._before = skip, None, ""

    @property
    def secret(self) -> bool:
        """Whether somebody at the keyboard must not see everything."""
        return bool(self.humans) and not self.game.traits.perfect_information

    def __call__(self, state: State, decisions: Mapping[Role, Decision]) -> None:
        """Draw a state, and the decisions that led to it."""
        self.state = state
        moves = {role: made.move for role, made in decisions.items()}
        if moves:
            self.history.append(moves)
        known = self._public_moves(state, moves)
        if len(self.history) < self.skip:
            return
        if self.secret and len(self.humans) > 1 and not state.over:
            return  # each sees the board at the prompt
        viewer = self.humans[0] if self.secret and not state.over else None
        picture = self.game.picture(state, viewer)
        thoughts = [self._thoughts(r, made) for r, made in decisions.items() if made.visits and not self.secret]
        content = self._beside(self._board(picture), thoughts)
        style = f"dim {self.colour(min(decisions))}" if len(decisions) == 1 else "dim"
        self._panel(content, title=self._title(decisions, known), style=style)
        self._before = picture

    def _public_moves(self, state: State, moves: Mapping[Role, Move]) -> Mapping[Role, Move]:
        """Say which moves may be told: all, or those that the human at the keyboard can know of."""
        if not self.secret:
            return moves
        if len(self.humans) > 1:
            return {}
        if self.public is None:
            self.public = PublicMoves(self.humans[0], state)
        return self.public.after(state, moves) if moves else {}

    def texts(self) -> list[str]:
        """Write the moves so far, ply by ply, as they are read again."""
        return [TOGETHER.join(self.game.text(move) for move in moves.values()) for moves in self.history]

    def board(self, state: State, title: Text, viewer: Role | None = None) -> None:
        """Draw a state alone: all of it, or what one role sees."""
        self._panel(self._board(self.game.picture(state, viewer)), title=title, style="dim")

    def result(self, match: Match, again: str) -> None:
        """Say how it ended, and how to see it again."""
        table = Table.grid(padding=(0, 2))
        for role, (name, utility) in enumerate(zip(match.agents, match.utilities, strict=True)):
            table.add_row(Text(self.game.roles[role], self.colour(role)), name, bar(utility), f"{utility:.3g}")
        length = f"{len(match.moves)} plies, {duration(sum(match.seconds))}, seed {match.seed}"
        text = Group(Text(self.outcome(match), "bold"), "", table, "", Text(length, "dim"))
        self._panel(text, title=Text("result", "bold"), style="bold")
        self.console.print(again, style="dim", markup=False, soft_wrap=True)  # a frame would break what is to be copied

    def outcome(self, match: Match) -> str:
        """Name the winner, if there is one."""
        if match.cut:
            plies = "1 ply" if len(match.moves) == 1 else f"{len(match.moves)} plies"
            return f"nobody wins: cut after {plies} (--move-limit NUMBER sets another limit)"
        best = max(match.utilities)
        winners = [role for role, utility in enumerate(match.utilities) if utility == best]
        if len(match.utilities) == 1:
            return f"{match.agents[0]} scores {best:.3g}"
        if len(winners) == len(match.utilities):
            return "a draw"
        named = [f"{self.game.roles[role]} ({match.agents[role]})" for role in winners]
        return f"{' and '.join(named)} {'wins' if len(winners) == 1 else 'share the win'}"

    def _panel(self, content: RenderableType, *, title: Text, style: str) -> None:
        width = min(_WIDEST, self.console.width)
        inside = Padding(content, (0, 1))
        self.console.print(Panel(inside, title=title, title_align="left", border_style=style, width=width))

    def _title(self, decisions: Mapping[Role, Decision], known: Mapping[Role, Move]) -> Text:
        title = Text(f"{len(self.history)}" if decisions else self.game.name, "bold")
        for role, made in decisions.items():
            title.append(" · ", "dim")
            title.append(self.game.roles[role], f"bold {self.colour(role)}")
            title.append(f" {self.agents[role]}", "default")
            if role in known:
                title.append(" → ", "dim").append(self.game.notation(made.move), "bold")
            if made.visits and not self.secret:
                title.append(f" ({made.values.get(made.move, 0):.2f})", "default")
        return title

    def _board(self, picture: str) -> Text:
        """Colour the pieces, mark what has changed, and wrap what is wider than the terminal, with a mark."""
        lines = []
        before = self._before.split("\n")
        for y, line in enumerate(picture.split("\n")):
            board = Text(no_wrap=True)
            old = before[y] if y < len(before) and len(before[y]) == len(line) else line
            for x, character in enumerate(line):
                # A letter that stands alone is a piece; letters in words are words.
                alone = not line[max(0, x - 1) : x + 2].replace(character, "", 1).strip()
                style = self._piece(character) if alone else ""
                board.append(character, f"{style} reverse" if character != old[x] and alone else style)
            lines += wrapped(board, min(_WIDEST, self.console.width) - _FRAME)
        return Text("\n", no_wrap=True).join(lines)

    def _beside(self, board: Text, thoughts: Sequence[Table]) -> RenderableType:
        """Put what the agents thought beside the board, or below it if there is no room."""
        row = Table.grid(padding=(0, 4))
        row.add_row(*thoughts)
        widths = [self.console.measure(each).maximum for each in (board, row)]
        if not thoughts:
            return board
        if sum(widths) + 10 > min(_WIDEST, self.console.width):
            return Group(board, "", row)
        both = Table.grid(padding=(0, 6))
        both.add_row(board, row)
        return both

    def _piece(self, character: str) -> str:
        if character in ".·":
            return "dim"
        owners = self.game.offers.symbols or {"X": 0, "O": 1}
        return f"bold {self.colour(owners[character])}" if character in owners else ""

    def _thoughts(self, role: Role, made: Decision) -> Table:
        """Tabulate the best moves: visits as a bar (or the value, if all were tried alike), value, visits."""
        table = Table.grid(padding=(0, 1))
        visits, values = made.visits, made.values
        alike = max(visits.values()) - min(visits.values()) <= 1
        merit = values if alike else visits
        best = 1.0 if alike else max(visits.values())
        order = sorted(visits, key=lambda move: (move != made.move, -merit.get(move, 0)))
        for move in order[:_SHOWN]:
            style = "bold" if move == made.move else "default"
            length = bar(merit.get(move, 0) / best, style=self.colour(role))
            value, count = (
                Text(f"{values.get(move, 0):.2f}", style),
                Text(f"{visits[move]:,}", "dim", justify="right"),
            )
            table.add_row(Text(self.game.notation(move), style), length, value, count)
        if len(order) > _SHOWN:
            table.add_row(Text("…", "dim"), Text(f"{len(order) - _SHOWN} more", "dim"))
        return table

    def colour(self, role: Role) -> str:
        """Give a role the colour of its name, or one of its own."""
        names = self.game.roles
        return _COLOURS.get(names[role % len(names)], _OTHERS[role % len(_OTHERS)])


def wrapped(line: Text, width: int) -> list[Text]:
    """Break a line that is too wide, between words if it can be; every part but the first begins with a mark.

    >>> [part.plain for part in wrapped(Text("tokens      white 7   blue 7   green 7"), 24)]
    ['tokens      white 7   ', '  ↳ blue 7   green 7']
    """
    parts, mark, width = [], "", max(width, len(_AGAIN) + 2)
    while len(mark) + line.cell_len > width:
        room = _fitting(line.plain, width - len(mark))
        gap = max(line.plain.rfind("   ", 1, room), line.plain.rfind(" ", room // 2, room))
        end = gap + (3 if line.plain.startswith("   ", gap) else 1) if gap > 0 else room
        end = min(end, room)
        parts.append(Text(mark, "dim").append_text(line[:end]))
        line, mark = line[end:], _AGAIN
    return [*parts, Text(mark, "dim").append_text(line)]


def _fitting(text: str, columns: int) -> int:
    """How many characters fit into so many columns: some take two."""
    ends = accumulate(map(cell_len, text))
    return sum(1 for end in ends if end <= columns)


def bar(share: float, *, style: str = "default") -> Text:
    """Draw a number from 0 to 1."""
    filled = max(0, min(_BAR, round(share * _BAR)))
    return Text("█" * filled, style).append("░" * (_BAR - filled), "dim")


def duration(seconds: float) -> str:
    """Write a time in seconds, or in milliseconds if it is short."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
