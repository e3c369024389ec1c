"""Tournaments: start them, see standings grow, and open the matches that were played."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from ludarium.server.api.games import hall_of
from ludarium.server.api.models import TournamentRequest

router = APIRouter(prefix="/tournaments", tags=["tournaments"])


@router.get("")
def list_tournaments(request: Request) -> list[dict[str, Any]]:
    """List the stores of the server's folder, the newest first."""
    return hall_of(request).contests.listed()


@router.post("", status_code=201)
def start(request: Request, wanted: TournamentRequest) -> dict[str, str]:
    """Let agents meet in games, in a process of its own."""
    contests = hall_of(request).contests
    return {
        "name": contests.start(
            wanted.games, wanted.agents, per_pair=wanted.games_per_pair, iterations=wanted.iterations
        )
    }


@router.get("/{name}")
def standings(request: Request, name: str) -> dict[str, Any]:
    """Tell who has scored what so far, with 95 % intervals, and the latest matches."""
    return hall_of(request).contests.standings(name)


@router.post("/{name}/stop", status_code=204)
def stop(request: Request, name: str) -> None:
    """End a tournament; what was played stays."""
    hall_of(request).contests.stop(name)


@router.post("/{name}/matches/{ident}", status_code=201)
def open_match(request: Request, name: str, ident: str) -> dict[str, str]:
    """Open a match of a store, to be looked at move by move; tells what it is called here."""
    hall = hall_of(request)
    return {"id": hall.load(hall.contests.match(name, ident)).id}


@router.get("/{name}/report/{part}", response_class=FileResponse)
async def report(request: Request, name: str, part: str) -> FileResponse:
    """Write the report on a store, `report.html`, with findings, tables and figures; the page names its tables as CSV."""
    hall = hall_of(request)
    file = await asyncio.get_running_loop().run_in_executor(hall.askers, hall.contests.report, name, part)
    inert = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return FileResponse(file, headers={"Content-Security-Policy": inert})
