from dataclasses import dataclass
from typing import ClassVar

import pytest

from ludarium.core import BadParameter, LudariumError, UnknownName, UnsupportedGame
from ludarium.core.parameters import number
from ludarium.tune import NTBEA, Grid, RandomSearch, load, order
from ludarium.tune.matches import GameTuning, tries
from ludarium.tune.words import method

GIVEN = {"agent": "uct", "game": "tic-tac-toe", "against": ["random"]}
GAME = {"game": "breakthrough", "agents": ["random"], "space": ["width=4,5"]}


def test_without_a_space_all_that_is_worth_trying_is_tried():
    made = order(**GIVEN)
    assert made.problem.space.values == tries(made.problem.agent)
    assert (made.budget, made.check, made.method) == (200, 200, NTBEA())
    assert made.problem.terms.limit.iterations == 1000
    assert made.problem.goal == "score"


def test_what_the_brackets_say_is_fixed():
    made = order(**GIVEN | {"agent": "uct(c=0.5, leaf=64)"})
    assert not {"c", "leaf"} & set(made.problem.space.names)
    assert "reuse" in made.problem.space.names


def test_spaces_are_given_by_value_by_name_and_for_all():
    assert order(**GIVEN, space=["c=0.5,2", "leaf"]).problem.space.values == {"c": (0.5, 2), "leaf": (1, 64)}
    some = order(**GIVEN, space=["all", "c=0.5,2"]).problem.space.values
    assert some["c"] == (0.5, 2)
    assert set(some) == set(tries(order(**GIVEN).problem.agent))
    assert order(**GIVEN, space={"c": [0.5, 2]}).problem.space.values == {"c": (0.5, 2)}
    inner = order(
        agent="determinized(inner=uct)", game="kuhn-poker", against=["random"], space=["inner.all", "inner.c=1,2"]
    )
    assert inner.problem.space.values["inner.c"] == (1, 2)
    assert inner.problem.space.values["inner.leaf"] == (1, 64)


def test_a_game_is_tuned_without_an_agent():
    made = order(**GAME, fitness="balance")
    assert isinstance(made.problem, GameTuning)
    assert made.problem.matches == 10
    assert made.problem.named({"width": 4}) == "breakthrough(width=4)"


