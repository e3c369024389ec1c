"""The study of balanced asymmetry: its plan, its numbers and its answer."""

import numpy as np
import pytest

from ludarium import catalog
from ludarium.arena.results import Moves, Results
from ludarium.core import Limit
from ludarium.studies.balanced_asymmetry import answer as answers
from ludarium.studies.balanced_asymmetry import results as numbers
from ludarium.studies.balanced_asymmetry import study, tables
from tests.commands import run
from tests.studies.test_figures import labelled


def made_up(pairs, game="hnefatafl", turns=100):
    """Results of a list of (attacker, defender, what the attacker got, how often)."""
    rows = [row for *row, times in pairs for _ in range(times)]
    columns = {
        "match": np.repeat(np.arange(len(rows)), 2),
        "game": [game] * (2 * len(rows)),
        "role": [0, 1] * len(rows),
        "role_name": ["attacker", "defender"] * len(rows),
        "agent": [name for row in rows for name in row[:2]],
        "utility": [won for row in rows for won in (row[2], 1 - row[2])],
        "plies": [turns] * (2 * len(rows)),
    }
    moves = {name: [columns[name][at] for at in range(2 * len(rows))] for name in ("match", "game", "role", "agent")}
    moves |= {"ply": columns["role"], "seconds": [0.1] * (2 * len(rows))}
    return Results.of(columns), Moves.of(moves)


def measured(pairs, **options):
    return numbers.measure(*made_up(pairs, **options), Limit(seconds=0.1), repeats=0)


RANDOM = ("random", "random", 1.0, 250), ("random", "random", 0.0, 650), ("random", "random", 0.5, 100)


def test_all_games_of_the_thesis_are_in_the_library_and_all_players_in_the_catalog():
    assert len([name for name in study.GAMES if name.startswith("hnefatafl")]) == 12
    assert set(study.GAMES) <= set(catalog.rule_files())
    assert set(study.PLAYERS) <= set(catalog.AGENTS)


def test_the_plan_has_every_player_in_both_roles_and_against_itself():
    plan = study.plan(study.FULL_SCALE, ["tablut"], ["uct", "random"])
    assert [(pairing.agents, pairing.matches) for pairing in plan.pairings] == [
        (("random", "random"), 1000),
        (("uct", "uct"), 10),
        (("uct", "random"), 10),
        (("random", "uct"), 10),
    ]
    terms = plan.pairings[1].terms
    assert (terms.limit.seconds, terms.start_seconds) == (15.0, 30.0)


def test_the_quick_form_goes_through_all_games_and_players_with_few_states_in_all():
    plan = study.plan(study.QUICK)
    searched = [each for each in plan.pairings if each.agents != (study.RANDOM, study.RANDOM)]
    assert {each.game for each in searched} == set(study.GAMES)
    assert {each.agents for each in searched} == {each.agents for each in study.plan(study.FULL_SCALE).pairings[1:13]}
    longest = 500  # turns
    states = sum(each.matches * longest * (each.terms.limit.forward_calls or 10**9) for each in searched)
    assert states <= 50_000_000  # which take a minute of CPU time, most matches being shorter
    assert sum(each.matches for each in plan.pairings) <= 2000


def test_more_games_and_matches_hold_what_was_played_before():
    small = study.plan(study.QUICK, ["tablut"], ["uct"])
    assert study.plan(study.QUICK).holds(small)
    assert not study.plan(study.FULL_SCALE).holds(small)


def test_the_random_player_prefers_a_role_and_that_is_proved():
    found = measured(RANDOM)
    bias = found.bias("hnefatafl", "random")
    assert (bias.share, bias.towards) == (0.3, "defender")
    told = " ".join(answers.answer(found))
    assert "the attacker wins 25.0%, the defender 65.0%, and 10.0% are drawn" in told
    assert "not balanced for random players: the defender wins more (p = 9.9e-42)" in told


