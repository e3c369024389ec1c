from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from time import thread_time

import pytest

from ludarium import agent, game, play
from ludarium.agents.alphabeta import AlphaBeta, BestReply, Paranoid
from ludarium.core import BadParameter, BudgetExceeded, GameError, Limit, Rng, UnsupportedGame, describe
from ludarium.testing import check_agent
from tests.agents.mixed_games import mixed_game, mixed_states, once, random_states
from tests.agents.positions import after, decide, facing
from tests.agents.small_games import faulty, matching_pennies, several_at_once, walk
from tests.reference import connect_four_solver as solver
from tests.reference.looking_ahead import judged_by, minimax, quiescent

CONNECT_FOUR = game("connect-four")
TIC_TAC_TOE = game("tic-tac-toe")
PLENTY = 10_000_000
RESULT = AlphaBeta(evaluator="result")
WAYS = {
    "all": {},
    "no table": {"table_bits": 0},
    "a tiny table": {"table_bits": 2},
    "no hash move": {"hash_move": False},
    "no killers": {"killers": False},
    "no history": {"history": False},
    "nothing": {"table_bits": 0, "hash_move": False, "killers": False, "history": False},
}


# What is found


@pytest.mark.parametrize(
    ("made", "moves", "best"),
    [
        pytest.param(CONNECT_FOUR, "a b a b a b", "a", id="connect-four wins upwards"),
        pytest.param(CONNECT_FOUR, "a a b b c c", "d", id="connect-four wins sideways"),
        pytest.param(CONNECT_FOUR, "a g a g a", "a", id="connect-four blocks"),
        pytest.param(TIC_TAC_TOE, "a1 a2 b1 b2", "c1", id="tic-tac-toe wins"),
        pytest.param(TIC_TAC_TOE, "a1 b2 b1", "c1", id="tic-tac-toe blocks"),
    ],
)
@pytest.mark.parametrize("made_agent", [AlphaBeta(), RESULT, AlphaBeta(quiescence=4), Paranoid(), BestReply()])
def test_it_wins_at_once_or_blocks(made, moves, best, made_agent):
    for seed in range(3):
        chosen = decide(made_agent, after(made, moves), seed=seed, iterations=3000)
        assert made.text(chosen.move) == best


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("spec", ["auto", "result"])
def test_tic_tac_toe_is_proven_drawn(way, spec):
    chosen = decide(AlphaBeta(evaluator=spec, **WAYS[way]), TIC_TAC_TOE.initial(), iterations=PLENTY)
    assert chosen.proven == 0.5
    assert chosen.depth == 9
    assert chosen.iterations < 200_000  # of 549,945 without pruning
    assert chosen.values[chosen.move] == 0.5


def test_tic_tac_toe_by_its_rules_is_proven_drawn():
    assert decide(RESULT, game("gdl:tic-tac-toe").initial(), iterations=PLENTY).proven == 0.5


@pytest.mark.parametrize("each", [pytest.param(8, id="few"), pytest.param(25, id="many", marks=pytest.mark.slow)])
def test_it_finds_every_forced_win_in_connect_four(each):
    """Positions with a win in 1, 3, 5 and 7 plies and without one, from an exact solver."""
    for length, lines in solver.suite(Rng(each), each).items():
        for line in lines:
            state = after(CONNECT_FOUR, " ".join(line))
            chosen = decide(AlphaBeta(depth=7), state, iterations=PLENTY)
            if length is None:
                assert chosen.proven != 1.0, line
            else:
                assert (chosen.proven, chosen.depth) == (1.0, length), line
                assert CONNECT_FOUR.text(chosen.move) in solver.winning_moves(*solver.position(line), length), line


def test_a_lost_position_is_defended_as_long_as_possible():
    shorter = 0
    for length, lines in solver.suite(Rng(3), 5).items():
        for line in lines if length in (3, 5, 7) else ():
            lost = line + min(solver.winning_moves(*solver.position(line), length))
            state = after(CONNECT_FOUR, " ".join(lost))
            if len(state.legal(state.movers[0])) == 1:
                continue
            chosen = decide(AlphaBeta(), state, iterations=PLENTY)
            assert chosen.proven == 0.0
            left = [
                solver.win_within(*solver.position(lost + CONNECT_FOUR.text(move)), length)
                for move in (chosen.move, *state.legal(state.movers[0]))
            ]
            assert left[0] == length - 2 == max(left)
            shorter += min(left) < left[0]
    assert shorter > 3


