"""Scores of our own agents, game by game, so that every stop leaves a table to learn from.

The arena plays the matches and keeps them in its store; what takes too long, or cannot be loaded, is noted beside it with
the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, zip_longest
from pathlib import Path
from statistics import median
from time import process_time
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ludarium import catalog, library
from ludarium.arena import Store
from ludarium.arena.plan.plan import Fixture, Pairing, Plan
from ludarium.arena.results import Results
from ludarium.arena.streams import derived_seed
from ludarium.arena.tournament.jobs import Failure, Job, Shelf, played
from ludarium.core import Game, LudariumError, describe
from ludarium.core.files import write_file
from ludarium.evaluate.named import LUDII
from ludarium.hyper.limited import Limited
from ludarium.ludii.library import library_of_user
from ludarium.studies.hyper_agents.study import AGENTS, NAME, Scale, pairings_of

_SEED = 16
_FIRST = 4
"""So much longer than planned may the first matches be: code is compiled while they are played."""


def measure(
    scale: Scale,
    path: Path,
    say: Callable[[str], None],
    games: Sequence[str] | None = None,
    agents: Sequence[str] | None = None,
    *,
    pairings: Callable[[str, Game, Scale, Sequence[str]], list[Pairing]] = pairings_of,
    before: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> None:
    """Play what is not in the store yet, one game after the other.

    The first matches of an agent in a game are left out if it is said how many were played before, wherever that was.
    """
    skipped = notes(path)
    wanted = list(games or scale.games or all_games())
    players = [describe(catalog.agent(spec)) for spec in agents or AGENTS]
    rounds = sorted({max(1, scale.matches // 2), scale.matches})
    with Store(path) as store:
        for earlier, matches in pairwise((0, *rounds)):  # breadth first: all games a little, then all games more
            for number, name in enumerate(wanted, 1):
                if name in skipped:
                    continue
                say(f"{name}, {number} of {len(wanted)} games, up to {matches} matches of each agent")
                try:
                    game = catalog.game(name)
                    found = tuple(pairings(name, game, replace(scale, matches=matches), players))
                    plan = Plan(found, {"name": NAME, "games": [name], "agents": list(players)})
                    wanting = [each for each in plan if each.number >= before.get((name, each.agents[0]), 0)]
                    why = _measured(game, plan, wanting, store, scale.match_seconds)
                except LudariumError as problem:
                    why = str(problem).splitlines()[0]
                if why:
                    skipped[name] = GivenUp(why, earlier)
                    _write(path, skipped)


def all_games() -> list[str]:
    """Games that come along, then those of Ludii's library if there is one: one of each folder in turn, in a drawn order."""
    own = catalog.rule_files()
    in_gdl = {each for each in own if each.removeprefix(catalog.GDL) in library.names()}
    names = [*(each for each in own if each not in in_gdl), *catalog.GAMES, *(each for each in own if each in in_gdl)]
    found = library_of_user()
    if found is not None:
        folders: dict[str, list[str]] = {}
        for file in sorted(found.paths, key=lambda each: derived_seed(_SEED, each)):
            folders.setdefault("/".join(file.split("/")[:-1][:3]), []).append(file)
        for turn in zip_longest(*(folders[key] for key in sorted(folders))):
            names += [f"{catalog.LUD}{each.removesuffix('.lud')}" for each in turn if each is not None]
    return names


