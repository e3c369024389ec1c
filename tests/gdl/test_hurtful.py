"""Descriptions that once ended in a traceback: each is played, or refused in a sentence that names the place."""

import pytest

from ludarium import agent, game, play
from ludarium.arena.ggp import to_ggp
from ludarium.core import GameError, LudariumError
from ludarium.core.game import MAX_ROLES
from ludarium.gdl.check.checker import check_file, lines
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.ground.history import extract
from ludarium.gdl.text.reader import parse
from tests.commands import run

ONE = """\
(role x) (init (at 1)) (legal x go)
(<= (next (at 2)) (does x go))
(<= terminal (true (at 2)))
(goal x 100)
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="game.kif"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_role_that_is_stated_twice_is_one_role(written):
    path = written(f"(role x) {ONE}")
    assert load(path).roles == ("x",)
    assert not [problem for problem in check_file(path) if not problem.warning]
    assert play(load(path), [agent("random")], seed=1).utilities == (1.0,)


def test_who_has_to_move_and_cannot_is_named(written):
    path = written(ONE.replace("(legal x go)", "(<= (legal x go) (true (at 3)))"))
    with pytest.raises(GameError, match="x has no legal move at the beginning"):
        play(load(path), [agent("random")], seed=1)
    assert any("error: x has no legal move at the beginning" in line for line in lines(check_file(path)))
    told = run("play", str(path), "random")
    assert told.exit_code == 2
    assert "x has no legal move" in told.output


def test_a_position_may_be_built_of_a_relation_that_is_never_defined():
    parts = " ".join(f"(true (at {k} ?v{k}))" for k in range(7))
    rules = parse(f"(<= (position (p ?r)) {parts} (row 1 ?r)) (<= (next (past ?p now)) (position ?p))")
    assert extract(rules) == (rules, None)


def test_names_are_never_taken_for_markup(written):
    text = ONE.replace(" x", " [/red]").replace(" go)", " [bold])") + "(legal [/red] :smile:)"
    path = str(written(text, "[x].kif"))
    for command in (["show"], ["think", "--iterations", "4"], ["play", "random"], ["play", "uct", "--games", "2"]):
        told = run(command[0], path, *command[1:])
        assert told.exit_code == 0, told.output
        assert "[/red]" in told.output
    assert ":smile:" in run("think", path, "--iterations", "4").output
    assert "[/red]> " in run("play", path, "human", typed="[bold]\n").output


@pytest.mark.parametrize(("roles", "fits"), [(MAX_ROLES, True), (MAX_ROLES + 1, False), (70, False)])
def test_as_many_roles_as_promised(written, roles, fits):
    one = "(role r{0}) (legal r{0} go) (legal r{0} stay) (goal r{0} {0})\n"
    path = written("".join(map(one.format, range(roles))) + ONE)
    if fits:
        path = written("".join(map(one.format, range(roles - 1))) + ONE)
        assert len(play(load(path), [agent("random")] * roles, seed=1).utilities) == roles
        assert not [problem for problem in check_file(path) if not problem.warning]
        return
    expected = f"{path}:{MAX_ROLES + 1}:1: the game has {roles + 1} roles, and cannot have more than {MAX_ROLES}"
    with pytest.raises(LudariumError, match=expected):
        load(path)
    assert lines(check_file(path))[0] == expected.replace("1: the", "1: error: the")


def test_a_wrong_picture_is_refused_by_check_and_ends_no_match(written):
    path = written(f";@ symbols = {{ b = 1 }}\n{ONE}")
    assert lines(check_file(path))[0].startswith(f"{path}:1:1: error: the view description is wrong")
    told = run("play", str(path), "random")
    assert told.exit_code == 0
    assert "the ;@ lines are wrong" in told.output


def test_a_game_that_is_played_without_grounding_is_checked_so(written):
    counted = "".join(f"(after {k} {k + 1})\n" for k in range(100))
    each = "".join(f"(init (n{k} 0)) (<= (next (n{k} ?b)) (true (n{k} ?a)) (after ?a ?b))\n" for k in range(4))
    wide = "(<= (legal x (take ?a ?b ?c ?d)) (true (n0 ?a)) (true (n1 ?b)) (true (n2 ?c)) (true (n3 ?d)))\n"
    path = written(f"{ONE}{counted}{each}{wide}(<= (next (at 2)) (does x (take ?a ?a ?a ?a)))")
    assert not isinstance(load(path), GdlGame)
    assert not [problem for problem in check_file(path) if not problem.warning]


MENDED = {
    "an unsafe rule that nothing uses": "(<= (unused ?x) (not (true (at ?x))))",
    "a role that is left out": "(<= (goal ?p 50) (true (at 1)))",
    "a base that leaves something out": "(base (at 1))",
}


@pytest.mark.parametrize("name", MENDED)
def test_what_is_played_is_not_called_an_error_unless_by_the_letter(written, name):
    path = written(ONE + MENDED[name])
    load(path)
    problems = check_file(path)
    assert problems
    assert all(problem.warning for problem in problems), problems
    assert not all(problem.warning for problem in check_file(path, strict=True))


def test_a_record_for_servers_is_not_written_from_other_rules(written):
    before = load(written(ONE))
    match = play(before, [agent("random")], seed=1)
    assert to_ggp(match, before)["goalValues"] == [100]
    with pytest.raises(LudariumError, match=r"does not end as it did: now 0\. Have the rules of game changed"):
        to_ggp(match, load(written(ONE.replace("100", "0"))))


def test_games_of_the_library_have_pictures_without_complaint():
    assert "wrong" not in str(game("gdl:tic-tac-toe").initial())
