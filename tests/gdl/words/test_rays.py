"""Gates that continue each other on words: rays go along by shifts, however they are written; counts wait for what holds."""

from array import array
from random import Random

import pytest

from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.network.network import Network
from ludarium.gdl.text.reader import parse
from ludarium.gdl.words import source
from ludarium.gdl.words.tallies import counting, tables, tally
from ludarium.gdl.words.words import WordCircuit
from ludarium.library import path
from tests.gdl.test_game import lockstep
from tests.gdl.words.test_words import compare

BOARD = """
(role black) (role white) (other black white) (other white black) (init (control black))
(index 1) (index 2) (index 3) (index 4) (index 5) (index 6) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
(after 5 6)
(<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (begun ?x ?y)))
(begun 3 3) (begun 3 4) (begun 4 3) (begun 4 4)
(init (cell 3 3 white)) (init (cell 4 4 white)) (init (cell 3 4 black)) (init (cell 4 3 black))
(<= (step ?x ?y e ?u ?y) (after ?x ?u) (index ?y)) (<= (step ?x ?y w ?u ?y) (after ?u ?x) (index ?y))
(<= (step ?x ?y s ?x ?v) (after ?y ?v) (index ?x)) (<= (step ?x ?y n ?x ?v) (after ?v ?y) (index ?x))
(<= (step ?x ?y se ?u ?v) (after ?x ?u) (after ?y ?v)) (<= (step ?x ?y nw ?u ?v) (after ?u ?x) (after ?v ?y))
(<= (mobile ?p) (encloses ?p ?x ?y))
(<= (legal ?p (put ?x ?y)) (true (control ?p)) (encloses ?p ?x ?y))
(<= (legal ?p pass) (true (control ?p)) (not (mobile ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= (next (cell ?x ?y ?p)) (does ?p (put ?x ?y)))
(<= (next (cell ?x ?y ?p)) (true (control ?p)) (turned ?x ?y ?d))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (not (changed ?x ?y)))
(<= (changed ?x ?y) (does ?p (put ?x ?y))) (<= (changed ?x ?y) (turned ?x ?y ?d))
(<= terminal (not (mobile black)) (not (mobile white)))
"""
FROM_BEHIND = """
(<= (run ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (other ?p ?q) (true (cell ?x ?y ?q)) (true (cell ?u ?v ?p)))
(<= (run ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (other ?p ?q) (true (cell ?x ?y ?q)) (run ?p ?u ?v ?d))
(<= (encloses ?p ?x ?y) (true (cell ?x ?y b)) (step ?x ?y ?d ?u ?v) (run ?p ?u ?v ?d))
(<= (turned ?u ?v ?d) (does ?p (put ?x ?y)) (step ?x ?y ?d ?u ?v) (run ?p ?u ?v ?d))
(<= (turned ?u ?v ?d) (turned ?x ?y ?d) (step ?x ?y ?d ?u ?v) (true (control ?p)) (run ?p ?u ?v ?d))
"""
FROM_BEFORE = """
(<= (meets ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v ?p)))
(<= (meets ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (other ?p ?q) (true (cell ?u ?v ?q)) (meets ?p ?u ?v ?d))
(<= (hit ?p ?x ?y ?d) (other ?p ?q) (true (cell ?x ?y ?q)) (meets ?p ?x ?y ?d))
(<= (encloses ?p ?x ?y) (true (cell ?x ?y b)) (step ?x ?y ?d ?u ?v) (hit ?p ?u ?v ?d))
(<= (turned ?u ?v ?d) (does ?p (put ?x ?y)) (step ?x ?y ?d ?u ?v) (hit ?p ?u ?v ?d))
(<= (turned ?u ?v ?d) (turned ?x ?y ?d) (step ?x ?y ?d ?u ?v) (true (control ?p)) (hit ?p ?u ?v ?d))
"""
EITHER_COLOUR = """
(<= (ends ?x ?y ?d) (true (cell ?x ?y ?p)) (other ?p ?q) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v ?q)))
(<= (ends ?x ?y ?d) (true (cell ?x ?y ?p)) (role ?p) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v ?p)) (ends ?u ?v ?d))
(<= (encloses ?p ?x ?y) (true (cell ?x ?y b)) (other ?p ?q) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v ?q)) (ends ?u ?v ?d))
(<= (turned ?u ?v ?d) (does ?p (put ?x ?y)) (other ?p ?q) (step ?x ?y ?d ?u ?v) (ends ?u ?v ?d) (true (cell ?u ?v ?q)))
(<= (turned ?u ?v ?d) (turned ?x ?y ?d) (step ?x ?y ?d ?u ?v) (ends ?u ?v ?d) (true (control ?p)) (other ?p ?q)
    (true (cell ?u ?v ?q)))
"""
COUNT = """
(<= (more ?m ?n) (after ?m ?n)) (more 0 1) (more 6 7) (more 7 8) (more 8 9) (more 9 10) (more 10 11)
(<= (line ?x 0 0) (index ?x))
(<= (line ?x ?v ?n) (line ?x ?y ?n) (more ?y ?v) (index ?v) (not (true (cell ?x ?v black))))
(<= (line ?x ?v ?n) (line ?x ?y ?m) (more ?y ?v) (index ?v) (more ?m ?n) (true (cell ?x ?v black)))
(<= (full ?x) (line ?x 6 ?n) (after 2 ?n)) (<= (full ?x) (line ?x 6 ?n) (after 3 ?n)) (<= (full ?x) (line ?x 6 5))
(<= (goal black 100) (full ?x)) (<= (goal black 0) (not held)) (<= held (full ?x)) (<= (goal white 50) (index 1))
"""
PLAIN = "(<= (goal ?p 50) (role ?p))"
WRITTEN = {"from behind": FROM_BEHIND, "from before": FROM_BEFORE, "either colour": EITHER_COLOUR}


