"""How much the states matter that a search imagines where something is hidden: Battleship, three ways to imagine, and cheats.

The experiments of Lechat, "Improving imperfect-information reasoning in Ludii through constraint-based hypothesis
generation" (2026): chapter 3, five players with three determinizers and four budgets in the Tabletop Games framework;
chapter 6, Ludii's players as they are, which see everything, and with states that are imagined. One more tournament is
ours: who shoots best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import permutations
from typing import TYPE_CHECKING, Any

from ludarium import catalog
from ludarium.arena.plan.plan import Pairing, Plan
from ludarium.arena.play import FULL, MOVES
from ludarium.core import BadParameter, Limit, describe
from ludarium.core.match import Terms
from ludarium.games.battleship import Battleship

if TYPE_CHECKING:
    from ludarium.arena.store.store import Store
    from ludarium.studies.page import Findings

NAME = "determinization"
GAME = "battleship(placement='random')"
RANDOM, OSLA, RMHC, ISMCTS, MAST, UCT, FLAT = "Random", "OSLA", "RMHC", "IS-MCTS", "MAST", "UCT", "FlatMC"

STRATEGIES = {
    "random": "random",
    "constraint": "constraint",
    "heatmap": "heatmap(samples=100)",
    "heatmap-10": "heatmap(samples=10)",
    "heatmap-50": "heatmap(samples=50)",
}
"""The determinizers of chapter 3; the heatmap of 100 layouts is the one that is compared with the others."""

MAIN = tuple(STRATEGIES)[:3]
BUDGETS = (0.1, 0.5, 1.0, 5.0)
"""The budgets of chapter 3 in seconds; here they are parts of the usual one."""

SINGLE = "determinized(inner=osla, determinizer=constraint, samples=1)"
MANY = "determinized(inner=osla, determinizer=constraint, samples=50)"
HOTTEST = "determinized(inner=random, determinizer='heatmap(samples=2000)', samples=1, final=votes, bias=1000000)"
OURS = "Hottest"
AMPLE = Limit(seconds=0.1)
"""What our player has for a move, and those that it meets: as much as they want, which is less."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How much is played, and with how much thought."""

    matches: int
    """Matches of every pair in each direction."""

    budget_matches: int
    """The same, with the budgets that are not the usual one, and with heatmaps of other sizes."""

    long_matches: int
    """The same, with budgets above the usual one."""

    iterations: int = 200
    """What stands for the second that the paper's players have for a move in chapter 3."""

    ludii_iterations: int = 500
    """The same in chapter 6."""

    lud_native: int = 4
    """Matches of every pair in each direction in a game of Ludii's language, if players see everything; ..."""

    lud_determinized: int = 2
    """... and if they imagine states, which costs more."""

    lud_iterations: int = 100
    """What stands for the second that players have for a move there."""

    seconds: float | None = None
    """The play clock, if it is to be a clock."""

    def limit(self, budget: float = 1.0) -> Limit:
        """Give what a player has for a move in chapter 3: this many times the usual budget."""
        return self._limit(budget, self.iterations)

    def ludii_limit(self) -> Limit:
        """Give what a player has for a move in chapter 6."""
        return self._limit(1.0, self.ludii_iterations)

    def lud_limit(self) -> Limit:
        """Give what a player has for a move in a game of Ludii's language."""
        return self._limit(1.0, self.lud_iterations)

    def _limit(self, budget: float, iterations: int) -> Limit:
        if self.seconds is not None:
            return Limit(seconds=budget * self.seconds)
        return Limit(iterations=max(1, round(budget * iterations)))