@pytest.mark.parametrize(
    ("made", "plies", "depths"),
    [
        pytest.param(TIC_TAC_TOE, (2, 3, 4, 5), (1, 2, 4), id="tic-tac-toe"),
        pytest.param(CONNECT_FOUR, (0, 9, 20, 30), (1, 3), id="connect-four"),
        pytest.param(game("breakthrough(width=4, height=5)"), (0, 4, 9), (2, 3), id="breakthrough"),
    ],
)
def test_the_value_is_that_of_plain_minimax_with_any_table_and_order(made, plies, depths):
    spec = "material + 0.001*mobility"
    judge = judged_by(made, spec)
    for state in random_states(made.initial(), 1, plies):
        for depth in depths:
            wanted = minimax(state, state.movers[0], depth, judge)
            for way in WAYS.values():
                chosen = decide(AlphaBeta(evaluator=spec, depth=depth, **way), state, iterations=PLENTY)
                assert chosen.values[chosen.move] == max(chosen.values.values()) == wanted


@pytest.mark.parametrize(("made", "least"), [("connect-four", 3), ("breakthrough", 2)])
def test_nodes_that_cost_less_than_a_look_at_the_table_are_not_in_it(made, least):
    state = game(made).initial()
    for depth in (2, 3, 4):
        player = AlphaBeta(evaluator="result", depth=depth).seat(state.game, 0, Rng(0))
        player.choose(facing(state), Limit(iterations=PLENTY).start())
        assert any(player.search._known.tags) == (depth - 1 >= least)


@pytest.mark.parametrize("roles", [1, 2, 3, 4])
def test_any_number_of_roles_in_any_order_is_searched_like_plain_minimax(roles):
    constant_sum = roles == 2
    judge = judged_by(once(roles, constant_sum=constant_sum), "result")
    for state in mixed_states(roles, range(10), constant_sum=constant_sum):
        for depth in (1, 2, 3, 8):
            value = minimax(state, state.movers[0], depth, judge)
            for way in WAYS.values():
                chosen = decide(replace(RESULT, depth=depth, **way), state, iterations=PLENTY)
                assert chosen.values[chosen.move] == value
                if depth == 8 and (roles < 3 or value == 1):
                    assert chosen.proven == value


@pytest.mark.parametrize("roles", [1, 2, 3])
def test_quiescence_follows_moves_with_an_effect(roles):
    judge = judged_by(once(roles), "result")
    for state in mixed_states(roles, range(8), (0, 2)):
        for depth, plies, swing in ((1, 1, 0.1), (1, 3, 0.2), (2, 2, 0.0), (3, 5, 0.5)):
            wanted = quiescent(state, state.movers[0], depth, plies, swing, judge)
            for way in ("all", "nothing"):
                settings = replace(RESULT, depth=depth, quiescence=plies, swing=swing, **WAYS[way])
                chosen = decide(settings, state, iterations=PLENTY)
                assert chosen.values[chosen.move] == wanted


def test_what_the_others_want_is_no_proof():
    """Where sums differ the value is what can be forced: a proof only if it is a win."""
    proofs = {decide(RESULT, state, iterations=PLENTY).proven for state in mixed_states(2, range(30))}
    assert proofs == {None, 1.0}


# What is told


def test_the_line_is_play_that_leads_to_the_value():
    for state in mixed_states(3, range(20)):
        (me,) = state.movers
        chosen = decide(replace(RESULT, table_bits=0), state, iterations=PLENTY)
        assert chosen.line[0] == (me, chosen.move)
        end = state
        for role, move in chosen.line:
            assert end.movers == (role,)
            end = end.after(move)
        assert end.over
        assert end.utilities()[me] == chosen.values[chosen.move]


def test_work_is_told_by_move():
    chosen = decide(AlphaBeta(), CONNECT_FOUR.initial(), iterations=20_000)
    assert chosen.iterations == chosen.forward_calls == sum(chosen.visits.values()) == 20_000
    assert all(chosen.visits.values())
    assert chosen.depth >= 7
    assert chosen.note.startswith("depth")


def test_equal_moves_are_drawn_from_at_random():
    state = CONNECT_FOUR.initial()
    chosen = {decide(replace(RESULT, depth=2), state, seed=seed, iterations=1000).move for seed in range(60)}
    assert chosen == set(state.legal(0))


