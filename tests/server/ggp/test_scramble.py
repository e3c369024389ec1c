from ludarium import catalog
from ludarium.core import Rng
from ludarium.gdl.game import from_rules
from ludarium.gdl.text.reader import parse
from ludarium.gdl.text.writer import prefix
from ludarium.server.ggp.scramble import Scrambler


def test_what_is_scrambled_comes_back_in_any_case():
    words = Scrambler(Rng(1))
    text = "(<= (legal ?player (mark 1 ?n)) (true (control ?player)) (not (true (cell 1 ?n x))))"
    hidden = words.hidden(text)
    assert words.shown(hidden) == text
    assert words.shown(hidden.upper()).lower() == text.lower()
    assert not {"mark", "control", "cell", "?player", "x"} & set(hidden.replace("(", " ").replace(")", " ").split())
    assert {"<=", "legal", "true", "not", "1"} <= set(hidden.replace("(", " ").replace(")", " ").split())


def test_words_of_nobody_pass_unchanged():
    assert Scrambler(Rng(1)).shown("(mark 1 1)") == "(mark 1 1)"


def test_scrambled_rules_are_the_same_game():
    clauses = catalog.game("kriegspiel-tic-tac-toe").clauses
    words = Scrambler(Rng(5))
    game, other = from_rules("plain", clauses), from_rules("scrambled", parse(words.hidden(prefix(clauses))))
    assert [words.hidden(role) for role in game.roles] == list(other.roles)
    state, twin = game.initial(), other.initial()
    for _ in range(6):
        assert state.movers == twin.movers
        for role in state.movers:
            moves = {words.hidden(game.text(move)) for move in state.legal(role)}
            assert moves == {other.text(move) for move in twin.legal(role)}
        joint = {role: state.legal(role)[-1] for role in state.movers}
        there = {role: other.parse(words.hidden(game.text(move))) for role, move in joint.items()}
        state, twin = state.after(joint), twin.after(there)
        for role in range(2):
            assert {words.hidden(each) for each in state.percepts(role)} == set(twin.percepts(role))


def test_another_seed_gives_other_words():
    assert Scrambler(Rng(1)).hidden("(mark noop)") != Scrambler(Rng(2)).hidden("(mark noop)")
