"""Matches between two agents, played in processes and kept in a CSV file; OpenSpiel's MCTS can be one of them."""

from __future__ import annotations

import csv
import multiprocessing
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from ludarium import agent, game
from ludarium.arena.position import Position
from ludarium.core import BudgetExceeded, Decision, InformationSet, Limit, LudariumError, Rng, UnsupportedGame

LONGEST = 500  # plies: a longer match is a draw
OPEN_SPIEL = "open-spiel-mcts"


@dataclass(frozen=True)
class Duel:
    """A match to be played."""

    series: str
    game: str
    a: str
    b: str
    limit: str
    number: int


@dataclass(frozen=True)
class Row(Duel):
    """A match that was played: the score of the first agent, and how long it took."""

    score: float
    plies: int
    seconds: float


def play_all(duels: Iterable[Duel], file: Path, workers: int) -> None:
    """Play the matches that have no row yet."""
    there = {Duel(*(getattr(row, each.name) for each in fields(Duel))) for row in read_rows(file)}
    missing = [duel for duel in duels if duel not in there]
    print(f"{len(missing)} matches to play, rows go to {file}", file=sys.stderr, flush=True)
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        for number, (duel, row, problem) in enumerate(pool.imap_unordered(attempt, missing), 1):
            if row is None:
                print(f"{duel.game}, {duel.a} against {duel.b}: {problem}", file=sys.stderr, flush=True)
                continue
            write_row(file, row)
            if number % 50 == 0:
                print(f"{number} of {len(missing)}", file=sys.stderr, flush=True)


def attempt(duel: Duel) -> tuple[Duel, Row | None, str]:
    """Play a match in a process of the pool; a mistake in what was asked does not end the others."""
    try:
        return duel, play(duel), ""
    except LudariumError as problem:
        return duel, None, str(problem)


def play(duel: Duel) -> Row:
    """Play a match; seats alternate with its number."""
    started = process_time()
    played, limit = loaded(duel.game), limited(duel.limit)
    roles = range(len(played.roles))
    first = [role for role in roles if (role + duel.number) % 2 == 0]
    players = []
    for role in roles:
        spec = duel.a if role in first else duel.b
        warm(duel.game, spec)
        players.append(made(spec, duel.limit).seat(played, role, Rng.keyed(duel.number, spec, duel.game, role)))
    position, chance = Position(played, duel.number), Rng.keyed(duel.number, "late")
    while (movers := position.state.movers) and position.plies < LONGEST:
        moves = {}
        for role in movers:
            known_now = position.information_set(role)
            try:
                moves[role] = players[role].choose(known_now, limit.start(clock=process_time)).move
            except BudgetExceeded:  # the clock ran out before the search began: a random move, as in a tournament
                moves[role] = chance.choice(known_now.legal)
        for player in players:
            if isinstance(player, OpenSpielPlayer):
                player.see(list(moves.values()))
        position.play(moves)
    for player in players:
        if isinstance(player, OpenSpielPlayer) and position.state.over:
            assert player.state.is_terminal(), "the match is over here and not there"
    utilities = position.state.utilities() if position.state.over else (0.5,) * len(roles)
    ours = [utilities[role] for role in first]
    theirs = [utilities[role] for role in roles if role not in first]
    margin = sum(ours) / len(ours) - sum(theirs) / len(theirs)
    score = 0.5 if abs(margin) < 1e-9 else float(margin > 0)
    return Row(**asdict(duel), score=score, plies=position.plies, seconds=process_time() - started)


@cache
def loaded(title: str) -> Any:
    """A game, loaded once in each process."""
    return game(title)


@cache
def known(spec: str) -> bool:
    """Whether there is such an agent; if not, say so once."""
    if spec == OPEN_SPIEL:
        try:
            import pyspiel  # noqa: F401
        except ImportError:
            print("OpenSpiel is not installed: nothing is compared with it", file=sys.stderr)
            return False
        return True
    try:
        agent(spec)
    except (LudariumError, ImportError) as problem:
        print(f"left out: {problem}", file=sys.stderr)
        return False
    return True


def plays(title: str, spec: str) -> bool:
    """Whether an agent sits down at a game."""
    try:
        agent(spec).seat(loaded(title), 0, Rng(0))
    except UnsupportedGame:
        return False
    return True


@cache
def warm(title: str, spec: str) -> None:
    """Think once before the clock runs: what is compiled then is not on it."""
    if spec != OPEN_SPIEL:
        position = Position(loaded(title))
        for role in position.state.movers[:1]:
            player = agent(spec).seat(loaded(title), role, Rng(0))
            player.choose(position.information_set(role), Limit(iterations=2).start())


def limited(text: str) -> Limit:
    """Read a limit as the rows write it."""
    kind, _, amount = text.partition("=")
    return Limit(seconds=float(amount)) if kind == "seconds" else Limit(iterations=int(amount))


