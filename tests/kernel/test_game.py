"""Games made of kernels: their table answers what they promise, or blames them; it never writes past the end."""

import array
import ctypes

import pytest

from ludarium.core import BadParameter, GameError, IllegalMove, Rng, Traits
from ludarium.kernel import (
    KernelError,
    KernelGame,
    Record,
    Stream,
    Table,
    below,
    buffer,
    f64,
    i64,
    kernel,
    u8,
    u64,
    using,
    view,
)


class Count(Record):
    """A number that goes up to ten."""

    number: u8
    secret: u8


@kernel
def init(state: Count, rng: Stream) -> None:
    state.number = 0
    state.secret = below(rng, 200)


@kernel
def movers(state: Count) -> i64:
    if state.number >= 10:
        return 0
    return 1 + (state.number & 1)


@kernel
def legal(state: Count, role: i64, out: buffer[u64]) -> i64:
    for k in range(3):
        out[k] = u64(k + 1)
    return 3


@kernel
def apply(state: Count, joint: view[u64], rng: Stream) -> None:
    state.number += i64(joint[0] + joint[1])


@kernel
def utilities(state: Count, out: view[f64]) -> None:
    out[0] = 1.0 if state.number == 10 else 0.0
    out[1] = 1.0 - out[0]


@kernel
def observe(state: Count, role: i64, out: buffer[u8]) -> i64:
    out[0] = state.number
    return 1


def count(**changes):
    """The game, with some of it changed."""
    given = {
        "state": Count,
        "max_moves": 3,
        "init": init,
        "movers": movers,
        "legal": legal,
        "apply": apply,
        "utilities": utilities,
    }
    given |= {"observe": observe, "text": str, "parse": int, "picture": lambda state, role: str(state.number)} | changes
    return KernelGame("count", ("a", "b"), Traits(), **{k: v for k, v in given.items() if v is not None})


@pytest.fixture(params=["native", "check", "python"], autouse=True)
def way(request):
    with using(request.param):
        yield request.param


def test_a_game_answers():
    game = count()
    state = game.initial(Rng(1))
    assert (state.movers, state.legal(0), state.observe(1), str(state)) == ((0,), [1, 2, 3], b"\0", "0")
    later = state.after(3, Rng(2))
    assert (later.movers, later.utilities(), later == state, later == state.after(3, Rng(2))) == (
        (1,),
        (0.0, 1.0),
        False,
        True,
    )
    assert hash(later) == hash(state.after(3, Rng(2)))
    assert game.bridge.call("playout", bytearray(state.block), Rng(1), 50) > 3


@kernel
def too_many(state: Count, role: i64, out: buffer[u64]) -> i64:
    for k in range(9):
        out[k] = 0xEEEEEEEEEEEEEEEE
    return 9


@kernel
def lying(state: Count, role: i64, out: buffer[u64]) -> i64:
    return 99


@kernel
def lying_below(state: Count, role: i64, out: buffer[u64]) -> i64:
    return -1


@kernel
def none(state: Count, role: i64, out: buffer[u64]) -> i64:
    return 0


CANARY = b"\xa5" * 64


def with_canaries(size):
    """Memory with guards on both sides, and what is between them."""
    block = (ctypes.c_uint8 * (size + 128))(*CANARY, *bytes(size), *CANARY)
    return block, memoryview(block).cast("B")[64 : 64 + size]


def test_more_moves_than_announced_are_an_error_and_no_write_past_the_end():
    game = count(legal=too_many)
    with pytest.raises(GameError, match=r"more legal moves than it announced \(max_moves=3\)"):
        game.initial(Rng(1)).legal(0)
    block, inside = with_canaries(24)
    with pytest.raises(GameError) as caught:
        game.bridge.call("legal", bytes(Count.size), 0, inside.cast("Q"))
    assert isinstance(caught.value, IndexError)
    assert bytes(block)[:64] == bytes(block)[-64:] == CANARY
    assert bytes(inside) == b"\xee" * 24
    with pytest.raises(GameError):
        game.bridge.call("playout", bytearray(Count.size), Rng(1), 5)


@pytest.mark.parametrize("liar", [lying, lying_below])
def test_a_count_that_lies(liar):
    game = count(legal=liar)
    with pytest.raises(
        GameError, match="game 'count' breaks its promises: .*'legal' counts more moves than there is room for"
    ):
        game.initial(Rng(1)).legal(0)
    with pytest.raises(AssertionError, match="'legal' counts more moves"):
        game.bridge.call("playout", bytearray(Count.size), Rng(1), 5)


def test_a_mover_without_a_move():
    with pytest.raises(AssertionError, match="a mover has no legal move"):
        count(legal=none).bridge.call("playout", bytearray(Count.size), Rng(1), 5)


