"""Exclusive groups of facts: what is proved holds, what is false is not proved, and the bundled games have boards."""

import pytest

from ludarium import library
from ludarium.core import Rng
from ludarium.gdl.facts.boards import boards
from ludarium.gdl.facts.candidates import candidates
from ludarium.gdl.facts.groups import TOO_LARGE, Standing, prove
from ludarium.gdl.facts.induction import Claim, Induction
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.text.reader import parse
from tests.gdl.traces import traces

MARKS = """
(role x) (role o) (init (control x)) (init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b))
(other x o) (other o x)
(<= (legal ?p (mark ?c)) (true (control ?p)) (true (cell ?c b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?c ?p)) (does ?p (mark ?c)))
(<= (next (cell ?c ?v)) (true (cell ?c ?v)) (not (marked ?c)))
(<= (marked ?c) (does ?p (mark ?c)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= open (true (cell ?c b)))
(<= terminal (not open))
(<= (goal ?p 50) (role ?p))
"""
"""Three cells in a row, marked in turn."""

SLEEPER = """
(role p) (init (n 0)) (init (lamp off))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(<= (legal p go) (true (n ?n)))
(<= (legal p back) (true (n ?n)))
(<= (next (n ?b)) (does p go) (true (n ?a)) (succ ?a ?b))
(<= (next (n 0)) (does p back))
(<= (next (lamp off)) (true (lamp off)))
(<= (next (lamp on)) (true (n 9)))
(<= terminal (true (n 10)))
(<= (goal p 100) (true (n 10)))
(<= (goal p 0) (not (true (n 10))))
"""
"""A lamp that is on as well as off, but only after ten steps without a step back: a random playout hardly gets there."""

PIECES = """
(role p) (init (here 1)) (init (gone 2)) (init (here 3)) (init (mode day))
(piece 1) (piece 2) (piece 3) (flip day night) (flip night day)
(<= (legal p (move ?x)) (piece ?x))
(<= (next (here ?x)) (true (gone ?x)) (does p (move ?x)))
(<= (next (gone ?x)) (true (here ?x)) (does p (move ?x)))
(<= (next (here ?x)) (true (here ?x)) (not (does p (move ?x))))
(<= (next (gone ?x)) (true (gone ?x)) (not (does p (move ?x))))
(<= (next (mode ?b)) (true (mode ?a)) (flip ?a ?b))
(<= terminal (true (gone 1)) (true (gone 2)) (true (gone 3)))
(<= (goal p 100))
"""
"""Each piece is here or gone: two relations make up a group."""


def made(text):
    return GdlGame("test", parse(text))


def found(text):
    return {frozenset(group.facts): group for group in made(text).groups.groups}


def shown(*facts):
    return frozenset(facts)


def test_a_cell_has_one_content_and_one_role_has_the_turn():
    groups = found(MARKS)
    expected = [shown(f"(cell {c} b)", f"(cell {c} o)", f"(cell {c} x)") for c in (1, 2, 3)]
    for facts in [*expected, shown("(control o)", "(control x)")]:
        assert groups[facts].exact
        assert groups[facts].reason == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(not (marked ?c))", "(role x)"),  # a cell keeps what it had when it is marked
        ("(true (control ?p)) (true (cell ?c b))", "(true (cell ?c b)) (role ?p)"),  # both mark one cell
        ("(<= (marked ?c) (does ?p (mark ?c)))", "(<= (marked ?c) (does x (mark ?c)))"),
    ],
)
def test_a_broken_rule_is_not_proved(old, new):
    assert old in MARKS
    for facts, group in found(MARKS.replace(old, new)).items():
        if any("cell" in fact for fact in facts) and len({fact.split()[1] for fact in facts}) == 1:
            assert group.exclusive is not Standing.PROVED


def test_what_playouts_do_not_refute_is_observed_and_not_proved():
    game = made(SLEEPER)
    lamp = next(group for group in game.groups.groups if "(lamp on)" in group.facts)
    assert lamp.exclusive is Standing.OBSERVED
    assert lamp.reason
    counter = next(group for group in game.groups.groups if "(n 0)" in group.facts)
    assert counter.exclusive is Standing.PROVED


def test_relations_are_taken_together():
    groups = found(PIECES)
    for piece in (1, 2, 3):
        assert groups[shown(f"(here {piece})", f"(gone {piece})")].exact
    assert groups[shown("(mode day)", "(mode night)")].exact


def test_a_claim_that_is_false_at_first_is_not_proved():
    net = made(MARKS).network
    cells = tuple(k for k, fact in enumerate(net.facts) if fact.endswith(" b)"))
    induction = Induction(net, 10**8)
    induction.prove([Claim(cells, least=False)], 10**8)
    assert not induction.proved