# Budgets


@pytest.mark.parametrize("settings", [AlphaBeta(), AlphaBeta(quiescence=3), BestReply()], ids=describe)
def test_stopping_anywhere_and_going_on_finds_the_same(settings):
    for state in (CONNECT_FOUR.initial(), *mixed_states(3, range(3), plies=9)):
        (me,) = state.movers
        whole, steps = (settings.seat(state.game, me, Rng(1)).search for _ in range(2))
        for search in (whole, steps):
            search.reset(state, tuple(state.legal(me)))
        used = whole.run(4321, PLENTY)
        rng, left, calls = Rng(2), used[0], 0
        while left > 0:
            done, spent = steps.run(min(left, 1 + rng.below(20)), 1 + rng.below(5))
            left, calls = left - done, calls + spent
        assert calls == used[1]
        assert steps.so_far() == whole.so_far()
        assert steps.visits == whole.visits
        assert steps.ahead.deepest == whole.ahead.deepest


@pytest.mark.parametrize("count", [1, 2, 7, 8, 1234])
@pytest.mark.parametrize("unit", ["iterations", "forward_calls"])
@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ("alphabeta", "connect-four"),
        ("alphabeta(quiescence=4)", "connect-four"),
        ("alphabeta(evaluator=advanced)", "gdl:connect-four"),  # where judging a state takes a forward call
        ("maxn(evaluator=advanced)", "gdl:connect-four"),
    ],
)
def test_counts_are_kept_to_the_last(count, unit, settings, name):
    chosen = decide(agent(settings), game(name).initial(), **{unit: count})
    assert (chosen.iterations if unit == "iterations" else chosen.forward_calls) == count
    assert (chosen.forward_calls > chosen.iterations) == (
        "advanced" in settings and (count > 1 or unit == "iterations")
    )
    assert chosen.visits[chosen.move] > 0


def test_a_first_depth_that_is_not_finished_gives_the_best_move_so_far():
    state = after(CONNECT_FOUR, "a b a b a b")
    winning = CONNECT_FOUR.parse("a")
    for seed in range(10):
        chosen = decide(RESULT, state, seed=seed, iterations=4)
        if chosen.visits[winning]:
            assert chosen.move == winning
        else:
            assert chosen.note == "depth 1 not finished"


def test_an_unfinished_depth_does_not_count():
    state = after(CONNECT_FOUR, "d d d d")
    player = AlphaBeta().seat(CONNECT_FOUR, 0, Rng(0))
    search = player.search
    search.reset(state, tuple(state.legal(0)))
    search.run(1, PLENTY)
    while search.completed is None or search.completed.depth < 4:
        search.run(1, PLENTY)
    finished = search.completed
    search.run(50, PLENTY)
    assert search.so_far() is finished


@pytest.mark.parametrize("made_agent", [AlphaBeta(), AlphaBeta(quiescence=6), BestReply()])
def test_time_is_kept(made_agent):
    late = []
    while not late or (min(late) >= 0.02 and len(late) < 5):
        state = CONNECT_FOUR.initial()
        player = made_agent.seat(CONNECT_FOUR, 0, Rng(0))
        budget, worked = Limit(seconds=0.05).start(), thread_time()
        with suppress(BudgetExceeded):  # a busy machine may let the clock run out before the search begins
            player.choose(facing(state), budget)
            # It may make anybody late, too, but nobody work longer.
            late.append(min(budget.spent.seconds, thread_time() - worked) - 0.05)
    assert min(late) < 0.02


def test_a_search_that_has_seen_all_stops():
    chosen = decide(AlphaBeta(), after(TIC_TAC_TOE, "a1 b2 c3"), seconds=60)
    assert chosen.proven == 0.5
    assert chosen.seconds < 10


def test_a_depth_limit_ends_the_search():
    chosen = decide(AlphaBeta(depth=3), CONNECT_FOUR.initial(), iterations=PLENTY)
    assert chosen.depth == 3
    assert chosen.iterations < 1000


def test_a_single_move_needs_no_thought():
    assert decide(AlphaBeta(), game("nim(heaps=(1,))").initial(), iterations=5).note == "only move"


def test_an_expired_budget_is_an_error():
    info = facing(CONNECT_FOUR.initial())
    budget = Limit(iterations=1).start()
    budget.charge(iterations=1)
    with pytest.raises(BudgetExceeded):
        AlphaBeta().seat(CONNECT_FOUR, 0, Rng(0)).choose(info, budget)


