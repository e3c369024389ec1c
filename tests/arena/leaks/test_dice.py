"""Agents that try seeds until one gives their own stream know the dice: where seeds are small, and nowhere else."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from ludarium import agent, game, play
from ludarium.arena import Store, audit, round_robin, run
from ludarium.arena.leaks.dice import ALARM, Dice
from ludarium.arena.streams import chance, derived_seed, fresh_seed, player
from ludarium.core import Decision, Rng

TRIED = 200
POKER = game("kuhn-poker")


@dataclass(frozen=True)
class Guesser:
    """Tries seeds; where one gives its stream it plays by the true cards, else as if it had seen nothing."""

    name: ClassVar[str] = "guesser"
    fallback: str = "first"
    first: int = 0

    def seat(self, game, role, rng):
        words = list(rng.words)
        known = next((s for s in range(self.first, self.first + TRIED) if list(player(s, role).words) == words), None)
        return GuesserPlayer(self, game, role, rng, known)


@dataclass
class GuesserPlayer:
    made: Guesser
    game: object
    role: int
    rng: Rng
    seed: int | None

    def choose(self, info, budget):
        state = None if self.seed is None else self._state(info)
        if state is None:
            budget.charge(iterations=1)
            return Decision(info.legal[0] if self.made.fallback == "first" else self.rng.choice(info.legal))
        GUESSED.append(state)
        knowing = agent("omniscient(inner=uct)").seat(self.game, self.role, Rng(1))
        knowing.peek(state)
        return knowing.choose(info, budget)

    def _state(self, info):
        """Find the true state of the beginning: after what was dealt, and the move that the role has seen."""
        dealt = self.game.initial(chance(self.seed))
        if dealt.observe(self.role) != info.seen[0] or len(info.seen) > 2:
            return None
        following = [dealt] if len(info.seen) == 1 else [dealt.after(move, Rng(0)) for move in dealt.legal(0)]
        return next((state for state in following if state.observe(self.role) == info.seen[-1]), None)


GUESSED = []


@pytest.mark.parametrize(
    ("on", "fallback"),
    [("kuhn-poker", "first"), ("kuhn-poker", "random"), ("leduc-poker", "first"), ("whist", "first")],
)
def test_an_agent_that_inverts_seeds_is_caught(on, fallback):
    (found,) = audit(game(on), [Guesser(fallback)], positions=20, iterations=30).verdicts
    assert not found.leaks  # it decides the same in both worlds, since both have the seed that it found
    assert found.guesses.proved
    assert found.guesses.baits == 60
    assert not found.clean


@pytest.mark.parametrize("who", ["random", "uct", "ismcts", "omniscient", "osla"])
@pytest.mark.parametrize("seed", range(3))
def test_who_does_not_try_seeds_is_not_accused_of_it(who, seed):
    (found,) = audit(game("leduc-poker"), [agent(who)], positions=10, iterations=20, seed=seed).verdicts
    assert not found.guesses.proved
    assert found.guesses.likelihood > ALARM


def test_where_no_dice_fall_there_is_nothing_to_guess():
    assert Dice(game("kriegspiel-tic-tac-toe"), 10, 0).baits == []


def test_a_match_without_a_seed_has_one_that_nobody_guesses():
    GUESSED.clear()
    matches = [play(POKER, [Guesser(), agent("random")], iterations=5) for _ in range(20)]
    assert GUESSED == []
    assert len({match.seed for match in matches}) == 20
    assert all(match.seed > 2**40 for match in matches)
    play(POKER, [Guesser(), agent("random")], iterations=5, seed=7)
    assert GUESSED  # the agent works: a seed that somebody chose can be guessed


def test_the_seed_of_a_match_repeats_it():
    first = play(game("leduc-poker"), [agent("ismcts"), agent("random")], iterations=20)
    assert play(game("leduc-poker"), [agent("ismcts"), agent("random")], iterations=20, seed=first.seed) == first


def test_a_tournament_has_a_seed_that_nobody_guesses_and_that_repeats_it(tmp_path):
    def played(name, **options):
        plan = round_robin(["kuhn-poker"], ["flat", "random"], matches=20, iterations=5, **options)
        assert run(plan, tmp_path / name, on="threads").played == 40
        with Store(tmp_path / name, readonly=True) as store:
            return store.seed, sorted((match.agents, match.seed, match.moves) for match in store.matches())

    seed, first = played("first.db")
    assert seed > 2**32
    assert min(each for _, each, _ in first) > 2**40
    assert played("second.db")[1] != first
    assert played("third.db", seed=seed)[1] == first


def test_a_run_goes_on_with_the_seed_of_its_store(tmp_path):
    results = tmp_path / "results.db"
    for matches in (1, 3):
        run(round_robin(["kuhn-poker"], ["flat", "random"], matches=matches, iterations=5), results, on="threads")
    with Store(results) as store:
        assert len(store) == 6
        seeds = {match.id: match.seed for match in store.matches()}
        plan = store.begin(round_robin(["kuhn-poker"], ["flat", "random"], matches=3, iterations=5))
        assert seeds == {fixture.id: fixture.seed for fixture in plan}


def test_streams_and_seeds_tell_nothing_about_each_other():
    assert len({tuple(stream.words) for stream in (chance(1), player(1, 0), player(1, 1), chance(2))}) == 4
    assert len({derived_seed(seed, what) for seed in (0, 1, 2**63 - 1) for what in ("a", "b")}) == 6
    assert all(0 <= fresh_seed() < 2**63 for _ in range(100))
    assert sum(fresh_seed() > 2**60 for _ in range(100)) > 50
