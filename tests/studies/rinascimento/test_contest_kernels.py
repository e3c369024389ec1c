"""The loop of the contests decides as the agents do: games of the same seed are the same, move for move."""

from array import array
from collections import Counter

import pytest

from ludarium import agent
from ludarium.agents.osla import OSLA
from ludarium.core import InformationSet, Limit, Rng
from ludarium.games.rinascimento.game import rinascimento
from ludarium.hidden import revealed
from ludarium.kernel import bridge
from ludarium.studies.rinascimento.contest import Contest, Won
from ludarium.studies.rinascimento.contest_kernels import look_ahead

GAME = rinascimento()
TWIN = revealed(GAME)
CALLS = 40


def drawn(state, role, rng):
    """One draw from the random action generator."""
    out = array("Q", [0])
    assert GAME.offers.actions().sample(GAME.state_record(bytearray(state.block)), role, out, rng)
    return out[0]


def played_by_the_agent(spec, games, rng):
    """What an agent wins against three random players, asked for each move, with the random numbers of the loop."""
    wins = stale = plies = 0
    for seat in range(games):
        player = agent(spec).seat(TWIN, seat, Rng(0))
        player.rng = rng
        state, own = GAME.initial(rng), []
        while not state.over:
            (role,) = state.movers
            legal = tuple(state.legal(role))
            if len(legal) == 1:
                move = legal[0]
            elif role == seat:
                imagined = TWIN.state(GAME.hidden_swap(state, role, rng).block)
                info = InformationSet(game=TWIN, role=role, legal=legal, played=tuple(own), state=imagined)
                move = player.choose(info, Limit(forward_calls=CALLS).start()).move
            else:
                move = drawn(state, role, rng)
            if role == seat:
                own.append(move)
            state = state.after(move, rng)
            plies += 1
        wins += state.utilities()[seat] == 1.0
        stale += max(state.utilities()) < 1.0
    return Won(games, wins, stale, plies)


@pytest.mark.parametrize(
    "spec",
    [
        "bmrh",
        "bmrh(mutation=fresh, evaluations=500, rescore=True, length=3, evaluator=own(way=engine))",
        "bmrh(shift_buffer=False, opponent=random)",
        "srh(evaluator=own(way=engine))",
        "srh(rate=0.3, length=3, rescore=False)",
        "widening",
        "widening(c=0.05, samples=5, depth=3, final=robust, evaluator=own(way=reach))",
        "widening(c=1.41, final=max, opponent=osla)",
        "osla(moves=sample)",
        "osla(moves=list)",
        "osla(moves=sample, evaluator=own(way=engine), reply=random)",
    ],
)
def test_the_loop_plays_the_moves_of_the_agent(spec):
    one, other = Rng(4), Rng(4)
    assert Contest(agent(spec), calls=CALLS, looking=False).play(4, one) == played_by_the_agent(spec, 4, other)
    assert one.next() == other.next()  # as many random numbers were drawn: all moves were the same


def position(seed, plies):
    """A state after some random moves, and who moves there."""
    rng = Rng(seed)
    state = TWIN.initial(rng)
    for _ in range(plies):
        state = state.after(drawn(state, state.movers[0], rng), rng)
    return state


EQUAL = [(5, 60), (6, 100), (9, 60), (11, 60)]  # where the mover has points, and many moves are as good as others
BETTER = [(4, 90), (6, 60), (9, 100)]  # where one or two moves of many bring points
TIMES, LOOKS = 300, 200


def by_the_loop(state, seed):
    """What the others of a contest play."""
    contest = Contest(OSLA(), calls=LOOKS)
    contest.round.fill(game=bytearray(state.block))
    return look_ahead(bridge(TWIN).table, contest.round, state.movers[0], Rng.keyed(seed, "loop"))


def by_the_agent(state, seed, moves="sample"):
    """What `osla` plays."""
    role = state.movers[0]
    info = InformationSet(game=TWIN, role=role, legal=tuple(state.legal(role)), state=state)
    return OSLA(moves=moves).seat(TWIN, role, Rng(seed)).choose(info, Limit(forward_calls=LOOKS).start()).move


def unlike(one, other):
    """How surely two rows of choices come from different distributions: chi-square as a normal deviate (Wilson, Hilferty)."""
    counts, others = Counter(one), Counter(other)
    both = sorted(((counts[move] + others[move], move, counts[move]) for move in {*counts, *others}), reverse=True)
    while len(both) > 1 and both[-1][0] < 10:  # rare moves are counted together
        (a, move, b), (c, _, d) = both.pop(), both.pop()
        both = sorted([(a + c, move, b + d), *both], reverse=True)
    if len(both) == 1:
        return 0.0
    freedom = len(both) - 1
    square = sum((2 * mine - total) ** 2 / total for total, _, mine in both)
    return ((square / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5


@pytest.mark.statistical
@pytest.mark.parametrize(("seed", "plies"), EQUAL + BETTER)
def test_the_others_of_the_loop_choose_as_often_as_the_agent_does(seed, plies):
    """Four standard deviations: a false alarm in 30,000 cases, with other seeds."""
    state = position(seed, plies)
    looped = [by_the_loop(state, seed) for seed in range(TIMES)]
    assert unlike(looped, [by_the_agent(state, seed) for seed in range(TIMES)]) < 4
    if len(set(looped)) > 2:  # it can tell another way to choose among equals
        assert unlike(looped, [by_the_agent(state, seed, "list") for seed in range(TIMES)]) > 4
