import pytest

from ludarium.arena import PlanError, against_field, free_for_all, load, round_robin, self_play
from ludarium.arena.plan.file import read, write

TEXT = """\
# Everything that is wrong with a plan is told at once.
kind = "round-robbin"
games = ["nim", "chesss",
    "tic-tac-to",
]
agents = [
    "flat(x=1)",
    'randm',
    "flat",
]
matchs = 3
iterations = 0
record = "all"
start_seconds = "long"
"""


@pytest.mark.parametrize(
    "plan",
    [
        round_robin(
            ["nim", "breakthrough(width=5, height=6)"], ["flat", "random"], matches=3, iterations=50, name="it's"
        ),
        against_field(["nim"], ["flat"], ["random"], rotate=True, seconds=0.5, start_seconds=2.5),
        self_play(["nim"], ["flat"], against="", budgets=[{"iterations": 5}, {"forward_calls": 7, "seconds": 1}]),
        free_for_all(["four-player-tic-tac-toe"], ["flat", "random"], seed=7, record="moves", move_limit=9),
    ],
    ids=lambda plan: plan.source["kind"],
)
def test_a_file_and_a_call_mean_the_same(plan, tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(write(plan))
    assert load(path) == plan
    assert [fixture.id for fixture in load(path)] == [fixture.id for fixture in plan]


def test_all_problems_are_listed_with_their_lines():
    with pytest.raises(PlanError) as raised:
        read(TEXT, "my.toml")
    assert str(raised.value).splitlines() == [
        "my.toml has 9 problems:",
        "  line 2: the kind is 'round-robbin'; it is one of round-robin, against-field, self-play, free-for-all",
        "  line 3: unknown game 'chesss': did you mean 'chess'?",
        "  line 4: unknown game 'tic-tac-to': did you mean 'tic-tac-toe'?",
        "  line 7: agent 'flat' has no parameter 'x'; it has playout_limit",
        "  line 8: unknown agent 'randm': did you mean 'random'?",
        "  line 11: unknown key 'matchs': did you mean 'matches'?",
        "  line 12: iterations must be a positive whole number, not 0",
        "  line 13: record is 'all'; it is one of full, moves, result",
        "  line 14: start_seconds is 'long'; expected a number",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there are no games"),
        ("kind = = 3", "line 1: this is not TOML"),
        ('kind = "self-play"\ngames = "nim"\nagents = ["flat"]', "line 2: games is 'nim'; expected a list of names"),
        ('kind = "self-play"\ngames = []\nagents = ["flat"]', "line 2: the list of games is empty"),
        ('kind = "self-play"\ngames = ["nim", "nim"]\nagents = ["flat"]', "'nim' is listed twice in games"),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nmatches = 0',
            "line 4: matches is 0; expected 1 or more",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nmatches = true',
            "line 4: matches is True; expected a whole",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nfield = ["flat"]',
            "line 4: 'field' means nothing in a plan",
        ),
        ('kind = "against-field"\ngames = ["nim"]\nagents = ["flat"]', "there is no field"),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nagainst = "nobody"',
            "line 4: unknown agent 'nobody'",
        ),
        ('kind = "round-robin"\ngames = ["nim"]\nagents = ["flat"]', "a single agent has nobody to play against"),
        (
            'kind = "round-robin"\ngames = ["kuhn-poker"]\nagents = ["alphabeta", "random"]',
            "line 2: alphabeta cannot play kuhn-poker",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nbudgets = 7',
            "line 4: budgets is 7; expected a list of tables",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nbudgets = [{hours = 1}]',
            "line 4: 'hours' is not a limit",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nseconds = 1\nbudgets = [{seconds = 1}]',
            "either budgets or",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\n[[budgets]]\nseconds = -1',
            "line 4: seconds must be a positive",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\ncatalog = "no.such"',
            "line 4: catalog 'no.such' is not a module",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nmove_limit = -1',
            "line 4: move_limit must be a positive",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nmatches = 99999999999999999999',
            "line 4: matches is 99999999999999999999; expected 1,000,000,000 or fewer",
        ),
        (
            'kind = "self-play"\ngames = ["nim"]\nagents = ["flat"]\nmove_limit = 1.5',
            "line 4: move_limit must be a positive whole",
        ),
    ],
)
def test_what_is_wrong_is_said(text, said):
    with pytest.raises(PlanError) as raised:
        read(text, "my.toml")
    assert said in str(raised.value)
    assert str(raised.value).startswith("my.toml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(PlanError, match="cannot be read: No such file"):
        load(tmp_path / "no.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PlanError, match="cannot be read: it is not text"):
        load(tmp_path / "bytes.toml")


def test_a_call_has_no_lines():
    with pytest.raises(PlanError) as raised:
        round_robin(["nmi", "nim"], ["rndom", "flat"])
    assert [problem.line for problem in raised.value.problems] == [None, None]
    assert str(raised.value).startswith("the plan has 2 problems:")
    with pytest.raises(PlanError, match="unknown key 'itertions': did you mean 'iterations'"):
        round_robin(["nim"], ["flat", "random"], itertions=5)


OWN = """
from ludarium import catalog


def game(name):
    return catalog.game(name)


def agent(name):
    return catalog.agent(name) if name != "mine" else undefined
"""


def test_mistakes_in_keys_names_and_an_own_module_are_told_at_once(tmp_path):
    (tmp_path / "own_names.py").write_text(OWN)
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'kind = "round-robin"\ngames = ["nimm"]\nagents = ["mine", "uctt"]\nmatchez = 1\nmatches = 0\ncatalog = "own_names"\n'
    )
    with pytest.raises(PlanError) as told:
        load(plan)
    said = str(told.value).splitlines()
    assert len(said) == 6
    assert "line 2: unknown game 'nimm': did you mean 'nim'?" in said[1]
    assert said[2].endswith("own_names.py:10: in agent: NameError: name 'undefined' is not defined")
    assert "line 3: unknown agent 'uctt'" in said[3]
    assert "line 4: unknown key 'matchez'" in said[4]
    assert "line 5: matches is 0" in said[5]


def test_agents_are_checked_even_without_games():
    with pytest.raises(PlanError) as told:
        read('kind = "round-robin"\nagents = ["uctt", "random"]\n')
    assert "there are no games" in str(told.value)
    assert "unknown agent 'uctt'" in str(told.value)


def test_a_module_that_is_not_python_is_named_with_its_line(tmp_path):
    (tmp_path / "spoilt_names.py").write_text("x = 1\ndef f(:\n")
    plan = tmp_path / "plan.toml"
    plan.write_text('kind = "self-play"\ngames = ["nim"]\nagents = ["uct"]\ncatalog = "spoilt_names"\n')
    with pytest.raises(
        PlanError, match=r"line 4: catalog 'spoilt_names' cannot be imported: .*spoilt_names.py:2: this is"
    ):
        load(plan)


def test_a_folder_is_no_plan(tmp_path):
    with pytest.raises(PlanError, match="this is a folder"):
        load(tmp_path)
