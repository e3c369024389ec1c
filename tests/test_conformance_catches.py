"""Games broken on purpose: `check_game` finds each fault and says what it is."""

import copy
import random
from dataclasses import dataclass, field, replace

import pytest

from ludarium.core import Game, GameError, IllegalMove, Rng, State, Traits
from ludarium.games import connect_four as c4
from ludarium.games import kuhn_poker as kuhn
from ludarium.games.connect_four import connect_four
from ludarium.games.goofspiel import goofspiel
from ludarium.games.kuhn_poker import kuhn_poker
from ludarium.games.tic_tac_toe import tic_tac_toe
from ludarium.kernel import Stream, buffer, draw, f64, i64, kernel, u8, u64, view
from ludarium.testing import CheckFailed, check_game
from tests.games import swaps


def broken(game, *, traits=None, kernels=None, **changes):
    """The game with some of it replaced."""
    made = copy.copy(game)
    made.traits = replace(game.traits, **(traits or {}))
    made.kernels = {**game.kernels, **(kernels or {})}
    for name, change in changes.items():
        setattr(made, name, change)
    return made


class Countdown(Game):
    """Two players take 1 or 2 from 12 in turn; a plain Python game to break."""

    name = "countdown"
    roles = ("first", "second")
    max_moves = 2

    def __init__(self, state=None, **traits):
        promises = {"turn_taking": True, "deterministic": True, "perfect_information": True}
        self.traits = Traits(**{**promises, "constant_sum": True, "max_plies": 12, **traits})
        self.state = state or CountdownState

    def text(self, move):
        return f"take {move}"

    def parse(self, text):
        if text not in ("take 1", "take 2"):
            raise IllegalMove(f"'{text}' is no move")
        return int(text[-1])

    def picture(self, state, role=None):
        return f"{state.left} left"

    def _initial(self, rng):
        return self.state(self, 12, 0)


@dataclass(unsafe_hash=True)
class CountdownState(State):
    game: Game = field(compare=False)
    left: int
    turn: int

    @property
    def movers(self):
        return (self.turn,) if self.left > 0 else ()

    def legal(self, role):
        return [take for take in (1, 2) if take <= self.left]

    def utilities(self):
        return (0.5, 0.5) if self.left else (float(self.turn), 1.0 - self.turn)

    def observe(self, role):
        return bytes([self.left, self.turn])

    def _after(self, joint, rng):
        return type(self)(self.game, self.left - joint[self.turn], 1 - self.turn)


def test_games_in_order_pass():
    for game in (Countdown(), connect_four(), broken(tic_tac_toe()), goofspiel(cards=3)):
        check_game(game)
    check_game(kuhn_poker(), hidden_swap=swaps.SWAPS["kuhn-poker"])
    check_game(connect_four, seeds=[7], plies=5)


# Legal moves


def legal_faults():
    @kernel
    def unknown(state: c4.State, role: i64, out: buffer[u64]) -> i64:
        out[0] = 7
        return 1

    @kernel
    def twice(state: c4.State, role: i64, out: buffer[u64]) -> i64:
        out[0] = 3
        out[1] = 3
        return 2

    @kernel
    def none(state: c4.State, role: i64, out: buffer[u64]) -> i64:
        return 0

    @kernel
    def miscounted(state: c4.State, role: i64, out: buffer[u64]) -> i64:
        return 99

    return {
        "IndexError: string index out of range": unknown,
        "a legal move of red is listed twice": twice,
        "red is to move, but has no legal move": none,
        "'legal' counts more moves than there is room for": miscounted,
    }


@pytest.mark.parametrize(("message", "legal"), legal_faults().items())
def test_wrong_legal_moves(message, legal):
    with pytest.raises(CheckFailed, match=message):
        check_game(broken(connect_four(), kernels={"legal": legal}))


def test_a_legal_move_that_cannot_be_made():
    unknown = legal_faults()["IndexError: string index out of range"]
    game = broken(connect_four(), kernels={"legal": unknown}, _text=str, _parse=int)
    with pytest.raises(CheckFailed, match=r"seed 0, after no move: IndexError: .*index (7|outside)"):
        check_game(game)


def test_more_moves_than_announced_are_an_error_and_no_write_past_the_end():
    game = broken(connect_four(), max_moves=3)
    with pytest.raises(CheckFailed, match=r"more legal moves than it announced \(max_moves=3\)"):
        check_game(game)
    with pytest.raises(GameError, match="more legal moves"):
        game.initial().legal(0)
    with pytest.raises((GameError, IndexError)):
        game.bridge.call("playout", bytearray(game.initial().block), Rng(0), 10)


def test_more_moves_than_announced_in_plain_python():
    game = Countdown()
    game.max_moves = 1
    with pytest.raises(CheckFailed, match=r"2 legal moves, more than it announced \(max_moves=1\)"):
        check_game(game)


def test_an_illegal_move_that_is_accepted():
    class Lax(CountdownState):
        __hash__ = CountdownState.__hash__

        def after(self, moves, rng=None):
            return self._after([1, 1], rng)

    with pytest.raises(CheckFailed, match="the illegal move 18446744073709551615 is accepted"):
        check_game(Countdown(Lax))


