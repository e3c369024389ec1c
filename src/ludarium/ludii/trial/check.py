"""Does the game that a trial names play as it was recorded? Found in the user's library, replayed, and judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from ludarium.core.errors import LudariumError, UnknownName, UnsupportedGame
from ludarium.core.problems import RulesError
from ludarium.ludii.library import VARIABLE, LudiiLibrary, library_of_user
from ludarium.ludii.trial.compare import Difference, compare
from ludarium.ludii.trial.reader import read
from ludarium.ludii.trial.record import Trial
from ludarium.ludii.trial.replay import Replay

AGREES, DIFFERS, UNSUPPORTED, UNREADABLE = "agrees", "differs", "unsupported", "unreadable"
"""What can be said of a trial and a game."""

Loader = Callable[[LudiiLibrary, str, Sequence[str]], Replay]
"""Makes a game that can be replayed of a library, the path of a description in it, and options."""

_GAMES, _REPLAYING, _MATCHES, _FINDING = (
    "ludarium.ludii.game",
    "ludarium.ludii.replaying",
    "ludarium.ludii.matches.replaying",
    "ludarium.ludii.matches.finding",
)  # they need the whole compiler: only if asked for


@dataclass(frozen=True)
class Verdict:
    """What was found out about one file."""

    file: str
    outcome: str
    game: str = ""
    plies: int = 0
    reason: str = ""
    difference: Difference | None = None

    def __str__(self) -> str:
        what = self.difference or self.reason or f"{self.plies} plies"
        return f"{self.outcome} {self.file}: {f'{self.game}, ' if self.game else ''}{what}"


def check(file: Path, load: Loader | None = None) -> Verdict:
    """Compare a recorded trial with the game that it names."""
    try:
        trial = read(file)
    except LudariumError as error:
        return Verdict(str(file), UNREADABLE, reason=_line(error))
    try:
        library = _library()
        path = find(trial, library)
        replay = (load or load_replay)(library, path, trial.options)
        found = compare(trial, replay)
    except (LudariumError, AssertionError) as error:  # rules that need more room than kernels have
        return Verdict(str(file), UNSUPPORTED, trial.name, len(trial.played), _line(error))
    return Verdict(str(file), DIFFERS if found else AGREES, path.removesuffix(".lud"), len(trial.played), "", found)


def check_all(files: Sequence[Path], *, workers: int = 1, load: Loader | None = None) -> Iterator[Verdict]:
    """Compare many trials, several at once if wanted; the answers come in the order of the files."""
    one = partial(check, load=load)
    if workers == 1 or len(files) < 2:
        yield from map(one, files)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(one, files, chunksize=2)  # two trials of a game lie side by side


def find(trial: Trial, library: LudiiLibrary) -> str:
    """The path of the game in a library: where the trial says, or where a game of that name has moved to.

    A game that has got another name is looked for by the folder that the trial lies in: Ludii names it after the game.
    """
    names = [trial.name, PurePosixPath(trial.name).name, Path(trial.file).parent.name]
    problem: LudariumError | None = None
    for name in filter(None, names):
        try:
            return library.find(name)
        except UnknownName as error:
            problem = problem or error
    raise problem or UnsupportedGame(f"{trial.file}: the trial names no game")


def load_replay(library: LudiiLibrary, path: str, options: Sequence[str]) -> Replay:
    """The game of a description, ready to be replayed."""
    text, file = library.read(path)
    game = _game(text, file, tuple(options), library)
    matches = import_module(_MATCHES)
    made: Replay = (
        matches.MatchReplay if isinstance(game, matches.MatchGame) else import_module(_REPLAYING).LudReplay
    )(game)
    return made


@lru_cache(maxsize=1)  # the trials of a game come one after the other
def _game(text: str, file: str, options: tuple[str, ...], library: LudiiLibrary) -> Any:
    finding = import_module(_FINDING).in_library(library)
    return import_module(_GAMES).from_text(text, file, options, library.defines, games=finding)


def _library() -> LudiiLibrary:
    library = library_of_user()
    if library is None:
        raise LudariumError(
            f"Ludii's library is not known: let {VARIABLE} name its .jar, or a folder with its lud and def"
        )
    return library


def _line(error: LudariumError | AssertionError) -> str:
    """The first thing that an error says, in one line."""
    if isinstance(error, RulesError) and error.problems:
        problem = error.problems[0]
        return f"{problem.message} at {problem.place}"
    return str(error).split("\n", 1)[0]
