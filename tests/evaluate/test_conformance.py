from dataclasses import dataclass
from functools import partial

import pytest

from ludarium import catalog
from ludarium.evaluate import Judge, evaluator
from ludarium.kernel import Bundle, Stream, Table, f64, i64, kernel, u8, view
from ludarium.testing import CheckFailed, check_evaluator

RULES = (
    "blocker",
    "eight-puzzle",
    "gdl:breakthrough",
    "gdl:connect-four",
    "gdl:nim",
    "gdl:tic-tac-toe",
    "meier",
    "three-player-connect-four",
    "tron",
)
PIECES = {"breakthrough", "connect-four", "tic-tac-toe"} | {
    "blocker",
    "gdl:breakthrough",
    "gdl:connect-four",
    "gdl:tic-tac-toe",
    "three-player-connect-four",
    "tron",
}
PLACED = PIECES - set(catalog.GAMES)
EVALUATORS = (
    "auto",
    "result",
    "mobility",
    "advanced",
    "advanced(looks=3)",
    "material",
    "goals",
    "centre",
    "lines",
    "mover - null",
    "material - 0.5*mobility",
    "linear(games=10)",
    "generated(games=10, states=200)",
)


@pytest.mark.parametrize("game", [*catalog.GAMES, *RULES])
@pytest.mark.parametrize("spec", EVALUATORS)
def test_every_evaluator_keeps_its_promises_with_every_game(spec, game):
    (checked,) = check_evaluator(evaluator(spec), partial(catalog.game, game))
    needed = (
        PIECES
        if "material" in spec
        else RULES
        if spec == "goals"
        else PLACED
        if spec in ("centre", "lines")
        else {game}
    )
    assert checked.supported == (game in needed)
    if checked.supported:
        assert checked.states > 3
        assert checked.ends > 0


@kernel
def above_one(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    table.utilities(state, out)
    if table.movers(state) != 0:
        out[0] = 1.5
    return 0


@kernel
def never_final(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    for role in range(table.roles):
        out[role] = 0.5
    return 0


class Memory(Bundle):
    asked: i64


@kernel
def forgetful(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    if table.movers(state) == 0:
        table.utilities(state, out)
        return 0
    memory = Memory.of(judging)
    memory.asked = (memory.asked + 1) % 200
    for role in range(table.roles):
        out[role] = f64(memory.asked + 1) / 300.0
    return 0


@kernel
def greedy(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    table.utilities(state, out)
    return 1


FAULTS = {"above one": above_one, "never final": never_final, "forgetful": forgetful, "greedy": greedy}


@dataclass(frozen=True)
class Faulty:
    name = "faulty"
    fault: str = "greedy"

    def judge(self, game):
        return Judge(FAULTS[self.fault], Memory())


@dataclass(frozen=True)
class Misnamed(Faulty):
    name = "mobility"


@pytest.mark.parametrize(
    ("faulty", "complaint"),
    [
        (Faulty("above one"), "before the end it says"),
        (Faulty("never final"), "at the end it says"),
        (Faulty("forgetful"), "asked again it says something else"),
        (Faulty("greedy"), "it took 1 forward calls, and announced 0"),
        (Misnamed(), "its name 'mobility' is that of another evaluator"),
    ],
)
def test_the_check_finds_what_is_wrong(faulty, complaint):
    with pytest.raises(CheckFailed, match=complaint):
        check_evaluator(faulty, partial(catalog.game, "tic-tac-toe"))
