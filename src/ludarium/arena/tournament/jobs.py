"""Pieces of a plan that are played in one go, wherever that is: in this process, in another, on another machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ludarium.arena.memory import short_of_memory
from ludarium.arena.plan.plan import Fixture, Names, Pairing, names
from ludarium.arena.play import RESULT, Absence, contest
from ludarium.arena.record import from_data, to_data
from ludarium.arena.tournament.apart import Apart, seated_apart
from ludarium.arena.tournament.random_batch import random_matches
from ludarium.core import Agent, Game, GameError, LudariumError, Match, Role
from ludarium.core.agent import ELSEWHERE
from ludarium.outside import blame, folders, search

_KEPT = 16  # games that a worker keeps loaded
_RANDOM = "random"
BATCH = 500  # matches of random agents in one go

LOADING = -2
"""The ply while no agent has a hold of the match: its game is loaded."""


@dataclass(frozen=True)
class Job:
    """Some matches of a pairing, by their numbers."""

    pairing: Pairing
    numbers: Sequence[int]
    absent: Mapping[Role, Absence] = field(default_factory=dict)
    """Roles that have ended their process in the first of the matches."""

    apart: bool = False
    """Whether agents sit in processes of their own."""

    @property
    def fixtures(self) -> list[Fixture]:
        """The matches."""
        return [self.pairing[number] for number in self.numbers]

    @property
    def data(self) -> dict[str, Any]:
        """The job as what JSON can hold."""
        absent = list(self.absent.items())
        told = {"pairing": self.pairing.data, "numbers": list(self.numbers), "absent": absent}
        return told | {"folders": folders(), "apart": self.apart}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Job:
        """Read what `data` gave; whoever does has the code that it names looked for in the same folders."""
        search(*data["folders"])
        absent = {role: Absence(*absence) for role, absence in data["absent"]}
        return cls(Pairing.read(data["pairing"]), data["numbers"], absent, data["apart"])


@dataclass(frozen=True)
class Failure:
    """A match that could not be played, by no fault of its agents."""

    id: str
    reason: str


Result = Match | Failure
Asking = Callable[[int, int, Role], None]
"""Called with the number of a match, the ply and the role before somebody gets a hold of it."""


def result_data(result: Result) -> dict[str, Any]:
    """Give a result as what JSON can hold."""
    return {"failed": result.id, "reason": result.reason} if isinstance(result, Failure) else to_data(result)


def read_result(data: dict[str, Any]) -> Result:
    """Read what `result_data` gave."""
    return Failure(data["failed"], data["reason"]) if "failed" in data else from_data(data)


def in_batches(pairing: Pairing) -> bool:
    """Whether the matches of a pairing need nobody to be asked: all agents are random, and only results are kept."""
    return pairing.record == RESULT and set(pairing.agents) == {_RANDOM}


class Shelf:
    """Games and agents that were loaded before."""

    def __init__(self) -> None:
        self._names: dict[str, Names] = {}
        self._games: dict[tuple[str, str, str], Game] = {}
        self._agents: dict[tuple[str, str], Agent] = {}
        self._apart: dict[tuple[str, str], Apart] = {}

    def game(self, pairing: Pairing) -> Game:
        """Give the game of a pairing; the one that was not wanted for the longest time makes room."""
        key = (pairing.catalog, pairing.game, pairing.rules)
        made = self._games.pop(key, None) or self._names_for(pairing).game(pairing.game)
        if pairing.rules and made.fingerprint != pairing.rules:
            change = f"{pairing.rules} then, {made.fingerprint} now"
            raise GameError(f"the rules of {pairing.game} have changed since the plan was made ({change})")
        self._games[key] = made
        if len(self._games) > _KEPT:
            del self._games[next(iter(self._games))]
        return made

    def keep(self, pairing: Pairing, game: Game) -> None:
        """Take a game that was loaded elsewhere."""
        self._games[pairing.catalog, pairing.game, pairing.rules] = game

    def agents(self, pairing: Pairing, *, apart: bool = False) -> Sequence[Agent]:
        """Give the agents of a pairing, one per role; their code is not loaded here if they sit apart."""
        return [
            seated_apart(pairing.catalog, spec, self._apart)
            if apart and not spec.startswith(ELSEWHERE)
            else self._agent(pairing, spec)
            for spec in pairing.agents
        ]

    def _agent(self, pairing: Pairing, spec: str) -> Agent:
        key = (pairing.catalog, spec)
        if key not in self._agents:
            self._agents[key] = self._names_for(pairing).agent(spec)
        return self._agents[key]

    def _names_for(self, pairing: Pairing) -> Names:
        if pairing.catalog not in self._names:
            self._names[pairing.catalog] = names(pairing.catalog)
        return self._names[pairing.catalog]


def played(job: Job, shelf: Shelf, asking: Asking = lambda *_: None) -> Iterator[Result]:
    """Play the matches of a job."""
    pairing = job.pairing
    if in_batches(pairing):
        yield from _played_at_once(job, shelf, asking)
        return
    absent = job.absent
    for fixture in job.fixtures:
        asking(fixture.number, LOADING, 0)
        try:
            match = contest(
                shelf.game(pairing),
                shelf.agents(pairing, apart=job.apart),
                pairing.terms,
                fixture.seed,
                record=pairing.record,
                absent=absent,
                asking=lambda ply, role, at=fixture.number: asking(at, ply, role),  # type: ignore[misc]
                name=fixture.id,
            )
        except Exception as problem:  # noqa: BLE001
            yield Failure(fixture.id, _sentence(problem))
        else:
            yield _named(match, fixture)
        absent = {}


def _played_at_once(job: Job, shelf: Shelf, asking: Asking) -> Iterator[Result]:
    pairing, fixtures = job.pairing, job.fixtures
    asking(fixtures[0].number, LOADING, 0)
    done = 0
    try:
        game = shelf.game(pairing)
        seeds = [fixture.seed for fixture in fixtures]
        for match in random_matches(game, pairing.agents, pairing.terms, seeds):
            yield _named(match, fixtures[done])
            done += 1
    except Exception as problem:  # noqa: BLE001
        for fixture in fixtures[done:]:
            yield Failure(fixture.id, _sentence(problem))


def _named(match: Match, fixture: Fixture) -> Match:
    return replace(match, id=fixture.id, game=fixture.game, agents=fixture.agents)


def _sentence(problem: Exception) -> str:
    if isinstance(problem, LudariumError):
        return str(problem)
    if told := short_of_memory(problem):
        return told
    return blame(problem) or f"{type(problem).__name__}: {problem}"
