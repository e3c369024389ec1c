"""Plans made in another process: to check a plan, its agents are loaded, and code that is not trusted is not loaded here.

What comes back is words and numbers. It runs as `python -m ludarium.arena.plan.elsewhere`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludarium.arena.plan.plan import Plan
from ludarium.core import LudariumError
from ludarium.outside import folders, search


def make_elsewhere(file: Path | None, given: Mapping[str, Any]) -> Plan:
    """Make the plan of a file, or of the words of a free-for-all, without loading what it names."""
    asked = {"file": None if file is None else str(file), "given": dict(given)}
    done = subprocess.run(
        [sys.executable, "-m", "ludarium.arena.plan.elsewhere"],
        input=json.dumps(asked),
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, (*sys.path, *folders())))},
    )
    try:
        told = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise LudariumError(f"the plan could not be made: {last}") from None
    if "problem" in told:
        raise LudariumError(str(told["problem"]))
    if file is not None:
        search(file.parent, code=False)
    return replace(Plan.read(told["plan"]), notes=tuple(map(str, told["notes"])))


def main() -> None:
    """Make one plan."""
    from ludarium.arena.plan.file import load  # noqa: PLC0415
    from ludarium.arena.plan.makers import free_for_all  # noqa: PLC0415

    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what is printed when code is loaded must not get into the answer
    asked = json.load(sys.stdin)
    try:
        plan = load(asked["file"]) if asked["file"] is not None else free_for_all(**asked["given"])
        told: dict[str, Any] = {"plan": plan.data, "notes": list(plan.notes)}
    except LudariumError as problem:
        told = {"problem": str(problem)}
    json.dump(told, answer)
    answer.flush()


if __name__ == "__main__":
    main()
