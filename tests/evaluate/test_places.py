import pytest

from ludarium import game, play
from ludarium.arena.position import after
from ludarium.core import Rng, UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.places import by_coordinates

HEX = 'lud:hex(options="Size/5x5")'


def judged(spec, name, moves):
    made = game(name)
    return evaluator(spec).values(made, [after(made, moves, seed=0).state], Rng(1))[0]


@pytest.mark.parametrize(
    ("spec", "near", "far"),
    [("centre", "add c3", "add a1"), ("corners", "add a1", "add c3"), ("sides", "add a3", "add c3")],
)
def test_pieces_of_ludiis_games_count_by_how_near_they_are(spec, near, far):
    good, bad = (judged(spec, HEX, f"{first}, {second}") for first, second in ((near, far), (far, near)))
    assert good[0] > 0.5 > bad[0]
    assert good[0] == pytest.approx(bad[1])
    assert judged(f"-1*{spec}", HEX, f"{near}, {far}")[0] < 0.5


def test_material_of_ludiis_games_counts_their_pieces():
    assert judged("material", HEX, "add a1")[0] > 0.5
    assert judged("material", HEX, "add a1, add b1") == (0.5, 0.5)


@pytest.mark.parametrize("spec", ["centre", "corners", "sides"])
def test_pieces_of_rules_in_gdl_count_by_their_coordinates(spec):
    made = game("gdl:tic-tac-toe")
    start = made.initial(Rng(1))
    worth = {}
    for move in start.legal(0):
        state = start.after({0: move}, Rng(1))
        worth[made.text(move)] = evaluator(spec).values(made, [state], Rng(1))[0][0]
    best = sorted(worth, key=worth.get, reverse=True)
    assert len(best) == 9
    count = {"centre": 1, "corners": 4, "sides": 8}[spec]
    assert worth[best[count - 1]] == pytest.approx(worth[best[0]])
    assert worth[best[count]] < worth[best[0]] - 0.01


def test_nearness_is_from_zero_to_one():
    for offered in (game(HEX).offers.nearness(), by_coordinates(game("gdl:breakthrough"))):
        assert {"centre", "corners", "sides"} <= set(offered)
        assert all(0 < worth <= 1 for each in offered.values() for _, worth in each)
        assert all(max(worth for _, worth in each) == 1 for name, each in offered.items() if name != "centre")


def test_games_that_do_not_tell_where_pieces_stand_are_refused():
    with pytest.raises(UnsupportedGame, match="centre cannot judge nim: it is not known where its pieces stand"):
        evaluator("centre").judge(game("nim"))


def test_alphabeta_plays_by_them():
    made = play(HEX, ["alphabeta(evaluator='material + centre', depth=1)", "random"], seed=1, iterations=50)
    assert sum(made.utilities) == 1
