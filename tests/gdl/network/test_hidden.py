"""GDL-II: a role is shown its percepts and the end of the game, and nothing that it is handed tells more."""

from dataclasses import dataclass, field

import pytest

from ludarium import catalog, library
from ludarium.arena import play
from ludarium.core import Decision, Rng, UnsupportedGame
from ludarium.gdl.game import GdlGame, load
from ludarium.gdl.joins.game import JoinGame
from ludarium.gdl.text.reader import parse, read
from ludarium.testing import check_game
from ludarium.testing.game import check_alike
from tests.gdl.test_game import lockstep

GAMES = ("monty-hall", "blind-tic-tac-toe", "kriegspiel-tic-tac-toe", "meier", "battleship")
TRIES = 60

COIN = """
(role guesser) (role other) (role random) (init toss)
(<= (legal random ?c) (coin ?c) (true toss)) (coin heads) (coin tails)
(<= (legal random noop) (not (true toss)))
(<= (legal guesser (guess ?c)) (coin ?c) (not (true toss)))
(<= (legal guesser noop) (true toss))
(legal other noop)
(<= (next (fell ?c)) (does random ?c) (coin ?c))
(<= (next (fell ?c)) (true (fell ?c)))
(<= (next (guessed ?c)) (does guesser (guess ?c)))
(<= (sees other (it ?c)) (next (fell ?c)) (true toss))
(<= (sees guesser (said ?c)) (next (guessed ?c)))
(<= terminal (true (guessed ?c)))
(<= right (true (guessed ?c)) (true (fell ?c)))
(<= (goal guesser 100) right) (<= (goal guesser 0) (not right))
(goal other 50)
"""
"""Chance tosses a coin that one sees and the other guesses."""


@dataclass
class Past:
    """A match so far: its states, and the joint moves between them."""

    states: list = field(default_factory=list)
    joints: list = field(default_factory=list)

    def seen(self, role):
        return [state.observe(role) for state in self.states]


def random_match(game, rng, plies):
    past = Past([game.initial(rng)])
    while past.states[-1].movers and len(past.joints) < plies:
        state = past.states[-1]
        past.joints.append({role: rng.choice(state.legal(role)) for role in state.movers})
        past.states.append(state.after(past.joints[-1], rng))
    return past


def another(game, past, role, rng):
    """Another match in which a role sees and does the same, or None if the dice fall otherwise."""
    state = game.initial(rng)
    for seen, joint in zip(past.seen(role)[1:], past.joints, strict=True):
        assert (role in state.movers) == (role in joint), "the role is to move in one of the matches only"
        moves = {r: rng.choice(state.legal(r)) for r in state.movers} | {r: m for r, m in joint.items() if r == role}
        state = state.after(moves, rng)  # refuses a move of the role that is legal in one match only
        if state.observe(role) != seen:
            return None
    return state


@pytest.mark.parametrize("name", GAMES)
def test_matches_that_look_alike_to_a_role_offer_it_the_same(name):
    game = load(library.path(name))
    different = 0
    for seed in range(4):
        rng = Rng(seed)
        past = random_match(game, rng, 2 + 2 * seed)
        for role in range(len(game.roles)):
            for _ in range(TRIES):
                state = another(game, past, role, rng)
                if state is not None:
                    check_alike(past.states[-1], state, role)
                    different += state != past.states[-1]
    assert different > 0  # else nothing was hidden, and nothing tested


@pytest.mark.parametrize("name", GAMES)
def test_what_hides_something_says_so(name):
    game = load(library.path(name))
    assert not game.traits.perfect_information
    assert game.traits.deterministic == (name in ("kriegspiel-tic-tac-toe", "battleship"))
    with pytest.raises(UnsupportedGame, match=f"uct cannot play {name}"):
        catalog.agent("uct").seat(game, 0, Rng(0))


def test_a_role_is_shown_its_own_percepts_only():
    game = GdlGame("coin", parse(COIN))
    start = game.initial(Rng(0))
    assert [start.percepts(role) for role in (0, 1)] == [[], []]
    assert start.movers == (0,)
    falls = {start.after(game.parse("noop"), Rng(seed)) for seed in range(30)}
    assert sorted(state.percepts(1)[0] for state in falls) == ["(it heads)", "(it tails)"]
    assert [state.percepts(0) for state in falls] == [[], []]
    one, other = falls
    assert one != other
    assert one.observe(0) == other.observe(0)
    assert one.observe(1) != other.observe(1)
    assert game.picture(one, 0) == game.picture(other, 0) == "guesser sees nothing"
    assert {game.picture(state, 1) for state in falls} == {"other sees (it heads)", "other sees (it tails)"}
    assert "fell" in game.picture(one)


