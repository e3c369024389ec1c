"""What every evaluator promises: values inside 0 and 1, utilities at the end, repeatable, the same from every kind of code.

A check raises a `CheckFailed` that names the evaluator, the game, the state and what is wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ludarium.core import Game, Rng, State, UnsupportedGame
from ludarium.evaluate import Evaluator, Judge, evaluator
from ludarium.kernel import KernelGame, bridge, using
from ludarium.testing.failure import check_refusal, failing_as
from ludarium.testing.games import Named, makers
from ludarium.testing.parameters import check_name, check_parameters

GAMES = ("tic-tac-toe", "breakthrough", "nim", "goofspiel")
"""One of each kind: with pieces and without, with kernels and without, at once."""

MATCHES = 3
PLIES = 220  # a random match of Battleship is that long
FEW = 6  # states that are judged by kernels as plain Python


@dataclass(frozen=True)
class Checked:
    """What a check has met: so that nothing is left out unnoticed."""

    game: str
    supported: bool
    states: int = 0
    ends: int = 0
    calls: int = 0
    """Forward calls that judging took, in all."""


def check_evaluator(
    judging: Evaluator | str, games: Iterable[Named] | Named = GAMES, *, seed: int = 0
) -> list[Checked]:
    """Check an evaluator with every game: what it promises where it judges, how it refuses where it does not."""
    made = evaluator(judging)
    with failing_as(f"evaluator '{made.name}'"):
        check_parameters(made)
        check_name("evaluator", made, evaluator)
        return [_check_with_game(made, make, seed) for make in makers(games)]


def _check_with_game(judging: Evaluator, make: Callable[[], Game], seed: int) -> Checked:
    game = make()
    with failing_as(game.name):
        try:
            judge = judging.judge(game)
        except UnsupportedGame as refusal:
            check_refusal(refusal, game.name)
            return Checked(game.name, supported=False)
        states = _states(game, seed)
        calls = sum(_check_state(judging, judge, state, place) for place, state in enumerate(states))
        if isinstance(game, KernelGame):
            _check_ways(judging, make, seed)
        ends = sum(state.over for state in states)
        return Checked(game.name, supported=True, states=len(states), ends=ends, calls=calls)


def _states(game: Game, seed: int) -> list[State]:
    """The states of some random games, with their ends."""
    found = []
    for number in range(MATCHES):
        rng = Rng.keyed(seed, "states", number)
        state = game.initial(rng)
        for _ in range(PLIES):
            found.append(state)
            if state.over:
                break
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
    return found


def _judged(judge: Judge, state: State) -> tuple[tuple[float, ...], int]:
    reached = bridge(state.game)
    out = array("d", [-1.0] * len(state.game.roles))
    calls = judge.kernel(reached.table, bytearray(reached.block(state)), out, judge.judging, Rng(5))
    return tuple(out), calls


def _check_state(judging: Evaluator, judge: Judge, state: State, place: int) -> int:
    with failing_as(f"state {place}"):
        found, calls = _judged(judge, state)
        assert 0 <= calls <= judge.calls, f"it took {calls} forward calls, and announced {judge.calls} at most"
        if state.over:
            assert found == state.utilities(), f"at the end it says {found}, and the game {state.utilities()}"
        elif judging.name != "result":
            assert all(0 < value < 1 for value in found), f"before the end it says {found}"
        assert _judged(judge, state) == (found, calls), "asked again it says something else"
        return calls


def _check_ways(judging: Evaluator, make: Callable[[], Game], seed: int) -> None:
    """Compare plain machine code with machine code that checks itself, and with Python."""
    found = {}
    for way in ("native", "check", "python"):
        with using(way), failing_as(f"kernels as {way}"):
            game = make()
            judge = judging.judge(game)
            states = _states(game, seed)
            found[way] = [_judged(judge, state) for state in states[:: max(1, len(states) // FEW)]]
    for way in ("check", "python"):
        assert found[way] == found["native"], f"kernels as {way} say {found[way]}, as machine code {found['native']}"
