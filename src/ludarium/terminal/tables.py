"""Tables for the terminal: games, agents, traits, scores, speeds."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, cast

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ludarium.core import Agent, Traits, describe
from ludarium.core.features import Feature
from ludarium.core.offers import RuleCost
from ludarium.core.parameters import Domain, Numbers, Words, YesNo
from ludarium.terminal.screen import bar

if TYPE_CHECKING:
    from ludarium.arena import Score
    from ludarium.hyper.models.model import Prediction, Reason
    from ludarium.hyper.models.regret import Measured
    from ludarium.ludii.text.options import Options

_PROMISES = {
    "turn_taking": "turns",
    "deterministic": "no chance",
    "perfect_information": "nothing hidden",
    "constant_sum": "constant sum",
}

_MUCH = 1e6  # nobody reads a bound from here on as one

_RANGE = 16  # columns; what is left is for the meaning


class _Piped(Console):
    """A console that leaves a pipe which nobody reads to the command line; rich would end with the code of a mistake."""

    def on_broken_pipe(self) -> None:
        """Raise it again."""
        self.quiet = True
        raise BrokenPipeError


def console() -> Console:
    """Make the console that everything is printed on; without colours where they are not wanted."""
    return _Piped(highlight=False, markup=False, emoji=False)  # what users name things is no markup


@dataclass(frozen=True)
class Listed:
    """A game in a list."""

    name: str
    roles: tuple[str, ...]
    about: str
    more: str
    hidden: bool
    chance: bool
    language: str

    @property
    def players(self) -> int:
        """For how many it is."""
        return len(self.roles)


def promises(traits: Traits) -> str:
    """Write what a game promises, in short."""
    return ", ".join(short for trait, short in _PROMISES.items() if getattr(traits, trait))


def paths_table(games: Iterable[tuple[str, str]]) -> Table:
    """List games of a library, each with its folder."""
    table = _table("game", "folder")
    for name, folder in games:
        table.add_row(_bold(name), folder)
    return table


def choices_table(options: Options) -> Table:
    """List what may be chosen in a description, what is chosen (*), and what it means."""
    table = _table("", "--option", "about")
    for category, chosen in zip(options.categories, options.chosen, strict=True):
        for item in category.items:
            table.add_row("*" if item is chosen else "", _bold(category.choice(item)), Text(item.description))
    for ruleset in options.rulesets:
        about = ", ".join(ruleset.choices) or "its rules are not written down"
        table.add_row("*" if ruleset is options.ruleset else "", _bold(ruleset.name), Text(about, "dim"))
    return table


def games_table(games: Iterable[Listed], *, verbose: bool = False, narrow: bool = False) -> Table:
    """List games, a line each; in a narrow terminal the line stands below the name."""
    table = _table(*(("game",) if narrow else ("game", "players", "about")))
    table.columns[0].no_wrap = not narrow
    for game in games:
        kinds = [*(["hidden"] if game.hidden else []), *(["chance"] if game.chance else [])]
        about = Text(game.about).append(f" ({', '.join(kinds)})" if kinds else "", "dim")
        if verbose:
            about.append(f"\n{', '.join(game.roles)}; {game.language}; {game.more}", "dim")
        if narrow:
            many = f" ({game.players} player{'s' if game.players > 1 else ''})\n  "
            table.add_row(_bold(game.name).append(many, "not bold dim").append_text(about))
        else:
            table.add_row(_bold(game.name), f"{game.players}", about)
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
        table.add_row(_bold(key), Text(_write_default(parameter.default)), Text(allowed), Text(meanings.get(key, "")))
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


def _write_default(value: object) -> str:
    """Write a default as one would type it in brackets."""
    if hasattr(value, "seat"):
        return describe(cast("Agent", value))
    if isinstance(value, tuple) and value and all(hasattr(each, "seat") for each in value):
        return "[" + ",\n ".join(map(_write_default, value)) + "]"  # a line each: this column does not wrap
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


def features_table(features: Iterable[tuple[str, Feature]]) -> Table:
    """Show what is known of a game, and where it comes from."""
    table = _table("feature", "", "from")
    for name, feature in features:
        value = (
            Text("?", "yellow") if feature.value is None else Text(f"{feature.value:g}", "" if feature.value else "dim")
        )
        table.add_row(_bold(name), value, Text(feature.source))
    return table


def forecasts_table(prediction: Prediction) -> Table:
    """Show what is expected of each candidate, the best first."""
    table = _table("candidate", "score", "80 % interval", "")
    for each in prediction.forecasts:
        table.add_row(
            _bold(each.candidate), f"{each.score:.1f} %", f"{each.low:.0f} to {each.high:.0f}", bar(each.score / 100)
        )
    return table


def reasons_table(candidate: str, start: float, reasons: Sequence[Reason]) -> Table:
    """Show what speaks for and against a candidate, as bars from the strongest on."""
    table = _table(candidate, "", "points", "")
    table.title, table.title_justify = f"{candidate}: {start:.0f} % in all games", "left"
    longest = max((abs(each.points) for each in reasons), default=1.0)
    for each in reasons:
        colour = "green" if each.points > 0 else "red"
        table.add_row(
            each.feature, f"{each.value:g}", f"{each.points:+.1f}", bar(abs(each.points) / longest, style=colour)
        )
    return table


def regrets_table(measured: Sequence[Measured]) -> Table:
    """Show what choosing costs by each way to learn, the best first."""
    table = _table("method", "regret", "error", "spread")
    for each in sorted(measured, key=lambda one: one.mean):
        table.add_row(_bold(each.method), f"{each.mean:.2f}", f"{each.error:.2f}", f"{each.spread:.2f}")
    return table


def costs_table(costs: Sequence[RuleCost], most: int = 12) -> Table:
    """Show the rules that cost most in random playouts."""
    table = _table("rule", "rows a turn", "share", "")
    every = sum(each.rows for each in costs)
    for each in costs[:most]:
        place = each.place.replace("\\", "/").rpartition("/")[2]
        table.add_row(
            Text(place, "bold", overflow="fold"),
            f"{each.rows:,.1f}",
            f"{each.rows / every:.0%}",
            Text(each.rule, overflow="ellipsis"),
        )
    if len(costs) > most:
        rest = sum(each.rows for each in costs[most:])
        table.add_row("", f"{rest:,.1f}", f"{rest / every:.0%}", Text(f"{len(costs) - most} other rules", "dim"))
    return table


def scores_table(roles: Sequence[str], names: Sequence[str], scores: Sequence[Score], *, narrow: bool = False) -> Table:
    """Show what each agent has reached, by role and in all, and how sure that is; stacked in a narrow terminal."""
    if narrow:
        return _stacked_scores(roles, names, scores)
    table = _table("agent", *(f"as {role}" for role in roles), "mean utility", "95 % interval", "won", "drawn", "lost")
    for name, score in zip(names, scores, strict=True):
        by_role = [score.mean_as(role) for role in range(len(roles))]
        shown = ["-" if mean is None else f"{mean:.3f}" for mean in by_role]
        low, high = score.interval
        outcomes = (f"{each:,}" for each in (score.won, score.drawn, score.lost))
        table.add_row(_bold(name), *shown, _bold(f"{score.mean:.3f}"), f"{low:.3f} to {high:.3f}", *outcomes)
    return table


def _stacked_scores(roles: Sequence[str], names: Sequence[str], scores: Sequence[Score]) -> Table:
    table = _table("agent")
    for name, score in zip(names, scores, strict=True):
        low, high = score.interval
        lines = [f"mean utility {score.mean:.3f}", f"95 % {low:.3f} to {high:.3f}"]
        lines.append(f"won {score.won:,}, drawn {score.drawn:,}, lost {score.lost:,}")
        means = ((role, score.mean_as(place)) for place, role in enumerate(roles))
        lines += [f"as {role} {mean:.3f}" for role, mean in means if mean is not None]
        table.add_row(Text(name, "bold", overflow="fold").append("".join(f"\n  {line}" for line in lines), "not bold"))
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
