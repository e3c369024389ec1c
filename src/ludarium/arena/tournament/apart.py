"""Agents apart: each sits in a process of its own, is sent what its role may know, and sends back a decision.

The process that plays the match holds the state and the seed, and runs no code of the agents: it knows them by their
names only. What it sends is an information set; what it reads is JSON, and judged like every other answer.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from base64 import b64encode
from contextlib import suppress
from typing import Any
from weakref import finalize

from ludarium.core import Budget, Decision, Game, InformationSet, Player, Rng, Role, UnsupportedGame
from ludarium.outside import folders

SEAT = "ludarium.arena.tournament.apart_seat"


class SeatError(Exception):
    """What an agent did wrong in its own process, in its own words."""


class Apart:
    """An agent that is known by its name, and sits elsewhere."""

    def __init__(self, catalog: str, spec: str) -> None:
        self.catalog, self.spec = catalog, spec
        self.name = spec
        self._rooms: dict[Role, _Room] = {}

    def seat(self, game: Game, role: Role, rng: Rng) -> Player:
        """Let the agent sit down in a process that it has to itself in this role."""
        room = self._rooms.get(role)
        if room is None or room.gone:
            room = self._rooms[role] = _Room()
        asked = {"catalog": self.catalog, "agent": self.spec, "game": _packed(game), "role": role}
        return _Elsewhere(room, int(room.ask(asked | {"rng": rng.words.tolist()})["seat"]))


class _Elsewhere:
    """A player in another process."""

    def __init__(self, room: _Room, seat: int) -> None:
        self._room, self._seat = room, seat

    def choose(self, info: InformationSet, budget: Budget) -> Decision:
        """Tell what the role knows and what is left of the budget, and wait for the answer."""
        left = {"seconds": budget.seconds_left, "iterations": budget.iterations_left}
        left |= {"forward_calls": budget.forward_calls_left}
        return read_decision(self._room.ask({"seat": self._seat, "info": _packed(info), "limit": left}))


class _Room:
    """A process with seats in it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", SEAT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (*sys.path, *folders())))},
        )
        finalize(self, _end, self.process)

    @property
    def gone(self) -> bool:
        return self.process.poll() is not None

    def ask(self, what: dict[str, Any]) -> dict[str, Any]:
        """Send something, and give the answer; what went wrong there is raised here."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = ""
        with suppress(OSError):
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        if not line.endswith("\n"):
            raise SeatError(f"its process {_ending(self.process)}")
        try:
            answer: Any = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise SeatError("its process answered something else than a decision")
        if "unsupported" in answer:
            raise UnsupportedGame(str(answer["unsupported"]))
        if "failed" in answer:
            raise SeatError(str(answer["failed"]))
        return answer


def decision_data(made: Decision) -> dict[str, Any]:
    """Give a decision as what JSON can hold."""
    data = {name: getattr(made, name) for name in ("move", "iterations", "forward_calls", "seconds", "depth")}
    data |= {"note": made.note, "proven": made.proven, "line": list(made.line), "votes": list(made.votes)}
    return data | {name: list(getattr(made, name).items()) for name in ("values", "visits")}


def read_decision(data: dict[str, Any]) -> Decision:
    """Read what `decision_data` gave; what is no decision is an error, which its agent answers for."""
    try:
        values = {int(move): float(value) for move, value in data["values"]}
        visits = {int(move): int(count) for move, count in data["visits"]}
        line = tuple((int(role), int(move)) for role, move in data["line"])
        votes = tuple((str(name), int(move)) for name, move in data["votes"])
        proven = None if data["proven"] is None else float(data["proven"])
        counts = {name: int(data[name]) for name in ("iterations", "forward_calls", "depth")}
        seconds, note = float(data["seconds"]), str(data["note"])
        return Decision(
            int(data["move"]),
            values=values,
            visits=visits,
            line=line,
            votes=votes,
            proven=proven,
            seconds=seconds,
            note=note,
            **counts,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as problem:
        raise SeatError(f"its process sent no decision: {problem!r}") from None


def seated_apart(catalog: str, spec: str, shelf: dict[tuple[str, str], Apart]) -> Apart:
    """Give an agent that sits apart, the one from before if there is any."""
    return shelf.setdefault((catalog, spec), Apart(catalog, spec))


def _packed(what: Game | InformationSet) -> str:
    return b64encode(pickle.dumps(what)).decode()


def _ending(process: subprocess.Popen[str]) -> str:
    with suppress(subprocess.TimeoutExpired):
        code = process.wait(1.0)
        return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    _end(process)
    return "closed its answers"


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
