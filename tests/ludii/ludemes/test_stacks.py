"""Levels of stacks."""

from tests.ludii.ludemes.small import selected, worth

STACK = '(place Stack items:{"Man1" "Rook1" "Man1" "Man2"} 6)'


def test_the_level_of_a_piece():
    assert worth('(where Level "Man" P1 at:6)', start=STACK) == 2
    assert worth('(where Level "Man" P1 at:6 fromTop:False)', start=STACK) == 0
    assert worth('(where Level (id "Rook" P1) at:6)', start=STACK) == 1


def test_levels_are_counted_until_one_stops_it():
    own = "(= (who at:(to) level:(level)) P1)"
    assert worth(f"(count Stack at:6 if:{own})", start=STACK) == 3
    assert worth(f"(count Stack FromTop at:6 stop:{own})", start=STACK) == 1


def test_levels_where_something_holds():
    assert selected("(forEach Level at:6 if:(= (who at:6 level:(level)) P1))", start=STACK) == [0, 1, 2]


def test_sites_by_the_state_of_their_pieces():
    start = '(place "Man1" {3 8} state:2)'
    assert selected("(sites State 2)", start=start) == [3, 8]
    assert 3 not in selected("(sites State 0)", start=start)
