"""Tracks: as numbers, as directions, as loops of a Surakarta board."""

import pytest

from ludarium.core.problems import RulesError
from ludarium.ludii.board.tracks import OFF, track
from tests.ludii.board.boards import board, equipment


def test_elements_know_what_comes_before_and_behind():
    way = track("T", [4, 7, 2])
    assert (way.next, way.previous) == ((7, 2, -1), (-1, 4, 7))
    assert (way.next_index, way.previous_index) == ((1, 2, -1), (-1, 0, 1))
    ring = track("T", [4, 7, 2], loop=True)
    assert (ring.next, ring.previous) == ((7, 2, 4), (2, 4, 7))


def test_a_directed_track_has_no_way_back_but_at_its_ends():
    way = track("T", [4, 7, 2, OFF], directed=True)
    assert way.previous == (-1, -1, -1, 2)
    assert track("T", [4, 7, 2], loop=True, directed=True).previous == (2, -1, 7)


def test_sites_that_come_again_at_once_are_bumps_and_later_ones_loops():
    way = track("T", [1, 1, 1, 2, 2, 3])
    assert (way.sites, way.bumps, way.internal_loop) == ((1, 2, 3), (2, 1, 0), False)
    assert track("T", [1, 2, 1]).internal_loop
    assert not track("T", [1, 1, 2, 1]).internal_loop


def test_a_track_follows_directions_all_the_way_or_so_many_steps():
    tracks = '{(track "Rim" "0,E,N,W" loop:True) (track "Way" "0,E2,8,End" P2 directed:True)}'
    rim, way = board("(square 3)", tracks=tracks).tracks
    assert rim.sites == (0, 1, 2, 5, 8, 7, 6)
    assert (rim.name, rim.owner, rim.loop, rim.directed) == ("Rim", 0, True, False)
    assert way.sites == (0, 1, 2, 8, OFF)
    assert (way.owner, way.directed) == (2, True)


def test_a_track_may_leave_the_board_for_a_hand():
    found = equipment('(board (square 3) (track "T" {9 0 1 End} 1)) (hand P1)')
    assert found.tracks[0].sites == (9, 0, 1, OFF)
    assert found.tracks[0].owner == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("E,N", "a track begins with the number of a site, not with 'E'"),
        ("0,Q", "a track cannot go on with 'Q'\n  directions on this board are N NE E SE S SW W NW"),
        ("0,99,E", "a track cannot go E from 99"),
        ("0,1-2", "a track cannot go on with '1-2'"),
        ("0", "a track leads to at least two sites"),
    ],
)
def test_a_track_that_leads_nowhere_is_refused_at_its_place(text, message):
    with pytest.raises(RulesError) as error:
        board("(square 3)", tracks=f'(track "T" "{text}")')
    assert str(error.value).startswith("toy.lud:1:")
    assert message in str(error.value)


def test_the_loops_of_a_surakarta_board_leave_it_at_corners():
    found = equipment("(surakartaBoard (square 6) loops:2)").tracks
    assert [each.name for each in found] == ["Track1F", "Track1B", "Track2F", "Track2B"]
    first = found[0]
    assert first.sites[:6] == (6, 7, 8, 9, 10, 11)
    assert first.sites[6:12] == (4, 10, 16, 22, 28, 34)
    assert first.bumps[5] == 1
    assert sum(first.bumps) == 4
    assert first.loop
    assert len(equipment("(surakartaBoard (square 6))").tracks) == 4
    assert len(equipment("(surakartaBoard (tri 7))").tracks) == 6


def test_a_surakarta_board_needs_squares_or_triangles():
    with pytest.raises(RulesError, match="has squares or triangles"):
        equipment("(surakartaBoard (hex 3))")
