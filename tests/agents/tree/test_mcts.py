"""What all tree searches by playouts share: the solver, transpositions, reuse, leaf playouts, learning."""

from math import log, sqrt

import pytest

from ludarium import agent, game, play
from ludarium.agents.mast import MAST
from ludarium.agents.tree.credit import fade, find_credit
from ludarium.agents.tree.growth import Child, Growth
from ludarium.agents.tree.mcts import final_move
from ludarium.agents.tree.play import Credit, move_key
from ludarium.agents.uct import UCT
from ludarium.core import BadParameter, Limit, Rng
from ludarium.evaluate import Judge
from ludarium.kernel import Bundle, Stream, Table, f64, i64, kernel, u8, view
from tests.agents.positions import after, decide, facing
from tests.gdl.network.ways import by_gates
from tests.reference.minimax import best_value

FAMILY = ["uct", "ucb1-tuned", "mast", "mast(policy=gibbs)", "grave", "progressive-history", "nst"]
CONNECT_FOUR, TIC_TAC_TOE = game("connect-four"), game("tic-tac-toe")


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize(
    ("made", "moves", "best"),
    [
        pytest.param(CONNECT_FOUR, "a b a b a b", "a", id="wins"),
        pytest.param(CONNECT_FOUR, "a g a g a", "a", id="blocks"),
        pytest.param(TIC_TAC_TOE, "a1 b2 b1", "c1", id="blocks in tic-tac-toe"),
    ],
)
def test_everyone_wins_at_once_or_blocks(name, made, moves, best):
    chosen = decide(agent(name), after(made, moves), iterations=3000)
    assert made.text(chosen.move) == best


@pytest.mark.parametrize("name", FAMILY)
def test_everyone_tells_a_line_of_legal_moves_and_how_deep_it_looked(name):
    state = after(CONNECT_FOUR, "d d")
    chosen = decide(agent(name), state, iterations=2000)
    assert chosen.line[0] == (0, chosen.move)
    assert 2 < len(chosen.line) <= chosen.depth
    for role, move in chosen.line:
        assert state.movers == (role,)
        state = state.after(move)


# The solver


@pytest.mark.parametrize("moves", ["", "a1", "a1 b2", "a1 b1", "b2 a1 c3", "a1 b2 c3 c1", "b2 b1 a1"])
def test_the_solver_proves_what_minimax_says(moves):
    state = after(TIC_TAC_TOE, moves)
    role = state.movers[0]
    chosen = decide(UCT(solver=True), state, iterations=200_000)
    assert chosen.proven == best_value(state, role)
    assert best_value(state.after(chosen.move), role) == chosen.proven
    assert chosen.iterations < 200_000


@pytest.mark.parametrize("transpositions", [False, True])
def test_a_proved_win_ends_the_search_and_is_played(transpositions):
    state = after(CONNECT_FOUR, "d a d b d c")
    chosen = decide(UCT(solver=True, transpositions=transpositions), state, iterations=100_000)
    assert (chosen.proven, CONNECT_FOUR.text(chosen.move)) == (1.0, "d")
    assert chosen.iterations < 1000


def test_moves_that_are_proved_to_lose_are_left_alone():
    state = after(CONNECT_FOUR, "a g a g a")
    chosen = decide(UCT(solver=True), state, iterations=20_000)
    lost = [move for move in chosen.visits if CONNECT_FOUR.text(move) != "a"]
    assert all(chosen.visits[move] < 100 and chosen.values[move] == 0.0 for move in lost)


def test_without_the_solver_nothing_is_proved():
    assert decide(UCT(), after(CONNECT_FOUR, "d a d b d c"), iterations=5000).proven is None


# Transpositions


def test_transpositions_make_the_tree_smaller():
    def nodes(agent):
        return int(decide(agent, TIC_TAC_TOE.initial(), iterations=30_000).note.split()[0])

    assert nodes(UCT(transpositions=True)) < 6000 < nodes(UCT())


@pytest.mark.parametrize("spec", ["brandubh", "nim(heaps=(3, 4))", "breakthrough", "goofspiel(order=rising)"])
def test_transpositions_serve_every_kind_of_game(spec):
    chosen = decide(UCT(transpositions=True), game(spec).initial(), iterations=300)
    assert sum(chosen.visits.values()) == 300


# Reuse


@pytest.mark.parametrize("name", [*FAMILY, "uct(solver=True)", "uct(transpositions=True)"])
def test_the_tree_of_the_last_move_is_carried_on(name):
    player = agent(name).seat(CONNECT_FOUR, 0, Rng(1))
    state = CONNECT_FOUR.initial()
    first = player.choose(facing(state), Limit(iterations=2000).start())
    state = state.after(first.move)
    answer = first.line[1][1]
    state = state.after(answer)
    second = player.choose(facing(state), Limit(iterations=100).start())
    assert second.iterations == 100
    assert sum(second.visits.values()) > 150


