"""The page Think: any position, any agents side by side, and what they think drawn on the board."""

from __future__ import annotations

import asyncio

from nicegui import ui

from ludarium.server.hall import Hall
from ludarium.server.page.shell import mount, shell


def add_page(hall: Hall) -> None:
    """Add the page to the application."""

    @ui.page("/think")
    async def think() -> None:
        games = [each["name"] for each in await asyncio.to_thread(hall.shelf.listed)]
        agents = [each["name"] for each in hall.agents]
        with shell("/think", script="think.js"):
            mount("think", games=games, agents=agents)
