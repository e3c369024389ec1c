from math import prod

import pytest

from ludarium import catalog
from ludarium.core import BadParameter, Limit, Terms
from ludarium.tune.fitness import fitness
from ludarium.tune.matches import AgentTuning, GameTuning, tries
from ludarium.tune.problem import TuneError
from ludarium.tune.space import Space
from ludarium.tune.tuning import tune

TERMS = Terms(limit=Limit(iterations=20))

# Bravi et al. (2019), table VII, and om and omsb from section VIII.
MODELS = {"opponent": ("nothing", "random", "osla")}
BMRH = MODELS | {
    "length": (1, 2, 3, 5, 10, 20),
    "evaluations": (20, 50, 100, 200),
    "shift_buffer": (False, True),
    "mutate_once": (False, True),
    "mutation": ("fresh", "uniform", "decay"),
    "decay": (0.5, 0.7, 0.8, 0.9),
    "mean": (0.0, 0.1, 0.3, 0.5, 0.75),
    "deviation": (0.5, 1.0, 2.0),
    "opponent_share": (0.005, 0.01, 0.02, 0.05),
}
SRH = MODELS | {
    "length": (1, 2, 3, 5, 10, 20),
    "evaluations": (0, 1, 5, 10, 20, 50, 100, 200),
    "shift_buffer": (False, True),
    "mutate_once": (False, True),
    "rate": (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0),
    "opponent_share": (0.001, 0.005, 0.01, 0.02, 0.05),
}
MCTS = MODELS | {
    "depth": (2, 3, 6, 11, 21),
    "c": (0.0, 1.41, 4.0, 9.0, 15.0, 20.0),
    "expansion": (0.1, 0.2, 0.3, 0.4),
    "samples": (1, 3, 5, 10, 15),
    "final": ("max", "robust", "secure"),
    "opponent_share": (0.01, 0.05, 0.1),
}


@pytest.mark.parametrize(
    ("name", "paper", "size", "ours"),
    [
        # mutation has two more kinds here; rescore is ours.
        ("bmrh", BMRH, 207_360, {"mutation": 5, "rescore": 2}),
        # omsb has four values in the text, but the size of the space needs a fifth: the released code has 0.001, too.
        ("srh", SRH, 28_800, {"rescore": 2}),
        # The size of the space counts twice a switch that the paper does not name.
        ("widening", MCTS, 32_400 // 2, {}),
    ],
)
def test_the_spaces_of_the_paper_are_what_is_worth_trying(name, paper, size, ours):
    worth = tries(catalog.agent(name))
    assert prod(map(len, paper.values())) == size
    assert set(worth) == {*paper, *ours}
    for parameter, values in paper.items():
        assert worth[parameter][: len(values)] == values
    assert {parameter: len(values) for parameter, values in worth.items() if values != paper.get(parameter)} == ours


def agent_tuning(agent="uct", game="tic-tac-toe", agents=("random",), **options):
    options = {
        "space": Space({"c": (0.3, 1.0)}),
        "fitness": fitness("score"),
        "matches": 1,
        "terms": TERMS,
    } | options
    return AgentTuning(agent=catalog.agent(agent), game=game, agents=agents, **options)


def game_tuning(game="breakthrough(height=5)", agents=("random",), **options):
    options = {
        "space": Space({"width": (3, 4)}),
        "fitness": fitness("length", 20),
        "matches": 1,
        "terms": TERMS,
    } | options
    return GameTuning(game=game, agents=agents, **options)


def test_the_agent_takes_all_seats_in_turn():
    problem = agent_tuning(game="rinascimento(players=3)", agents=("flat", "random"))
    seats = [problem.pairing({"c": 0.3}, number) for number in range(4)]
    assert [(pairing.agents, role) for pairing, role in seats] == [
        (("uct(c=0.3)", "flat", "random"), 0),
        (("flat", "uct(c=0.3)", "random"), 1),
        (("flat", "random", "uct(c=0.3)"), 2),
        (("uct(c=0.3)", "flat", "random"), 0),
    ]


def test_one_opponent_fills_all_other_seats_and_a_role_can_be_kept():
    problem = agent_tuning(game="rinascimento(players=3)", role=1)
    assert {problem.pairing({}, number)[0].agents for number in range(4)} == {("random", "uct", "random")}


def test_matches_have_seeds_of_their_own():
    problem = agent_tuning()
    seeds = {pairing[number].seed for number in range(50) for pairing, _ in [problem.pairing({}, number)]}
    assert len(seeds) == 50


def test_agents_that_differ_take_all_roles_of_a_game():
    problem = game_tuning(agents=("flat", "random"))
    seats = [problem.pairing({"width": 3}, number) for number in range(2)]
    assert [(pairing.agents, role) for pairing, role in seats] == [(("flat", "random"), 0), (("random", "flat"), 1)]
    assert seats[0][0].game == "breakthrough(height=5, width=3)"
    alike = game_tuning()
    assert [alike.pairing({}, number)[0].agents for number in range(2)] == [("random", "random")] * 2


def test_parts_can_be_tuned():
    space = Space({"inner.c": (0.3, 1.0), "samples": (1, 5)})
    problem = agent_tuning("determinized(inner=uct(leaf=64))", game="kuhn-poker", space=space)
    assert problem.named({"inner.c": 0.3, "samples": 5}) == "determinized(inner=uct(c=0.3, leaf=64), samples=5)"
    assert problem.before == {"inner.c": catalog.agent("uct").c, "samples": 10}


def test_a_part_that_is_an_agent_is_written_as_one():
    problem = agent_tuning("bmrh", space=Space({"opponent": ("nothing", "osla", "osla(reply=random)")}))
    assert problem.named({"opponent": "nothing"}) == "bmrh"
    assert problem.named({"opponent": "osla"}) == "bmrh(opponent=osla)"
    assert catalog.agent(problem.named({"opponent": "osla(reply=random)"})).opponent.reply == "random"


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"c": -1.0}, "uct: c is -1.0; expected"),
        ({"see": 1}, "uct has no parameter 'see' to tune; it has c,"),
        ({"c.d": 1}, "has no parameter 'd'"),
    ],
)
def test_what_is_no_agent_is_told(config, said):
    assert said in agent_tuning().wrong(config)
    assert agent_tuning().wrong({"c": 0.5}) == ""