def test_a_state_that_is_not_in_the_tree_begins_a_new_one():
    player = UCT().seat(CONNECT_FOUR, 0, Rng(1))
    player.choose(facing(CONNECT_FOUR.initial()), Limit(iterations=2000).start())
    chosen = player.choose(facing(after(CONNECT_FOUR, "a b a b")), Limit(iterations=100).start())
    assert sum(chosen.visits.values()) == 100


def test_looking_for_the_state_in_the_tree_is_charged():
    player = UCT().seat(CONNECT_FOUR, 0, Rng(1))
    player.choose(facing(CONNECT_FOUR.initial()), Limit(iterations=2000).start())
    budget = Limit(forward_calls=500).start()
    chosen = player.choose(facing(after(CONNECT_FOUR, "d d")), budget)
    assert chosen.forward_calls == budget.spent.forward_calls <= 500


def test_a_tree_that_fills_half_its_room_is_not_carried_on():
    player = UCT(max_nodes=100).seat(CONNECT_FOUR, 0, Rng(1))
    state = CONNECT_FOUR.initial()
    for _ in range(3):
        chosen = player.choose(facing(state), Limit(iterations=500).start())
        assert sum(chosen.visits.values()) == 500
        state = state.after(chosen.move)
        state = state.after(state.legal(1)[0])


# Leaf playouts


def with_batches(spec):
    """A game; one that plays many at once, if its gates are asked for."""
    return by_gates(game(spec.removeprefix("gates:"))) if spec.startswith("gates:") else game(spec)


@pytest.mark.parametrize("spec", ["connect-four", "gdl:connect-four", "gates:gdl:connect-four", "goofspiel"])
def test_several_playouts_from_a_leaf_count_as_one_iteration(spec):
    made = with_batches(spec)
    state = made.initial(Rng(0))
    one, many = (decide(UCT(leaf=leaf), state, iterations=200) for leaf in (1, 64))
    assert one.iterations == many.iterations == sum(many.visits.values()) == 200
    assert many.forward_calls > 20 * one.forward_calls


@pytest.mark.parametrize("spec", ["connect-four", "gdl:connect-four", "gates:gdl:connect-four"])
@pytest.mark.parametrize("calls", [1, 2, 70, 5000])
def test_leaf_playouts_keep_to_the_forward_calls(spec, calls):
    chosen = decide(UCT(leaf=64), with_batches(spec).initial(), forward_calls=calls)
    assert 0 < chosen.forward_calls <= calls


@pytest.mark.parametrize("spec", ["gdl:connect-four", "gates:gdl:connect-four"])
def test_several_playouts_of_a_rule_file_find_the_win(spec):
    made = with_batches(spec)
    state = made.initial()
    for column in (1, 2, 1, 2, 1, 2):
        (move,) = [move for move in state.legal(state.movers[0]) if str(column) in made.text(move)]
        state = state.after(move)
    chosen = decide(UCT(leaf=64, solver=True), state, iterations=100)
    assert "1" in made.text(chosen.move)
    assert chosen.proven == 1.0


def played_at_once(monkeypatch, made, leaf, iterations):
    """How many playouts a search has the game play in each batch."""
    asked = []

    def playouts(state, count, rng, *, limit):
        asked.append(count)
        return type(made).playouts(made, state, count, rng, limit=limit)

    monkeypatch.setattr(made, "playouts", playouts)
    player = UCT(leaf=leaf).seat(made, 0, Rng(5))
    asked.clear()
    player.choose(facing(made.initial()), Limit(iterations=iterations).start())
    return asked


def test_a_search_has_its_playouts_played_at_once_from_the_first_iteration_where_that_is_less_work(monkeypatch):
    gates, words = with_batches("gates:gdl:connect-four"), game("gdl:connect-four")
    assert played_at_once(monkeypatch, gates, 64, 10) == [64] * 10
    assert played_at_once(monkeypatch, gates, 4, 10) == []
    assert played_at_once(monkeypatch, words, 64, 10) == []


def test_searches_in_batches_repeat_and_what_they_warm_up_with_changes_nothing():
    made = with_batches("gates:gdl:connect-four")
    state = made.initial()
    first, second = (decide(UCT(leaf=64), state, iterations=40) for _ in range(2))
    assert (first.visits, first.values, first.forward_calls) == (second.visits, second.values, second.forward_calls)
    rng = Rng(5)
    UCT(leaf=64).seat(made, 0, rng)
    assert rng.below(1 << 40) == Rng(5).below(1 << 40)


# Learning


