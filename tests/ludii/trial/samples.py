"""Small trials of our own, and two small games with rules that go along with them."""

import contextlib
import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from ludarium.ludii.trial.facts import CELL, Container, GameFacts, Site
from ludarium.ludii.trial.position import Piece, Position
from ludarium.ludii.trial.reader import read
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.replay import Choice

NOUGHTS = """game=/lud/board/space/line/Tic-Tac-Toe.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=1,-2,3,-4,5,-6,7,-8
Move=[Move:mover=1,from=4,to=4,actions=[Add:type=Cell,to=4,what=1,decision=true]]
Move=[Move:mover=2,from=0,to=0,actions=[Add:type=Cell,to=0,what=2,decision=true]]
Move=[Move:mover=1,from=1,to=1,actions=[Add:type=Cell,to=1,what=1,decision=true]]
Move=[Move:mover=2,from=2,to=2,actions=[Add:type=Cell,to=2,what=2,decision=true]]
Move=[Move:mover=1,from=7,to=7,actions=[Add:type=Cell,to=7,what=1,decision=true]]
LEGAL MOVES LIST SIZE = 9
LEGAL MOVES LIST SIZE = 8
LEGAL MOVES LIST SIZE = 7
LEGAL MOVES LIST SIZE = 6
LEGAL MOVES LIST SIZE = 5
numInitialPlacementMoves=0
winner=1
endtype=NaturalEnd
rankings=0.0,1.0,2.0
SANDBOX=false
LUDII_VERSION=1.3.13
"""

RACE = """game=../Common/res/lud/Race.lud
START GAME OPTIONS
Board/Short
END GAME OPTIONS
RNG internal state=0,0,0,0,0,0,0,0
Move=[Move:mover=0,from=8,to=8,actions=[Add:type=Cell,to=8,what=3]]
Move=[Move:mover=0,from=0,to=0,actions=[Add:type=Cell,to=0,what=1]]
Move=[Move:mover=0,from=0,to=0,actions=[Add:type=Cell,to=4,what=2]]
Move=[Move:mover=1,from=0,to=2,actions=[SetStateAndUpdateDice:site=8,state=1],[Move:typeFrom=Cell,from=0,typeTo=Cell,to=2,decision=true]]
Move=[Move:mover=2,actions=[SetStateAndUpdateDice:site=8,state=0],[Pass:decision=true],[Note:message=no, not now,to=1]]
Move=[Move:mover=1,from=2,to=3,actions=[SetStateAndUpdateDice:site=8,state=0],[Move:typeFrom=Cell,from=2,typeTo=Cell,to=3,decision=true],[SetScore:player=1,score=1]]
LEGAL MOVES LIST SIZE = 2
LEGAL MOVES LIST SIZE = 2
LEGAL MOVES LIST SIZE = 2
winner=1
endtype=NaturalEnd
rankings=0.0,1.0,2.0
SANDBOX=false
LUDII_VERSION=1.3.0
"""

NESTED = """game=/lud/math/Both.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=0,0,0,0,0,0,0,0
Move=[Move:mover=3,actions=[Move:mover=1,from=0,to=0,actions=[Add:type=Cell,to=0,what=1,decision=true]],[Move:mover=2,from=3,to=3,actions=[Add:type=Cell,to=3,what=2,decision=true]],[SetScore:player=1,score=2]]
LEGAL MOVES LIST SIZE = 4
NEW LEGAL MOVES LIST
[Move:mover=1,from=0,to=0,actions=[Add:type=Cell,to=0,what=1,decision=true]]
[Move:mover=2,from=3,to=3,oriented=false,actions=[Add:type=Cell,to=3,what=2,decision=true]]
END LEGAL MOVES LIST
rankings=0.0,0.0,0.0
SANDBOX=false"""

NOUGHTS_FACTS = GameFacts(
    cells=9, containers=(Container("Board", 0, 9),), owners=(0, 1, 2), names=("", "Disc1", "Cross2")
)
RACE_FACTS = GameFacts(
    cells=9,
    containers=(Container("Board", 0, 8), Container("Dice0", 8, 1)),
    owners=(0, 1, 2, 3),
    names=("", "Man1", "Man2", "Die"),
    counts=True,
    faces={3: (1, 2)},
)

_LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@dataclass
class Noughts:
    """Tic-tac-toe as Ludii plays it: on a full board both must pass before it is a draw."""

    facts: GameFacts = NOUGHTS_FACTS
    board: list[int] = field(default_factory=lambda: [0] * 9)
    mover: int = 1
    doubled: bool = False
    passes: int = 0

    @property
    def movers(self):
        return (self.mover,)

    @property
    def winner(self):
        lines = [
            self.board[a] for a, b, c in _LINES if self.board[a] and self.board[a] == self.board[b] == self.board[c]
        ]
        return lines[0] if lines else 0

    @property
    def over(self):
        return bool(self.winner) or self.passes == 2

    @property
    def ranks(self):
        return {0: (0.0, 1.5, 1.5), 1: (0.0, 1.0, 2.0), 2: (0.0, 2.0, 1.0)}[self.winner]

    def start(self, outcomes):
        self.board, self.mover, self.passes = [0] * 9, 1, 0

    def snapshot(self):
        return self._snapshot(self.board)

    def legal(self):
        empty = [site for site, what in enumerate(self.board) if not what]
        sites = empty or [-1]
        return [Choice(site, self.mover, self._action(site), 2 if self.doubled else 1) for site in sites]

    def after(self, chosen, outcomes):
        board = list(self.board)
        if chosen[0].code >= 0:
            board[chosen[0].code] = self.mover
        return self._snapshot(board)

    def play(self, chosen, outcomes):
        if chosen[0].code >= 0:
            self.board[chosen[0].code] = self.mover
        else:
            self.passes += 1
        self.mover = 3 - self.mover

    def actions(self, chosen, outcomes):
        site = chosen[0].code
        if site < 0:
            return [Action("Pass", {"decision": True, "forced": True})]
        return [Action("Add", {"type": "Cell", "to": site, "what": self.mover, "decision": True})]

    def _action(self, site):
        return Action("Add", {"to": site, "what": self.mover}) if site >= 0 else Action("Pass")

    def _snapshot(self, board):
        position = Position(self.facts)
        for site, what in enumerate(board):
            if what:
                position.put(Site(CELL, site), Piece(what, what, 1))
        return position.snapshot(kept=())


@dataclass
class Race:
    """One die is rolled before each choice: go on by what it shows, or pass; who comes to the end of his four sites wins."""

    facts: GameFacts = RACE_FACTS
    places: list[int] = field(default_factory=lambda: [0, 0])
    mover: int = 1
    die: int = 0
    rng: random.Random | None = None

    @property
    def movers(self):
        return (self.mover,)

    @property
    def winner(self):
        return next((player for player in (1, 2) if self.places[player - 1] == 3), 0)

    @property
    def over(self):
        return self.winner > 0

    @property
    def ranks(self):
        return (0.0, 1.0, 2.0) if self.winner == 1 else (0.0, 2.0, 1.0)

    def start(self, outcomes):
        self.places, self.mover = [0, 0], 1
        self._arrive(outcomes)

    def snapshot(self):
        return self._position().snapshot(kept={"dice", "scores"})

    def legal(self):
        here = self._site(self.mover)
        there = here + self.die + 1
        steps = [Choice(1, self.mover, Action("Move", {"from": here, "to": there}))] if there < 4 * self.mover else []
        return [*steps, Choice(0, self.mover, Action("Pass"))]

    def after(self, chosen, outcomes):
        copy = Race(self.facts, list(self.places), self.mover, self.die)
        copy.play(chosen, outcomes)
        return copy.snapshot()

    def play(self, chosen, outcomes):
        if chosen[0].code:
            self.places[self.mover - 1] += self.die + 1
        self.mover = 3 - self.mover
        self._arrive(outcomes)

    def actions(self, chosen, outcomes):
        return None

    def _arrive(self, outcomes):
        if self.rng and not self.over:
            self.die = self.rng.randrange(2)
        elif outcomes.arriving:
            self.die = outcomes.arriving[0][1]

    def _site(self, player):
        return 4 * (player - 1) + self.places[player - 1]

    def _position(self):
        position = Position(self.facts)
        for player in (1, 2):
            position.put(Site(CELL, self._site(player)), Piece(player, player, 1))
        position.put(Site(CELL, 8), Piece(3, 3, 1, self.die))
        position.dice[8] = self.die + 1
        position.scores[1] = int(self.winner == 1)
        return position


def head():
    """The commit that is tested, if that is known."""
    git = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    with contextlib.suppress(OSError):  # no git: always the same
        return subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def corpus_sample(ludii, config):
    """A twentieth of the recorded trials, another with each commit; with --slow all of them."""
    files = sorted((ludii / "trials").rglob("*.xz"))
    if not config.option.slow:
        files = random.Random(head()).sample(files, len(files) // 20)
    for file in files:
        yield file, read(file)
