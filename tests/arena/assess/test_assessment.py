"""Assessments: numbers whose intervals narrow, the same again with the same seed, and what is odd in odd games."""

from math import isnan

import pytest

from ludarium.arena.assess import Assessment, Estimate, assessment_page, findings, sheets
from ludarium.arena.assess.numbers import estimates
from ludarium.catalog import game
from ludarium.core.limits import VARIABLE
from ludarium.ludii.game import from_text

ODD = """
(game "Odd" (players 2)
    (equipment {{ (board (square 3)) (piece "Stone" Each) (piece "Idol" Neutral) }})
    (rules (start (place "Idol0" 4)) (play {play}) (end {end}))
)
"""


def assessed(made, random=4, matches=6, **settings):
    found = Assessment(made, iterations=20, **settings)
    for _ in range(random):
        found.play_random()
    for _ in range(matches):
        found.play_match()
    return found


def numbers(found):
    return {each.name: each for each in estimates(found)}


def test_numbers_have_intervals_that_narrow_and_a_seed_gives_them_again():
    few, more = (numbers(assessed(game("tic-tac-toe"), matches=count)) for count in (4, 16))
    for name in ("ends (uct)", "score of x", "draws"):
        assert more[name].low <= more[name].mean <= more[name].high
        assert more[name].high - more[name].low < few[name].high - few[name].low
    assert more["length"].count == 16
    assert 5 <= more["length"].mean <= 9
    again = numbers(assessed(game("tic-tac-toe"), matches=4))
    assert str(again) == str(few)  # nan is not equal to itself
    other = numbers(assessed(game("tic-tac-toe"), matches=4, seed=1))
    assert str(other) != str(few)


def test_leads_are_what_the_players_expected():
    found = numbers(assessed(game("connect-four"), matches=6))
    assert 0 <= found["drama"].mean <= 1
    assert found["lead changes"].mean >= 0
    assert 0 <= found["settled at"].mean <= 1


def test_a_game_that_the_first_player_wins_is_told():
    found = assessed(
        from_text(ODD.format(play="(move Add (to (sites Empty)))", end="(if (is Mover P1) (result Mover Win))")),
        matches=20,
    )
    told = " / ".join(findings(found))
    assert "wins too much: it scores 100%" in told
    assert "matches are very short: 1.0 moves" in told
    assert "pieces that never came to another site: Stone2, Idol0" in told


def test_a_game_that_never_ends_is_told(monkeypatch):
    monkeypatch.setenv(VARIABLE, "moves=30")
    play = '(or (move Pass) (move Remove (sites Occupied by:Neutral) (then (add (piece (id "Idol" Neutral)) (to 4)))))'
    found = assessed(
        from_text(
            ODD.format(play=play, end="(if (is Line 3) (result Mover Win))").replace(
                "(rules", "(rules (meta (passEnd NoEnd))"
            )
        ),
        matches=2,
    )
    assert "no match came to an end within 30 moves" in findings(found)[0]
    assert numbers(found)["ends (random)"].mean == 0


def test_rules_without_effect_are_told_with_their_places():
    text = ODD.format(
        play="(move Add (to (sites Empty)))",
        end="{(if (is Line 3) (result Mover Win)) (if (is Line 9) (result Mover Loss))}",
    )
    (told,) = [each for each in findings(assessed(from_text(text))) if "had no part" in each]
    assert "4:" in told.split("(")[-1]


def test_of_a_game_in_python_the_rules_are_not_known():
    found = assessed(game("nim"), matches=2)
    assert found.unused is None
    assert found.unmoved is None
    assert [sheet.rows for sheet in sheets(found)[1:]] == [(("unknown",),)] * 2


def test_a_puzzle_for_one_has_neither_draws_nor_leads():
    found = numbers(assessed(game('knights-tour(options="Size/3x4")'), matches=3))
    assert 0 <= found["solved"].mean <= 1
    assert isnan(found["drama"].mean)
    assert "draws" not in found


@pytest.mark.parametrize("spec", ["kuhn-poker", "goofspiel", 'ludo(options=["Players/Four", "Men/Two"])'])
def test_games_of_every_kind_are_assessed(spec):
    found = assessed(game(spec), random=2, matches=1)
    assert numbers(found)["length"].count == 1
    assert "<svg" not in assessment_page(found)  # figures are data of images: nothing in them can run


def test_the_page_needs_no_other_file():
    page = assessment_page(assessed(game("tic-tac-toe"), matches=3))
    assert page.count("data:image/svg+xml;base64,") == 4
    assert "http" not in page.replace("http-equiv", "")


def test_a_single_value_has_no_interval():
    assert isnan(Estimate.of("length", [3.0]).low)
    assert isnan(Estimate.of("length", []).mean)
