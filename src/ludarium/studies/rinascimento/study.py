"""How well planners that only sample their actions play Rinascimento, the parameterised Splendor.

The experiments of Bravi, Perez-Liebana, Lucas and Liu, "Rinascimento: optimising statistical forward planning agents for
playing Splendor" (2019), sections VIII and IX: random games, planners against three players that look one step ahead, the
final of four, games for two, and tuning with NTBEA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludarium import catalog
from ludarium.arena.plan.plan import Pairing, Plan
from ludarium.arena.play import RESULT
from ludarium.core import Limit, UnknownName, describe
from ludarium.core.match import Terms

if TYPE_CHECKING:
    from ludarium.arena.store.store import Store
    from ludarium.studies.page import Findings

NAME = "rinascimento"
FOUR, TWO = GAMES = ("rinascimento", "rinascimento(players=2)")
RND, OSLA = "RND", "OSLA"

YARDSTICKS = {RND: "random(draw=sample)", OSLA: "osla(moves=sample)"}
"""The weak players of the paper: both draw their moves from the game's random action generator."""

PUBLISHED = {"BMRH*": "bmrh", "SRH*": "srh", "MCTS*": "widening"}
"""The best planners of the paper, which judge by prestige points alone."""

_ENGINE = "evaluator=own(way=engine)"
OURS = {
    "BMRH+": f"bmrh(mutation=fresh, evaluations=500, rescore=True, {_ENGINE})",
    "SRH+": f"srh(evaluations=500, {_ENGINE})",
    "MCTS+": "widening(c=0.05, final=robust, evaluator=own(way=reach))",
}
"""The same planners, judging by bonuses, tokens and nobles, too; chosen by hand, in games with other seeds."""

PLAYERS = {**YARDSTICKS, **PUBLISHED, **OURS}


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How much is played, and with how much thought."""

    matches: int
    """Matches in every seat of four; all experiments have four times as many."""

    random_matches: int
    """Games of four random players."""

    forward_calls: int = 1000
    """Calls of the forward model for every move."""

    contests: int = 2000
    """Games of every contest in machine code."""

    grid: int = 100
    """Games of the better configurations of a grid; the others have a fifth."""

    sure: int = 5000
    """Games of those configurations of a grid that may be its best."""

    planners: tuple[str, ...] = ("bmrh", "srh", "widening")
    """Who is tuned."""

    budgets: tuple[int, ...] = (50, 100, 200, 500, 1000)
    """Games of a tuning."""

    repeats: int = 100
    """How often each is repeated with games drawn from the grid."""

    tunings: int = 5
    """How often the largest is repeated with games that are played."""

    drawn: int = 400
    """Configurations of the paper's whole spaces that are played."""

    whole_tunings: int = 3
    """How often the largest tuning is repeated there."""


FULL_SCALE = Scale(matches=250, random_matches=100_000)
"""As many matches as the paper's grid has for each configuration."""

QUICK = Scale(
    matches=1, random_matches=2000, forward_calls=100, contests=20, grid=20, sure=0, planners=("bmrh",), budgets=(50, 200),
    repeats=5, tunings=1, drawn=4, whole_tunings=1,
)  # fmt: skip


def plan(scale: Scale, games: Sequence[str] | None = None, agents: Sequence[str] | None = None) -> Plan:
    """Plan the experiments; with agents, only what each wins against three OSLA, and OSLA itself against three RND."""
    wanted = [_game(spec) for spec in games or GAMES]
    terms = Terms(limit=Limit(forward_calls=scale.forward_calls))
    counts: dict[tuple[str, tuple[str, ...]], int] = {}
    if FOUR in wanted:
        counts |= {(FOUR, seats): n for seats, n in _of_four(scale.matches, agents)}
    if TWO in wanted and agents is None:
        for pair in combinations(PUBLISHED, 2):
            counts |= {(TWO, seats): 2 * scale.matches for seats in permutations(pair)}
    pairings = tuple(
        Pairing(game=game, agents=tuple(map(seated, seats)), matches=n, terms=terms, record=RESULT)
        for (game, seats), n in counts.items()
    )
    said: dict[str, Any] = {"name": NAME, "games": wanted, "agents": list(agents or PLAYERS)}
    said |= {"matches": scale.matches, "random_matches": scale.random_matches, "forward_calls": scale.forward_calls}
    return Plan(pairings, said)


def seated(player: str) -> str:
    """Write out a player of the study, or any agent that searches states: with what is hidden dealt anew for each move."""
    inner = PLAYERS.get(player, player)
    return describe(catalog.agent(f"determinized(inner={inner}, determinizer=redeal, samples=1, final=votes)"))


def findings(store: Store) -> Findings:
    """Say what the matches in a store tell, in words, tables and figures."""
    from ludarium.arena.results import Results  # noqa: PLC0415
    from ludarium.studies.page import Findings  # noqa: PLC0415
    from ludarium.studies.rinascimento.contest_tables import (  # noqa: PLC0415
        contest_drawings,
        contest_sheets,
        told,
    )
    from ludarium.studies.rinascimento.contests import known_contests  # noqa: PLC0415
    from ludarium.studies.rinascimento.results import measure  # noqa: PLC0415
    from ludarium.studies.rinascimento.tables import answer, drawings, sheets  # noqa: PLC0415

    sources = [made.source for made in store.plans() if made.name == NAME]
    games = max((int(source["random_matches"]) for source in sources), default=0)
    calls = sorted({int(source["forward_calls"]) for source in sources})
    measured = measure(Results.of(store.table(coded=True)), games, calls)
    contests = known_contests(ledger_file(store.path), calls)
    return Findings(
        title="Rinascimento",
        answer=(*told(contests), *answer(measured, challenges=not contests.answers)),
        sheets=(*sheets(measured), *contest_sheets(contests)),
        drawings=(*drawings(measured), *contest_drawings(contests)),
    )


def play_more(scale: Scale, path: Path, say: Callable[[str], None]) -> None:
    """Play what no arena is needed for, into a file beside the store: contests in machine code, grids, and tunings."""
    from ludarium.studies.rinascimento.contests import play_contests  # noqa: PLC0415

    play_contests(scale, ledger_file(path), say)


def ledger_file(store: str | Path) -> Path:
    """Name the file beside a store."""
    return Path(store).with_suffix(".contests.db")


def _game(spec: str) -> str:
    name = str(catalog.game(spec).name)
    if name not in GAMES:
        raise UnknownName(f"game of the study {NAME}", name, GAMES)
    return name


def _of_four(matches: int, agents: Sequence[str] | None) -> Iterator[tuple[tuple[str, ...], int]]:
    """Say who meets whom in games of four, and how often."""
    planners = list(PUBLISHED) + list(OURS) if agents is None else list(agents)
    meetings = [(planner, RND if planner == OSLA else OSLA) for planner in planners]
    if agents is None:
        meetings = [(OSLA, RND), *((planner, RND) for planner in PUBLISHED), *meetings]
    for one, others in meetings:
        for seat in range(4):
            yield (*(others,) * seat, one, *(others,) * (3 - seat)), matches
    if agents is None:
        for fourth in (OSLA, RND):
            orders = list(permutations((*PUBLISHED, fourth)))
            for number, order in enumerate(orders):
                if count := (4 * matches - number + len(orders) - 1) // len(orders):
                    yield order, count
