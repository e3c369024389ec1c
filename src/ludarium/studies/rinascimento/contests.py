"""The contests of the study of Rinascimento that are played in machine code, and the questions that they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ludarium.studies.rinascimento.contest import Won
from ludarium.studies.rinascimento.ledger import Ledger, Tuning
from ludarium.studies.rinascimento.spaces import SPACES, WHOLE
from ludarium.studies.rinascimento.study import OSLA, OURS, PUBLISHED, RND, YARDSTICKS, Scale
from ludarium.studies.rinascimento.tuning import (
    circumstances,
    drawn_shares,
    grid_shares,
    measure_grid,
    sample_whole,
    tune_on_grid,
    tune_with_games,
    written,
)

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
    times: int = 1
    """How many times as many games as other contests have: more where a few tenths of a percent matter."""


def _questions() -> list[Question]:
    step, plain = YARDSTICKS[OSLA], "bmrh"
    asked = [
        Question("looking one step ahead", OSLA, step, RND, times=20),
        Question("by the rules of the code", OSLA, step, RND, CODE, times=20),
        Question("all moves in turn", OSLA, "osla(moves=list)", RND, times=5),
        Question("all moves in turn, rules of the code", OSLA, "osla(moves=list)", RND, CODE, times=5),
        Question("others answer at random", OSLA, "osla(moves=sample, reply=random)", RND, times=2),
        Question("judging by the lead", OSLA, "osla(moves=sample, evaluator=own(way=lead))", RND, times=5),
    ]
    for way in ("engine", "reach"):
        better = f"osla(moves=sample, evaluator=own(way={way}))"
        asked.append(Question(f"judging by the {way}", OSLA, better, RND, times=2))
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

    drawn: Mapping[str, Mapping[str, Won]] = field(default_factory=dict)
    """What configurations won that were drawn from the paper's whole spaces."""

    tunings: Sequence[Tuning] = ()


def play_contests(scale: Scale, path: Path, say: Callable[[str], None]) -> None:
    """Play all that is not in the file yet."""
    calls = scale.forward_calls
    with Ledger(path) as ledger:
        for number, asked in enumerate(QUESTIONS):
            say(f"contest {number + 1} of {len(QUESTIONS)}: {asked.agent}")
            games = asked.times * scale.contests
            ledger.play(asked.agent, games, others=asked.others, rules=asked.rules, calls=calls)
        for planner in scale.planners:
            measure_grid(ledger, planner, games=scale.grid, sure=scale.sure, calls=calls, say=say)
            tune_with_games(
                ledger, planner, budget=max(scale.budgets), repeats=scale.tunings, check=scale.contests // 2, calls=calls,
                say=say,
            )  # fmt: skip
            tune_on_grid(ledger, planner, budgets=scale.budgets, repeats=scale.repeats, calls=calls, say=say)
            sample_whole(ledger, planner, count=scale.drawn, games=scale.grid, calls=calls, say=say)
            tune_with_games(
                ledger, planner, way="whole", budget=max(scale.budgets), repeats=scale.whole_tunings,
                check=scale.contests // 2, calls=calls, say=say,
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
            {planner: shares for planner in WHOLE if (shares := drawn_shares(ledger, planner, most))},
            tuple(_present(ledger, grids, most)),
        )


def _present(ledger: Ledger, grids: Mapping[str, Mapping[str, Won]], calls: int) -> Iterator[Tuning]:
    """Give the tunings by the present method, on the grids as they are known now, with what is known of their results."""
    for each in ledger.tunings():
        if each.words == circumstances(each.way, grids[each.planner], calls):
            won = ledger.known(written(each.planner, dict(each.config)), OSLA, TRUE, calls)
            yield replace(each, fitness=won.share, games=won.games) if won else each
