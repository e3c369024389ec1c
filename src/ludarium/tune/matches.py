"""Tuning by playing: an agent against others in a game, or a game with given agents; matches run on the arena's workers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, cast

from ludarium.arena.plan.plan import CATALOG, Names, Pairing, names
from ludarium.arena.play import RESULT
from ludarium.arena.record import terms_data
from ludarium.arena.tournament.jobs import Failure, Job, Result
from ludarium.arena.tournament.workers import Workers
from ludarium.arena.tournament.workers import workers as start_workers
from ludarium.core import Agent, BadParameter, LudariumError, Match, Role, describe
from ludarium.core.match import Terms
from ludarium.core.parameters import Domain, Part, domains
from ludarium.tune.fitness import Fitness
from ludarium.tune.problem import Attempt, Bench, Config, Evaluation, TuneError, number_of, plain_space
from ludarium.tune.space import Space, read_call

_MOST = 1000  # matches of an evaluation


@dataclass(frozen=True, kw_only=True)
class Matches(ABC):
    """What both kinds of tuning have in common."""

    given: ClassVar[bool] = True

    game: str
    agents: tuple[str, ...]
    """All others if an agent is tuned, all if a game is; a single one takes all these seats."""

    space: Space
    fitness: Fitness
    matches: int
    """Matches of an evaluation."""

    terms: Terms
    role: Role | None = None
    """The role that is looked at; None for all in turn."""

    seed: int = 0
    catalog: str = CATALOG
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What its user should know: agents that play in imagined states only."""

    _roles: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.fitness.least <= self.matches <= _MOST:
            some = f"from {self.fitness.least} to {_MOST}"
            raise BadParameter(f"matches is {self.matches}; the fitness '{self.fitness.name}' needs {some}")

    @property
    def share(self) -> bool:
        """Whether every evaluation gives a number from 0 to 1."""
        return self.fitness.share

    @property
    def goal(self) -> str:
        """What the fitness is called."""
        return self.fitness.name

    @property
    def words(self) -> dict[str, Any]:
        """All that the results depend on."""
        said: dict[str, Any] = {
            "game": self.game,
            "agents": list(self.agents),
            "space": plain_space(self.space),
            "goal": self.goal,
        }
        said |= {"matches": self.matches, "terms": terms_data(self.terms), "role": self.role}
        return said | {"seed": self.seed, "catalog": self.catalog, "rules": self.known.game(self.game).fingerprint}

    @property
    def known(self) -> Names:
        """What tells which game or agent a name means."""
        return names(self.catalog)

    def roles(self, game: str) -> int:
        """Count the roles of a game."""
        if game not in self._roles:
            self._roles[game] = len(self.known.game(game).roles)
        return self._roles[game]

    @property
    @abstractmethod
    def before(self) -> Config:
        """The values that the parameters had before tuning, as far as that is known."""

    @abstractmethod
    def named(self, config: Config) -> str:
        """Write a configuration as the catalog reads it."""

    @abstractmethod
    def wrong(self, config: Config) -> str:
        """Say why a configuration makes no sense; nothing if it does."""

    @abstractmethod
    def pairing(self, config: Config, number: int) -> tuple[Pairing, Role]:
        """Say who plays what in a match, and who is looked at."""

    def bench(self, workers: int, on: str, *, patience: float, memory: int | None) -> Bench:
        """Start workers."""
        return _Table(self, start_workers(workers, on, patience=patience, memory=memory))

    def _pairing(self, game: str, agents: Sequence[str]) -> Pairing:
        terms, seed = self.terms, self.seed
        return Pairing(
            game=game, agents=tuple(agents), terms=terms, matches=1, seed=seed, record=RESULT, catalog=self.catalog
        )


@dataclass(frozen=True, kw_only=True)
class AgentTuning(Matches):
    """An agent in a game against others."""

    agent: Agent

    @property
    def words(self) -> dict[str, Any]:
        """All that the results depend on."""
        return {"agent": describe(self.agent), **super().words}

    @property
    def before(self) -> Config:
        """The values that the agent has."""
        return {name: _text(part_of(self.agent, name)) for name in self.space.names}

    def named(self, config: Config) -> str:
        """Write the agent as the catalog reads it."""
        return describe(self.made(config))

    def made(self, config: Config) -> Agent:
        """Make the agent with these parameters."""
        made = self.agent
        for name, value in config.items():
            made = _changed(made, name, value, self.known)
        return made

    def wrong(self, config: Config) -> str:
        """Say why there is no such agent."""
        try:
            self.made(config)
        except LudariumError as problem:
            return str(problem)
        return ""

    def pairing(self, config: Config, number: int) -> tuple[Pairing, Role]:
        """Seat the agent in the role that is looked at, or in all in turn, and the others around it."""
        roles = self.roles(self.game)
        others = self.agents * (roles - 1) if len(self.agents) == 1 else self.agents
        role = number % roles if self.role is None else self.role
        return self._pairing(self.game, (*others[:role], self.named(config), *others[role:])), role


