"""Alpha-beta: look ahead depth after depth, and leave out what cannot matter.

Knuth and Moore, "An analysis of alpha-beta pruning" (1975). A role maximises what it gets, and all others are taken
to minimise that: in a game of constant sum for two this is what they want, in any other it is a cautious guess, with
more than two roles known as paranoid (Sturtevant and Korf, 2000). So the value of a position is what the role can
force. A proven value is told only where it is what both sides want, or a win.

As in Ludii the root's moves begin in random order and are sorted by the depth before, an unfinished depth does not
count, and the table is new for every move. Ludii orders inner moves by the table only (killers=False, history=False)
and has 12 bits of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from ludarium.agents.lookahead.alphabeta_kernels import alphabeta_search
from ludarium.agents.lookahead.deepening import Deepening, Settings
from ludarium.agents.lookahead.turns import require_turns, with_movers
from ludarium.agents.search.pacing import spend
from ludarium.agents.search.support import single_move
from ludarium.core import Budget, Decision, Game, InformationSet, Rng, Role
from ludarium.core.parameters import check, flag, number, part
from ludarium.evaluate import Evaluator, judging
from ludarium.kernel import Kernel


@dataclass(frozen=True)
class AlphaBeta:
    """Iterative deepening with alpha-beta pruning; more than two roles are searched as paranoid."""

    name: ClassVar[str] = "alphabeta"
    least_roles: ClassVar[int] = 1
    best_reply: ClassVar[bool] = False

    evaluator: str | Evaluator = part("auto", "evaluator")
    """How to judge a state where the search stops looking."""

    depth: int = number(1000, 1, 10_000, tries=(1, 2, 3, 4, 6, 8))
    """How many plies to look ahead at most."""

    table_bits: int = number(16, 0, 24, tries=(0, 12, 16, 20))
    """The transposition table has 2 to this power buckets of two states, 64 bytes each; 0 for no table."""

    hash_move: bool = flag(default=True)
    """Try the best move that the table knows first."""

    killers: bool = flag(default=True)
    """Then try the last two moves that refuted something at the same ply."""

    history: bool = flag(default=True)
    """Then go by how often a move has refuted something anywhere."""

    quiescence: int = number(0, 0, 64, tries=(0, 2, 4, 8))
    """Follow moves that change the evaluation for so many plies beyond the depth."""

    swing: float = number(0.02, 0.0, 1.0, tries=(0.01, 0.02, 0.05, 0.1))
    """How much a move changes the evaluation if it is to be followed beyond the depth."""

    def __post_init__(self) -> None:
        check(self)

    def seat(self, game: Game, role: Role, rng: Rng) -> AlphaBetaPlayer:
        """Make a player for one match."""
        require_turns(game, self, roles=self.least_roles)
        roles = len(game.roles)
        settings = Settings(
            depth=self.depth,
            table_bits=self.table_bits,
            hash_move=self.hash_move,
            killers=self.killers,
            history=self.history,
            quiescence=self.quiescence,
            swing=self.swing,
            best_reply=self.best_reply,
        )
        return AlphaBetaPlayer(
            game,
            role,
            rng,
            alphabeta_search,
            self.evaluator,
            settings,
            certain=roles == 1 or (roles == 2 and game.traits.constant_sum),
            wins=roles == 2 or not self.best_reply,
        )


@dataclass(frozen=True)
class Paranoid(AlphaBeta):
    """Alpha-beta against all others at once, by the name it has with more than two roles."""

    name: ClassVar[str] = "paranoid"
    least_roles: ClassVar[int] = 2


@dataclass(frozen=True)
class BestReply(AlphaBeta):
    """BRS+: alpha-beta in which one opponent at a time chooses freely, and the others play the move ordered first.

    Esser, Gras, Winands, Schadd and Lanctot, "Improving best-reply search" (2013). With two roles it is alpha-beta.
    """

    name: ClassVar[str] = "brs"
    least_roles: ClassVar[int] = 2
    best_reply: ClassVar[bool] = True


class AlphaBetaPlayer:
    """A search that looks ahead, in its seat: alpha-beta and its relatives.

    Any value that needed no evaluation is `certain`, or else only one that `wins` is, or none.
    """

    def __init__(
        self,
        game: Game,
        role: Role,
        rng: Rng,
        search: Callable[[Kernel[int]], Kernel[int]],
        spec: str | Evaluator,
        settings: Settings,
        *,
        certain: bool,
        wins: bool,
    ) -> None:
        judge = judging(spec, game)
        self.search = Deepening(game, role, rng, search(judge.kernel), judge, settings)
        self._certain, self._wins, self._note = certain, wins, judge.note

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Look ahead as deep as the budget allows, and play the best move of the last finished depth."""
        started = perf_counter()
        if len(info.legal) == 1:
            return single_move(info, budget)
        assert info.state is not None
        self.search.reset(info.state, info.legal)
        nodes, calls = spend(budget, self.search.run)
        found = self.search.so_far()
        reached = f"depth {found.depth} finished" if found.depth else "depth 1 not finished"
        proof = found.solved and (self._certain or (self._wins and found.value == 1.0))
        return Decision(
            found.move,
            values=found.values,
            visits=self.search.visits,
            iterations=nodes,
            forward_calls=calls,
            seconds=perf_counter() - started,
            line=with_movers(info.state, found.line),
            depth=self.search.ahead.deepest,
            proven=found.value if proof else None,
            note="; ".join([reached, self._note] if self._note else [reached]),
        )
