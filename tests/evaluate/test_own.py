"""Judging as the game itself suggests."""

import pytest

from ludarium.catalog import game
from ludarium.core import BadParameter, Rng, UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.own import EDGE
from ludarium.games.connect_four import connect_four
from ludarium.games.rinascimento.game import rinascimento
from ludarium.kernel import using
from tests.games.rinascimento.states import beginning, edited, words

WAYS = ("points", "lead", "engine", "reach")


def values(way, state):
    return evaluator(f"own(way={way})").values(state.game, [state], Rng(0))[0]


def with_points(state, *points):
    def change(made):
        for player, each in enumerate(points):
            made.points[player] = each

    return edited(state, change)


@pytest.mark.parametrize("way", WAYS)
def test_points_count_for_whoever_has_them(way):
    _, state = beginning()
    before, after = values(way, with_points(state, 3, 3, 3, 3)), values(way, with_points(state, 5, 3, 3, 3))
    assert after[0] > before[0]
    assert len(set(before)) == 1
    assert all(0 <= value <= 1 for value in before + after)


def test_points_do_not_look_at_others_and_a_lead_does():
    _, state = beginning()
    one, other = with_points(state, 9, 3, 0, 0), with_points(state, 9, 12, 0, 0)
    assert values("points", one)[0] == values("points", other)[0]
    assert values("lead", one)[0] > 0.5 > values("lead", other)[0]
    late, early = with_points(state, 14, 11, 0, 0), with_points(state, 5, 2, 0, 0)
    assert values("lead", late)[0] > values("lead", early)[0]


def test_an_engine_counts_bonuses_tokens_and_cards_that_come_near():
    made, state = beginning()
    plain = values("engine", state)[0]
    assert values("points", state)[0] == EDGE
    richer = edited(state, lambda each: each.bonuses.__setitem__(0, words(made, white=1)))
    holding = edited(state, lambda each: each.tokens.__setitem__(0, words(made, white=1)))
    assert values("engine", richer)[0] > values("engine", holding)[0] > plain


@pytest.mark.parametrize("way", WAYS)
def test_the_end_is_worth_its_utilities(way):
    _, state = beginning()
    end = edited(with_points(state, 15, 16, 0, 0), lambda made: setattr(made, "ended", 1))
    assert values(way, end) == end.utilities() == (0, 1, 0, 0)


@pytest.mark.parametrize("way", WAYS)
def test_all_ways_of_running_kernels_judge_the_same(way):
    found = []
    for how in ("python", "check", "native"):
        with using(how):
            made = rinascimento()
            state, rng = made.initial(Rng(2)), Rng(3)
            for _ in range(40):
                state = state.after(rng.choice(state.legal(state.movers[0])), rng)
            found.append(values(way, state))
    assert found[0] == found[1] == found[2]


def test_auto_takes_what_the_game_offers_first():
    _, state = beginning()
    state = with_points(state, 5, 0, 0, 0)
    assert evaluator("auto").judge(state.game).kernel is evaluator("own").judge(state.game).kernel
    assert values("points", state) == tuple(evaluator("own").values(state.game, [state], Rng(0))[0])


def test_what_a_game_does_not_offer_is_told():
    with pytest.raises(UnsupportedGame, match="own cannot judge connect-four: the game does not say how"):
        evaluator("own").judge(connect_four())
    with pytest.raises(BadParameter, match="unknown way to judge rinascimento 'point': did you mean 'points'"):
        evaluator("own(way=point)").judge(game("rinascimento"))
    with pytest.raises(BadParameter, match="own: way is 3"):
        evaluator("own(way=3)")
