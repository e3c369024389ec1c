"""Matches: begin, look, move, take back, watch, save."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response, WebSocket, WebSocketDisconnect

from ludarium.core import LudariumError
from ludarium.server.api.games import hall_of
from ludarium.server.api.models import HintRequest, KeyRequest, LoadRequest, MatchRequest, MoveRequest, PaceRequest
from ludarium.server.asking import limit, thought
from ludarium.server.errors import Forbidden, Late
from ludarium.server.hall import Place
from ludarium.server.matches.held import HeldMatch
from ludarium.server.matches.reading import reading
from ludarium.server.matches.records import saved
from ludarium.server.matches.thoughts import belief_data, told
from ludarium.server.matches.views import look_back, thoughts, view, view_text

router = APIRouter(prefix="/matches", tags=["matches"])
Keys = Annotated[list[str] | None, Query(alias="key", max_length=63)]


@router.post("", status_code=201)
def begin(request: Request, wanted: MatchRequest) -> dict[str, Any]:
    """Begin a match. `keys` has, for each seat of a person, what they show to move and to see."""
    places = [Place(each.agent, each.iterations, each.seconds) for each in wanted.seats]
    more = wanted.model_dump(include={"seed", "moves", "paused", "pause_seconds"})
    return _opened(hall_of(request).open(wanted.game, places, **more))


@router.post("/load", status_code=201)
def load(request: Request, wanted: LoadRequest) -> dict[str, Any]:
    """Go on with a match that was saved, as `json`, `ggp` or `trial`; it begins paused."""
    return _opened(hall_of(request).read(wanted.record, wanted.game))


@router.get("")
def list_matches(request: Request) -> list[dict[str, Any]]:
    """List the matches that are held, the newest first."""
    return [
        {
            "id": match.id,
            "game": match.spec,
            "seats": [seat.name for seat in match.seats],
            "ply": len(match.plies),
            "over": match.over,
        }
        for match in hall_of(request).room.matches()
    ]


@router.get("/{ident}")
def look(request: Request, ident: str, key: Keys = None) -> dict[str, Any]:
    """Tell how a match stands, to whoever has these keys."""
    return view(_match(request, ident), key or ())


@router.post("/{ident}/moves")
def move(request: Request, ident: str, wanted: MoveRequest) -> dict[str, Any]:
    """Make a move in the seat that the key is for."""
    match = _match(request, ident)
    with match.lock:
        role = _role(match, wanted.key)
        match.move(role, reading(match, role, wanted.move), wanted.ply)
    return view(match, [wanted.key])


@router.post("/{ident}/undo")
def undo(request: Request, ident: str, wanted: KeyRequest) -> dict[str, Any]:
    """Take back one's last move; where only agents play, the last ply."""
    match = _match(request, ident)
    match.take_back(_role(match, wanted.key) if match.humans else None)
    return view(match, [wanted.key])


@router.post("/{ident}/pace")
def pace(request: Request, ident: str, wanted: PaceRequest) -> dict[str, Any]:
    """Pause a match, let it go on, or say how long agents wait before a move."""
    match = _may_steer(request, ident, wanted.key)
    if wanted.pause_seconds is not None:
        match.pace(wanted.pause_seconds)
    if wanted.paused is not None:
        match.pause(paused=wanted.paused)
    return view(match, [wanted.key])


@router.post("/{ident}/step")
def step(request: Request, ident: str, wanted: KeyRequest) -> dict[str, Any]:
    """Let agents make one ply, and pause then."""
    match = _may_steer(request, ident, wanted.key)
    match.step()
    return view(match, [wanted.key])


@router.get("/{ident}/plies/{ply}")
def show_thoughts(request: Request, ident: str, ply: int) -> list[dict[str, Any]]:
    """Tell what agents thought before a ply, counted from 0."""
    return thoughts(_match(request, ident), ply)


@router.get("/{ident}/positions/{ply}")
def show_position(request: Request, ident: str, ply: int) -> dict[str, Any]:
    """Show a match as it was before a ply, counted from 0."""
    return look_back(_match(request, ident), ply)


