"""The tables that compare mendings with plain covering competition, seed by seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import nan
from typing import Any

from ludarium.arena.prove.means import half_width
from ludarium.arena.report.sheets import Column, Sheet, columns
from ludarium.studies.coevolution.duels import MATCHES, Duel
from ludarium.studies.coevolution.measures import Group, apart, compared, corrected, plain_of

TITLE = ("mending", "game", ("generations", "count"))


def mended_sheets(together: Sequence[Sequence[Group]], duels: Sequence[Duel]) -> tuple[Sheet, ...]:
    """All of them; what is given together is tested together."""
    found = [each for family in together for each in family]
    return (
        _losses_sheet(together, found),
        _ahead_sheet(together, found),
        _covered_sheet(found),
        _mended_sheet(together, found),
        _duels_sheet(together, duels),
    )


def tested(
    together: Sequence[Sequence[Group]],
    rows_of: Callable[[Group], list[tuple[Any, ...]]],
    heads: Sequence[Column],
    name: str,
) -> tuple[tuple[Any, ...], ...]:
    """The rows of all groups; behind a column of p comes what it is after Holm's correction for those tested together."""
    at = [head.name for head in heads].index(name)
    made = []
    for family in together:
        rows = [row for each in family for row in rows_of(each)]
        for row, p in zip(rows, corrected([row[at] for row in rows]), strict=True):
            made.append((*row[: at + 1], p, *row[at + 1 :]))
    return tuple(made)


def _losses_sheet(together: Sequence[Sequence[Group]], found: Sequence[Group]) -> Sheet:
    def told(each: Group) -> list[tuple[Any, ...]]:
        other, rows = plain_of(found, each), []
        for role, name in enumerate(each.roles):
            for depth in each.depths()[1:]:
                lost = each.lost(role, depth)
                values = list(lost.values())
                theirs = other.lost(role, depth) if other else {}
                less = compared(theirs, lost) if other else (nan, nan, nan, None)
                halves = compared({seed: value / 2 for seed, value in theirs.items()}, lost)[:2]
                mean = (sum(values) / len(values), half_width(values), len(values))
                rows.append((*each.title, name, depth, *mean, *less, *halves))
        return rows

    heads = columns(
        *TITLE, "role", ("depth", "count"), ("lost", "number"), ("±", "number"), ("runs", "count"),
        ("less than plain", "number"), ("± less", "number"), ("p", "p"), ("p, Holm", "p"), ("seeds", "count"),
        ("below half", "number"), ("± below", "number"),
    )  # fmt: skip
    note = (
        "What champions gain on random players at depth 1, less what they gain at a greater depth, where both look farther: mean "
        "over runs and half of its 95 % interval. Below zero, looking farther makes their judgement worth more. Less than plain: "
        "how much more those of plain runs (cca) with the same seed and size lose; ± and p over seeds (t-test), Holm's "
        "correction over the rows of a mending, those of 300 generations apart from shorter ones. Below half: how much less "
        "they lose than half of what plain ones lose; below zero they lose more than half."
    )
    return Sheet("losses", "What is lost by looking farther", note, heads, tested(together, told, heads, "p"))


def _ahead_sheet(together: Sequence[Sequence[Group]], found: Sequence[Group]) -> Sheet:
    def told(each: Group) -> list[tuple[Any, ...]]:
        other = plain_of(found, each)
        ours, theirs = each.ahead, other.ahead if other else {}
        more, half, p, count = compared(ours, theirs)
        both = ours.keys() & theirs.keys()
        means = (sum(shares[seed] for seed in both) / max(1, count) for shares in (ours, theirs))
        return [(*each.title, *means, more, half, p, count)] if count else []

    heads = columns(
        *TITLE, ("ahead", "number"), ("plain", "number"), ("more", "number"), ("±", "number"),
        ("p", "p"), ("p, Holm", "p"), ("seeds", "count"),
    )  # fmt: skip
    note = (
        "The share of generations in which the first role was undominated, less that of the second, and the same of plain runs "
        "(cca) with the same seed and size; ± and p of the difference over seeds (t-test), Holm's correction over the games of "
        "a mending, those of 300 generations apart from shorter ones."
    )
    return Sheet("ahead", "Disengagement beside plain runs", note, heads, tested(together, told, heads, "p"))


def _covered_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        shares = [each.covered(role) for role in (0, 1)]
        told = [number for share in shares for number in (share.mean(), half_width(share))]
        rows.append((*each.title, *told, len(each.runs)))
    heads = columns(
        *TITLE, ("role 0", "number"), ("± 0", "number"), ("role 1", "number"), ("± 1", "number"), ("runs", "count")
    )  # fmt: skip
    note = (
        "The share of matches that the champion of a role wins against all teachers of the other, banked ones too, four "
        "matches with each: mean over runs and half of its 95 % interval."
    )
    return Sheet("covered", "Teachers that champions beat", note, heads, tuple(rows))


def _mended_sheet(together: Sequence[Sequence[Group]], found: Sequence[Group]) -> Sheet:
    def told(each: Group) -> list[tuple[Any, ...]]:
        other, rows = plain_of(found, each), []
        for role, name in enumerate(each.roles if other else ()):
            assert other is not None
            for depth in each.depths():
                ours, theirs = each.gains(role, depth), other.gains(role, depth)
                more, half, p, count = compared(ours, theirs)
                if count:
                    both = ours.keys() & theirs.keys()
                    means = [sum(gains[seed] for seed in both) / count for gains in (ours, theirs)]
                    rows.append((*each.title, name, depth, *means, more, half, p, count))
        return rows

    heads = columns(
        *TITLE, "role", ("depth", "count"), ("gain", "number"), ("plain", "number"), ("more", "number"), ("±", "number"),
        ("p", "p"), ("p, Holm", "p"), ("seeds", "count"),
    )  # fmt: skip
    note = (
        "By how much champions are better than random judgement where both look so far, and by how much those of plain runs "
        "(cca) with the same seed and size are; ± and p of the difference over seeds (t-test), Holm's correction over the rows "
        "of a mending, those of 300 generations apart from shorter ones."
    )
    return Sheet("mended", "What mendings are worth to each role", note, heads, tested(together, told, heads, "p"))


def _duels_sheet(together: Sequence[Sequence[Group]], duels: Sequence[Duel]) -> Sheet:
    heads = columns(
        *TITLE, "role", ("champion", "number"), ("plain", "number"), ("gain", "number"), ("±", "number"),
        ("p", "p"), ("p, Holm", "p"), ("seeds", "count"), ("matches each", "count"),
    )  # fmt: skip
    note = (
        "What a champion has against the plain champion (cca) of the other role, evolved with the same seed, inputs and size, "
        "and what the plain champion of its own role has there; 1-ply players; ± and p over seeds (t-test), Holm's correction "
        "over the rows of a mending, those of 300 generations apart from shorter ones."
    )
    rows = tested(together, partial(_fought, duels), heads, "p")
    return Sheet("duels", "Champions against plain ones", note, heads, rows)


def _fought(duels: Sequence[Duel], group: Group) -> list[tuple[Any, ...]]:
    rows = []
    for role, name in enumerate(group.roles):
        sought = (group.mending, group.game, group.size, group.mark, role)
        mine = [each for each in duels if (each.mending, each.game, each.size, each.mark, each.role) == sought]
        if mine:
            means = [sum(values) / len(mine) for values in ([d.score for d in mine], [d.plain for d in mine])]
            rows.append((*group.title, name, *means, *apart([d.score - d.plain for d in mine]), len(mine), MATCHES))
    return rows
