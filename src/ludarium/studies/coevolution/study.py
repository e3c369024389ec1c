"""What coevolution finds in six games, and whether what the paper leaves open mends what it lacks.

The experiments of Reisinger, Bahçeci, Karpov and Miikkulainen, "Coevolving strategies for general game playing" (2007): figures 3
to 6, each beside the published numbers; then the same with the mendings that its section on future work proposes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludarium import catalog
from ludarium.core import BadParameter, UnknownName

if TYPE_CHECKING:
    from ludarium.studies.page import Findings

NAME = "coevolution"

GAMES = ("gdl:connect-four", "chinese-checkers", "criss-cross", "blocker", "two-board-tic-tac-toe", "melee-chess")

MENDINGS = {
    "cca": "as in the paper",
    "managed": "a test bank for teachers that nobody beats",
    "balanced": "opponents of the right strength, all teachers played, shared fitness",
    "pareto": "a Pareto archive (IPCA)",
    "nash": "a Nash memory",
    "maxsolve": "MaxSolve",
    "depth-2": "players look two plies ahead while they evolve",
    "groups": "facts that exclude each other share an input; counters are not seen",
    "features": "pieces, places and moves as inputs; counters are not seen",
    "no-cycles": "counters are not seen, and players do not go back to a state that has been there",
    "basis": "begun with a population that evolved in four other games",
}
"""What is run, and in what it differs from the paper."""

DEEPER = "depth-2"
"""The mending that shall lose less than half of what plain champions lose by looking farther."""

BASIS_GAMES = ("gdl:tic-tac-toe", "breakthrough-small", "tron", "reversi")
"""What a basis evolves in: a line, a race, a game of moves at once and one of majorities, none of them a game of the study."""


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How much is evolved."""

    runs: int
    generations: int = 300
    population: int = 100
    bouts: int = 50
    """Matches of everybody with random opponents, in each generation."""

    trials: int = 100
    """Matches of a teacher against random judgement."""

    depths: tuple[int, ...] = (1, 2, 3)
    mendings: tuple[str, ...] = tuple(MENDINGS)


FULL_SCALE = Scale(runs=10)
"""As in the paper, which does not say how many runs it had, nor how large its populations were."""

QUICK = Scale(runs=2, generations=3, population=6, bouts=2, trials=4, depths=(1, 2), mendings=("cca", "managed"))


def chosen(games: Sequence[str] | None, mendings: Sequence[str] | None, scale: Scale) -> tuple[list[str], list[str]]:
    """The games and mendings that are wanted; all if none is named."""
    wanted = [str(catalog.game(spec).name) for spec in games or GAMES]
    if unknown := [name for name in wanted if name not in GAMES]:
        raise UnknownName(f"game of the study {NAME}", unknown[0], GAMES)
    ways = list(mendings or scale.mendings)
    if strange := [name for name in ways if name not in MENDINGS]:
        raise UnknownName(f"mending of the study {NAME}", strange[0], MENDINGS)
    return wanted, ways


def take_kept(path: Path, folder: Path) -> None:
    """Take what is kept in the folder beside a page into the store, so that it is not run again."""
    from ludarium.studies.coevolution.kept import FILE, read  # noqa: PLC0415
    from ludarium.studies.coevolution.ledger import Ledger  # noqa: PLC0415

    if (kept := folder / FILE).exists():
        found = read(kept.read_text(encoding="utf-8"))
        with Ledger(path) as ledger:
            ledger.take(found)


def play_alone(
    scale: Scale, path: Path, say: Callable[[str], None], games: Sequence[str] | None, mendings: Sequence[str] | None
) -> None:
    """Evolve what is not in the store yet; there are no matches for the arena."""
    from ludarium.studies.coevolution.ledger import Ledger, run_all  # noqa: PLC0415

    wanted, ways = chosen(games, mendings, scale)
    with Ledger(path) as ledger:
        run_all(ledger, scale, wanted, ways, say)
        ledger.fight(say)


def findings_in(path: Path) -> Findings:
    """Say what the runs in a store tell; by what is kept of them, so that the page is the same from there."""
    from ludarium.studies.coevolution.kept import written  # noqa: PLC0415
    from ludarium.studies.coevolution.ledger import Ledger  # noqa: PLC0415

    with Ledger(path, readonly=True) as ledger:
        text = written(ledger.runs(), ledger.duels())
    if not text:
        raise BadParameter(f"{path} holds no runs yet")
    return told_by(text)


def told_by(text: str) -> Findings:
    """Say what kept runs tell, in words, tables and figures."""
    from ludarium.studies.coevolution.figures import drawings  # noqa: PLC0415
    from ludarium.studies.coevolution.kept import FILE, read  # noqa: PLC0415
    from ludarium.studies.coevolution.tables import answer, sheets  # noqa: PLC0415
    from ludarium.studies.page import Findings  # noqa: PLC0415

    kept = read(text)
    runs, duels = [run for run, _ in kept], [each for _, fought in kept for each in fought]
    return Findings(
        title="Coevolution",
        answer=answer(runs),
        sheets=sheets(runs, duels),
        drawings=drawings(runs),
        files={FILE: text},
    )
