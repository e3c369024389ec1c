"""The tables of the study of coevolution, beside the published numbers, and what they say."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from ludarium.arena.prove.means import half_width
from ludarium.arena.report.sheets import Sheet, columns
from ludarium.studies.coevolution.duels import MATCHES, Duel
from ludarium.studies.coevolution.measures import SURE, Group, apart, groups, longest
from ludarium.studies.coevolution.runs import Run

PAPER_HELD = {
    "blocker": (0.0, 19.0, 281.0, "< 1e-32"),
    "chinese-checkers": (0.86, 189.86, 109.29, "> 0.15"),
    "criss-cross": (4.56, 188.13, 107.31, "< 0.05"),
    "gdl:connect-four": (4.1, 288.0, 7.9, "< 1e-42"),
    "two-board-tic-tac-toe": (0.7, 152.0, 147.29, "> 0.9"),
}
"""Figure 6: generations tied, dominated by role 0 and by role 1, of 300, and p."""

PAPER_TEACHERS = {
    "chinese-checkers": "about 30",
    "melee-chess": "about 30",
    "gdl:connect-four": "about 10",
    "criss-cross": "about 10",
    "blocker": "fewer than 5",
    "two-board-tic-tac-toe": "fewer than 5",
}
"""Figure 3, as the text has it."""

PAPER_DEPTHS = {
    ("gdl:connect-four", 0): (0.7586, 0.6746),
    ("gdl:connect-four", 1): (0.6729, 0.5690),
    ("criss-cross", 0): (0.8360, 0.7224),
    ("criss-cross", 1): (0.7799, 0.7493),
    ("two-board-tic-tac-toe", 0): (0.4798, 0.4336),
    ("two-board-tic-tac-toe", 1): (0.6420, 0.5836),
}
"""Figure 5, as the text has it: what champions have at depth 1, and at the greatest depth."""


_TITLE = ("mending", "game", ("generations", "count"))


def sheets(runs: Sequence[Run], duels: Sequence[Duel] = ()) -> tuple[Sheet, ...]:
    """All tables that there are runs for."""
    found = groups(runs)
    makers = (_run_sheet, _teachers_sheet, _better_sheet, _depths_sheet, _losses_sheet, _held_sheet, _covered_sheet)
    return (*(make(found) for make in makers), _duels_sheet(found, duels))


def answer(runs: Sequence[Run]) -> tuple[str, ...]:
    """What came out, in sentences."""
    found = longest(groups(runs))
    lines = []
    for mending in dict.fromkeys(each.mending for each in found):
        mine = [each for each in found if each.mending == mending]
        proved = sum(each.better(role)[2] < SURE and each.better(role)[0] > 0 for each in mine for role in (0, 1))
        tested = [each for each in mine if not isnan(each.disengaged)]
        apart = [each.game for each in tested if each.disengaged < SURE]
        alone = any(len(each.runs) < 2 for each in mine)
        said = f"{mending}: champions are proved better than random judgement in {proved} of {2 * len(mine)} roles over runs"
        said += " (over matches, where there is one run)" if alone else ""
        single = sum(each.proved(role) for each in mine for role in (0, 1))
        said += f", {single} of {sum(2 * len(each.runs) for each in mine)} champions in their own matches"
        if tested:
            said += f"; roles dominate differently (p < 0.05) in {len(apart)} of {len(tested)} games"
            said += f" ({', '.join(apart)})" if apart else ""
        lines.append(f"{said}.")
    return tuple(lines)


def _run_sheet(found: Sequence[Group]) -> Sheet:
    rows = tuple(
        (
            each.mending,
            each.game,
            len(each.runs),
            each.generations,
            each.runs[0].population,
            each.runs[0].bouts,
            each.runs[0].trials,
            max(each.depths()),
            sum(run.matches for run in each.runs),
            sum(run.seconds for run in each.runs),
        )
        for each in found
    )
    heads = columns(
        "mending", "game", ("runs", "count"), ("generations", "count"), ("population", "count"), ("bouts", "count"),
        ("trials", "count"), ("depth", "count"), ("matches", "count"), ("CPU seconds", "points"),
    )  # fmt: skip
    note = (
        "The paper: 300 generations, 50 bouts, 100 trials, depth 3; populations and numbers of runs are not told. CPU seconds of "
        "a run that was stopped are those since it went on."
    )
    return Sheet("run", "What was run", note, heads, rows)


def _teachers_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            last = each.teachers(role)[:, -1]
            published = PAPER_TEACHERS.get(each.game) if each.mending == "cca" else None
            rows.append((*each.title, name, last.mean(), half_width(last), len(last), published))
    heads = columns(
        *_TITLE,
        "role",
        ("teachers", "number"),
        ("±", "number"),
        ("n", "count"),
        "paper, after 300",
    )
    note = "Teachers after the last generation: mean over n runs and half of its 95 % interval (figure 3)."
    return Sheet("teachers", "Teachers", note, heads, tuple(rows))


def _better_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            ours, theirs = each.at_depth(1, role)
            gain, half, p = each.better(role)
            row = (*each.title, name, ours.mean(), theirs.mean(), gain, half, p, len(ours))
            rows.append((*row, each.matches(1), f"{each.proved(role)} of {len(each.runs)}"))
    heads = columns(
        *_TITLE, "role", ("champion", "number"), ("random", "number"), ("gain", "number"), ("±", "number"),
        ("p", "p"), ("runs", "count"), "matches each", "proved alone",
    )  # fmt: skip
    note = (
        "What champions have as 1-ply players against such players that judge at random, and what these have in their place. "
        "With several runs, ± and p are over runs (t-test), else over the trials of the one, and ± is of what the champion has. "
        "Proved alone: champions that are "
        "better in their own trials, p < 0.05 by Welch's t-test, not corrected for their number."
    )
    return Sheet("better", "Champions against random judgement (figure 4)", note, heads, tuple(rows))


def _depths_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            published = PAPER_DEPTHS.get((each.game, role)) if each.mending == "cca" else None
            for depth in each.depths():
                ours, theirs = each.at_depth(depth, role)
                gain, half, _ = each.better(role, depth)
                told = None
                if published and depth in (1, 3):
                    told = published[0 if depth == 1 else 1]
                rows.append((*each.title, name, depth, ours.mean(), theirs.mean(), gain, half, len(ours), told))
    heads = columns(
        *_TITLE, "role", ("depth", "count"), ("champion", "number"), ("random", "number"), ("gain", "number"),
        ("±", "number"), ("runs", "count"), ("paper: champion", "number"),
    )  # fmt: skip
    note = "Both players look equally far ahead. The paper's numbers are of depth 1 and, as we read it, of depth 3."
    return Sheet("depths", "Looking farther ahead (figure 5)", note, heads, tuple(rows))


def _held_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        paper = PAPER_HELD.get(each.game) if each.mending == "cca" else None
        shares = [each.held(role) / each.generations for role in (-1, 0, 1)]
        ours = (shares[0].mean(), shares[1].mean(), half_width(shares[1]), shares[2].mean(), half_width(shares[2]))
        theirs = (None,) * 4 if paper is None else (*(x / 300 for x in paper[:3]), paper[3])
        rows.append((*each.title, *ours, each.disengaged, len(each.runs), *theirs))
    heads = columns(
        *_TITLE, ("tied", "number"), ("role 0", "number"), ("± 0", "number"), ("role 1", "number"), ("± 1", "number"),
        ("p", "p"), ("runs", "count"), ("paper: tied", "number"), ("paper: 0", "number"), ("paper: 1", "number"), "paper: p",
    )  # fmt: skip
    note = (
        "Shares of all generations in which a role was undominated: mean over runs and half of its 95 % interval; "
        "p by Student's t-test over runs, as in the paper."
    )
    return Sheet("held", "Disengagement (figure 6)", note, heads, tuple(rows))


def _losses_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            for depth in each.depths()[1:]:
                lost = each.lost(role, depth)
                rows.append((*each.title, name, depth, lost.mean(), half_width(lost), len(lost)))
    heads = columns(
        *_TITLE,
        "role",
        ("depth", "count"),
        ("lost", "number"),
        ("±", "number"),
        ("runs", "count"),
    )
    note = (
        "What champions gain on random players at depth 1, less what they gain at a greater depth, where both look farther: mean "
        "over runs and half of its 95 % interval. Below zero, looking farther makes their judgement worth more."
    )
    return Sheet("losses", "What is lost by looking farther", note, heads, tuple(rows))


def _covered_sheet(found: Sequence[Group]) -> Sheet:
    rows = []
    for each in found:
        shares = [each.covered(role) for role in (0, 1)]
        if len(shares[0]):
            told = [number for share in shares for number in (share.mean(), half_width(share))]
            rows.append((*each.title, *told, len(shares[0])))
    heads = columns(
        *_TITLE, ("role 0", "number"), ("± 0", "number"), ("role 1", "number"), ("± 1", "number"), ("runs", "count")
    )  # fmt: skip
    note = (
        "The share of matches that the champion of a role wins against all teachers of the other, banked ones too, four "
        "matches with each: mean over runs and half of its 95 % interval."
    )
    return Sheet("covered", "Teachers that champions beat", note, heads, tuple(rows))


def _duels_sheet(found: Sequence[Group], duels: Sequence[Duel]) -> Sheet:
    rows = []
    for each in found:
        for role, name in enumerate(each.roles):
            mine = [
                d
                for d in duels
                if (d.mending, d.game, d.size, d.role) == (each.mending, each.game, each.runs[0].size, role)
            ]
            if mine:
                gain, half, p = apart([d.score - d.plain for d in mine])
                means = [sum(values) / len(mine) for values in ([d.score for d in mine], [d.plain for d in mine])]
                rows.append((*each.title, name, *means, gain, half, p, len(mine), MATCHES))
    heads = columns(
        *_TITLE, "role", ("champion", "number"), ("plain", "number"), ("gain", "number"), ("±", "number"),
        ("p", "p"), ("runs", "count"), ("matches each", "count"),
    )  # fmt: skip
    note = (
        "What a champion has against the plain champion (cca) of the other role, evolved with the same seed, inputs and size, "
        "and what the plain champion of its own role has there; ± and p over runs (t-test), 1-ply players."
    )
    return Sheet("duels", "Champions against plain ones", note, heads, tuple(rows))
