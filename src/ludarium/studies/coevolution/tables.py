"""The tables of the study of coevolution that stand beside the published numbers, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from ludarium.arena.prove.means import half_width
from ludarium.arena.report.sheets import Sheet, columns
from ludarium.studies.coevolution.duels import PLAIN, Duel
from ludarium.studies.coevolution.measures import SURE, Group, corrected, families, groups, largest, plain
from ludarium.studies.coevolution.mended_tables import TITLE, mended_sheets, tested
from ludarium.studies.coevolution.published import PAPER_BETTER, PAPER_DEPTHS, PAPER_HELD, PAPER_TEACHERS
from ludarium.studies.coevolution.runs import Run
from ludarium.studies.coevolution.together_tables import loss_sentences, together_sheets


def sheets(runs: Sequence[Run], duels: Sequence[Duel] = ()) -> tuple[Sheet, ...]:
    """All tables that there are runs for."""
    found = groups(runs)
    together = families(found)
    mine = plain(largest(found))
    told = (_run_sheet(together), _teachers_sheet(mine), _better_sheet(together), _depths_sheet(mine))
    return (*told, _held_sheet(together), *together_sheets(together), *mended_sheets(together, duels))


def answer(runs: Sequence[Run]) -> tuple[str, ...]:
    """What came out, in sentences."""
    together = families(groups(runs))
    return (*(_sentence(family) for family in together), *loss_sentences(together))


def _sentence(family: Sequence[Group]) -> str:
    gains = [each.better(role) for each in family for role in (0, 1)]
    better = _proved(gains, [p for _, _, p in gains])
    surely = _proved(gains, corrected([p for _, _, p in gains]))
    single = sum(each.proved(role) for each in family for role in (0, 1))
    counts = sorted({len(each.runs) for each in family})
    runs = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else str(counts[0])
    several = "games" if len({each.game for each in family}) == len(family) else "games and sizes"
    played = f"each of {len(family)} {several}"
    if len(family) == 1:
        several, played = "game", "1 game"
    said = f"{family[0].mending}{'' if family[0].long else ', short'} ({runs} runs of {played}): "
    said += f"champions are proved better than random judgement in {better} of {len(gains)} roles over runs"
    said += " (over matches, where there is one run)" if counts[0] < 2 else ""
    said += f", in {surely} after Holm's correction; {single} of {sum(2 * len(each.runs) for each in family)} champions"
    said += " in their own matches"
    if spread := [each for each in family if not isnan(each.disengaged)]:
        apart = [each.game for each in spread if each.disengaged < SURE]
        said += f". Roles dominate differently (p < 0.05, the paper's test) in {len(apart)} of {len(spread)} {several}"
        said += f" ({', '.join(dict.fromkeys(apart))})" if apart else ""
    return f"{said}."


def _proved(gains: Sequence[tuple[float, float, float]], ps: Sequence[float]) -> int:
    return sum(gain > 0 and p < SURE for (gain, _, _), p in zip(gains, ps, strict=True))


def _run_sheet(together: Sequence[Sequence[Group]]) -> Sheet:
    rows = tuple(
        (
            each.mending,
            each.game,
            len(each.runs),
            *each.size,
            each.runs[0].trials,
            max(each.depths()),
            sum(run.matches for run in each.runs),
            sum(run.seconds for run in each.runs),
            each.mark,
        )
        for family in together
        for each in family
    )
    heads = columns(
        "mending", "game", ("runs", "count"), ("generations", "count"), ("population", "count"), ("bouts", "count"),
        ("trials", "count"), ("depth", "count"), ("matches", "count"), ("CPU seconds", "points"), "mark",
    )  # fmt: skip
    note = (
        "The paper: 300 generations, 50 bouts, 100 trials, depth 3; populations and numbers of runs are not told. CPU seconds of "
        "a run that was stopped are those since it went on. The mark is the fingerprint of the game, and a digest of what a tiny "
        "evolution by this version comes to: runs with another mark, or a basis of other rules, are never counted "
        "together."
    )
    return Sheet("run", "What was run", note, heads, rows)


def _teachers_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            last = each.teachers(role)[:, -1]
            rows.append(
                (*each.title[1:], name, last.mean(), half_width(last), len(last), PAPER_TEACHERS.get(each.game))
            )
    heads = columns(
        *TITLE[1:], "role", ("teachers", "number"), ("±", "number"), ("runs", "count"), "paper, after 300"
    )  # fmt: skip
    note = "Teachers after the last generation of plain runs: mean over runs and half of its 95 % interval (figure 3)."
    return Sheet("teachers", "Teachers", note, heads, tuple(rows))


def _better_sheet(together: Sequence[Sequence[Group]]) -> Sheet:
    def told(each: Group) -> list[tuple[Any, ...]]:
        rows = []
        for role, name in enumerate(each.roles):
            ours, theirs = each.at_depth(1, role)
            row = (*each.title, name, ours.mean(), theirs.mean(), *each.better(role), len(ours), each.matches(1))
            published = PAPER_BETTER.get((each.game, role)) if each.mending == PLAIN else None
            rows.append((*row, f"{each.proved(role)} of {len(each.runs)}", published))
        return rows

    heads = columns(
        *TITLE, "role", ("champion", "number"), ("random", "number"), ("gain", "number"), ("±", "number"),
        ("p", "p"), ("p, Holm", "p"), ("runs", "count"), "matches each", "proved alone", "paper: p",
    )  # fmt: skip
    note = (
        "What champions have as 1-ply players against such players that judge at random, and what these have in their place. "
        "With several runs, ± and p are over runs (t-test), else over the trials of the one, and ± is of what the champion has; "
        "Holm's correction is over the rows of a mending, those of 300 generations apart from shorter ones. Proved alone: "
        "champions that are better in their own trials, p < 0.05 by Welch's t-test, not corrected for their number."
    )
    return Sheet(
        "better", "Champions against random judgement (figure 4)", note, heads, tested(together, told, heads, "p")
    )


def _depths_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            published = PAPER_DEPTHS.get((each.game, role), {})
            for depth in each.depths():
                ours, theirs = each.at_depth(depth, role)
                gain, half, _ = each.better(role, depth)
                scores = (ours.mean(), half_width(ours), theirs.mean(), gain, half)
                rows.append((*each.title[1:], name, depth, *scores, len(ours), published.get(depth)))
    heads = columns(
        *TITLE[1:], "role", ("depth", "count"), ("champion", "number"), ("±", "number"), ("random", "number"),
        ("gain", "number"), ("± gain", "number"), ("runs", "count"), ("paper: champion", "number"),
    )  # fmt: skip
    note = (
        "Champions of plain runs; both players look equally far ahead; mean over runs and half of its 95 % interval. Where the "
        "paper does not name the depth, we read it as 3."
    )
    return Sheet("depths", "Looking farther ahead (figure 5)", note, heads, tuple(rows))


def _held_sheet(together: Sequence[Sequence[Group]]) -> Sheet:
    def told(each: Group) -> list[tuple[Any, ...]]:
        paper = PAPER_HELD.get(each.game) if each.mending == PLAIN else None
        shares = [each.held(role) / each.generations for role in (-1, 0, 1)]
        ours = (shares[0].mean(), shares[1].mean(), half_width(shares[1]), shares[2].mean(), half_width(shares[2]))
        theirs = (None,) * 4 if paper is None else (*(x / 300 for x in paper[:3]), paper[3])
        return [(*each.title, *ours, each.disengaged, each.disengaged_by_run, len(each.runs), *theirs)]

    heads = columns(
        *TITLE, ("tied", "number"), ("role 0", "number"), ("± 0", "number"), ("role 1", "number"), ("± 1", "number"),
        ("p", "p"), ("p by run", "p"), ("p by run, Holm", "p"), ("runs", "count"), ("paper: tied", "number"),
        ("paper: 0", "number"), ("paper: 1", "number"), "paper: p",
    )  # fmt: skip
    note = (
        "Shares of all generations in which a role was undominated: mean over runs and half of its 95 % interval; "
        "p by Student's t-test over runs, as in the paper; p by run by a t-test of the difference within each run, with Holm's "
        "correction over the games of a mending, those of 300 generations apart from shorter ones. Where all runs have the same "
        "shares, there is nothing to test by."
    )
    return Sheet("held", "Disengagement (figure 6)", note, heads, tested(together, told, heads, "p by run"))
