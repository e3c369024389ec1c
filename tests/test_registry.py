"""Names in, objects out: what is listed, what installed packages add, places in files and modules, and objects."""

import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import pytest

from ludarium import agent, game, library, outside, play, registry
from ludarium.agents.determinized import Determinized
from ludarium.agents.flat import Flat
from ludarium.agents.uct import UCT
from ludarium.arena import round_robin, run
from ludarium.core import BadParameter, LudariumError, UnknownName, describe
from ludarium.evaluate import evaluator
from ludarium.evaluate.sums import Sum
from ludarium.evaluate.terms import Material, Mobility
from ludarium.hidden import Replay, determinizer
from ludarium.outside import CodeError
from ludarium.tune.words import order
from tests.outside_code import RACE


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with somebody's code, from which commands are run."""
    (tmp_path / "running.py").write_text(RACE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("_FOLDERS", "_FILES", "_ROOTS"):
        monkeypatch.setattr(outside, name, type(getattr(outside, name))())
    yield tmp_path
    for name in [name for name, module in sys.modules.items() if _lies_in(module, tmp_path)]:
        del sys.modules[name]


def _lies_in(module, folder):
    return str(getattr(module, "__file__", None) or "").startswith(str(folder))


@pytest.mark.parametrize("kind", registry.KINDS)
def test_all_that_is_listed_can_be_made_and_described(kind):
    for name in registry.listed(kind):
        made = registry.make(kind, name)
        assert registry.make(kind, made) is made
        assert made.name == name
        assert registry.entry(kind, name).about


@pytest.mark.parametrize("place", ["running.py:", "./running.py:", "running:"])
def test_a_place_is_a_file_or_a_module(folder, place):
    race = game(f"{place}Race")
    assert (race.name, race.roles, race.spec) == ("race-5", ("left", "right"), f"{place}Race")
    assert game(f"{place}Race(length=7)").name == "race-7"
    assert game(f"{place}short").name == "race-2"
    assert game(f"{place}SPRINT").name == "race-1"
    assert agent(f"{place}Bold(patience=2)").patience == 2
    assert evaluator(f"{place}Fair").name == "fair"
    assert determinizer(f"{place}Exact").name == "exact"


def test_a_file_can_be_named_from_the_root(folder):
    assert game(f"{folder}/running.py:Race(length=3)").name == "race-3"


def test_a_file_and_the_module_of_it_are_one(folder):
    assert type(agent("running.py:Bold")) is type(agent("running:Bold")) is type(agent(f"{folder}/running.py:Bold"))
    import running

    assert type(agent("running.py:Bold")) is running.Bold


def test_files_of_the_same_name_are_told_apart(folder):
    (folder / "more").mkdir()
    (folder / "more" / "running.py").write_text(RACE.replace('"race-{length}"', '"other"'), encoding="utf-8")
    assert game("running.py:Race").name == "race-5"
    assert game("more/running.py:Race").name == "other"
    other = agent("more/running.py:Bold")
    assert describe(other) == "more/running.py:Bold"
    assert pickle.loads(pickle.dumps(other)) == other


def test_a_file_does_not_hide_what_is_installed_under_its_name(folder):
    (folder / "json.py").write_text(RACE, encoding="utf-8")
    assert game("json.py:Race").name == "race-5"
    import json

    assert json.loads("1") == 1
    (folder / "colorsys.py").touch()  # which nobody has imported yet
    assert not find_spec("colorsys").origin.startswith(str(folder))


def test_a_file_that_another_hides_is_named_from_the_root(folder, monkeypatch):
    for name in ("here", "there"):
        (folder / name).mkdir()
        (folder / name / "running.py").write_text(RACE, encoding="utf-8")
    monkeypatch.chdir(folder / "here")
    outside.search(folder / "there")
    assert describe(agent("running.py:Bold")) == "running.py:Bold"
    assert describe(agent(f"{folder}/there/running.py:Bold")) == f"{folder}/there/running.py:Bold"


def test_a_class_that_is_not_what_its_name_says_is_refused(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    import running

    before = running.Bold
    running.Bold = running.Fair
    with pytest.raises(BadParameter, match="Bold is not at the top of running"):
        registry.spec("agent", before())


def test_a_file_of_a_package_may_import_its_neighbours(folder):
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").touch()
    (folder / "pack" / "parts.py").write_text(RACE, encoding="utf-8")
    (folder / "pack" / "mine.py").write_text("from .parts import Race\n", encoding="utf-8")
    (folder / "free.py").write_text("from running import Race\n", encoding="utf-8")
    assert game("pack/mine.py:Race").name == game("free.py:Race").name == "race-5"


def test_folders_may_have_brackets(folder):
    (folder / "new (2)").mkdir()
    (folder / "new (2)" / "running.py").write_text(RACE, encoding="utf-8")
    assert game("new (2)/running.py:Race(length=4)").name == "race-4"
    rules = library.path("tic-tac-toe").read_text(encoding="utf-8")
    for name in ("new (2)/mine.kif", "mine (3).kif"):
        (folder / name).write_text(rules, encoding="utf-8")
        assert game(name).roles == game(f"./{name}").roles == ("x", "o")


def test_a_rules_file_takes_the_parameters_of_its_loader(folder):
    (folder / "doors.kif").write_text(library.path("monty-hall").read_text(encoding="utf-8"), encoding="utf-8")
    assert len(game("doors.kif(chance=False)").roles) == len(game("doors.kif").roles) + 1
    assert game("monty-hall(chance=False)").roles == game("doors.kif(chance=False)").roles
    with pytest.raises(BadParameter, match=r"game 'doors\.kif' has no parameter 'name'; it has chance"):
        game("doors.kif(name=x)")


def test_agents_from_outside_are_described_by_what_names_them(folder):
    made = agent("running.py:Bold(patience=2)")
    assert describe(made) == "running.py:Bold(patience=2)"
    assert agent(describe(made)) == made
    assert describe(agent("running.py:timid")) == "running.py:Bold(patience=9)"
    assert describe(agent("determinized(inner=running.py:timid(patience=3), samples=2)")) == (
        "determinized(inner=running.py:Bold(patience=3), samples=2)"
    )


def test_parts_may_be_objects_or_places(folder):
    fair = evaluator("running.py:Fair(weight=2)")
    for made in (UCT(evaluator=fair), agent("uct(evaluator=running.py:Fair(weight=2))")):
        assert play("tic-tac-toe", [made, "random"], iterations=5, seed=1).utilities
        assert agent(registry.spec("agent", made)).evaluator in (fair, "running.py:Fair(weight=2)")
    exact = determinizer("running.py:Exact")
    made = Determinized(inner=Flat(), determinizer=exact)
    assert play("kuhn-poker", [made, "random"], iterations=20, seed=1).utilities
    assert agent(registry.spec("agent", made)) == Determinized(inner=Flat(), determinizer="running.py:Exact")


def test_sums_are_written_as_they_are_read():
    made = UCT(evaluator=Sum((Material(), Mobility(weight=0.5))))
    assert registry.spec("agent", made) == "uct(evaluator='material + 0.5*mobility')"
    assert evaluator(agent(registry.spec("agent", made)).evaluator) == made.evaluator
    assert evaluator(Material()) == evaluator("material")


def test_objects_are_accepted_where_names_are(folder):
    race = game("running.py:Race")
    assert game(race) is race
    assert agent(UCT(c=1)) == UCT(c=1)
    assert determinizer(Replay(pool=5)) == Replay(pool=5)
    assert play("connect-four", ["uct", Flat()], iterations=5).agents == ("uct", "flat")
    assert order(agent=UCT(), game=race, against=[agent("running.py:Bold")], space=["c"]).problem.game == race.spec


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (UCT, r"UCT is a class: give an agent made by it, as in UCT\(\)"),
        (3, "3, which is no agent: expected its name, or an agent itself"),
        (Replay(), r"Replay\(.*\), which is no agent"),
        (None, "None, which is no agent"),
    ],
)
def test_things_of_another_kind_are_refused(thing, message):
    with pytest.raises(BadParameter, match=message):
        agent(thing)
    with pytest.raises(BadParameter, match=message):
        play("nim", [thing, "random"])


