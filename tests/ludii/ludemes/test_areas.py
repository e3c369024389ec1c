"""Groups one after the other, and areas."""

from tests.ludii.ludemes.small import holds, made, selected, worth

GROUPS = ("Man1", [0, 1, 2, 12]), ("Man2", [4, 9])


def test_sizes_of_groups():
    assert worth("(max (sizes Group Orthogonal P1))", *GROUPS) == 3
    assert worth("(size Array (sizes Group Orthogonal))", *GROUPS) == 3
    assert worth("(size Array (sizes Group Orthogonal P1 min:2))", *GROUPS) == 1


def test_a_rule_is_asked_of_each_group():
    assert holds("(all Groups Orthogonal if:(>= (count Sites in:(sites)) 1))", *GROUPS)
    assert not holds("(all Groups Orthogonal if:(>= (count Sites in:(sites)) 2))", *GROUPS)


def test_moves_of_each_group():
    play = "(forEach Group Orthogonal (if (> (count Sites in:(sites)) 1) (move Remove (sites))))"
    game = made(play, *GROUPS)
    state = game.initial()
    assert len(state.legal(state.movers[0])) == 3


def test_territory_touches_one_player_alone():
    wall = ("Man1", [2, 7, 12, 17, 22]), ("Man2", [24])
    assert worth("(size Territory P1 Orthogonal)", *wall) == 10
    assert worth("(size Territory P2 Orthogonal)", *wall) == 0


def test_sites_without_anything_are_empty_outside_of_groups():
    assert selected("(sites)", *GROUPS) == []


def test_steps_of_a_rule_lead_away_from_where_they_begin():
    step = "(sites Distance (step Orthogonal (to if:(is Mover (who at:(to))))) from:{} {})"
    men = ("Man1", [0, 1, 2, 7])
    assert selected(step.format(0, "(min 0)"), men) == [1, 2, 7]
    assert selected(step.format(0, "(exact 0)"), men) == [1]
    assert selected(step.format(0, "(exact 2)"), men) == [2]
