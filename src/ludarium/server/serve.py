"""Running the server: the interface and the page in one application, behind the guard."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from fastapi.staticfiles import StaticFiles
from nicegui import ui

from ludarium.core import BadParameter
from ludarium.server.api import make_app
from ludarium.server.guard import LARGEST_BODY, LOOPBACK, Guard
from ludarium.server.hall import Hall
from ludarium.server.page import play, rules, studies, think, tournaments

_STATIC = Path(__file__).parent / "page" / "static"


def application(hall: Hall, *, token: str = "", hosts: Sequence[str] = LOOPBACK) -> Guard:
    """Make the whole application, once in a process."""
    app = make_app(hall)
    app.mount("/static", StaticFiles(directory=_STATIC))
    play.add_pages(hall)
    think.add_page(hall)
    rules.add_page(hall)
    tournaments.add_pages(hall)
    studies.add_page(hall)
    ui.run_with(app, title="Ludarium", favicon="♟", show_welcome_message=False, dark=None)
    return Guard(app, token=token, hosts=hosts)


def serve(
    host: str,
    port: int,
    folders: Sequence[Path],
    *,
    stores: Path | None = None,
    token: str | None = None,
    ready: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until Ctrl-C; beyond loopback with a token, which is drawn if none is given."""
    if host not in LOOPBACK and not token:
        token = secrets.token_urlsafe(18)
    listening = _bound(host, port)
    hall = Hall(folders, stores)
    config = uvicorn.Config(
        application(hall, token=token or "", hosts=(*LOOPBACK, host)),
        log_level="warning",
        ws_max_size=LARGEST_BODY,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    at = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{at}/{'?token=' + token if token else ''}")
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        hall.close()


def _bound(host: str, port: int) -> socket.socket:
    """Take the port, before anything is loaded."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, OverflowError):
        raise BadParameter(f"'{host}' is no address of this machine") from None
    family, kind, number, _, address = found[0]
    made = socket.socket(family, kind, number)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
    except OSError as problem:
        made.close()
        told = "it is in use: give another by --port, or 0 for any" if problem.errno == 98 else problem.strerror
        raise BadParameter(f"cannot listen at {host}:{port}: {told}") from None
    made.listen(256)
    return made