@dataclass(frozen=True, kw_only=True)
class GameTuning(Matches):
    """The parameters of a game, for given agents; the first agent is the one that is looked at."""

    @property
    def before(self) -> Config:
        """The values that the game was given."""
        given = read_call(self.game, "game")[1]
        return {name: given[name] for name in self.space.names if name in given}

    def named(self, config: Config) -> str:
        """Write the game as the catalog reads it."""
        if not config:
            return self.game
        name, given = read_call(self.game, "game")
        given |= {key: repr(value) for key, value in config.items()}
        return f"{name}({', '.join(f'{key}={value}' for key, value in given.items())})"

    def wrong(self, config: Config) -> str:
        """Say why there is no such game, or none for these agents."""
        try:
            roles = self.roles(self.named(config))
        except LudariumError as problem:
            return str(problem)
        if len(self.agents) not in (1, roles):
            return f"{self.named(config)} has {roles} roles, but there are {len(self.agents)} agents"
        return ""

    def pairing(self, config: Config, number: int) -> tuple[Pairing, Role]:
        """Seat the agents; if they differ, each in all roles in turn."""
        game = self.named(config)
        roles = self.roles(game)
        agents = self.agents * roles if len(self.agents) == 1 else self.agents
        first = number % roles if self.role is None else self.role
        seated = agents[roles - first :] + agents[: roles - first] if len(set(agents)) > 1 else agents
        return self._pairing(game, seated), first


class _Table:
    """Where matches are played."""

    def __init__(self, problem: Matches, hands: Workers) -> None:
        self._problem, self._hands = problem, hands

    def begin(self, config: Config, number: int) -> Attempt:
        """Begin the matches of an evaluation, those with the same seats together."""
        first = number * self._problem.matches
        seats: dict[Pairing, list[int]] = {}
        looked_at: dict[str, Role] = {}
        for each in range(first, first + self._problem.matches):
            pairing, role = self._problem.pairing(config, each)
            seats.setdefault(pairing, []).append(each)
            looked_at[pairing[each].id] = role
        futures = [self._hands.submit(Job(pairing, numbers)) for pairing, numbers in seats.items()]

        def finish(results: list[list[Result]]) -> Evaluation:
            return self._judged(config, [each for part in results for each in part], looked_at)

        return Attempt(cast("list[Any]", futures), finish)

    def close(self, *, now: bool) -> None:
        self._hands.close(now=now)

    def _judged(self, config: Config, results: Sequence[Result], looked_at: Mapping[str, Role]) -> Evaluation:
        what = self._problem.named(config)
        for result in results:
            if isinstance(result, Failure):
                raise TuneError(f"a match of {what} could not be played: {result.reason}")
        matches = [result for result in results if isinstance(result, Match)]
        if len(matches) < len(looked_at):
            raise TuneError(f"the matches of {what} were given up")
        roles = [looked_at[match.id] for match in matches]
        value = number_of(self._problem.fitness.measure(matches, roles), what)
        return Evaluation(value, _detail(matches, roles), sum(sum(match.thinking) for match in matches))


def _detail(matches: Sequence[Match], roles: Sequence[Role]) -> dict[str, Any]:
    """Keep what is needed to play the matches again, and how they ended."""
    kept: list[dict[str, Any]] = []
    for match, role in zip(matches, roles, strict=True):
        said: dict[str, Any] = {"game": match.game, "agents": match.agents, "seed": match.seed, "role": role}
        said |= {"utilities": match.utilities, "plies": match.plies, "cut": match.cut, "faults": match.faults}
        kept.append({key: value for key, value in said.items() if value or key in ("seed", "role", "plies")})
    return {"matches": kept}


def tries(agent: Agent) -> dict[str, tuple[Any, ...]]:
    """List the values that are worth trying for an agent's parameters, where there are several."""
    return {name: domain.tries for name, domain in domains(agent).items() if len(domain.tries) > 1}


def domain_of(agent: Any, name: str) -> Domain:
    """Find what a parameter may be; `part.name` is a parameter of a part that is an agent."""
    first, dot, rest = name.partition(".")
    known = domains(agent) if is_dataclass(agent) else {}
    if first not in known:
        listed = f"it has {', '.join(known)}" if known else "it has none"
        raise BadParameter(f"{getattr(agent, 'name', agent)} has no parameter '{first}' to tune; {listed}")
    return domain_of(getattr(agent, first), rest) if dot else known[first]


def _changed(agent: Any, name: str, value: Any, known: Names) -> Any:
    """Set a parameter, or one of a part."""
    first, dot, rest = name.partition(".")
    domain = domain_of(agent, first)
    if dot:
        return replace(agent, **{first: _changed(getattr(agent, first), rest, value, known)})
    if not domain.holds(value):
        raise BadParameter(f"{agent.name}: {name} is {value!r}; expected {domain}")
    if isinstance(domain, Part) and domain.kind == "agent" and isinstance(value, str):
        default = next(each.default for each in fields(agent) if each.name == name)
        value = default if value == _text(default) else known.agent(value)
    return replace(agent, **{name: value})


def part_of(agent: Any, name: str) -> Any:
    """Give the value of a parameter, or of one of a part."""
    domain_of(agent, name)  # which refuses what is none
    for each in name.split("."):
        agent = getattr(agent, each)
    return agent


def _text(part: Any) -> Any:
    """Name an agent; leave everything else as it is."""
    return describe(part) if hasattr(part, "seat") else part
