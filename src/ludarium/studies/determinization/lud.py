"""The two tournaments of chapter 6 in games of Ludii's language, where nothing says what is hidden but the rules.

Players see everything, or search states that are imagined from what they were shown, by the determinizer that suits any
game. OSLA and RMHC, which the thesis did not bring to Ludii or only in part, sit at both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ludarium import catalog
from ludarium.arena.plan.plan import Pairing
from ludarium.arena.report.sheets import Sheet, columns
from ludarium.core import Game, describe
from ludarium.core.match import Terms
from ludarium.ludii.game import LudGame
from ludarium.studies.determinization.results import Measured, Tally, tallied
from ludarium.studies.determinization.study import FLAT, MAST, OSLA, RANDOM, RMHC, UCT, Scale, Tournament
from ludarium.studies.determinization.tables import PAPER_DET, PAPER_NATIVE, meeting_sheet, wins

if TYPE_CHECKING:
    from ludarium.arena.store.store import Store

GAME = "sea-battle"
"""What the thesis plays, in our words."""

NATIVE, DETERMINIZED = "lud-native", "lud-determinized"
SEARCHING = {UCT: "uct", MAST: "mast", FLAT: "flat", OSLA: "osla", RMHC: "rmhc"}
HONEST = {
    f"{UCT}+Det": "ismcts(determinizer='walk(gap=1)')",
    f"{MAST}+Det": "ismcts(playouts=mast, determinizer='walk(gap=1)')",
    f"{FLAT}+Det": "determinized(inner=flat, determinizer='walk(gap=8)')",
    f"{OSLA}+Det": "determinized(inner=osla, determinizer=walk, samples=1)",
    f"{RMHC}+Det": "determinized(inner=rmhc, determinizer=walk, samples=1, final=votes)",
}
"""Trees take another state in every iteration: for them the walk hands out one after each step."""


def is_lud(game: Game) -> bool:
    """Whether a game is one that this part of the study plays."""
    return isinstance(game, LudGame) and len(game.roles) == 2 and not game.traits.perfect_information


def lud_tournaments(scale: Scale) -> list[Tournament]:
    """List what is played in a game of Ludii's language."""
    cheats = {name: f"omniscient(inner={inner})" for name, inner in SEARCHING.items()}
    found = []
    for name, players, often in ((NATIVE, cheats, scale.lud_native), (DETERMINIZED, HONEST, scale.lud_determinized)):
        specs = {who: describe(catalog.agent(spec)) for who, spec in {RANDOM: "random", **players}.items()}
        found.append(
            Tournament(name=name, players=specs, limit=scale.lud_limit(), matches=often, cheating=name == NATIVE)
        )
    return found


def lud_pairings(scale: Scale, game: str) -> tuple[Pairing, ...]:
    """Say who plays whom."""
    made: list[Pairing] = []
    for each in lud_tournaments(scale):
        terms = Terms(limit=each.limit, cheating=each.cheating)
        for seats in each.meetings() if each.matches else ():
            specs = tuple(each.players[name] for name in seats)
            made.append(Pairing(game=game, agents=specs, matches=each.matches, terms=terms, record=each.record))
    return tuple(made)


def lud_measure(store: Store, scale: Scale, game: str) -> Measured:
    """Count wins in one of the games."""
    played = {each.name: each for each in lud_tournaments(scale)}
    return Measured(scale, played, dict(tallied(store, game, catalog.game(game).name)))


def lud_answer(measured: Measured) -> Iterator[str]:
    """Say in sentences what was found."""
    for name, told in ((NATIVE, "Players that see everything"), (DETERMINIZED, "Players with imagined states")):
        met = measured.against(name)
        games = sum((tally for (_, other), tally in met.items() if other == RANDOM), Tally())
        if games.games:
            shares = ", ".join(f"{who} {tally.share:.1%}" for who, tally in _ranked(measured, name))
            yield f"{told} win {wins(games)} against Random; in all: {shares}."


def lud_sheets(measured: Measured, game: str) -> Iterator[Sheet]:
    """Make the tables, beside those of chapter 6 if it is the same game."""
    for name, title, told in (
        (NATIVE, "Players that see everything (figure 6.1)", PAPER_NATIVE),
        (DETERMINIZED, "Players with imagined states (figure 6.3)", PAPER_DET),
    ):
        paper = told if game == GAME else {}
        met = measured.against(name)
        rows: list[tuple[Any, ...]] = []
        for player, tally in _ranked(measured, name):
            weak = met.get((player, RANDOM))
            rows.append((player, tally.shown, paper.get(player), weak.shown if weak else None))
        heads = columns("player", ("won", "share"), ("paper", "percent"), ("against Random", "share"))
        note = (
            f"{measured.scale.lud_limit()} a move. In brackets: the 95% interval after Wilson, and the number of games."
        )
        yield Sheet(name, title, note, heads, tuple(rows))
        yield meeting_sheet(measured, name, f"Who beats whom: {title.lower()}")


def _ranked(measured: Measured, name: str) -> list[tuple[str, Tally]]:
    return sorted(measured.total(name).items(), key=lambda item: -item[1].share)
