import pytest

from ludarium import agent, catalog, game
from ludarium.agents.omniscient import Omniscient
from ludarium.arena import Store, play, round_robin, run
from ludarium.arena.plan.check import PlanError
from ludarium.arena.plan.file import read
from ludarium.arena.play import contest
from ludarium.arena.position import Position
from ludarium.arena.record import from_json, to_json, to_text
from ludarium.core import BadParameter, Limit, Rng
from ludarium.core.match import Terms

CHEAT = "omniscient(inner=flat)"
ALLOWED = Terms(limit=Limit(iterations=30), cheating=True)


def test_it_wins_where_it_would_not_if_it_were_fair():
    """A guesser of hidden fleets that sees them never misses."""
    ships = game("battleship(width=4, height=4, fleet=(2, 2), placement='random')")
    match = play(ships, [agent("omniscient(inner=osla)"), agent("random")], iterations=100, seed=3, cheating=True)
    assert match.utilities == (1.0, 0.0)
    assert len(match.moves) == 7  # four shots, and three in between


def test_no_match_admits_it_unless_that_is_allowed():
    poker = game("kuhn-poker")
    agents = [agent(CHEAT), agent("random")]
    for refused in (lambda: play(poker, agents), lambda: contest(poker, agents, Terms(), 1)):
        with pytest.raises(
            BadParameter, match=r"omniscient\(inner=flat\) sees what kuhn-poker hides: only a match with"
        ):
            refused()
    assert contest(poker, agents, ALLOWED, 1).faults == ()


def test_whoever_holds_no_match_shows_it_nothing():
    position = Position(game("kuhn-poker"), 1)
    player = agent(CHEAT).seat(position.game, 0, Rng(1))
    with pytest.raises(BadParameter, match="was not shown what kuhn-poker hides"):
        player.choose(position.information_set(0), Limit(iterations=5).start())


def test_one_look_is_good_for_one_decision():
    position = Position(game("kuhn-poker"), 1)
    player = agent(CHEAT).seat(position.game, 0, Rng(1))
    player.peek(position.state)
    assert player.choose(position.information_set(0), Limit(iterations=5).start()).note == "cheating"
    with pytest.raises(BadParameter):
        player.choose(position.information_set(0), Limit(iterations=5).start())


def test_inside_another_agent_it_sees_nothing():
    """Only who sits in the match is shown the state; what is wrapped gets imagined states, as all others do."""
    wrapped = agent(f"determinized(inner={CHEAT}, samples=3)")
    fair = agent("determinized(inner=flat, samples=3)")
    for seed in range(3):
        found = [
            play(game("leduc-poker"), [each, agent("random")], iterations=30, seed=seed) for each in (wrapped, fair)
        ]
        assert found[0].turns == found[1].turns


def test_where_nothing_is_hidden_it_is_the_inner_agent():
    for seed in range(2):
        cheat, plain = (
            play(game("tic-tac-toe"), [agent(name), agent("random")], iterations=40, seed=seed, cheating=True).turns
            for name in ("omniscient(inner=uct)", "uct")
        )
        assert cheat == plain


def test_the_catalog_makes_it_but_does_not_list_it():
    assert agent("omniscient") == Omniscient()
    assert agent("omniscient(inner=uct(c=1))").inner.c == 1
    assert "omniscient" not in catalog.AGENTS
    with pytest.raises(BadParameter, match="no parameter 'iner'; it has inner"):
        agent("omniscient(iner=uct)")
    with pytest.raises(BadParameter, match="expected an agent"):
        Omniscient(inner="uct")


def test_a_plan_says_that_cheating_is_allowed_and_the_results_are_marked(tmp_path):
    words = (
        f'kind = "round-robin"\ngames = ["kuhn-poker"]\nagents = ["{CHEAT}", "random"]\nmatches = 1\niterations = 20\n'
    )
    with pytest.raises(
        PlanError, match=r"line 3: omniscient\(inner=flat\) sees what is hidden: only a plan with cheating"
    ):
        read(words)
    with pytest.raises(PlanError, match="line 6: cheating is 1; expected true or false"):
        read(words + "cheating = 1")
    plan = read(words + "cheating = true")
    assert plan == round_robin(["kuhn-poker"], [agent(CHEAT), "random"], matches=1, iterations=20, cheating=True)
    with Store(tmp_path / "cheats.db") as store:
        run(plan, store)
        matches = list(store.matches())
    assert [match.faults for match in matches] == [(), ()]
    for match in matches:
        assert match.terms.cheating
        assert CHEAT in match.agents
        assert "cheating: allowed" in to_text(match)
        assert from_json(to_json(match)).terms.cheating


def test_fair_plans_are_called_as_before():
    fair = round_robin(["nim"], ["flat", "random"], matches=1)
    assert fair.pairings[0].key == round_robin(["nim"], ["flat", "random"], matches=1, cheating=False).pairings[0].key
    assert fair.pairings[0].key != round_robin(["nim"], ["flat", "random"], matches=1, cheating=True).pairings[0].key
