"""Whether hnefatafl is balanced for general game players, and whether they play both of its sides equally well.

The experiment of Thomas Dingemans, "Balanced asymmetry in general game playing" (bachelor's thesis, Utrecht University,
2020), which could not be finished there: all players but the random one ran out of time on every turn. Intelligence is what
a player wins against the random player, in each role; generality is what each role wins when a player meets itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludarium import catalog
from ludarium.arena.plan.plan import Pairing, Plan
from ludarium.arena.play import FULL, RESULT
from ludarium.core import Limit, UnknownName, describe
from ludarium.core.match import Terms

if TYPE_CHECKING:
    from ludarium.arena.store.store import Store
    from ludarium.studies.page import Findings

NAME = "balanced-asymmetry"
MAIN = "hnefatafl"
RANDOM = "random"

GAMES = {
    MAIN: "15 s per turn around turn 300 (Random); every turn too late (MCTS)",
    "hnefatafl-5x5": "no turn too late; 3 to 20 turns (Random), 2 to 8 (MCTS)",
    "hnefatafl-9x9": "slower from turn to turn (Random); turns too late (MCTS)",
    "hnefatafl-no-stalemate": "as 13x13: every turn too late (MCTS)",
    "hnefatafl-no-capture": "as 13x13: every turn too late (MCTS)",
    "hnefatafl-king-only-killed": "as 13x13: every turn too late (MCTS)",
    "hnefatafl-king-only-captured": "as 13x13: every turn too late (MCTS)",
    "hnefatafl-king-stays": "as 13x13: every turn too late (MCTS)",
    "hnefatafl-no-moves": "over at the third turn, which the first player loses",
    "hnefatafl-no-moves-no-history": "goes on for ever",
    "hnefatafl-leaps": "nothing reported",
    "hnefatafl-no-history": "2 s at turn 700, 3 s at turn 800 (Random); every turn too late (MCTS)",
    "tablut": "not played",
    "brandubh": "not played",
}
"""The games, and what the thesis saw of each: 13x13 hnefatafl, its variants 1 to 11, and two smaller relatives."""

PLAYERS = {RANDOM: "Random", "uct": "MCTS", "alphabeta": "Minimax", "heuristic": "Heuristic", "mast": ""}
"""The players, and what the thesis calls them; one more that has learned since."""

_MOVE_LIMIT = 2000  # never reached: the rules of all these games end a match after 500 turns or less


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How much is played, and how fast."""

    seconds: float
    """The play clock."""

    start_seconds: float
    """The start clock."""

    matches: int
    """Matches in every seat against the random player, and as many of every player against itself."""

    random_matches: int = 1000
    """Matches of the random player against itself."""

    forward_calls: int | None = None
    """What a player may look at in a turn, in states; a run on a busy machine then gives what it gives on an idle one."""


FULL_SCALE = Scale(seconds=15.0, start_seconds=30.0, matches=10)
"""The clocks of the thesis, and as many matches per player against itself as it planned."""

QUICK = Scale(seconds=1.0, start_seconds=10.0, matches=1, random_matches=100, forward_calls=500)
"""All games and all players, once in each seat, within two minutes of CPU time: what a turn takes is counted in states."""


def plan(scale: Scale, games: Sequence[str] | None = None, agents: Sequence[str] | None = None) -> Plan:
    """Plan the experiment, for all games and players or for some; the games need not be loaded for that."""
    games = list(games or GAMES)
    for game in games:
        if game not in GAMES:
            raise UnknownName(f"game of the study {NAME}", game, GAMES)
    players = [name for spec in agents or PLAYERS if (name := describe(catalog.agent(spec))) != RANDOM]
    limit = Limit(seconds=scale.seconds, forward_calls=scale.forward_calls)
    terms = Terms(limit=limit, start_seconds=scale.start_seconds, move_limit=_MOVE_LIMIT)
    pairings = []
    for game in games:
        same: dict[str, Any] = {"game": game, "terms": terms}
        pairings.append(Pairing(agents=(RANDOM, RANDOM), matches=scale.random_matches, record=RESULT, **same))
        for player in players:
            for seats in ((player, player), (player, RANDOM), (RANDOM, player)):
                pairings.append(Pairing(agents=seats, matches=scale.matches, record=FULL, **same))  # noqa: PERF401
    said = {"name": NAME, "games": games, "agents": players, "seconds": scale.seconds}
    said |= {"start_seconds": scale.start_seconds, "matches": scale.matches, "random_matches": scale.random_matches}
    said |= {} if scale.forward_calls is None else {"forward_calls": scale.forward_calls}
    return Plan(tuple(pairings), said)


def findings(store: Store) -> Findings:
    """Say what the matches in a store tell, in words, tables and figures."""
    from ludarium.arena.results import Moves, Results  # noqa: PLC0415
    from ludarium.studies.balanced_asymmetry.answer import answer  # noqa: PLC0415
    from ludarium.studies.balanced_asymmetry.results import measure  # noqa: PLC0415
    from ludarium.studies.balanced_asymmetry.tables import drawings, sheets  # noqa: PLC0415
    from ludarium.studies.page import Findings  # noqa: PLC0415

    limits = {pairing.terms.limit for made in store.plans() for pairing in made.pairings}
    longest = max(limits, key=lambda limit: limit.seconds or 0.0)
    measured = measure(Results.of(store.table(brief=True, coded=True)), Moves.of(store.moves(coded=True)), longest)
    return Findings(
        title="Balanced asymmetry in general game playing",
        answer=tuple(answer(measured)),
        sheets=tuple(sheets(measured)),
        drawings=tuple(drawings(measured)),
    )
