"""From the words of a plan to its matches, or to a list of everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Protocol, TypeVar

from ludarium.arena.plan.plan import CATALOG, Names, Pairing, Plan, names
from ludarium.arena.play import FULL, RECORDS
from ludarium.arena.seating import seating_note
from ludarium.core import BadParameter, Game, Limit, LudariumError, UnsupportedGame, describe
from ludarium.core.match import MOST_MATCHES, Terms
from ludarium.outside import blame

_T = TypeVar("_T")

KINDS = ("round-robin", "against-field", "self-play", "free-for-all")
_LIMITS = ("seconds", "iterations", "forward_calls")

# What a plan may say, and what it means if it does not; a default of None has to be given, or depends on others.
_DEFAULTS: dict[str, Any] = {"kind": None, "name": "", "games": None, "agents": None, "matches": 10, "seed": None}
_DEFAULTS |= dict.fromkeys((*_LIMITS, "budgets", "start_seconds"))
_DEFAULTS |= {"tolerance_seconds": 0.25, "move_limit": 2000, "cheating": False, "record": FULL, "catalog": CATALOG}
_OWN: dict[str, dict[str, Any]] = {
    "against-field": {"field": None, "rotate": False},
    "self-play": {"against": "random"},
}
_VALUES = {"matches": int, "seed": int, "rotate": bool, "cheating": bool}
_VALUES |= dict.fromkeys(("name", "catalog", "record", "against"), str)
_KINDS_OF_VALUE = {bool: "true or false", int: "a whole number", str: "a text"}


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with a plan, and the line that says it if it comes from a file."""

    text: str
    line: int | None = None

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


class PlanError(LudariumError):
    """A plan that cannot be played, with all its problems."""

    def __init__(self, problems: Sequence[Problem], file: str = "") -> None:
        self.problems, self.file = tuple(problems), file
        super().__init__(self.problems, file)  # the arguments, so that the error survives pickling

    def __str__(self) -> str:
        place = self.file or "the plan"
        if len(self.problems) == 1:
            (only,) = self.problems
            return f"{place}, {only}" if only.line is not None else f"{place}: {only}"
        return "\n".join([f"{place} has {len(self.problems)} problems:", *(f"  {each}" for each in self.problems)])


class Where(Protocol):
    """Finds words in the file of a plan."""

    def __call__(self, key: str, value: object = None) -> int | None:
        """Give the line of a key, or of one of its values."""
        ...


Seatings = Callable[[str, Mapping[str, Any], int], Mapping[tuple[str, ...], int]]


def checked(given: Mapping[str, Any], seatings: Seatings, where: Where | None) -> Plan:
    """Make a plan of its words and numbers; a `PlanError` with all that is wrong otherwise."""
    return _Check(given, where).plan(seatings)


