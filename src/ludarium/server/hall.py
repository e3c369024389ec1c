"""All that a server has: games, matches, tournaments and studies. The interface and the page both stand on it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ludarium import catalog, registry
from ludarium.core import LudariumError, Match
from ludarium.core.agent import HUMAN
from ludarium.core.parameters import Numbers, Part, Words, YesNo
from ludarium.server.asking import limit
from ludarium.server.contests import Contests
from ludarium.server.errors import Refused
from ludarium.server.matches.held import HeldMatch
from ludarium.server.matches.records import read, trial_name
from ludarium.server.matches.room import Room
from ludarium.server.matches.seats import seat
from ludarium.server.shelf import Shelf
from ludarium.server.studies import StudyPages


@dataclass(frozen=True)
class Place:
    """What was asked for a seat."""

    agent: str = HUMAN
    iterations: int | None = None
    seconds: float | None = None


class Hall:
    """Games and matches, and threads in which agents are asked without a match."""

    def __init__(self, folders: Sequence[Path] = (), stores: Path | None = None) -> None:
        self.shelf = Shelf(folders)
        self.contests = Contests(self.shelf, stores)
        self.studies = StudyPages(self.contests.folder)
        self.room = Room()
        # A page asks for dozens of pictures at once: they wait here, and not in the threads that answer everybody.
        self.drawers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="drawing")
        self.askers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="asking")

    def open(self, game: str, places: Sequence[Place], **more: Any) -> HeldMatch:
        """Begin a match of a game, with these seats."""
        seats = [
            seat(each.agent, seconds=each.seconds)
            if each.agent.strip() == HUMAN
            else seat(each.agent, limit(each.seconds, each.iterations))
            for each in places
        ]
        return self.room.open(self.shelf.game(game), seats, spec=game.strip(), **more)

    async def ask(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Let something that takes long be done in one of few threads; those that answer everybody do not wait for it."""
        return await asyncio.get_running_loop().run_in_executor(self.askers, work)

    def read(self, text: str, game: str = "") -> HeldMatch:
        """Go on with a match that was saved, in one of the forms that tell its moves; a trial of Ludii names its game."""
        title = trial_name(text)
        if title is not None and not game:
            ours = catalog.LUD + "-".join(re.findall(r"\w+", title.lower()))
            game = ours if ours in catalog.rule_files() else catalog.LUD + title
        return self.load(read(text, self.shelf.game(game) if game else None), game)

    def load(self, kept: Match, game: str = "") -> HeldMatch:
        """Go on with a match that was saved: its moves are made again, and its agents sit down as far as they are known."""
        game = game or self.shelf.named(kept.game, kept.rules)
        rules = self.shelf.game(game)
        seats = []
        for name in kept.agents:
            try:
                seats.append(seat(name))
            except LudariumError:
                seats.append(seat(HUMAN))
        if len(seats) != len(rules.roles):
            raise Refused(f"{rules.name} has {len(rules.roles)} roles, but the match was played by {len(seats)}")
        moves = "; ".join(kept.moves)
        return self.room.open(rules, seats, seed=kept.seed, moves=moves, paused=True, spec=game)

    @cached_property
    def agents(self) -> list[dict[str, Any]]:
        """All agents: what they do, and what can be set, from the descriptions in their code."""
        return [_agent(name, entry) for name, entry in registry.listed("agent").items()]

    def close(self) -> None:
        """End everything."""
        self.contests.close()
        self.room.close()
        self.drawers.shutdown(wait=False, cancel_futures=True)
        self.askers.shutdown(wait=False, cancel_futures=True)
        self.shelf.close()


def _agent(name: str, entry: registry.Entry) -> dict[str, Any]:
    meanings = catalog.meanings(entry.make)
    ranges = registry.ranges(entry)
    return {
        "name": name,
        "about": registry.about(entry),
        "parameters": [
            {"name": key, "default": _plain(each.default), "about": meanings.get(key, ""), **_domain(ranges.get(key))}
            for key, each in registry.parameters(entry).items()
        ],
    }


def _domain(domain: Any) -> dict[str, Any]:
    match domain:
        case Numbers(low, high, whole):
            return {"kind": "whole" if whole else "number", "low": low, "high": None if high > 1e15 else high}
        case Words(tries):
            return {"kind": "choice", "choices": list(tries)}
        case YesNo():
            return {"kind": "flag"}
        case Part(kind):
            return {"kind": kind}
        case _:
            return {"kind": "text"}


def _plain(value: Any) -> Any:
    from ludarium.core import describe  # noqa: PLC0415

    if value is None or isinstance(value, str | int | float | bool):
        return value
    return describe(value) if hasattr(value, "name") else repr(value)
