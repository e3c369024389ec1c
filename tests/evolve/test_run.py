"""Runs of evolution: the same for the same seed, on one core and on two, and after a stop."""

import json
import re
from dataclasses import replace

import pytest

from ludarium import agent, game, play
from ludarium.core import BadParameter, LudariumError, UnknownName, UnsupportedGame
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evaluate.evolved.inputs import Mapping
from ludarium.evolve.bouts import Terms
from ludarium.evolve.figures import drawings
from ludarium.evolve.page import write_page
from ludarium.evolve.run import Evolution, evolve
from ludarium.evolve.settings import ALGORITHMS, Settings

SMALL = Settings(generations=6, population=12, bouts=4)


def told(evolution):
    return evolution.history, evolution.champions()


@pytest.fixture(scope="module")
def ttt():
    return game("tic-tac-toe")


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_run_is_the_same_on_one_core_on_two_and_after_a_stop(ttt, algorithm, tmp_path):
    settings = replace(SMALL, algorithm=algorithm)
    whole = told(evolve(ttt, settings, threads=1))
    assert told(evolve(ttt, settings, threads=2)) == whole
    path = tmp_path / "generations"

    def stop(evolution):
        if len(evolution.history) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(ttt, settings, threads=1, checkpoint=path, progress=stop)
    assert len(json.loads(path.read_text())["content"]["history"]) == 3
    assert told(evolve(ttt, settings, threads=1, checkpoint=path)) == whole


def test_a_run_that_is_seldom_written_down_goes_on_from_what_was(ttt, tmp_path):
    path = tmp_path / "generations"

    def stop(evolution):
        if len(evolution.history) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(ttt, SMALL, threads=1, checkpoint=path, every=2, progress=stop)
    assert len(json.loads(path.read_text())["content"]["history"]) == 2
    assert told(evolve(ttt, SMALL, threads=1, checkpoint=path, every=1000)) == told(evolve(ttt, SMALL, threads=1))
    assert len(json.loads(path.read_text())["content"]["history"]) == SMALL.generations


def test_another_seed_is_another_run(ttt):
    first, second = (told(evolve(ttt, replace(SMALL, seed=seed), threads=1)) for seed in (1, 2))
    assert first != second


def test_a_checkpoint_is_written_every_generation_or_less_often(ttt, tmp_path):
    with pytest.raises(BadParameter, match="every is 0; expected a number of generations, 1 or more"):
        evolve(ttt, SMALL, threads=1, checkpoint=tmp_path / "generations", every=0)


def test_a_checkpoint_of_another_evolution_is_refused(ttt, tmp_path):
    path = tmp_path / "generations"
    evolve(ttt, replace(SMALL, generations=1), threads=1, checkpoint=path)
    with pytest.raises(BadParameter, match="another evolution"):
        evolve(ttt, replace(SMALL, generations=1, bouts=5), threads=1, checkpoint=path)
    path.write_text(path.read_text()[:100])
    with pytest.raises(BadParameter, match="cut or damaged"):
        evolve(ttt, SMALL, threads=1, checkpoint=path)