class _Check:
    """A plan that is being checked."""

    def __init__(self, given: Mapping[str, Any], where: Where | None) -> None:
        self.given, self.where = given, where
        self.problems: list[Problem] = []
        self.notes: list[str] = []
        self.options = _DEFAULTS | _OWN.get(str(given.get("kind")), {}) | dict(given)

    def plan(self, seatings: Seatings) -> Plan:
        self._check_keys()
        terms = self._terms()
        known = self._names()
        if known is None:
            self._stop()
        assert known is not None
        lists = [key for key in ("agents", "field") if isinstance(self.options.get(key), list)]
        agents = {key: self._agents(key, known) for key in lists}
        against = self.options.get("against")
        if against:
            agents["against"] = self._agents("against", known)
        games = self._games(known)
        for key, found in agents.items():
            self._check_fair(key, found)
        self._check_support(games, {name: each for found in agents.values() for name, each in found.items()})
        self._stop()
        options = self.options | {key: list(found) for key, found in agents.items()}
        if against:
            (options["against"],) = agents["against"]
        pairings = [
            Pairing(game=spec, agents=seating, terms=each, matches=matches, seed=options["seed"],
                    record=options["record"], catalog=options["catalog"], rules=game.fingerprint)
            for spec, game in games.items()
            for each in terms
            for seating, matches in seatings(options["kind"], options, len(game.roles)).items()
        ]  # fmt: skip
        if not pairings:
            self._tell("agents", "a single agent has nobody to play against: name at least two")
            self._stop()
        return Plan(tuple(pairings), dict(self.given), tuple(filter(None, self.notes)))

    def _check_keys(self) -> None:
        kind = self.given.get("kind")
        if kind not in KINDS:
            said = "is missing" if kind is None else f"is {kind!r}"
            self._tell("kind", f"the kind {said}; it is one of {', '.join(KINDS)}")
        known = [*_DEFAULTS, *(key for own in _OWN.values() for key in own)]
        for key in self.given:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                self._tell(key, f"unknown key '{key}'" + (f": did you mean '{near[0]}'?" if near else ""))
            elif key not in _DEFAULTS and key not in _OWN.get(str(kind), {}):
                self._tell(key, f"'{key}' means nothing in a plan of kind {kind}")
        for key in ("games", "agents", *(["field"] if kind == "against-field" else [])):
            self._check_list(key)
        self._check_values()

    def _check_values(self) -> None:
        for key, kind in _VALUES.items():
            if key in self.given and type(self.given[key]) is not kind:
                self._tell(key, f"{key} is {self.given[key]!r}; expected {_KINDS_OF_VALUE[kind]}")
                self.options[key] = _DEFAULTS.get(key)
        for key, least in {"matches": 1, "seed": 0}.items():
            if self.options[key] is not None and self.options[key] < least:
                self._tell(key, f"{key} is {self.options[key]}; expected {least} or more")
        if self.options["matches"] > MOST_MATCHES:
            self._tell("matches", f"matches is {self.options['matches']}; expected {MOST_MATCHES:,} or fewer")
        if self.options["record"] not in RECORDS:
            self._tell("record", f"record is {self.options['record']!r}; it is one of {', '.join(RECORDS)}")

    def _check_list(self, key: str) -> None:
        value = self.given.get(key)
        if value is None:
            self._tell(key, f"there are no {key}: give a list of names" if key != "field" else "there is no field")
        elif not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self._tell(key, f"{key} is {value!r}; expected a list of names")
            self.options[key] = None
        elif not value:
            self._tell(key, f"the list of {key} is empty")
        else:
            for each in sorted({each for each in value if value.count(each) > 1}):
                self._tell(key, f"'{each}' is listed twice in {key}", each)

    def _terms(self) -> list[Terms]:
        given = [name for name in _LIMITS if self.given.get(name) is not None]
        budgets = self.given.get("budgets")
        if budgets is not None and given:
            self._tell("budgets", f"give either budgets or {' and '.join(given)}, not both")
        if budgets is None:
            budgets = [{name: self.given[name] for name in given} or {"iterations": 1000}]
        if not isinstance(budgets, list) or not budgets or not all(isinstance(each, dict) for each in budgets):
            self._tell("budgets", f"budgets is {budgets!r}; expected a list of tables such as {{iterations = 100}}")
            return []
        return [made for each in budgets if (made := self._one_terms(each)) is not None]

    def _one_terms(self, budget: Mapping[str, Any]) -> Terms | None:
        for key in [key for key in budget if key not in _LIMITS]:
            self._tell("budgets", f"'{key}' is not a limit: there are {', '.join(_LIMITS)}")
            return None
        others = {key: self.options[key] for key in ("start_seconds", "tolerance_seconds", "move_limit")}
        others["move_limit"] = others["move_limit"] or None  # 0 is how a file says that there is none
        limit = self._make_checked(Limit, budget)
        terms = self._make_checked(Terms, others)
        if limit is None or terms is None:
            return None
        return replace(terms, limit=limit, cheating=self.options["cheating"])

    def _make_checked(self, kind: Callable[..., _T], numbers: Mapping[str, Any]) -> _T | None:
        """Make a limit or terms of numbers, and tell which of them is wrong."""
        wrong = {key: value for key, value in numbers.items() if value is not None and not _is_number(value)}
        for key, value in wrong.items():
            self._tell(key if key in self.given else "budgets", f"{key} is {value!r}; expected a number")
        try:
            return None if wrong else kind(**numbers)
        except BadParameter as problem:
            said = next((key for key in numbers if str(problem).startswith(key) and key in self.given), "budgets")
            self._tell(said, str(problem))
            return None

    def _names(self) -> Names | None:
        try:
            return names(self.options["catalog"])
        except BadParameter as problem:
            self._tell("catalog", str(problem))
            return None

    def _agents(self, key: str, known: Names) -> dict[str, Any]:
        """Look the agents up; each is called as the catalog describes it, so that two spellings are one agent."""
        found: dict[str, Any] = {}
        value = self.options[key]
        for spec in [value] if isinstance(value, str) else value or []:
            agent = self._looked_up(known.agent, key, spec)
            if agent is None:
                continue
            if describe(agent) in found and value.count(spec) < 2:
                self._tell(key, f"'{spec}' is the same agent as another in {key}: '{describe(agent)}'", spec)
            found[describe(agent)] = agent
        return found

    def _games(self, known: Names) -> dict[str, Game]:
        found = {}
        for spec in self.options["games"] if isinstance(self.options["games"], list) else ():
            game = self._looked_up(known.game, "games", spec)
            if game is not None:
                found[spec] = game
        return found

    def _looked_up(self, look_up: Callable[[str], _T], key: str, spec: str) -> _T | None:
        """Look a name up, and tell what is wrong with it; a mistake in somebody's own module is told with its line."""
        try:
            return look_up(spec)
        except LudariumError as problem:
            self._tell(key, str(problem), spec)
        except Exception as problem:
            if not (told := blame(problem)):
                raise
            self._tell(key, f"'{spec}': {told}", spec)
        return None

    def _check_fair(self, key: str, agents: Mapping[str, Any]) -> None:
        for name, agent in agents.items():
            if getattr(agent, "cheats", False) and not self.options["cheating"]:
                self._tell(key, f"{name} sees what is hidden: only a plan with cheating = true admits it", agent.name)

    def _check_support(self, games: Mapping[str, Game], agents: Mapping[str, Any]) -> None:
        """Seat all agents at all games: some cannot play some."""
        if self.options["catalog"] != CATALOG:
            return  # agents of strangers may end or hang this process; in a worker, that fails a match
        for spec, game in games.items():
            for agent in agents.values():
                try:
                    self.notes.append(seating_note(agent, game))
                except UnsupportedGame as problem:
                    self._tell("games", str(problem), spec)
                except Exception as problem:
                    if not (told := blame(problem)):
                        raise
                    self._tell("agents", f"{describe(agent)} cannot sit down: {told}", describe(agent))

    def _tell(self, key: str, text: str, value: object = None) -> None:
        self.problems.append(Problem(text, self.where(key, value) if self.where else None))

    def _stop(self) -> None:
        if self.problems:
            ordered = sorted(dict.fromkeys(self.problems), key=lambda each: each.line or 0)
            raise PlanError(ordered, getattr(self.where, "file", ""))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
