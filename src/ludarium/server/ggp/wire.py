"""The protocol on the wire: HTTP/1.0, a connection for every message, bodies of ASCII text.

What listens takes requests of limited size and time only, answers every one of them, and refuses what a browser sends for the
page of somebody else.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Timer
from time import monotonic
from typing import Any
from urllib.parse import unquote

from ludarium.core import BadParameter, LudariumError

TYPE = "text/acl"
_MOST = 16 << 20  # bytes of a message
_REPLY = 1 << 16  # bytes of an answer that are looked at
_CONNECT_SECONDS = 5.0
_READ_SECONDS = 10.0  # for a whole request
_AT_ONCE = 32  # connections
_PIECE = 1 << 16


class NoReply(LudariumError):
    """Nobody answers there, or with something else than the protocol."""


class Late(NoReply):
    """No answer within the time."""


def address(text: str) -> tuple[str, int]:
    """Read `host:port`.

    >>> address("localhost:9147")
    ('localhost', 9147)
    """
    host, _, port = text.strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if (
        not host
        or not port.isascii()
        or not port.isdigit()
        or not 0 < int(port[:6]) < 1 << 16
        or set(host) & set("/@ ()")
    ):
        raise BadParameter(f"'{text}' is not the address of a player; expected host:port, such as localhost:9147")
    return host, int(port)


def send(place: tuple[str, int], text: str, seconds: float, receiver: str = "") -> str:
    """Send a message to a player and give its answer, which has to be there in time."""
    end = monotonic() + seconds
    watch: Timer | None = None
    connection = HTTPConnection(*place, timeout=min(_CONNECT_SECONDS, max(0.001, seconds)))
    headers = {"Accept": "text/delim", "Sender": "GAMESERVER", "Receiver": receiver, "Content-Type": TYPE}
    try:
        connection.connect()
        assert connection.sock is not None
        connection.sock.settimeout(max(0.001, end - monotonic()))
        watch = Timer(max(0.001, end - monotonic()), _hang_up, (connection.sock,))  # an answer may come in drops
        watch.daemon = True
        watch.start()
        connection.request("POST", "/", text.encode("ascii", "backslashreplace"), headers)
        answer = connection.getresponse()
        body = b""
        while len(body) < _REPLY and (piece := answer.read1(_PIECE)):
            body += piece
        if monotonic() >= end:
            raise TimeoutError
        if answer.length and len(body) < _REPLY:
            raise ConnectionError("the answer was cut off")
    except TimeoutError:
        raise Late(f"no answer within {seconds:g} s") from None
    except (OSError, HTTPException, ValueError) as problem:
        if monotonic() >= end:
            raise Late(f"no answer within {seconds:g} s") from None
        said = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        raise NoReply(f"no connection: {said}") from None
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()
    told = body.decode("ascii", "replace").strip()
    if answer.status != 200:
        raise NoReply(f"refused with {answer.status}: {told[:200]}")
    return told


def _hang_up(line: socket.socket) -> None:
    with suppress(OSError):  # it has been closed
        line.shutdown(socket.SHUT_RDWR)


class Server(ThreadingHTTPServer):
    """Listens for messages, and has every one answered by a function that is given its text."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str, port: int, answer: Callable[[str], str]) -> None:
        self.answer = answer
        self._room = BoundedSemaphore(_AT_ONCE)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            super().__init__((host, port), _Handler)
        except (OSError, OverflowError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise BadParameter(f"cannot listen on {host}:{port}: {said}") from None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection, unless there are too many."""
        if self._room.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection in its thread."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Go on: whoever asked has gone, or sent what is no HTTP."""


class _Refusal(Exception):
    """Why a request is not served: the HTTP status and a sentence."""


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    timeout = _READ_SECONDS
    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        """Answer the message in the body."""
        self._serve(self._body)

    def do_GET(self) -> None:
        """Answer the message in the address, as some hosts send it."""
        self._serve(lambda: unquote(self.path.removeprefix("/")))

    def do_OPTIONS(self) -> None:
        """Say nothing, so that a browser asks no further for the page of somebody else."""
        self._reply(200, "")

    def _serve(self, text: Callable[[], str]) -> None:
        try:
            self._refuse_browsers()
            told = text()
        except _Refusal as refusal:
            self._reply(*refusal.args)
            return
        try:
            self._reply(200, self.server.answer(told))
        except LudariumError as problem:
            self._reply(400, str(problem))

    def _refuse_browsers(self) -> None:
        if "Origin" in self.headers or self.headers.get("Sec-Fetch-Site", "none") != "none":
            raise _Refusal(403, "this is for match hosts, and not for web pages")

    def _body(self) -> str:
        given = self.headers.get("Content-Length")
        if given is not None and not (given.isascii() and given.isdigit() and len(given) < 12):
            raise _Refusal(400, "the Content-Length is no number")
        most = _MOST if given is None else int(given)
        if most > _MOST:
            raise _Refusal(413, f"a message has at most {_MOST >> 20} MB")
        end, body = monotonic() + _READ_SECONDS, b""
        while len(body) < most:
            piece = self.rfile.read1(min(_PIECE, most - len(body)))
            if not piece:
                break
            body += piece
            if monotonic() > end:
                raise _Refusal(408, "the message took too long to come")
        return body.decode("utf-8", "replace")

    def _reply(self, status: int, text: str) -> None:
        body = text.encode("ascii", "backslashreplace")
        self.send_response_only(status)
        self.send_header("Content-Type", TYPE)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""