def test_eight_of_ten_as_in_the_thesis_prove_nothing():
    bias = measured([("random", "random", 1.0, 2), ("random", "random", 0.0, 8)]).bias("hnefatafl", "random")
    assert bias.p == pytest.approx(numbers.THESIS.p)
    assert bias.interval == numbers.THESIS.interval
    assert bias.towards == ""
    assert np.mean(numbers.THESIS_TURNS) == pytest.approx(305.2)


def test_a_player_is_held_against_what_random_wins_in_the_same_seat():
    found = measured([*RANDOM, ("uct", "random", 1.0, 20), ("random", "uct", 0.0, 15), ("random", "uct", 1.0, 5)])
    assert found.better("hnefatafl", "uct", "attacker")
    assert not found.better("hnefatafl", "uct", "defender")  # 15 of 20, where Random itself wins 14
    (told,) = [line for line in answers.answer(found) if line.startswith("Intelligence")]
    assert "uct is proved as attacker to win more than Random itself" in told


def test_players_are_taken_together_too():
    pairs = [
        (one, two, won, 5) for who in ("uct", "mast") for one, two, won in ((who, "random", 1.0), ("random", who, 0.0))
    ]
    told = list(answers.answer(measured([*RANDOM, *pairs])))
    together = (
        "as attacker 10 of 10 (Random itself 30%, p = 1.2e-05) and as defender 10 of 10 (Random itself 70%, p = 0.0282)"
    )
    assert f"All players that search taken together won, against Random, {together}." in told


def test_two_wins_of_two_prove_nothing():
    assert not measured([*RANDOM, ("uct", "random", 1.0, 2)]).better("hnefatafl", "uct", "attacker")


@pytest.mark.parametrize(
    ("won", "told"),
    [
        (38, "So asymmetry does matter: uct plays the attacker better, in a game that people find balanced."),
        (2, "So asymmetry does matter: uct plays the defender better, in a game that people find balanced."),
        (22, "No preference for a role is proved for uct; 40 matches each show one of about 22 points."),
    ],
)
def test_generality_is_what_the_roles_win_in_self_play(won, told):
    found = measured([*RANDOM, ("uct", "uct", 1.0, won), ("uct", "uct", 0.0, 40 - won)])
    assert told in list(answers.answer(found))


@pytest.mark.parametrize(
    ("won", "told"),
    [
        (20, "Against Random's 30% it is proved for uct, and uct is nearer to a half ("),
        (38, "Against Random's 30% it is proved for uct ("),
        (12, "Against Random's 30% for none of them is a difference proved ("),
    ],
)
def test_players_are_held_against_random_as_the_thesis_expects(won, told):
    found = measured([*RANDOM, ("uct", "uct", 1.0, won), ("uct", "uct", 0.0, 40 - won)])
    assert told in " ".join(answers.answer(found))


def over_two_games(attacker, defender):
    """Matches of alphabeta against itself in two games, of which Random wins a fifth as attacker."""
    pairs = [("random", "random", 1.0, 200), ("random", "random", 0.0, 800)]
    pairs += [("alphabeta", "alphabeta", 1.0, attacker), ("alphabeta", "alphabeta", 0.0, defender)]
    one, other = (made_up([pair for pair in pairs if pair[3]], game=game)[0] for game in ("tablut", "brandubh"))
    names = [[each.agent.names[code] for code in each.agent.codes] for each in (one, other)]
    columns = {name: [*getattr(one, name), *getattr(other, name)] for name in ("role", "utility")}
    columns |= {"match": [*one.match, *(other.match + 100_000)], "agent": [*names[0], *names[1]]}
    columns |= {"game": ["tablut"] * len(one) + ["brandubh"] * len(other)}
    columns |= {"role_name": ["attacker", "defender"] * (len(one) + len(other) >> 1)}
    moves = made_up([("alphabeta", "alphabeta", 1.0, 1)])[1]
    return list(answers.answer(numbers.measure(Results.of(columns), moves, Limit(seconds=0.1), repeats=0)))


def test_all_games_are_added_up_and_held_against_the_shares_of_random():
    told = over_two_games(8, 1)
    assert "that were won: alphabeta 16 of 18 (at Random's shares 3.6, p = " in told[-2]
    assert (
        told[-1] == "In these games taken together, alphabeta prefers the attacker more than the games themselves do."
    )


