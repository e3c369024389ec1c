from concurrent.futures import wait
from dataclasses import dataclass
from io import StringIO
from threading import Event, Timer, current_thread

import pytest
from rich.console import Console

from ludarium import agent, game, play
from ludarium.arena.tournament.apart import decision_data, read_decision
from ludarium.core import BadParameter, Decision, Limit, Rng, UnsupportedGame, describe
from ludarium.hyper import voting
from ludarium.hyper.ensemble import Ensemble
from ludarium.hyper.voting import preferences
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


@dataclass(frozen=True)
class Liking(Fixed):
    """Tells what it thinks of all moves."""

    likes: tuple = ()
    counts: bool = False
    name: str = "liking"

    def choose(self, info, budget):
        budget.charge(iterations=1)
        told = dict(zip(info.legal, self.likes, strict=False))
        best = max(told, key=told.get)
        return Decision(best, visits=told) if self.counts else Decision(best, values=told)


def test_grades_count_beside_the_first_choice():
    agents = (Liking(likes=(10, 9, 0), counts=True), Liking(likes=(0.0, 0.9, 1.0)))
    for graded, moves in ((False, {0, 2}), (True, {1})):
        players = [Ensemble(agents=agents, graded=graded).seat(CONNECT_FOUR, 0, Rng(seed)) for seed in range(12)]
        made = [each.choose(START, Limit(iterations=9).start()) for each in players]
        assert {each.move for each in made} == moves
    assert made[0].values[1] > made[0].values[0] > 0
    assert [move for _, move in made[0].votes] == [0, 2]


def test_of_alpha_beta_only_the_choice_counts():
    player = Ensemble(agents=(agent("alphabeta"), Fixed(place=2)), graded=True).seat(CONNECT_FOUR, 0, Rng(1))
    made = player.choose(START, Limit(iterations=300).start())
    assert set(made.values) == {move for _, move in made.votes}


def test_preferences_go_from_0_to_1():
    assert preferences(Decision(1, visits={0: 5, 1: 10}), (0, 1, 2)) == {0: 0.5, 1: 1.0}
    assert preferences(Decision(1, values={0: 0.4, 1: 0.6, 2: 0.5}), (0, 1, 2)) == pytest.approx({0: 0, 1: 1, 2: 0.5})
    assert preferences(Decision(2), (0, 1, 2)) == {2: 1.0}
    assert preferences(Decision(2, values={0: 0.5, 2: 0.5}), (0, 1, 2)) == {2: 1.0}
    assert preferences(Decision(0, values={0: float("nan"), 7: 3.0}), (0, 1)) == {0: 1.0}


@dataclass(frozen=True)
class Waiting(Fixed):
    """Answers when it is allowed to."""

    allowed: object = None
    name: str = "waiting"

    def choose(self, info, budget):
        self.allowed.wait(60)
        return Decision(info.legal[self.place])


def test_nobody_waits_for_those_who_hang():
    allowed, always = Event(), Event()
    always.set()  # on a busy machine the other may come late as well, but it comes
    voters = Waiting(4, allowed=allowed), Waiting(1, allowed=always)
    player = Ensemble(agents=voters, parallel=True).seat(CONNECT_FOUR, 0, Rng(1))
    made = player.choose(START, Limit(seconds=0.05).start())
    assert made.move == 1
    assert "waiting(place=4" in made.note
    assert "did not vote: Late: no answer after 0." in made.note
    again = player.choose(START, Limit(seconds=0.05).start())
    assert "did not vote: Late: still thinking about an earlier move" in again.note
    allowed.set()
    wait(player._thinking.values(), timeout=20)
    assert len(player.choose(START, Limit(seconds=20).start()).votes) == 2


def test_threads_are_kept_from_move_to_move_and_end_with_the_player():
    seen = []

    @dataclass(frozen=True)
    class Seen(Fixed):
        def choose(self, info, budget):
            seen.append(current_thread())
            return super().choose(info, budget)

    player = Ensemble(agents=(Seen(),) * 3, parallel=True).seat(CONNECT_FOUR, 0, Rng(1))
    for _ in range(4):
        assert len(player.choose(START, Limit(iterations=9).start()).votes) == 3
    assert len(seen) == 12
    assert len(set(seen)) <= 3
    del player
    for each in set(seen):
        each.join(20)
        assert not each.is_alive()


def test_if_nobody_answers_in_time_the_first_answer_counts():
    allowed = Event()
    Timer(0.5, allowed.set).start()
    player = Ensemble(agents=(Waiting(4, allowed=allowed), Failing()), parallel=True).seat(CONNECT_FOUR, 0, Rng(1))
    made = player.choose(START, Limit(seconds=0.05).start())
    assert made.move == 4
    assert "waiting" not in made.note.partition("votes")[2], "it did vote"


def test_who_comes_too_late_does_not_vote_and_is_asked_last_from_then_on(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(voting, "perf_counter", lambda: now[0])
    asked = []

    @dataclass(frozen=True)
    class Timed(Fixed):
        seconds: float = 0.0
        name: str = "timed"

        def choose(self, info, budget):
            asked.append(self.place)
            now[0] += self.seconds
            return Decision(info.legal[self.place])

    player = Ensemble(agents=(Timed(0, seconds=9.0), Timed(1), Timed(2))).seat(CONNECT_FOUR, 0, Rng(1))
    made = player.choose(START, Limit(seconds=6).start())
    assert [move for _, move in made.votes] == [1, 2]
    assert "did not vote: Late: 9.00 s instead of 2.00 s" in made.note
    player.choose(START, Limit(seconds=6).start())
    assert asked == [0, 1, 2, 1, 2, 0]
    alone = Ensemble(agents=(Timed(3, seconds=99.0),)).seat(CONNECT_FOUR, 0, Rng(1))
    assert alone.choose(START, Limit(seconds=6).start()).move == 3, "better late than never"


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
