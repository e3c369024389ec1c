"""Names in, objects out: `game("connect-four")`, `agent("uct(c=0.7)")`.

The only module that knows games and agents.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, is_dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from ludarium import library
from ludarium.core import Agent, BadParameter, Game, LudariumError, UnknownName
from ludarium.core.parameters import Domain, Part, domains
from ludarium.core.syntax import parse_call, parse_definition


@dataclass(frozen=True)
class Entry:
    """Where something in the catalog is made, and one line about it."""

    place: str
    about: str

    @property
    def make(self) -> Callable[..., Any]:
        """The factory, imported when it is first wanted."""
        module, _, name = self.place.partition(":")
        made: Callable[..., Any] = getattr(import_module(f"ludarium.{module}"), name)
        return made


GAMES: dict[str, Entry] = {
    "attaque": Entry("games.attaque:attaque", "armies whose ranks are hidden until they fight"),
    "battleship": Entry("games.battleship:battleship", "shoot at hidden fleets"),
    "breakthrough": Entry("games.breakthrough:breakthrough", "pawns race to the far side"),
    "connect-four": Entry("games.connect_four:connect_four", "drop discs, four in a line win"),
    "goofspiel": Entry("games.goofspiel:goofspiel", "bid cards at once for prizes"),
    "kuhn-poker": Entry("games.kuhn_poker:kuhn_poker", "three cards, one bet, hidden hands"),
    "leduc-poker": Entry("games.leduc_poker:leduc_poker", "six cards, two rounds of bets, hidden hands"),
    "nim": Entry("games.nim:nim", "take from heaps; plain Python, without kernels"),
    "rinascimento": Entry("games.rinascimento:rinascimento", "Splendor, every number a parameter"),
    "tic-tac-toe": Entry("games.tic_tac_toe:tic_tac_toe", "three in a row"),
    "whist": Entry("games.whist:whist", "tricks with hidden hands; two to four players"),
}

AGENTS: dict[str, Entry] = {
    "random": Entry("agents.random:Random", "any legal move, all equally likely"),
    "nothing": Entry("agents.opponents:Nothing", "passes where it may, else any legal move"),
    # Playouts, without and with a tree
    "flat": Entry("agents.flat:Flat", "flat Monte Carlo: all moves equally often"),
    "uct": Entry("agents.uct:UCT", "Monte Carlo tree search with upper confidence bounds"),
    "ucb1-tuned": Entry("agents.ucb1_tuned:UCB1Tuned", "UCT with bounds that look at how much results vary"),
    "grave": Entry("agents.grave:GRAVE", "UCT with rapid action values of well-visited nodes"),
    "progressive-history": Entry("agents.progressive_history:ProgressiveHistory", "UCT with the history of moves"),
    "progressive-bias": Entry("agents.progressive_bias:ProgressiveBias", "UCT with a heuristic for new moves"),
    "mast": Entry("agents.mast:MAST", "UCT whose playouts learn which moves are good"),
    "nst": Entry("agents.nst:NST", "UCT whose playouts learn which sequences are good"),
    # Looking ahead
    "osla": Entry("agents.osla:OSLA", "one-step look-ahead: to the best next state"),
    "alphabeta": Entry("agents.alphabeta:AlphaBeta", "looks ahead, and prunes what cannot matter"),
    "paranoid": Entry("agents.alphabeta:Paranoid", "alpha-beta against all others at once"),
    "maxn": Entry("agents.maxn:MaxN", "looks ahead as if every role went for its own value"),
    "brs": Entry("agents.alphabeta:BestReply", "BRS+: alpha-beta, one opponent at a time may choose"),
    "heuristic": Entry("agents.heuristic:Heuristic", "alpha-beta, judging by a function made from the rules"),
    # Rolling horizon
    "rhea": Entry("agents.rhea:RHEA", "rolling horizon: a population of plans evolves"),
    "rmhc": Entry("agents.rmhc:RMHC", "rolling horizon: one plan, changed move by move"),
    "bmrh": Entry("agents.bmrh:BMRH", "rolling horizon: plans that branch at some point"),
    "srh": Entry("agents.srh:SRH", "rolling horizon: plans of seeds that draw the moves"),
    "widening": Entry("agents.widening:WideningMCTS", "tree search that samples moves instead of listing them"),
    # Hidden information
    "determinized": Entry("agents.determinized:Determinized", "any agent, in imagined states with nothing hidden"),
    "ismcts": Entry("agents.ismcts:ISMCTS", "tree search over what roles know"),
}

CHEATS: dict[str, Entry] = {
    "omniscient": Entry("agents.omniscient:Omniscient", "cheats: any agent, in the true state"),
}
"""Agents that see what is hidden. They are not listed, and no match admits them unless it allows cheating."""

LANGUAGES: dict[str, str] = dict.fromkeys([".kif", ".gdl", ".hrf"], "gdl.game:load")
"""Rule files by their ending: the factory that reads them."""

GDL = "gdl:"
"""Before the name of a game: take the rules from the library, even if there is a Python game of that name."""


def game(spec: str) -> Game:
    """Make a game by name, with parameters if it has any, or from a file of rules.

    >>> game("breakthrough(width=5, height=6)").roles
    ('white', 'black')
    >>> game("gdl:breakthrough").name, game("tron").name
    ('gdl:breakthrough', 'tron')
    """
    ending = Path(spec).suffix.lower()
    if ending in LANGUAGES:
        made: Game = Entry(LANGUAGES[ending], "").make(Path(spec))
        return made
    if {"/", "\\"} & set(spec.partition("(")[0]):
        known = f"rule files end in {', '.join(LANGUAGES)}"
        raise BadParameter(f"'{spec}' looks like a file, but its ending '{ending}' is not known; {known}")
    name, given = _read("game", spec)
    if name in GAMES:
        built: Game = _build("game", GAMES, spec)
        return built
    return _from_library(name, given)


def rule_files() -> dict[str, library.Header]:
    """List the games of the library by the names that `game` knows them by, with what their files tell."""
    return {f"{GDL}{name}" if name in GAMES else name: library.header(name) for name in library.names()}


def agent(spec: str) -> Agent:
    """Make an agent by name, with parameters if wanted.

    >>> agent("flat(playout_limit=50)")
    Flat(playout_limit=50)
    >>> agent("uct(c=1)").c
    1
    """
    name, _ = _read("agent", spec)
    built: Agent = _build("agent", CHEATS if name in CHEATS else AGENTS, spec)
    return built


def parameters(entry: Entry) -> dict[str, inspect.Parameter]:
    """Give the parameters of a game or an agent, by name."""
    return dict(inspect.signature(entry.make).parameters)


def ranges(entry: Entry) -> dict[str, Domain]:
    """Give what the parameters of an agent may be, by name, where that is declared."""
    return domains(entry.make) if is_dataclass(entry.make) else {}


def meanings(kind: Callable[..., Any]) -> dict[str, str]:
    """Read what the fields of a class mean: the string below each, which Python itself forgets.

    >>> meanings(AGENTS["flat"].make)
    {'playout_limit': 'Plies after which a playout is cut and judged as it stands.'}
    """
    found = {}
    for each in reversed(getattr(kind, "__mro__", (kind,))):  # what is inherited comes first, as in the signature
        try:
            tree = parse_definition(each)
        except (OSError, TypeError):  # a class of Python's own
            continue
        for above, below in pairwise(getattr(tree, "body", [])):
            match above, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(meaning))):
                    found[name] = " ".join(meaning.split())
    return found


def source(entry: Entry) -> str:
    """Tell where the idea of an agent comes from: what its class, or else its module, says below the first sentence.

    >>> source(AGENTS["uct"])[:66]
    'Kocsis and Szepesvari, "Bandit based Monte-Carlo planning" (2006).'
    """
    kind = entry.make
    for text in (kind.__doc__, sys.modules[kind.__module__].__doc__):
        _, _, below = inspect.cleandoc(text or "").partition("\n\n")
        if below:
            return " ".join(below.split())
    return ""


def _from_library(name: str, given: dict[str, Any]) -> Game:
    bare = name.removeprefix(GDL)
    names = library.names()
    if bare not in names:
        raise UnknownName("game", name, [GDL + n for n in names] if bare != name else [*GAMES, *names])
    if given:
        raise BadParameter(f"game '{name}' has no parameter '{next(iter(given))}'; it has none")
    path = library.path(bare)
    made: Game = Entry(LANGUAGES[path.suffix], "").make(path, name=GDL + bare if bare in GAMES else bare)
    return made


def _build(kind: str, entries: dict[str, Entry], spec: str) -> Any:
    name, given = _read(kind, spec)
    if name not in entries:
        raise UnknownName(kind, name, entries)
    known, allowed = parameters(entries[name]), ranges(entries[name])
    for key, value in given.items():
        if key not in known:
            listed = f"it has {', '.join(known)}" if known else "it has none"
            raise BadParameter(f"{kind} '{name}' has no parameter '{key}'; {listed}")
        match allowed.get(key):
            case Part(kind="agent") if isinstance(value, str):
                given[key] = agent(value)
            case None:
                _check_kind(f"{name}: {key}", value, known[key].default)
            case domain:
                if not domain.holds(value):
                    raise BadParameter(f"{name}: {key} is {value!r}; expected {domain}")
    try:
        return entries[name].make(**given)
    except LudariumError:
        raise
    except (TypeError, ValueError) as problem:
        raise BadParameter(f"{kind} '{spec}': {problem}") from problem


_KINDS = {int: "a whole number", float: "a number", str: "a word", bool: "a truth value"}


def _check_kind(what: str, value: object, default: object) -> None:
    """Compare a parameter with its default: the types agree; a whole number will do for a fraction."""
    if default is inspect.Parameter.empty or default is None:
        return
    kinds = (int, float) if isinstance(default, float) else (type(default),)
    if not isinstance(value, kinds) or isinstance(value, bool) != isinstance(default, bool):
        expected = _KINDS.get(type(default), f"a {type(default).__name__}")
        raise BadParameter(f"{what} is {value!r}; expected {expected} such as {default!r}")


def _read(kind: str, spec: str) -> tuple[str, dict[str, Any]]:
    """Take `name(key=value, ...)` apart."""
    if call := parse_call(spec):
        name, values, text = call
        with suppress(ValueError, TypeError, RecursionError, MemoryError):
            return name, {key: _value(text, value) for key, value in values.items()}
    raise BadParameter(f"cannot read {kind} '{spec}'; expected name, or name(parameter=value, ...)")


def _value(text: str, node: ast.expr) -> Any:
    """Read a value; a word, a call or a sum is a string, so that nobody has to quote inside quotes."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        words = (ast.Name, ast.Call, ast.BinOp, ast.UnaryOp, ast.keyword, ast.Constant, ast.operator, ast.unaryop)
        if not all(isinstance(each, (*words, ast.Load)) for each in ast.walk(node)):
            raise
    return ast.get_source_segment(text, node)  # as it was written: progressive-history is a name