def test_a_percept_that_asks_for_the_next_state():
    rules = parse(COIN)
    assert lockstep("coin", rules, GdlGame("coin", rules, chance=False), 3, 9) == 2


def test_a_percept_of_nothing_but_a_move():
    rules = parse(COIN.replace("(next (fell ?c)) (true toss)", "(does random ?c) (coin ?c)"))
    assert lockstep("coin", rules, GdlGame("coin", rules, chance=False), 3, 9) == 2


def test_the_end_is_shown_to_all():
    game = GdlGame("coin", parse(COIN))
    state = game.initial(Rng(0)).after(game.parse("noop"), Rng(1))
    end = state.after(game.parse("(guess heads)"), Rng(1))
    assert [state.observe(role)[-1] for role in (0, 1)] == [0, 0]
    assert [end.observe(role)[-1] for role in (0, 1)] == [1, 1]


def test_that_nobody_has_a_choice_is_shown_to_all():
    game = GdlGame("coin", parse(COIN))
    start = game.initial(Rng(0))
    assert [start.observe(role)[-1] for role in (0, 1)] == [2, 2]


FORCED = """
(role waits) (role acts) (role random) (init deal)
(<= (legal random ?c) (card ?c) (true deal)) (<= (legal random noop) (not (true deal)))
(card few) (card many) (legal waits noop) (<= (legal acts noop) (true deal))
(<= (legal acts pass) (not (true deal))) (<= (legal acts raise) (true (has many)))
(<= (next (has ?c)) (does random ?c) (card ?c)) (<= (next done) (not (true deal)))
(<= (sees acts ?c) (does random ?c) (card ?c))
(<= terminal (true done)) (goal waits 50) (goal acts 50)
"""
"""What one role holds, which the other does not see, says whether it has a choice."""


@pytest.mark.parametrize("chosen", [GdlGame, JoinGame])
def test_being_named_a_mover_tells_a_role_nothing_that_it_is_not_shown(chosen):
    check_game(chosen("forced", parse(FORCED)), seeds=range(8))


def test_chance_without_percepts_hides_nothing():
    text = "\n".join(line for line in COIN.splitlines() if "sees" not in line)
    game = GdlGame("coin", parse(text))
    assert game.traits.perfect_information
    assert not game.traits.deterministic
    falls = {game.initial(Rng(0)).after(game.parse("noop"), Rng(seed)).observe(0) for seed in range(30)}
    assert len(falls) == 2


@dataclass(frozen=True)
class Scribe:
    """Plays the first legal move, and writes down what it was handed."""

    handed: list = field(default_factory=list)
    name = "scribe"

    def seat(self, game, role, rng):
        return self

    def choose(self, info, budget):
        self.handed.append(info)
        return Decision(info.legal[0])


@pytest.mark.parametrize("name", GAMES)
def test_a_player_is_handed_all_it_has_seen_and_done_and_no_state(name):
    game = load(library.path(name))
    scribes = [Scribe() for _ in game.roles]
    match = play(game, scribes, seed=3)
    for role, scribe in enumerate(scribes):
        for before, info in enumerate(scribe.handed):
            assert info.state is None
            assert info.role == role
            assert info.played == tuple(each.legal[0] for each in scribe.handed[:before])
            assert all(earlier.seen == info.seen[: len(earlier.seen)] for earlier in scribe.handed[:before])
    assert max(len(info.seen) for scribe in scribes for info in scribe.handed) == len(match.moves)


# Games of others


def pytest_generate_tests(metafunc):
    if "file" in metafunc.fixturenames:
        folder = metafunc.config.getoption("rule_files")
        files = sorted((folder / "gdl2").glob("*.[gk]*")) if folder else []
        metafunc.parametrize("file", files, ids=lambda file: file.stem)


@pytest.mark.corpus
def test_a_game_of_the_corpus_is_what_its_rules_say(file):
    rules = read(file)
    assert lockstep(file.stem, rules, GdlGame(file.stem, rules, chance=False), 1, 8) > 0


@pytest.mark.corpus
def test_a_game_of_the_corpus_is_played(file):
    game = load(file)
    assert "random" not in game.roles
    assert len(random_match(game, Rng(1), 30).joints) > 0
