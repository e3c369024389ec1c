"""Players by their teams, and by what they are to each other."""

import pytest

from ludarium.kernel import using
from ludarium.ludii.game import from_text

GAME = """
(game "Players"
    (players 4)
    (equipment {{ (board (square 4)) (piece "Man" Each) }})
    (rules
        {start}
        (play (or (move Select (from (sites {{ {sites} }}))) (move Pass)))
        (end (if (= (counter) 9) (result Mover Draw)))
    )
)
"""
TEAMS = "(start { (set Team 1 { P1 P3 }) (set Team 2 { P2 P4 }) })"


@pytest.mark.parametrize(
    ("kind", "found"), [("Enemy", [1, 11]), ("NotEnemy", [1, 11]), ("Own", []), ("NotOwn", [1, 4, 11])]
)
def test_who_is_of_the_own_team_is_no_enemy_around_a_site(kind, found):
    """Around two sites are pieces of the second, the third and the fourth player; the first one moves, with the third."""
    placed = '(place "Man2" {1}) (place "Man3" {4}) (place "Man4" {11})'
    text = GAME.format(start=TEAMS.replace("})", f"}}) {placed}", 1), sites="0")
    with using("python"):
        game = from_text(
            text.replace(
                "(sites { 0 })", f"(union (sites Around 5 {kind} Orthogonal) (sites Around 7 {kind} Orthogonal))"
            )
        )
        state = game.initial()
        kinds = [(game.coordinates.leaf(move), move) for move in state.legal(0)]
        assert sorted(leaf.read(move, "from") for leaf, move in kinds if leaf.kind == "Select") == found


def chosen(players, start=TEAMS):
    """The numbers of players, as the sites that can be selected."""
    sites = f"{players} "
    text = GAME.format(start=start, sites="0").replace("(sites { 0 })", f"(sites ({sites}))")
    game = from_text(text)
    state = game.initial()
    kinds = [(game.coordinates.leaf(move), move) for move in state.legal(0)]
    return sorted(leaf.read(move, "from") for leaf, move in kinds if leaf.kind == "Select")


@pytest.mark.parametrize(
    ("players", "found"),
    [
        ("players Team1", [1, 3]),
        ("players Team2", [2, 4]),
        ("players Team2 if:(> (player) 2)", [4]),
        ("players Enemy", [2, 4]),
        ("players Enemy of:2", [3]),  # the mover is nobody's enemy
        ("players Friend", [1, 3]),
        ("players Ally", [3]),
        ("players NonMover", [0, 2, 3, 4]),
        ("players All", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_players_of_teams(players, found):
    assert chosen(players) == found


@pytest.mark.parametrize(
    ("players", "found"),
    [
        ("players Team3", [3]),
        ("players Team9", []),
        ("players Enemy", [2, 3, 4]),
        ("players Friend", [1]),
        ("players Ally", []),
        ("players Enemy of:3", [1, 2, 4]),
        ("players Enemy of:7", []),
    ],
)
def test_without_teams_everybody_plays_alone(players, found):
    assert chosen(players, "") == found


# Loops over teams

UNEVEN = "(start { (set Team 1 { P1 P3 P4 }) (set Team 2 { P2 }) %s })"


def read(game, state, name):
    """The sites that moves tell, and what stands where after each."""
    layout = game.compiled.layout
    return [
        (
            game.coordinates.leaf(move).read(move, name),
            [site for site, what in enumerate(layout.state(bytearray(state.after(move).block)).what) if what],
        )
        for move in state.legal(0)
        if game.coordinates.leaf(move).kind != "Pass"
    ]


def test_a_region_for_each_team():
    assert in_region("(forEach Team (sites { (size Array (team)) }))", UNEVEN % "") == [1, 3]
    assert in_region("(forEach Team (sites { (size Array (team)) }))", "") == [1]
    assert in_region("(forEach Team (sites (team)))", UNEVEN % "") == [1, 2, 3, 4]


def in_region(region, start):
    for way in ("native", "python"):
        with using(way):
            game = from_text(GAME.format(start=start, sites="0").replace("(sites { 0 })", region))
            found = [site for site, _ in read(game, game.initial(), "from")]
    return found


def test_moves_and_pieces_for_each_team():
    placed = '(forEach Team (place "Man1" (sites { (+ 10 (size Array (team))) })))'
    add = "(add (piece (mover)) (to (site)))"
    play = f"(forEach Team (move Add (to (sites {{ 0 }}) (apply (forEach Site (sites (team)) {add})))))"
    text = GAME.format(start=UNEVEN % placed, sites="0").replace("(move Select (from (sites { 0 })))", play)
    for way in ("native", "python"):
        with using(way):
            game = from_text(text)
            assert read(game, game.initial(), "team") == [(1, [0, 1, 3, 4, 11, 13]), (2, [0, 2, 11, 13])]