def credit_of(player, role, move):
    ledger = player.growth.play.ledger
    key = move_key(role, move)
    return next((each for each in ledger if each.key == key), None)


def test_mast_counts_every_move_of_every_iteration():
    player = MAST().seat(TIC_TAC_TOE, 0, Rng(1))
    chosen = player.choose(facing(TIC_TAC_TOE.initial()), Limit(iterations=1000).start())
    played = sum(credit_of(player, role, move).visits for role in (0, 1) for move in range(9))
    assert played == chosen.forward_calls
    middle, edge = (credit_of(player, 0, TIC_TAC_TOE.parse(cell)) for cell in ("b2", "b1"))
    assert middle.total / middle.visits > edge.total / edge.visits


def test_what_was_learnt_fades_and_what_is_rare_is_dropped():
    old, new = bytearray(Credit.size * 8), bytearray(Credit.size * 8)
    for key, visits in ((3, 100.0), (5, 16.0)):
        place = find_credit(old, key)
        credit = Credit(memoryview(old)[place * Credit.size :])
        credit.key, credit.total, credit.visits = key, visits / 2, visits
    assert fade(old, new, 0.6, 10.0) == 1
    kept = Credit(memoryview(new)[find_credit(new, 3) * Credit.size :])
    assert (kept.key, kept.total, kept.visits) == (3, 30.0, 60.0)


@pytest.mark.parametrize("name", ["mast", "nst", "grave", "progressive-history"])
def test_what_is_learnt_grows_with_the_search_and_does_not_depend_on_slices(name):
    breakthrough = game("breakthrough")
    trees = []
    for slices in ([3000], [1] * 50 + [2950], [256, 744, 2000]):
        growth = agent(name).seat(breakthrough, 0, Rng(1)).growth
        growth.reset(breakthrough.initial())
        for iterations in slices:
            growth.run(iterations, 1 << 60)
        trees.append(growth.at_root(0).children())
    assert growth.play.learnt > 100
    assert trees[0] == trees[1] == trees[2]


# Formulas


def edges_of(tree, place):
    """The edges of a node, as records."""
    node = tree.nodes[place]
    return [tree.edges[k] for k in range(node.first, node.first + node.edges)]


@pytest.mark.parametrize("seed", range(3))
def test_ucb1_tuned_goes_to_the_highest_bound(seed):
    player = agent("ucb1-tuned(unvisited=first)").seat(CONNECT_FOUR, 0, Rng(seed))
    growth = player.growth
    growth.reset(CONNECT_FOUR.initial())
    growth.run(200, 1 << 60)
    tree = growth.tree
    for _ in range(50):
        extras = [tree.extras[k] for k in range(7)]
        edges = [
            (edge.visits, edge.total / edge.visits, extra.squares / edge.visits)
            for edge, extra in zip(edges_of(tree, 0), extras, strict=True)
        ]
        whole = log(sum(visits for visits, _, _ in edges))
        bounds = []
        for visits, mean, square in edges:
            x, variance = (
                2 * mean - 1,
                4 * (square - mean * mean),
            )  # from 0..1 to -1..1, where the paper's constants are
            bounds.append(x + sqrt(whole / visits * min(1.0, variance + sqrt(2) * sqrt(whole / visits))))
        before = [visits for visits, _, _ in edges]
        growth.run(1, 1 << 60)
        grown = [edge.visits - old for edge, old in zip(edges_of(tree, 0), before, strict=True)]
        assert bounds[grown.index(1)] == pytest.approx(max(bounds))


def test_grave_adds_up_the_playouts_in_which_a_move_was_made():
    """With every iteration at the root a first move of one playout, AMAF counts are the moves of all iterations."""
    player = agent("grave(playout_limit=0)").seat(TIC_TAC_TOE, 0, Rng(1))
    player.growth.reset(TIC_TAC_TOE.initial())
    player.growth.run(9, 1 << 60)
    tree = player.growth.tree
    edges = edges_of(tree, 0)
    assert [edge.visits for edge in edges] == [1] * 9
    words, sums, root = tree.diary, tree.diary_values, tree.nodes[0]
    assert root.summed
    assert words[root.notes] >= 9
    assert sum(sums[root.notes + 2 + 2 * k] for k in range(9)) == 9
    assert sum(sums[root.notes + 1 + 2 * k] for k in range(9)) == 4.5


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("mast(epsilon=1.5)", "epsilon is 1.5; expected a number from 0 to 1"),
        ("mast(policy=best)", "policy is 'best'; expected one of greedy, gibbs"),
        ("mast(policy=gibbs, temperature=0)", "temperature is 0; expected a number from 0.001"),
        ("grave(reference=-1)", "reference is -1; expected a whole number from 0"),
        ("uct(leaf=0)", "leaf is 0; expected a whole number from 1 to 4096"),
        ("uct(reuse=1)", "reuse is 1; expected"),
        ("progressive-history(weight=-2)", "weight is -2; expected a number from 0"),
        ("uct(unvisited=last)", "unvisited is 'last'; expected one of parent, first, draw, loss"),
    ],
)
def test_parameters_out_of_range_are_errors_that_say_what_was_expected(spec, told):
    with pytest.raises(BadParameter, match=told.replace("(", r"\(")):
        agent(spec)


