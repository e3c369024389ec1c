from dataclasses import dataclass
from io import StringIO

import pytest
from rich.console import Console

from ludarium import agent, game, play
from ludarium.arena.tournament.apart import decision_data, read_decision
from ludarium.core import BadParameter, Decision, Limit, Rng, UnsupportedGame, describe
from ludarium.hyper.ensemble import Ensemble
from ludarium.terminal.thoughts import thoughts
from tests.agents.positions import after, decide, facing

CONNECT_FOUR = game("connect-four")
START = facing(after(CONNECT_FOUR, ""))


@dataclass(frozen=True)
class Fixed:
    """Always chooses the same place in the list of legal moves."""

    place: int = 0
    name: str = "fixed"

    def seat(self, game, role, rng):
        return self

    def choose(self, info, budget):
        budget.charge(iterations=1)
        return Decision(info.legal[self.place], iterations=1)


@dataclass(frozen=True)
class Failing(Fixed):
    name: str = "failing"

    def choose(self, info, budget):
        raise RuntimeError("no idea")


@dataclass(frozen=True)
class Refusing(Fixed):
    name: str = "refusing"

    def seat(self, game, role, rng):
        raise UnsupportedGame(f"refusing cannot play {game.name}")


def vote(*agents, parallel=False, seed=0, **limit):
    player = Ensemble(agents=agents, parallel=parallel).seat(CONNECT_FOUR, 0, Rng(seed))
    return player.choose(START, Limit(**limit or {"iterations": 100}).start())


@pytest.mark.parametrize("parallel", [False, True])
def test_the_majority_decides(parallel):
    made = vote(Fixed(2), Fixed(1), Fixed(2), parallel=parallel)
    assert made.move == START.legal[2]
    assert made.votes == (("fixed(place=2)", 2), ("fixed(place=1)", 1), ("fixed(place=2)", 2))
    assert made.note == "2 of 3 votes"


def test_ties_are_broken_at_random_among_the_tied():
    moves = {vote(Fixed(2), Fixed(2), Fixed(4), Fixed(4), Fixed(0), seed=seed).move for seed in range(30)}
    assert moves == {2, 4}


@pytest.mark.parametrize("parallel", [False, True])
def test_the_vote_goes_on_without_those_that_fail(parallel):
    made = vote(Failing(), Fixed(3), Refusing(), parallel=parallel)
    assert made.move == 3
    assert made.note == (
        "1 of 1 votes; failing did not vote: RuntimeError: no idea; left out: refusing cannot play connect-four"
    )
    with pytest.raises(RuntimeError, match="no idea"):
        vote(Failing(), Failing(), parallel=parallel)
    with pytest.raises(UnsupportedGame, match="ensemble cannot play connect-four: refusing cannot play"):
        vote(Refusing())


def test_a_move_that_is_not_legal_is_no_vote():
    @dataclass(frozen=True)
    class Cheat(Fixed):
        name: str = "cheat"

        def choose(self, info, budget):
            return Decision(99)

    made = vote(Cheat(), Fixed(1))
    assert made.move == 1
    assert "cheat did not vote: ValueError: move 99 is not legal" in made.note


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize("limit", [{"iterations": 2}, {"iterations": 31}, {"forward_calls": 400}])
def test_counted_budgets_are_shared(parallel, limit):
    made = vote("uct", "mast", "flat", parallel=parallel, **limit)
    assert made == vote("uct", "mast", "flat", parallel=parallel, **limit)
    if limit == {"iterations": 31}:
        assert made.iterations == 31
    if limit == {"iterations": 2}:
        assert len(made.votes) == 2
        assert "flat did not vote: BudgetExceeded" in made.note


def test_in_parallel_everybody_has_the_whole_time():
    seen = []

    @dataclass(frozen=True)
    class Looking(Fixed):
        def choose(self, info, budget):
            seen.append(budget.limit.seconds)
            return Decision(0)

    for parallel in (False, True):
        player = Ensemble(agents=(Looking(),) * 4, parallel=parallel).seat(CONNECT_FOUR, 0, Rng(0))
        player.choose(START, Limit(seconds=1000).start())
    assert 240 < seen[0] <= 250
    assert all(900 < seconds <= 1000 for seconds in seen[4:])


def test_five_who_see_a_win_play_it():
    assert decide(agent("ensemble"), after(CONNECT_FOUR, "d a d a d b"), iterations=2000).move == CONNECT_FOUR.parse(
        "d"
    )


def test_it_is_read_as_it_is_written():
    made = agent("ensemble(agents=[uct(c=1), progressive-history], parallel=True)")
    assert describe(made) == "ensemble(agents=[uct(c=1), progressive-history], parallel=True)"
    assert agent(describe(made)) == made
    assert made == Ensemble(agents=["uct(c=1)", "progressive-history"], parallel=True)


@pytest.mark.parametrize("given", ["[]", "uct", "[3]", "7"])
def test_what_is_no_row_of_agents_is_refused(given):
    with pytest.raises(BadParameter, match=r"expected one or more agents, as in \[first, second\]"):
        agent(f"ensemble(agents={given})")


def test_it_plays_where_things_are_hidden_and_where_all_choose_at_once():
    for name in ("kuhn-poker", "goofspiel"):
        match = play(name, ["ensemble(agents=[uct, flat, ismcts])", "random"], iterations=60, seed=1)
        assert not match.faults


def test_votes_are_shown_and_sent():
    made = vote(Fixed(2), Fixed(1), Fixed(2))
    assert read_decision(decision_data(made)) == made
    console = Console(width=200, record=True, file=StringIO())
    console.print(thoughts(CONNECT_FOUR, 0, made, most=5))
    assert "c by fixed(place=2), fixed(place=2); b by fixed(place=1)" in console.export_text()
