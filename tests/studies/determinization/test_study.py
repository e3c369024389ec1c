"""The study of determinization: its plan, its numbers and its page."""

from collections import Counter

import pytest

from ludarium import catalog
from ludarium.arena import Store
from ludarium.arena.report.sheets import Share
from ludarium.core import BadParameter, Match, Rng
from ludarium.core.match import Terms, Turn
from ludarium.studies.determinization import figures, study, tables
from ludarium.studies.determinization import results as numbers
from tests.commands import run
from tests.studies.test_figures import labelled

SMALL = "battleship(width=4, height=4, fleet=(2, 2), placement='random')"


def held(name, scale=study.FULL_SCALE):
    return next(each for each in study.tournaments(scale) if each.name == name)


def test_everybody_meets_everybody_a_hundred_times_in_each_direction():
    plan = study.plan(study.FULL_SCALE)
    long = held("random x5").limit
    assert {pairing.matches for pairing in plan.pairings if pairing.terms.limit != long} == {100}
    assert {pairing.matches for pairing in plan.pairings if pairing.terms.limit == long} == {20}
    for name in ("random", "constraint", "heatmap", "heatmap-10", "constraint x5", "determinized"):
        tournament = held(name)
        found = Counter(
            pairing.agents for pairing in plan.pairings if str(pairing.terms.limit) == str(tournament.limit)
        )
        specs = [tuple(tournament.players[each] for each in seats) for seats in tournament.meetings()]
        assert len(specs) == 20
        assert all(found[each] == 1 for each in specs)


def test_only_tournaments_of_cheats_admit_them():
    plan = study.plan(study.FULL_SCALE)
    for pairing in plan.pairings:
        assert pairing.terms.cheating or not any("omniscient" in agent for agent in pairing.agents)
    assert sum(pairing.terms.cheating for pairing in plan.pairings) == 12 + 6
    assert [each.name for each in study.tournaments(study.FULL_SCALE) if each.cheating] == ["native", "cheats"]


def test_budgets_are_parts_of_the_usual_one_or_of_a_clock():
    assert [held(f"constraint{times}").limit.iterations for times in (" x0.1", " x0.5", "", " x5")] == [
        20,
        100,
        200,
        1000,
    ]
    assert held("native").limit.iterations == held("determinized").limit.iterations == 500
    clock = study.Scale(matches=1, budget_matches=1, long_matches=1, seconds=1.0)
    assert held("random x0.1", clock).limit.seconds == 0.1


@pytest.mark.parametrize("name", ["random", "constraint", "heatmap", "native", "determinized", "cheats", "ours"])
def test_players_are_agents_of_the_catalog(name):
    game = catalog.game(SMALL)
    for spec in held(name).players.values():
        assert catalog.agent(spec).seat(game, 0, Rng(0))


def test_only_battleship_without_placement_is_played():
    with pytest.raises(BadParameter, match="plays Battleship with random placement"):
        study.plan(study.QUICK, ["nim"])
    with pytest.raises(BadParameter, match="plays Battleship with random placement"):
        study.plan(study.QUICK, ["battleship"])
    with pytest.raises(BadParameter, match="one game at a time"):
        study.plan(study.QUICK, [SMALL, study.GAME])


def test_other_players_meet_those_that_look_one_step_ahead():
    plan = study.plan(study.QUICK, [SMALL], ["random"])
    assert {agents for pairing in plan.pairings for agents in pairing.agents} == {
        "random",
        *(catalog_name for name, catalog_name in held("ours").players.items() if name != study.OURS),
    }


def stored(path, *results):
    """A store with results of the constraint tournament: player, other, what the first won."""
    scale = study.Scale(matches=1, budget_matches=0, long_matches=0)
    players, limit = held("constraint", scale).players, held("constraint", scale).limit
    store = Store(path)
    store.begin(study.plan(scale, [SMALL]))
    for seed, (one, other, won) in enumerate(results):
        agents = (players[one], players[other])
        store.add(Match(game=SMALL, agents=agents, seed=seed, moves=(), length=20, utilities=(won, 1.0 - won),
                        terms=Terms(limit=limit)))  # fmt: skip
    return store


def test_whoever_was_met_counts_the_same_however_often(tmp_path):
    results = [("OSLA", "Random", 1.0)] * 6 + [("MAST", "OSLA", 1.0)] * 2
    with stored(tmp_path / "it.db", *results) as store:
        found = numbers.measure(store)
    osla = found.total("constraint")["OSLA"]
    assert (osla.games, osla.share) == (8, 0.5)
    assert found.against("constraint")["OSLA", "Random"].share == 1.0
    assert found.total("heatmap") == {}
    low, high = osla.interval
    assert low < 0.5 < high
    sheet = next(tables.sheets(found))
    assert [row[:5] for row in sheet.rows if row[0] == "OSLA"] == [("OSLA", None, 0.53, Share(0.5, 8), 0.87)]


def test_matches_that_somebody_dropped_out_of_do_not_count(tmp_path):
    with stored(tmp_path / "it.db", ("OSLA", "Random", 1.0)) as store:
        tournament = held("constraint", study.Scale(matches=1, budget_matches=0, long_matches=0))
        agents = (tournament.players["OSLA"], tournament.players["Random"])
        fault = Turn(ply=-1, role=0, move="", fault="crash")
        store.add(Match(game=SMALL, agents=agents, seed=99, moves=(), length=20, utilities=(0.0, 1.0), turns=(fault,),
                        faults=("it fell over",), terms=Terms(limit=tournament.limit)))  # fmt: skip
        assert numbers.measure(store).total("constraint")["OSLA"].share == 1.0


def test_copies_are_consistent_unless_they_ignore_what_was_seen(tmp_path):
    with stored(tmp_path / "it.db") as store:
        found = numbers.measure(store).copies
    assert all(each.fallbacks == 0 and each.attempts >= 2 for each in found)
    assert {each.consistent for each in found if each.strategy != "random"} == {1.0}
    assert min(each.consistent for each in found if each.strategy == "random") < 1.0


def test_the_study_runs_and_brings_its_page_up_to_date(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        study, "QUICK", study.Scale(matches=1, budget_matches=0, long_matches=0, iterations=10, ludii_iterations=10)
    )
    options = ("--quick", "--workers", 1, "--on", "threads", "--games", SMALL)
    done = run("study", "determinization", *options, "--page", "page.md")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("# Determinization")
    assert "| IS-MCTS |" in page
    for name in ("board", "belief", "strategies", "meetings", "margins", "costs", "native", "meetings-determinized"):
        assert (tmp_path / "page" / f"{name}.svg").exists()
    with Store("determinization-quick.db", readonly=True) as store:
        found = numbers.measure(store)
        matches = list(store.matches())
    assert all(labelled(each.draw()) for each in figures.drawings(found) if each.name not in ("board", "belief"))
    assert sum(counter.total() for counter in found.margins.values()) == 60
    assert all(1 <= left <= 4 for counter in found.margins.values() for left in counter)
    assert len(matches) == 60 + 12 + 20 + 6 + 4 - 12  # four players meet in two tournaments