def test_a_final_move_may_be_drawn_in_proportion_to_visits():
    children = [Child(0, 0, 0.5), Child(1, 90, 0.4), Child(2, 10, 0.6)]
    rng = Rng(0)
    drawn = [final_move(children, "sample", rng) for _ in range(1000)]
    assert 0 not in drawn
    assert 850 < drawn.count(1) < 950


def test_a_proved_win_is_the_final_move_and_a_proved_loss_is_not():
    children = [Child(0, 500, 0.0, 0.0), Child(1, 90, 0.4), Child(2, 1, 1.0, 1.0)]
    assert final_move(children, "visits", Rng(0)) == 2
    assert final_move(children[:2], "visits", Rng(0)) == 1
    assert final_move([children[0], Child(3, 0, 0.5)], "visits", Rng(0)) == 3  # rather what nobody tried


def test_a_proved_win_is_preferred_to_one_lucky_playout():
    children = [Child(0, 1, 1.0), Child(1, 1, 1.0, 1.0), Child(2, 1, 1.0)]
    assert {final_move(children, "visits", Rng(seed)) for seed in range(20)} == {1}


def test_what_is_lost_is_played_where_it_resisted_longest():
    children = [Child(0, 5, 0.0, 0.0), Child(1, 90, 0.0, 0.0), Child(2, 7, 0.0, 0.0)]
    assert {final_move(children, "visits", Rng(seed)) for seed in range(20)} == {1}


@pytest.mark.parametrize("name", ["mast", "grave", "nst", "progressive-history", "ucb1-tuned"])
def test_a_match_with_chance_and_simultaneous_moves(name):
    match = play(game("goofspiel"), [agent(name)] * 2, iterations=100, seed=1)
    assert sum(match.utilities) == 1.0


# Heuristics


@pytest.mark.parametrize("spec", ["breakthrough", "gdl:breakthrough"])
def test_progressive_bias_takes_what_hangs(spec):
    """With hardly any playouts the heuristic decides: material is what captures win."""
    made = game(spec)
    state = made.initial()
    rng = Rng(3)
    while not any(_captures(made, state, move) for move in state.legal(state.movers[0])):
        state = state.after(rng.choice(state.legal(state.movers[0])))
    chosen = decide(agent("progressive-bias(evaluator=material, playout_limit=0, weight=100)"), state, iterations=60)
    assert _captures(made, state, chosen.move)


def _captures(made, state, move):
    pieces = ("X", "O") if made.name == "breakthrough" else ("white", "black")
    before, after_ = (made.picture(each) for each in (state, state.after(move)))
    return any(before.count(piece) > after_.count(piece) for piece in pieces)


def test_playouts_that_are_cut_can_be_judged_by_a_heuristic():
    state = CONNECT_FOUR.initial()
    plain, judged = (
        decide(agent(f"uct(playout_limit=0, evaluator={name})"), state, iterations=30)
        for name in ("result", "mobility")
    )
    assert set(plain.values.values()) == {0.5}
    assert set(judged.values.values()) != {0.5}


@kernel
def three_quarters(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Know what every state is worth, for three forward calls."""
    out[0] = 0.75
    out[1] = 0.25
    return 3


@pytest.mark.parametrize("leaf", [1, 2])
def test_playouts_leave_the_forward_calls_that_judging_takes(leaf):
    """In Connect Four nobody wins in the first six plies: only the budget ends a playout."""
    judge = Judge(three_quarters, calls=3)
    for calls in range(1, 7):
        growth = Growth(
            CONNECT_FOUR,
            UCT().made_of(judge),
            Rng(1),
            settings=UCT().settings,
            playout_limit=200,
            max_nodes=100,
            judge=judge,
            leaf=leaf,
        )
        growth.reset(CONNECT_FOUR.initial())
        done, used = growth.run(1, calls)
        (value,) = (child.value for child in growth.at_root(0).children() if child.visits)
        assert done == 1
        assert used <= calls
        if leaf == 1:
            assert value == (0.75 if calls > 3 else 0.5), "where it cannot be judged, as it stands"


def test_an_evaluator_that_is_not_known_is_an_error_at_once():
    with pytest.raises(BadParameter, match="wishful"):
        agent("uct(evaluator=wishful)")
