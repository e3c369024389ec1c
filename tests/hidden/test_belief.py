import pytest

from ludarium import game
from ludarium.arena.position import Position, after
from ludarium.core import BadParameter, Rng
from ludarium.hidden import determinizer
from ludarium.hidden.belief import NOTHING, Belief, believe, grid
from tests.hidden.small_games import Urn


def held(spec, moves="", *, by="enumeration", role=0, samples=2000, seed=0):
    made = game(spec)
    position = after(made, moves, seed=seed)
    return believe(determinizer(by).sampler(made, role), position.information_set(role), Rng(1), samples=samples)


def test_exact_beliefs_are_those_of_the_rules():
    found = held("leduc-poker", "call raise call", seed=0)
    ((place, shares),) = found.shares.items()
    assert place == "card of second"
    assert sum(shares.values()) == pytest.approx(1)
    assert found.exact
    assert set(shares.values()) <= {0.25, 0.5, 0.2, 0.4}


@pytest.mark.statistical
def test_drawn_beliefs_come_near_to_exact_ones():
    """2000 draws, five standard deviations."""
    for spec in ("leduc-poker", "battleship(width=3, height=2, fleet=(2, 1))"):
        drawn, exact = held(spec, by="constraint"), held(spec)
        assert (drawn.exact, drawn.states) == (False, 2000)
        assert drawn.shares.keys() == exact.shares.keys()
        for place, shares in exact.shares.items():
            for content, share in shares.items():
                assert drawn.shares[place].get(content, 0) == pytest.approx(share, abs=5 * 0.0112)


def test_ships_are_likely_beside_a_hit():
    made = game("battleship(width=5, height=5, fleet=(3,), placement='random')")
    for seed in range(30):
        position = Position(made, seed)
        position.play({0: made.parse("c3")})
        hit = "*" in str(position.state)
        position.play({1: made.parse("a1")})
        if hit:
            found = believe(
                determinizer("enumeration(limit=5000)").sampler(made, 0), position.information_set(0), Rng(0)
            )
            heat = found.heat("ship")
            assert [heat["b3"], heat["c4"]] == pytest.approx([1 / 3, 1 / 3])
            assert heat["a3"] == pytest.approx(1 / 6)
            assert heat["a2"] == 0
            assert "c3" not in heat
            return
    pytest.fail("nothing was hit")


def test_facts_are_compared_place_by_place():
    found = held("gdl:battleship", "(place three 1 1 across) + (place three 1 1 down)", by="replay")
    heat = found.heat("ship")
    assert len(heat) == 25
    assert all(place.startswith("sea blue ") for place in heat)
    assert sum(heat.values()) == pytest.approx(3)
    assert max(heat, key=lambda place: heat[place]) == "sea blue 3 3"


def test_without_anything_else_words_are_compared():
    found = held("kuhn-poker")
    assert len(found.shares) == 1
    ((place, shares),) = found.shares.items()
    assert place == "line 1, word 4"
    assert sorted(shares.values()) == [0.5, 0.5]
    urn = Urn()
    found = believe(determinizer("enumeration").sampler(urn, 0), Position(urn, 0).information_set(0), Rng(0))
    assert found.shares == {"line 1, word 1": {"0": 0.25, "1": 0.25, "2": 0.25, "3": 0.25}}


def test_what_is_not_said_of_a_place_is_nothing():
    """The kriegspiel player does not know where the other has marked, if anywhere."""
    found = held("kriegspiel-tic-tac-toe", "(mark 1 1)", role=1)
    assert all(sum(shares.values()) == pytest.approx(1) for shares in found.shares.values())
    assert found.shares
    assert NOTHING not in held("leduc-poker").contents


def test_mistakes_are_told():
    made = game("tic-tac-toe")
    with pytest.raises(BadParameter, match="nothing is hidden in tic-tac-toe"):
        believe(determinizer("enumeration").sampler(made, 0), Position(made).information_set(0), Rng(0))
    with pytest.raises(BadParameter, match="at least one state, not 0"):
        held("leduc-poker", samples=0)
    with pytest.raises(BadParameter, match="no hidden place can hold 'ace'; they can hold J, K, Q"):
        held("leduc-poker").heat("ace")


def test_cells_are_laid_out_as_a_board():
    assert grid({"a1": 0.1, "c2": 0.2}) == (["a", "b", "c"], ["2", "1"], {(0, 1): 0.1, (2, 0): 0.2})
    assert grid({"sea 1 1": 0.1, "sea 2 3": 0.2}) == ([" 1", " 2"], ["1", "2", "3"], {(0, 0): 0.1, (1, 2): 0.2})
    assert grid({"card of second": 0.5}) is None
    assert grid({"sea 1 1": 0.1, "land 1 1": 0.1}) is None


def test_contents_come_in_the_order_of_the_alphabet():
    assert Belief({"x": {"b": 0.5, "a": 0.5}, "y": {"c": 1.0}}, 2, exact=True).contents == ["a", "b", "c"]