FULL_SCALE = Scale(matches=100, budget_matches=100, long_matches=20)
QUICK = Scale(
    matches=2, budget_matches=1, long_matches=1, iterations=100, ludii_iterations=100,
    lud_native=1, lud_determinized=1, lud_iterations=20,
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """Who meets whom, and how often: everybody everybody, or one all others."""

    name: str
    players: Mapping[str, str]
    limit: Limit
    matches: int
    cheating: bool = False
    record: str = MOVES
    pairs: tuple[tuple[str, str], ...] = ()
    """Who meets whom, if it is not everybody."""

    def meetings(self) -> list[tuple[str, str]]:
        """Give all pairs of players, in both directions."""
        if self.pairs:
            return [seats for pair in self.pairs for seats in (pair, pair[::-1])]
        return list(permutations(self.players, 2))


def tag_players(determinizer: str) -> dict[str, str]:
    """Write out the five players of chapter 3; with a heatmap, what they choose leans towards it, too."""
    bias = ", bias=0.02" if determinizer.startswith("heatmap") else ""
    shared = f"determinizer='{determinizer}'{bias}"
    players = {
        RANDOM: "random",
        OSLA: f"determinized(inner=osla, samples=1, {shared})",
        RMHC: f"determinized(inner=rmhc, samples=1, final=votes, {shared})",
        ISMCTS: f"ismcts({shared})",
        MAST: f"ismcts(playouts=mast, {shared})",
    }
    return _written(players)


def tournaments(scale: Scale) -> list[Tournament]:
    """List everything that is played."""
    found = []
    for name, determinizer in STRATEGIES.items():
        often = scale.matches if name in MAIN else scale.budget_matches
        players, record = tag_players(determinizer), FULL if name != "random" else MOVES
        found.append(Tournament(name=name, players=players, limit=scale.limit(), matches=often, record=record))
    for budget in BUDGETS:
        for name in MAIN if budget != 1.0 else ():
            often = scale.budget_matches if budget < 1.0 else scale.long_matches
            same: dict[str, Any] = {"limit": scale.limit(budget), "matches": often}
            found.append(Tournament(name=f"{name} x{budget:g}", players=tag_players(STRATEGIES[name]), **same))
    searching = {UCT: "uct", MAST: "mast", FLAT: "flat"}
    cheats = {name: f"omniscient(inner={inner})" for name, inner in searching.items()}
    honest = {
        f"{UCT}+Det": "ismcts(determinizer=constraint)",
        f"{MAST}+Det": "ismcts(playouts=mast, determinizer=constraint)",
        f"{FLAT}+Det": "determinized(inner=flat, determinizer=constraint)",
        f"{OSLA}+Det": SINGLE,
    }
    usual: dict[str, Any] = {"limit": scale.ludii_limit(), "matches": scale.matches}
    both = _written(cheats | honest)
    native = _written({RANDOM: "random", **cheats})
    found.append(Tournament(name="native", players=native, cheating=True, **usual))
    found.append(Tournament(name="determinized", players=_written({RANDOM: "random", **honest}), **usual))
    against = tuple((name, f"{name}+Det") for name in searching)
    found.append(Tournament(name="cheats", players=both, cheating=True, pairs=against, **usual))
    found.append(ours(scale, {OURS: HOTTEST}))
    return found


def ours(scale: Scale, players: Mapping[str, str]) -> Tournament:
    """Let players of ours meet those that look one step ahead: in one state, as in the paper, and in many."""
    others = {f"{OSLA}+Det": SINGLE, f"{OSLA}+Det, 50 states": MANY}
    pairs = tuple((one, other) for one in players for other in others)
    everybody = _written({**players, **others})
    return Tournament(name="ours", players=everybody, limit=AMPLE, matches=scale.matches, pairs=pairs)


def plan(scale: Scale, games: Sequence[str] | None = None, agents: Sequence[str] | None = None) -> Plan:
    """Plan the experiments; with agents, only what these do against players that look one step ahead.

    In a game of Ludii's language that hides something, only the two tournaments of chapter 6 are played.
    """
    from ludarium.studies.determinization.lud import is_lud, lud_pairings  # noqa: PLC0415

    if len(games or ()) > 1:
        raise BadParameter(f"the study {NAME} plays one game at a time")
    if games and is_lud(catalog.game(games[0])):
        if agents:
            raise BadParameter(f"the study {NAME} takes no --agents in a game of Ludii's language")
        return Plan(lud_pairings(scale, games[0]), {"name": NAME, "games": [games[0]], "agents": [], **asdict(scale)})
    game = _game(games[0] if games else GAME)
    given = {describe(catalog.agent(agent)): agent for agent in agents or ()}
    played = [ours(scale, given)] if given else tournaments(scale)
    pairings: dict[str, Pairing] = {}
    for each in filter(lambda each: each.matches, played):
        terms = Terms(limit=each.limit, cheating=each.cheating)
        for seats in each.meetings():
            specs = tuple(each.players[name] for name in seats)
            made = Pairing(game=game, agents=specs, matches=each.matches, terms=terms, record=each.record)
            if made.key not in pairings or pairings[made.key].matches < made.matches:
                pairings[made.key] = made  # some meet in two tournaments
    said: dict[str, Any] = {"name": NAME, "games": [game], "agents": sorted(given)}
    said |= asdict(scale)
    return Plan(tuple(pairings.values()), said)


def findings(store: Store) -> Findings:
    """Say what the matches in a store tell, in words, tables and figures."""
    from ludarium.studies.determinization.figures import drawings  # noqa: PLC0415
    from ludarium.studies.determinization.results import measure  # noqa: PLC0415
    from ludarium.studies.determinization.tables import answer, sheets  # noqa: PLC0415
    from ludarium.studies.page import Findings  # noqa: PLC0415

    if (found := _lud_findings(store)) is not None:
        return found
    measured = measure(store)
    return Findings(
        title="Determinization",
        answer=tuple(answer(measured)),
        sheets=tuple(sheets(measured)),
        drawings=tuple(drawings(measured)),
    )


def _lud_findings(store: Store) -> Findings | None:
    """Say what was found in a game of Ludii's language, if that is what the store is about."""
    from ludarium.studies.determinization.lud import is_lud, lud_answer, lud_measure, lud_sheets  # noqa: PLC0415
    from ludarium.studies.page import Findings  # noqa: PLC0415

    source = next((made.source for made in store.plans() if made.name == NAME), None)
    if source is None or not is_lud(catalog.game(source["games"][0])):
        return None
    scale = Scale(**{each.name: source[each.name] for each in fields(Scale) if each.name in source})
    measured = lud_measure(store, scale, source["games"][0])
    game = catalog.game(source["games"][0]).name
    title = f"Determinization in {game}"
    tables = tuple(lud_sheets(measured, game))
    return Findings(title=title, answer=tuple(lud_answer(measured)), sheets=tables, drawings=())


def _game(spec: str) -> str:
    made = catalog.game(spec)
    if not isinstance(made, Battleship) or made.settings.placement != "random" or made.settings.again:
        raise BadParameter(
            f"the study {NAME} plays Battleship with random placement and a shot a turn, not {made.name}"
        )
    return str(made.name)


def _written(players: Mapping[str, str]) -> dict[str, str]:
    return {name: describe(catalog.agent(spec)) for name, spec in players.items()}