@router.post("/{ident}/hint")
async def hint(request: Request, ident: str, wanted: HintRequest) -> dict[str, Any]:
    """Ask an agent what it would do in one's place, knowing what one knows."""
    match = _match(request, ident)

    def work() -> dict[str, Any]:
        with match.lock:
            role = _role(match, wanted.key)
            if role not in match.movers:
                raise Late(f"{match.game.roles[role]} is not to move now")
            info = match.position.information_set(role)
        given = limit(wanted.seconds, wanted.iterations or (None if wanted.seconds else 2000))
        return told(match.game, role, thought(info, wanted.agent, given), len(info.legal))

    return await hall_of(request).ask(work)


@router.get("/{ident}/belief")
async def belief(request: Request, ident: str, key: Keys = None, role: str = "", samples: int = 500) -> dict[str, Any]:
    """Tell what somebody may believe of what is hidden; where only agents play, any role that is to move."""
    match = _match(request, ident)

    def work() -> dict[str, Any]:
        with match.lock:
            info = match.position.information_set(believer(match, key or (), role))
        return belief_data(match.game, info, samples=max(1, min(samples, 5000)))

    return await hall_of(request).ask(work)


@router.get("/{ident}/record", response_class=Response)
def save(request: Request, ident: str, form: str = "json") -> Response:
    """Save a match: `json`, `text`, `ggp` for the general game playing servers, or `trial` for Ludii."""
    text, kind = saved(_match(request, ident), form)
    return Response(text, media_type=kind)


@router.delete("/{ident}", status_code=204)
def end(request: Request, ident: str, key: Keys = None) -> None:
    """End a match."""
    _may_steer(request, ident, *(key or ()))
    hall_of(request).room.remove(ident)


@router.websocket("/{ident}/watch")
async def watch(socket: WebSocket, ident: str) -> None:
    """Send how a match stands, now and whenever it changes, until somebody hangs up or the match is closed."""
    keys = socket.query_params.getlist("key")
    await socket.accept()
    try:
        match: HeldMatch = socket.app.state.hall.room.match(ident)
    except LudariumError as problem:
        await socket.send_json({"detail": str(problem)})
        await socket.close(code=4404)
        return
    loop, changed = asyncio.get_running_loop(), asyncio.Event()

    def tell() -> None:
        loop.call_soon_threadsafe(changed.set)

    leave = match.listen(tell)
    gone = asyncio.create_task(_until_gone(socket))
    try:
        while not gone.done():
            changed.clear()
            await socket.send_text(await asyncio.to_thread(view_text, match, keys))
            if match.closed:
                await socket.close()
                break
            waiting = asyncio.create_task(changed.wait())
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
    except (WebSocketDisconnect, RuntimeError):
        pass  # hung up while being told
    finally:
        leave()
        gone.cancel()


def believer(match: HeldMatch, keys: list[str] | tuple[str, ...], name: str = "") -> int:
    """The role whose belief somebody may ask for: their own, or any if only agents play."""
    if match.game.traits.perfect_information:
        raise Late(f"nothing is hidden in {match.game.name}")
    allowed = match.roles_of(keys) if match.humans else tuple(range(len(match.seats)))
    wanted = [role for role in match.movers if role in allowed and name in ("", match.game.roles[role])]
    if not wanted:
        raise Late("a belief is worked out for whoever is to move, and only for oneself")
    return wanted[0]


async def _until_gone(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return


def _match(request: Request, ident: str) -> HeldMatch:
    return hall_of(request).room.match(ident)


def _role(match: HeldMatch, key: str) -> int:
    """The role that a key is for; of several people with one key each, the one that is to move."""
    roles = match.roles_of([key])
    if not roles:
        raise Forbidden("this key is for no seat of the match")
    return roles[0]


def _may_steer(request: Request, ident: str, *keys: str) -> HeldMatch:
    match = _match(request, ident)
    if match.humans and not match.roles_of(keys):
        raise Forbidden("only those who play this match can do that: show a key")
    return match


def _opened(match: HeldMatch) -> dict[str, Any]:
    keys = {match.game.roles[role]: match.seats[role].key for role in match.humans}
    return {"id": match.id, "keys": keys, "match": view(match, list(keys.values()))}
