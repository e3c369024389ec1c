"""Tables for the terminal: games, agents, traits, scores, speeds."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import cast

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludarium.arena import Score
from ludarium.core import Agent, Game, Traits, describe
from ludarium.core.parameters import Domain, Numbers, Words, YesNo
from ludarium.library import Header

_PROMISES = {
    "turn_taking": "turns",
    "deterministic": "no chance",
    "perfect_information": "nothing hidden",
    "constant_sum": "constant sum",
}

_MUCH = 1e6  # nobody reads a bound from here on as one

_RANGE = 16  # columns; what is left is for the meaning


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


def agents_table(agents: Iterable[tuple[str, str]]) -> Table:
    """List agents, each with a line about it."""
    table = _table("agent", "about")
    table.columns[0].no_wrap = True
    for name, about in agents:
        table.add_row(_bold(name), about)
    return table


def parameters_table(
    parameters: Mapping[str, inspect.Parameter], ranges: Mapping[str, Domain], meanings: Mapping[str, str]
) -> Table:
    """List the parameters of an agent: default, what else they may be, and what they mean."""
    table = _table("parameter", "default", "range", "meaning")
    for place in (0, 1):
        table.columns[place].no_wrap = True
    table.columns[2].max_width = _RANGE
    for key, parameter in parameters.items():
        allowed = _range(ranges[key]) if key in ranges else "-"
        table.add_row(_bold(key), Text(_written(parameter.default)), Text(allowed), Text(meanings.get(key, "")))
    return table


def _range(domain: Domain) -> str:
    """Write what a parameter may be in a few characters."""
    match domain:
        case Numbers(low, high) if high >= _MUCH:
            return f"{_short(low)} or more"
        case Numbers(low, high):
            return f"{_short(low)} to {_short(high)}"
        case Words(words):
            return ", ".join(words)
        case YesNo():
            return "True, False"
    return str(domain)


def _written(value: object) -> str:
    """Write a default as one would type it in brackets."""
    if hasattr(value, "seat"):
        return describe(cast("Agent", value))
    if isinstance(value, int) and not isinstance(value, bool) and value >= 10**5:
        return f"{value:_}"
    return _short(value) if isinstance(value, float) else str(value)


def _short(number: float) -> str:
    """Write a number with six digits, and 1e-5 for 1e-05."""
    return re.sub(r"e([+-])0*", lambda found: "e" if found[1] == "+" else "e-", f"{number:.6g}")


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
