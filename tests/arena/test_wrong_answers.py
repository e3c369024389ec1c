"""Games and agents of others that answer something else than was asked: a sentence that names them, never a traceback."""

import re

import pytest

from ludarium.arena import Store, round_robin, run
from ludarium.arena.play import play
from ludarium.core import GameError, LudariumError, WrongAnswer
from ludarium.outside import blame
from ludarium.testing import check_game
from tests.outside_code import RACE

MOVERS = "return () if max(self.at) >= self.game.length else (self.turn,)"
LEGAL = "return [1, 2] if self.movers == (role,) else []"
LAP = "return Lap(self.game, tuple(at), 1 - self.turn)"
WON = "return (0.5, 0.5) if left == right else (1.0, 0.0) if left > right else (0.0, 1.0)"
CHOICE = "return Decision(info.legal[0 if len(info.played) < self.agent.patience else -1])"

GAMES = {
    "begins with nothing": ("return Lap(self, (0, 0), 0)", "pass", "_initial gives None, which is no State"),
    "goes on with nothing": (LAP, "pass", "_after gives None, which is no State"),
    "a number for movers": (MOVERS, "return self.turn", "movers are 0"),
    "no such mover": (MOVERS, "return (2,)", r"movers are \(2,\)"),
    "no list of moves": (LEGAL, "pass", "the legal moves of left are None"),
    "moves one by one": (
        LEGAL,
        "return (step for step in ([1, 2] if self.movers == (role,) else []))",
        "the legal moves of left are <generator .*; expected a list",
    ),
    "none later": (
        LEGAL,
        "return [1, 2] if self.at == (0, 0) and not role else None",
        "the legal moves of right are None",
    ),
    "no moves later": (
        LEGAL,
        "return [1, 2] if self.at == (0, 0) and not role else []",
        "right (is to move, but has|has) no legal move",
    ),
    "no utilities": (WON, "pass", "has the utilities None"),
    "a number for a text": ("return str(move)", "return move", "text gives [12] for the move [12]"),
}
DECLARED = {
    "roles": 'roles = ("left", "right")',
    "max_moves": "max_moves = 2",
    "traits": "traits = Traits(turn_taking=True, deterministic=True, perfect_information=True, constant_sum=True)",
}
AGENTS = {
    "nobody": ("return BoldPlayer(self)", "pass", r"seat gives None, which has no choose\(info, budget\)"),
    "does not choose": ("def choose(", "def chose(", r"which has no choose\(info, budget\)"),
    "seated otherwise": (
        "def seat(self, game, role, rng)",
        "def seat(self, game)",
        r"is asked for seat\(game, role, rng\)",
    ),
    "asked otherwise": (
        "def choose(self, info, budget)",
        "def choose(self, info)",
        r"is asked for choose\(info, budget\)",
    ),
    "no answer": (CHOICE, "pass", "choose gives None; expected a Decision"),
    "a bare move": (CHOICE, "return info.legal[0]", "choose gives 1; expected a Decision"),
}


def written(name, old, new, folder):
    assert RACE.count(old) == 1
    file = f"wrong_{name.replace(' ', '_')}.py"
    (folder / file).write_text(RACE.replace(old, new))
    return file


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("agent", ["random", "uct"])
@pytest.mark.parametrize("name", GAMES)
def test_what_a_game_answers_is_named_when_it_is_none(name, agent, folder):
    old, new, told = GAMES[name]
    with pytest.raises(GameError, match=told):
        play(f"{written(f'{name} {agent}', old, new, folder)}:Race", [agent, "random"], iterations=20, seed=1)


@pytest.mark.parametrize("name", GAMES)
def test_the_check_says_the_same(name, folder):
    old, new, _ = GAMES[name]
    with pytest.raises(AssertionError) as failed:
        check_game(f"{written(f'check {name}', old, new, folder)}:Race")
    assert not any(kind in str(failed.value) for kind in ("TypeError", "AttributeError")) or name == "no utilities"


@pytest.mark.parametrize("name", DECLARED)
def test_what_a_game_does_not_declare_is_said_when_it_is_named(name, folder):
    file = written(f"declared {name}", DECLARED[name], "pass", folder)
    with pytest.raises(GameError, match=f"game '{file}:Race' has no {name}: expected .*, as in {name} = "):
        play(f"{file}:Race", ["random", "random"])


