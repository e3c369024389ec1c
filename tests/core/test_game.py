from dataclasses import dataclass, field

import pytest

from ludarium.core import BadParameter, Game, IllegalMove, Rng, State, Traits


class Race(Game):
    """Two runners take 1 or 2 steps: in turn or together, with or without a stumble."""

    name = "race"
    roles = ("red", "blue")

    def __init__(self, *, together=False, stumble=False, steps=2, tired=False):
        self.traits = Traits(turn_taking=not together, deterministic=not stumble, perfect_information=True)
        self.steps = steps
        self.tired = tired  # the longest step has a text, but is not legal

    def text(self, move):
        return {step: f"run {step}" for step in range(1, self.steps + 1)}[move]

    def parse(self, text):
        raise IllegalMove(f"{text!r} is not a move: expected run 1 or run 2")

    def picture(self, state, role=None):
        return f"red {state.red}, blue {state.blue}"

    def _initial(self, rng):
        return RaceState(self)


@dataclass(frozen=True)
class RaceState(State):
    game: Race = field(compare=False)
    red: int = 0
    blue: int = 0
    turn: int = 0

    @property
    def movers(self):
        if max(self.red, self.blue) >= 5:
            return ()
        return (self.turn,) if self.game.traits.turn_taking else (0, 1)

    def legal(self, role):
        return list(range(1, self.game.steps + (not self.game.tired)))

    def utilities(self):
        return float(self.red > self.blue), float(self.blue > self.red)

    def observe(self, role):
        return bytes([self.red, self.blue])

    def _after(self, joint, rng):
        stumble = 0 if self.game.traits.deterministic else rng.below(2)
        return RaceState(self.game, self.red + joint[0] - stumble, self.blue + joint[1], 1 - self.turn)


def test_a_bare_move_is_enough_for_one_mover():
    state = Race().initial().after(2)
    assert (state.red, state.blue, state.movers) == (2, 0, (1,))


def test_a_mapping_does_the_same():
    start = Race().initial()
    assert start.after({0: 2}) == start.after(2)


def test_roles_that_do_not_move_have_a_zero_in_the_joint_move():
    state = Race().initial().after(2).after(1)
    assert (state.red, state.blue) == (2, 1)


def test_movers_at_once_move_at_once():
    state = Race(together=True).initial().after({1: 2, 0: 1})
    assert (state.red, state.blue) == (1, 2)


def test_a_bare_move_is_not_enough_for_two_movers():
    with pytest.raises(IllegalMove, match=r"red and blue move at once: give a move for each, as \{role: move\}"):
        Race(together=True).initial().after(1)


def test_every_mover_must_move():
    with pytest.raises(IllegalMove, match="no move given for blue"):
        Race(together=True).initial().after({0: 1})


@pytest.mark.parametrize(("role", "named"), [(1, "blue"), (2, "role 2"), (-1, "role -1"), ("red", "role 'red'")])
def test_nobody_moves_out_of_turn(role, named):
    with pytest.raises(IllegalMove, match=f"^{named} is not to move now"):
        Race().initial().after({0: 1, role: 1})


def test_nobody_moves_when_the_game_is_over():
    state = Race().initial().after(2).after(1).after(2).after(1).after(1)
    assert state.over
    assert state.movers == ()
    assert state.utilities() == (1.0, 0.0)
    with pytest.raises(IllegalMove, match="the game is over"):
        state.after(1)


def test_an_illegal_move_is_named_with_its_role_and_the_legal_ones():
    state = Race(steps=3, tired=True).initial()
    with pytest.raises(IllegalMove, match=r"^'run 3' is not legal for red: legal is run 1, run 2$"):
        state.after(3)


def test_a_code_without_a_text_is_named_by_its_number():
    with pytest.raises(IllegalMove, match=r"^move 77 is not legal for red: legal is run 1, run 2$"):
        Race().initial().after(77)


def test_many_legal_moves_are_not_all_listed():
    with pytest.raises(IllegalMove, match=r"run 8, \.\.\. \(30 in all\)$"):
        Race(steps=30).initial().after(77)


def test_a_text_given_for_a_move_says_how_to_make_one():
    with pytest.raises(BadParameter, match=r"'run 1': game\.parse\(text\)"):
        Race().initial().after("run 1")


def test_a_game_of_chance_needs_an_rng_from_the_start():
    game = Race(stumble=True)
    with pytest.raises(BadParameter, match="race draws chance: give an Rng"):
        game.initial()
    start = game.initial(Rng(1))
    with pytest.raises(BadParameter, match="race draws chance: give an Rng"):
        start.after(1)
    assert start.after(2, Rng(1)).red in {1, 2}


def test_the_mistake_in_the_move_is_told_before_the_missing_rng():
    with pytest.raises(IllegalMove):
        Race(stumble=True).initial(Rng(1)).after(77)


def test_a_state_is_a_value():
    game = Race()
    one, other = game.initial().after(1), game.initial().after(1)
    assert one is not other
    assert one == other
    assert hash(one) == hash(other)
    assert one != game.initial()


def test_a_state_prints_as_its_picture():
    assert str(Race().initial().after(2)) == "red 2, blue 0"


def test_a_state_that_cannot_be_compared_cannot_be_made():
    class Bare(State):
        movers = ()

        def legal(self, role): ...
        def utilities(self): ...
        def observe(self, role): ...
        def _after(self, joint, rng): ...

    with pytest.raises(TypeError, match="__eq__"):
        Bare()


def test_a_game_promises_nothing_unless_it_says_so():
    assert Traits() == Traits(
        turn_taking=False, deterministic=False, perfect_information=False, constant_sum=False, max_plies=None
    )


@pytest.mark.parametrize("plies", [0, -3])
def test_a_match_has_at_least_one_ply(plies):
    with pytest.raises(BadParameter, match="max_plies must be positive"):
        Traits(max_plies=plies)
