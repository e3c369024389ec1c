"""Play a game again and again, first at random and then by an agent against itself, and keep what designers ask about.

All measures are those of tournaments (`prove.measures`, `prove.balance`), taken match by match: so each has an interval, which
narrows as matches are added. Seeds follow from one seed, so the same number of matches gives the same numbers again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludarium.arena import streams
from ludarium.arena.play import play
from ludarium.arena.prove.balance import Seat, balance
from ludarium.arena.prove.measures import Measures, measures
from ludarium.arena.results import Moves, Results
from ludarium.core import Decision, Game, Match, Move, Role, State, UnsupportedGame
from ludarium.core.limits import limits
from ludarium.core.offers import Coverage, RuleUse
from ludarium.registry import make

RANDOM, ITERATIONS = "random", 100
AGENTS = {True: "uct", False: "ismcts"}
"""Who plays, where nothing is hidden and where something is."""


class Assessment:
    """What was played of a game so far; `play_random` and `play_match` add to it."""

    def __init__(self, game: Game, *, agent: str = "", iterations: int = ITERATIONS, seed: int = 0) -> None:
        self.game, self.iterations, self.seed = game, iterations, seed
        self.agent = agent or AGENTS[game.traits.perfect_information]
        self.random: list[Match] = []
        self.matches: list[Match] = []
        self.measured: list[Measures] = []
        """Of each match alone."""

        make_coverage = game.offers.coverage
        self.coverage: Coverage | None = make_coverage() if make_coverage else None
        self._seat()

    def _seat(self) -> None:
        """Let anybody play who can: where a search is refused, moves are drawn."""
        try:
            for role in range(len(self.game.roles)):
                make("agent", self.agent).seat(self.game, role, streams.player(0, role))
        except UnsupportedGame:
            self.agent = RANDOM

    def play_random(self) -> None:
        """Play a match at random."""
        self.random.append(self._played(RANDOM, len(self.random)))

    def play_match(self) -> None:
        """Let the agent play against itself, and measure that."""
        match = self._played(self.agent, 1_000_000 + len(self.matches))
        self.matches.append(match)
        (one,) = measures(*_columns([match]))
        self.measured.append(one)

    @property
    def seats(self) -> list[Seat]:
        """What the roles have scored when the agent played itself; nothing where there is one role."""
        return balance(_columns(self.matches)[0]) if self.matches and len(self.game.roles) > 1 else []

    @property
    def unused(self) -> list[RuleUse] | None:
        """The rules that had no part in any match; None if nobody knows."""
        return None if self.coverage is None else [rule for rule in self.coverage.rules() if not rule.used]

    @property
    def unmoved(self) -> list[str] | None:
        """The kinds of pieces that never came to another site; None if nobody knows."""
        known = None if self.coverage is None else self.coverage.pieces()
        return None if known is None else [name for name, moved in known.items() if not moved]

    def _played(self, agent: str, number: int) -> Match:
        states: list[State] = []
        joints: list[Mapping[Role, Move]] = []

        def watch(state: State, decisions: Mapping[Role, Decision]) -> None:
            if decisions:
                joints.append({role: decision.move for role, decision in decisions.items()})
            states.append(state)

        seed = streams.derived_seed(self.seed, f"assess {number}")
        roles = len(self.game.roles)
        match = play(self.game, [agent] * roles, iterations=self.iterations, seed=seed, watch=watch)
        if self.coverage is not None and len(states) == len(joints) + 1:
            self.coverage.follow(states, joints)
        return match

    @property
    def move_limit(self) -> int:
        """After how many plies a match is broken off."""
        return limits().moves


def _columns(matches: Sequence[Match]) -> tuple[Results, Moves]:
    """The matches as the columns that statistics look at."""
    rows = [(k, match, role) for k, match in enumerate(matches) for role in range(len(match.utilities))]
    results = Results.of(
        {
            "match": [k for k, _, _ in rows],
            "game": [match.game for _, match, _ in rows],
            "role": [role for _, _, role in rows],
            "role_name": [match.roles[role] for _, match, role in rows],
            "agent": [match.agents[role] for _, match, role in rows],
            "utility": [match.utilities[role] for _, match, role in rows],
            "plies": [match.plies for _, match, _ in rows],
        }
    )
    turns = [(k, match, turn) for k, match in enumerate(matches) for turn in match.turns]
    moves = Moves.of(
        {
            "match": [k for k, _, _ in turns],
            "game": [match.game for _, match, _ in turns],
            "ply": [turn.ply for _, _, turn in turns],
            "role": [turn.role for _, _, turn in turns],
            "agent": [match.agents[turn.role] for _, match, turn in turns],
            "choices": [turn.choices for _, _, turn in turns],
            "value": [float("nan") if turn.value is None else turn.value for _, _, turn in turns],
        }
    )
    return results, moves
