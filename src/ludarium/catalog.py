"""What comes along: games and agents by their names, `game("connect-four")`, `agent("uct(c=0.7)")`.

The only module that knows both. How names are read is the registry's business.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable
from itertools import pairwise
from os.path import isdir, isfile  # which take any name
from pathlib import Path
from typing import Any

from ludarium import library, outside, registry
from ludarium.core import Agent, BadParameter, Game, UnknownName
from ludarium.core.agent import ELSEWHERE
from ludarium.core.syntax import is_place, parse_definition
from ludarium.registry import Entry


def _ours(place: str, about: str) -> Entry:
    return Entry(f"ludarium.{place}", about)


GAMES: dict[str, Entry] = {
    "attaque": _ours("games.attaque:attaque", "armies whose ranks are hidden until they fight"),
    "battleship": _ours("games.battleship:battleship", "shoot at hidden fleets"),
    "breakthrough": _ours("games.breakthrough:breakthrough", "pawns race to the far side"),
    "connect-four": _ours("games.connect_four:connect_four", "drop discs, four in a line win"),
    "goofspiel": _ours("games.goofspiel:goofspiel", "bid cards at once for prizes"),
    "kuhn-poker": _ours("games.kuhn_poker:kuhn_poker", "three cards, one bet, hidden hands"),
    "leduc-poker": _ours("games.leduc_poker:leduc_poker", "six cards, two rounds of bets, hidden hands"),
    "nim": _ours("games.nim:nim", "take from heaps; plain Python, without kernels"),
    "rinascimento": _ours("games.rinascimento.game:rinascimento", "Splendor, every number a parameter"),
    "tic-tac-toe": _ours("games.tic_tac_toe:tic_tac_toe", "three in a row"),
    "whist": _ours("games.whist:whist", "tricks with hidden hands; two to four players"),
}

AGENTS: dict[str, Entry] = {
    "random": _ours("agents.random:Random", "any legal move, all equally likely"),
    "nothing": _ours("agents.rolling.opponents:Nothing", "passes where it may, else any legal move"),
    # Playouts, without and with a tree
    "flat": _ours("agents.flat:Flat", "flat Monte Carlo: all moves equally often"),
    "uct": _ours("agents.uct:UCT", "Monte Carlo tree search with upper confidence bounds"),
    "ucb1-tuned": _ours("agents.ucb1_tuned:UCB1Tuned", "UCT with bounds that look at how much results vary"),
    "grave": _ours("agents.grave:GRAVE", "UCT with rapid action values of well-visited nodes"),
    "progressive-history": _ours("agents.progressive_history:ProgressiveHistory", "UCT with the history of moves"),
    "progressive-bias": _ours("agents.progressive_bias:ProgressiveBias", "UCT with a heuristic for new moves"),
    "mast": _ours("agents.mast:MAST", "UCT whose playouts learn which moves are good"),
    "nst": _ours("agents.nst:NST", "UCT whose playouts learn which sequences are good"),
    # Looking ahead
    "osla": _ours("agents.osla:OSLA", "one-step look-ahead: to the best next state"),
    "alphabeta": _ours("agents.alphabeta:AlphaBeta", "looks ahead, and prunes what cannot matter"),
    "paranoid": _ours("agents.alphabeta:Paranoid", "alpha-beta against all others at once"),
    "maxn": _ours("agents.maxn:MaxN", "looks ahead as if every role went for its own value"),
    "brs": _ours("agents.alphabeta:BestReply", "BRS+: alpha-beta, one opponent at a time may choose"),
    "heuristic": _ours("agents.heuristic:Heuristic", "alpha-beta, judging by a function made from the rules"),
    # Rolling horizon
    "rhea": _ours("agents.rhea:RHEA", "rolling horizon: a population of plans evolves"),
    "rmhc": _ours("agents.rmhc:RMHC", "rolling horizon: one plan, changed move by move"),
    "bmrh": _ours("agents.bmrh:BMRH", "rolling horizon: plans that branch at some point"),
    "srh": _ours("agents.srh:SRH", "rolling horizon: plans of seeds that draw the moves"),
    "widening": _ours("agents.widening:WideningMCTS", "tree search that samples moves instead of listing them"),
    # Hidden information
    "determinized": _ours("agents.determinized:Determinized", "any agent, in imagined states with nothing hidden"),
    "ismcts": _ours("agents.ismcts:ISMCTS", "tree search over what roles know"),
    # Agents of agents
    "ensemble": _ours("hyper.ensemble:Ensemble", "several agents, which vote on every move"),
    "weighted-ensemble": _ours("hyper.weighted:WeightedEnsemble", "the same, weighted by what a model expects of each"),
    "portfolio": _ours("hyper.portfolio:Portfolio", "the agent that a model expects to do best in the game"),
    "limited": _ours("hyper.limited:Limited", "any agent, with a smaller budget than the match allows"),
}

CHEATS: dict[str, Entry] = {
    "omniscient": _ours("agents.omniscient:Omniscient", "cheats: any agent, in the true state"),
}
"""Agents that see what is hidden. They are not listed, and no match admits them unless it allows cheating."""

LANGUAGES: dict[str, str] = {
    **dict.fromkeys([".kif", ".gdl", ".hrf"], "ludarium.gdl.game:load"),
    ".lud": "ludarium.ludii.game:load",
}
"""Rule files by their ending: the factory that reads them, which is given `path` and `name`; it may have parameters."""

GDL = "gdl:"
"""Before the name of a game: take the rules from the library, even if there is a Python game of that name."""

LUD = "lud:"
"""Before the name of a game: take it from our games in Ludii's language, or else from Ludii's own library."""


def game(spec: str | Game) -> Game:
    """Make a game by name, with parameters if it has any, from a file of rules, or from its place in somebody's code.

    >>> game("breakthrough(width=5, height=6)").roles
    ('white', 'black')
    >>> game("gdl:breakthrough").name, game("tron").name
    ('gdl:breakthrough', 'tron')
    """
    made: Game = registry.make("game", spec)
    return made


def unlisted_game(name: str) -> Entry | None:
    """Find a game from rules: a file, or a name of the library; None for names of others, and for places."""
    if name.startswith(LUD):
        return _ludii_game(name.removeprefix(LUD).strip())
    if Path(name).suffix.lower() in LANGUAGES:
        path = outside.find(name)
        return Entry(LANGUAGES[path.suffix.lower()], fixed={"path": path, "name": path.stem})
    if not name.startswith(GDL):
        if is_place(name):
            return None
        if {"/", "\\"} & set(name) and isdir(name):  # noqa: PTH112
            raise BadParameter(f"'{name}' is a folder; expected a file of rules, such as {name.rstrip('/')}/game.kif")
        ending = Path(name).suffix
        if "(" in ending:
            raise BadParameter(f"cannot read game '{name}'; expected name, or name(parameter=value, ...)")
        if {"/", "\\"} & set(name) or ending == ".py" or (ending and isfile(name)):  # noqa: PTH113
            raise BadParameter(f"'{name}' looks like a file{_what_is_missing(Path(name).suffix)}")
    bare, names = name.removeprefix(GDL), library.names()
    if bare not in names:
        if bare != name:
            raise UnknownName("game", name, [GDL + each for each in names])
        return _ludii_game(name) if name in library.names(library.LUDII) else None
    path = library.path(bare)
    return Entry(LANGUAGES[path.suffix], fixed={"path": path, "name": GDL + bare if bare in GAMES else bare})


def rule_files() -> dict[str, library.Header]:
    """List the games of the library by the names that `game` knows them by, with what their files tell."""
    found = {f"{GDL}{name}" if name in GAMES else name: library.header(name) for name in library.names()}
    ours = library.names(library.LUDII)
    return found | {_ludii_name(name): library.header(name, library.LUDII) for name in ours}


def agent(spec: str | Agent) -> Agent:
    """Make an agent by name, with parameters if wanted, or from its place in somebody's code.

    >>> agent("flat(playout_limit=50)")
    Flat(playout_limit=50)
    >>> agent("uct(c=1)").c
    1
    """
    made: Agent = registry.make("agent", spec)
    return made


def unlisted_agent(name: str) -> Entry | None:
    """Find an agent that is not for everybody: one that cheats, or a player elsewhere, `ggp:host:port`."""
    if name.startswith(ELSEWHERE):
        return Entry("ludarium.server.ggp.remote:Remote", fixed={"address": name.removeprefix(ELSEWHERE)})
    return CHEATS.get(name)


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


def _ludii_game(name: str) -> Entry:
    """Find a game in Ludii's language: ours if it is spelled like that, else one of the user's library."""
    if name in library.names(library.LUDII):
        path = library.path(name, library.LUDII)
        return Entry(LANGUAGES[path.suffix], fixed={"path": path, "name": _ludii_name(name)})
    return Entry("ludarium.ludii.game:find", fixed={"title": name, "name": f"{LUD}{name}"})


def _ludii_name(name: str) -> str:
    return f"{LUD}{name}" if name in GAMES or name in library.names() else name


def _what_is_missing(ending: str) -> str:
    if ending == ".py":
        return ": say what in it is meant, as in my/game.py:Race"
    known = f"rule files end in {', '.join(LANGUAGES)}; code is named as in my/game.py:Race"
    return f", but its ending '{ending}' is not known; {known}"
