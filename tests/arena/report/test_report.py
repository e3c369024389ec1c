import csv
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from ludarium.arena.report.report import report
from ludarium.arena.results import Results
from ludarium.core import BadParameter, LudariumError
from tests.arena.samples import duels, lots, plays, thoughts


def sheet(made, name):
    return next(each for each in made.sheets if each.name == name)


def test_the_findings_say_what_is_proved_and_what_is_not():
    made = report(lots(3000, agents=3, games=8, seat=1))
    assert made.findings[0].startswith("3,000 matches of 3 agents in 8 games. The best is agent 2: score ")
    assert made.findings[1].startswith("Of 3 pairs of agents, 3 differ by more than chance in what was played; ")
    assert any(line.startswith("Unfair games: ") and "white scores" in line for line in made.findings)


def test_draws_stand_apart_from_wins_everywhere():
    """45 won, 33 drawn and 22 lost of 100 are a score of 61.5 %, and no win rate of that."""
    made = report(
        duels([("a", "b", 1), ("b", "a", 0)] * 22 + [("a", "b", 0.5)] * 33 + [("a", "b", 0)] * 22 + [("b", "a", 0)])
    )
    assert "score 61.5% in 100 plays (45.0% won, 33.0% drawn, 22.0% lost)" in made.findings[0]
    for name in ("standings", "roles", "opponents", "balance"):
        rows = list(csv.DictReader(sheet(made, name).csv().splitlines()))
        assert all(abs(float(row["won"]) + float(row["drawn"]) + float(row["lost"]) - 1) < 1e-9 for row in rows)
    first = next(csv.DictReader(sheet(made, "standings").csv().splitlines()))
    assert (first["agent"], float(first["score"])) == ("a", 0.615)
    assert [float(first[name]) for name in ("won", "drawn", "lost")] == pytest.approx([0.45, 0.33, 0.22])
    assert "45+ 33= 22-" in sheet(made, "meetings").rows[0][2].text
    assert "win" not in "".join(each.csv().partition("\n")[0] for each in made.sheets)


def test_51_to_49_is_not_shown_as_proved():
    made = report(
        duels(
            [("a", "b", 1), ("b", "a", 0)] * 25
            + [("a", "b", 1)]
            + [("a", "b", 0), ("b", "a", 1)] * 24
            + [("b", "a", 1)]
        )
    )
    for name in ("meetings", "games", "comparisons-by-play-square"):
        assert not any(getattr(cell, "strong", False) for row in sheet(made, name).rows for cell in row), name
    sure = report(duels([("a", "b", 1), ("b", "a", 0)] * 40 + [("a", "b", 0), ("b", "a", 1)] * 10))
    for name, strong in (("meetings", 1), ("games", 1), ("comparisons-by-play-square", 2)):
        assert sum(getattr(cell, "strong", False) for row in sheet(sure, name).rows for cell in row) == strong, name


def test_the_square_says_what_it_compares_and_gives_p():
    made = report(duels([("a", "b", 1), ("b", "a", 0)] * 400 + [("a", "b", 0), ("b", "a", 1)] * 100))
    square = sheet(made, "comparisons-by-play-square")
    assert square.note.startswith("Compared are the means of all plays of two agents, whoever sat opposite")
    assert re.fullmatch(r"\+60\.0% p \d\.\de-\d+", square.rows[0][2].text)


def test_one_game_is_said_to_be_one():
    made = report(lots(200, games=1))
    assert "one game says nothing about others" in made.findings[1]
    assert [compared.unit for compared in made.tests] == ["play"]


def test_few_games_are_said_to_be_few():
    assert "(from 3 games only)" in report(lots(300, games=3)).findings[1]
    assert "only)" not in report(lots(300, games=6)).findings[1]


def test_agents_that_may_be_as_good_are_named():
    rng = np.random.default_rng(0)
    made = report(duels([("a", "b", won) for won in rng.permutation([0, 1] * 20 + [1])]))
    assert made.findings[0].startswith("41 matches of 2 agents in 1 game. The best is a: ")
    assert "a was not shown to be better than b in what was played." in made.findings
    assert "Agents did not change seats evenly in hex: there, strength and seat cannot be told apart." in made.findings


