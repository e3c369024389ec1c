"""A catalog with agents that misbehave, each in its own way; all other names mean what they mean elsewhere."""

import gc
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ludarium import catalog
from ludarium.core import Decision, GameError

game = catalog.game


def agent(spec):
    name, _, rest = spec.partition("(")
    if name not in ODD:
        return catalog.agent(spec)
    return KINDS[name](at=int(rest.removeprefix("at=").removesuffix(")") or 0))


@dataclass(frozen=True)
class Odd:
    """Plays its first legal move, but for the move number `at`, counted from 0 on."""

    name: ClassVar[str] = ""
    at: int = 0

    def seat(self, game, role, rng):
        if self.name.startswith("seat-"):
            ODD[self.name](None)
        return OddPlayer(self)


class OddPlayer:
    def __init__(self, agent):
        self.agent = agent

    def choose(self, info, budget):
        budget.charge()
        if len(info.played) == self.agent.at and not self.agent.name.startswith("seat-"):
            return ODD[self.agent.name](info)
        return Decision(info.legal[0])


def eat(info):
    eaten = []
    while True:
        eaten.append(bytearray(256 << 20))


def late(info):
    time.sleep(0.5)
    return Decision(info.legal[0])


def hang(info):
    time.sleep(1000)


def end(info):
    os._exit(3)


def kill(info):
    os.kill(os.getpid(), 9)


def wait_once(info):
    """Say that it waits, and wait for long; but whoever finds that it was said already plays on."""
    said = Path(os.environ["WAITS"])
    if not said.exists():
        said.touch()
        time.sleep(1000)
    return Decision(info.legal[0])


def fork(info):
    os.fork()  # and both go on
    return Decision(info.legal[0])


def leave_behind(info):
    """Start a process that would go on for long, and say where it is."""
    started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    child = os.fork()
    if child == 0:
        time.sleep(1000)
    with Path(os.environ["LEFT_BEHIND"]).open("a", encoding="utf-8") as file:
        file.write(f"{started.pid} {child}\n")
    return Decision(info.legal[0])


def thief(info):
    """Look through all that Python knows for a match under way."""
    if any(type(each).__name__ == "Position" for each in gc.get_objects()):
        raise ValueError("found")
    return Decision(info.legal[0])


def fail(info):
    raise ValueError("I do not\nwant to")


def leave(info):
    sys.exit("enough")


def noise(info):
    print("I print\nall over the place", flush=True)  # noqa: T201
    os.write(1, b"and deeper\n")
    return Decision(info.legal[0])


def watched(info):
    """Fail if the garbage collector looks at all that is loaded."""
    if not gc.get_freeze_count():
        raise RuntimeError("the collector sees everything")
    return Decision(info.legal[0])


def broken_game(info):
    raise GameError("game 'x' breaks its promises")


def rubbish_numbers(info):
    return Decision(info.legal[0], values={info.legal[0]: float("nan")}, visits=7, iterations="many")


ODD = {
    "late": late,
    "hang": hang,
    "end": end,
    "kill": kill,
    "wait-once": wait_once,
    "eat": eat,
    "fork": fork,
    "thief": thief,
    "leave-behind": leave_behind,
    "fail": fail,
    "leave": leave,
    "noise": noise,
    "illegal": lambda info: Decision(10**6),
    "nothing": lambda info: None,
    "words": lambda info: Decision("a1"),
    "rubbish-numbers": rubbish_numbers,
    "broken-game": broken_game,
    "watched": watched,
    "seat-fail": fail,
    "seat-end": end,
}

KINDS = {name: type(name, (Odd,), {"name": name}) for name in ODD}
