"""States to judge, and what evaluators make of them."""

from ludarium.core import Rng, State
from ludarium.evaluate import evaluator, values
from ludarium.evaluate.score import features
from ludarium.evaluate.sheet import Feature, sheet
from ludarium.kernel import bridge


def judged(spec: str, *states: State) -> list[tuple[float, ...]]:
    """What an evaluator says of states of one game."""
    game = states[0].game
    return values(evaluator(spec).judge(game), game, states, Rng(0))


def counted(kind: Feature, state: State) -> tuple[list[float], int]:
    """A feature of each role, as it is before it is weighted, and the forward calls that it took."""
    reached, roles = bridge(state.game), len(state.game.roles)
    looked_at = sheet(reached.table, [kind], [0.0] * roles * (1 + roles))
    acting = sum(1 << role for role in state.movers)
    calls = features(reached.table, bytearray(reached.block(state)), acting, looked_at, Rng(0))
    return list(looked_at.values), calls
