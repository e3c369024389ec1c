"""The pages of studies: what a paper found, and what was found here, as `ludarium study` wrote it."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from nicegui import ui

from ludarium.core import LudariumError
from ludarium.server.hall import Hall
from ludarium.server.page.shell import shell

_FIGURES = "/api/v1/studies"


def add_page(hall: Hall) -> None:
    """Add the page to the application."""

    @ui.page("/study")
    async def study(name: str) -> None:
        with shell("/tournaments"):
            try:
                text = await asyncio.to_thread(hall.studies.text, name, _FIGURES)
            except LudariumError as problem:
                ui.label(str(problem)).classes("status").props("role=status")
                return
            ui.markdown(text).classes("panel study")


def links(hall: Hall) -> None:
    """List them, if there are any."""
    listed = hall.studies.listed()
    if not listed:
        return
    ui.label("Studies").classes("text-h6")
    for each in listed:
        ui.link(each["title"], f"/study?name={quote(each['name'])}")
