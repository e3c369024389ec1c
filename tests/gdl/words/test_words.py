"""Games as operations on words: they play what the gates play, state by state and draw by draw."""

from array import array

import pytest

from ludarium.core import Rng
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.network import network_kernels
from ludarium.gdl.network.layout import PAST
from ludarium.gdl.text.reader import parse
from ludarium.gdl.words import words as circuits
from ludarium.gdl.words.words_kernels import words
from ludarium.kernel.kernel import Unit
from ludarium.kernel.table import with_scratch
from ludarium.library import path

GAMES = [
    "blocker", "breakthrough", "breakthrough-small", "checkers", "connect-four", "eight-puzzle",
    "four-player-tic-tac-toe", "knightthrough", "nim", "rock-paper-scissors", "three-player-connect-four",
    "tic-tac-toe", "tron", "two-board-tic-tac-toe",
    "tablut", "skirmish", "melee-chess", "hex", "brandubh", "hnefatafl-5x5", "reversi",
]  # fmt: skip
SMALL = ["tic-tac-toe", "nim", "rock-paper-scissors"]


class Sides:
    """A game in both ways, side by side."""

    def __init__(self, game: GdlGame, way: str) -> None:
        self.game, shared = game, network_kernels.kernels(game.layout)
        assert game.words is not None
        self.units = tuple(Unit(with_scratch(each), way) for each in (shared, game.words.functions(shared)))
        self.facts = 8 * -(-len(game.network.facts) // 64)
        self.past = game.layout.at[PAST]
        self.blocks = bytearray(game.layout.block), bytearray(game.state_size)

    def both(self, name, *makers):
        """Call a function of both; what they answer, and what they write, has to be equal."""
        found = []
        for unit, block in zip(self.units, self.blocks, strict=True):
            given = [make() for make in makers]
            scratch = bytearray(b"\xa5" * max(8, self.game.scratch_size))  # what is in it means nothing
            found.append(
                (unit.call(name, block, *given, scratch), [x.words if isinstance(x, Rng) else x for x in given])
            )
        assert found[0] == found[1]
        assert self.blocks[0][: self.facts] + self.blocks[0][self.past :] == self.blocks[1]
        return found[0]


def compare(game, way, seeds, plies=60):
    roles = len(game.roles)
    for seed in range(seeds):
        sides, rng = Sides(game, way), Rng.keyed(seed, "words")
        sides.both("init", lambda: Rng(1))
        for ply in range(plies):
            movers, _ = sides.both("movers")
            before = tuple(map(bytes, sides.blocks))
            sides.both("utilities", lambda: array("d", bytes(8 * roles)))
            for block, kept in zip(sides.blocks, before, strict=True):
                block[:] = kept
            moves = []
            for role in range(roles):
                count, (_, out) = sides.both("legal", lambda r=role: r, lambda: array("Q", bytes(8 * game.max_moves)))
                moves.append(rng.choice(out[:count]) if count else 0)
            if not movers:
                break
            if ply % 5 == 0:
                sides.both("playout", lambda s=ply: Rng(s), lambda: 200)
                for block, kept in zip(sides.blocks, before, strict=True):
                    block[:] = kept
            sides.both("apply", lambda m=moves: array("Q", m), lambda s=ply: Rng(s))


@pytest.mark.parametrize("name", GAMES)
def test_words_play_what_gates_play(name):
    compare(load(path(name)), "native", 4)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("way", ["check", "python"])
def test_words_play_the_same_in_every_way(name, way):
    compare(load(path(name)), way, 1, plies=8)


ODD = """
(role random) (role a) (role b)
(init (at 1)) (init (left 3)) (init fresh)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 1)
(<= (legal random (roll ?n)) (succ ?n ?m))
(<= (legal a (go ?n)) (true (at ?m)) (succ ?m ?n))
(<= (legal a stay) (not (true fresh)))
(<= (legal b (block ?n)) (succ ?n ?m) (not (true (at ?n))))
(<= (next (at ?n)) (does a (go ?n)) (not (does b (block ?n))))
(<= (next (at ?n)) (true (at ?n)) (does a (go ?m)) (does b (block ?m)))
(<= (next (at ?n)) (true (at ?n)) (does a stay))
(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m) (distinct ?n 5) (not (does random (roll 1))))
(<= (next (left ?n)) (true (left ?n)) (does random (roll 1)))
(<= (next (mark ?n)) (true (at ?n)) (does random (roll ?n)))
(<= (next (mark ?n)) (true (mark ?n)))
(<= terminal (true (left 1)))
(<= (goal a 100) (true (mark ?n)))
(<= (goal a 30) (not (true (mark 3))))
(<= (goal b 70) (true (at 2)))
"""


def test_chance_moves_at_once_and_several_goals_are_as_with_gates():
    compare(GdlGame("odd", parse(ODD)), "native", 20)


def walk(game, seed, most=60):
    """The states of a random match."""
    rng, state = Rng.keyed(seed, "walk"), game.initial(Rng(seed))
    while (movers := state.movers) and most:
        yield state
        state = state.after({role: rng.choice(state.legal(role)) for role in movers}, rng)
        most -= 1


def check_draws(game, way, seeds):
    unit, table = Unit(game.words.functions(network_kernels.kernels(game.layout)), way), game.bridge.table
    singles = 0
    for seed in range(seeds):
        for ply, state in enumerate(walk(game, seed)):
            for role in range(len(game.roles)):
                legal, rng, same = state.legal(role), Rng(ply), Rng(ply)
                singles += len(legal) == 1
                for _ in range(5):
                    out = array("Q", [0])
                    assert unit.call("draw_action", table, state.block, role, out, rng) == 1
                    assert out[0] == rng_choice(same, legal)
                assert rng.words == same.words
    return singles


def rng_choice(rng, moves):
    return moves[rng.below(len(moves))]


@pytest.mark.parametrize("name", GAMES)
def test_a_move_is_drawn_as_if_all_were_listed(name):
    check_draws(load(path(name)), "native", 2)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_a_move_is_drawn_as_if_all_were_listed_in_every_way(way):
    assert check_draws(GdlGame("odd", parse(ODD)), way, 5)


def check_told(game, way, seeds):
    """A turn that is told is one of a playout, and what is told of it is what the movers did."""
    playing, telling = (
        Unit({"playout": game.functions()["playout"]}, way),
        Unit({"told": game.offers.actions().recorded_playout}, way),
    )
    alone = 0
    for seed in range(seeds):
        for ply, state in enumerate(walk(game, seed)):
            block, other, rng, same = bytearray(state.block), bytearray(state.block), Rng(ply), Rng(ply)
            told = array("Q", bytes(8 * (1 + 2 * len(game.roles))))
            assert telling.call("told", block, rng, 1, told) == playing.call("playout", other, same, 1) == 1
            assert (block, rng.words) == (other, same.words)
            pairs = dict(zip(told[1 : told[0] : 2], told[2 : told[0] : 2], strict=True))
            assert tuple(pairs) == state.movers
            assert all(move in state.legal(role) for role, move in pairs.items())
            alone += all(len(state.legal(role)) == 1 for role in range(len(game.roles)))
            if game.traits.deterministic:
                assert state.after(pairs).block == block
    return alone


@pytest.mark.parametrize("name", GAMES)
def test_a_playout_tells_what_is_played(name):
    check_told(load(path(name)), "native", 3)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_a_playout_tells_what_is_played_in_every_way(way):
    check_told(GdlGame("odd", parse(ODD)), way, 5)
    assert check_told(load(path("tic-tac-toe")), way, 4), "nobody was ever without a choice"


@pytest.mark.parametrize("name", ["tic-tac-toe", "tron", "three-player-connect-four"])
def test_a_playout_that_has_no_room_to_tell_goes_on_later(name):
    game = load(path(name))
    for seed in range(5):
        block, rng, turns, told = bytearray(game.initial().block), Rng(seed), [], array("Q", bytes(8 * 10))
        while played := game.offers.actions().recorded_playout(block, rng, 1000, told):
            assert told[0] <= len(told)
            turns.append(played)
        other, same = bytearray(game.initial().block), Rng(seed)
        assert sum(turns) == game.bridge.call("playout", other, same, 1000) > turns[0]
        assert (block, rng.words) == (other, same.words)


def test_states_say_which_goals_hold_in_both_ways():
    game, other = GdlGame("odd", parse(ODD)), GdlGame("odd", parse(ODD))
    other.words = None
    found = set()
    for seed in range(20):
        rng, state, twin = Rng(seed), game.initial(Rng(seed)), other.initial(Rng(seed))
        while movers := state.movers:
            moves = {role: rng.choice(state.legal(role)) for role in movers}
            state, twin = state.after(moves, rng.copy()), twin.after(moves, rng)
            for role in range(2):
                found.add((role, tuple(state.goals(role))))
                assert state.goals(role) == twin.goals(role)
    assert {(0, (30,)), (0, (30, 100)), (1, ()), (1, (70,))} <= found


def test_a_state_is_its_facts():
    game = load(path("breakthrough"))
    assert len(game.initial().block) == game.state_size == 32


@pytest.mark.parametrize("name", ["criss-cross", "blind-tic-tac-toe", "chinese-checkers"])
def test_loops_percepts_and_disorder_are_left_to_gates(name):
    assert load(path(name)).words is None


def test_nothing_of_a_description_gets_into_the_text():
    rules = """(role __import__) (role b) (init (import lambda)) (<= (legal ?r (exec eval)) (role ?r))
               (<= (next (import lambda)) (does __import__ (exec eval))) (<= terminal (not (true (import lambda))))
               (<= (goal ?r 0) (role ?r))"""
    game = GdlGame("evil", parse(rules))
    made = words(game.network, game.layout, -1)
    assert made is not None
    assert not any(word in made.text for word in ("import", "exec", "eval", "lambda"))


def test_what_depends_on_moves_is_kept_apart_from_what_moves_depend_on():
    numbers = " ".join(f"(number {k}) ({'odd' if k % 2 else 'even'} {k})" for k in range(1, 9))
    rules = f"""(role solo) {numbers} (after 1 2) (after 2 3) (after 3 4) (after 4 5) (init (turn 1))
        (<= (init (a ?x)) (number ?x)) (<= (init (b ?x)) (number ?x)) (<= (init (c ?x)) (number ?x))
        (<= (legal solo (go ?x)) (odd ?x) (true (a ?x)) (true (b ?x)) (true (c ?x))) (legal solo stay)
        (<= gone (does solo (go ?x)))
        (<= (next (a ?x)) (even ?x) (true (a ?x)) (true (b ?x)) (true (c ?x)) gone)
        (<= (next (a ?x)) (odd ?x) (true (a ?x)) (not (does solo (go ?x))))
        (<= (next (b ?x)) (true (b ?x)) (not (does solo (go ?x)))) (<= (next (c ?x)) (true (c ?x)))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
        (<= terminal (true (turn 5))) (goal solo 100)"""
    compare(GdlGame("apart", parse(rules)), "native", 4, 10)


def test_what_holds_after_one_of_many_moves_is_looked_up_once():
    rules = """(role solo) (init (turn 1)) (number 1) (number 2) (number 3) (number 4)
        (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (<= (init (cell ?x ?y)) (number ?x) (number ?y))
        (<= (legal solo (take ?x ?y)) (true (cell ?x ?y))) (<= (legal solo (keep ?x)) (number ?x))
        (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does solo (take ?a ?y)) (after ?a ?x))
        (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does solo (take ?a ?y)) (after ?x ?a))
        (<= (next (cell ?x ?y)) (true (cell ?x ?y)) (does solo (keep ?x)))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n))
        (<= terminal (true (turn 5))) (goal solo 100)"""
    game = GdlGame("frame", parse(rules))
    made = words(game.network, game.layout, -1)
    assert made is not None
    advance = made.text.partition("def advance")[2].partition("@kernel")[0]
    assert advance.count("moves0[m0") == 1
    compare(game, "native", 8, 10)


def test_moves_of_each_role_are_looked_up_apart_whatever_the_order_of_conditions():
    numbers = " ".join(f"(number {k}) ({'odd' if k % 2 else 'even'} {k}) (after {k} {k + 1})" for k in range(1, 9))
    rules = f"""(role a) (role b) {numbers} (init (turn 1)) (<= (init (cell ?x)) (number ?x))
        (<= (legal a (at ?x)) (number ?x)) (<= (legal b (by ?x)) (number ?x))
        (<= (near ?x ?x) (number ?x)) (<= (near ?x ?y) (after ?x ?y)) (<= (near ?x ?y) (after ?y ?x))
        (<= (first ?x) (odd ?x) (does a (at ?y)) (near ?x ?y))
        (<= (last ?x) (odd ?x) (does b (by ?y)) (near ?x ?y))
        (<= (first ?x) (even ?x) (does b (by ?y)) (near ?x ?y))
        (<= (last ?x) (even ?x) (does a (at ?y)) (near ?x ?y))
        (<= (next (cell ?x)) (first ?x) (last ?x))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 5))) (goal a 100) (goal b 0)"""
    game = GdlGame("two", parse(rules))
    made = words(game.network, game.layout, -1)
    assert made is not None
    advance = made.text.partition("def advance")[2].partition("@kernel")[0]
    assert (advance.count("moves0["), advance.count("moves1[")) == (1, 1)
    compare(game, "native", 8, 10)


LIGHTS = """
(role lights) (role clock)
(number 1) (number 2) (number 3) (number 4) (number 5)
(next_of 1 2) (next_of 2 3) (next_of 3 4) (next_of 4 5) (next_of 5 6) (next_of 6 7)
(init (step 1)) (init (lit 2 2))
(<= (legal lights (press ?x ?y)) (number ?x) (number ?y))
(<= (legal lights (turn ?x ?y ?to)) (number ?x) (number ?y) (number ?to))
(legal clock tick)
(<= (next (lit ?x ?y)) (does lights (press ?x ?y)) (not (true (lit ?x ?y))))
(<= (next (lit ?to ?y)) (does lights (turn ?x ?y ?to)) (true (lit ?x ?y)))
(<= (next (lit ?x ?y)) (true (lit ?x ?y)) (not (does lights (press ?x ?y))))
(<= (next (step ?n)) (true (step ?m)) (next_of ?m ?n))
(<= terminal (true (step 7)))
(<= (goal lights 100) (true (lit 3 3)))
(<= (goal lights 0) (not (true (lit 3 3))))
(goal clock 50)
"""


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_moves_that_are_always_legal_are_looked_up_by_number(way):
    game = GdlGame("lights", parse(LIGHTS))
    assert "s0 = i64(always0[n0])" in game.words.text
    assert "list0" not in game.words.text.partition("def init")[0], "nothing has to be listed in a playout"
    compare(game, way, 3)
    check_told(game, way, 2)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_moves_that_are_always_legal_and_lie_side_by_side_take_no_table(way):
    """As in switches, a game of the corpus, whose moves are two for each role."""
    game = GdlGame(
        "switches",
        parse("""(role a) (role b) (init (step 1)) (next_of 1 2) (next_of 2 3) (next_of 3 4)
        (legal a up) (legal a down) (legal b up) (legal b down)
        (<= (next (on ?r)) (does ?r up)) (<= (next (on ?r)) (true (on ?r)) (does ?r down) (true (step 2)))
        (<= (next (step ?n)) (true (step ?m)) (next_of ?m ?n)) (<= terminal (true (step 4)))
        (<= (goal a 100) (true (on a))) (<= (goal a 0) (not (true (on a)))) (goal b 50)"""),
    )
    playout = game.words.text.partition("def playout")[2].partition("@kernel")[0]
    assert "s1 = 0 + n1" in playout
    assert "always" not in playout
    compare(game, way, 3)
    check_told(game, way, 2)


def test_gates_of_one_kind_are_one_value_where_each_place_has_one_of_two_kinds():
    numbers = " ".join(f"(number {k})" for k in range(1, 9))
    rules = f"""(role a) (role b) {numbers} (init (turn 1)) (<= (init (cell ?x ?k)) (number ?x) (kind ?k)) (kind 1) (kind 2)
        (<= (legal ?r (at ?k ?x)) (role ?r) (kind ?k) (number ?x))
        (<= (next (cell ?x ?k)) (true (cell ?x ?k)) (does a (at ?k ?y)) (number ?x) (number ?y) (distinct ?x ?y))
        (<= (next (cell ?x ?k)) (true (cell ?x ?k)) (does b (at ?k ?y)) (number ?x) (number ?y) (distinct ?x ?y))
        (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
        (<= terminal (true (turn 3))) (goal a 100) (goal b 0)"""
    game = GdlGame("two", parse(rules))
    made = words(game.network, game.layout, -1)
    assert made is not None
    advance = made.text.partition("def advance")[2].partition("@kernel")[0]
    assert (advance.count("moves0["), advance.count("moves1[")) == (2, 2)
    compare(game, "native", 8, 10)


def test_a_network_without_order_is_given_up_as_soon_as_it_has_too_many_shapes(monkeypatch):
    net = load(path("reversi"))._network
    monkeypatch.setattr(circuits, "_SHAPES", {False: 3, True: 3})
    circuit = circuits.WordCircuit(net)
    assert not circuit.gates(net.next)
    assert circuit.shapes == 4
