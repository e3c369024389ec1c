"""What was run when and how: every run of a plan leaves a note in its store, so that results can be told from others.

The table is made when the first run is noted: stores that were begun before there were notes have none, and stay readable.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from time import time
from typing import Any

from ludarium.arena.plan.plan import Plan, names

_TABLE = "CREATE TABLE IF NOT EXISTS runs (plan TEXT NOT NULL, at REAL NOT NULL, data TEXT NOT NULL)"


@dataclass(frozen=True)
class Run:
    """A run of a plan."""

    plan: str
    """The id of the plan."""

    at: float
    """When it began, in seconds since 1970."""

    command: str
    """What was typed, or nothing if it was begun from Python."""

    version: str
    machine: str
    agents: Mapping[str, Mapping[str, str]]
    """Every agent with all its parameters, defaults included."""


def note(connection: sqlite3.Connection, plan: Plan, command: str, *, apart: bool = False) -> None:
    """Note that a plan is run, inside a transaction of the caller; agents that sit apart are not loaded for that."""
    data = {"command": command, "version": _version(), "machine": machine(), "agents": {} if apart else _agents(plan)}
    connection.execute(_TABLE)
    connection.execute("INSERT INTO runs VALUES (?, ?, ?)", (plan.id, time(), json.dumps(data)))


def read(connection: sqlite3.Connection) -> list[Run]:
    """Give the runs in their order; none if they were not noted."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchone():
        return []
    rows = connection.execute("SELECT plan, at, data FROM runs ORDER BY at")
    return [Run(plan, at, **json.loads(data)) for plan, at, data in rows]


def machine() -> str:
    """Describe the machine: system, processor and how many of them; not its name, which is nobody's business."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.is_file():
        lines = information.read_text(errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"{platform.system()} {platform.machine()}, {model}, {os.cpu_count()} processors"


def parameters(agent: object) -> dict[str, str]:
    """Write all parameters of an agent, defaults included."""
    if not is_dataclass(agent):
        return {}
    return {each.name: _write_value(getattr(agent, each.name)) for each in fields(agent) if each.init}


def _write_value(value: Any) -> str:
    if is_dataclass(value) and not isinstance(value, type):
        given = ", ".join(f"{key}={text}" for key, text in parameters(value).items())
        return f"{getattr(value, 'name', type(value).__name__)}({given})"
    return str(value)


def _agents(plan: Plan) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for pairing in plan.pairings:
        for spec in pairing.agents:
            if spec not in found:
                try:
                    found[spec] = parameters(names(pairing.catalog).agent(spec))
                except Exception:  # noqa: BLE001  what cannot be made cannot play either: that is told where it is played
                    found[spec] = {}
    return found


def _version() -> str:
    ours = import_module("ludarium").__version__  # which stands above: so it is asked by name
    return f"Ludarium {ours}, Python {platform.python_version()}"
