"""The page Tournaments: start one, see standings grow with their intervals, and open any match that was played."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

from nicegui import ui

from ludarium.core import LudariumError
from ludarium.server.hall import Hall
from ludarium.server.page import studies
from ludarium.server.page.shell import shell

_OFTEN = 1.5  # seconds between two looks at a store that grows


def add_pages(hall: Hall) -> None:
    """Add the pages to the application."""

    @ui.page("/tournaments")
    async def tournaments() -> None:
        with shell("/tournaments"):
            _form(hall, await asyncio.to_thread(hall.shelf.listed))
            ui.label("Stores").classes("text-h6")
            if not hall.contests.kept:
                ui.label("They last as long as the server: ludarium serve --stores FOLDER keeps them.").classes("faint")
            listed = hall.contests.listed()
            if not listed:
                ui.label("None yet.").classes("faint")
            for each in listed:
                more = " (being played)" if each["running"] else ""
                ui.link(f"{each['name']}{more}", f"/tournament?name={quote(each['name'])}")
            studies.links(hall)

    @ui.page("/tournament")
    async def tournament(name: str) -> None:
        with shell("/tournaments"):
            _Standings(hall, name)


def _form(hall: Hall, listed: list[dict[str, Any]]) -> None:
    names = [each["name"] for each in listed if each["language"] != "file"]
    agents = [each["name"] for each in hall.agents]
    with ui.element("div").classes("panel"):
        ui.label("A new tournament").classes("text-h6")
        games = ui.select(names, value=["tic-tac-toe"], multiple=True, label="games", with_input=True)
        games.props("use-chips").classes("fill")
        players = ui.select(agents, value=["uct", "flat", "random"], multiple=True, label="agents", with_input=True)
        players.props("use-chips").classes("fill")
        with ui.row().classes("fill"):
            per_pair = ui.number("games per pair", value=10, min=1, max=1000, precision=0).classes("col")
            iterations = ui.number("iterations a move", value=200, min=1, precision=0).classes("col")

        async def start() -> None:
            try:
                chosen = {"per_pair": int(per_pair.value or 0), "iterations": int(iterations.value or 0)}
                name = await asyncio.to_thread(
                    lambda: hall.contests.start(list(games.value), list(players.value), **chosen)
                )
            except LudariumError as problem:
                ui.notify(str(problem), type="negative", multi_line=True)
                return
            ui.navigate.to(f"/tournament?name={quote(name)}")

        ui.button("Start", on_click=start).props("color=primary id=start-tournament")


class _Standings:
    """The standings on somebody's page."""

    def __init__(self, hall: Hall, name: str) -> None:
        self.hall, self.name = hall, name
        ui.label(name).classes("text-h6")
        self.status = ui.label().classes("status").props("id=tournament-status role=status")
        self.stop = ui.button("Stop", on_click=lambda: hall.contests.stop(name)).props("outline color=primary")
        columns = [
            {"name": key, "label": label, "field": key, "align": "left" if key == "agent" else "right"}
            for key, label in (
                ("agent", "agent"),
                ("plays", "plays"),
                ("score", "score"),
                ("interval", "95 % interval"),
            )
        ]
        where = f"/api/v1/tournaments/{quote(name)}/report/report.html"
        ui.link("Report: what it proves, with figures", where, new_tab=True).props("id=report")
        self.table = ui.table(columns=columns, rows=[], row_key="agent").classes("panel")
        ui.label("Matches, the latest first; press one to look at it").classes("text-h6")
        heads = [
            {"name": key, "label": key, "field": key, "align": "left"} for key in ("game", "result", "plies", "faults")
        ]
        self.matches = ui.table(columns=heads, rows=[], row_key="id", pagination=12).classes("panel")
        self.matches.on("rowClick", lambda event: self._open(event.args[1]["id"]))
        self.timer = ui.timer(_OFTEN, self._look)

    async def _look(self) -> None:
        try:
            told: dict[str, Any] = await asyncio.to_thread(self.hall.contests.standings, self.name)
        except LudariumError as problem:
            self.status.set_text(str(problem))
            self.timer.deactivate()
            return
        played = sum(each["plays"] for each in told["standings"])
        state = "being played" if told["running"] else "ended with an error" if told["failed"] else "done"
        self.status.set_text(f"{state}: {played} plays in all")
        self.stop.set_visibility(told["running"])
        self.table.rows = [
            {**each, "score": f"{each['score']:.1%}", "interval": f"{each['low']:.1%} to {each['high']:.1%}"}
            for each in told["standings"]
        ]
        self.matches.rows = told["matches"]
        if not told["running"]:
            self.timer.deactivate()

    async def _open(self, ident: str) -> None:
        try:
            match = await asyncio.to_thread(lambda: self.hall.load(self.hall.contests.match(self.name, ident)))
        except LudariumError as problem:
            ui.notify(str(problem), type="negative", multi_line=True)
            return
        ui.navigate.to(f"/match/{match.id}")