def test_a_game_made_by_its_class_knows_what_it_was_made_with(folder, monkeypatch):
    monkeypatch.syspath_prepend(str(folder))
    import running

    plan = round_robin([running.Race(7), running.Race(), "nim"], ["random", running.Bold(patience=1)], matches=1)
    assert [pairing.game for pairing in plan.pairings[::2]] == ["running:Race(length=7)", "running:Race", "nim"]
    assert {name for pairing in plan.pairings for name in pairing.agents} == {"random", "running:Bold(patience=1)"}
    assert pickle.loads(pickle.dumps(running.Race(7).initial())).game.name == "race-7"


def test_a_game_that_cannot_be_made_again_is_refused_where_that_is_needed(folder):
    from ludarium.games.nim import Nim
    from ludarium.games.tic_tac_toe import tic_tac_toe

    class Local(Nim):
        pass

    for made, message in (
        (tic_tac_toe(), "'tic-tac-toe' does not tell how to make it again"),
        (
            Local((1, 2), misere=False),
            "Local is not at the top of tests.test_registry, where other processes could find it",
        ),
    ):
        assert play(made, ["random", "random"]).utilities
        with pytest.raises(BadParameter, match=message):
            round_robin([made], ["random", "flat"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("running.py:Rase", r"unknown name in running\.py 'Rase': did you mean 'Race'\?"),
        ("runing.py:Race", r"there is no file 'runing\.py' in .*"),
        ("folder.py:Race", r"'folder\.py' is a folder; expected a file of Python code"),
        ("runing:Race", r"there is no module 'runing': it is not installed, nor in "),
        ("running.py", r"'running\.py' looks like a file: say what in it is meant, as in my/game\.py:Race"),
        ("running.py:Race(size=3)", r"game 'running\.py:Race' has no parameter 'size'; it has length"),
        ("running.py:Race(length=99)", "a race is 1 to 50 steps long, not 99"),
        ("running.py:Race(length=long)", "running.py:Race: length is 'long'; expected a whole number such as 5"),
        ("running.py:SPRINT(length=2)", "has no parameter 'length'; it is made already"),
        ("running.py:Bold", r"running\.py:Bold gives Bold\(patience=0\), which is no game"),
        ("running.py:nothing", r"game 'running\.py:nothing' is 3: expected a class, a function, or a game itself"),
        ("running.py:Game", "Can't instantiate abstract class Game"),
    ],
)
def test_places_that_mean_nothing_are_told_why(folder, spec, message):
    (folder / "folder.py").mkdir()
    with pytest.raises(LudariumError, match=message):
        game(spec)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ndef f(:\n", r"^broken\.py:2: this is not Python: "),
        ("import ludarium\n\nvalue = 1 / 0\n", r"^broken\.py:3: in <module>: ZeroDivisionError: division by zero$"),
        (
            "import missing_thing\n",
            r"^broken\.py:1: in <module>: ModuleNotFoundError: No module named 'missing_thing'$",
        ),
        ("import running\nfrom helper import x\n", r"^helper\.py:2: in <module>: KeyError: 'a'$"),
        ("import sys\nsys.exit(3)\n", r"^broken\.py:2: in <module>: SystemExit: 3$"),
    ],
)
@pytest.mark.parametrize("place", ["broken.py:Race", "broken:Race"])
def test_a_mistake_in_somebodys_module_is_told_by_file_and_line(folder, place, text, message):
    (folder / "helper.py").write_text("\nx = {}['a']\n", encoding="utf-8")
    (folder / "broken.py").write_text(text, encoding="utf-8")
    with pytest.raises(CodeError, match=message):
        game(place)


