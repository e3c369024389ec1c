"""Agents in processes of their own play as they would here, and reach nothing of the match."""

import os

import pytest

from ludarium.arena import round_robin, run
from ludarium.arena.tournament.apart import SeatError, read_decision
from ludarium.arena.tournament.jobs import Failure, Job, Shelf, played
from ludarium.core import BadParameter
from tests.arena.tournament.test_tournament import ODD, by_id
from tests.commands import run as command


@pytest.mark.parametrize("game", ["kuhn-poker", "nim", "gdl:tic-tac-toe", "goofspiel(cards=3)"])
def test_the_matches_are_the_same(game):
    plan = round_robin([game], ["uct", "random"], matches=1, iterations=20, seed=0)
    here, there = Shelf(), Shelf()
    for pairing in plan.pairings:
        (expected,) = played(Job(pairing, [0]), here)
        (match,) = played(Job(pairing, [0], apart=True), there)
        assert match == expected
        assert not match.faults


def faults(*agents, **options):
    plan = round_robin(["tic-tac-toe"], agents, matches=1, iterations=5, seed=0, catalog=ODD, **options)
    (match,) = played(Job(plan.pairings[0], [0], apart=True), Shelf())
    assert not isinstance(match, Failure), match
    return match.faults


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("end(at=1)", "crash: SeatError: its process ended with exit code 3"),
        ("kill(at=1)", "crash: SeatError: its process was killed by signal 9"),
        ("fail(at=1)", "crash: SeatError: ValueError: I do not want to"),
        ("leave(at=1)", "crash: SeatError: SystemExit: enough"),
        ("illegal(at=1)", "illegal: 1000000 is not a legal move"),
        ("nothing(at=1)", "crash: SeatError: TypeError: None is no decision"),
        ("noise(at=1)", ""),
    ],
)
def test_what_an_agent_does_wrong_is_its_own_fault(name, told):
    found = faults(name, "random")
    if told:
        assert found[0] == f"{name} (x) at move 3: {told}"
    else:
        assert not found


def test_who_looks_for_the_state_finds_none():
    """In the same process it is there for whoever looks through all objects; apart it is not."""
    plan = round_robin(["kuhn-poker"], ["thief", "random"], matches=1, iterations=5, seed=0, catalog=ODD)
    (match,) = played(Job(plan.pairings[0], [0]), Shelf())
    assert "found" in match.faults[0]
    (match,) = played(Job(plan.pairings[0], [0], apart=True), Shelf())
    assert not match.faults


def test_a_tournament_apart(tmp_path):
    plan = round_robin(["kuhn-poker"], ["flat", "random"], matches=3, iterations=5, seed=0)
    for name, apart in (("here.db", False), ("apart.db", True)):
        assert run(plan, tmp_path / name, 1, "processes", apart=apart).played == 6
    assert by_id(tmp_path / "apart.db") == by_id(tmp_path / "here.db")


def test_nobody_cheats_from_afar(tmp_path):
    plan = round_robin(["kuhn-poker"], ["omniscient", "random"], matches=1, iterations=5, cheating=True)
    with pytest.raises(BadParameter, match="who sits apart is shown no state"):
        run(plan, tmp_path / "results.db", 1, "threads", apart=True)


@pytest.mark.parametrize("answer", [{}, {"move": "a1"}, {"move": 1, "values": 3}])
def test_what_is_no_decision_is_a_fault(answer):
    with pytest.raises(SeatError, match="sent no decision"):
        read_decision(answer)


SPY = """
import os
from pathlib import Path
from dataclasses import dataclass
from typing import ClassVar
from ludarium.core import Decision

with Path(os.environ["LOADED"]).open("a") as file:
    file.write(f"{os.getpid()}\\n")

@dataclass(frozen=True)
class Spy:
    name: ClassVar[str] = "spy"
    def seat(self, game, role, rng): return self
    def choose(self, info, budget):
        budget.charge(iterations=1)
        return Decision(info.legal[0], iterations=1)
"""


def test_the_command_loads_no_code_of_agents_itself(tmp_path, monkeypatch):
    """Neither the process of the command nor those that hold states, but only those that agents sit in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOADED", str(tmp_path / "loaded"))
    (tmp_path / "spy.py").write_text(SPY)
    given = ("--games", "kuhn-poker", "--agents", "spy.py:Spy", "random", "--games-per-pair", "2", "--iterations", "5")
    told = command(
        "tournament", *given, "--on", "threads", "--workers", "1", "--apart", "--store", "out.db", "--no-report"
    )
    assert told.exit_code == 0, told.output
    loaded = set((tmp_path / "loaded").read_text().split())
    assert loaded
    assert str(os.getpid()) not in loaded
    assert len(by_id("out.db")) == 2
    assert not [fault for match in by_id("out.db").values() for fault in match.faults]
    wrong = command("tournament", *given[:4], "spy.py:Nobody", "--apart")
    assert wrong.exit_code == 2
    assert "Nobody" in wrong.output