def test_a_full_disk_is_told_and_loses_nothing(ttt, tmp_path, monkeypatch):
    path = tmp_path / "generations"
    made = Evolution(ttt, SMALL, threads=1)
    made.advance()
    made.save(path)
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    made.advance()
    with pytest.raises(LudariumError, match="No space left"):
        made.save(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["generations"]


def test_without_room_for_the_page_the_old_one_stays(ttt, tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "c.html"
    path.write_text("old")
    made = Evolution(ttt, SMALL, threads=1)
    made.advance()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(LudariumError, match="cannot write .*c.html"):
            write_page(made, made.champions(), tmp_path / "c.json", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["c.html"]


def test_what_cannot_be_evolved_is_refused():
    for given, message in (
        ({"generations": 0}, "generations is 0"),
        ({"population": 1}, "population is 1"),
        ({"bouts": 0}, "bouts is 0"),
        ({"alpha": 2.0}, "alpha is 2"),
        ({"seed": -1}, "seed"),
    ):
        with pytest.raises(BadParameter, match=message):
            Settings(**given)
    with pytest.raises(UnknownName, match="algorithm 'chance'"):
        Settings(algorithm="chance")
    with pytest.raises(UnsupportedGame, match="one role"):
        Evolution(game("eight-puzzle"), SMALL)
    with pytest.raises(UnsupportedGame, match="for two roles"):
        Evolution(game("three-player-connect-four"), replace(SMALL, algorithm="nash"))


def test_three_roles_evolve_and_so_do_moves_at_once():
    for spec in ("three-player-connect-four", "rock-paper-scissors"):
        made = evolve(game(spec), replace(SMALL, generations=3, population=6, bouts=2), threads=1)
        champions = made.champions()
        assert len(champions.networks) == len(made.game.roles)
        assert made.history[-1].teachers[0] >= 1


@pytest.mark.parametrize("spec", ["goofspiel", "kuhn-poker", "lud:tic-tac-toe", "nim"])
def test_games_of_all_kinds_evolve(spec, tmp_path):
    """Moves at once, hidden cards and chance, Ludii's language, plain Python."""
    made = evolve(game(spec), replace(SMALL, generations=2, population=4, bouts=2), threads=1)
    made.champions().save(tmp_path / "c.json")
    seated = agent(f"osla(evaluator=evolved('{tmp_path / 'c.json'}'))")
    match = play(made.game, [seated, agent("random")], iterations=20, seed=1)
    assert len(match.utilities) == 2


def test_a_basis_is_where_a_run_begins(ttt):
    first = evolve(ttt, SMALL, threads=1).champions()
    again = Evolution(ttt, replace(SMALL, seed=9), threads=1, basis=first.teachers)
    again.advance()
    assert set(first.teachers[0]) <= set(again.populations[0].networks)
    with pytest.raises(BadParameter, match="40 inputs"):
        Evolution(ttt, replace(SMALL, inputs=Mapping(count=8)), threads=1, basis=first.teachers)


@pytest.mark.statistical
def test_champions_beat_random_judgement():
    """Seeded: it fails only if the program changes. By chance alone a player would have so much once in ten thousand."""
    from ludarium.evolve.trials import against_random

    made = evolve(game("gdl:connect-four"), Settings(generations=8, population=30, bouts=10), threads=2)
    champions = made.champions()
    for role in range(2):
        (trial,) = against_random(made.bouts, [champions.networks[role]], role, trials=400)
        assert trial.mean > trial.random.mean()
        assert trial.p < 1e-4
    made.bouts.close()


def test_champions_say_how_they_were_made(ttt, tmp_path):
    settings = replace(SMALL, terms=Terms(depth=2), generations=2)
    champions = evolve(ttt, settings, threads=1).champions()
    champions.save(tmp_path / "c.json")
    made = Champions.load(tmp_path / "c.json").made
    assert made["settings"]["terms"]["depth"] == 2
    assert made["generations"] == 2


def test_the_page_counts_one_as_one(ttt, tmp_path):
    made = Evolution(ttt, replace(SMALL, generations=1), threads=1)
    made.advance()
    write_page(made, made.champions(), tmp_path / "c.json", tmp_path / "c.html")
    said = (tmp_path / "c.html").read_text()
    assert "1 generation of" in said
    assert not re.search(r"\b1 (generations|teachers)\b", said)


def test_there_are_no_halves_of_generations_in_the_picture(ttt):
    made = Evolution(ttt, SMALL, threads=1)
    made.advance()
    made.advance()
    axes = drawings(made.champions(), made.history, [(), ()], made.bouts.seen.names)[0].draw().axes[0]
    assert all(float(tick).is_integer() for tick in (*axes.get_xticks(), *axes.get_yticks()))
