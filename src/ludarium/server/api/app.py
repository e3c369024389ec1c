"""The application: routes, and errors as a sentence each with the code that HTTP has for them."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from ludarium import __version__
from ludarium.core import LudariumError
from ludarium.server.api import games, matches, studies, thinking, tournaments
from ludarium.server.errors import Refused
from ludarium.server.hall import Hall

PREFIX = "/api/v1"


def make_app(hall: Hall) -> FastAPI:
    """Make the application for a hall."""
    app = FastAPI(
        title="Ludarium",
        version=__version__,
        summary="Games, matches and thoughts, for programs.",
        docs_url=None,  # its page takes scripts from another site
        redoc_url=None,
        openapi_url=f"{PREFIX}/openapi.json",
    )
    app.state.hall = hall
    for each in (games.router, matches.router, thinking.router, tournaments.router, studies.router):
        app.include_router(each, prefix=PREFIX)

    @app.exception_handler(LudariumError)
    def refuse(request: Request, problem: LudariumError) -> JSONResponse:  # noqa: ARG001
        status = problem.status if isinstance(problem, Refused) else 400
        return JSONResponse({"detail": str(problem)}, status_code=status)

    return app