def test_a_list_of_moves_that_the_caller_can_spoil():
    class Shared(CountdownState):
        __hash__ = CountdownState.__hash__
        moves = [1]  # noqa: RUF012

        def legal(self, role):
            return self.moves

    with pytest.raises(CheckFailed, match="the legal moves of first changed by asking again"):
        check_game(Countdown(Shared))


def test_a_game_that_raises():
    class Raising(CountdownState):
        __hash__ = CountdownState.__hash__

        def legal(self, role):
            return [1 // (self.left - 5)] if self.left == 5 else super().legal(role)

    with pytest.raises(CheckFailed, match=r"countdown.*seed 0, after take .*ZeroDivisionError"):
        check_game(Countdown(Raising))


# Traits


def test_turn_taking_that_is_none():
    with pytest.raises(CheckFailed, match="it says turn_taking, but 2 roles move at once"):
        check_game(broken(goofspiel(cards=3), traits={"turn_taking": True}))


def test_a_beginning_that_is_not_deterministic():
    with pytest.raises(CheckFailed, match=r"it says deterministic, but .* draws from rng|its beginning differs"):
        check_game(broken(kuhn_poker(), traits={"deterministic": True}))


def test_moves_that_are_not_deterministic():
    with pytest.raises(CheckFailed, match="it says deterministic, but a move has several outcomes"):
        check_game(broken(goofspiel(cards=5), traits={"deterministic": True}))


def test_a_deterministic_game_that_draws_for_nothing():
    @kernel
    def init(state: c4.State, rng: Stream) -> None:
        c4.init(state, rng)
        draw(rng)

    with pytest.raises(CheckFailed, match="it says deterministic, but its beginning draws from rng"):
        check_game(broken(connect_four(), kernels={"init": init}))


def test_perfect_information_that_is_none():
    with pytest.raises(CheckFailed, match="it says perfect_information, but two states look alike to"):
        check_game(broken(kuhn_poker(), traits={"perfect_information": True}))


def test_perfect_information_with_moves_that_are_not_shown():
    @kernel
    def observe(state: c4.State, role: i64, out: buffer[u8]) -> i64:
        out[0] = state.plies
        return 1

    with pytest.raises(CheckFailed, match="it says perfect_information, but two states look alike to"):
        check_game(broken(connect_four(), kernels={"observe": observe}))


def test_a_sum_that_is_not_constant():
    @kernel
    def utilities(state: c4.State, out: view[f64]) -> None:
        c4.utilities(state, out)
        out[0] *= 1.0 - state.plies / 100
        out[1] *= 1.0 - state.plies / 100

    with pytest.raises(CheckFailed, match="it says constant_sum, but utilities add up to"):
        check_game(broken(connect_four(), kernels={"utilities": utilities}))


def test_a_match_that_is_longer_than_promised():
    with pytest.raises(CheckFailed, match="it says max_plies=6, but goes on"):
        check_game(broken(connect_four(), traits={"max_plies": 6}))


# What roles know


def test_an_observation_that_leaks():
    @kernel
    def observe(state: kuhn.State, role: i64, out: buffer[u8]) -> i64:
        count = kuhn.observe(state, role, out)
        if state.plies == 2:
            out[0] = 3 * state.cards[0] + state.cards[1]
        return count

    with pytest.raises(CheckFailed, match="what first observes gives away what is hidden from it"):
        check_game(broken(kuhn_poker(), kernels={"observe": observe}), hidden_swap=swaps.SWAPS["kuhn-poker"])


def test_legal_moves_that_leak():
    @kernel
    def legal(state: kuhn.State, role: i64, out: buffer[u64]) -> i64:
        out[0] = 0
        out[1] = 1
        return 2 if state.cards[1 - role] == 1 else 1

    game = broken(kuhn_poker(), kernels={"legal": legal})
    with pytest.raises(CheckFailed, match=r"the legal moves of (first|second) give away what it does not see"):
        check_game(game)


def test_a_picture_that_leaks():
    game = broken(kuhn_poker(), _picture=lambda state, role: kuhn.picture(state, None))
    with pytest.raises(CheckFailed, match=r"the picture for (first|second) gives away what it does not see"):
        check_game(game)


def test_an_observation_that_changes():
    class Flickering(CountdownState):
        __hash__ = CountdownState.__hash__

        def observe(self, role):
            return random.randbytes(8)

    with pytest.raises(CheckFailed, match="two looks of first at one state differ"):
        check_game(Countdown(Flickering))


# States as values


def test_a_state_that_changes():
    class Mutable(CountdownState):
        __hash__ = CountdownState.__hash__

        def _after(self, joint, rng):
            self.left -= joint[self.turn]
            self.turn = 1 - self.turn
            return type(self)(self.game, self.left, self.turn)

    with pytest.raises(CheckFailed, match="the move changed the state that it was made in"):
        check_game(Countdown(Mutable))


def test_equal_states_with_different_hashes():
    class Unhashed(CountdownState):
        __hash__ = object.__hash__

    with pytest.raises(CheckFailed, match="equal states have different hashes"):
        check_game(Countdown(Unhashed))


def test_different_states_with_one_hash():
    @kernel
    def hash_plies(state: c4.State) -> u64:
        return u64(state.plies)

    with pytest.raises(CheckFailed, match="two different states have one hash"):
        check_game(broken(connect_four(), kernels={"hash": hash_plies}))


def test_equal_states_that_differ():
    class Counting(CountdownState):
        __hash__ = CountdownState.__hash__
        made = 0

        def _after(self, joint, rng):
            following = super()._after(joint, rng)
            Counting.made += 1
            following.number = Counting.made
            return following

        def observe(self, role):
            return bytes([self.left, self.turn, getattr(self, "number", 0) % 256])

    with pytest.raises(CheckFailed, match="equal states answer differently"):
        check_game(Countdown(Counting))


# Utilities, texts, pictures


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((1.5, -0.5), r"utilities go from 0 to 1; these are \(1.5, -0.5\)"),
        ((float("nan"), 1.0), "utilities go from 0 to 1"),
        ((1.0,), "1 utilities for 2 roles"),
    ],
)
def test_impossible_utilities(values, message):
    class Rich(CountdownState):
        __hash__ = CountdownState.__hash__

        def utilities(self):
            return values

    with pytest.raises(CheckFailed, match=message):
        check_game(Countdown(Rich))


