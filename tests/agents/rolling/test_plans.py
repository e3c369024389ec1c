from array import array
from dataclasses import replace
from functools import partial

import pytest

from ludarium import catalog, game, play
from ludarium.agents.bmrh import BMRH
from ludarium.agents.flat import Flat
from ludarium.agents.osla import OSLA
from ludarium.agents.rhea import RHEA
from ludarium.agents.rmhc import RMHC
from ludarium.agents.rolling.plans import seeded
from ludarium.agents.rolling.player import PATIENCE
from ludarium.agents.srh import SRH
from ludarium.core import GameError, Limit, Rng, UnsupportedGame
from ludarium.kernel import Stream
from ludarium.testing import check_agent
from tests.agents.positions import after, decide, facing
from tests.agents.rolling_games import (
    DOWN,
    PASS,
    UP,
    charging,
    rope,
    rope_together,
    rope_with_luck,
    rope_without_end,
)
from tests.agents.small_games import faulty

PLANNERS = (RHEA(), RMHC(), BMRH(evaluations=10**9), SRH(evaluations=10**9))
CONNECT_FOUR = game("connect-four")

VARIANTS = (
    "bmrh(mutation=gaussian, opponent=flat, evaluations=5)",
    "bmrh(mutation=decay, length=4, opponent=osla, shift_buffer=False)",
    "bmrh(mutation=none, evaluator='advanced')",
    "rhea(crossover='one-point', population=3, elites=0, opponent=osla, length=3, rate=0.5)",
    "rhea(crossover=none, population=2, rescore=False, discount=0, opponent=nothing)",
    "rmhc(mutation=uniform, discount=1, rescore=True, evaluator='advanced', length=3)",
    "srh(rate=0, mutate_once=True, length=5, opponent=random)",
    "srh(evaluations=0, opponent=rmhc(length=2))",
)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("made", ["tic-tac-toe", "goofspiel(cards=4)", "nim(heaps=(2, 3))", "kuhn-poker"])
def test_variants_keep_their_promises(variant, made):
    (checked,) = check_agent(catalog.agent(variant), [partial(catalog.game, made)])
    assert checked.supported == (made != "kuhn-poker")


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_it_wins_at_once(planner):
    for moves, best in (("a b a b a b", "a"), ("a a b b c c", "d")):
        for seed in range(5):
            chosen = decide(planner, after(CONNECT_FOUR, moves), seed=seed, iterations=2000)
            if planner.name in ("rmhc", "rhea"):  # which count how soon it is
                assert CONNECT_FOUR.text(chosen.move) == best
            assert max(chosen.values, key=chosen.values.get) == CONNECT_FOUR.parse(best)


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_against_osla_replies_it_blocks(planner):
    blocking = replace(planner, opponent="osla", evaluator="result", length=2)
    for seed in range(5):
        chosen = decide(blocking, after(CONNECT_FOUR, "a g a g a"), seed=seed, iterations=1000)
        assert CONNECT_FOUR.text(chosen.move) == "a"


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
@pytest.mark.parametrize("made", [rope(), rope_together()], ids=lambda made: made.name)
@pytest.mark.parametrize("role", [0, 1])
def test_it_finds_the_best_plan_and_tells_its_line(planner, made, role):
    state = made.initial() if made.name != "rope" or role == 0 else made.initial().after(PASS)
    pulling = replace(planner, opponent="nothing", evaluator="result", length=3)
    chosen = decide(pulling, state, role=role, iterations=800)
    best = DOWN if role else UP
    assert [move for who, move in chosen.line if who == role] == [best] * 3
    assert {move for who, move in chosen.line if who != role} == {PASS}
    assert chosen.move == best
    assert chosen.depth == (6 if made.name == "rope" else 3)
    assert set(chosen.visits) == {PASS, UP, DOWN}
    assert sum(chosen.visits.values()) == chosen.iterations == 800


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_the_end_of_the_game_ends_a_plan(planner):
    state = rope().initial()
    for _ in range(6):
        state = state.after(PASS)
    long = replace(planner, opponent="nothing", evaluator="result", length=50)
    chosen = decide(long, state, iterations=100)
    assert chosen.forward_calls == 200
    assert chosen.depth == 2
    assert chosen.values == {PASS: pytest.approx(0.5), UP: pytest.approx(21 / 40), DOWN: pytest.approx(19 / 40)}


def test_a_discount_makes_sooner_better():
    """One pull up of two: what comes first counts in both states, what comes second in one."""
    for discount, value in ((0.5, (21 + 0.5 * 20) / 1.5 / 40), (1.0, 20.5 / 40), (0.0, 20 / 40)):
        agent = RMHC(length=2, discount=discount, opponent="nothing", evaluator="result")
        player = agent.seat(rope(), 0, Rng(0))
        player.plans.genes[:2], player.plans.fresh[:2] = array("Q", [UP, DOWN]), b"\0\0"
        chosen = player.choose(facing(player.scene.game.initial()), Limit(iterations=1).start())
        assert chosen.values == {UP: pytest.approx(value)}


def test_a_game_that_is_over_stays_what_it_is_worth():
    state = rope().initial()
    for _ in range(4):
        state = state.after(PASS)
    player = RMHC(length=4, discount=0.5, opponent="nothing", evaluator="result").seat(state.game, 0, Rng(0))
    player.plans.genes[:2], player.plans.fresh[:2] = array("Q", [UP, UP]), b"\0\0"
    chosen = player.choose(facing(state), Limit(iterations=1).start())
    assert chosen.values == {UP: pytest.approx((21 + (0.5 + 0.25 + 0.125) * 22) / 1.875 / 40)}


