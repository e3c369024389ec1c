import pytest

from ludarium import game
from ludarium.arena.leaks.other_worlds import Swap, World, all_states, another, wander
from ludarium.arena.position import Position, after
from ludarium.core import Rng
from tests.hidden.small_games import Urn, long_walk

GAMES = (
    "attaque", "battleship(width=4, height=4, fleet=(3, 2))", "battleship(placement='random')", "blind-tic-tac-toe",
    "kriegspiel-tic-tac-toe", "kuhn-poker", "leduc-poker", "monty-hall", "rinascimento", "whist",
)  # fmt: skip


def wandered(made, seed, role, plies):
    rng = Rng.keyed(seed, "moves")
    return wander(made, seed, role, plies, lambda at, mover: rng.choice(at.state.legal(mover)))


@pytest.mark.parametrize("name", GAMES)
def test_a_role_is_told_the_same_in_another_world_all_along(name):
    made = game(name)
    others = 0
    for seed in range(6):
        role = seed % len(made.roles)
        world = wandered(made, seed, role, 3 * seed)
        other = another(world, role, Rng(seed)).world
        if other is None:
            continue
        others += 1
        assert len(other.steps) == len(world.steps)
        assert other.states != world.states
        for here, there in zip(world, other, strict=True):
            assert (role in here.state.movers) == (role in there.state.movers)
            assert here.information_set(role).seen == there.information_set(role).seen
            assert here.information_set(role).played == there.information_set(role).played
            if role in here.state.movers:
                assert sorted(here.information_set(role).legal) == sorted(there.information_set(role).legal)
    assert others >= 2


def test_a_world_can_be_played_again():
    made = game("leduc-poker")
    world = wandered(made, 4, 0, 3)
    assert world.states == world.states
    assert world.states[-1] == after(made, world.moves(len(world.steps)), seed=4).state
    assert [position.plies for position in world] == list(range(len(world.steps) + 1))


def test_a_swap_takes_the_place_of_a_state():
    made = game("kuhn-poker")
    one, two = (Position(made, seed).state for seed in (0, 1))
    assert one != two
    (position,) = World(made, 0, swap=Swap(0, two))
    assert position.state == two
    assert position.information_set(0).seen == (two.observe(0),)


def test_it_ends_where_the_role_has_a_choice():
    made = game("battleship(width=4, height=4, fleet=(3, 2))")
    for plies in range(12):
        for role in range(2):
            world = wandered(made, plies, role, plies)
            assert len(world.steps) in (plies, plies + 1)
            assert len(world.end.information_set(role).legal) > 1


def test_who_never_has_a_choice_has_no_world():
    assert wander(_Forced(), 0, 0, 5, lambda at, mover: at.state.legal(mover)[0]) is None


def test_the_last_choice_will_do_if_the_match_ends_before():
    world = wandered(game("kuhn-poker"), 0, 0, 100)
    assert len(world.steps) in (0, 2)


def test_a_state_that_is_alone_is_known_to_be_so():
    """With one colour left the ball is known; with two it is not."""
    urn = Urn()
    first = World(urn, 0)
    assert len(all_states(first, 0)) == 4
    assert another(first, 0, Rng(0)).world is not None
    walk = World(long_walk(), 0)
    assert another(walk, 0, Rng(0)) == (None, True)  # it begins at a place that is known


def test_what_is_declared_to_be_hidden_need_not_be():
    """Rinascimento hides nothing until somebody reserves a card unseen."""
    assert another(World(game("rinascimento"), 0), 0, Rng(0)) == (None, True)


def test_many_states_are_not_listed():
    assert all_states(World(game("whist"), 0), 0) == []


class _Forced(Urn):
    def _initial(self, rng):
        made = super()._initial(rng)
        made.__class__ = _ForcedState
        return made


class _ForcedState(type(Urn()._initial(Rng(0)))):
    __slots__ = ()

    def legal(self, role):
        return [0]

    def _after(self, joint, rng):
        made = super()._after(joint, rng)
        made.__class__ = _ForcedState
        return made
