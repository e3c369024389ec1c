"""Matches in the games for evaluation, and the tables that are made of them."""

from dataclasses import replace
from itertools import combinations

import pytest

from ludarium import catalog
from ludarium.core import BadParameter, Limit, describe
from ludarium.hyper.models.tables import join
from ludarium.hyper.shipped import paths
from ludarium.studies.hyper_agents import contest
from ludarium.studies.hyper_agents.contest import Row, pairings, read, rows_of, shipped, unlike, write
from ludarium.studies.hyper_agents.contest_tables import PRINTED, PRINTED_T, tables
from ludarium.studies.hyper_agents.measuring import measure
from ludarium.studies.hyper_agents.names import plain, without

GAMES = {"Tic Tac Toe": "tic-tac-toe", "Nim": "nim", "Goofspiel": "goofspiel"}
PLAYERS = {
    "random": "random", "uct": "uct", "alphabeta, own heuristic": "alphabeta", "portfolio, our matches": "portfolio",
    "parallel ensemble": "ensemble(agents=[uct, alphabeta, mast], parallel=True)",
}  # fmt: skip
SCALE = replace(contest.SCALE, matches=2, forward_calls=60, move_limit=40)


def test_in_a_parallel_ensemble_every_agent_has_the_work_of_a_whole_move():
    made = describe(catalog.agent(PLAYERS["parallel ensemble"]))
    (here,) = pairings("tic-tac-toe", catalog.game("tic-tac-toe"), SCALE, [made])
    assert here.terms.limit == Limit(forward_calls=180)
    assert here.agents == (made, "limited(forward_calls=60)")
    (there,) = pairings("goofspiel", catalog.game("goofspiel"), SCALE, [made])
    assert there.terms.limit == Limit(forward_calls=120), "alphabeta cannot play goofspiel"
    (alone,) = pairings("tic-tac-toe", catalog.game("tic-tac-toe"), SCALE, ["uct"])
    assert (alone.terms.limit, alone.agents) == (Limit(forward_calls=60), ("uct", "uct"))


def test_matches_become_rows_and_rows_become_tables(tmp_path, monkeypatch):
    monkeypatch.setattr(contest, "PLAYERS", PLAYERS)
    monkeypatch.setattr(contest, "named_games", lambda _: GAMES)
    store, file = tmp_path / "contest.db", tmp_path / "contest.csv"
    measure(SCALE, store, lambda _: None, list(GAMES.values()), list(PLAYERS.values()), pairings=pairings)
    rows = rows_of(tmp_path, store)
    write(file, rows)
    assert read(file) == rows
    found = {(row.game, row.agent): row for row in rows}
    assert len(found) == len(GAMES) * len(PLAYERS)
    assert all(len(row.outcomes) == 2 for row in rows if row.game != "Goofspiel")
    assert found["Goofspiel", "alphabeta, own heuristic"].outcomes == (), "it cannot play it"
    assert (
        found["Nim", "portfolio, our matches"].sent in contest.PLAYERS.values()
        or found["Nim", "portfolio, our matches"].sent
    )
    assert found["Nim", "uct"].sent == ""
    (standings, pairs), told = tables(rows)
    lines = {line[0]: line for line in standings.rows}
    assert lines["uct"][1] == 46.70
    assert lines["alphabeta, own heuristic"][5:] == (2, 6), "who cannot play a game has lost it"
    assert {line[:2] for line in pairs.rows} >= {("uct", "random"), ("portfolio, our matches", "uct")}
    assert "portfolio, our matches won" in told[0]