def test_claims_that_need_each_other_are_proved_together_or_not_at_all():
    net = made(MARKS).network
    place = {fact: k for k, fact in enumerate(net.facts)}
    turn = Claim((place["(control o)"], place["(control x)"]), least=False)
    cell = Claim(tuple(sorted(place[f"(cell 1 {v})"] for v in "box")), least=False)
    alone, both = Induction(net, 10**8), Induction(net, 10**8)
    alone.prove([cell], 10**8)
    both.prove([cell, turn], 10**8)
    assert list(alone.proved) == []  # two roles with the turn could mark one cell
    assert set(both.proved) == {cell, turn}


def test_without_work_nothing_is_proved():
    net = made(MARKS).network
    game = made(MARKS)
    states = [sum(1 << k for k, holds in enumerate(net.initial) if holds)]
    groups = prove(game.network, candidates(net.facts, states), work=0)
    assert groups.groups
    assert not groups.claims
    assert all(group.exclusive is Standing.OBSERVED and group.reason for group in groups.groups)


def test_nothing_is_proved_about_a_large_network(monkeypatch):
    monkeypatch.setattr("ludarium.gdl.facts.groups.MAX_GATES", 5)
    groups = found(MARKS)
    assert {group.reason for group in groups.values()} == {TOO_LARGE}
    assert {group.exclusive for group in groups.values()} == {Standing.OBSERVED}


def test_the_same_game_has_the_same_groups():
    assert made(MARKS).groups == made(MARKS).groups
    assert made(SLEEPER).groups == made(SLEEPER).groups


BOARDS = {
    "tic-tac-toe": (3, 3, 9),
    "connect-four": (7, 6, 42),
    "breakthrough": (8, 8, 64),
    "checkers": (8, 8, 32),
    "eight-puzzle": (3, 3, 9),
    "reversi": (8, 8, 64),
}


@pytest.mark.parametrize("name", BOARDS)
def test_the_cells_of_bundled_games_are_proved(name):
    board = boards(load(library.path(name)).groups.groups)[0]
    assert (len(board.columns), len(board.rows), len(board.cells)) == BOARDS[name]
    assert board.standing is Standing.PROVED
    assert board.full
    assert board.columns[0] == "1"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hnefatafl-5x5", "hnefatafl", "chess"])
def test_the_cells_of_large_games_are_proved_or_observed_with_a_reason(name):
    groups = load(library.path(name)).groups.groups
    board = boards(groups)[0]
    assert len(board.cells) == {"hnefatafl-5x5": 25, "hnefatafl": 169, "chess": 64}[name]
    for group in groups:
        assert group.reason or group.exclusive is Standing.PROVED
        assert not any(" known" in fact or " insert" in fact for fact in group.facts)


@pytest.mark.parametrize("name", ["tic-tac-toe", "breakthrough", "nim", "meier", "tron", "hnefatafl-5x5"])
def test_what_is_proved_holds_in_random_playouts(name):
    check_claims(load(library.path(name)), range(100, 105), 200)


def check_claims(game, seeds, plies):
    width = 8 * -(-len(game.network.facts) // 64)
    for seed in seeds:
        rng = Rng(seed)
        state = game.initial(rng)
        for _ in range(plies):
            assert broken(game, state.block[:width]) == []
            if state.over:
                break
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)


def broken(game, block):
    """Claims that a state breaks."""
    facts = int.from_bytes(block, "little")
    wrong = []
    for claim in game.groups.claims:
        held = sum(facts >> fact & 1 for fact in claim.facts)
        if held < 1 if claim.least else held > 1:
            wrong.append([game.network.facts[fact] for fact in claim.facts])
    return wrong


def pytest_generate_tests(metafunc):
    if "corpus_name" in metafunc.fixturenames:
        folder = metafunc.config.getoption("rule_files")
        names = sorted(path.stem for path in (folder / "traces").glob("*.jsonl")) if folder else []
        metafunc.parametrize("corpus_name", names)


SMALL = 10_000  # gates


@pytest.mark.corpus
@pytest.mark.slow
def test_what_is_proved_holds_in_the_recorded_playouts(corpus_name, corpus):
    game = load(corpus / "games" / f"{corpus_name}.kif", chance=False)
    if not isinstance(game, GdlGame) or game.network.size > SMALL:
        pytest.skip("too large for proofs that are worth a test")
    width = 8 * -(-len(game.network.facts) // 64)
    totals = set()
    for trace in traces(corpus, corpus_name):
        state = game.initial()
        for ply, step in enumerate(trace["steps"]):
            assert broken(game, state.block[:width]) == []
            assert not game.traits.turn_taking or len(state.movers) <= 1
            assert game.traits.max_plies is None or ply < game.traits.max_plies
            wanted = {role: step["move"][role].lower() for role in state.movers}
            joint = {r: next(m for m in state.legal(r) if game.text(m).lower() == w) for r, w in wanted.items()}
            state = state.after(joint)
        assert broken(game, state.block[:width]) == []
        if state.over and game.traits.constant_sum:
            totals.add(round(sum(state.utilities()), 9))
    assert len(totals) <= 1
