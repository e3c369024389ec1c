"""Recorded playouts of GDL games, as hashes: reading them, replaying them on any engine, recording new ones.

A trace is one random playout: per step the count and hash of every role's legal moves, the moves chosen, the
count and hash of the facts afterwards; then the goals of the last state. Texts are prefix form in lower case.
"""

from __future__ import annotations

import json
import math
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludarium.gdl.check.trial import Walk
from ludarium.gdl.text.syntax import Rule
from tests.reference.gdl import Reference

Trace = Mapping[str, Any]


def traces(folder: Path, game: str) -> list[Trace]:
    """The recorded playouts of a game."""
    lines = (folder / "traces" / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def digest(texts: Iterable[str]) -> tuple[int, str]:
    """The count and the hash of texts in any order."""
    normal = sorted(text.lower() for text in texts)
    return len(normal), f"{zlib.crc32(chr(10).join(normal).encode()):08x}"


def check_trace(walk: Walk, trace: Trace, *, seconds: float = math.inf) -> str | None:
    """Replay a trace; the first difference, None if there is none, or none before the (CPU) time is over."""
    end = time.process_time() + seconds
    roles = [role.lower() for role in walk.roles]
    if roles != trace["roles"]:
        return f"roles: {roles}, recorded {trace['roles']}"
    walk.start()
    where = "initial state"
    if difference := _compare(where, walk, trace["init"]):
        return difference
    for number, step in enumerate(trace["steps"], 1):
        if time.process_time() > end:
            return None
        for index, role in enumerate(roles):
            legal = walk.legal(index)
            if digest(legal) != tuple(step["legal"][index]):
                recorded = step["legal"][index][0]
                return f"{where}: {len(legal)} legal moves of {role}, recorded {recorded}: {legal[:5]}"
        walk.play(step["move"])
        where = f"state {number}"
        if difference := _compare(where, walk, step):
            return difference
    return _compare_goals(where, walk, trace)


def record(walk: Walk, seed: int, *, max_steps: int = 200) -> Trace:
    """Play at random and write down what happens, with the moves that the recorded traces draw."""
    walk.start()
    draws = _splitmix(seed)
    trace: dict[str, Any] = {
        "roles": [role.lower() for role in walk.roles],
        "init": _state(walk),
        "steps": [],
    }
    everyone = range(len(walk.roles))
    while not walk.terminal() and len(trace["steps"]) < max_steps:
        legal = [sorted(text.lower() for text in walk.legal(role)) for role in everyone]
        moves = [texts[next(draws) % len(texts)] for texts in legal]
        walk.play(moves)
        trace["steps"].append({"legal": [digest(texts) for texts in legal], "move": moves, **_state(walk)})
    values = [walk.goals(role) for role in everyone]
    trace["goals"] = [found[0] if found and len(found) == 1 else None for found in values]
    trace["goal_values"] = None if None not in trace["goals"] else [[str(v) for v in found or ()] for found in values]
    return trace


class ReferenceWalk:
    """A walk through a game with the slow reference."""

    trusts = False

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.game = Reference(rules)
        self.roles = self.game.roles
        self.start()

    def start(self) -> None:
        self.state = self.game.initial()

    def facts(self) -> list[str]:
        return [str(fact) for fact in self.state]

    def terminal(self) -> bool:
        return self.game.terminal(self.state)

    def legal(self, role: int) -> list[str]:
        return [str(move) for move in self.game.legal(self.state, self.roles[role])]

    def play(self, moves: Sequence[str]) -> None:
        joint = {}
        for role, text in zip(self.roles, moves, strict=True):
            joint[role] = next(m for m in self.game.legal(self.state, role) if str(m).lower() == text.lower())
        self.state = self.game.next(self.state, joint)

    def goals(self, role: int) -> list[int]:
        return self.game.goal(self.state, self.roles[role])

    def declared(self, relation: str) -> frozenset[str] | None:
        found = self.game.declared(relation)
        return frozenset(found) if found else None


def _state(walk: Walk) -> dict[str, Any]:
    count, checksum = digest(walk.facts())
    return {"n": count, "h": checksum, "terminal": walk.terminal()}


def _compare(where: str, walk: Walk, recorded: Mapping[str, Any]) -> str | None:
    facts = walk.facts()
    if digest(facts) != (recorded["n"], recorded["h"]):
        return f"{where}: {len(facts)} facts, recorded {recorded['n']}: {sorted(facts)[:5]}"
    if walk.terminal() != recorded["terminal"]:
        return f"{where}: terminal is {walk.terminal()}, recorded {recorded['terminal']}"
    return None


def _compare_goals(where: str, walk: Walk, trace: Trace) -> str | None:
    if trace["goals"] is None:
        return None
    for index, role in enumerate(walk.roles):
        found, goal = walk.goals(index), trace["goals"][index]
        values = [goal] if goal is not None else sorted(map(int, trace["goal_values"][index]))
        if found is not None and found != values:
            return f"{where}: the goals of {role} are {found}, recorded {values}"
    return None


def _splitmix(state: int) -> Iterator[int]:
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        yield z ^ z >> 31
