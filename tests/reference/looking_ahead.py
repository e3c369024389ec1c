"""Looking ahead as one would write it first: recursive, on plain states, without pruning."""

from ludarium.core import Rng
from ludarium.evaluate import evaluator, values

LEAST = 1e-6


def judged_by(game, spec):
    """A function from a state to a value per role: exact at the end of a game, else strictly between 0 and 1."""
    judge = evaluator(spec).judge(game)

    def static(state):
        if state.over:
            return state.utilities()
        return tuple(min(max(value, LEAST), 1 - LEAST) for value in values(judge, game, [state], Rng(0))[0])

    return static


def minimax(state, me, depth, judge):
    """What `me` gets if all others want to keep it low."""
    if state.over or depth == 0:
        return judge(state)[me]
    (role,) = state.movers
    found = [minimax(state.after(move), me, depth - 1, judge) for move in state.legal(role)]
    return max(found) if role == me else min(found)


def quiescent(state, me, depth, plies, swing, judge):
    """Minimax that follows moves with a large effect for some plies more."""
    stand = judge(state)[me]
    if state.over or depth <= -plies:
        return stand
    (role,) = state.movers
    found = [stand] if depth <= 0 else []
    for move in state.legal(role):
        child = state.after(move)
        if depth > 0 or child.over or abs(judge(child)[me] - stand) > swing:
            found.append(quiescent(child, me, depth - 1, plies, swing, judge))
    return max(found) if role == me else min(found)


def maxn(state, depth, judge):
    """What each role gets if all go for their own value, and take the first of equal moves."""
    if state.over or depth == 0:
        return judge(state)
    (role,) = state.movers
    found = [maxn(state.after(move), depth - 1, judge) for move in state.legal(role)]
    return max(found, key=lambda value: value[role])


def best_reply(state, me, depth, judge, free=None):
    """Minimax with one free opponent between two moves of `me`; the others make the first move in the list."""
    if state.over or depth == 0:
        return judge(state)[me]
    (role,) = state.movers
    moves = state.legal(role)
    if role == me:
        return max(best_reply(state.after(move), me, depth - 1, judge) for move in moves)
    first = state.after(moves[0])
    if free not in (None, role):
        return best_reply(first, me, depth - 1, judge, free)
    found = [best_reply(state.after(move), me, depth - 1, judge, role) for move in moves]
    if free is None and first.movers and first.movers[0] not in (me, role):
        found.append(best_reply(first, me, depth - 1, judge))
    return min(found)
