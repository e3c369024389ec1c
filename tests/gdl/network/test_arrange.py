"""Where facts and moves lie: on boards, in rows and in directions."""

import random
from itertools import product

from ludarium.gdl.network.arrange import GAP, _fewest, arrange, slots


def board(width, height, *contents):
    return [f"(cell {x} {y} {c})" for x in range(1, width + 1) for y in range(1, height + 1) for c in contents]


def test_facts_that_differ_in_coordinates_share_a_row():
    order = arrange([*board(8, 8, "b", "w"), "(control w)", "open"], [])
    assert [len(row.facts) for row in order.rows] == [64, 64]
    assert order.rows[0].facts[0] == "(cell 1 1 b)"
    assert order.rows[1].facts[8 * 2 + 4] == "(cell 3 5 w)"
    assert order.others == ["(control w)", "open"]
    assert sorted(order.facts) == sorted([*board(8, 8, "b", "w"), "(control w)", "open"])


def test_numbers_are_in_the_order_of_their_values():
    order = arrange([f"(step {n})" for n in range(1, 13)], [])
    assert list(order.rows[0].facts.values()) == [f"(step {n})" for n in range(1, 13)]


def test_a_coordinate_that_moves_name_alone_runs_fastest():
    order = arrange(board(7, 6, "b", "r"), [f"(drop {x})" for x in range(1, 8)])
    assert [order.rows[0].facts[bit] for bit in (0, 1, 7)] == ["(cell 1 1 b)", "(cell 2 1 b)", "(cell 1 2 b)"]


def test_relations_with_the_same_coordinates_share_a_board():
    order = arrange([*board(4, 4, "b", "w"), *(f"(walls {x} 2)" for x in range(1, 5))], [])
    assert [row.board for row in order.rows] == [0, 0, 0]
    assert list(order.rows[2].facts) == [1, 5, 9, 13]


def test_a_row_with_many_gaps_is_filled():
    dark = [text for text in board(8, 8, "b") if sum(map(int, text.split()[1:3])) % 2 == 0]
    order = arrange(dark, [])
    filled = list(order.rows[0].facts.values())
    assert len(filled) == 64
    assert [text for text in filled if not text.startswith(GAP)] == sorted(dark)
    assert len(set(filled)) == len(filled)


def test_moves_in_one_direction_share_a_word():
    order = arrange(board(8, 8, "b", "w"), [])
    steps = [(x, y, x + dx, y + 1) for x in range(1, 9) for y in range(1, 8) for dx in (-1, 0, 1) if 1 <= x + dx <= 8]
    names = [f"(move {x} {y} {x2} {y2})" for x, y, x2, y2 in steps]
    found = slots([*names, "noop"], order.boards)
    words = {slot.move: slot.bit // 64 for slot in found}
    assert len({words[f"(move 3 {y} 4 {y + 1})"] for y in range(1, 8)}) == 1
    assert len(set(words.values())) == 4
    assert words["noop"] == 3
    assert [slot.bit for slot in found] == sorted(slot.bit for slot in found)
    assert sorted(slot.move for slot in found) == sorted([*names, "noop"])


def test_slides_of_one_distance_in_one_direction_share_a_word():
    cells = [(x, y) for x in range(1, 10) for y in range(1, 10)]
    slides = [(a, b) for a in cells for b in cells if a != b and (a[0] == b[0] or a[1] == b[1])]
    names = [f"(move {x} {y} {x2} {y2})" for (x, y), (x2, y2) in slides]
    found = slots(names, arrange(board(9, 9, "b", "w"), names).boards)
    assert found[-1].bit // 64 + 1 == 4 * 8 * 2  # directions, distances, and words of 81 cells
    words = {slot.move: slot.first for slot in found}
    assert words["(move 1 2 4 2)"] == words["(move 6 9 9 9)"] != words["(move 1 2 5 2)"]


def test_what_moves_name_is_a_coordinate():
    pieces = [f"p{k}" for k in range(12)]
    moves = [f"(move {x} {y} {y} {x})" for x in range(1, 6) for y in range(1, 6)]
    order = arrange(board(5, 5, *pieces), moves)
    assert [row.facts[7] for row in order.rows[:2]] == ["(cell 2 3 p0)", "(cell 2 3 p1)"]
    assert len(arrange(board(5, 5, *pieces), []).rows) == 5  # a row of 60 takes fewer words


def test_moves_without_a_place_stand_in_the_order_of_their_names():
    found = slots(["(drop 2)", "(drop 1)", "noop"], arrange(board(7, 6, "b"), []).boards)
    assert [(slot.bit, slot.move) for slot in found] == [(0, "(drop 1)"), (1, "(drop 2)"), (2, "noop")]


def test_facts_that_look_the_same_without_their_parentheses_all_have_places():
    facts = [f"(at (p {n}) q)" for n in range(5)] + [f"(at p ({n} q))" for n in range(5)]
    assert sorted(arrange(facts, []).facts) == sorted(facts)


def test_very_many_facts_are_left_as_they_are():
    facts = [f"(cell {n} {n})" for n in range(12000)]
    order = arrange(facts, [])
    assert (order.rows, order.facts) == ([], sorted(facts))


def test_a_long_count_is_one_row():
    order = arrange([f"(turn {n})" for n in range(1, 502)], [])
    assert [len(row.facts) for row in order.rows] == [501]


class Looked(list):
    """A column that counts how often it is gone through."""

    times = 0

    def __iter__(self):
        Looked.times += 1
        return super().__iter__()


def test_the_fewest_ways_to_tell_moves_apart_are_the_first_of_all_that_there_are():
    for seed in range(200):
        rng = random.Random(seed)
        rows, most = rng.randint(1, 12), rng.randint(0, 9)
        columns = [
            [[rng.choice("abcd") for _ in range(rows)] for _ in range(rng.randint(1, 3))]
            for _ in range(rng.randint(1, 4))
        ]
        counted = [(len(set(zip(*way, strict=True))), list(way)) for way in product(*columns)]
        least = min(count for count, _ in counted)
        expected = next(way for count, way in counted if count == least) if least <= most else None
        assert _fewest([[(column, len(set(column))) for column in way] for way in columns], most) == expected


def test_ways_that_begin_with_too_much_to_tell_are_not_gone_on_with():
    one, other, alike = list(map(str, range(50))), Looked(f"{k % 7}" for k in range(50)), Looked("x" * 50)
    assert _fewest([[(one, 9)], [(other, 7)], *[[(alike, 1)] * 3] * 12], 9) is None  # 3 ** 12 ways
    assert Looked.times == 1
