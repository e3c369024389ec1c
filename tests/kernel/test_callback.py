"""Plain Python games below kernels: what they raise comes out as it is, and chance is one stream."""

import gc
import traceback

import pytest

from ludarium.core import Game, GameError, Rng, State, Traits
from ludarium.games.nim import nim
from ludarium.kernel import (
    Bundle,
    Record,
    Stream,
    Table,
    bridge,
    buffer,
    copy,
    f64,
    fn,
    i64,
    kernel,
    u8,
    u64,
    using,
    view,
    zeros,
)
from ludarium.kernel.callback import python_entry


class Walk(Game):
    """Draw numbers until one of the two roles has enough; both choose at once every third ply."""

    name = "walk"
    roles = ("left", "right")
    traits = Traits(perfect_information=True)
    max_moves = 3

    def __init__(self, trouble=None):
        self.trouble = trouble or (lambda *_: None)

    def text(self, move):
        return str(move)

    def parse(self, text):
        return int(text)

    def picture(self, state, role=None):
        return str(state.place)

    def _initial(self, rng):
        return WalkState(self, rng.below(3), 0)


class WalkState(State):
    def __init__(self, game, place, plies):
        self.game, self.place, self.plies = game, place, plies

    @property
    def movers(self):
        self.game.trouble("movers", self)
        if abs(self.place) > 9:
            return ()
        return (0, 1) if self.plies % 3 == 2 else (self.plies % 2,)

    def legal(self, role):
        self.game.trouble("legal", self)
        return [0, 1, 2]

    def utilities(self):
        self.game.trouble("utilities", self)
        return (0.75, 0.25) if self.place > 0 else (0.25, 0.75)

    def observe(self, role):
        return bytes([self.place & 255, role])

    def __eq__(self, other):
        return (self.place, self.plies) == (other.place, other.plies)

    def __hash__(self):
        return hash((self.place, self.plies))

    def _after(self, joint, rng):
        self.game.trouble("after", self)
        return WalkState(self.game, self.place + joint[0] - joint[1] + rng.below(5) - 2, self.plies + 1)


@kernel
def search(
    table: Table,
    state: view[u8],
    moves: buffer[u64],
    joint: view[u64],
    values: view[f64],
    rng: Stream,
    limit: i64,
    seen: buffer[u8],
) -> u64:
    """Play the last legal move of every mover, and mix all that is seen on the way into a number."""
    table.init(state, rng)
    mixed = u64(7)
    for ply in range(limit):
        acting = table.movers(state)
        if acting == 0:
            break
        for role in range(table.roles):
            joint[role] = 0
            if (acting >> role) & 1 == 1:
                joint[role] = moves[table.legal(state, role, moves) - 1]
        table.apply(state, joint, rng)
        mixed = mixed * 31 + u64(seen[table.observe(state, 1, seen) - 2]) + table.hash(state) % 1000
    mixed = mixed * 31 + u64(table.playout(state, rng, limit))
    table.utilities(state, values)
    return mixed + u64(values[0] * 4.0)


def run(game, seed=1, limit=50, moves=3, seen=2):
    """Search, and show the result, the values and how far the random numbers got."""
    import array

    values, rng = array.array("d", bytes(16)), Rng(seed)
    table = bridge(game)
    answer = search(
        table.table,
        bytearray(8),
        array.array("Q", bytes(8 * moves)),
        array.array("Q", bytes(16)),
        values,
        rng,
        limit,
        bytearray(seen),
    )
    return answer, list(values), list(rng.words)


def by_hand(game, seed=1, limit=50):
    """The same without kernels."""
    rng = Rng(seed)
    state, mixed = game.initial(rng), 7
    for _ in range(limit):
        movers = state.movers
        if not movers:
            break
        state = state.after({role: state.legal(role)[-1] for role in movers}, rng)
        mixed = mixed * 31 + state.observe(1)[0] + hash(state) % 2**64 % 1000
    plies = 0
    while plies < limit and state.movers:
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
        plies += 1
    mixed = mixed * 31 + plies
    values = list(state.utilities())
    return (mixed + int(values[0] * 4)) % 2**64, values, list(rng.words)


@pytest.fixture(params=["native", "check", "python"], autouse=True)
def way(request):
    with using(request.param):
        yield request.param


@pytest.mark.parametrize("limit", [0, 2, 50])
@pytest.mark.parametrize("seed", range(5))
def test_a_search_sees_what_the_game_does_and_draws_the_same_numbers(seed, limit):
    assert run(Walk(), seed, limit) == by_hand(Walk(), seed, limit)


class Special(Exception):
    """Only this game raises this."""