def test_a_mistake_in_somebodys_class_is_told_by_file_and_line(folder):
    (folder / "broken.py").write_text("def make(size=3):\n    return size.nothing\n", encoding="utf-8")
    with pytest.raises(CodeError, match=r"game 'broken\.py:make': broken\.py:2: in make: AttributeError"):
        game("broken.py:make")


@dataclass(frozen=True)
class Stub:
    """What an installed package may list."""

    name: ClassVar[str] = "own name"

    def seat(self, game, role, rng):
        raise NotImplementedError


def installed(folder, name, text):
    """Put a package where Python finds it, without its code."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(text, encoding="utf-8")


def test_installed_packages_add_names(folder, monkeypatch):
    installed(folder, "one", f"[ludarium.agents]\nstub = {__name__}:Stub\ntwice = running:Bold\nuct = running:Bold\n")
    installed(
        folder, "two", "[ludarium.agents]\ntwice = running:timid\n[ludarium.evaluators]\nnot-less = running:Fair\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    assert describe(agent("stub")) == registry.spec("agent", Stub()) == "stub"
    assert registry.listed("agent")["stub"].place == f"{__name__}:Stub"
    assert evaluator("not-less(weight=3)").weight == 3
    assert agent("uct") == UCT()  # what comes along keeps its name
    assert registry.listed("agent")["uct"].make is UCT
    import running

    assert registry.spec("agent", Determinized(inner=running.Bold(2))) == "determinized(inner=running:Bold(patience=2))"
    assert registry.spec("agent", UCT(evaluator=running.Fair())) == "uct(evaluator='not-less')"
    with pytest.raises(BadParameter, match="2 installed packages call an agent 'twice': say which one is meant, "):
        agent("twice")
    with pytest.raises(UnknownName, match="did you mean 'stub'"):
        agent("stubb")


@pytest.mark.parametrize("on", ["threads", "processes"])
def test_a_plan_finds_the_code_beside_it_wherever_it_is_played(folder, on, monkeypatch, tmp_path_factory):
    from ludarium.arena import Store, load

    (folder / "plan.toml").write_text(
        'kind = "round-robin"\ngames = ["running.py:Race(length=3)"]\nmatches = 1\niterations = 5\n'
        'agents = ["running.py:Bold", "uct(evaluator=running:Fair)"]\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    plan = load(folder / "plan.toml")
    assert run(plan, Path("results.db"), workers=1, on=on).played == 2
    with Store("results.db") as store:
        assert {name for match in store.matches() for name in match.agents} == {
            "running.py:Bold",
            "uct(evaluator='running:Fair')",
        }
        assert not [fault for match in store.matches() for fault in match.faults]


def test_a_seat_of_a_cluster_looks_where_the_plan_came_from(folder, monkeypatch, tmp_path_factory):
    from ludarium.arena.tournament.cluster import Seat
    from ludarium.arena.tournament.jobs import Job

    plan = round_robin(["running.py:Race"], ["running:Bold", "random"], matches=1, seed=1)
    data = Job(plan.pairings[0], [0]).data
    monkeypatch.setattr(outside, "_FOLDERS", [])
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(folder)])
    monkeypatch.chdir(tmp_path_factory.mktemp("machine"))
    seat = Seat(60.0, 0)
    (match,) = seat.play(data)
    seat._supervisor.close()
    assert (match.agents, match.faults) == (("running:Bold", "random"), ())


def test_how_a_game_was_asked_for_does_not_change_what_it_is(folder):
    fives = {
        game(spec).fingerprint for spec in ("running.py:Race", "running.py:Race(length=5)", "running:short(length=5)")
    }
    assert len(fives) == 1
    assert game("running.py:Race(length=6)").fingerprint not in fives


SCRIPT = """
import sys
from ludarium.arena import round_robin, run

