"""Captures by what stands around."""

import pytest

from tests.ludii.ludemes.small import after, made, standing

TAKE = "(move Add (to (sites {%s})) (then %s))"
ENEMY = "(between if:(is Enemy (who at:(between))) (apply (remove (between))))"
FRIEND = "(to if:(is Friend (who at:(to))))"


def test_a_group_without_free_neighbours_is_enclosed():
    play = TAKE % (11, f"(enclose (from (last To)) Orthogonal {ENEMY})")
    group = ("Man2", [6, 7]), ("Man1", [1, 2, 5, 12])
    assert set(after(play, *group, ("Man1", [8]))) == {1, 2, 5, 8, 11, 12}
    assert set(after(play, *group)) == {1, 2, 5, 6, 7, 11, 12}  # 8 is free


def test_free_neighbours_may_be_allowed():
    play = TAKE % (11, f"(enclose (from (last To)) Orthogonal {ENEMY} numException:1)")
    assert set(after(play, ("Man2", [6, 7]), ("Man1", [1, 2, 5, 12, 13, 3, 9]))) == {1, 2, 3, 5, 9, 11, 12, 13}


def test_a_piece_is_surrounded_by_friends_alone():
    play = TAKE % (7, f"(surround (from (last To)) Orthogonal {ENEMY} {FRIEND})")
    around = ("Man2", [6]), ("Man1", [1, 5])
    assert 6 not in after(play, *around, ("Man1", [11]))
    assert 6 in after(play, *around)
    assert 6 not in after(play.replace("surround", "surround").replace(FRIEND, f"{FRIEND} except:1"), *around)


def test_surrounding_may_need_a_kind_of_piece():
    play = TAKE % (7, f'(surround (from (last To)) Orthogonal {ENEMY} {FRIEND} with:(piece "Rook1"))')
    assert 6 in after(play, ("Man2", [6]), ("Man1", [1, 5, 11]))
    assert 6 not in after(play, ("Man2", [6]), ("Man1", [1, 5]), ("Rook1", [11]))


def test_all_in_a_direction_are_taken_until_one_does_not_fit():
    effect = "(directional (from (last To)) E (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"
    assert set(after(TAKE % (5, effect), ("Man1", [20]), ("Man2", [6, 7, 9]))) == {5, 9, 20}


ENCLOSE = """(move Add (to (sites Empty)) (then (enclose (from (last To)) Orthogonal
    (between if:(is Empty (between)) (apply (add (piece "Wall0") (to (between))))))))"""


def filled(sites, last):
    game = made(ENCLOSE, ("Man1", sites), ("Man2", [24]))
    state = game.initial()
    move = next(each for each in state.legal(0) if game.text(each) == f"add {last}")
    return sorted(site for site, name in standing(game, state.after(move)).items() if name == "Wall0")


def test_empty_sites_are_enclosed_by_a_chain():
    """The corner behind b1 and a2 is enclosed by two men who touch at their corners; what is open is not."""
    assert filled([1], "a2") == [0]
    assert filled([1], "a3") == []


def test_captures_without_conditions_take_numbers_of_sites_for_those_of_players():
    """As in Ludii: of the first player, only 1 is a friend, and 0 is nobody."""
    around = "(surround (from (last To)) Orthogonal)"
    assert set(after(TAKE % (0, around), ("Man2", [1, 5, 10, 6]), ("Man1", [2, 20]))) == {0, 1, 2, 5, 6, 10, 20}
    assert set(after(TAKE % (1, f"{around[:-1]} except:9)"), ("Man2", [2, 6]), ("Man1", [0, 20]))) == {0, 1, 20}
    group = ("Man2", [6, 7]), ("Man1", [2, 5, 8, 12, 20])
    assert set(after(TAKE % (11, "(enclose (from (last To)) Orthogonal)"), *group)) == {6, 7, 2, 5, 8, 11, 12, 20}
    assert set(after(TAKE % (11, "(enclose (from (last To)) Orthogonal)"), *group, ("Man1", [0, 1]))) == {0, 1}


@pytest.mark.parametrize("sites", ["", "Cell"])
def test_the_usual_type_of_sites_may_be_named(sites):
    play = TAKE % (11, f"(enclose {sites} (from {sites} (last To)) Orthogonal {ENEMY})")
    assert set(after(play, ("Man2", [6]), ("Man1", [1, 5, 7]))) == {1, 5, 7, 11}
    play = TAKE % (7, f"(surround (from {sites} (last To)) Orthogonal {ENEMY} {FRIEND})")
    assert 6 not in after(play, ("Man2", [6]), ("Man1", [1, 5, 11]))


def test_several_on_both_sides_are_taken_if_there_are_as_many():
    enemy = "(to if:(is Enemy (who at:(to))) (apply (remove (to))))"
    play = TAKE % (12, f"(intervene (from (last To)) Orthogonal (between (range 1 2)) {enemy})")
    men = ("Man2", [10, 11, 13, 17]), ("Man1", [0])
    assert set(after(play, *men)) == {0, 12, 17}
    assert set(after(play.replace("range 1 2", "exact 2"), *men)) == {0, 10, 11, 12, 13, 17}
    assert set(after(play.replace("range 1 2", "exact 2"), *men, ("Man2", [14]))) == {0, 12, 17}
    assert set(after(play.replace("range 1 2", "max 1"), *men)) == {0, 10, 12, 17}


def test_a_row_is_taken_in_the_direction_of_the_move():
    take = "(directional (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"
    play = f"(move Step (from 10) E (to if:True) (then {take}))"
    assert set(after(play, ("Man1", [10, 0]), ("Man2", [12, 13, 16]))) == {0, 11, 16}
    assert set(
        after(
            play.replace("(to if:(is Enemy (who at:(to))) (apply (remove (to))))", ""),
            ("Man1", [10, 0]),
            ("Man2", [12]),
        )
    ) == {0, 11, 12}
