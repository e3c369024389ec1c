"""Rules from strangers are first tried in a process of their own, with limits on time and memory that the system keeps.

`python -m ludarium.server.trial` reads a request as JSON and answers what is wrong with the rules, or how the game begins. What
hangs, explodes or crashes there is told as a problem, and harms nobody.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import BoundedSemaphore
from typing import Any

LARGEST = 500_000
"""Bytes of rules that are taken."""

SECONDS, MEGABYTES = 20, 3000
"""What trying rules may take: processor time, and address space."""

LIMITS: dict[str, Any] = {"seconds": 12.0, "megabytes": 1000, "instances": 300_000, "file_megabytes": LARGEST / 1e6}
"""What loading such rules may cost, as games count it."""

_PATIENCE = 40.0  # seconds by the clock on the wall, on a machine that is busy
_PLAYOUTS, _PLIES = 2, 150
_RANDOM, _MATCHES, _ITERATIONS = 10, 6, 50  # what is played for the first figures of an assessment
_ROOM = BoundedSemaphore(3)  # tried at once: each may take gigabytes


def tried(
    text: str, ending: str, *, seconds: float = SECONDS, play: bool = True, assess: bool = False
) -> dict[str, Any]:
    """Try rules in a process of their own: whether they are `ok`, all `problems`, and how the game begins if it can be played.

    With `assess`, a few matches tell what the game is like, too.
    """
    request = json.dumps({"text": text, "ending": ending, "seconds": seconds, "play": play, "assess": assess})
    command = [sys.executable, "-m", "ludarium.server.trial"]
    try:
        with _ROOM:
            done = subprocess.run(  # noqa: S603  # ourselves
                command, input=request, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
    except subprocess.TimeoutExpired:
        return _refused(f"trying the rules took more than {_PATIENCE:g} seconds")
    try:
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        if done.returncode < 0 or "MemoryError" in done.stderr or "bad_alloc" in done.stderr:
            return _refused(f"the rules need more than {seconds:g} seconds, or more than {MEGABYTES:,} MB, to be tried")
        return _refused("the rules could not be tried: the process that did it ended without an answer")
    return answer


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.read())
    _confine(request["seconds"])
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"rules{request['ending']}"
        file.write_text(request["text"], encoding="utf-8")
        try:
            answer = _answer(file, play=request["play"], assess=request["assess"])
        except MemoryError:
            answer = _refused(f"the rules need more than {MEGABYTES:,} MB to be tried")
    sys.stdout.write(json.dumps(answer).replace(str(file), file.name) + "\n")


def _confine(seconds: float) -> None:
    """Let the system end this process when it takes too much."""
    try:
        import resource  # noqa: PLC0415  # which not every system has
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _answer(file: Path, *, play: bool, assess: bool) -> dict[str, Any]:
    from ludarium.core import LudariumError  # noqa: PLC0415
    from ludarium.core.limits import limited  # noqa: PLC0415
    from ludarium.core.problems import RulesError  # noqa: PLC0415

    with limited(**LIMITS):
        try:
            found = _problems(file)
            answer = {"ok": all(each["warning"] for each in found), "problems": found, "error": "", "beginning": None}
            if answer["ok"] and play:
                answer["beginning"] = _beginning(file)
            if answer["ok"] and assess:
                answer["assessed"] = _assessed(file)
        except RulesError as problem:
            return {"ok": False, "problems": [_told(each) for each in problem.problems], "error": "", "beginning": None}
        except (LudariumError, RecursionError) as problem:
            return _refused(str(problem) or "the rules are nested too deeply")
    return answer


def _problems(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".lud":
        from ludarium.terminal.commands.check import ludii_problems  # noqa: PLC0415

        return [_told(each) for each in ludii_problems(file, play=False)]
    from ludarium.gdl.check import checker  # noqa: PLC0415

    return [_told(each) for each in checker.check_file(file, play=False, strict=False)]


def _beginning(file: Path) -> dict[str, Any]:
    """Load the game and play it at random for a while: a game that hangs later hangs here."""
    from ludarium import catalog  # noqa: PLC0415
    from ludarium.core import Rng  # noqa: PLC0415
    from ludarium.drawing import picture_svg  # noqa: PLC0415

    game = catalog.game(str(file))
    lengths = []
    for seed in range(_PLAYOUTS):
        rng = Rng(seed)
        state, plies = game.initial(rng), 0
        while not state.over and plies < _PLIES:
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
            plies += 1
        lengths.append(plies)
    first = game.initial(Rng(0))
    return {
        "roles": list(game.roles),
        "svg": picture_svg(game, first),
        "legal": {game.roles[role]: len(first.legal(role)) for role in first.movers},
        "plies": lengths,
        "traits": {name: value for name, value in vars(game.traits).items() if value is not None},
    }


def _assessed(file: Path) -> dict[str, Any]:
    """Play a few matches, and tell the first figures of `ludarium assess`."""
    from ludarium import catalog  # noqa: PLC0415
    from ludarium.arena.assess import Assessment, findings  # noqa: PLC0415
    from ludarium.arena.assess.numbers import estimates  # noqa: PLC0415

    found = Assessment(catalog.game(str(file)), iterations=_ITERATIONS)
    for _ in range(_RANDOM):
        found.play_random()
    for _ in range(_MATCHES):
        found.play_match()
    numbers = [each for each in estimates(found) if each.count > 1]
    return {
        "numbers": [
            {"name": each.name, "mean": each.mean, "low": each.low, "high": each.high, "count": each.count}
            for each in numbers
        ],
        "findings": findings(found),
    }


def _told(problem: Any) -> dict[str, Any]:
    return {
        "line": problem.place.line,
        "column": problem.place.column,
        "message": problem.message,
        "hint": problem.hint,
        "warning": problem.warning,
    }


def _refused(error: str) -> dict[str, Any]:
    return {"ok": False, "problems": [], "error": error, "beginning": None}


if __name__ == "__main__":
    main()
