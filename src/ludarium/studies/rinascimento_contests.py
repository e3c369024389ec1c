"""The contests of the study of Rinascimento that are played in machine code, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludarium.studies.rinascimento import OSLA, OURS, PUBLISHED, RND, YARDSTICKS, Scale
from ludarium.studies.rinascimento_contest import Won
from ludarium.studies.rinascimento_ledger import Ledger, Tuning
from ludarium.studies.rinascimento_tuning import SPACES, grid_shares, measure_grid, tune_on_grid, tune_with_games

TRUE, CODE = "rinascimento", "rinascimento(published=True)"


@dataclass(frozen=True)
class Question:
    """A contest and why it is played."""

    why: str
    player: str
    """As the tables name it."""

    agent: str
    others: str = OSLA
    rules: str = TRUE


def _questions() -> list[Question]:
    step, plain = YARDSTICKS[OSLA], "bmrh"
    asked = [
        Question("looking one step ahead", OSLA, step, RND),
        Question("by the rules of the code", OSLA, step, RND, CODE),
        Question("judging by the lead", OSLA, "osla(moves=sample, evaluator=own(way=lead))", RND),
        Question("judging by the engine", OSLA, "osla(moves=sample, evaluator=own(way=engine))", RND),
    ]
    for rules, words in ((TRUE, "as published"), (CODE, "by the rules of the code")):
        for others in (RND, OSLA):
            asked += [Question(words, player, agent, others, rules) for player, agent in PUBLISHED.items()]
    changes = {
        "plans are not kept": "shift_buffer=False",
        "the whole budget": "evaluations=500",
        "the best is tried again": "evaluations=500, rescore=True",
        "others draw at random": "evaluations=1000, opponent=random",
        "others look ahead": "evaluations=1000, opponent=osla",
        "one move ahead": "length=1, evaluations=1000",
        "three moves ahead": "length=3, evaluations=500",
        "judging by the lead": "evaluator=own(way=lead)",
        "judging by the engine": "evaluator=own(way=engine)",
    }
    asked += [Question(why, "BMRH*", f"{plain}({change})") for why, change in changes.items()]
    return asked + [Question("ours", player, agent) for player, agent in OURS.items()]


QUESTIONS = tuple(_questions())


@dataclass(frozen=True)
class Contests:
    """What is known of them."""

    calls: int = 0
    """Forward calls a move."""

    answers: Mapping[Question, Won] = field(default_factory=dict)
    grids: Mapping[str, Mapping[str, Won]] = field(default_factory=dict)
    """What each configuration of a planner won."""

    tunings: Sequence[Tuning] = ()


def play_contests(scale: Scale, path: Path, say: Callable[[str], None]) -> None:
    """Play all that is not in the file yet."""
    calls = scale.forward_calls
    with Ledger(path) as ledger:
        for number, asked in enumerate(QUESTIONS):
            say(f"contest {number + 1} of {len(QUESTIONS)}: {asked.agent}")
            ledger.play(asked.agent, scale.contests, others=asked.others, rules=asked.rules, calls=calls)
        for planner in scale.planners:
            measure_grid(ledger, planner, scale.grid, calls, say)
            tune_on_grid(ledger, planner, budgets=scale.budgets, repeats=scale.repeats, calls=calls, say=say)
            tune_with_games(
                ledger, planner, budget=max(scale.budgets), repeats=scale.tunings, check=scale.contests // 2, calls=calls,
                say=say,
            )  # fmt: skip


def known_contests(path: Path, calls: Sequence[int]) -> Contests:
    """Read what is in the file."""
    if not path.exists() or not calls:
        return Contests()
    with Ledger(path) as ledger:
        most = max(calls)
        found = {asked: ledger.known(asked.agent, asked.others, asked.rules, most) for asked in QUESTIONS}
        grids = {planner: grid_shares(ledger, planner, most) for planner in PUBLISHED.values()}
        return Contests(
            most,
            {asked: won for asked, won in found.items() if won is not None},
            {planner: grid for planner, grid in grids.items() if len(grid) == SPACES[planner].size},
            tuple(ledger.tunings()),
        )
