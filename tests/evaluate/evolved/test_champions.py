"""Files of champions, and judging by them."""

import random

import pytest

from ludarium import agent, game
from ludarium.arena.position import after
from ludarium.core import BadParameter, Limit, LudariumError, Rng, UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs import Mapping, seen
from ludarium.evaluate.evolved.network import Network, Node
from ludarium.testing.agent import check_agent
from ludarium.testing.evaluator import check_evaluator


def champions(made, *, way="projection", seed=1):
    rnd = random.Random(seed)
    found = seen(made, Mapping(way))

    def drawn():
        links = tuple((k, rnd.gauss(0, 1)) for k in range(found.count))
        return Network(found.count, (Node(rnd.gauss(0, 1), 1.0, "sigmoid", "sum", links),))

    teachers = tuple(tuple(drawn() for _ in range(3)) for _ in made.roles)
    top = tuple(each[-1] for each in teachers)
    return Champions(
        made.name, made.fingerprint, tuple(made.roles), found.mapping, found.digest, top, teachers, {"seed": seed}
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "champions.json"
    champions(game("tic-tac-toe")).save(path)
    return path


def test_what_is_saved_is_loaded_again(file):
    assert Champions.load(file) == champions(game("tic-tac-toe"))


def test_a_file_that_was_cut_is_refused_with_its_place(file):
    text = file.read_text()
    for end in (0, 1, 30, len(text) // 2, len(text) - 3):
        file.write_text(text[:end])
        with pytest.raises(BadParameter, match=r"champions\.json:\d+:\d+: .*cut or damaged"):
            Champions.load(file)


def test_a_file_that_was_changed_is_refused(file):
    text = file.read_text()
    file.write_text(text.replace('"seed":1', '"seed":2'))
    with pytest.raises(BadParameter, match="does not fit its digest"):
        Champions.load(file)
    file.write_text(text.replace('"version": 1', '"version": 9'))
    with pytest.raises(BadParameter, match="version 9"):
        Champions.load(file)
    for other in ("[1, 2]", "[" * 100_000, "9" * 10_000):
        file.write_text(other)
        with pytest.raises(BadParameter, match="no file of ludarium champions"):
            Champions.load(file)
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadParameter, match="no text"):
        Champions.load(file)


def test_a_file_for_another_game_is_refused(file):
    with pytest.raises(UnsupportedGame, match="evolved for tic-tac-toe"):
        evaluator(f"evolved('{file}')").judge(game("connect-four"))


def test_a_folder_that_cannot_be_written_to_is_an_error_and_leaves_nothing(tmp_path):
    with pytest.raises(LudariumError, match="cannot write"):
        champions(game("tic-tac-toe")).save(tmp_path / "nowhere" / "champions.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_can_be_named_in_brackets_and_with_its_parameters(file, monkeypatch):
    monkeypatch.chdir(file.parent)
    for spec in ("evolved(champions.json)", "evolved('champions.json', rank=2)", "evolved(file='champions.json')"):
        assert evaluator(spec).file == "champions.json"
    assert evaluator("evolved(champions.json, rank=2)").rank == 2
    seated = agent("alphabeta(evaluator=evolved(champions.json), depth=2)")
    assert seated.evaluator == "evolved(champions.json)"
    with pytest.raises(UnsupportedGame, match="needs a file"):
        evaluator("evolved").judge(game("tic-tac-toe"))
    with pytest.raises(BadParameter, match="cannot read"):
        evaluator("evolved(nothing.json)").judge(game("tic-tac-toe"))


def test_it_keeps_the_promises_of_evaluators(file):
    check_evaluator(evaluator(f"evolved('{file}')"), game("tic-tac-toe"))


@pytest.mark.parametrize("name", ["osla", "alphabeta", "uct", "rhea"])
def test_agents_that_judge_by_networks_keep_the_promises_of_agents(file, name):
    more = ", playout_limit=3" if name == "uct" else ""
    check_agent(agent(f"{name}(evaluator=evolved('{file}'){more})"), game("tic-tac-toe"))


def test_ranks_are_other_networks(file):
    made = game("tic-tac-toe")
    state = after(made, "").state
    values = {evaluator(f"evolved('{file}', rank={rank})").values(made, [state], Rng(1))[0] for rank in (1, 2, 3, 9)}
    assert len(values) == 3


def test_champions_move(file):
    made = game("tic-tac-toe")
    player = agent(f"osla(evaluator=evolved('{file}'))").seat(made, 0, Rng(1))
    decision = player.choose(after(made, "").information_set(0), Limit(iterations=100).start())
    assert decision.depth == 1
