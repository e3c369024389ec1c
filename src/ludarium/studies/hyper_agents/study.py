"""Which agent plays which game best, and whether features of the game tell.

The experiments of Thompson and Stephenson, "General game playing hyper-agents for Ludii". With `--data` the published tables
are learned from, and what choices cost is put beside tables II and III of the paper. With `--measure` our agents play what such
tables are made of: each sub-agent in the first role, UCT in all others; the page then has a table that `ludarium hyper train`
learns from. With `--heuristics`, too, alpha-beta plays with each of 33 heuristics in the place of the sub-agents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ludarium import catalog
from ludarium.arena.extras import needs
from ludarium.arena.plan.plan import Pairing, Plan
from ludarium.arena.play import RESULT
from ludarium.arena.seating import sit_down
from ludarium.core import BadParameter, Game, Limit, LudariumError, Rng, UnknownName, UnsupportedGame, describe
from ludarium.core.match import Terms
from ludarium.evaluate.named import LUDII

if TYPE_CHECKING:
    from ludarium.studies.page import Findings

NAME = "hyper-agents"
AGENTS = ("uct", "grave", "alphabeta", "progressive-history", "mast")
"""The sub-agents of the paper."""

HEURISTICS = tuple(f"alphabeta(evaluator={name})" for name in LUDII)
"""Alpha-beta with each heuristic of the published tables."""

OPPONENT = "uct"
MOVE_LIMIT = 2000
"""Turns, after which a match is a draw: 1000 for each player in the paper."""

METHODS = (
    "forest", "boosting", "forest-classifier", "perceptron", "tree", "support-vectors", "mean", "most-frequent", "naive-bayes",
    "linear",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How much is played and learned."""

    matches: int
    """Matches of each sub-agent in each game."""

    seconds: float | None
    """For a move: our engine does in 0.05 s about what the paper's did in its second."""

    forward_calls: int | None = None
    """For a move, where no time is given: the same matches again, whatever the machine is doing."""

    cpu_seconds: float | None = None
    """CPU time for a move, instead of both."""

    move_limit: int = MOVE_LIMIT
    match_seconds: float = float("inf")
    """CPU time of a match; a game that needs more is left out."""

    data: Path | None = None
    """The folder of the published tables."""

    methods: tuple[str, ...] = METHODS
    repeats: int = 0
    """How often games are split anew, beside the parts of the paper."""

    games: tuple[str, ...] = ()
    """Which games are played; all that come along if none is named."""

    heuristics: bool = False
    """Whether heuristics are measured, instead of agents."""


FULL_SCALE = Scale(matches=10, seconds=None, forward_calls=1000, move_limit=150, match_seconds=0.25, repeats=10)
QUICK = Scale(
    matches=2,
    seconds=None,
    forward_calls=300,
    methods=("tree", "mean", "most-frequent", "naive-bayes"),
    games=("tic-tac-toe", "gdl:tic-tac-toe", "nim"),
)


def plan(scale: Scale, games: Sequence[str] | None = None, agents: Sequence[str] | None = None) -> Plan:
    """Plan the matches; agents that cannot play a game are left out of it."""
    named = tuple(games or scale.games) or (*catalog.GAMES, *catalog.rule_files())
    players = [describe(catalog.agent(spec)) for spec in agents or AGENTS]
    pairings = [each for name in named for each in pairings_of(name, catalog.game(name), scale, players)]
    said = {"name": NAME, "games": list(named), "agents": players, "seconds": scale.seconds, "matches": scale.matches}
    return Plan(tuple(pairings), said | {"forward_calls": scale.forward_calls})


def pairings_of(name: str, game: Game, scale: Scale, players: Sequence[str]) -> list[Pairing]:
    """Each player that can play a game in the first role, against the same opponent in all others."""
    terms = Terms(limit=_limit(scale), move_limit=scale.move_limit)
    others = (_timed(OPPONENT, scale),) * (len(game.roles) - 1)
    found = []
    for player in (_timed(each, scale) for each in players):
        try:
            for role, each in enumerate((player, *others)):
                sit_down(catalog.agent(each), game, role, Rng(0))
        except UnsupportedGame:
            continue
        found.append(Pairing(game=name, agents=(player, *others), terms=terms, matches=scale.matches, record=RESULT))
    return found


_PATIENCE = 100.0
"""So many times as long as its CPU time a move may take: a busy machine is no reason for a fault."""


def _limit(scale: Scale) -> Limit:
    if scale.cpu_seconds:
        return Limit(seconds=max(10.0, _PATIENCE * scale.cpu_seconds))
    return Limit(seconds=scale.seconds, forward_calls=None if scale.seconds else scale.forward_calls)


def _timed(player: str, scale: Scale) -> str:
    """The player, by a clock of its own if CPU time is what everybody has."""
    if not scale.cpu_seconds:
        return player
    return describe(catalog.agent(f"limited(inner={player}, cpu_seconds={scale.cpu_seconds})"))


def measure(
    scale: Scale,
    path: Path,
    say: Callable[[str], None],
    games: Sequence[str] | None = None,
    agents: Sequence[str] | None = None,
) -> None:
    """Play matches of ours, game by game; what was played before is kept."""
    from ludarium.studies.hyper_agents.measuring import measure as play  # noqa: PLC0415

    if scale.heuristics and agents:
        raise BadParameter("--heuristics says who plays: alpha-beta with each of them; leave --agents out")
    with needs("report"):  # the page is written at the end: better to ask for that now
        for name in _PAGE:
            import_module(name)
    for name in games or ():
        _check_known(name)
    play(scale, path, say, games, HEURISTICS if scale.heuristics else agents)


_PAGE = ("scipy", "statsmodels", "matplotlib")
"""What the page of the study is made with."""


def _check_known(name: str) -> None:
    """Refuse the name of no game; a game that cannot be loaded is noted when its turn comes."""
    try:
        catalog.game(name)
    except UnknownName:
        raise
    except LudariumError:
        pass


def play_alone(
    scale: Scale,
    path: Path,
    say: Callable[[str], None],
    games: Sequence[str] | None = None,
    mendings: Sequence[str] | None = None,
) -> None:
    """Learn from the published tables; what was learned before is kept."""
    from ludarium.studies.hyper_agents.learning import learn  # noqa: PLC0415

    if games or mendings:
        raise BadParameter(f"study {NAME} takes --games only with --measure")
    if scale.data is None:
        if path.exists():
            return
        raise BadParameter(
            f"study {NAME} needs the published tables (--data FOLDER), or matches of ours (--measure); "
            "the tables are in Models/data/input of the paper's repository"
        )
    learn(scale, path, say)


def findings_in(path: Path) -> Findings:
    """Say what was learned and played, in words and tables."""
    from ludarium.studies.hyper_agents.tables import found  # noqa: PLC0415

    return found(path)
