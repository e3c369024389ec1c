import sys
from functools import partial

import pytest

from ludarium import agent, catalog, game, play
from ludarium.core import BadParameter, Budget, Decision, Limit, Rng, UnsupportedGame, describe
from ludarium.hyper.models.methods import NoLearning
from ludarium.hyper.models.model import train
from ludarium.hyper.models.store import BadModel, save
from ludarium.hyper.portfolio import Portfolio
from ludarium.hyper.weighted import WeightedEnsemble
from ludarium.testing import BRIEF, check_agent
from tests.agents.positions import after, decide, facing
from tests.commands import run
from tests.hyper.tables import table
from tests.hyper.test_ensemble import Failing, Fixed

AGENTS = "agents=[uct, grave, alphabeta]"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "model.zip"
    save(train(table()), path)
    return str(path)


def specs(model):
    return [
        f"portfolio(model='{model}', {AGENTS})",
        f"weighted-ensemble(model='{model}', {AGENTS})",
        f"weighted-ensemble(model='{model}', {AGENTS}, parallel=True, graded=True)",
        f"portfolio(model='{model}', {AGENTS}, race=True, race_forward_calls=3000)",
    ]


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize(
    "name", ["tic-tac-toe", "kuhn-poker", "goofspiel", "gdl:tic-tac-toe", "lud:hex(options='Size/5x5')", "nim"]
)
def test_they_keep_their_promises(place, name, model):
    (checked,) = check_agent(catalog.agent(specs(model)[place]), [partial(catalog.game, name)], effort=BRIEF)
    assert checked.supported


def test_a_portfolio_sends_the_best_that_can_play_and_says_why(model):
    connect_four = game("connect-four")
    made = decide(agent(specs(model)[0]), after(connect_four, ""), iterations=60)
    assert made.note.startswith("sent ")
    assert "% in all games" in made.note
    assert "expected: " in made.note
    assert "nearest game game " in made.note


def test_whoever_cannot_play_is_left_out_with_a_note(model):
    hidden = game("goofspiel")  # no turns, so no alpha-beta
    player = agent(f"portfolio(model='{model}', agents=[alphabeta, uct])").seat(hidden, 0, Rng(1))
    assert "sent uct" in player.because
    with pytest.raises(UnsupportedGame, match="alphabeta"):
        agent(f"portfolio(model='{model}', agents=[alphabeta])").seat(hidden, 0, Rng(1))


def test_votes_have_the_weights_that_the_model_says(model):
    at = after(game("connect-four"), "")
    made = decide(agent(specs(model)[1]), at, iterations=90)
    assert len(made.votes) == 3
    assert "votes; weights: " in made.note


def test_the_vote_goes_on_without_those_that_fail(model, monkeypatch):
    at = facing(after(game("connect-four"), ""))
    player = agent(specs(model)[1]).seat(at.game, at.role, Rng(1))
    failing = Failing().seat(at.game, at.role, Rng(1))
    voters = list(player.voters)
    player.voters = (type(voters[0])(voters[0].name, failing, 1000.0), *voters[1:])
    made = player.choose(at, Limit(iterations=60).start())
    assert isinstance(made, Decision)
    assert "did not vote: RuntimeError: no idea" in made.note


def test_a_heavy_vote_beats_two_light_ones(model):
    at = facing(after(game("connect-four"), ""))
    player = agent(specs(model)[1]).seat(at.game, at.role, Rng(1))
    voter = type(player.voters[0])
    for heavy, winner in ((3.0, 0), (1.5, 4)):
        player.voters = (voter("a", Fixed(0), heavy), voter("b", Fixed(4), 1.0), voter("c", Fixed(4), 1.0))
        assert player.choose(at, Budget(Limit(iterations=9))).move == at.legal[winner]


def test_they_play_a_whole_match(model):
    played = play("tic-tac-toe", [specs(model)[0], specs(model)[1]], iterations=40, seed=2)
    assert sum(played.utilities) == 1
    assert play("tic-tac-toe", [specs(model)[0], specs(model)[1]], iterations=40, seed=2) == played


@pytest.mark.parametrize("kind", [Portfolio, WeightedEnsemble])
def test_models_that_cannot_be_used_are_named(kind):
    with pytest.raises(BadParameter, match="expected the name of a file"):
        kind(model=3)
    with pytest.raises(BadModel, match=r"nowhere.zip cannot be used as a model: there is no such file"):
        kind(model="nowhere.zip").seat(game("nim"), 0, Rng(1))
    with pytest.raises(BadParameter, match="one or more agents"):
        kind(agents=())
    with pytest.raises(BadParameter, match=r"the model that ships with Ludarium knows nothing of flat"):
        kind(agents=(agent("flat"),)).seat(game("nim"), 0, Rng(1))


@pytest.mark.parametrize("kind", [Portfolio, WeightedEnsemble])
def test_one_agent_is_enough(kind):
    made = decide(kind(agents=(agent("uct"),)), after(game("connect-four"), ""), iterations=20)
    assert "uct" in made.note


@pytest.mark.parametrize("sent", ["uct", "grave", "alphabeta"])
def test_reasons_are_about_whom_it_sends_and_forecasts_about_the_list(sent, model):
    note = agent(f"portfolio(model='{model}', agents=[{sent}])").seat(game("connect-four"), 0, Rng(1)).because
    assert note.startswith(f"sent {sent}; {sent} scores ")
    weighted = agent(f"weighted-ensemble(model='{model}', agents=[{sent}])").seat(game("connect-four"), 0, Rng(1))
    for told in (note, weighted.because):
        assert f"{sent} scores " in told
        assert not any(f"{other} " in told for other in {"uct", "grave", "alphabeta"} - {sent})


@pytest.mark.parametrize("winner", range(3))
def test_reasons_are_about_the_winner_of_a_race(winner, model, monkeypatch):
    def won(racers, *_, **__):
        return [racers[winner], *(each for each in racers if each is not racers[winner])]

    monkeypatch.setattr("ludarium.hyper.portfolio.race", won)
    player = agent(specs(model)[3]).seat(game("connect-four"), 0, Rng(1))
    assert f"; {describe(player.sent)} scores " in player.because


def test_agents_that_the_model_does_not_know_are_named(model):
    with pytest.raises(BadParameter, match=r"knows nothing of flat; it knows uct, grave, alphabeta"):
        agent(f"portfolio(model='{model}', agents=[uct, flat])").seat(game("nim"), 0, Rng(1))


def test_without_skops_the_message_says_what_to_install(model, monkeypatch):
    from ludarium.hyper.models import store

    store._kept.cache_clear()
    monkeypatch.setitem(sys.modules, "skops.io", None)
    with pytest.raises(NoLearning, match=r'pip install "ludarium\[hyper\]"'):
        agent(specs(model)[0]).seat(game("nim"), 0, Rng(1))


def test_a_race_begins_without_scores_where_a_classifier_expects_none(tmp_path):
    path = tmp_path / "tree.zip"
    save(train(table(), learns="tree"), path)
    spec = f"portfolio(model='{path}', {AGENTS}, race=True, race_forward_calls=2000)"
    assert agent(spec).seat(game("tic-tac-toe"), 0, Rng(1)).because.count("50 % expected") == 3


def test_think_tells_whom_it_sent(model):
    shown = " ".join(run("think", "connect-four", "--agent", specs(model)[0], "--iterations", "40").output.split())
    assert "sent " in shown
    assert "nearest game" in shown


def test_descriptions_are_read_back(model):
    for spec in specs(model):
        assert describe(agent(describe(agent(spec)))) == describe(agent(spec))