def test_the_search_is_compiled_before_the_clock_runs(monkeypatch):
    player = AlphaBeta().seat(CONNECT_FOUR, 0, Rng(0))
    monkeypatch.setattr(import_module("ludarium.kernel.kernel"), "Unit", None)  # no more compiling
    assert player.choose(facing(CONNECT_FOUR.initial()), Limit(iterations=10).start()).iterations == 10


# Games


@pytest.mark.parametrize("name", ["alphabeta", "paranoid", "brs", "maxn"])
@pytest.mark.parametrize("roles", [2, 3])
def test_games_of_several_roles_are_played_as_promised(name, roles):
    (checked,) = check_agent(agent(name), [lambda: mixed_game(roles, plies=9)])
    assert checked.supported


@pytest.mark.parametrize(
    "settings", ["alphabeta(quiescence=3)", "alphabeta(table_bits=0)", "alphabeta(evaluator=result)"]
)
@pytest.mark.parametrize("made", ["connect-four", "tic-tac-toe"])
def test_variants_keep_their_promises(settings, made):
    (checked,) = check_agent(agent(settings), [lambda: game(made)])
    assert checked.supported


def test_a_plain_python_game_is_won():
    """Nim is won by who leaves heaps whose exclusive or is 0."""
    made = game("nim(heaps=(1, 2, 4))")
    chosen = decide(RESULT, made.initial(), iterations=PLENTY)
    assert chosen.proven == 1.0
    assert made.text(chosen.move) == "1 from c"


def test_it_plays_whole_matches():
    assert play(TIC_TAC_TOE, [AlphaBeta(), AlphaBeta()], iterations=30_000, seed=0).utilities == (0.5, 0.5)
    assert (
        play(game("breakthrough(width=5, height=5)"), [AlphaBeta(), agent("random")], iterations=500).utilities[0] == 1
    )


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (matching_pennies(), "alphabeta cannot play pennies: .* take turns"),
        (walk(), "alphabeta cannot play walk: .* draws chance"),
        (game("kuhn-poker"), "alphabeta cannot play kuhn-poker: .* hides"),
        (game("goofspiel"), "alphabeta cannot play goofspiel: "),
    ],
)
def test_games_that_cannot_be_looked_ahead_in_are_refused(made, reason):
    with pytest.raises(UnsupportedGame, match=reason):
        AlphaBeta().seat(made, 0, Rng(0))


@pytest.mark.parametrize("name", ["paranoid", "brs", "maxn"])
def test_searches_for_several_roles_refuse_a_puzzle(name):
    with pytest.raises(UnsupportedGame, match=f"{name} cannot play mixed for 1: it needs at least 2 roles"):
        agent(name).seat(mixed_game(1), 0, Rng(0))


def test_a_game_that_breaks_its_promises_is_told():
    with pytest.raises(GameError, match="several roles move at once"):
        decide(RESULT, several_at_once().initial(), iterations=10)
    with pytest.raises(GameError, match="a mover has no legal move"):
        decide(RESULT, faulty("no move").initial(), iterations=100)
    with pytest.raises(GameError, match="cannot be searched"):
        decide(RESULT, faulty("many moves").initial(), iterations=100)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("depth=0", "alphabeta: depth is 0"),
        ("table_bits=25", "alphabeta: table_bits is 25"),
        ("quiescence=-1", "alphabeta: quiescence is -1"),
        ("swing=2.0", "alphabeta: swing is 2.0"),
        ("killers=3", "killers is 3"),
        ("width=3", "no parameter 'width'"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=told):
        agent(f"alphabeta({wrong})")


def test_an_unknown_evaluator_is_told():
    with pytest.raises(BadParameter, match="unknown evaluator 'mobilty'"):
        AlphaBeta(evaluator="mobilty").seat(CONNECT_FOUR, 0, Rng(0))


def test_a_table_that_does_not_fit_is_told_before_the_match(monkeypatch):
    def none_left(*_):
        raise MemoryError

    monkeypatch.setattr("ludarium.agents.lookahead.transpositions.np.zeros", none_left)
    with pytest.raises(BadParameter, match="no memory for a transposition table of 1.0 GiB"):
        AlphaBeta(table_bits=24).seat(CONNECT_FOUR, 0, Rng(0))
