import pytest

from ludarium.core import Game
from ludarium.hidden import Enumeration, Replay, Sampler, determinizer
from ludarium.testing import CheckFailed, check_determinizer

# Chance in rules of GDL is listed by running them as plain Python, which takes a while.
PLIES = {
    "kuhn-poker": 2,
    "gdl:battleship": 2,
    "blind-tic-tac-toe": 1,
    "goofspiel(cards=4)": 2,
    "kriegspiel-tic-tac-toe": 5,
    "meier": 1,
    "monty-hall": 2,
    "tic-tac-toe": 2,
}


@pytest.mark.statistical
@pytest.mark.parametrize("game", PLIES)
@pytest.mark.parametrize("name", ["enumeration", "replay"])
def test_every_determinizer_keeps_its_promises(name, game):
    made = determinizer("replay(pool=800, tries=200)" if name == "replay" else name)
    (checked,) = check_determinizer(made, [game], plies=PLIES[game])
    assert checked.positions >= 2


class Careless(Replay):
    """Forgets the last observation."""

    name = "careless"

    def sampler(self, game: Game, role: int) -> Sampler:
        return _Forgetting(game, role)


class _Forgetting(Sampler):
    def draw(self, info, count, rng, calls=1 << 62):
        from ludarium.hidden import Draw

        return Draw([self.game.initial(rng) for _ in range(count)], 0, more=True)


class Biased(Enumeration):
    """Thinks that one state is as good as another."""

    name = "biased"

    def sampler(self, game: Game, role: int) -> Sampler:
        return _First(game, role)


class _First(Sampler):
    def draw(self, info, count, rng, calls=1 << 62):
        from ludarium.hidden import Draw

        exact = Enumeration().sampler(self.game, self.role)
        return Draw([next(iter(exact.likelihoods(info)))] * count, 0, more=True)


@pytest.mark.parametrize(
    ("broken", "told"),
    [(Careless(), "it looks otherwise in the state first"), (Biased(), r"it draws 1.000 of the state .*, not 0.500")],
)
def test_a_broken_determinizer_is_caught(broken, told):
    with pytest.raises(CheckFailed, match=told):
        check_determinizer(broken, ["kuhn-poker"])
