"""Pages of studies: list them, read one, and fetch its figures and tables."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, PlainTextResponse

from ludarium.server.api.games import hall_of

router = APIRouter(prefix="/studies", tags=["studies"])
_INERT = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}


@router.get("")
def list_studies(request: Request) -> list[dict[str, str]]:
    """List the pages of studies that lie beside the stores."""
    return hall_of(request).studies.listed()


@router.get("/{name}", response_class=PlainTextResponse)
def page(request: Request, name: str) -> str:
    """Tell a page in Markdown."""
    return hall_of(request).studies.text(name)


@router.get("/{name}/{part}", response_class=FileResponse)
def part(request: Request, name: str, part: str) -> FileResponse:
    """Fetch a figure (SVG) or a table (CSV) of a page."""
    return FileResponse(hall_of(request).studies.part(name, part), headers=_INERT)