def test_a_move_that_is_not_legal_is_replaced():
    made = game("tic-tac-toe")
    state = after(made, "b2")
    player = BMRH(length=3).seat(made, 1, Rng(0))
    taken = made.parse("b2")
    for _ in range(10):
        player.plans.genes[:3], player.plans.fresh[:3] = array("Q", [taken] * 3), b"\0\0\0"
        chosen = player.choose(facing(state), Limit(iterations=1).start())
        moves = [move for _, move in chosen.line]
        assert len({taken, *moves}) == 1 + len(moves), "nobody plays where somebody has"
        assert chosen.visits == {moves[0]: 1}


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_chance_is_rolled_anew(planner):
    chosen = decide(replace(planner, evaluator="result"), rope_with_luck().initial(Rng(0)), iterations=4000)
    assert chosen.values[PASS] == pytest.approx(0.5)
    assert chosen.values[UP] == pytest.approx(0.25, abs=0.05)


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_a_plan_ends_when_its_role_never_moves_again(planner):
    chosen = decide(planner, rope_without_end().initial(), iterations=3)
    assert chosen.depth == 1 + PATIENCE


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
@pytest.mark.parametrize("calls", [1, 2, 9, 10, 50, 333])
def test_forward_calls_are_counted_to_the_last(planner, calls):
    assert decide(planner, CONNECT_FOUR.initial(), forward_calls=calls).forward_calls == calls


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
@pytest.mark.parametrize("calls", [*range(1, 30), 333])
def test_calls_are_kept_back_for_judging(planner, calls):
    budget = Limit(forward_calls=calls).start()
    player = charging(planner.seat(CONNECT_FOUR, 0, Rng(0)))
    chosen = player.choose(facing(CONNECT_FOUR.initial()), budget)
    assert chosen.forward_calls == budget.spent.forward_calls <= calls
    assert chosen.forward_calls >= calls - 6
    assert (chosen.iterations > 0) == (calls > 3), "one to play, and three to judge"
    assert chosen.move in CONNECT_FOUR.initial().legal(0)


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
@pytest.mark.parametrize("opponent", ["osla", OSLA(evaluator="advanced"), Flat()], ids=["osla", "advanced", "flat"])
def test_opponents_leave_the_calls_that_judging_takes(planner, opponent):
    """However much they may use: nearly all calls are theirs, and three are for judging."""
    made = game("gdl:connect-four")
    thinking = replace(planner, opponent=opponent, opponent_share=0.9, length=2)
    for calls in (*range(4, 40, 5), 61, 150):
        budget = Limit(forward_calls=calls).start()
        player = charging(thinking.seat(made, 0, Rng(calls)))
        chosen = player.choose(facing(made.initial()), budget)
        assert chosen.forward_calls == budget.spent.forward_calls <= calls


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_a_search_does_not_depend_on_how_it_was_sliced(planner):
    found = []
    for slices in ([400], [1] * 50 + [350], [37, 263, 100]):
        player = planner.seat(CONNECT_FOUR, 0, Rng(1))
        _, visits = player._begin(facing(CONNECT_FOUR.initial()), Limit(iterations=400).start())
        player.scene.planning.call_limit = 1 << 60
        for iterations in slices:
            assert player._run(iterations) == iterations
        found.append((list(visits), list(player.plans.genes), list(player.plans.fitness)))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_the_shift_buffer_keeps_the_rest_of_the_best_plan(planner):
    made = rope()
    planner = replace(planner, opponent="nothing", evaluator="result", length=3)
    for shift in (True, False):
        player = replace(planner, shift_buffer=shift).seat(made, 0, Rng(5))
        first = player.choose(facing(made.initial()), Limit(iterations=600).start())
        assert [move for role, move in first.line if role == 0] == [UP] * 3
        later = replace(facing(made.initial().after(UP).after(PASS)), played=(UP,))
        second = player.choose(later, Limit(iterations=1).start())
        kept = [move for role, move in second.line if role == 0][:2] == [UP, UP]
        assert kept or not shift


@pytest.mark.parametrize(("played", "rest"), [(0, b"\0\0\0"), (1, b"\0\0\1"), (2, b"\0\1\1"), (3, b"\1\1\1")])
def test_as_many_genes_are_dropped_as_own_moves_were_made(played, rest):
    player = BMRH(length=3).seat(rope(), 0, Rng(0))
    player.choose(facing(rope().initial()), Limit(iterations=50).start())
    player._go_on(played)
    assert player.plans.fresh[:3] == rest


def test_seeds_start_the_stream_that_they_start_in_python():
    for seed in (0, 7, 2**64 - 1):
        stream = Stream()
        seeded(stream, seed)
        assert list(stream.words) == list(Rng(seed).words)


@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_hidden_states_and_broken_games_are_refused(planner):
    with pytest.raises(UnsupportedGame, match=f"{planner.name} cannot play kuhn-poker"):
        planner.seat(game("kuhn-poker"), 0, Rng(0))
    broken = replace(planner, length=5, evaluator="result")
    with pytest.raises(GameError, match="game 'faulty' cannot be searched"):
        decide(broken, faulty("no move").initial(), iterations=10)


@pytest.mark.statistical
@pytest.mark.parametrize("planner", PLANNERS, ids=lambda planner: planner.name)
def test_it_beats_random_play(planner):
    """Seeded; by chance 15 of 20 happen to an equal player in 2 % of all seeds."""
    random = catalog.agent("random")
    won = 0.0
    for seed in range(20):
        seats = [planner, random] if seed % 2 == 0 else [random, planner]
        won += play(CONNECT_FOUR, seats, forward_calls=1000, seed=seed).utilities[seed % 2]
    assert won >= 15