def made(spec: str, limit: str) -> Any:
    """Make an agent: ours, or OpenSpiel's."""
    return OpenSpiel(limited(limit)) if spec == OPEN_SPIEL else agent(spec)


# OpenSpiel

THEIR_NAMES = {"reversi": "othello", "hex": "hex(board_size=9)"}  # the others have the same, with underscores
PILOT = 0.1  # of a move's time, and not on their clock: tells how many simulations fit into it
FIRST = 20  # simulations of a player's first pilot
MOST = 1_000_000  # simulations of a move: in solved positions their bot stops at once, which looks like endless speed


@dataclass(frozen=True)
class OpenSpiel:
    """OpenSpiel's MCTS in C++ as its example starts it: c of 2 for values from -1 to 1, one rollout, with its solver."""

    limit: Limit

    def seat(self, played: Any, role: int, rng: Rng) -> OpenSpielPlayer:  # noqa: ARG002
        import pyspiel

        return OpenSpielPlayer(played, pyspiel.load_game(their_name(played)), self.limit, rng)


class OpenSpielPlayer:
    """Follows the match in a state of OpenSpiel's; moves are translated by their texts."""

    def __init__(self, played: Any, theirs: Any, limit: Limit, rng: Rng) -> None:
        self.played, self.theirs, self.limit, self.rng = played, theirs, limit, rng
        self.state = theirs.new_initial_state()
        self.rate = 0.0  # simulations in a second of CPU time

    def choose(self, info: InformationSet, budget: Any) -> Any:  # noqa: ARG002
        if len(info.legal) == 1:
            return Decision(info.legal[0])
        if self.limit.seconds is None:
            action = self.search(self.limit.iterations or 1)
        else:
            self.search(self.fitting(PILOT * self.limit.seconds))
            action = self.search(self.fitting(self.limit.seconds))
        text = translated(self.played, self.state.action_to_string(action))
        return Decision(next(move for move in info.legal if written(self.played, move) == text))

    def fitting(self, seconds: float) -> int:
        """The number of simulations that take so long, as far as is known."""
        return int(min(max(FIRST, self.rate * seconds), MOST))

    def search(self, simulations: int) -> int:
        """Ask their bot for a move, and note how fast it was."""
        import pyspiel

        seed = self.rng.below(1 << 31)
        judge = pyspiel.RandomRolloutEvaluator(1, seed)
        started = process_time()
        bot = pyspiel.MCTSBot(self.theirs, judge, 2.0, simulations, 1000, solve=True, seed=seed, verbose=False)
        action: int = bot.step(self.state)
        self.rate = simulations / max(process_time() - started, 1e-6)
        return action

    def see(self, moves: Sequence[int]) -> None:
        """Make a move of the match here, too; where there is but one, it may have another name, such as a pass."""
        (move,) = moves
        legal = self.state.legal_actions()
        names = {translated(self.played, self.state.action_to_string(each)): each for each in legal}
        self.state.apply_action(legal[0] if len(legal) == 1 else names[written(self.played, move)])


def their_name(played: Any) -> str:
    """What OpenSpiel calls a game."""
    return THEIR_NAMES.get(played.name, str(played.name).replace("-", "_"))


def written(played: Any, move: int) -> str:
    """Write our move as people do, where the rules say how."""
    return str(played.notation(move) if played.name in THEIR_NAMES else played.text(move))


def translated(played: Any, text: str) -> str:
    """Write their move as we do: a column by its letter; rows of Breakthrough count from the other side."""
    if played.name in THEIR_NAMES:
        return text
    if played.name == "connect-four":
        return "abcdefg"[int(text[1:])]
    return "".join(str(9 - int(each)) if each.isdigit() else each for each in text.rstrip("*"))


# Rows


def read_rows(file: Path) -> list[Row]:
    """Read what was played earlier."""
    if not file.exists():
        return []
    kinds = {"number": int, "plies": int, "score": float, "seconds": float}
    with file.open(newline="", encoding="utf-8") as lines:
        table = csv.DictReader(lines)
        if table.fieldnames != [field.name for field in fields(Row)]:
            raise SystemExit(f"{file} does not hold matches of this script: give another file with --csv")
        return [Row(**{key: kinds.get(key, str)(value) for key, value in row.items()}) for row in table]


def write_row(file: Path, row: Row) -> None:
    """Add a row, below the names of the columns."""
    new = not file.exists()
    with file.open("a", newline="", encoding="utf-8") as lines:
        writer = csv.DictWriter(lines, [field.name for field in fields(Row)])
        if new:
            writer.writeheader()
        writer.writerow({key: f"{v:.4g}" if isinstance(v, float) else v for key, v in asdict(row).items()})
