"""The interface for programs, by FastAPI's test client: the real application with real games and agents."""

import json

import pytest
from fastapi.testclient import TestClient
from matplotlib.figure import Figure
from starlette.websockets import WebSocketDisconnect

from ludarium.arena import round_robin, run
from ludarium.arena.report.figures import Drawing
from ludarium.server.api import make_app
from ludarium.server.guard import Guard
from ludarium.server.hall import Hall
from ludarium.studies.page import Findings, write

API = "/api/v1"
RULES = """(role x) (init (p 0)) (succ 0 1) (succ 1 2)
(<= (legal x (go ?n)) (true (p ?m)) (succ ?m ?n))
(<= (next (p ?n)) (does x (go ?n)))
(<= terminal (true (p 2)))
(goal x 100)
"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    (folder / "steps.kif").write_text(RULES)
    (folder.parent / "outside.kif").write_text(RULES)
    (folder / "link.kif").symlink_to(folder.parent / "outside.kif")
    made = Hall([folder])
    yield made
    made.close()


@pytest.fixture(scope="module")
def client(hall):
    with TestClient(Guard(make_app(hall)), base_url="http://localhost") as made:
        yield made


def begun(client, game="tic-tac-toe", seats=("human", "human"), **more):
    wanted = {"game": game, "seats": [{"agent": each, "iterations": None if each == "human" else 30} for each in seats]}
    answer = client.post(f"{API}/matches", json={**wanted, "seed": 5, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_games_are_listed_and_searched(client):
    names = [each["name"] for each in client.get(f"{API}/games").json()]
    assert {"connect-four", "hnefatafl", "lud:hex", "file:0/steps.kif"} <= set(names)
    assert "file:0/link.kif" not in names  # it leads out of the folder
    found = client.get(f"{API}/games", params={"search": "four line"}).json()
    assert "connect-four" in [each["name"] for each in found]


def test_a_game_tells_its_roles_and_is_drawn(client):
    told = client.get(f"{API}/game", params={"name": "kuhn-poker"}).json()
    assert told["roles"] == ["first", "second"]
    assert told["traits"]["perfect_information"] is False
    assert client.get(f"{API}/picture", params={"name": "tic-tac-toe"}).text.startswith("<svg")


def test_agents_tell_their_parameters(client):
    agents = {each["name"]: each for each in client.get(f"{API}/agents").json()}
    uct = {each["name"]: each for each in agents["uct"]["parameters"]}
    assert uct["c"]["kind"] == "number"
    assert uct["c"]["about"]
    assert "human" not in agents
    assert "omniscient" not in agents


def test_a_match_is_played_by_two_programs(client):
    made = begun(client)
    path = f"{API}/matches/{made['id']}"
    for number, text in enumerate(["a1", "b1", "a2", "b2", "a3"]):
        key = made["keys"]["xo"[number % 2]]
        answer = client.post(f"{path}/moves", json={"key": key, "move": text, "ply": number})
        assert answer.status_code == 200, answer.text
    told = client.get(path).json()
    assert told["over"]
    assert told["result"] == "x wins"
    assert told["utilities"] == [1.0, 0.0]
    record = client.get(f"{path}/record").text
    assert json.loads(record)["moves"] == ["a1", "b1", "a2", "b2", "a3"]
    again = client.post(f"{API}/matches/load", json={"record": record})
    assert again.status_code == 201
    assert again.json()["match"]["ply"] == 5
    ggp = client.get(f"{path}/record", params={"form": "ggp"}).text
    assert client.post(f"{API}/matches/load", json={"record": ggp, "game": "tic-tac-toe"}).status_code == 201


def test_a_match_is_saved_and_loaded_as_a_trial_of_ludii(client):
    made = begun(client, "lud:tic-tac-toe", ["human", "human"])
    path = f"{API}/matches/{made['id']}"
    for number, move in enumerate(["add a1", "add b1", "add a2"]):
        role = list(made["keys"])[number % 2]
        client.post(f"{path}/moves", json={"key": made["keys"][role], "move": move})
    trial = client.get(f"{path}/record", params={"form": "trial"}).text
    assert trial.startswith("game=/lud/")
    again = client.post(f"{API}/matches/load", json={"record": trial})
    assert again.status_code == 201
    assert again.json()["match"]["ply"] == 3
    wrong = client.post(f"{API}/matches/load", json={"record": trial, "game": "lud:hex"})
    assert wrong.status_code == 400
    assert "does not play as" in wrong.json()["detail"]
    refused = client.get(f"{API}/matches/{begun(client)['id']}/record", params={"form": "trial"})
    assert refused.status_code == 400
    assert ".lud" in refused.json()["detail"]


def test_a_match_of_an_upload_is_loaded_while_the_rules_are_here(client):
    spec = client.post(f"{API}/games", json={"name": "steps.kif", "text": RULES}).json()["game"]
    made = begun(client, spec, ["human"])
    path = f"{API}/matches/{made['id']}"
    client.post(f"{path}/moves", json={"key": made["keys"]["x"], "move": "(go 1)"})
    record = client.get(f"{path}/record").text
    again = client.post(f"{API}/matches/load", json={"record": record})
    assert again.status_code == 201
    assert again.json()["match"]["ply"] == 1


@pytest.mark.parametrize(
    ("sent", "status", "told"),
    [
        ({"move": "b2"}, 422, ""),
        ({"key": "wrong", "move": "b2"}, 403, "no seat"),
        ({"key": "x", "move": "z9"}, 400, "z9"),
        ({"key": "x", "move": "b2", "ply": 7}, 409, "ply 8"),
        ({"key": "o", "move": "b2"}, 409, "not to move"),
        ({"key": "x", "move": "b2", "more": 1}, 422, ""),
        ({"key": "x", "move": "b" * 2000}, 422, ""),
    ],
)
def test_moves_that_are_wrong_are_told_why(client, sent, status, told):
    made = begun(client)
    if sent.get("key") in made["keys"]:
        sent = {**sent, "key": made["keys"][sent["key"]]}
    answer = client.post(f"{API}/matches/{made['id']}/moves", json=sent)
    assert answer.status_code == status
    assert told in answer.text
    assert client.get(f"{API}/matches/{made['id']}").json()["ply"] == 0


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ({"game": "no-such-game"}, "no-such-game"),
        ({"game": "ludarium.games.nim:nim"}, "is no name"),
        ({"game": "../../etc/passwd"}, "is no name"),
        ({"game": "/etc/hostname.kif"}, "is no name"),
        ({"game": "outside.kif"}, "is a file"),
        ({"game": "file:0/../outside.kif"}, "leaves the folders"),
        ({"game": "file:0/link.kif"}, "leaves the folders"),
        ({"game": "file:7/steps.kif"}, "no folder"),
        ({"game": "file:0/none.kif"}, "no file of rules"),
        ({"game": "upload:x/y.kif"}, "upload the rules again"),
        ({"seats": [{"agent": "uct"}]}, "2 roles"),
        ({"seats": [{"agent": "os:system"}, {"agent": "uct"}]}, "from the list"),
        ({"seats": [{"agent": "my/bot.py:Bold"}, {"agent": "uct"}]}, "from the list"),
        ({"seats": [{"agent": "ggp:127.0.0.1:9147"}, {"agent": "uct"}]}, "from the list"),
        ({"seats": [{"agent": "uct(c=__import__)"}, {"agent": "uct"}]}, "from the list"),
        ({"seats": [{"agent": "uct(c=-4)"}, {"agent": "uct"}]}, "c is -4"),
        ({"seats": [{"agent": "uct", "seconds": 1e9}, {"agent": "uct"}]}, "up to 120 seconds"),
        ({"moves": "z9"}, "z9"),
    ],
)
def test_matches_that_cannot_be_are_told_why(client, wanted, told):
    usual = {"game": "tic-tac-toe", "seats": [{"agent": "uct"}, {"agent": "uct"}]}
    answer = client.post(f"{API}/matches", json={**usual, **wanted})
    assert 400 <= answer.status_code < 500
    assert told in answer.json()["detail"]


def test_a_file_in_a_folder_that_was_named_is_played(client):
    made = begun(client, "file:0/steps.kif", ["human"])
    answer = client.post(f"{API}/matches/{made['id']}/moves", json={"key": made["keys"]["x"], "move": "(go 1)"})
    assert answer.json()["ply"] == 1


@pytest.mark.parametrize("name", ["file:0/a\0.kif", f"file:0/{'a' * 3000}.kif", f"file:{'9' * 5000}/a.kif"])
def test_names_that_no_file_can_have_are_no_games(client, name):
    assert client.get(f"{API}/game", params={"name": name}).status_code == 404


def test_hints_undo_and_thoughts(client):
    made = begun(client, "tic-tac-toe", ["human", "uct"], moves="a1 b1 a2 b2")
    path, key = f"{API}/matches/{made['id']}", made["keys"]["x"]
    hint = client.post(f"{path}/hint", json={"key": key, "iterations": 500}).json()
    assert hint["move"] == "a3"
    assert hint["moves"][0]["visits"] > 0
    client.post(f"{path}/moves", json={"key": key, "move": "c3"})
    client.app.app.state.hall.room.match(made["id"]).wait(lambda match: len(match.plies) == 6)
    (thought,) = client.get(f"{path}/plies/5").json()
    assert thought["role"] == "o"
    assert client.post(f"{path}/undo", json={"key": key}).json()["ply"] == 4
    assert client.get(f"{path}/plies/99").status_code == 400
    assert client.post(f"{path}/undo", json={"key": "wrong"}).status_code == 403


def test_hidden_information_stays_hidden(client):
    made = begun(client, "leduc-poker", ["human", "ismcts"])
    path, key = f"{API}/matches/{made['id']}", made["keys"]["first"]
    assert client.get(path).json()["svg"] != client.get(path, params={"key": key}).json()["svg"]
    assert client.get(f"{path}/record").status_code == 403
    belief = client.get(f"{path}/belief", params={"key": key}).json()
    assert abs(sum(belief["places"]["card of second"].values()) - 1) < 1e-6
    assert client.get(f"{path}/belief").status_code == 409
    assert client.get(f"{path}/belief", params={"key": key, "role": "second"}).status_code == 409


def test_a_match_of_agents_is_paused_stepped_and_ended(client):
    made = begun(client, "tic-tac-toe", ["random", "random"], paused=True)
    path = f"{API}/matches/{made['id']}"
    match = client.app.app.state.hall.room.match(made["id"])
    client.post(f"{path}/step", json={})
    assert match.wait(lambda each: len(each.plies) == 1)
    client.post(f"{path}/pace", json={"paused": False, "pause_seconds": 0})
    assert match.wait(lambda each: each.over)
    assert client.delete(path).status_code == 204
    assert client.get(path).status_code == 404
    people = begun(client)
    assert client.delete(f"{API}/matches/{people['id']}").status_code == 403


def test_a_match_is_watched_over_a_socket(client):
    made = begun(client)
    path, key = f"{API}/matches/{made['id']}", made["keys"]["x"]
    with client.websocket_connect(f"ws://localhost{path}/watch?key={key}") as socket:
        assert socket.receive_json()["ply"] == 0
        client.post(f"{path}/moves", json={"key": key, "move": "b2"})
        assert socket.receive_json()["ply"] == 1
    with client.websocket_connect(f"ws://localhost{API}/matches/none/watch") as socket:
        assert "no such match" in socket.receive_json()["detail"]


def test_a_browser_that_hangs_up_leaves_the_match_as_it_is(client):
    made = begun(client)
    match = client.app.app.state.hall.room.match(made["id"])
    with client.websocket_connect(f"ws://localhost{API}/matches/{made['id']}/watch") as socket:
        socket.receive_json()
        assert match.watched
    client.post(f"{API}/matches/{made['id']}/moves", json={"key": made["keys"]["x"], "move": "b2"})
    assert not match.watched
    assert len(match.plies) == 1


def test_an_agent_is_asked_about_a_position(client):
    wanted = {"game": "tic-tac-toe", "moves": "a1 b1 a2 b2", "agent": "uct", "iterations": 500}
    told = client.post(f"{API}/think", json=wanted).json()
    assert told["move"] == "a3"
    assert client.post(f"{API}/think", json={**wanted, "role": "o"}).status_code == 400
    assert client.post(f"{API}/think", json={**wanted, "agent": "human"}).status_code == 400


def test_votes_of_an_ensemble_are_told(client):
    wanted = {"game": "tic-tac-toe", "moves": "a1 b1 a2 b2", "agent": "ensemble(agents=[uct, flat, alphabeta])"}
    told = client.post(f"{API}/think", json={**wanted, "iterations": 900}).json()
    assert told["move"] == "a3", told
    assert [each["notation"] for each in told["votes"]] == ["a3"] * 3


def test_thoughts_grow_over_a_socket(client):
    wanted = {"game": "connect-four", "agent": "flat", "iterations": 600}
    with client.websocket_connect(f"ws://localhost{API}/think") as socket:
        socket.send_text("nonsense")
        assert "detail" in socket.receive_json()
        socket.send_json({**wanted, "game": "none"})
        assert "none" in socket.receive_json()["detail"]
        socket.send_json(wanted)
        told = [socket.receive_json()]
        while not told[-1]["done"]:
            told.append(socket.receive_json())
    counts = [each["iterations"] for each in told]
    assert counts == sorted(counts)
    assert len(counts) >= 3
    assert counts[-1] == 600


def test_rules_are_checked_and_played_after_an_upload(client):
    wrong = client.post(f"{API}/check", json={"name": "a.kif", "text": RULES.replace("terminal", "terminol")}).json()
    assert not wrong["ok"]
    assert all(each["line"] for each in wrong["problems"])
    made = client.post(f"{API}/games", json={"name": "steps.kif", "text": RULES})
    assert made.status_code == 201
    assert begun(client, made.json()["game"], ["human"])["match"]["roles"] == ["x"]
    refused = client.post(f"{API}/games", json={"name": "steps.kif", "text": "(role"})
    assert refused.status_code == 422
    for name, status in (("steps.exe", 400), ("../x.kif", 201), ("<b>.kif", 400)):
        assert client.post(f"{API}/games", json={"name": name, "text": RULES}).status_code == status


def test_rules_that_are_too_large_or_explode_are_refused_and_the_server_goes_on(client):
    large = client.post(f"{API}/games", json={"name": "a.kif", "text": ";" + "x" * 550_000})
    assert large.status_code == 413
    facts = "\n".join(f"(n {k})" for k in range(120))
    bomb = f"(role x)\n{facts}\n(<= (next (q ?a ?b ?c)) (n ?a) (n ?b) (n ?c))\n(init (q 1 1 1))\n(legal x go)\n(goal x 100)\n"
    bomb += "(<= terminal (true (q 119 119 118)))\n"
    answer = client.post(f"{API}/games", json={"name": "bomb.kif", "text": bomb})
    assert answer.status_code in (201, 422)  # refused, or small enough after all: the server lives
    assert client.get(f"{API}/games").status_code == 200
    huge = client.post(f"{API}/games", content=b"x" * 5_000_000)
    assert huge.status_code == 413


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "http://localhost"}, 201),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "localhost.evil.example"}, 403),
    ],
)
def test_requests_from_other_sites_are_refused(client, headers, status):
    wanted = {"game": "nim", "seats": [{"agent": "human"}, {"agent": "human"}]}
    assert client.post(f"{API}/matches", json=wanted, headers=headers).status_code == status


def test_sockets_from_other_sites_are_refused(client):
    path = f"{API}/think"
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://localhost{path}", headers={"Origin": "http://evil.example"}),
    ):
        pass


def test_beyond_loopback_everything_needs_the_token(hall):
    app = Guard(make_app(hall), token="secret-token")
    with TestClient(app, base_url="http://10.0.0.5:8080", follow_redirects=False) as client:
        assert client.get(f"{API}/games").status_code == 401
        assert client.get(f"{API}/games", headers={"Authorization": "Bearer wrong"}).status_code == 401
        assert client.get(f"{API}/games", headers={"Authorization": "Bearer secret-token"}).status_code == 200
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://localhost{API}/think"):
            pass
        welcome = client.get("/play?token=secret-token&a=b")
        assert welcome.status_code == 303
        assert welcome.headers["location"] == "/play?a=b"
        assert "HttpOnly" in welcome.headers["set-cookie"]
        assert client.get(f"{API}/games").status_code == 200  # by the cookie


def test_the_interface_describes_itself(client):
    told = client.get(f"{API}/openapi.json").json()
    assert f"{API}/matches/{{ident}}/moves" in told["paths"]
    assert all(path.startswith(API) for path in told["paths"])
    answer = client.get(f"{API}/games")
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_file_that_was_changed_is_another_game(client, hall):
    file = hall.shelf.folders[0] / "changing.kif"
    file.write_text(RULES)
    first = client.get(f"{API}/game", params={"name": "file:0/changing.kif"}).json()
    file.write_text(RULES.replace("(role x)", "(role runner)").replace(" x ", " runner "))
    second = client.get(f"{API}/game", params={"name": "file:0/changing.kif"}).json()
    file.unlink()
    assert (first["roles"], second["roles"]) == (["x"], ["runner"])
    assert client.get(f"{API}/game", params={"name": "file:0/changing.kif"}).status_code == 404


def test_the_report_on_a_store_is_a_page_with_tables_beside_it(client, hall):
    plan = round_robin(["nim"], ["random", "flat"], matches=4, iterations=10)
    run(plan, hall.contests.folder / "small.db", on="threads")
    where = f"{API}/tournaments/small.db/report"
    page = client.get(f"{where}/report.html")
    assert page.status_code == 200
    assert "8 matches" in page.text
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    table = client.get(f"{where}/report-standings.csv")
    assert table.text.startswith("agent,")
    assert client.get(f"{where}/report-nothing.csv").status_code == 404
    assert client.get(f"{where}/..%2Fsmall.db").status_code == 404
    assert client.get(f"{API}/tournaments/none.db/report/report.html").status_code == 404
    assert client.get(f"{API}/tournaments/{'日' * 99}.db").status_code == 400


def test_pages_of_studies_are_told_with_their_figures(client, hall):
    folder = hall.contests.folder
    drawing = Drawing("wins", "Wins", "All of them", Figure)
    write(Findings("Who wins?", ("The first one.",), (), (drawing,)), folder / "who.md")
    (folder / "notes.md").write_text("# No page of a study\n")
    (folder / "elsewhere.md").symlink_to(folder / "who.md")
    (folder / "elsewhere").symlink_to(folder / "who")
    assert client.get(f"{API}/studies").json() == [{"name": "who", "title": "Who wins?"}]
    told = client.get(f"{API}/studies/who")
    assert told.headers["Content-Type"].startswith("text/plain")
    assert "The first one." in told.text
    assert "<!--" not in told.text
    picture = client.get(f"{API}/studies/who/wins.svg")
    assert "<svg" in picture.text
    assert "default-src 'none'" in picture.headers["Content-Security-Policy"]
    assert f"({API}/studies/who/wins.svg)" in hall.studies.text("who", f"{API}/studies")
    for wrong in (
        "notes",
        "elsewhere",
        "none",
        "..%2Fwho",
        "who/none.svg",
        "who/..%2Fnotes.md",
        "who/who.md",
        "日" * 99,
        "who/" + "日" * 99 + ".svg",
    ):
        assert client.get(f"{API}/studies/{wrong}").status_code == 404, wrong
