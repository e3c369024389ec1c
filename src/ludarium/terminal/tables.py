"""Tables for the terminal: games, agents, traits, scores, speeds."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludarium.arena import Score
from ludarium.core import Game, Traits
from ludarium.library import Header

_PROMISES = {
    "turn_taking": "turns",
    "deterministic": "no chance",
    "perfect_information": "nothing hidden",
    "constant_sum": "constant sum",
}


def console() -> Console:
    """Make the console that everything is printed on; without colours where they are not wanted."""
    return Console(highlight=False)


def games_table(games: Iterable[tuple[Game, str]]) -> Table:
    """List games, each with a line about it."""
    table = _table("game", "roles", "about and traits")
    for game, about in games:
        traits = ", ".join(short for trait, short in _PROMISES.items() if getattr(game.traits, trait))
        table.add_row(_bold(game.name), ", ".join(game.roles), Text(f"{about}\n").append(traits, "dim"))
    return table


def rule_files_table(files: Iterable[tuple[str, Header]]) -> Table:
    """List the games of the library, as the heads of their files tell of them."""
    table = _table("game from rules", "title, roles and about")
    table.columns[0].no_wrap = True
    for name, header in files:
        about = Text(header.title, no_wrap=True, overflow="ellipsis")
        table.add_row(_bold(name), about.append(f"  {header.roles}\n{header.about}", "dim"))
    return table


def agents_table(agents: Iterable[tuple[str, Iterable[str], str]]) -> Table:
    """List agents: name, parameters and a line about each."""
    table = _table("agent", "parameters", "about")
    for name, parameters, about in agents:
        table.add_row(_bold(name), Text(", ".join(parameters) or "-"), about)
    return table


def parameters_table(
    agents: Iterable[tuple[str, Mapping[str, inspect.Parameter], Mapping[str, str]]],
) -> Table:
    """List every parameter of every agent: default and meaning."""
    table = _table("agent", "parameter", "default", "meaning")
    for name, parameters, meanings in agents:
        for key, parameter in parameters.items():
            default = parameter.default
            shown = f"{default:.6g}" if isinstance(default, float) else repr(default)
            table.add_row(_bold(name), key, Text(shown), Text(meanings.get(key, "")))
    return table


def traits_table(traits: Traits, meanings: Mapping[str, str]) -> Table:
    """Show what a game promises."""
    table = _table("trait", "", "meaning")
    for each in fields(traits):
        value = getattr(traits, each.name)
        sign = Text("yes", "green") if value is True else Text("-", "dim") if not value else Text(f"{value}")
        table.add_row(_bold(each.name.replace("_", " ")), sign, meanings.get(each.name, ""))
    return table


def scores_table(roles: Sequence[str], names: Sequence[str], scores: Sequence[Score]) -> Table:
    """Show what each agent has reached, by role and in all, and how sure that is."""
    table = _table("agent", *(f"as {role}" for role in roles), "mean utility", "95 % interval")
    for name, score in zip(names, scores, strict=True):
        by_role = [score.mean_as(role) for role in range(len(roles))]
        shown = ["-" if mean is None else f"{mean:.3f}" for mean in by_role]
        low, high = score.interval
        table.add_row(_bold(name), *shown, _bold(f"{score.mean:.3f}"), f"{low:.3f} to {high:.3f}")
    return table


def speeds_table(name: str, rows: Iterable[tuple[str, str, str]]) -> Table:
    """Show what was measured: what, how much, and a remark."""
    table = _table(name, "", "one core, CPU time")
    table.columns[1].justify = "right"
    for what, amount, remark in rows:
        table.add_row(what, _bold(amount), Text(remark, "dim"))
    return table


def _table(*columns: str) -> Table:
    return Table(*columns, box=SIMPLE_HEAD, header_style="bold", pad_edge=False)


def _bold(text: str) -> Text:
    return Text(text, "bold")
