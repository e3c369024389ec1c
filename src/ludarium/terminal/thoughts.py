"""What an agent thinks of a position: its moves as a table, the play it expects, and the work it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ludarium.core import Decision, Game, Move, Role
from ludarium.terminal.screen import bar, duration

_SURE = 1e-9


def thoughts(
    game: Game, role: Role, made: Decision, *, most: int, colour: str = "default", narrow: bool = False
) -> Group:
    """Tabulate the moves that were looked at, the best first and at most so many; and what else is known."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    for what, told in _facts(game, role, made):
        facts.add_row(what, told)
    above = _moves(game, made, most, colour, narrow=narrow) if made.visits or made.values else Text()
    return Group(above, Padding(facts, (0, 0, 1, 1)))


def title(game: Game, plies: int, movers: Sequence[Role]) -> Text:
    """Say which position it is, and who is to move."""
    names = " and ".join(game.roles[role] for role in movers)
    moved = f" after {_count(plies, 'move')}" if plies else ""
    return Text(f"{game.name}{moved}", "bold").append(f" · {names} to move", "not bold default")


def _moves(game: Game, made: Decision, most: int, colour: str, *, narrow: bool) -> Table:
    """List moves by their visits, or by their values where visits say nothing; the chosen one comes first."""
    visits, values = made.visits, made.values
    table = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    table.add_column("move", no_wrap=True)
    if visits:
        table.add_column("visits", justify="right", no_wrap=True)
        table.add_column("share", justify="right", no_wrap=True)
    if not narrow:
        table.add_column("", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    total, largest = sum(visits.values()), max(visits.values(), default=0)
    alike = largest - min(visits.values(), default=0) <= 1  # all were tried equally often

    def weight(move: Move) -> float:
        return values.get(move, 0.0) if alike else visits.get(move, 0) / largest

    order = sorted(
        dict.fromkeys([*visits, *values]),
        key=lambda move: (move == made.move, weight(move), values.get(move, 0.0)),
        reverse=True,
    )
    for move in order[:most]:
        chosen = move == made.move
        style = "bold" if chosen else "default"
        count = visits.get(move, 0)
        judged = move in values and (count > 0 or not visits)
        table.add_row(
            Text(f"{'→' if chosen else ' '} {game.notation(move)}", style),
            *([Text(f"{count:,}", style), Text(f"{count / max(1, total):.1%}", style)] if visits else []),
            *([] if narrow else [bar(weight(move), style=colour if chosen else "default")]),
            Text(f"{values[move]:.3f}" if judged else "-", style),
        )
    if len(order) > most:
        table.add_row(Text(f"  … {len(order) - most} more", "dim"))
    return table


def _facts(game: Game, role: Role, made: Decision) -> Iterator[tuple[str, Text]]:
    """Say what is known besides the moves: a name and a text each."""
    yield "plays", Text(game.notation(made.move), "bold")
    if made.line:
        several = len({who for who, _ in made.line}) > 1
        plies = (
            f"{game.roles[who]} {game.notation(move)}" if several else game.notation(move) for who, move in made.line
        )
        yield "expects", Text(", ".join(plies))
    if made.votes:
        moves = sorted({move for _, move in made.votes}, key=lambda move: move != made.move)
        chosen = ((game.notation(move), [name for name, vote in made.votes if vote == move]) for move in moves)
        yield "votes", Text("; ".join(f"{move} by {', '.join(names)}" for move, names in chosen))
    if made.depth:
        yield "depth", Text(_count(made.depth, "ply", "plies"))
    if made.proven is not None:
        yield "proven", Text(_proof(game, role, made.proven))
    yield "work", Text(f"{_count(made.iterations, 'iteration')}, {_count(made.forward_calls, 'forward call')}")
    if made.seconds > 0:
        rates = (
            f"{_rate(made.iterations, made.seconds)} iterations/s, {_rate(made.forward_calls, made.seconds)} calls/s"
        )
        yield "time", Text(duration(made.seconds) + (f": {rates}" if made.iterations else ""))
    if made.note:
        yield "note", Text(made.note)


def _proof(game: Game, role: Role, worth: float) -> str:
    """Name a proven value; only in games of two, or alone, is the best a win."""
    name = game.roles[role]
    if worth >= 1 - _SURE:
        return f"{name} wins"
    if worth <= _SURE:
        return f"{name} loses"
    if abs(worth - 0.5) < _SURE and len(game.roles) == 2 and game.traits.constant_sum:
        return "a draw"
    return f"worth {worth:.3g} to {name}"


def _rate(count: int, seconds: float) -> str:
    """Write a rate with three digits that mean something."""
    rate = float(f"{count / seconds:.3g}")
    return f"{rate / 1e6:.3g} M" if rate >= 1e6 else f"{rate:,.0f}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
