"""What lies beside the board, and which sites it has."""

from tests.ludii.board.boards import equipment


def _listed(topology):
    return [(each.name, each.first, each.count, each.owner) for each in topology.containers]


def test_hands_come_before_dice_whatever_the_order_of_the_text():
    found = equipment("(dice num:2) (hand P2 size:4) (board (square 3)) (hand P1)")
    assert _listed(found) == [("Board", 0, 9, 0), ("Hand2", 9, 4, 2), ("Hand1", 13, 1, 1), ("Dice0", 14, 2, 0)]
    assert [each.kind for each in found.containers] == ["board", "hand", "hand", "dice"]


def test_sites_beside_a_board_of_points_begin_behind_its_cells_if_these_are_more():
    found = equipment("(board (square 3 diagonals:Solid) use:Vertex) (hand Shared)")
    assert (found.vertices.count, found.cells.count) == (13, 16)
    assert _listed(found)[1] == ("Hand0", 16, 1, 0)
    few = equipment("(board (square 3) use:Edge) (hand Each)")
    assert [first for _, first, _, _ in _listed(few)] == [0, 12, 13]


def test_dice_show_what_they_are_told_to():
    assert equipment("(board (square 3)) (dice d:4 num:2)").containers[1].faces == ((1, 2, 3, 4),) * 2
    assert equipment("(board (square 3)) (dice d:2 from:0 num:1)").containers[1].faces == ((0, 1),)
    assert equipment("(board (square 3)) (dice faces:{0 5} num:2)").containers[1].faces == ((0, 5),) * 2
    assert equipment("(board (square 3)) (dice facesByDie:{{1 2} {3 4}} num:2)").containers[1].faces == ((1, 2), (3, 4))
    assert equipment("(board (square 3)) (dice d:2 num:1 biased:{3 1})").containers[1].biased == ((3, 1),)
    assert equipment("(board (square 3)) (dice num:1)").containers[1].biased == ((),)


def test_dice_of_one_owner_lie_together():
    found = equipment("(board (square 3)) (dice num:2) (dice P1 num:1) (dice d:2 num:3)")
    assert _listed(found)[1:] == [("Dice0", 9, 5, 0), ("Dice1", 14, 1, 1)]
    assert found.containers[1].faces == (tuple(range(1, 7)),) * 2 + ((1, 2),) * 3
    assert len(found.containers[1].items) == 2


def test_a_deck_has_one_site():
    assert _listed(equipment("(board (square 3)) (deck) (hand Each)"))[1] == ("Deck0", 9, 1, 0)
