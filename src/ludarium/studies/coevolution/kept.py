"""What runs came to, in one text that is kept beside the page: a line of JSON for each, with its duels, without its networks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from ludarium.core import BadParameter
from ludarium.studies.coevolution.duels import Duel
from ludarium.studies.coevolution.runs import Run

FILE = "runs.jsonl"
"""Its name, in the folder beside the page."""

_DIGITS = 6  # of fractions: more than any table shows


def written(runs: Sequence[Run], duels: Sequence[Duel]) -> str:
    """Write down all that tables and figures are made from."""
    fought = {_place(each, each.role): [each.score, each.plain] for each in duels}
    return "".join(_line(run, [fought[key] for role in (0, 1) if (key := _place(run, role)) in fought]) for run in runs)


def read(text: str) -> list[tuple[Run, list[Duel]]]:
    """Read what was written down: runs, each with its duels."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            found.append(_read(json.loads(line)))
        except (ValueError, TypeError, KeyError) as problem:
            raise BadParameter(f"line {number} of {FILE} is not a run of this study: {problem}") from None
    return found


def _line(run: Run, fought: Sequence[Sequence[float]]) -> str:
    said = asdict(run) | {"duels": fought}
    del said["champions"]
    if not run.basis:
        del said["basis"]
    said["teachers"] = [[(count, len(list(times))) for count, times in groupby(each)] for each in run.teachers]
    return json.dumps(_short(said), separators=(",", ":")) + "\n"


def _read(given: dict[str, Any]) -> tuple[Run, list[Duel]]:
    fought = given.pop("duels")
    given["teachers"] = [[count for count, times in each for _ in range(times)] for each in given["teachers"]]
    run = Run.read(given)
    duels = [
        Duel(run.game, run.mending, run.size, run.seed, role, score, plain, run.mark)
        for role, (score, plain) in enumerate(fought)
    ]
    return run, duels


def _short(value: Any) -> Any:
    """The same with fewer digits."""
    if isinstance(value, dict):
        return {key: _short(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(each) for each in value]
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _place(what: Run | Duel, role: int) -> tuple[object, ...]:
    return what.game, what.mending, what.size, what.seed, what.mark, role
