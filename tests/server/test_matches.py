"""Matches held by a server, without HTTP: people and agents, clocks, taking back, and who may see what."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from ludarium.catalog import game
from ludarium.core import GameError, IllegalMove, Limit
from ludarium.server.errors import Forbidden, Full, Late, Refused, Unknown
from ludarium.server.matches.held import HeldMatch
from ludarium.server.matches.records import read, record, saved
from ludarium.server.matches.room import Room
from ludarium.server.matches.seats import seat
from ludarium.server.matches.views import thoughts, view

FEW = Limit(iterations=50)


@pytest.fixture
def room():
    made = Room()
    yield made
    made.close()


def opened(room, name, *seats, **more):
    return room.open(game(name), [seat(each, FEW) for each in seats], **{"seed": 3, **more})


def test_a_person_and_an_agent_take_turns_to_the_end(room):
    match = opened(room, "tic-tac-toe", "human", "uct")
    while not match.over:
        assert match.wait(lambda m: m.over or m.movers == (0,))
        if not match.over:
            match.move(0, match.position.state.legal(0)[0])
    kept = record(match)
    assert len(kept.moves) == len(match.plies) >= 5
    assert kept.utilities == match.position.state.utilities()
    assert view(match)["result"]


def test_the_same_seed_is_the_same_match(room):
    first, second = (opened(room, "connect-four", "uct", "flat") for _ in range(2))
    assert first.wait(lambda m: m.over)
    assert second.wait(lambda m: m.over)
    assert record(first).moves == record(second).moves


def test_moves_out_of_turn_illegal_late_or_for_others_are_refused(room):
    match = opened(room, "tic-tac-toe", "human", "human")
    with pytest.raises(Late, match="o is not to move"):
        match.move(1, 0)
    with pytest.raises(Refused, match="not legal"):
        match.move(0, 99)
    match.move(0, match.game.parse("b2"), ply=0)
    with pytest.raises(Late, match="ply 1, but the match is at ply 2"):
        match.move(1, match.game.parse("a1"), ply=0)
    with pytest.raises(Refused, match="'b2' is not legal for o"):
        match.move(1, match.game.parse("b2"))
    with_agent = opened(room, "tic-tac-toe", "uct", "human", paused=True)
    with pytest.raises(Refused, match="played by uct"):
        with_agent.move(0, 0)


def test_taking_back_goes_to_the_last_own_move_and_agents_answer_as_before(room):
    match = opened(room, "connect-four", "human", "uct")
    match.move(0, match.game.parse("d"))
    assert match.wait(lambda m: m.movers == (0,))
    reply = match.plies[1].moves
    match.take_back(0)
    assert not match.plies
    assert match.movers == (0,)
    match.move(0, match.game.parse("d"))
    assert match.wait(lambda m: m.movers == (0,) and len(m.plies) == 2)
    assert match.plies[1].moves == reply
    match.take_back(0)
    with pytest.raises(Refused, match="nothing to take back"):
        match.take_back(0)


def test_what_an_agent_answers_after_its_question_was_taken_back_does_not_count():
    class Slow:
        def __init__(self):
            self.jobs = []

        def submit(self, function, *given):
            self.jobs.append(lambda: function(*given))

    pool = Slow()
    match = HeldMatch(game("connect-four"), [seat("human"), seat("uct", FEW)], pool, seed=1).begin()
    match.move(0, 3)
    assert match.thinking == (1,)
    match.take_back(0)
    pool.jobs.pop()()
    assert not match.plies
    assert match.thinking == ()


def test_people_who_move_at_once_do_not_see_each_others_choice(room):
    match = opened(room, "goofspiel", "human", "human")
    keys = [each.key for each in match.seats]
    match.move(0, match.game.parse("7"))
    seen = view(match, [keys[1]])
    assert seen["ply"] == 0
    assert seen["to_choose"] == ["second"]
    with pytest.raises(Late, match="has chosen already"):
        match.move(0, match.game.parse("8"))
    match.move(1, match.game.parse("3"))
    assert len(match.plies) == 1


def test_a_person_sees_only_what_the_role_sees_and_a_watcher_no_secret(room):
    match = opened(room, "leduc-poker", "human", "human")
    mine = view(match, [match.seats[0].key])
    yours = view(match, [match.seats[1].key])
    nobody = view(match)
    assert mine["svg"] != yours["svg"]
    assert mine["svg"].count("stroke-dasharray") == 2  # the other card, and that of all
    assert "when the match is over" in nobody["svg"]
    assert list(mine["moves"]) == ["first"]
    assert not yours["moves"]
    assert not nobody["moves"]
    assert mine["seed"] is None  # it tells the deal
    with pytest.raises(Forbidden):
        view(match, [match.seats[0].key], role=1)
    with pytest.raises(Forbidden, match="when it is over"):
        saved(match, "json")
    while not match.over:
        role = match.movers[0]
        match.move(role, match.position.state.legal(role)[0])
    assert view(match)["seed"] == 3
    assert read(saved(match, "json")[0]).moves == record(match).moves


def test_what_others_did_out_of_sight_is_not_in_the_history(room):
    match = opened(room, "battleship", "human", "human")
    match.move(0, match.game.parse("a1-e1"))
    theirs = view(match, [match.seats[1].key])["history"][0]["moves"][0]["notation"]
    assert theirs == "…"
    assert view(match, [match.seats[0].key])["history"][0]["moves"][0]["notation"] == "a1-e1"


def test_what_agents_think_is_no_help_to_those_who_play_against_them(room):
    match = opened(room, "kuhn-poker", "ismcts", "human")
    assert match.wait(lambda m: m.movers == (1,))
    with pytest.raises(Forbidden, match="once the match is over"):
        thoughts(match, 0)
    match.move(1, match.position.state.legal(1)[0])
    assert match.wait(lambda m: m.over)
    (thought,) = thoughts(match, 0)
    assert thought["iterations"] == 50
    assert sum(each["visits"] for each in thought["moves"]) > 0


def test_agents_wait_while_paused_and_step_once(room):
    match = opened(room, "tic-tac-toe", "random", "random", paused=True)
    assert not match.thinking
    match.step()
    assert match.wait(lambda m: len(m.plies) == 1)
    match.step()
    assert match.wait(lambda m: len(m.plies) == 2 and not m.thinking)
    match.pause(paused=False)
    assert match.wait(lambda m: m.over)
    with pytest.raises(Late):
        match.step()


def test_a_person_whose_clock_runs_out_has_a_move_drawn(room):
    match = room.open(game("tic-tac-toe"), [seat("human", seconds=1), seat("human")], seed=1)
    assert match.wait(lambda m: len(m.plies) == 1)
    assert "timeout" in match.plies[0].faults[0]
    assert match.movers == (1,)


def test_an_agent_that_cannot_play_a_game_is_a_message_and_not_the_end(room):
    match = opened(room, "rock-paper-scissors", "alphabeta", "human")
    assert match.wait(lambda m: bool(m.message))
    assert "alphabeta" in match.message
    assert match.paused


def test_seats_are_checked():
    for spec, told in (("my/bots.py:Bold", "from the list"), ("os:system", "from the list")):
        with pytest.raises(Refused, match=told):
            seat(spec)
    with pytest.raises(Refused, match="1 to 86400 seconds"):
        seat("human", seconds=0)
    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(Refused, match="2 roles .*1 seats"):
            HeldMatch(game("nim"), [seat("uct")], pool)
        with pytest.raises(Refused, match="sees what is hidden"):
            HeldMatch(game("kuhn-poker"), [seat("omniscient(inner=uct)"), seat("uct")], pool)
        with pytest.raises(IllegalMove):
            HeldMatch(game("nim"), [seat("uct"), seat("uct")], pool, moves="9 from z")


def test_listeners_are_told_until_they_leave(room):
    match, heard = opened(room, "tic-tac-toe", "human", "human"), []
    leave = match.listen(lambda: heard.append(len(match.plies)))
    match.move(0, 0)
    leave()
    match.move(1, 1)
    assert heard == [1]


def test_a_room_lets_go_of_what_nobody_watches_and_keeps_what_is_watched():
    room = Room(most=2, forgotten=1e9)
    first = opened(room, "tic-tac-toe", "human", "human")
    second = opened(room, "tic-tac-toe", "human", "human")
    first.listen(lambda: None)
    third = opened(room, "tic-tac-toe", "human", "human")
    assert room.matches() == [third, first]
    assert second.closed
    with pytest.raises(Unknown):
        room.match(second.id)
    third.listen(lambda: None)
    with pytest.raises(Full):
        opened(room, "tic-tac-toe", "human", "human")
    room.close()


def test_what_nobody_has_looked_at_for_long_makes_room_for_the_next():
    room = Room(forgotten=0.0)
    forgotten = opened(room, "tic-tac-toe", "human", "human")
    watched = opened(room, "tic-tac-toe", "human", "human")
    assert room.matches() == [watched]
    assert forgotten.closed
    watched.listen(lambda: None)
    third = opened(room, "tic-tac-toe", "human", "human")
    assert room.matches() == [third, watched]
    room.close()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"game": 3}', '{"states": []}', "nonsense", '{"moves": "a"}'])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(Refused):
        read(text)


def test_a_match_is_saved_for_the_game_playing_servers_and_read_back(room):
    match = opened(room, "tic-tac-toe", "random", "random")
    assert match.wait(lambda m: m.over)
    text, kind = saved(match, "ggp")
    assert kind == "application/json"
    assert read(text, match.game).moves == record(match).moves
    assert "game: tic-tac-toe" in saved(match, "text")[0]
    with pytest.raises(Refused, match="json, text, ggp"):
        saved(match, "exe")


def test_the_seed_is_not_told_where_it_would_give_something_away(room):
    hiding = opened(room, "battleship", "human", "random", paused=True)
    assert hiding.game.traits.deterministic
    assert view(hiding)["seed"] is None
    chancy = opened(room, "goofspiel", "human", "random", paused=True)
    assert view(chancy)["seed"] is None
    with pytest.raises(Forbidden, match="what chance will do"):
        saved(chancy, "json")
    assert view(opened(room, "tic-tac-toe", "human", "human"))["seed"] == 3


def test_people_at_one_page_do_not_read_each_others_secrets_in_the_history(room):
    match = opened(room, "battleship", "human", "human")
    keys = [each.key for each in match.seats]
    for role in (0, 1):
        match.move(role, match.position.state.legal(role)[0])
    told = view(match, keys)
    shown = {each["role"]: each["notation"] for ply in told["history"] for each in ply["moves"]}
    assert shown[told["eyes"]] != "…"
    assert [text for role, text in shown.items() if role != told["eyes"]] == ["…"]


def test_what_was_seen_at_the_end_is_not_played_again(room):
    match = opened(room, "kuhn-poker", "human", "human")
    while not match.over:
        (role,) = match.movers
        match.move(role, match.position.state.legal(role)[0])
    with pytest.raises(Late, match="what was hidden has been seen"):
        match.take_back(0)


def test_a_game_that_breaks_stops_its_match_and_says_so(room, monkeypatch):
    match = opened(room, "tic-tac-toe", "human", "uct")

    def broken(moves):
        raise GameError("game 'x' breaks its promises")

    monkeypatch.setattr(match.position, "play", broken)
    told = []
    match.listen(lambda: told.append(match.message))
    match.move(0, match.game.parse("b2"))
    assert told == ["tic-tac-toe cannot go on: game 'x' breaks its promises"]
    assert match.paused


def test_keys_of_any_letters_open_nothing(room):
    match = opened(room, "tic-tac-toe", "human", "human")
    assert match.roles_of(["schlüssel", "\ud800", ""]) == ()
    assert match.roles_of([match.seats[1].key]) == (1,)