def test_a_file_says_the_same_as_a_call(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(
        'agent = "uct"\ngame = "tic-tac-toe"\nagainst = ["random"]\nbudget = 50\nmethod = "grid"\nseconds = 0.5\n'
        'role = "o"\n[space]\nc = [0.5, 2]\nfinal = ["visits", "value"]\n'
    )
    made = load(path, budget=None, seed=3)
    said = {"budget": 50, "method": "grid", "seconds": 0.5, "role": "o", "seed": 3}
    assert made == order(**GIVEN, **said, space=["c=0.5,2", "final=visits,value"])
    assert made.problem.role == 1
    assert load(path, budget=7).budget == 7


def test_methods_are_read():
    assert method("ntbea(k=2.0, epsilon=0.5, pairs=False)") == NTBEA(k=2.0, epsilon=0.5, pairs=False)
    assert method("grid") == Grid()
    assert method("random(repeats=3)") == RandomSearch(repeats=3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (GIVEN | {"agent": "utc"}, "unknown agent 'utc': did you mean 'uct'"),
        (GIVEN | {"game": "tictactoe"}, "unknown game 'tictactoe'"),
        ({"agent": "uct", "against": ["random"]}, "what is to be played"),
        ({"game": "nim"}, "nothing to tune: name an agent"),
        ({"agent": "uct", "game": "nim"}, "nim has 2 roles: name who is played against"),
        (GIVEN | {"against": ["random"] * 2}, "so uct plays against 1, not 2"),
        (GIVEN | {"agents": ["random"]}, "agents are for tuning a game"),
        (GIVEN | {"agent": "flat"}, "no parameter of flat has values worth trying"),
        (GIVEN | {"space": []}, "the space to search is empty"),
        (GIVEN | {"space": ["see=1,2"]}, "uct has no parameter 'see' to tune"),
        (GIVEN | {"space": ["c=0.5,x"]}, "uct: c is 'x'; expected a number"),
        (GIVEN | {"space": ["c=0.5,-1"]}, "uct: c is -1; expected a number"),
        (GIVEN | {"space": ["max_nodes"]}, "'max_nodes' of uct has no values that are known to be worth trying"),
        (GIVEN | {"space": {"c": 3}}, "the values of 'c' are 3; expected a list"),
        (GIVEN | {"space": 3}, "space is 3; expected a table of lists"),
        (GIVEN | {"fitness": "elo"}, "unknown fitness 'elo'"),
        (GIVEN | {"fitness": "length"}, "needs a target"),
        (GIVEN | {"matches": 0}, "matches is 0"),
        (GIVEN | {"method": "nbtea"}, "unknown method 'nbtea': did you mean 'ntbea'"),
        (GIVEN | {"method": "ntbea(j=1)"}, "method 'ntbea' has no parameter 'j'; it has k, epsilon"),
        (GIVEN | {"method": "grid(k=1)"}, "method 'grid' has no parameter 'k'; it has none"),
        (GIVEN | {"method": "ntbea(k=-1.0)"}, "ntbea: k is -1.0"),
        (GIVEN | {"role": "z"}, "unknown role of tic-tac-toe 'z'"),
        (GIVEN | {"iterations": 0}, "iterations"),
        (GIVEN | {"iterations": "many"}, "iterations is 'many'; expected a whole number"),
        (GIVEN | {"budget": 1.5}, "budget is 1.5; expected a whole number"),
        (GIVEN | {"budgt": 1}, "unknown word 'budgt': did you mean 'budget'"),
        (GIVEN | {"seed": -1}, "a seed is a whole number"),
        (GIVEN | {"against": "random"}, "against is 'random'; expected a list of texts"),
        (GAME | {"space": []}, "which parameters of breakthrough are tuned"),
        (GAME | {"space": ["widht=4,5"]}, "none is possible: game 'breakthrough' has no parameter 'widht'"),
        (GAME | {"agents": ["random"] * 3}, "has 2 roles, but there are 3 agents"),
        (GAME | {"space": ["width"]}, "which values of 'width' are tried"),
        (GAME | {"against": ["random"]}, "nobody plays against it"),
    ],
)
def test_bad_words_are_refused(given, said):
    with pytest.raises(LudariumError) as caught:
        order(**given)
    assert said in str(caught.value)
    assert isinstance(caught.value, BadParameter | UnknownName)


def test_an_agent_that_cannot_play_the_game_is_refused():
    with pytest.raises(UnsupportedGame, match="alphabeta cannot play kuhn-poker"):
        order(agent="alphabeta", game="kuhn-poker", against=["random"])


def test_an_agent_that_searches_states_is_tuned_by_its_own_parameters_where_they_are_hidden():
    made = order(agent="uct", game="kuhn-poker", against=["flat"], space=["c"]).problem
    assert made.named({"c": 0.3}) == "uct(c=0.3)"
    assert made.notes == tuple(
        f"{each} plays kuhn-poker as {name}"
        for each, name in {"uct": "determinized", "flat": "determinized(inner=flat)"}.items()
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agent = ", "my.toml is not TOML"),
        ("a = " + "[" * 100_000, "my.toml is nested too deep"),
        ("budget = 1", "my.toml: what is to be played"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, text, said):
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(BadParameter, match=said):
        load(path)
    with pytest.raises(BadParameter, match="cannot be read: it is a folder"):
        load(tmp_path)
    with pytest.raises(BadParameter, match="no.toml cannot be read"):
        load(tmp_path / "no.toml")


@dataclass(frozen=True)
class Calm:
    """Tries the first point again and again."""

    name: ClassVar[str] = "calm"

    repeats: int = number(1, 1, 99)

    def start(self, space, rng, allowed):
        return RandomSearch(self.repeats).start(space, rng, allowed)


def test_a_method_of_ones_own_is_named_by_its_place():
    assert method(f"{__name__}:Calm(repeats=3)") == Calm(repeats=3)
    assert order(method=Calm(repeats=3), **GIVEN).method == Calm(repeats=3)
    with pytest.raises(BadParameter, match="repeats is 100; expected a whole number from 1 to 99"):
        method(f"{__name__}:Calm(repeats=100)")
