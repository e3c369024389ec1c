"""The tables and sentences of what champions as a whole lose by looking farther ahead."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan, nan
from typing import Any

from ludarium.arena.report.sheets import Sheet, columns
from ludarium.studies.coevolution.measures import Group, apart
from ludarium.studies.coevolution.mended_tables import TITLE
from ludarium.studies.coevolution.study import DEEPER
from ludarium.studies.coevolution.together import (
    Beside,
    Together,
    all_beside,
    beside,
    farther,
    length,
    named,
    together,
    verdict,
)

_KINDS = ("all", "that lose")


def together_sheets(families: Sequence[Sequence[Group]]) -> tuple[Sheet, ...]:
    """Game by game, and all games of a mending together; runs of the paper's length apart from shorter ones."""
    found = [each for family in families for each in family]
    return _games_sheet(found), _together_sheet(families, found)


def loss_sentences(families: Sequence[Sequence[Group]]) -> tuple[str, ...]:
    """What comes of the bar: whether champions evolved by looking deeper lose less than half of what plain ones lose."""
    found = [each for family in families for each in family]
    told = [
        _sentence(family, depths, given)
        for family in families
        if family[0].mending == DEEPER
        for depths in farther(family)
        if (given := all_beside(found, family, depths))
    ]
    return tuple(told)


def _games_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for depth in each.depths()[1:]:
            if made := beside(found, each, (depth,)):
                plain, ours = (apart(made.rows[:, place])[:2] for place in (0, 1))
                ratio = ours[0] / plain[0] if made.lossy else nan
                halves, more = apart(made.below)[:2], apart(made.more)[:2]
                rows.append((*each.title, depth, *plain, *ours, ratio, *halves, *more, len(made.rows)))
    heads = columns(
        *TITLE, ("depth", "count"), ("plain lose", "number"), ("± plain", "number"), ("these lose", "number"),
        ("± these", "number"), ("ratio", "number"), ("below half", "number"), ("± below", "number"), ("gain more", "number"),
        ("± more", "number"), ("seeds", "count"),
    )  # fmt: skip
    note = (
        "The same with both roles of a run together, beside plain runs (cca) with the same seed and size: mean over seeds and "
        "half of its 95 % interval. The ratio stands only where plain champions are shown to lose anything: what is some part of "
        "nothing means nothing. Gain more: how much more these have on random players at that depth itself."
    )
    return Sheet("by-game", "What is lost by looking farther, game by game", note, heads, tuple(rows))


def _together_sheet(families: Sequence[Sequence[Group]], found: Sequence[Group]) -> Sheet:
    rows: list[tuple[Any, ...]] = []
    for family in families:
        for depths in farther(family):
            given = all_beside(found, family, depths)
            for kind, mine in zip(_KINDS, (given, [each for each in given if each.lossy]), strict=True):
                if mine and (kind == _KINDS[0] or len(mine) < len(given)):
                    rows.append((family[0].mending, length(family[0]), named(depths), kind, *_cells(together(mine))))
    heads = columns(
        "mending", "generations", "depth", "which games", ("games", "count"), ("seeds", "count"),
        ("plain lose", "number"), "plain, interval", ("these lose", "number"), "these, interval",
        ("ratio", "number"), "ratio, interval", ("below half", "number"), "below, by run", "below, by game",
        ("gain more", "number"), "gain, interval", ("from plain", "number"), "from plain, interval",
    )  # fmt: skip
    note = (
        "Losses with roles counting alike in a run, runs in a game, and games among each other; intervals are of 95 %. By run: "
        "what holds for these games; runs are drawn again 10,000 times within each game, n - 1 of n, a seed's plain run "
        "together with the other. By game: what holds for games like these, by the t-interval of the means of at least four. "
        "All games is what counts. Those that lose are games in which plain champions are shown to lose, roles together: chosen "
        "by what came out, as plain losses that are large by chance get in. Where what plain ones lose may as well be nothing, "
        "there is no ratio. Depth 2 and 3: both alike; of games that were tried at one only, that one. Gain more: how much more "
        "these have on random players at the depth itself. From plain: how much less that is than what plain ones gain at depth "
        "1."
    )
    return Sheet("together", "What is lost by looking farther, games together", note, heads, tuple(rows))


def _cells(given: Together) -> tuple[Any, ...]:
    (plain, ours), (around_plain, around_ours) = given.lost, given.lost_between
    below, by_run, by_game = given.below
    (more, around_more), (fallen, around_fallen) = given.more, given.fallen
    ratio, around_ratio = given.ratio
    return (
        len(given.games), given.seeds, plain, _written(around_plain), ours, _written(around_ours), ratio,
        _written(around_ratio), below, _written(by_run), _written(by_game), more, _written(around_more),
        fallen, _written(around_fallen),
    )  # fmt: skip


def _sentence(family: Sequence[Group], depths: Sequence[int], given: Sequence[Beside]) -> str:
    every = together(given)
    plain, ours = every.lost
    around_plain, around_ours = map(_written, every.lost_between)
    below, by_run, by_game = every.below
    (more, around_more), (fallen, around_fallen) = every.more, every.fallen
    which = f"all {len(every.games)} games together" if len(every.games) > 1 else "one game"
    return (
        f"{family[0].mending} at depth {named(depths)}, {which} ({every.seeds} seeds; "
        f"intervals of 95 % over runs): champions lose {ours:.2f} ({around_ours}) by looking farther where plain ones lose "
        f"{plain:.2f} ({around_plain}), {_times(every)}. That this is less than half {verdict(*by_run)} for these games "
        f"({below:.3f} below it, {_written(by_run, 3)}), and {verdict(*by_game)} for games like them"
        f"{'' if isnan(by_game[0]) else f' ({_written(by_game, 3)} over games)'}. At that depth they gain {more:.2f} more on "
        f"random judgement than plain ones ({_written(around_more)}): that is {fallen:.2f} ({_written(around_fallen)}) less than "
        "plain ones gain at depth 1."
    )


def _times(given: Together) -> str:
    ratio, around = given.ratio
    return "of which no share can be told" if isnan(ratio) else f"{ratio:.2f} times as much ({_written(around)})"


def _named(depths: Sequence[int]) -> str:
    return " and ".join(map(str, depths))


def _written(ends: tuple[float, float], digits: int = 2) -> str | None:
    low, high = ends
    return None if isnan(low) else f"{low:.{digits}f} to {high:.{digits}f}"
