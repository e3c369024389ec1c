"""What listens answers every request, limited in size and time; what sends says what went wrong."""

import socket
from contextlib import suppress
from threading import Thread
from time import sleep

import pytest

from ludarium.core import BadParameter
from ludarium.server.ggp import messages, wire
from tests.server.ggp.fuzzing import listening


def raw(place, request, *, half_close=True):
    """Send bytes, and give all that comes back."""
    with socket.create_connection(wire.address(place), timeout=30) as connection:
        connection.sendall(request)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(1 << 16):
            answer += piece
    return answer.decode()


@pytest.fixture(scope="module")
def place():
    def answer(text):
        return messages.read(text).kind

    with listening(answer) as where:
        yield where


def test_a_message_is_answered_as_the_protocol_says(place):
    request = b"POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )"
    head, _, body = raw(place, request).partition("\r\n\r\n")
    assert head.splitlines() == ["HTTP/1.0 200 OK", "Content-Type: text/acl", "Content-Length: 4"]
    assert body == "info"


def test_header_names_in_any_case_and_no_length_at_all(place):
    assert raw(place, b"POST / HTTP/1.0\r\ncontent-length: 6\r\n\r\n(INFO)").endswith("\r\n\r\ninfo")
    assert raw(place, b"POST / HTTP/1.0\r\n\r\n(INFO)").endswith("\r\n\r\ninfo")


def test_a_message_may_stand_in_the_address(place):
    assert raw(place, b"GET /%28%20ABORT%20m1%20%29 HTTP/1.0\r\n\r\n").endswith("\r\n\r\nabort")


def test_what_is_no_message_is_refused_with_the_reason(place):
    answer = raw(place, b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n(PLAY")
    assert answer.startswith("HTTP/1.0 400 ")
    assert answer.endswith("1 parentheses are not closed at the end of the message")
    with pytest.raises(wire.NoReply, match="refused with 400: the message is empty"):
        wire.send(wire.address(place), "", 30)


def test_pages_of_others_are_refused(place):
    for header in (b"Origin: http://example.org", b"Sec-Fetch-Site: cross-site"):
        assert raw(place, b"POST / HTTP/1.0\r\n" + header + b"\r\nContent-Length: 6\r\n\r\n(INFO)").startswith(
            "HTTP/1.0 403 "
        )
        assert raw(place, b"GET /(INFO) HTTP/1.0\r\n" + header + b"\r\n\r\n").startswith("HTTP/1.0 403 ")
    assert "Access-Control" not in raw(place, b"OPTIONS / HTTP/1.0\r\n\r\n")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n", "413"),
        (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n", "400"),
        (b"POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\n", "400"),
        (b"BREW / HTTP/1.0\r\n\r\n", "501"),
        (b"no http at all\r\n\r\n", "400"),
        (b"GET /" + b"x" * 70_000 + b" HTTP/1.0\r\n\r\n", "414"),
    ],
)
def test_odd_requests_get_an_error_and_the_next_is_answered(place, request_, status):
    assert f" {status} " in raw(place, request_) or f"code: {status}" in raw(place, request_)
    assert wire.send(wire.address(place), "(INFO)", 30) == "info"


def test_who_connects_and_leaves_or_stays_silent_holds_nobody_up(place):
    silent = [socket.create_connection(wire.address(place)) for _ in range(10)]
    socket.create_connection(wire.address(place)).close()
    assert wire.send(wire.address(place), "(INFO)", 30) == "info"
    for each in silent:
        each.close()


def test_a_port_in_use_is_told(place):
    host, port = wire.address(place)
    with pytest.raises(BadParameter, match=f"cannot listen on 127.0.0.1:{port}: Address already in use"):
        wire.Server(host, port, str)


@pytest.mark.parametrize(
    "text", ["", "localhost", "localhost:", ":9147", "localhost:0", "localhost:70000", "a b:1", "http://a:1", "a:1x"]
)
def test_what_is_no_address_is_refused(text):
    with pytest.raises(BadParameter, match="expected host:port"):
        wire.address(text)


def test_nobody_there_and_nobody_in_time_are_told_apart():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        with pytest.raises(wire.NoReply, match="no connection: Connection refused"):
            wire.send(("127.0.0.1", port), "(INFO)", 30)
        free.listen()
        with pytest.raises(wire.Late, match="no answer within 0.2 s"):
            wire.send(("127.0.0.1", port), "(INFO)", 0.2)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\xfe",
        b"nonsense\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        b"HTTP/1.0 500 Oops\r\n\r\nno",
    ],
)
def test_an_answer_that_is_no_http_is_an_error(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            connection = server.accept()[0]
            connection.recv(1 << 16)
            connection.sendall(answer)
            connection.close()

        thread = Thread(target=serve)
        thread.start()
        with pytest.raises(wire.NoReply):
            wire.send(server.getsockname(), "(INFO)", 30)
        thread.join()


def test_an_answer_that_comes_in_drops_is_late():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip():
            connection = server.accept()[0]
            connection.recv(1 << 16)
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.0 200 OK\r\n")
                for number in range(600):
                    connection.sendall(b"X-%d: y\r\n" % number)
                    sleep(0.05)

        thread = Thread(target=drip)
        thread.start()
        with pytest.raises(wire.Late, match="no answer within 0.4 s"):
            wire.send(server.getsockname(), "(INFO)", 0.4)
        thread.join()