def _measured(game: Game, whole: Plan, wanting: Sequence[Fixture], store: Store, hoped: float) -> str:
    """Play the matches of one game that are wanting; why it was given up, if it was."""
    players = len(whole.pairings)
    if players < min(2, len(whole.source["agents"])):
        return "fewer than two of the agents can play it"
    known = store.ids()
    fixtures = [each for each in wanting if each.id not in known]
    if not fixtures:
        return ""
    store.begin(whole, extend=True, command="ludarium study hyper-agents --measure")
    shelf, spent = Shelf(), list[float]()
    for fixture in fixtures:  # all agents keep step
        shelf.keep(fixture.pairing, game)
        started = process_time()
        for result in played(Job(fixture.pairing, [fixture.number]), shelf):
            if isinstance(result, Failure):
                return f"it could not be played: {result.reason}".splitlines()[0]
            store.add(result)
        spent.append(process_time() - started)
        longest = _FIRST * hoped if len(spent) < players else hoped
        if median(spent) > longest:
            return f"a match takes {median(spent):.1f} s of CPU time; {hoped:.1f} s were planned"
    return ""


class GivenUp(NamedTuple):
    """A game that is not measured any more."""

    why: str
    matches: int = 0
    """So many of each agent it has all the same, from an earlier round."""


class Scored(NamedTuple):
    """What was measured in a game."""

    matches: int
    """Of each agent."""

    scores: Mapping[str, float]
    """What each agent won in the first role, in percent; 0 if it cannot play the game."""

    absent: tuple[str, ...] = ()
    """Who cannot play it."""


def scored(path: Path) -> dict[str, Scored]:
    """The games of a store that every agent has played, in the order in which they were played."""
    skipped = notes(path)
    with Store(path, readonly=True) as store:
        if not len(store):
            return {}
        results = Results.of(store.table(brief=True, coded=True))
    first = results.role == 0
    texts = sorted({results.agent.names[k] for k in np.unique(results.agent.codes[first])})
    called = candidates(texts)
    agents = sorted(set(called.values()))
    found = {}
    for name, part in results.games():
        if name in skipped and not skipped[name].matches:
            continue
        won: dict[str, list[float]] = {each: [] for each in agents}
        won |= {called[text]: each for text, each in _won(part).items()}
        matches = min(len(each) for each in won.values() if each)
        scores = {each: 100 * float(np.mean(won[each] or [0.0])) for each in agents}
        found[name] = Scored(matches, scores, tuple(each for each in agents if not won[each]))
    return found


def candidates(texts: Sequence[str]) -> dict[str, str]:
    """What players of a store are called in a table: without clocks, and by their heuristics if they differ in nothing else."""
    bare = {text: clocked[1] or _USUAL if (clocked := _CLOCKED.fullmatch(text)) else text for text in texts}
    named = {text: _JUDGED.fullmatch(each) for text, each in bare.items()}
    known = {text: each[1] for text, each in named.items() if each is not None and each[1] in LUDII}
    return known if len(known) == len(bare) else bare


_USUAL = describe(Limited().inner)
_CLOCKED = re.compile(r"limited\((?:inner=(.*), )?cpu_seconds=[^,()]+\)")
_JUDGED = re.compile(r"alphabeta\(evaluator='?(\w+)'?\)")


def _won(part: Results) -> dict[str, list[float]]:
    """What each agent made of its matches in the first role."""
    own = np.flatnonzero(part.role == 0)
    won: dict[str, list[float]] = {}
    for row in own:
        won.setdefault(part.agent.names[part.agent.codes[row]], []).append(float(part.utility[row]))
    return won


def notes(path: Path) -> dict[str, GivenUp]:
    """Which games were given up, and why."""
    file = noted(path)
    if not file.exists():
        return {}
    try:
        found: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
        # Older releases noted the reason alone.
        return {name: GivenUp(*([each] if isinstance(each, str) else each)) for name, each in found.items()}
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        raise LudariumError(f"cannot read {file}: {problem}; delete it to try again what was given up") from None


def noted(path: Path) -> Path:
    """Where it is written which games were given up, beside the store."""
    return path.with_suffix(".skipped.json")


def _write(path: Path, skipped: Mapping[str, GivenUp]) -> None:
    try:
        write_file(noted(path), json.dumps(skipped, indent=1, ensure_ascii=False) + "\n")
    except OSError as problem:
        raise LudariumError(f"cannot write {noted(path)}: {problem}") from None
