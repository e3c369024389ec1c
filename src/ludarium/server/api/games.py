"""Games and agents: what there is, what they look like, and rules of one's own."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from ludarium.server.api.models import RulesRequest
from ludarium.server.hall import Hall
from ludarium.server.trial import tried

router = APIRouter()


def hall_of(request: Request) -> Hall:
    """The hall that the application is for."""
    hall: Hall = request.app.state.hall
    return hall


@router.get("/games", tags=["games"])
def list_games(request: Request, search: str = "") -> list[dict[str, Any]]:
    """List the games: those that come along, and files in the folders that the server was given."""
    return hall_of(request).shelf.listed(search)


@router.get("/game", tags=["games"])
def show_game(request: Request, name: str) -> dict[str, Any]:
    """Tell about a game: its roles, what it promises, its rules, and how it begins."""
    hall = hall_of(request)
    game = hall.shelf.game(name)
    return {
        "name": game.name,
        "roles": list(game.roles),
        "traits": vars(game.traits),
        "rules": game.offers.rules or "",
        "svg": hall.shelf.picture(name),
    }


@router.get("/picture", tags=["games"], response_class=Response)
async def show_picture(request: Request, name: str) -> Response:
    """Draw how a game begins, as SVG."""
    hall = hall_of(request)
    svg = await asyncio.get_running_loop().run_in_executor(hall.drawers, hall.shelf.picture, name)
    kept = {
        "Cache-Control": "private, max-age=3600",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    }
    return Response(svg, media_type="image/svg+xml", headers=kept)


@router.get("/agents", tags=["games"])
def list_agents(request: Request) -> list[dict[str, Any]]:
    """List the agents, with every parameter: its default, what it may be and what it means."""
    return hall_of(request).agents


@router.post("/check", tags=["rules"])
def check_rules(request: RulesRequest) -> dict[str, Any]:
    """Check rules in a process of their own: every problem with its line, and how the game begins if it can be played."""
    ending = "." + request.name.rpartition(".")[2].lower()
    return tried(request.text, ending if ending in (".kif", ".gdl", ".hrf", ".lud") else ".kif")


@router.post("/games", tags=["rules"])
def upload_rules(request: Request, rules: RulesRequest) -> JSONResponse:
    """Take a file of rules as a game, if a process of its own could load and play it; 422 tells what is wrong otherwise."""
    spec, found = hall_of(request).shelf.upload(rules.name, rules.text)
    return JSONResponse({"game": spec, **found}, status_code=201 if spec else 422)