@kernel
def third_mover(state: Count) -> i64:
    return 4


@kernel
def all_movers(state: Count) -> i64:
    return -1


@pytest.mark.parametrize("wrong", [third_mover, all_movers])
def test_a_mover_that_does_not_exist(wrong):
    game = count(movers=wrong)
    with pytest.raises(GameError, match="'movers' names a role that the game does not have"):
        game.initial(Rng(1)).movers
    with pytest.raises(AssertionError, match="'movers' names a role"):
        game.bridge.call("playout", bytearray(Count.size), Rng(1), 5)


@kernel
def show_much(state: Count, role: i64, out: buffer[u8]) -> i64:
    for k in range(50):
        out[k] = 1
    return 50


@kernel
def show_lie(state: Count, role: i64, out: buffer[u8]) -> i64:
    return 50


def test_observations_stay_in_their_room():
    assert count(observe=show_much, max_observation=50).initial(Rng(1)).observe(0) == b"\1" * 50
    with pytest.raises(GameError):
        count(observe=show_much).initial(Rng(1)).observe(0)
    with pytest.raises(GameError, match="'observe' counts more bytes than there is room for"):
        count(observe=show_lie).initial(Rng(1)).observe(0)
    block, inside = with_canaries(2)
    with pytest.raises(GameError):
        count(observe=show_much).bridge.call("observe", bytes(Count.size), 0, inside)
    assert bytes(block)[-64:] == CANARY


@kernel
def touching(state: Count) -> i64:
    state.number += 1
    return 1


@kernel
def judging(state: Count, out: view[f64]) -> None:
    state.number = 99
    out[0] = 0.5
    out[1] = 0.5


def test_questions_do_not_change_a_state():
    with pytest.raises(GameError, match="'movers' of game 'count' writes to the state, which it may only read"):
        count(movers=touching).initial(Rng(1))
    state = count(utilities=judging).initial(Rng(1))
    before = state.block, hash(state)
    assert state.utilities() == (0.5, 0.5)
    assert (state.block, hash(state)) == before


@kernel
def apply_without_rng(state: Count, joint: view[u64]) -> None:
    state.number += 1


@kernel
def legal_without_limit(state: Count, role: i64, out: view[u64]) -> i64:
    return 0


@pytest.mark.parametrize(
    ("name", "wrong"), [("apply", apply_without_rng), ("legal", legal_without_limit), ("movers", legal)]
)
def test_kernels_of_the_wrong_type_are_refused_where_they_are_written(name, wrong):
    with pytest.raises(
        KernelError, match=rf"test_game.py:\d+:\d+: '{name}' of a game is fn\[\[Count.*, but this is fn\["
    ):
        count(**{name: wrong}).initial(Rng(1))


def test_what_a_game_is_made_of_is_checked():
    with pytest.raises(GameError, match="game 'count' lacks legal"):
        count(legal=None)
    with pytest.raises(GameError, match="has unknown kernels score"):
        count(score=movers)
    with pytest.raises(GameError, match="needs an 'observe' kernel"):
        count(observe=None)
    with pytest.raises(GameError, match="'legal' of game 'count' is not a kernel"):
        count(legal=lambda state, role, out: 0)


def test_roles_that_do_not_exist():
    state = count().initial(Rng(1))
    for role in (-1, 2, "a"):
        with pytest.raises(BadParameter, match="count has the roles 0 to 1"):
            state.legal(role)
        with pytest.raises(BadParameter, match="count has the roles 0 to 1"):
            state.observe(role)


def test_texts_that_are_no_moves():
    with pytest.raises(IllegalMove, match="'x' is not how count writes a move"):
        count().parse("x")


def test_a_table_serves_only_kernels_that_run_as_it_does(way):
    other = "python" if way != "python" else "native"
    table = count().bridge.table
    with using(other), pytest.raises(TypeError, match="there is no"):
        ask_movers(table, bytearray(Count.size))


@kernel
def ask_movers(table: Table, state: view[u8]) -> i64:
    return table.movers(state)


def test_the_default_playout_draws_as_python_does():
    game = count()
    block, rng = bytearray(game.initial(Rng(5)).block), Rng(9)
    plies = game.bridge.call("playout", block, rng, 4)
    state, by_hand = game.initial(Rng(5)), Rng(9)
    for _ in range(plies):
        (role,) = state.movers
        state = state.after({role: by_hand.choice(state.legal(role))}, by_hand)
    assert (bytes(block), list(rng.words)) == (state.block, list(by_hand.words))
    assert array.array("Q", rng.words) == by_hand.words
