from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from ludarium import game
from ludarium.agents.search.actions import Actions, action_kernels, actions_of, sampled
from ludarium.core import GameError, Rng
from ludarium.games.nim import Nim
from ludarium.kernel import KernelError, Stream, Table, bridge, buffer, i64, kernel, u8, u64, using, view
from tests.agents.rolling_games import UP, Rope, always_up, offer, rope, up_is_legal, wait


@kernel
def draw_action(table: Table, actions: Actions, state: view[u8], out: buffer[u64], rng: Stream) -> u64:
    return sampled(table, actions, state, 0, out, rng)


@kernel
def ask_legal(table: Table, actions: Actions, state: view[u8], move: u64, out: buffer[u64]) -> i64:
    return i64(actions.fits(table, state, 0, move, out))


@kernel
def ask_idle(table: Table, actions: Actions, state: view[u8], rng: Stream) -> i64:
    return i64(actions.idle(table, state, 0, rng))


def drawn(game, seeds):
    reached, out = bridge(game), array("Q", bytes(8 * game.max_moves))
    block = reached.block(game.initial(Rng(0)))
    return [draw_action(reached.table, actions_of(game), block, out, Rng(seed)) for seed in seeds]


def asked(game, ask, *given):
    reached = bridge(game)
    block = bytearray(reached.block(game.initial(Rng(0))))
    return ask(reached.table, actions_of(game), block, *given), bytes(block)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_without_more_an_action_is_any_legal_move(way):
    with using(way):
        moves = drawn(rope(), range(300))
        assert {moves.count(move) // 70 for move in range(3)} == {1}
        out = array("Q", bytes(24))
        assert [asked(rope(), ask_legal, move, out)[0] for move in range(5)] == [1, 1, 1, 0, 0]
        assert asked(rope(), ask_idle, Rng(0))[0] == 0


def test_games_of_plain_python_are_drawn_from_too():
    nim = Nim((1, 2), misere=False)
    assert set(drawn(nim, range(50))) == set(nim.initial().legal(0))


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_a_game_may_say_how_its_actions_are_drawn(way):
    with using(way):
        game = rope()
        offer(game, sample=always_up, is_legal=up_is_legal, do_nothing=wait)
        assert set(drawn(game, range(20))) == {UP}
        out = array("Q", bytes(24))
        assert [asked(game, ask_legal, move, out)[0] for move in range(3)] == [0, 1, 0]
        done, block = asked(game, ask_idle, Rng(0))
        assert (done, Rope(bytearray(block)).plies) == (1, 1)


@kernel
def finds_nothing(state: Rope, role: i64, out: buffer[u64], rng: Stream) -> i64:
    return 0


def test_a_game_that_finds_nothing_leaves_it_to_the_list():
    game = rope()
    offer(game, sample=finds_nothing)
    assert drawn(game, range(50)) == drawn(rope(), range(50))


def test_threads_that_ask_at_once_get_the_same_kernels():
    """A search holds on to addresses only, so it must not have kernels that nobody else holds on to."""
    game, both = rope(), Barrier(2)
    offer(game, sample=always_up)
    actions = game.offers.actions
    game.offers = replace(game.offers, actions=lambda: both.wait(60) * 0 or actions())
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: action_kernels(game), range(2))
    assert first is second


def test_what_is_offered_has_to_be_a_kernel_of_the_right_kind():
    game = rope()
    offer(game, sample=lambda state, role, out, rng: 1)
    with pytest.raises(GameError, match="game 'rope' offers an action that is not a kernel"):
        actions_of(game)
    game = rope()
    offer(game, sample=up_is_legal)
    with pytest.raises(KernelError, match="'up_is_legal' of a game is fn"):
        actions_of(game)


@kernel
def ask_count(table: Table, actions: Actions, state: view[u8], role: i64, out: buffer[u64]) -> i64:
    return i64(actions.count(table, state, role, out))


@kernel
def ask_fits(table: Table, actions: Actions, state: view[u8], role: i64, move: u64, out: buffer[u64]) -> i64:
    return i64(actions.fits(table, state, role, move, out))


@pytest.mark.parametrize("name", ["connect-four", "breakthrough", "breakthrough(width=3, height=5)", "tic-tac-toe"])
def test_what_a_game_tells_faster_is_what_its_list_says(name):
    made = game(name)
    reached, actions, out = bridge(made), actions_of(made), array("Q", bytes(8 * made.max_moves))
    for seed in range(12):
        state, rng = made.initial(), Rng(seed)
        while not state.over:
            block = bytearray(reached.block(state))
            for role in state.movers:
                legal = state.legal(role)
                assert ask_count(reached.table, actions, block, role, out) == len(legal)
                others = [rng.below(4096) for _ in range(20)] + [7, 2**12, 2**64 - 1]
                for move in (*legal, *others):
                    assert ask_fits(reached.table, actions, block, role, move, out) == (move in legal)
            state = state.after(rng.choice(state.legal(state.movers[0])))
