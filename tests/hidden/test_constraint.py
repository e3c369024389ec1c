import pytest

from ludarium import agent, game
from ludarium.arena.position import Position
from ludarium.core import BadParameter, Limit, Rng, UnsupportedGame
from ludarium.hidden import Constraint, Heatmap, Unconstrained, determinizer
from tests.games.swaps import SWAPS


@pytest.mark.parametrize(
    ("spec", "made"),
    [("constraint", Constraint()), ("heatmap(samples=50)", Heatmap(samples=50)), ("random", Unconstrained())],
)
def test_they_are_made_by_name(spec, made):
    assert determinizer(spec) == made


@pytest.mark.parametrize("name", ["constraint", "heatmap", "random"])
def test_a_game_that_declares_nothing_is_refused(name):
    with pytest.raises(
        UnsupportedGame, match=f"{name} cannot imagine states of kuhn-poker: the game does not say what"
    ):
        determinizer(name).sampler(game("kuhn-poker"), 0)


def test_a_heatmap_needs_positions():
    with pytest.raises(UnsupportedGame, match="heatmap cannot imagine states of whist: it is not positions"):
        Heatmap().sampler(game("whist"), 0)
    with pytest.raises(BadParameter, match="heatmap: samples is 0"):
        Heatmap(samples=0)


@pytest.mark.parametrize("spec", ["attaque", "battleship", "leduc-poker", "whist"])
def test_auto_draws_by_constraints_where_a_game_declares_what_it_hides(spec):
    made = game(spec)
    assert type(determinizer("auto").sampler(made, 0)) is type(Constraint().sampler(made, 0))


@pytest.mark.parametrize("spec", ["attaque", "battleship(placement='random')", "leduc-poker", "whist"])
@pytest.mark.parametrize("name", ["determinized(determinizer=constraint)", "ismcts(determinizer=constraint)"])
def test_agents_play_with_them_and_what_is_hidden_does_not_matter(spec, name):
    made, rng = game(spec), Rng(4)
    position = Position(made, 2)
    for _ in range(4):
        (role,) = position.state.movers
        info = position.known(role)
        decided = agent(name).seat(made, role, Rng(1)).choose(info, Limit(iterations=60).start())
        assert decided.move in info.legal
        swapped = SWAPS[spec.partition("(")[0]](position.state, role, rng)
        true, position.state = position.state, swapped
        again = agent(name).seat(made, role, Rng(1)).choose(position.known(role), Limit(iterations=60).start())
        assert decided == again
        position.state = true
        position.play({role: decided.move})
        if position.state.over:
            break
