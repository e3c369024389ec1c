"""The pages Play and Watch: choose a game from pictures, say who sits where, and begin; or look at what is going on."""

from __future__ import annotations

import asyncio
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import events, ui

from ludarium.core import LudariumError
from ludarium.core.agent import HUMAN
from ludarium.server.hall import Hall
from ludarium.server.matches.held import HeldMatch
from ludarium.server.page.agents import SeatForm
from ludarium.server.page.shell import mount, shell
from ludarium.server.trial import LARGEST

PAUSES = {0.0: "full speed", 0.3: "0.3 s a move", 1.0: "1 s a move", 3.0: "3 s a move"}


def add_pages(hall: Hall) -> None:
    """Add the pages to the application."""

    @ui.page("/")
    async def play() -> None:
        with shell("/"):
            ui.label("Choose a game").classes("text-h6")
            choosing(hall, await asyncio.to_thread(hall.shelf.listed), "/begin")

    @ui.page("/watch")
    async def watch() -> None:
        with shell("/watch"):
            _running(hall)
            ui.label("Let agents play").classes("text-h6")
            choosing(hall, await asyncio.to_thread(hall.shelf.listed), "/begin?watch=1")

    @ui.page("/begin")
    async def begin(game: str, watch: int = 0) -> None:
        with shell("/watch" if watch else "/"):
            await ui.context.client.connected()
            await _setup(hall, game, watching=bool(watch))

    @ui.page("/match/{ident}")
    def match(ident: str) -> None:
        with shell("", script="match.js"):
            mount("match", match=ident)


def address(match: HeldMatch) -> str:
    """Where a match is played: with the keys of all who play at this page."""
    keys = [("key", match.seats[role].key) for role in match.humans]
    return f"/match/{match.id}{'?' + urlencode(keys) if keys else ''}"


def choosing(hall: Hall, games: list[dict[str, Any]], target: str) -> None:
    """List games with pictures; a word narrows the list."""
    join = "&" if "?" in target else "?"
    with ui.row().classes("items-center fill"):
        box = (
            ui.input(placeholder="search, such as: hidden, line, king").props("outlined dense clearable").classes("col")
        )
        files = ui.upload(auto_upload=True, max_file_size=LARGEST, on_upload=lambda e: _upload(hall, e, target))
        files.props('accept=".kif,.gdl,.hrf,.lud,.json,.trl,.txt"').classes("picker")
        ui.button("own rules or match").props("outline color=primary").on(
            "click", js_handler=f"() => getElement({files.id}).$refs.qRef.pickFiles()"
        )
    cards = ui.html("", sanitize=False).classes("fill")

    def show() -> None:
        words = (box.value or "").lower().split()
        found = [each for each in games if all(word in " ".join(map(str, each.values())).lower() for word in words)]
        cards.set_content(
            f'<div class="games">{"".join(_card(each, f"{target}{join}game=") for each in found)}</div>'
            if found
            else "<p>No game has these words.</p>"
        )

    box.on_value_change(show)
    show()


def _card(game: dict[str, Any], target: str) -> str:
    name = quote(game["name"])
    picture = f'<img loading="lazy" alt="" src="/api/v1/picture?name={name}">'
    title, about = escape(game["name"]), escape(game["about"])
    return f'<a class="game" href="{target}{name}">{picture}<b>{title}</b><span>{about}</span></a>'


async def _upload(hall: Hall, event: events.UploadEventArguments, target: str) -> None:
    text = (await event.file.read()).decode("utf-8", errors="replace")
    try:
        if event.file.name.lower().endswith((".json", ".trl", ".txt")):
            ui.navigate.to(address(await asyncio.to_thread(hall.read, text)))
            return
        spec, found = await asyncio.to_thread(hall.shelf.upload, event.file.name, text)
    except LudariumError as problem:
        ui.notify(str(problem), type="negative", multi_line=True)
        return
    if not spec:
        first = found["error"] or "; ".join(f"line {each['line']}: {each['message']}" for each in found["problems"][:4])
        ui.notify(first, type="negative", multi_line=True, timeout=15000)
        return
    ui.navigate.to(f"{target}{'&' if '?' in target else '?'}game={quote(spec)}")


async def _setup(hall: Hall, spec: str, *, watching: bool) -> None:
    """Ask who sits where."""
    loading = ui.label(f"Loading {spec} …")
    try:
        game = await asyncio.to_thread(hall.shelf.game, spec)
        svg = await asyncio.to_thread(hall.shelf.picture, spec)
    except LudariumError as problem:
        loading.delete()
        ui.label(str(problem)).classes("notice")
        ui.link("Back to the games", "/")
        return
    loading.delete()
    agents = hall.agents
    usual = "uct" if game.traits.perfect_information else "ismcts"
    with (
        ui.element("div")
        .classes("fill")
        .style("display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:1rem")
    ):
        with ui.column():
            ui.label(game.name).classes("text-h6")
            ui.html(svg, sanitize=False).classes("picture small fill")
            if game.offers.rules:
                with ui.expansion("rules").classes("fill"):
                    ui.label(game.offers.rules[:6000]).classes("problem")
        with ui.column():
            forms = [
                SeatForm(role, agents, HUMAN if not watching and number == 0 else usual)
                for number, role in enumerate(game.roles)
            ]
            with ui.row().classes("items-center fill"):
                seed = ui.number("seed (empty: any)", min=0, precision=0).classes("col")
                pause = ui.select(PAUSES, value=0.3 if watching else 0.0, label="agents move at").classes("col")
            button = ui.button("Begin").props("color=primary id=begin").classes("fill")
    problem_label = ui.label().classes("notice")
    problem_label.set_visibility(False)

    async def begin() -> None:
        more = {"seed": None if seed.value in (None, "") else int(seed.value), "pause_seconds": float(pause.value)}
        places = [form.place() for form in forms]
        try:
            match = await asyncio.to_thread(lambda: hall.open(spec, places, **more))
        except LudariumError as problem:
            problem_label.set_text(str(problem))
            problem_label.set_visibility(True)
            return
        ui.navigate.to(address(match))

    button.on_click(begin)


def _running(hall: Hall) -> None:
    """List the matches that are held."""
    matches = hall.room.matches()[:30]
    if not matches:
        return
    ui.label("Going on here").classes("text-h6")
    rows = "".join(
        f'<tr><td><a href="/match/{match.id}">{escape(match.spec)}</a></td>'
        f"<td>{escape(' – '.join(seat.name for seat in match.seats))}</td><td>ply {len(match.plies)}</td>"
        f"<td>{'over' if match.over else 'going on'}</td></tr>"
        for match in matches
    )
    ui.html(f'<table class="belief-table fill">{rows}</table>', sanitize=False).classes("panel")
