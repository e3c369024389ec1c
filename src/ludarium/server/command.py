"""The command `serve`: opens the page, and the interface for programs."""

from __future__ import annotations

import importlib.util
import re
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from ludarium.core import BadParameter


def serve(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FOLDER", help="Folders whose files of rules can be played, and nothing outside them."),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Where to listen. Beyond this machine everybody needs the token that is printed.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes any port that is free.")] = 8765,
    token: Annotated[
        str | None,
        typer.Option(help="What visitors must show, at least 12 characters.", show_default="drawn if needed"),
    ] = None,
    stores: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where tournaments and pages of studies are kept.",
            show_default="only while it runs",
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Open a page to play, watch and look into; it serves an interface for programs, too."""
    if importlib.util.find_spec("nicegui") is None:
        raise BadParameter('the page needs the extra [web]: pip install "ludarium[web]"')
    for folder in [*(folders or ()), *([stores] if stores else [])]:
        if not folder.is_dir():
            raise BadParameter(f"'{folder}' is not a folder")
    if token is not None and not re.fullmatch(r"[A-Za-z0-9._~-]{12,}", token):
        raise BadParameter("a token has at least 12 characters, so that nobody guesses it: letters, digits and . _ ~ -")
    from ludarium.server.serve import serve as run  # noqa: PLC0415

    def ready(address: str) -> None:
        typer.echo(f"Ludarium: {address}  (Ctrl-C ends it)")
        if browser:
            webbrowser.open(address)

    run(host, port, folders or [], stores=stores, token=token, ready=ready)