@pytest.mark.parametrize("where", ["movers", "legal", "utilities", "after"])
@pytest.mark.parametrize(
    "error", [Special("mine"), KeyError(3), KeyboardInterrupt(), SystemExit(3), GeneratorExit(), MemoryError()]
)
def test_what_a_game_raises_is_raised_again_as_it_is(where, error):
    calls = []

    def trouble(name, state):
        calls.append(name)
        if name == where and (where == "utilities" or calls.count(name) == 3):
            raise error

    with pytest.raises(type(error)) as caught:
        run(Walk(trouble))
    assert caught.value is error
    assert traceback.extract_tb(caught.tb)[-1].name == "trouble"
    assert run(Walk()) == by_hand(Walk())  # and nothing of it is left


def test_the_end_of_the_place_where_it_was_raised_is_shown():
    def trouble(name, state):
        if state.plies == 4:
            raise Special("in the middle")

    with pytest.raises(Special) as caught:
        run(Walk(trouble))
    text = "".join(traceback.format_exception(caught.value))
    assert "raise Special" in text
    assert "self.game.trouble" in text


def test_more_moves_than_announced():
    with pytest.raises(GameError, match=r"game 'walk' has 3 legal moves, more than it announced \(max_moves=2\)"):
        run(Walk(), moves=2)


def test_more_to_see_than_there_is_room_for():
    with pytest.raises(GameError, match="game 'walk' shows 2 bytes, more than there is room for"):
        run(Walk(), seen=1)


@pytest.mark.parametrize(("moves", "message"), [([-1], "-1"), ([2**64], "18446744073709551616"), (["x"], "'x'")])
def test_moves_that_are_no_codes(moves, message):
    class Odd(Walk):
        def _initial(self, rng):
            state = WalkState(self, 0, 0)
            state.legal = lambda role: moves
            return state

    with pytest.raises(GameError, match=rf"game 'walk' has a legal move {message}; moves are numbers"):
        run(Odd())


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ((1.0,), "has the utilities .*; expected a number for each of 2 roles"),
        ((1.0, 0.0, 0.5), "has the utilities .*; expected a number for each of 2 roles"),
        (("x", 1.0), "gives left the utility 'x'; utilities are numbers from 0 to 1"),
        ((0.5, 1.5), "gives right the utility 1.5; utilities are numbers from 0 to 1"),
        ((float("nan"), 0.5), "gives left the utility nan; utilities are numbers from 0 to 1"),
    ],
)
def test_utilities_of_the_wrong_kind(values, complaint):
    class Odd(Walk):
        def _initial(self, rng):
            state = WalkState(self, 10, 0)
            state.utilities = lambda: values
            return state

    with pytest.raises(GameError, match=f"game 'walk' {complaint}"):
        run(Odd())


def test_a_copied_block_stands_for_the_same_state():
    game = nim()
    made = bridge(game)
    state = game.initial()
    block = made.block(state)
    other = bytearray(8)
    twin(made.table, block, other)
    assert list(state.legal(0))[0] == first_move(made.table, other, bytearray(8 * game.max_moves))


@kernel
def twin(table: Table, state: view[u8], other: view[u8]) -> None:
    copy(other, state)


@kernel
def first_move(table: Table, state: view[u8], moves: view[u8]) -> u64:
    room = recast(u64, moves)
    table.legal(state, 0, room)
    return room[0]


from ludarium.kernel import recast  # noqa: E402


def test_callbacks_stay_alive_as_long_as_the_bridge():
    made = bridge(Walk())
    gc.collect()
    assert first_move(made.table, made.block(Walk().initial(Rng(0))), bytearray(24)) == 0


class Tally(Record):
    """A number to look at."""

    count: i64


class Asked(Bundle):
    """What Python is asked about."""

    numbers: view[i64]
    answer: i64


class Helper(Bundle):
    """Whom to ask."""

    help: fn[[Asked, Tally, i64], tuple[i64, bool]]


@kernel
def ask(helper: Helper, asked: Asked, tally: Tally, place: i64) -> i64:
    found, sure = helper.help(asked, tally, place)
    return found if sure else -found


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_python_is_called_with_bundles_and_gives_several_results(way):
    """What a bundle leads to is known to whoever made it."""
    with using(way):
        asked, tally = Asked(numbers=zeros(i64, 3)), Tally()
        tally.count = 5

        def helped(_asked, given, place):
            asked.numbers[place] = 7
            asked.answer += 1
            count = given if isinstance(given, Tally) else Tally(given)
            return count.count + place, place == 1

        number, held = python_entry(Helper.fields["help"][0], helped)
        helper = Helper(help=number)
        assert [ask(helper, asked, tally, place) for place in range(3)] == [-5, 6, -7]
        assert (list(asked.numbers), asked.answer) == ([7, 7, 7], 3)
        assert held is not None
