import pytest

from ludarium.core import UnsupportedGame
from ludarium.testing import compare
from tests.commands import run

HEAP = """
(role first) (role second) (init (heap 4)) (init (control first))
(less 4 3) (less 3 2) (less 2 1) (less 1 0) (turn first second) (turn second first)
(<= (left ?n one ?m) (less ?n ?m)) (<= (left ?n two ?k) (less ?n ?m) (less ?m ?k))
(<= (legal ?p (take ?a)) (true (control ?p)) (true (heap ?n)) (left ?n ?a ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?m)) (does ?p (take ?a)) (true (heap ?n)) (left ?n ?a ?m))
(<= (next (control ?q)) (true (control ?p)) (turn ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""


@pytest.fixture
def heap(tmp_path):
    """Write the rules, with some of their words replaced."""

    def write(name, **words):
        text = HEAP
        for old, new in words.items():
            text = text.replace(old, new)
        file = tmp_path / f"{name}.kif"
        file.write_text(text, encoding="utf-8")
        return str(file)

    return write


@pytest.mark.parametrize(
    "pair",
    [("tic-tac-toe", "gdl:tic-tac-toe"), ("lud:tic-tac-toe", "tic-tac-toe"), ("connect-four", "gdl:connect-four")],
)
def test_the_same_game_in_two_languages(pair):
    found = compare(*pair, positions=1500, matches=2)
    assert found.difference is None
    assert len(found.depths) > 2
    assert (found.matches, found.unclear) == (2, 0)
    assert found.plies >= 10


def test_small_games_are_compared_whole_whatever_their_moves_are_called(heap):
    found = compare(heap("one"), heap("other", take="grab", two="couple", one="single"), matches=5)
    assert found.difference is None
    assert found.depths == [(1, 0), (2, 0), (4, 1), (4, 3), (1, 1), (0, 0)]
    assert found.matches == 0  # there is nothing left to look at


def test_another_end_is_found_where_it_comes(heap):
    plain = "(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"
    found = compare(heap("one"), heap("misere", **{plain: plain.replace("?p 0)", "?p 50)")}))
    assert found.difference.moves == found.difference.others == ("(take two)", "(take two)")
    assert found.difference.first == "over, worth 0, 1"
    assert found.difference.second == "over, worth 0.5, 1"


def test_other_moves_are_found_at_once(heap):
    found = compare(heap("one"), heap("more", **{"(init (heap 4))": "(init (heap 1))"}))
    assert found.difference.moves == ()
    assert (found.difference.first, found.difference.second) == ("first has 2 moves", "first has 1 moves")


def test_what_comes_late_is_found_along_random_matches(tmp_path):
    """Connect Four in which the last disc counts otherwise looks the same from the start."""
    from ludarium import catalog

    rules = catalog.game("gdl:connect-four").rules
    assert "100" in rules
    file = tmp_path / "odd.kif"
    file.write_text(rules.replace(" 100)", " 90)"), encoding="utf-8")
    found = compare("gdl:connect-four", str(file), positions=3000, matches=3)
    assert found.difference is not None
    assert len(found.difference.moves) > 4
    assert found.difference.supposed
    assert found.difference.first.startswith("over, worth")


def test_a_mapping_says_which_moves_correspond(heap, tmp_path):
    one, other = heap("one"), heap("other", take="grab")
    wrong, right = tmp_path / "wrong.toml", tmp_path / "right.toml"
    right.write_text('"(take one)" = "(grab one)"\n"(take two)" = "(grab two)"\n', encoding="utf-8")
    wrong.write_text('"(take one)" = 3\n', encoding="utf-8")
    assert run("compare", one, other, "--mapping", right, "--positions", 1).exit_code == 0
    result = run("compare", one, other, "--mapping", wrong)
    assert (result.exit_code, "expected a move of the second game, in quotes" in result.stderr) == (2, True)
    result = run("compare", one, other, "--mapping", tmp_path / "none.toml")
    assert (result.exit_code, "No such file" in result.stderr) == (2, True)


def test_the_command_shows_the_difference_and_says_so_by_its_exit_code():
    result = run("compare", "gdl:tic-tac-toe", "kriegspiel-tic-tac-toe")
    assert result.exit_code == 1
    assert "they differ\n  after (mark 1 1)\n" in result.stdout
    assert "gdl:tic-tac-toe: o has 8 moves\n  kriegspiel-tic-tac-toe: o has 9 moves" in result.stdout
    assert run("compare", "tic-tac-toe", "gdl:tic-tac-toe", "--positions", 300, "--matches", 1).exit_code == 0


def test_games_of_other_sizes_and_games_with_chance():
    found = compare("tic-tac-toe", "eight-puzzle")
    assert (found.difference.first, found.difference.second) == ("2 roles: x, o", "1 roles: robot")
    with pytest.raises(UnsupportedGame, match="meier draws chance"):
        compare("tic-tac-toe", "meier")
