"""The command `serve`, its mistakes, and tournaments started by a server."""

import socket
import time

import pytest
from fastapi.testclient import TestClient

from ludarium.core import BadParameter
from ludarium.server import command
from ludarium.server.api import make_app
from ludarium.server.errors import Refused, Unknown
from ludarium.server.hall import Hall
from ludarium.server.serve import serve
from tests.commands import run


def test_a_port_in_use_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadParameter, match="it is in use: give another by --port"):
            serve("127.0.0.1", taken.getsockname()[1], [])


def test_an_address_that_is_none_is_told():
    with pytest.raises(BadParameter, match="no address of this machine"):
        serve("no.such.host.invalid", 0, [])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["no/such/folder"], "'no/such/folder' is not a folder"),
        (["--stores", "no/such/folder"], "is not a folder"),
        (["--token", "short"], "at least 12 characters"),
    ],
)
def test_mistakes_are_told_before_anything_starts(given, told):
    result = run("serve", *given, "--no-browser")
    assert result.exit_code == 2
    assert told in result.output


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda _: None)
    result = run("serve", "--no-browser")
    assert result.exit_code == 2
    assert 'pip install "ludarium[web]"' in result.output


def test_a_tournament_is_played_and_its_matches_are_opened(tmp_path):
    hall = Hall(stores=tmp_path)
    try:
        with TestClient(make_app(hall), base_url="http://localhost") as client:
            wanted = {"games": ["tic-tac-toe"], "agents": ["uct", "random"], "games_per_pair": 4, "iterations": 20}
            name = client.post("/api/v1/tournaments", json=wanted).json()["name"]
            for _ in range(600):
                told = client.get(f"/api/v1/tournaments/{name}").json()
                if not told["running"]:
                    break
                time.sleep(0.2)
            assert not told["failed"]
            assert sum(each["plays"] for each in told["standings"]) == 8
            assert all(each["low"] <= each["score"] <= each["high"] for each in told["standings"])
            ident = told["matches"][0]["id"]
            opened = client.post(f"/api/v1/tournaments/{name}/matches/{ident}").json()["id"]
            assert client.get(f"/api/v1/matches/{opened}").json()["over"]
            before = client.get(f"/api/v1/matches/{opened}/positions/0").json()
            assert before["ply"] == 0
            assert client.get(f"/api/v1/matches/{opened}/positions/99").status_code == 400
            assert client.get("/api/v1/tournaments").json() == [{"name": name, "running": False}]
    finally:
        hall.close()
    assert list(tmp_path.glob("*.db"))  # a folder that was named is kept


def test_tournaments_that_cannot_be_are_told_why(tmp_path):
    (tmp_path / "secret.db").write_text("no store")
    folder = tmp_path / "stores"
    folder.mkdir()
    hall = Hall(stores=folder)
    try:
        for games, agents, more, told in (
            (["none"], ["uct", "flat"], {}, "games of the list"),
            (["my/game.py:Race"], ["uct", "flat"], {}, "games of the list"),
            (["nim"], ["uct"], {}, "two agents"),
            (["nim"], ["uct", "human"], {}, "for agents"),
            (["nim"], ["uct", "--store"], {}, "--store"),
            (["nim"], ["uct", "flat"], {"per_pair": 0}, "1 to 1000"),
            (["nim", "hex"], ["uct", "flat", "random", "grave", "mast"], {"per_pair": 1000}, "more than"),
        ):
            with pytest.raises(Exception, match=told):
                hall.contests.start(games, agents, **more)
        assert not hall.contests.listed()
        for name in ("../secret.db", "..", "a/b.db", "x.txt"):
            with pytest.raises(Refused, match="as it is listed"):
                hall.contests.standings(name)
        with pytest.raises(Unknown):
            hall.contests.standings("none.db")
        (folder / "broken.db").write_text("this is no store at all")
        with pytest.raises(Refused):
            hall.contests.standings("broken.db")
    finally:
        hall.close()