def test_matches_go_on_behind_results_from_before(tmp_path, monkeypatch):
    players = {name: PLAYERS[name] for name in ("random", "uct", "portfolio, our matches")}
    monkeypatch.setattr(contest, "PLAYERS", players)
    monkeypatch.setattr(contest, "named_games", lambda _: GAMES)
    monkeypatch.setattr(contest, "_learn", lambda *_: None)
    at_once, later = tmp_path / "once.db", tmp_path / "later.db"
    contest.contest(tmp_path, at_once, lambda _: None, SCALE, players=list(players))
    whole = rows_of(tmp_path, at_once)
    before = [row._replace(outcomes=row.outcomes[:1]) for row in whole if row.game != "Nim"]
    contest.contest(tmp_path, later, lambda _: None, SCALE, before=before, players=["random", "uct"])
    found = {(row.game, row.agent): row for row in rows_of(tmp_path, later, before)}
    assert {game for game, _ in found} == {"Tic Tac Toe", "Goofspiel"}, "other games are not begun"
    for row in whole:
        if row.game != "Nim":
            count = 1 if row.agent == "portfolio, our matches" else 2
            assert found[row.game, row.agent] == row._replace(outcomes=row.outcomes[:count])


def test_a_game_does_not_count_before_all_have_played_it(tmp_path, monkeypatch):
    monkeypatch.setattr(contest, "PLAYERS", PLAYERS)
    monkeypatch.setattr(contest, "named_games", lambda _: GAMES)
    store = tmp_path / "contest.db"
    measure(SCALE, store, lambda _: None, ["nim"], ["random", "uct"], pairings=pairings)
    assert rows_of(tmp_path, store) == []


def test_the_game_is_the_unit():
    rows = [
        Row(game, 2, agent, "", outcomes)
        for game, better, worse in (("a", (1, 1), (1, 0)), ("b", (1, 0), (1, 0)), ("c", (1, 1), (0, 0)))
        for agent, outcomes in (("portfolio, our matches", better), ("uct", worse))
    ]
    (standings, pairs), told = tables(rows)
    assert [line[2] for line in standings.rows] == pytest.approx([250 / 3, 100 / 3])
    (line,) = [line for line in pairs.rows if line[0] == "portfolio, our matches"]
    assert line[3] == pytest.approx(50)
    assert line[5] == pytest.approx(1.7320508)  # of 50, 0 and 100 points
    assert "+50.0 points, 95 % interval -74.2 to +174.2 over games" in told[0]
    assert tables([]) == ([], [])


def test_the_printed_table_agrees_with_itself():
    assert set(PRINTED_T) <= {pair for both in combinations(PRINTED, 2) for pair in (both, both[::-1])}
    for (one, other), t in PRINTED_T.items():
        assert (t > 0) == (PRINTED[one] > PRINTED[other])


def test_models_have_not_seen_what_is_alike():
    table = join(*paths())
    kept = unlike(table, ["lud:hex", "gomoku"])
    assert {"lud:hex", "gomoku"} <= set(table.games) - set(kept.games)
    assert len(kept.games) > len(table.games) / 2
    assert "lud:hex" not in without(table, ["Hex"]).games
    assert plain("lud:board/race/reach/Chong (Sakhalin).lud") == plain("Chong Sakhalin") == "chongsakhalin"


def test_bad_results_are_told_with_their_place(tmp_path):
    file = tmp_path / "contest.csv"
    file.write_text("game,agent\n")
    with pytest.raises(BadParameter, match=r"contest.csv:1: expected the columns game,roles"):
        read(file)
    write(file, [Row("a", 2, "uct", "", (1.0,))])
    file.write_text(file.read_text() + "b,2,uct\n")
    with pytest.raises(BadParameter, match=r"contest.csv:3: expected a game"):
        read(file)
    write(file, [Row("a", 2, "uct", "", (2.0,))])
    with pytest.raises(BadParameter, match="an outcome is a number from 0 to 1"):
        read(file)
    with pytest.raises(BadParameter, match="cannot read"):
        read(tmp_path / "none.csv")


def test_the_results_that_come_along_are_of_the_agents_that_play():
    rows = read(shipped())
    assert {row.agent for row in rows} == set(contest.PLAYERS)
    assert all(row.outcomes for row in rows if row.agent in ("random", "uct"))
    sheets, told = tables(rows)
    assert [sheet.name for sheet in sheets] == ["evaluation", "sent", "comparisons"]
    assert len(told) == 5
