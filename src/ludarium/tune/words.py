"""From words to a tuning: those of a call, of the command line or of a TOML file; all mean the same."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ludarium.arena.plan.plan import CATALOG, Names, names
from ludarium.arena.seating import seating_note
from ludarium.core import Agent, BadParameter, Game, Limit, Rng, UnknownName, describe
from ludarium.core.match import Terms
from ludarium.outside import search
from ludarium.registry import Entry, make, spec
from ludarium.tune.fitness import fitness
from ludarium.tune.matches import AgentTuning, GameTuning, Matches, domain_of, part_of, tries
from ludarium.tune.searches.search import Method, draw_allowed
from ludarium.tune.space import Space, read_call, read_values

METHODS: dict[str, Entry] = {
    "ntbea": Entry("ludarium.tune.searches.ntbea:NTBEA", "a model of how parameters go together, and bandits"),
    "grid": Entry("ludarium.tune.searches.search:Grid", "every configuration in turn"),
    "random": Entry("ludarium.tune.searches.search:RandomSearch", "configurations at random"),
    "optuna": Entry("ludarium.tune.searches.optuna:Optuna", "a sampler of Optuna"),
}

ALL = "all"
"""In place of a parameter: all that have values worth trying, of the agent, or as `part.all` of a part that is an agent."""

_TEXT, _LIST, _WHOLE, _NUMBER = "a text", "a list of texts", "a whole number", "a number"
_KINDS: dict[str, str] = {
    **dict.fromkeys(("agent", "game", "fitness", "role", "method", "catalog"), _TEXT),
    **dict.fromkeys(("against", "agents"), _LIST),
    **dict.fromkeys(
        ("matches", "iterations", "forward_calls", "move_limit", "seed", "budget", "check", "ahead"), _WHOLE
    ),
    **dict.fromkeys(("target", "seconds", "start_seconds", "tolerance_seconds"), _NUMBER),
    "space": "a table of lists, or a list of texts such as c=0.1,0.3,1",
}
_MOVE_LIMIT = 2000


@dataclass(frozen=True)
class Order:
    """What is to be tuned, how, and for how long."""

    problem: Matches
    method: Method
    budget: int = 200
    check: int = 200
    ahead: int = 8


def order(**options: Any) -> Order:
    """Make a tuning of words and numbers; docs/tuning.md lists them.

    >>> made = order(agent="uct", game="tic-tac-toe", against=["random"], space=["c=0.3,1", "leaf"], iterations=100)
    >>> made.problem.space.values
    {'c': (0.3, 1), 'leaf': (1, 64)}
    """
    given = {key: _in_words(key, value) for key, value in options.items() if value is not None}
    _check(given)
    known = names(given.get("catalog", CATALOG))
    if "game" not in given:
        raise BadParameter("what is to be played? Give a game")
    game = known.game(given["game"])
    made = fitness(given.get("fitness", "score"), given.get("target"))
    options = {"game": given["game"], "fitness": made, "matches": given.get("matches", made.usual)}
    options |= {"terms": _terms(given), "role": _role(game, given.get("role")), "seed": given.get("seed", 0)}
    options["catalog"] = given.get("catalog", CATALOG)
    Rng(options["seed"])  # which refuses what is no seed
    problem = _agent(given, options, known, game) if "agent" in given else _game(given, options, known, game)
    rest = {key: given[key] for key in ("budget", "check", "ahead") if key in given}
    return Order(problem, method(given.get("method", "ntbea")), **rest)


def _in_words(key: str, value: Any) -> Any:
    """Write what a Python call gives as a TOML file would: games, agents and methods by what names them."""
    if key in ("against", "agents") and isinstance(value, Sequence) and not isinstance(value, str):
        return [spec("agent", each) for each in value]
    return spec(key, value) if key in ("agent", "game", "method") else value


def load(path: str | Path, **others: Any) -> Order:
    """Read a tuning from a TOML file; what is given beside it counts more."""
    search(Path(path).parent)  # for the code and the rules that it names
    try:
        words = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        told = "it is a folder" if Path(path).is_dir() else getattr(problem, "strerror", None) or "it is not text"
        raise BadParameter(f"{path} cannot be read: {told}") from None
    except RecursionError:
        raise BadParameter(f"{path} is nested too deep") from None
    except ValueError as problem:  # also a number with thousands of digits
        raise BadParameter(f"{path} is not TOML: {problem}") from None
    try:
        return order(**words | {key: value for key, value in others.items() if value is not None})
    except BadParameter as problem:
        raise BadParameter(f"{path}: {problem}") from None


def method(spec: str | Method) -> Method:
    """Make a method by its name, with parameters if wanted.

    >>> method("random(repeats=5)")
    RandomSearch(repeats=5)
    """
    made: Method = make("method", spec)
    return made


def _agent(given: Mapping[str, Any], options: dict[str, Any], known: Names, game: Game) -> AgentTuning:
    """Put together the tuning of an agent."""
    if "agents" in given:
        raise BadParameter("agents are for tuning a game; the opponents of an agent are named by 'against'")
    agent = known.agent(given["agent"])
    others = len(game.roles) - 1
    against = [describe(known.agent(each)) for each in given.get("against", [])]
    if others and not against:
        raise BadParameter(f"{game.name} has {len(game.roles)} roles: name who is played against")
    if len(against) not in {others, min(others, 1)}:
        raise BadParameter(
            f"{game.name} has {len(game.roles)} roles, so {given['agent']} plays against {others}, not {len(against)}; "
            "a single one takes all these seats"
        )
    space = Space(_values(given.get("space"), agent, fixed=set(read_call(given["agent"], "agent")[1])))
    for name, values in space.values.items():
        for value in values:
            domain = domain_of(agent, name)
            if not domain.holds(value):
                raise BadParameter(f"{agent.name}: {name} is {value!r}; expected {domain}")
    notes = _notes((agent, *map(known.agent, dict.fromkeys(against))), game)
    return AgentTuning(agent=agent, agents=tuple(against), space=space, notes=notes, **options)


def _game(given: Mapping[str, Any], options: dict[str, Any], known: Names, game: Game) -> GameTuning:
    """Put together the tuning of a game."""
    if "against" in given:
        raise BadParameter(
            "there is no agent to tune, so nobody plays against it; who plays the game is named by 'agents'"
        )
    agents = [describe(known.agent(each)) for each in given.get("agents", [])]
    if not agents:
        raise BadParameter("nothing to tune: name an agent; or for the parameters of the game, the agents that play it")
    space: dict[str, Any] = _read(given.get("space", {}))
    if not space:
        raise BadParameter(f"which parameters of {game.name} are tuned? Give a space, such as width=5,6,7")
    for name, values in space.items():
        if values is None:
            raise BadParameter(f"which values of '{name}' are tried? Write them out, such as {name}=5,6,7")
    notes = _notes(map(known.agent, dict.fromkeys(agents)), game)
    problem = GameTuning(agents=tuple(agents), space=Space(space), notes=notes, **options)
    draw_allowed(
        problem.space, Rng(0), lambda point: problem.wrong(problem.space.config(point))
    )  # or it says why none is possible
    return problem


def _notes(agents: Iterable[Agent], game: Game) -> tuple[str, ...]:
    """Seat agents, which refuses games that they cannot play, and say who plays in imagined states only."""
    return tuple(filter(None, dict.fromkeys(seating_note(agent, game) for agent in agents)))


def _values(given: Any, agent: Agent, *, fixed: set[str]) -> dict[str, Any]:
    """Find the values to try: those given; without any, all that are worth trying of parameters that are not fixed."""
    worth = {name: values for name, values in tries(agent).items() if name not in fixed}
    if given is None:
        if not worth:
            raise BadParameter(f"no parameter of {describe(agent)} has values worth trying: give a space")
        return dict(worth)
    found: dict[str, Any] = {}
    for name, values in _read(given).items():
        part, _, last = name.rpartition(".")
        if last == ALL and values is None:
            others = {f"{part}.{each}": some for each, some in tries(part_of(agent, part)).items()} if part else worth
            found = others | found
            continue
        domain = domain_of(agent, name)
        found[name] = domain.tries if values is None else values
        if not found[name]:
            raise BadParameter(f"'{name}' of {agent.name} has no values that are known to be worth trying: give some")
    return found


def _read(space: Any) -> dict[str, Any]:
    return dict(space) if isinstance(space, Mapping) else dict(read_values(space))


def _terms(given: Mapping[str, Any]) -> Terms:
    limits = {name: given[name] for name in ("seconds", "iterations", "forward_calls") if name in given}
    others = {name: given[name] for name in ("start_seconds", "tolerance_seconds") if name in given}
    limit = Limit(**(limits or {"iterations": 1000}))
    return Terms(limit=limit, move_limit=given.get("move_limit", _MOVE_LIMIT) or None, **others)


def _role(game: Game, name: str | None) -> int | None:
    if name is None:
        return None
    if name not in game.roles:
        raise UnknownName(f"role of {game.name}", name, game.roles)
    return game.roles.index(name)


def _check(given: Mapping[str, Any]) -> None:
    """Refuse unknown words, and values of the wrong kind."""
    for key, value in given.items():
        if key not in _KINDS:
            near = get_close_matches(key, _KINDS, n=1)
            raise BadParameter(f"unknown word '{key}'" + (f": did you mean '{near[0]}'?" if near else ""))
        if not _fits(value, _KINDS[key]):
            raise BadParameter(f"{key} is {value!r}; expected {_KINDS[key]}")


def _fits(value: Any, kind: str) -> bool:
    if kind == _TEXT:
        return isinstance(value, str)
    if kind in (_WHOLE, _NUMBER):
        return isinstance(value, int if kind == _WHOLE else (int, float)) and not isinstance(value, bool)
    if isinstance(value, Mapping):
        return kind != _LIST
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(each, str) for each in value)
