"""The process that an agent has to itself: it seats it, asks it, and sends back what it decides, a line of JSON each.

It runs as `python -m ludarium.arena.tournament.apart_seat`, and ends when nobody writes to it any more.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from array import array
from base64 import b64decode
from itertools import count
from typing import Any

from ludarium.arena.plan.plan import names
from ludarium.arena.seating import sit_down
from ludarium.arena.tournament.apart import decision_data
from ludarium.core import Decision, Limit, Player, Rng, UnsupportedGame

_KEPT = 2  # seats: that of the match, and one to warm up in


def main() -> None:
    """Answer until nobody asks."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what agents print must not get between the answers
    seats, numbers = dict[int, Player](), count()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if "agent" in asked:
                number = next(numbers)
                seats[number] = _seated(asked)
                for old in list(seats)[:-_KEPT]:
                    del seats[old]
                answer: dict[str, Any] = {"seat": number}
            else:
                answer = _chosen(seats[asked["seat"]], asked)
        except UnsupportedGame as problem:
            answer = {"unsupported": str(problem)}
        except (Exception, SystemExit) as problem:  # noqa: BLE001
            answer = {"failed": f"{type(problem).__name__}: {problem}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _seated(asked: dict[str, Any]) -> Player:
    rng = Rng(0)
    rng.words[:] = array("Q", asked["rng"])
    game = pickle.loads(b64decode(asked["game"]))  # noqa: S301  # from the referee, whom agents have to trust
    return sit_down(names(asked["catalog"]).agent(asked["agent"]), game, asked["role"], rng)


def _chosen(player: Player, asked: dict[str, Any]) -> dict[str, Any]:
    info = pickle.loads(b64decode(asked["info"]))  # noqa: S301
    made: Any = player.choose(info, Limit(**asked["limit"]).start())
    if not isinstance(made, Decision):
        raise TypeError(f"{made!r} is no decision")
    return decision_data(made)


if __name__ == "__main__":
    main()
