"""Asking an agent about any position: once, or over a socket that tells its thoughts as they grow."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import Any

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from ludarium.server.api.games import hall_of
from ludarium.server.api.models import PositionRequest, ThinkRequest
from ludarium.server.asking import growing, limit, position, thought, to_move
from ludarium.server.hall import Hall
from ludarium.server.matches.thoughts import told
from ludarium.server.matches.views import position_view

router = APIRouter(tags=["thinking"])


@router.post("/position")
def show_position(request: Request, wanted: PositionRequest) -> dict[str, Any]:
    """Tell where moves lead to: a picture, who is to move, and the legal moves with what to click on."""
    return position_view(hall_of(request).shelf.game(wanted.game), wanted.moves, wanted.seed)


@router.post("/think")
async def think(request: Request, wanted: ThinkRequest) -> dict[str, Any]:
    """Ask an agent about a position: the move it would make, what it thinks of the others, and what it expects."""
    hall = hall_of(request)

    def work() -> dict[str, Any]:
        at = position(hall.shelf.game(wanted.game), wanted.moves, wanted.seed)
        info = at.information_set(to_move(at, wanted.role))
        made = thought(info, wanted.agent, limit(wanted.seconds, wanted.iterations), wanted.seed)
        return told(at.game, info.role, made, len(info.legal))

    return await hall.ask(work)


@router.websocket("/think")
async def think_aloud(socket: WebSocket) -> None:
    """Take a request, and send thoughts as they grow until `done`; then take the next. Hanging up ends the thinking."""
    await socket.accept()
    hall: Hall = socket.app.state.hall
    stopped = Event()
    try:
        while True:
            text = await socket.receive_text()
            try:
                wanted = ThinkRequest.model_validate_json(text)
            except ValidationError as problem:
                await socket.send_json({"detail": problem.errors(include_url=False, include_context=False)[0]["msg"]})
                continue
            await _tell(socket, hall, wanted, stopped)
    except (WebSocketDisconnect, RuntimeError):
        stopped.set()


async def _tell(socket: WebSocket, hall: Hall, wanted: ThinkRequest, stopped: Event) -> None:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def work() -> None:
        try:
            at = position(hall.shelf.game(wanted.game), wanted.moves, wanted.seed)
            info = at.information_set(to_move(at, wanted.role))
            given = limit(wanted.seconds, wanted.iterations)
            for each in growing(info, wanted.agent, given, stopped=stopped.is_set, seed=wanted.seed):
                loop.call_soon_threadsafe(queue.put_nowait, each)
        except Exception as problem:  # noqa: BLE001  # whatever it is: a page must not wait for ever
            loop.call_soon_threadsafe(queue.put_nowait, {"detail": str(problem)})
        finally:
            loop.call_soon_threadsafe(queue.put_nowait, None)

    hall.askers.submit(work)
    try:
        while (each := await queue.get()) is not None:
            await socket.send_json(each)
    except BaseException:
        stopped.set()
        raise
