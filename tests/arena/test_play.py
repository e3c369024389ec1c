from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from ludarium import agent, game, play
from ludarium.core import (
    BadParameter,
    BudgetExceeded,
    Decision,
    GameError,
    IllegalMove,
    InformationSet,
    Match,
    UnsupportedGame,
)
from ludarium.games.nim import Nim, NimState


@dataclass(frozen=True)
class Spy:
    """Plays the first legal move, and keeps what it was handed."""

    name: ClassVar[str] = "spy"

    infos: list[InformationSet] = field(default_factory=list, compare=False)
    limits: list[object] = field(default_factory=list, compare=False)

    def seat(self, game, role, rng):
        return self

    def choose(self, info, budget):
        self.infos.append(info)
        self.limits.append(budget.limit)
        return Decision(info.legal[0])


class Cheat(Spy):
    name: ClassVar[str] = "cheat"

    def choose(self, info, budget):
        return Decision(99)


def test_the_front_door():
    match = play(game("connect-four"), [agent("uct"), agent("random")], iterations=200, seed=7)
    assert isinstance(match, Match)
    assert match.game == "connect-four"
    assert match.agents == ("uct", "random")
    assert match.utilities == (1.0, 0.0)
    assert len(match.moves) == len(match.seconds)
    assert repr(match) == f"Match(connect-four: uct 1.0, random 0.0, {len(match.moves)} plies, seed 7)"


@pytest.mark.parametrize("name", ["connect-four", "kuhn-poker", "goofspiel", "nim"])
def test_the_same_seed_plays_the_same_match(name):
    agents = [agent("random" if name == "kuhn-poker" else "uct"), agent("random")]
    matches = [play(game(name), agents, iterations=50, seed=seed) for seed in (1, 1, 2, 3, 4, 5)]
    assert matches[0] == matches[1]
    assert len({match.moves for match in matches}) > 1


@pytest.mark.parametrize("name", ["connect-four", "kuhn-poker", "goofspiel", "nim", "breakthrough"])
def test_the_moves_of_a_match_can_be_played_again(name):
    made = game(name)
    states = []
    match = play(made, [agent("random")] * 2, seed=4, watch=lambda state, _: states.append(state))
    assert len(states) == len(match.moves) + 1
    for state, text in zip(states, match.moves, strict=False):
        parsed = [made.parse(part) for part in text.split(" + ")]
        assert len(parsed) == len(state.movers)
        for role, move in zip(state.movers, parsed, strict=True):
            assert move in state.legal(role)
    assert states[-1].over
    assert match.utilities == states[-1].utilities()


def test_the_watcher_sees_every_state_and_the_decisions_that_led_there():
    seen = []
    match = play(
        game("goofspiel(cards=3)"),
        [agent("uct"), agent("random")],
        iterations=20,
        watch=lambda state, decisions: seen.append(decisions),
    )
    assert seen[0] == {}
    assert all(set(decisions) == {0, 1} for decisions in seen[1:])
    assert [f"{made[0].move} + {made[1].move}" for made in seen[1:]] == list(match.moves)


def test_everybody_is_handed_what_they_have_seen_and_done():
    spy = Spy()
    made = game("connect-four")
    states = []
    play(made, [spy, agent("random")], seed=1, watch=lambda state, _: states.append(state))
    for turn, info in enumerate(spy.infos):
        state = states[2 * turn]
        assert info.role == 0
        assert info.game is made
        assert info.state == state
        assert info.legal == tuple(state.legal(0))
        assert info.seen == tuple(each.observe(0) for each in states[: 2 * turn + 1])
        assert info.played == tuple(earlier.legal[0] for earlier in spy.infos[:turn])


def test_a_game_that_hides_something_never_hands_out_its_states():
    for seed in range(10):
        spies = [Spy(), Spy()]
        states = []
        play(game("kuhn-poker"), spies, seed=seed, watch=lambda state, _, at=states: at.append(state))
        for role, spy in enumerate(spies):
            for info in spy.infos:
                assert info.state is None
                assert info.seen == tuple(state.observe(role) for state in states[: len(info.seen)])


def test_at_once_means_that_nobody_knows_the_others_move():
    spies = [Spy(), Spy()]
    play(game("goofspiel(cards=4)"), spies, seed=2)
    for one, other in zip(spies[0].infos, spies[1].infos, strict=True):
        assert one.state == other.state
        assert len(one.played) == len(other.played)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_is_an_agent_for_every_role(count):
    with pytest.raises(BadParameter, match=rf"connect-four has 2 roles \(red, yellow\), but {count} agents"):
        play(game("connect-four"), [agent("random")] * count)


def test_an_illegal_move_ends_the_match_with_a_sentence():
    with pytest.raises(IllegalMove, match="cheat chose 99, which is not legal"):
        play(game("nim"), [Cheat(), agent("random")])


def test_an_agent_that_cannot_play_says_so_before_the_match():
    watched = []
    with pytest.raises(UnsupportedGame, match="alphabeta cannot play kuhn-poker"):
        play(game("kuhn-poker"), [agent("random"), agent("alphabeta")], watch=lambda *_: watched.append(1))
    assert not watched


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ({}, "1000 iterations"),
        ({"iterations": 5}, "5 iterations"),
        ({"seconds": 0.5}, "0.5 s"),
        ({"forward_calls": 9, "iterations": 5}, "5 iterations or 9 forward calls"),
    ],
)
def test_every_move_has_the_same_limit(limit, expected):
    spy = Spy()
    play(game("nim"), [spy, spy], **limit)
    assert {str(each) for each in spy.limits} == {expected}


@pytest.mark.parametrize(
    "limit", [{"iterations": 0}, {"seconds": 0}, {"seconds": -1.0}, {"forward_calls": 0}, {"iterations": 1.5}]
)
def test_a_budget_of_nothing_is_an_error(limit):
    with pytest.raises(BadParameter, match="must be a positive"):
        play(game("nim"), [agent("random")] * 2, **limit)


def test_a_budget_too_short_to_begin_is_an_error():
    with pytest.raises(BudgetExceeded, match="is used up"):
        play(game("nim"), [agent("random")] * 2, seconds=1e-12)


class Greedy(Nim):
    """Nim whose winner gets more than there is."""

    def _initial(self, rng):
        return GreedyState(self, self.heaps, 0)


class GreedyState(NimState):
    def utilities(self):
        return tuple(2 * each for each in NimState.utilities(self))

    def _after(self, joint, rng):
        following = NimState._after(self, joint, rng)
        return GreedyState(following.game, following.heaps, following.turn)


@pytest.mark.parametrize("seated", ["random", "flat"])
def test_utilities_out_of_range_are_refused_at_the_first_end_that_is_met(seated):
    greedy = Greedy((1, 2), misere=False)
    with pytest.raises(
        GameError, match=r"'nim\(heaps=\(1, 2\)\)' gives \w+ the utility 2.0; utilities are numbers from 0"
    ):
        play(greedy, [agent(seated), agent(seated)], iterations=5, seed=1)


def test_a_match_against_the_clock():
    match = play(game("tic-tac-toe"), [agent("uct"), agent("flat")], seconds=0.2, seed=1)
    assert len(match.moves) >= 5
    assert all(seconds >= 0 for seconds in match.seconds)