BY_MOVES = """
(<= (run ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (other ?p ?q) (true (cell ?x ?y ?q)) (true (cell ?u ?v ?p)))
(<= (run ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (other ?p ?q) (true (cell ?x ?y ?q)) (run ?p ?u ?v ?d))
(<= (encloses ?p ?x ?y) (true (cell ?x ?y b)) (step ?x ?y ?d ?u ?v) (run ?p ?u ?v ?d))
(<= (turn ?p ?u ?v ?d) (does ?p (put ?x ?y)) (step ?x ?y ?d ?u ?v) (run ?p ?u ?v ?d))
(<= (turn ?p ?u ?v ?d) (turn ?p ?x ?y ?d) (step ?x ?y ?d ?u ?v) (far ?p) (run ?p ?u ?v ?d))
(<= (turned ?x ?y ?d) (turn ?p ?x ?y ?d))
(<= (far ?p) (does ?p (put 1 ?y))) (<= (far ?p) (does ?p (put 6 ?y)))
"""


def test_a_ray_that_begins_and_goes_on_by_different_moves_is_played_as_its_rules_say():
    game = made(BY_MOVES)
    assert " |= way" in game.words.text
    lockstep("ray", parse(BOARD + BY_MOVES + PLAIN), game, 5, 25)


def made(rules, goals=PLAIN):
    return GdlGame("ray", parse(BOARD + rules + goals))


def rays_of(game):
    net = game.network
    circuit = WordCircuit(net)
    circuit.find_rays(circuit.needed([*net.next, net.terminal, *(x for moves in net.moves for x in moves.gates)]))
    return circuit.rays.rays


@pytest.mark.parametrize("way", ["native", "check", "python"])
@pytest.mark.parametrize("rules", WRITTEN.values(), ids=WRITTEN)
def test_rays_play_what_gates_play(rules, way):
    game = made(rules)
    assert game.words
    assert " |= way" in game.words.text
    compare(game, way, 6 if way == "native" else 1, 30 if way == "native" else 12)


