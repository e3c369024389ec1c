"""Messages of the protocol: one list in prefix form each, `(PLAY m1 ((mark 2 2) noop))`, read and written.

Games that hide something (GDL-II) have the form of the Dresden server: `(PLAY m1 3 (mark 2 2) ((taken) (free 1)))` tells the
turn, the move that was made for the player, and what it sees. What cannot be read is an error that says where and why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ludarium.core import LudariumError
from ludarium.gdl.text.sheet import MAX_DEPTH

INFO, PREVIEW, START, PLAY, STOP, ABORT = KINDS = ("info", "preview", "start", "play", "stop", "abort")
"""What a message can ask for."""

MAX_SECONDS = 1_000_000
"""Clocks beyond this are a mistake."""

_TOKEN = re.compile(r"[()]|;[^\r\n]*|[^\s();]+")
_DIGITS = re.compile(r"[0-9]{1,9}")
_SHOWN = 60  # characters of a message that are worth reading in an error
_NOTHING = "nil"

Node = str | list["Node"]
"""A word, or a list."""


class BadMessage(LudariumError):
    """A text that is no message of the protocol."""


@dataclass(frozen=True)
class Message:
    """What a host says."""

    kind: str
    match: str = ""
    role: str = ""
    rules: str = ""
    """In prefix form, a line each."""

    start_clock: int = 0
    play_clock: int = 0
    moves: tuple[str, ...] | None = None
    """The last moves of all roles, in their order; in an old form for hidden games, what was seen. None before the first."""

    turn: int | None = None
    """Counts from 0, only in the Dresden form."""

    last: str = ""
    """The own last move, only in the Dresden form; empty before the first."""

    percepts: tuple[str, ...] = ()
    """What was seen, only in the Dresden form."""


def read_node(text: str) -> Node:
    """Read the one word or list that a text consists of.

    >>> read_node("( a (b c) )")
    ['a', ['b', 'c']]
    """
    stack: list[list[Node]] = [[]]
    for match in _TOKEN.finditer(text):
        word = match.group()
        if word == "(":
            stack.append([])
            if len(stack) > MAX_DEPTH:
                raise BadMessage(f"more than {MAX_DEPTH} parentheses are open at character {match.start() + 1}")
        elif word == ")":
            if len(stack) == 1:
                raise BadMessage(f"the ')' at character {match.start() + 1} closes nothing")
            done = stack.pop()
            stack[-1].append(done)
        elif word[0] != ";":
            stack[-1].append(word)
    if len(stack) > 1:
        raise BadMessage(f"{len(stack) - 1} parentheses are not closed at the end of the message")
    if len(stack[0]) != 1:
        raise BadMessage(f"expected one list, here are {len(stack[0])}" if stack[0] else "the message is empty")
    return stack[0][0]


def written(node: Node) -> str:
    """Write a node as prefix text, with single spaces."""
    return node if isinstance(node, str) else f"({' '.join(map(written, node))})"


def read(text: str) -> Message:
    """Read a message.

    >>> read("( PLAY m1 ((mark 2 2) noop) )").moves
    ('(mark 2 2)', 'noop')
    >>> read("(play m1 4 noop ((at 1)))").percepts
    ('(at 1)',)
    """
    node = read_node(text)
    parts: list[Node] = node if isinstance(node, list) else [node]
    kind = parts[0].lower() if parts and isinstance(parts[0], str) else ""
    if kind not in KINDS:
        known = ", ".join(each.upper() for each in KINDS)
        raise BadMessage(f"expected one of {known} in parentheses, not {_short(node)}")
    return {INFO: _info, PREVIEW: _preview, START: _start, PLAY: _step, STOP: _step, ABORT: _abort}[kind](
        kind, parts[1:]
    )


def start(match: str, role: str, rules: str, start_clock: int, play_clock: int) -> str:
    """Write the message that begins a match."""
    return f"( START {match} {role} ( {rules} ) {start_clock} {play_clock} )"


def joint(kind: str, match: str, moves: Sequence[str]) -> str:
    """Write that a step was made by these moves; by none before the first."""
    told = f"( {' '.join(moves)} )" if moves else "NIL"
    return f"( {kind.upper()} {match} {told} )"


def dresden(kind: str, match: str, turn: int, last: str, percepts: Sequence[str]) -> str:
    """Write what one role of a game that hides something is told of a step."""
    told = f"{last} ( {' '.join(percepts)} )" if last else "NIL NIL"
    return f"( {kind.upper()} {match} {turn} {told} )"


def _info(kind: str, parts: list[Node]) -> Message:
    _count(kind, parts, 0, 0)
    return Message(kind)


def _preview(kind: str, parts: list[Node]) -> Message:
    _count(kind, parts, 2)
    return Message(kind, rules=_rules(parts[0]), start_clock=_seconds("the preview clock", parts[1]))


def _start(kind: str, parts: list[Node]) -> Message:
    _count(kind, parts, 5)
    clocks = _seconds("the start clock", parts[3]), _seconds("the play clock", parts[4])
    return Message(kind, _word("the match", parts[0]), written(parts[1]), _rules(parts[2]), *clocks)


def _step(kind: str, parts: list[Node]) -> Message:
    if len(parts) == 4:
        turn, last = _number("the turn", parts[1]), parts[2]
        first = isinstance(last, str) and last.lower() == _NOTHING and isinstance(parts[3], str)
        percepts = tuple(map(written, parts[3])) if isinstance(parts[3], list) else ()
        match = _word("the match", parts[0])
        return Message(kind, match, turn=turn, last="" if first else written(last), percepts=percepts)
    _count(kind, parts, 2, 2)
    moves = tuple(map(written, parts[1])) if isinstance(parts[1], list) else None
    return Message(kind, _word("the match", parts[0]), moves=moves)


def _abort(kind: str, parts: list[Node]) -> Message:
    _count(kind, parts, 1)
    return Message(kind, _word("the match", parts[0]))


def _count(kind: str, parts: list[Node], least: int, most: int | None = None) -> None:
    if len(parts) < least or (most is not None and len(parts) > most):
        more = " or more" if most is None else ""
        raise BadMessage(f"{kind.upper()} takes {least}{more} arguments, here are {len(parts)}")


def _word(what: str, node: Node) -> str:
    if isinstance(node, str):
        return node
    raise BadMessage(f"{what} is a word, not {_short(node)}")


def _number(what: str, node: Node) -> int:
    if isinstance(node, str) and _DIGITS.fullmatch(node) and int(node) <= MAX_SECONDS:
        return int(node)
    raise BadMessage(f"{what} is a whole number up to {MAX_SECONDS}, not {_short(node)}")


def _seconds(what: str, node: Node) -> int:
    return _number(f"{what} in seconds", node)


def _rules(node: Node) -> str:
    if not isinstance(node, list) or not node:
        raise BadMessage(f"the rules are a list, not {_short(node)}")
    return "\n".join(map(written, node))


def _short(node: Node) -> str:
    text = written(node)
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ...")
