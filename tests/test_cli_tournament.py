"""Tournaments at the command line: played, stopped, gone on with, shown, written down, replayed."""

import json
import re
import signal
import sys
import time
from dataclasses import replace

import pytest

from ludarium import catalog
from ludarium.arena import Store, self_play
from ludarium.arena.plan.plan import Plan
from ludarium.core import Match
from tests.commands import process, run

SMALL = ("--games", "nim", "tic-tac-toe", "--agents", "flat", "random", "--games-per-pair", "5", "--iterations", "20")
PLAN = """
kind = "round-robin"
name = "small"
games = ["tic-tac-toe"]
agents = ["flat", "random"]
matches = 3
iterations = 20
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def played(elsewhere):
    told = run("tournament", *SMALL, "--on", "threads", "--store", "small.db", "--no-report")
    assert told.exit_code == 0
    return elsewhere / "small.db"


# Playing


def test_a_tournament_ends_with_a_table_findings_and_a_page(elsewhere):
    told = run("tournament", *SMALL, "--on", "threads", "--workers", "2", "--store", "small.db", columns=80)
    assert told.exit_code == 0
    assert "10 matches, 2 games, 2 agents; results go to small.db" in told.output
    assert re.search(r"flat +10 +\d+\.\d% +\d+\.\d to \d+\.\d %", told.output)
    assert "- 10 matches of 2 agents in 2 games. The best is flat" in told.output
    assert "page: small-report/report.html" in told.output
    assert (elsewhere / "small-report" / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert max(map(len, told.output.splitlines())) <= 80


@pytest.mark.parametrize(("seed", "guessed"), [((), False), (("--seed", "0"), True), (("--seed", 1 << 60), False)])
def test_whose_agents_sit_apart_is_warned_of_seeds_that_can_be_guessed(seed, guessed):
    one = ("--games", "nim", "--agents", "random", "flat", "--games-per-pair", "1", "--iterations", "5", *seed)
    told = run("tournament", *one, "--apart", "--store", "one.db", "--no-report")
    assert told.exit_code == 0, told.output
    assert ("which agents can guess" in told.output) == guessed


def test_seats_are_spread_evenly(played):
    with Store(played, readonly=True) as store:
        seats = [match.agents for match in store.matches(game="nim")]
    assert sorted((seats.count(("flat", "random")), seats.count(("random", "flat")))) == [2, 3]


def test_the_same_command_plays_nothing_twice_and_has_a_store_of_its_own(elsewhere):
    command = ("tournament", *SMALL, "--on", "threads", "--no-report")
    first, again = run(*command), run(*command)
    (store,) = elsewhere.glob("*.db")
    assert re.fullmatch(r"tournament-[0-9a-f]{8}\.db", store.name)
    assert "10 matches in " in first.output
    assert "10 matches were already stored" in again.output
    assert first.output.splitlines()[3:] == again.output.splitlines()[3:]
    assert run(*command, "--seed", "1").exit_code == 0
    assert len(list(elsewhere.glob("*.db"))) == 2


def test_more_matches_go_on_in_the_same_store(played):
    more = [word if word != "5" else "7" for word in SMALL]
    told = run("tournament", *more, "--on", "threads", "--store", played, "--no-report").output
    assert "4 matches in " in told
    assert "10 matches were already stored" in told
    assert re.search(r"flat +14 ", told)


def test_a_plan_from_a_file_has_its_store_beside_it(elsewhere):
    (elsewhere / "small.toml").write_text(PLAN)
    told = run("tournament", "small.toml", "--on", "threads", "--workers", "1")
    assert told.exit_code == 0
    assert "small: 6 matches, 1 game, 2 agents; results go to small.db" in told.output
    assert "<h1>small</h1>" in (elsewhere / "small-report" / "report.html").read_text()


def test_limits_are_told_apart(elsewhere):
    (elsewhere / "limits.toml").write_text(
        PLAN.replace("iterations = 20", "budgets = [{iterations = 5}, {iterations = 50}]")
    )
    command = ("tournament", "limits.toml", "--on", "threads", "--no-report")
    for told in (run(*command).output, run(*command).output):
        assert re.search(r"flat \[50 iterations\] +6 ", told)
        assert re.search(r"random \[5 iterations\] +6 ", told)


def test_quiet_prints_the_table_and_what_it_means():
    told = run("tournament", *SMALL, "--on", "threads", "--quiet", "--no-report").output
    assert told.lstrip().startswith("agent")


def test_without_the_extra_there_is_a_table_and_a_sentence(elsewhere):
    (elsewhere / "scipy.py").write_text("raise ModuleNotFoundError('no', name='scipy')")  # is found before the real one
    running = process("tournament", *SMALL, "--on", "threads", cwd=elsewhere)
    told, errors = running.communicate(timeout=300)
    assert (running.returncode, errors) == (0, "")
    assert re.search(r"flat +10 ", told)
    assert "no report: scipy is not installed: pip install 'ludarium[report]' brings it" in told


def test_matches_that_cannot_be_played_are_told(elsewhere, monkeypatch):
    (elsewhere / "broken.toml").write_text(PLAN.replace("tic-tac-toe", "broken") + f'catalog = "{__name__}"\n')
    told = run("tournament", "broken.toml", "--on", "threads", "--no-report")
    assert told.exit_code == 2
    assert "ludarium: 6 matches could not be played; the same command tries again:\n  three is a crowd" in told.stderr


def game(name):
    from ludarium import catalog
    from ludarium.core import GameError

    made = catalog.game("tic-tac-toe")

    class Broken(type(made)):
        def initial(self, rng=None):
            raise GameError("three is a crowd")

    made.__class__ = Broken
    return made


def agent(name):
    from ludarium import catalog

    return catalog.agent(name)


# Stopping


@pytest.mark.parametrize("on", ["processes", "threads"])
def test_ctrl_c_ends_after_the_matches_under_way_and_says_how_to_go_on(elsewhere, on):
    command = ("tournament", "--games", "tic-tac-toe", "--agents", "uct(c=1.0)", "flat", "--games-per-pair", "4000")
    command += ("--iterations", "3000", "--store", "long.db", "--on", on)
    running = process(*command, cwd=elsewhere)
    assert "4,000 matches" in running.stdout.readline()
    _wait_for(elsewhere / "long.db", 2)
    running.send_signal(signal.SIGINT)
    told, errors = running.communicate(timeout=300)
    assert (running.returncode, errors) == (130, "")
    assert "Ctrl-C: the matches in progress will be finished" in told
    done = int(re.search(r"Stopped: ([\d,]+) of 4,000 matches have been played and stored", told)[1].replace(",", ""))
    assert "  ludarium tournament --games tic-tac-toe --agents 'uct(c=1.0)' flat --games-per-pair 4000" in told
    with Store(elsewhere / "long.db", readonly=True) as store:
        assert 2 <= done == len(store)
        assert store.connection.execute("SELECT count(*) FROM claims").fetchone() == (0,)


@pytest.mark.parametrize("on", ["processes", "threads"])
def test_ctrl_c_twice_gives_the_matches_up(elsewhere, on):
    running = process(
        *("tournament", "--games", "breakthrough", "--agents", "uct", "flat", "--seconds", "1000", "--store", "x.db"),
        *("--on", on, "--workers", "2"),
        cwd=elsewhere,
    )
    running.stdout.readline()
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    assert "Ctrl-C: " in running.stdout.readline()  # two that come before the first is heard are one
    running.send_signal(signal.SIGINT)
    told, errors = running.communicate(timeout=300)
    assert (running.returncode, errors) == (130, "")
    assert "Stopped: 0 of 10 matches have been played and stored. To continue:" in told


def _wait_for(path, matches):
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        time.sleep(0.2)
        with Store(path, readonly=True) as store:
            if len(store) >= matches:
                return
    raise AssertionError("nothing is played")


# Results


def test_results_are_shown_in_words_and_tables(played):
    told = run("results", played, columns=80).output
    assert "- 10 matches of 2 agents in 2 games" in told
    for title in ("Score", "Ratings", "Head to head", "Balance", "The games", "What was run"):
        assert f"\n{title}\n" in told
    assert "more with --tables: " in told
    assert max(map(len, told.splitlines())) <= 80


def test_matches_are_stacked_in_a_narrow_terminal(played):
    told = run("results", played, "--matches", "3", columns=36).output
    assert "…" not in told
    assert "  nim" in told or "  tic-tac-toe" in told
    assert " plies, 0 faults" in told


def test_some_tables_of_some_games(played):
    told = run("results", played, "--tables", "roles", "--games", "nim").output
    assert "By game and role" in told
    assert "tic-tac-toe" not in told
    assert "Ratings" not in told


def test_moves_are_looked_at_unless_there_are_too_many(played, monkeypatch):
    from ludarium.terminal.commands import results

    table = ("results", played, "--tables", "measures", "--games", "nim")
    assert "choices" in run(*table).output
    assert "choices" not in run(*table, "--no-moves").output.split("\n\n")[0]
    monkeypatch.setattr(results, "_MANY", 10)
    assert "choices" not in run(*table).output.split("\n\n")[0]
    assert "choices" in run(*table, "--moves").output


def test_utilities_in_place_of_wins(played):
    assert "Utility" in run("results", played, "--tables", "standings", "--utilities").output


def test_the_last_matches_are_listed_and_can_be_replayed(played):
    told = run("results", played, "--matches", "3", "--games", "tic-tac-toe").output
    names = re.findall(r"^ ([0-9a-f]{16}) +tic-tac-toe +(?:flat|random) ", told, re.MULTILINE)
    assert len(names) == 3
    shown = run("replay", played, names[0][:9]).output
    assert re.search(r"1 · x (flat|random) → [abc][123]", shown)
    assert "█" in shown  # what flat thought
    assert f"match {names[0]}" in shown


def test_a_match_as_text_json_and_record_of_a_server(played):
    with Store(played, readonly=True) as store:
        match = next(store.matches(game="tic-tac-toe"))
    assert run("replay", played, match.id, "--text").output.startswith("game: tic-tac-toe\nx: ")
    assert json.loads(run("replay", played, match.id, "--json").output)["moves"] == list(match.moves)
    assert json.loads(run("replay", played, match.id, "--ggp").output)["matchId"] == match.id


def test_faults_are_shown_in_a_replay(elsewhere):
    (elsewhere / "late.toml").write_text(
        PLAN.replace("iterations = 20", "seconds = 0.000001\ntolerance_seconds = 0").replace(
            "matches = 3", "matches = 1"
        )
    )
    run("tournament", "late.toml", "--on", "threads", "--no-report")
    listed = run("results", "late.db", "--matches", "1").output
    assert re.search(r"plies +faults", listed)
    told = run("replay", "late.db", re.search(r"[0-9a-f]{16}", listed)[0]).output
    assert re.search(r"fault: flat \([xo]\) at move \d: timeout", told)


TRAP = "from pathlib import Path\nPath('sprung').touch()\nfrom ludarium.catalog import agent, game\n"


def stored(game, catalog):
    """Write a store as somebody else could."""
    with Store("theirs.db") as store:
        pairing = replace(self_play(["nim"], ["random"], iterations=1).pairings[0], game=game, catalog=catalog)
        plan = Plan((pairing,))
        store.connection.execute("INSERT INTO plans VALUES (?, ?, ?)", (plan.id, json.dumps(plan.data), 0.0))
        store.add(Match(id="a" * 16, game=game, agents=("x", "y"), seed=1, moves=("1 from a",), utilities=(0.0, 1.0)))


@pytest.mark.parametrize(
    ("game", "catalog", "option"),
    [("nim", "trap", ("--catalog", "trap")), ("trap:game", "ludarium.catalog", ("--game", "trap:game")),
     ("trap.py:game", "ludarium.catalog", ("--game", "trap.py:game")),
     (" trap:game", "ludarium.catalog", ("--game", "trap:game")),
     ("trap.py:game( ) ", "ludarium.catalog", ("--game", "trap.py:game"))],
)  # fmt: skip
def test_code_that_a_store_names_is_not_run_unless_it_is_named_in_the_command(elsewhere, game, catalog, option):
    sys.modules.pop("trap", None)
    (elsewhere / "trap.py").write_text(TRAP)
    stored(game, catalog)
    told = run("replay", "theirs.db", "aaaa")
    assert told.exit_code == 2
    assert "is not run unless you name it" in told.output
    assert " ".join(option) in " ".join(told.output.replace("'", "").split())
    for also in (("results",), ("report",), ("export",)):
        run(*also, "theirs.db", *(["out.csv"] if also == ("export",) else []))
    assert not (elsewhere / "sprung").exists()
    run("replay", "theirs.db", "aaaa", *option)
    assert (elsewhere / "sprung").exists()
    sys.modules.pop("trap", None)


def test_a_report_and_its_tables_are_written_where_they_are_wanted(played):
    told = run("report", played, "pages/mine.html", "--title", "A & B")
    assert re.fullmatch(r"page: pages/mine.html, and \d+ tables as CSV beside it\n", told.output)
    page = (played.parent / "pages" / "mine.html").read_text()
    assert "<h1>A &amp; B</h1>" in page
    assert "What was run" in page
    assert f"tic-tac-toe (rules {catalog.game('tic-tac-toe').fingerprint})" in page
    assert (played.parent / "pages" / "mine-standings.csv").exists()
    run("report", played)
    assert (played.parent / "small-report" / "report.html").exists()


@pytest.mark.parametrize(("name", "told"), [("x.csv", "20 rows"), ("x.parquet", "20 rows"), ("x.jsonl", "10 matches")])
def test_export(played, name, told):
    assert run("export", played, name).output == f"{name}: {told}\n"
    assert (played.parent / name).stat().st_size > 100


# Mistakes


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("tournament",), "what should be played? Give a plan, or --games and --agents, such as: --games nim"),
        (("tournament", "--games", "nim"), "Give a plan, or --agents, such as"),
        (("tournament", "--games", "--agents", "uct"), "--games needs one name, or several"),
        (("tournament", "no.toml"), "no.toml: it cannot be read: No such file or directory"),
        (("tournament", "x.toml", "--games", "nim", "--seed", "1"), "so --games, --seed cannot be given as well"),
        (
            ("tournament", "--games", "nim", "--agents", "uct"),
            "a single agent has nobody to play against: name at least two",
        ),
        (("tournament", *SMALL, "--on", "moon"), "no workers on 'moon': there are processes, threads, ray"),
        (("tournament", *SMALL, "--store", "no/such/x.db"), "no/such/x.db cannot be opened: is there such a folder"),
        (("tournament", *SMALL, "--store", "text.db"), "text.db is not a store: it is not an SQLite file"),
        (("tournament", *SMALL, "--store", "small.db", "--seed", "1"), "begun with another plan (seed 1, not nothing)"),
        (("results", "no.db"), "there is no store no.db"),
        (("results", "text.db"), "text.db is not a store"),
        (("results", "empty.db"), "empty.db is empty: nothing was stored there"),
        (("results", "begun.db"), "begun.db holds no matches yet"),
        (("results", "small.db", "--tables", "x"), "there is no table 'x': there are standings,"),
        (("results", "small.db", "--games", "nimm"), "unknown game of the store 'nimm': did you mean 'nim'?"),
        (("report", "small.db", "text.db/x.html"), "cannot write the report"),
        (("export", "small.db", "x.doc"), "its ending must be one of .csv, .parquet, .jsonl"),
        (("export", "small.db", "no/such/x.csv"), "no/such/x.csv cannot be written: No such file or directory"),
        (("replay", "small.db", "xyz"), "small.db has no match 'xyz'"),
        (("replay", "small.db", ""), "small.db has several matches ''"),
        (("study", "xyz"), "unknown study 'xyz': there are balanced-asymmetry"),
        (("study", "balanced-asymmetry", "--games", "chess"), "unknown game of the study balanced-asymmetry 'chess'"),
        (("study", "balanced-asymmetry", "--agents", "utc"), "unknown agent 'utc': did you mean 'uct'?"),
        (("study", "balanced-asymmetry", "--seconds", "-1"), "seconds must be a positive number"),
        (("study", "balanced-asymmetry", "--no-play"), "there is no store balanced-asymmetry.db"),
    ],
)
def test_a_mistake_is_one_clear_line_and_code_2(played, args, message):
    (played.parent / "text.db").write_text("This is a text, and by no means a store of matches." * 50)
    (played.parent / "empty.db").touch()
    Store("begun.db").close()
    told = run(*args)
    assert told.exit_code == 2
    assert message in told.stderr
    assert told.stderr.startswith("ludarium: ")
    assert told.stderr.count("\n") == 1


def test_all_that_is_wrong_with_a_plan_is_told_at_once(elsewhere):
    (elsewhere / "wrong.toml").write_text(PLAN.replace('"tic-tac-toe"', '"nimm"').replace('"flat"', '"utc"'))
    told = run("tournament", "wrong.toml")
    assert told.exit_code == 2
    assert told.stderr.splitlines() == [
        "ludarium: wrong.toml has 2 problems:",
        "  line 4: unknown game 'nimm': did you mean 'nim'?",
        "  line 5: unknown agent 'utc': did you mean 'uct'?",
    ]
    assert not (elsewhere / "wrong.db").exists()