def test_what_is_no_game_is_told():
    assert "width" in game_tuning().wrong({"width": -3})
    assert "has no parameter 'depth'" in game_tuning().wrong({"depth": 3})
    assert "has 2 roles, but there are 3 agents" in game_tuning(agents=("random",) * 3).wrong({})


def test_games_with_more_roles_seat_one_agent_everywhere():
    problem = game_tuning("rinascimento", space=Space({"players": (2, 4)}))
    assert [len(problem.pairing({"players": players}, 0)[0].agents) for players in (2, 4)] == [2, 4]


@pytest.mark.parametrize("matches", [0, 1, 1001])
def test_the_number_of_matches_is_checked(matches):
    with pytest.raises(BadParameter, match=f"matches is {matches}; the fitness 'balance' needs from 2 to 1000"):
        game_tuning(fitness=fitness("balance"), matches=matches)


def test_a_better_agent_is_found_and_every_match_is_kept():
    problem = agent_tuning("flat", agents=("random",), space=Space({"playout_limit": (0, 50)}), matches=16)
    tuned = tune(problem, budget=12, check=10, on="threads")
    assert tuned.config == {"playout_limit": 50}
    assert tuned.measured.mean > 0.6
    assert tuned.given is not None


def test_a_game_is_tuned_towards_a_length():
    problem = game_tuning(space=Space({"width": (3, 8)}), fitness=fitness("length", 15))
    tuned = tune(problem, budget=20, check=0, on="threads")
    assert tuned.name == "breakthrough(height=5, width=3)"


def test_a_game_that_these_agents_cannot_play_before_tuning_is_not_measured():
    space = Space({"players": (2,), "goal": (1, 2)})
    problem = game_tuning("rinascimento", agents=("random", "random"), space=space)
    tuned = tune(problem, budget=3, check=2, on="threads")
    assert tuned.measured.count == 2
    assert tuned.given is None


def test_a_match_that_cannot_be_played_is_told():
    problem = agent_tuning(agents=("random", "random"))
    with pytest.raises(TuneError, match=r"a match of uct\(c=.*could not be played: tic-tac-toe has 2 roles"):
        tune(problem, budget=2, check=0, on="threads")
