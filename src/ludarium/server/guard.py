"""Who may speak to the server: every request and every socket passes here, those of the page's own library included.

A page of another site must not use a visitor's browser to reach us. So requests that change something, and all sockets, are
refused if they come from another origin. Without a token the host that was asked for must be one of our own names: a
stranger's name that was made to lead to this machine is refused.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "ludarium_token"
LARGEST_BODY = 4_000_000
_SAFE = ("GET", "HEAD", "OPTIONS")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"frame-ancestors 'none'; object-src 'none'; base-uri 'self'"),
    (b"referrer-policy", b"no-referrer"),
)


class Guard:
    """Lets through to an application who may come in."""

    def __init__(self, app: App, *, token: str = "", hosts: Sequence[str] = LOOPBACK) -> None:
        self.app, self.token, self.hosts = app, token, tuple(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _headers(scope)
        reason, status = self._reason(scope, headers)
        if reason:
            await _refuse(scope, send, status, reason)
            return
        if location := self._welcome(scope):
            await _redirect(send, location, self.token)
            return
        await self.app(scope, _counted(receive), _with_headers(send))

    def _reason(self, scope: Scope, headers: dict[str, str]) -> tuple[str, int]:
        """Say why somebody may not come in; nothing if they may."""
        host = headers.get("host", "")
        if not self.token and _hostname(host) not in self.hosts:
            return "this server answers to its own names only", 403
        if self.token and not self._has_token(scope, headers):
            return "this server asks for its token: open the address that it printed when it started", 401
        changes = scope["type"] == "websocket" or scope.get("method") not in _SAFE
        if changes and _from_elsewhere(headers, host):
            return "requests from other sites are refused", 403
        if headers.get("content-length", "0").isdecimal() and int(headers.get("content-length", "0")) > LARGEST_BODY:
            return f"more than the {LARGEST_BODY:,} bytes that are taken", 413
        return "", 200

    def _has_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
        bearer = headers.get("authorization", "").removeprefix("Bearer ").strip()
        shown = [*asked, bearer, _cookie(headers.get("cookie", ""))]
        return any(secrets.compare_digest(each.encode(), self.token.encode()) for each in shown if each)

    def _welcome(self, scope: Scope) -> str:
        """Where to send somebody who came to a page with the token in its address: there, with a cookie in its place."""
        if not self.token or scope["type"] != "http" or scope["method"] != "GET" or scope["path"].startswith("/api/"):
            return ""
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if "token" not in asked:
            return ""
        rest = urlencode({key: value for key, value in asked.items() if key != "token"}, doseq=True)
        return f"/{str(scope['path']).lstrip('/')}{'?' + rest if rest else ''}"


def _headers(scope: Scope) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _from_elsewhere(headers: dict[str, str], host: str) -> bool:
    """Whether a browser says that another site sent a request."""
    if headers.get("sec-fetch-site", "same-origin") in ("cross-site", "same-site"):
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc.lower() != host.lower()
    except ValueError:
        return True


def _cookie(text: str) -> str:
    try:
        found = SimpleCookie(text).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _counted(receive: Receive) -> Receive:
    """Hand on what is received, up to as much as is taken: a body may come without saying how long it is."""
    total = 0

    async def received() -> MutableMapping[str, Any]:
        nonlocal total
        message = await receive()
        if message["type"] == "http.request":
            total += len(message.get("body", b""))
            if total > LARGEST_BODY:
                return {"type": "http.disconnect"}
        return message

    return received


def _with_headers(send: Send) -> Send:
    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *_HEADERS]
        await send(message)

    return sending


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403, "reason": reason})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})


async def _redirect(send: Send, location: str, token: str) -> None:
    cookie = f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [(b"location", location.encode()), (b"set-cookie", cookie.encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