@pytest.mark.parametrize("rules", WRITTEN.values(), ids=WRITTEN)
def test_rays_mean_what_the_rules_say(rules):
    parsed = parse(BOARD + rules + PLAIN)
    game = GdlGame("ray", parsed)
    assert lockstep("ray", parsed, game, 3, 25) > 5
    assert game.words


def test_rays_go_on_from_word_to_word():
    larger = "(index 7) (index 8) (index 9) (after 6 7) (after 7 8) (after 8 9)"
    game = made(FROM_BEHIND + larger)
    assert " |= way" in game.words.text
    compare(game, "native", 3, 40)


def test_a_ray_is_a_chain_of_shifts_and_no_loop():
    game = made(FROM_BEHIND)
    steps = [line.strip() for line in game.words.text.splitlines() if " |= way" in line]
    assert "while old" not in game.words.text
    assert {steps.count(line) % 3 for line in steps} == {0}  # of six cells on a line, four can be turned: three steps


def test_gates_that_share_a_place_are_no_ray():
    lengths = """(<= (free ?x ?y ?d 1) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v b)))
                 (<= (free ?x ?y ?d ?n) (after ?m ?n) (step ?x ?y ?d ?u ?v) (true (cell ?u ?v b)) (free ?u ?v ?d ?m))
                 (<= (turned ?x ?y ?d) (free ?x ?y ?d 4) (does ?p (put ?x ?y)))
                 (<= (encloses ?p ?x ?y) (role ?p) (true (cell ?x ?y b)) (free ?x ?y ?d ?n))"""
    assert not rays_of(made(lengths))


def test_rays_have_places_and_distances():
    found = rays_of(made(FROM_BEHIND))
    assert {ray.distance for ray in found} == {1, -1, 6, -6, 7, -7}
    assert {len(ray.places) for ray in found if abs(ray.distance) == 7} == {16}
    assert all(len(set(ray.places.values())) == len(ray.places) for ray in found)


@pytest.mark.parametrize("way", ["native", "check", "python"])
def test_counts_come_to_what_gates_come_to(way, monkeypatch):
    monkeypatch.setattr(source, "_MANY", 10)
    game = made(FROM_BEHIND, COUNT)
    assert "count_up(on, pending)" in game.words.text
    compare(game, way, 4 if way == "native" else 1, 30 if way == "native" else 12)


def test_counts_mean_what_the_rules_say(monkeypatch):
    monkeypatch.setattr(source, "_MANY", 10)
    parsed = parse(BOARD + FROM_BEHIND + COUNT)
    assert lockstep("count", parsed, GdlGame("count", parsed), 3, 30) > 5


@pytest.mark.parametrize("seed", range(20))
def test_what_waits_is_worked_out_as_if_all_were(seed):
    rng = Random(seed)
    net = Network([f"f{k}" for k in range(6)], [])
    for gate in range(6, 80):
        literals = sorted({2 * rng.randrange(gate) | rng.randrange(2) for _ in range(rng.randrange(1, 5))})
        net.inputs.append(tuple(literals))
        net.threshold.append(rng.choice([1, len(literals)]))
    net.lazy = 12
    holds = [bool(rng.randrange(2)) for _ in range(6)]
    for literals, threshold in zip(net.inputs, net.threshold, strict=True):
        holds.append(sum(holds[x >> 1] != bool(x & 1) for x in literals) >= threshold)
    found = tally(net, [158])
    on = array("Q", [0, 0])
    for gate, number in found.number.items():
        on[number >> 6] |= (holds[gate] and gate < net.lazy) << (number & 63)
    counting(tables(found))(on, array("Q", [0, 0]))
    assert all((on[number >> 6] >> (number & 63) & 1) == holds[gate] for gate, number in found.number.items())


def test_reversi_is_played_on_words():
    game = load(path("reversi"))
    assert game.words.operations < 1200
    assert "count_up" in game.words.text