def test_a_text_that_reads_as_another_move():
    game = broken(connect_four(), _parse=lambda text: 6 - c4.parse(text))
    with pytest.raises(CheckFailed, match="move 0 is written 'a', which reads as move 6"):
        check_game(game)


def test_two_moves_with_one_text():
    game = broken(connect_four(), _text=lambda move: "abcdeff"[move])
    with pytest.raises(CheckFailed, match="two legal moves are written 'f'"):
        check_game(game)


def test_a_text_that_looks_like_two_moves():
    game = broken(connect_four(), _text=lambda move: f"{move} + {move}")
    with pytest.raises(CheckFailed, match="which joins moves"):
        check_game(game)


def test_a_reader_that_takes_anything():
    with pytest.raises(CheckFailed, match=r"parse.* is accepted; expected IllegalMove"):
        check_game(broken(connect_four(), _parse=lambda text: 0))


def test_an_empty_picture():
    with pytest.raises(CheckFailed, match="the picture for red is empty"):
        check_game(broken(connect_four(), _picture=lambda state, role: ""))


# Seeds


def test_a_beginning_that_does_not_repeat():
    class Shuffled(Countdown):
        def _initial(self, rng):
            return self.state(self, random.randrange(20, 120), 0)

    with pytest.raises(CheckFailed, match="the same seed gives another beginning: chance comes from rng alone"):
        check_game(Shuffled(deterministic=False, max_plies=None))


def test_a_move_that_does_not_repeat():
    class Slippery(CountdownState):
        __hash__ = CountdownState.__hash__

        def _after(self, joint, rng):
            following = super()._after(joint, rng)
            following.left = min(following.left, random.randrange(13))
            return following

    with pytest.raises(CheckFailed, match="the same move with the same seed leads elsewhere"):
        check_game(Countdown(Slippery, deterministic=False))


# Kernels


def test_a_kernel_that_means_something_else_as_machine_code():
    @kernel
    def apply(state: c4.State, joint: view[u64], rng: Stream) -> None:
        c4.apply(state, joint, rng)
        state.height[i64(joint[1 - (state.plies & 1)])] += 256

    with pytest.raises(CheckFailed, match=r"OverflowError: .* does not fit u8"):
        check_game(broken(connect_four(), kernels={"apply": apply}))


def test_a_playout_that_does_not_end():
    @kernel
    def playout(state: c4.State, rng: Stream, limit: i64) -> i64:
        return 0

    with pytest.raises(CheckFailed, match="stops after 0 plies, before the end"):
        check_game(broken(connect_four(), kernels={"playout": playout}))


def playing_first():
    """Always the first free column, but within the limit and to the end."""

    @kernel
    def playout(state: c4.State, rng: Stream, limit: i64) -> i64:
        joint = c4.array(u64, 2)
        plies = 0
        while plies < limit and c4.movers(state) != 0:
            column = 0
            while state.height[column] == c4.ROWS:
                column += 1
            joint[state.plies & 1] = u64(column)
            c4.apply(state, joint, rng)
            plies += 1
        return plies

    return playout


def test_a_playout_that_is_not_random():
    with pytest.raises(CheckFailed, match="its own playout is not random play: the average length is off by"):
        check_game(broken(connect_four(), kernels={"playout": playing_first()}))


def test_a_playout_that_ignores_its_limit():
    first = playing_first()

    @kernel
    def playout(state: c4.State, rng: Stream, limit: i64) -> i64:
        return first(state, rng, 42)

    with pytest.raises(CheckFailed, match="a playout of 0 plies at most made"):
        check_game(broken(connect_four(), kernels={"playout": playout}))
