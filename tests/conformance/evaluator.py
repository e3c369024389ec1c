"""What every evaluator promises: values inside 0 and 1, utilities at the end, repeatable, the same from every kind of code.

A check raises an AssertionError that names the evaluator, the game, the state and what is wrong.
"""

import contextlib
import pickle
from array import array
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass, replace

from ludarium.core import Game, Rng, State, UnsupportedGame
from ludarium.evaluate import Evaluator, Judge, evaluator
from ludarium.kernel import KernelGame, bridge, using

GAMES = 3
PLIES = 220  # a random match of Battleship is that long
FEW = 6  # states that are judged by kernels as plain Python


@dataclass(frozen=True)
class Checked:
    """What a check has met: so that nothing is left out unnoticed."""

    supported: bool
    states: int = 0
    ends: int = 0
    calls: int = 0
    """Forward calls that judging took, in all."""


def check_evaluator(judging: Evaluator, make: Callable[[], Game], *, seed: int = 0) -> Checked:
    """Check an evaluator with a game: what it promises where it judges, how it refuses where it does not."""
    with _told_as(f"evaluator '{judging.name}'"):
        _check_parameters(judging)
        game = make()
        with _told_as(game.name):
            try:
                judge = judging.judge(game)
            except UnsupportedGame as refusal:
                told = str(refusal)
                assert game.name in told, f"it refuses, but does not say which game: {told!r}"
                assert len(told.split()) > 5, f"it refuses, but does not say why: {told!r}"
                return Checked(supported=False)
            states = _states(game, seed)
            calls = sum(_check_state(judging, judge, state, place) for place, state in enumerate(states))
            if isinstance(game, KernelGame):
                _check_ways(judging, make, seed)
            ends = sum(state.over for state in states)
            return Checked(supported=True, states=len(states), ends=ends, calls=calls)


def _check_parameters(judging: Evaluator) -> None:
    assert is_dataclass(judging), "it is no dataclass"
    for each in fields(judging):
        with contextlib.suppress(FrozenInstanceError):
            setattr(judging, each.name, getattr(judging, each.name))
            raise AssertionError(f"its parameter {each.name} can be changed")
    assert replace(judging) == judging, "a copy with the same parameters is not equal"
    assert hash(replace(judging)) == hash(judging), "equal evaluators have different hashes"
    assert pickle.loads(pickle.dumps(judging)) == judging, "it does not survive pickling"
    if not fields(judging) or judging.name not in ("linear", "generated"):
        assert evaluator(judging.name) == judging, f"{judging.name!r} is read as another one"


def _states(game: Game, seed: int) -> list[State]:
    """The states of some random games, with their ends."""
    found = []
    for number in range(GAMES):
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
    calls = judge.kernel(reached.table, bytearray(reached.block(state)), out, judge.memory, Rng(5))
    return tuple(out), calls


def _check_state(judging: Evaluator, judge: Judge, state: State, place: int) -> int:
    with _told_as(f"state {place}"):
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
        with using(way), _told_as(f"kernels as {way}"):
            game = make()
            judge = judging.judge(game)
            states = _states(game, seed)
            found[way] = [_judged(judge, state) for state in states[:: max(1, len(states) // FEW)]]
    for way in ("check", "python"):
        assert found[way] == found["native"], f"kernels as {way} say {found[way]}, as machine code {found['native']}"


@contextlib.contextmanager
def _told_as(what: str) -> Iterator[None]:
    """Say where a check failed; whatever an evaluator raises of itself is a failure."""
    try:
        yield
    except AssertionError as problem:
        raise AssertionError(f"{what}: {problem}") from problem.__cause__
    except Exception as problem:
        raise AssertionError(f"{what}: {type(problem).__name__}: {problem}") from problem
