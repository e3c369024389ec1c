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
        info = position.information_set(role)
        decided = agent(name).seat(made, role, Rng(1)).choose(info, Limit(iterations=60).start())
        assert decided.move in info.legal
        swapped = SWAPS[spec.partition("(")[0]](position.state, role, rng)
        true, position.state = position.state, swapped
        again = (
            agent(name).seat(made, role, Rng(1)).choose(position.information_set(role), Limit(iterations=60).start())
        )
        assert decided == again
        position.state = true
        position.play({role: decided.move})
        if position.state.over:
            break


def shot_at(width, *shots):
    """A small sea with one ship of two cells, after shots of the first player that all missed or hit as they do."""
    made = game(f"battleship(width={width}, height={width}, fleet=(2,), placement='random')")
    position = Position(made, 1)
    for shot in shots:
        position.play({0: made.parse(shot)})
        position.play({1: position.state.legal(1)[0]})
    return position


def test_the_heat_of_a_move_is_that_of_the_cell_it_is_aimed_at():
    position = shot_at(3)
    info = position.information_set(0)
    sampler = Heatmap(samples=4000).sampler(position.game, 0)
    assert sampler.heated
    sampler.sample(info, 1, Rng(0))
    warm = {position.game.text(move): heat for move, heat in sampler.warmth(info.legal).items()}
    # 12 ways to lie: 2 hold a corner, 3 the middle of a side, 4 the centre.
    assert [warm["a1"], warm["b1"], warm["b2"]] == pytest.approx([2 / 12, 3 / 12, 4 / 12], abs=0.04)
    assert sum(warm.values()) == pytest.approx(2)


def test_moves_that_are_aimed_at_nothing_are_cold_and_without_heatmap_all_are_unknown():
    made = game("battleship(width=3, height=3, fleet=(2,))")
    info = Position(made, 1).information_set(0)
    sampler = Heatmap().sampler(made, 0)
    sampler.sample(info, 1, Rng(0))
    assert set(sampler.warmth(info.legal).values()) == {0.0}
    plain = Constraint().sampler(made, 0)
    assert not plain.heated
    assert plain.warmth(info.legal) == {}


def test_a_heatmap_of_more_layouts_than_are_drawn_at_once_counts_them_all():
    position = Position(game("battleship(placement='random')"), 3)
    sampler = Heatmap(samples=1000).sampler(position.game, 0)
    sampler.sample(position.information_set(0), 1, Rng(0))
    assert sum(sampler.heat) == pytest.approx(17)
    assert all(round(1000 * heat) == pytest.approx(1000 * heat) for heat in sampler.heat)