def test_faults_are_told():
    results = lots(50)
    late = np.zeros(100, int)
    late[[3, 8]] = (2, 1)
    made = report(replace(results, timeouts=late))
    assert "3 moves came late, broke the rules or never came, and each was replaced by a random one." in made.findings
    assert sum(row[-3] for row in sheet(made, "standings").rows) == 3
    assert not any("came late" in line for line in report(results).findings)


def test_the_best_agent_comes_first_everywhere():
    made = report(lots(2000, agents=4))
    order = [rate.group[0] for rate in made.rates]
    assert order == ["agent 3", "agent 2", "agent 1", "agent 0"]
    assert list(made.met.agents) == list(made.tests[0].agents) == list(made.margins) == order
    assert [column.name for column in sheet(made, "games").columns[1:]] == order
    assert [row[0] for row in sheet(made, "comparisons-by-play-square").rows] == order


def test_wins_are_counted_or_utilities_if_asked_for():
    results = duels([("a", "b", 0.7)] * 4)
    assert {rate.group[0]: rate.mean for rate in report(results).rates} == {"a": 1, "b": 0}
    paid = report(results, utilities=True)
    assert {rate.group[0]: rate.mean for rate in paid.rates} == {"a": 0.7, "b": pytest.approx(0.3)}
    assert "utility 70.0%" in paid.findings[0]


def test_matches_of_one_role_are_reported_as_far_as_they_go():
    made = report(plays({"a": [1, 0, 1], "b": [0, 0, 1]}))
    assert made.ratings == made.seats == ()
    assert {each.name for each in made.sheets} >= {"standings", "comparisons-by-play", "regret", "games", "measures"}


def test_one_agent_alone_and_one_match_alone_are_reported():
    assert report(duels([("a", "a", 1)] * 5)).tests == ()
    assert report(duels([("a", "b", 1)])).findings[0].startswith("1 match of 2 agents in 1 game")


def test_nothing_to_report_is_said():
    none = {name: [] for name in ("match", "game", "role", "agent", "utility")}
    with pytest.raises(BadParameter, match="there are no results to report"):
        report(Results.of(none))


def test_a_page_and_a_csv_for_each_table_are_written(tmp_path):
    results = lots(200)
    made = report(results, thoughts(results, 20))
    page, *tables = made.write(tmp_path / "new" / "spring.html")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [table.name for table in tables] == [f"spring-{each.name}.csv" for each in made.sheets]
    with tables[0].open(newline="", encoding="utf-8") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["agent"] for row in rows] == [rate.group[0] for rate in made.rates]
    assert [float(row["score"]) for row in rows] == [rate.mean for rate in made.rates]


def test_a_folder_gets_a_page_named_report(tmp_path):
    assert report(lots(20)).write(tmp_path)[0] == tmp_path / "report.html"


def test_the_same_results_give_the_same_bytes(tmp_path):
    results = lots(200)
    first, second = (report(results, thoughts(results, 5)).write(tmp_path / name / "x.html") for name in "ab")
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_a_page_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LudariumError, match="^cannot write the report: "):
        report(lots(20)).write(tmp_path / "file" / "x.html")


MILLION = """
import resource, sys, time
from pathlib import Path
from tests.arena.samples import lots
results = lots(1_000_000, agents=8, games=20)
started = time.process_time()
from ludarium.arena.report.report import report
report(results).write(Path(sys.argv[1]))
print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


@pytest.mark.slow
def test_a_million_matches_are_reported_within_10_seconds_and_1_gigabyte(tmp_path):
    """CPU time, which a busy machine changes less; imports and figures included, reading a store not."""
    told = subprocess.run(
        [sys.executable, "-c", MILLION, tmp_path / "x.html"], capture_output=True, text=True, check=True
    )
    seconds, megabytes = map(float, told.stdout.split())
    assert seconds < 10
    assert megabytes < 1024