BEHIND = """

class Behind(Game):
    name = "behind"

    def __init__(self):
        self.race = Race()

    def __getattr__(self, name):
        return getattr(self.race, name) if name in ("roles", "traits", "max_moves", "length") else super().__getattribute__(name)

    def text(self, move):
        return self.race.text(move)

    def parse(self, text):
        return self.race.parse(text)

    def picture(self, state, role=None):
        return self.race.picture(state, role)

    def _initial(self, rng):
        return Lap(self, (0, 0), 0)
"""


def test_a_game_may_have_another_declare_for_it(folder):
    (folder / "behind.py").write_text(RACE + BEHIND)
    assert play("behind.py:Behind", ["uct", "random"], iterations=5, seed=1).utilities


@pytest.mark.parametrize("name", AGENTS)
def test_what_an_agent_answers_is_named_when_it_is_none(name, folder):
    old, new, told = AGENTS[name]
    file = written(name, old, new, folder)
    with pytest.raises(WrongAnswer, match=f"agent '{file}:Bold'.*{told}"):
        play("nim", [f"{file}:Bold", "random"])


def test_what_fails_inside_of_an_agent_is_no_wrong_call(folder):
    file = written("inside", CHOICE, "return len(3)", folder)
    with pytest.raises(TypeError) as raised:
        play("nim", [f"{file}:Bold", "random"])
    assert not isinstance(raised.value, LudariumError)


def test_what_fails_in_machine_code_is_told_with_its_file_and_line(folder):
    file = written("machine", "out[role] = 0.5", "assert table.roles > 2, 'for three'", folder)
    line = next(
        number for number, each in enumerate((folder / file).read_text().splitlines(), 1) if "for three" in each
    )
    with pytest.raises(AssertionError, match="for three") as raised:
        play("nim", [f"osla(evaluator={file}:Fair)", "random"], iterations=5)
    assert re.fullmatch(rf"{file}:{line}:\d+: AssertionError: .*for three", blame(raised.value))


def test_a_match_with_a_wrong_game_is_never_a_result(folder):
    file = written("stored", MOVERS, "return self.turn", folder)
    with Store("wrong.db") as store:
        run(round_robin([f"{file}:Race"], ["random", "flat"], matches=1, iterations=5), store, on="threads", workers=1)
        assert len(store) == 0


def test_a_bare_move_in_a_tournament_is_told_from_one_that_is_not_legal(folder):
    file = written("bare", CHOICE, "return info.legal[0]", folder)
    with Store("bare.db") as store:
        run(round_robin(["nim"], [f"{file}:Bold", "random"], matches=1, iterations=5), store, on="threads", workers=1)
        (fault, *_) = next(iter(store.matches())).faults
    assert "is no Decision, which choose is to give" in fault


PARTS = {
    "judges nothing": ("return Judge(ahead)", "pass", "evaluator 'fair': judge gives None; expected a Judge"),
    "a bare kernel": ("return Judge(ahead)", "return ahead", "evaluator 'fair': judge gives .*; expected a Judge"),
    "a function": ("return Judge(ahead)", "return Judge(short)", "its Judge has <function short .*@kernel makes one"),
    "judges otherwise": (
        "def judge(self, game)",
        "def judge(self)",
        r"'fair' is asked for judge\(game\): Fair.judge\(\) takes",
    ),
    "draws nothing": (
        "return Enumeration().sampler(game, role)",
        "pass",
        "determinizer 'exact': sampler gives None; expected a Sampler",
    ),
    "draws otherwise": (
        "def sampler(self, game, role)",
        "def sampler(self, game)",
        r"'exact' is asked for sampler\(game, role\): Exact.sampler\(\) takes",
    ),
}
SEARCHES = {"Fair": ["osla", "uct", "alphabeta", "rhea"], "Exact": ["ismcts", "determinized"]}


@pytest.mark.parametrize("name", PARTS)
def test_what_parts_of_agents_answer_is_named_when_it_is_none(name, folder):
    old, new, told = PARTS[name]
    file = written(name, old, new, folder)
    kind, part, game = (
        ("evaluator", "Fair", "nim") if "'fair'" in told or "kernel" in told else ("determinizer", "Exact", "")
    )
    for search in SEARCHES[part]:
        with pytest.raises(WrongAnswer, match=told):
            play(game or "kuhn-poker", [f"{search}({kind}={file}:{part})", "random"], iterations=5)