def test_ten_losses_in_games_that_favour_the_defender_anyway_prove_no_preference():
    """At a half each, 0 of 10 would have p = 0.002; where Random wins a fifth, nothing is proved."""
    told = over_two_games(0, 5)
    assert "alphabeta 0 of 10 (at Random's shares 2.0, p = 0.23)" in told[-1]
    assert not any("prefers" in line for line in told)


def test_a_limit_of_work_is_told():
    found = numbers.measure(*made_up(RANDOM), Limit(seconds=15.0, forward_calls=20_000), repeats=0)
    assert "with a play clock of 15 s and at most 20,000 states to look at in a turn" in next(answers.answer(found))


def test_few_matches_are_called_few():
    found = measured([*RANDOM, ("uct", "uct", 1.0, 2)])
    assert "2 matches each are too few to prove any." in " ".join(answers.answer(found))


def test_late_turns_are_counted():
    results, moves = made_up([("uct", "random", 1.0, 2)])
    results.timeouts[0] = 3
    found = numbers.measure(results, moves, Limit(seconds=0.1), repeats=0)
    assert "Of 2 turns of players that search, 3 came too late (hnefatafl 3)" in next(answers.answer(found))
    turns = {sheet.name: sheet for sheet in tables.sheets(found)}["turns"]
    assert [row[6] for row in turns.rows] == [0, 3]


def test_what_was_played_is_listed():
    found = measured([*RANDOM, ("uct", "random", 1.0, 3), ("random", "uct", 1.0, 2), ("uct", "uct", 1.0, 4)])
    played = next(tables.sheets(found))
    assert played.rows == (("hnefatafl", 1000, "2 to 3", "4", 13),)
    assert played.note == "Matches. Play clock 0.1 s. Players besides random: uct."


@pytest.mark.parametrize("game", ["hnefatafl", "brandubh"])
@pytest.mark.parametrize(
    "pairs", [RANDOM, [*RANDOM, ("uct", "uct", 1.0, 9), ("uct", "random", 0.0, 3)], [("uct", "uct", 0.5, 1)]]
)
def test_every_part_of_the_results_can_be_shown(game, pairs):
    found = measured(pairs, game=game)
    assert len(list(tables.sheets(found))) == 7
    for sheet in tables.sheets(found):
        sheet.shown()
        sheet.csv()
    for drawing in tables.drawings(found):
        assert drawing.svg().startswith("<?xml")
        assert labelled(drawing.draw())


def test_turns_of_random_players_are_timed_from_position_to_position():
    times = numbers.random_turns("hnefatafl-no-moves", 2)
    assert len(times) == 3  # the third repetition ends it
    assert (times > 0).all()
    assert np.isnan(numbers.stretch(times, 50, 100))
    assert numbers.stretch(times, 0, 50) == pytest.approx(times.mean())


def test_the_study_runs_goes_on_and_brings_its_page_up_to_date(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = (
        "study",
        "balanced-asymmetry",
        "--quick",
        "--games",
        "hnefatafl-5x5",
        "--agents",
        "uct",
        "--seconds",
        "0.01",
    )
    command += ("--matches", "1", "--random-matches", "50", "--on", "threads")
    told = run(*command, columns=80)
    assert told.exit_code == 0
    assert "53 matches, 1 game, 2 agents; results go to balanced-asymmetry-quick.db" in " ".join(told.output.split())
    assert "Random against Random" in told.output
    assert max(map(len, told.output.splitlines()[1:])) <= 80  # the first line names a file
    page = tmp_path / "balanced-asymmetry-quick.md"
    first = page.read_text()
    assert "53 matches of 1 game were played" in first
    again = run(*[word if word != "1" else "2" for word in command])
    assert "53 matches were already stored" in again.output
    assert "56 matches" in page.read_text()
    assert run("study", "balanced-asymmetry", "--quick", "--no-play").exit_code == 0


def test_studies_are_listed():
    assert "balanced-asymmetry" in run("study").output