def main():
    plan = round_robin([Race(3)], [Bold(), "random"], matches=1)
    done = run(plan, "results.db", workers=1, on=sys.argv[1])
    print(plan.pairings[0].game, done.played, *done.failed.values())
"""


def python(folder, *words, typed=None):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    options = {"capture_output": True, "text": True, "cwd": folder, "env": environment, "timeout": 100, "input": typed}
    done = subprocess.run([sys.executable, *words], check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(folder, text, on):
    (folder / "script.py").write_text(RACE + SCRIPT + text, encoding="utf-8")
    return python(folder, "script.py", on)


@pytest.mark.parametrize("on", ["threads", "processes"])
def test_a_script_plays_with_its_own_classes(folder, on):
    assert script(folder, 'if __name__ == "__main__":\n    main()\n', on) == "script.py:Race(length=3) 2\n"


def test_a_script_without_a_guard_does_not_start_ever_more_workers(folder):
    told = script(folder, "main()\n", "processes")
    assert told.startswith("script.py:Race(length=3) 0 ")
    assert 'write what a script does below if __name__ == "__main__":' in told


def test_what_was_typed_in_plays_on_threads_only(folder):
    typed = RACE.partition("@kernel")[0] + SCRIPT + "main()\n"
    assert python(folder, "-", "threads", typed=typed) == "__main__:Race(length=3) 2\n"
    (folder / "results.db").unlink()
    assert "Race was typed in, where other processes cannot find it" in python(folder, "-", "processes", typed=typed)


def test_the_current_folder_may_be_gone(folder, monkeypatch):
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert game(f"{folder}/running.py:Race").name == "race-5"
    monkeypatch.chdir(folder)
