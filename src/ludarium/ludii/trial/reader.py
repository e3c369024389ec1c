"""Reading trial files: `.txt` and `.trl`, plain or packed as `.xz`; a file that is cut or corrupt is refused with the place.

Actions repeat themselves (a die rolled, a piece moved), so each text is taken apart once: Ludii's 320 MB of random trials
hold seven million actions, a few thousand different ones in each file.
"""

from __future__ import annotations

import lzma
import re
from collections.abc import Iterator
from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.text.source import data, decoded, within
from ludarium.ludii.trial.record import Action, Layout, Move, Trial, Value

MAX_BYTES = 64 << 20
"""Larger files are refused: the longest trial of ten thousand moves has ten megabytes."""

ENDINGS = (".txt", ".trl")

_DEPTH = 20  # moves inside of moves; Ludii has one
_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,9}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_DOUBLE = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,20})?(E-?[0-9]{1,3})?")
_SIZE = "LEGAL MOVES LIST SIZE = "
_STARTS, _STOPS = "NEW LEGAL MOVES LIST", "END LEGAL MOVES LIST"
_LAST = ("numInitialPlacementMoves", "winner", "endtype", "rankings", "SANDBOX", "LUDII_VERSION")


def read(path: Path) -> Trial:
    """Read a trial from a file."""
    inner = path.with_suffix("") if path.suffix == ".xz" else path
    if inner.suffix.lower() not in ENDINGS:
        raise LudariumError(f"{path}: a trial of Ludii ends in .txt or .trl, packed in .txt.xz or .trl.xz")
    found = data(path, MAX_BYTES)
    if path.suffix == ".xz":
        found = _unpacked(found, path)
    return parse(decoded(found, str(path)), str(path))


def parse(text: str, file: str = "<trial>") -> Trial:
    """Read a trial from a text."""
    return _Reader(text, file).trial()


def _unpacked(found: bytes, path: Path) -> bytes:
    unpacker = lzma.LZMADecompressor()
    try:
        inside = within(unpacker.decompress(found, MAX_BYTES + 1), str(path), MAX_BYTES)
    except lzma.LZMAError as error:
        raise LudariumError(f"{path}: this is no .xz file, or it is damaged ({error})") from error
    if not unpacker.eof:
        raise LudariumError(f"{path}: the .xz file is cut")
    return inside


class _Fault(Exception):
    """What is wrong, and at which character of a line."""

    def __init__(self, at: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.at, self.message, self.hint = at, message, hint


class _Reader:
    """One line after the other."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
        self.lines = text.split(self.newline)
        self.ends = self.lines[-1] == ""
        if self.ends:
            self.lines.pop()
        self.at = 0
        self.actions = _Actions()

    def trial(self) -> Trial:
        """All of it."""
        try:
            return self._trial()
        except _Fault as fault:
            place = Place(self.file, self.at + 1, fault.at + 1)
            raise RulesError([Problem(place, fault.message, fault.hint)]) from None

    def _trial(self) -> Trial:
        game = self._take("game=", "a trial begins with the game it is of")
        options = self._options()
        rng = self._rng()
        moves = tuple(self._moves())
        sizes = tuple(self._sizes())
        legal = tuple(self._lists())
        ending = self._ending()
        if self.at < len(self.lines):
            raise _Fault(0, f"this line is not expected here: {_brief(self.lines[self.at])}")
        self._agree(len(moves), len(sizes))
        layout = Layout(self.newline, self.ends)
        return Trial(game, moves, sizes, options, rng, legal, ending, layout, self.file)

    @property
    def _line(self) -> str | None:
        return self.lines[self.at] if self.at < len(self.lines) else None

    def _take(self, start: str, why: str) -> str:
        line = self._line
        if line is None:
            raise _Fault(0, f"the file ends here, where {start!r} was expected", why)
        if not line.startswith(start):
            raise _Fault(0, f"{start!r} was expected instead of {_brief(line)}", why)
        self.at += 1
        return line[len(start) :]

    def _options(self) -> tuple[str, ...]:
        self._take("START GAME OPTIONS", "the options come after the game")
        start = self.at
        while self._line != "END GAME OPTIONS":
            if self._line is None:
                raise _Fault(0, "the file ends inside of the options", "END GAME OPTIONS was expected")
            self.at += 1
        self.at += 1
        return tuple(self.lines[start : self.at - 1])

    def _rng(self) -> tuple[int, ...]:
        name = "RNG internal state="
        text = self._take(name, "the state of the random numbers comes after the options")
        parts = text.split(",")
        if not all(_NUMBER.fullmatch(part) and -129 < int(part) < 128 for part in parts):
            self.at -= 1
            raise _Fault(len(name), f"numbers from -128 to 127 were expected instead of {_brief(text)}")
        return tuple(map(int, parts))

    def _moves(self) -> Iterator[Move]:
        while (line := self._line) is not None and line.startswith("Move="):
            yield self.actions.move(line, 5)
            self.at += 1

    def _sizes(self) -> Iterator[int]:
        while (line := self._line) is not None and line.startswith(_SIZE):
            number = line[len(_SIZE) :]
            if not _NUMBER.fullmatch(number):
                raise _Fault(len(_SIZE), f"a number was expected instead of {_brief(number)}")
            yield int(number)
            self.at += 1

    def _lists(self) -> Iterator[tuple[Move, ...]]:
        while self._line == _STARTS:
            self.at += 1
            found = []
            while (line := self._line) != _STOPS:
                if line is None:
                    raise _Fault(0, "the file ends inside of a list of moves", f"{_STOPS} was expected")
                found.append(self.actions.move(line, 0))
                self.at += 1
            self.at += 1
            yield tuple(found)

    def _ending(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in _LAST:
            line = self._line
            if line is not None and line.startswith(f"{name}="):
                found[name] = value = line[len(name) + 1 :]
                if not _sound(name, value):
                    raise _Fault(len(name) + 1, f"this is no {name}: {_brief(value)}")
                self.at += 1
        if "rankings" not in found:
            line = self._line
            said = "the file ends here" if line is None else f"this line is not expected here: {_brief(line)}"
            raise _Fault(0, f"{said}; rankings= is missing", "the file seems to be cut")
        return found

    def _agree(self, moves: int, sizes: int) -> None:
        if sizes > moves:
            raise _Fault(0, f"there are {sizes} lists of legal moves for {moves} moves", "the file seems to be damaged")


class _Actions:
    """Takes moves and actions apart, each text once."""

    def __init__(self) -> None:
        self._known: dict[str, Action] = {}
        self._heads: dict[str, dict[str, Value]] = {}

    def move(self, line: str, start: int, depth: int = 0) -> Move:
        """The move that a line holds from a character on."""
        if not line.startswith("[Move:mover=", start) or not line.endswith("]"):
            cut = "" if line.endswith("]") else "the line seems to be cut"
            raise _Fault(start, f"a move was expected instead of {_brief(line[start:])}", cut)
        head, found, tail = line[start + 6 : -1].partition(",actions=")
        if not found:
            raise _Fault(len(line), "a move without actions", "the line seems to be cut")
        fields = self._heads.get(head)
        if fields is None:
            fields = self._heads[head] = _fields(head, start + 6)
            _check_head(fields, start + 6)
        return Move(fields, tuple(self._split(line, len(line) - 1 - len(tail), depth)))

    def _split(self, line: str, start: int, depth: int) -> Iterator[Action | Move]:
        text = line[start:-1]
        if not text:
            return
        if "[Move:mover=" in text:
            yield from self._nested(line, start, depth)
            return
        if text[0] != "[" or text[-1] != "]":
            raise _Fault(start, f"an action was expected instead of {_brief(text)}")
        known = self._known
        at = start + 1
        for part in text[1:-1].split("],["):
            action = known.get(part)
            if action is None:
                action = known[part] = _action(part, at)
            yield action
            at += len(part) + 3

    def _nested(self, line: str, start: int, depth: int) -> Iterator[Action | Move]:
        if depth == _DEPTH:
            raise _Fault(start, "moves inside of moves inside of moves")
        at, end = start, len(line) - 1
        while at < end:
            close = _closing(line, at, end)
            if line.startswith("[Move:mover=", at):
                yield self.move(line[: close + 1], at, depth + 1)
            else:
                yield _action(line[at + 1 : close], at + 1)
            at = close + 1
            if at < end:
                if line[at] != ",":
                    raise _Fault(at, f"a comma was expected instead of {_brief(line[at:])}")
                at += 1


def _action(text: str, at: int) -> Action:
    kind, colon, rest = text.partition(":")
    if not colon or not _NAME.fullmatch(kind):
        raise _Fault(at, f"an action was expected instead of {_brief(text)}")
    if "[" in text or "]" in text:
        raise _Fault(at, f"brackets inside of an action: {_brief(text)}")
    return Action(kind, _fields(rest, at + len(kind) + 1))


def _fields(text: str, at: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    if not text:
        return found
    last = ""
    for part in text.split(","):
        name, equals, value = part.partition("=")
        if equals and _NAME.fullmatch(name) and name not in found:
            found[name] = _value(value)
            last = name
        elif last and isinstance(found[last], str):  # a message may have commas
            found[last] = f"{found[last]},{part}"
        else:
            raise _Fault(at, f"name=value was expected instead of {_brief(part)}")
        at += len(part) + 1
    return found


def _check_head(fields: dict[str, Value], at: int) -> None:
    for name, value in fields.items():
        wanted = bool if name == "oriented" else int
        if type(value) is not wanted:
            raise _Fault(at, f"{name}={value}: a {'truth value' if wanted is bool else 'number'} was expected")


def _value(text: str) -> Value:
    if _NUMBER.fullmatch(text):
        return int(text)
    if text in {"true", "false"}:
        return text == "true"
    return text


def _closing(line: str, start: int, end: int) -> int:
    """Where the bracket closes that opens at a character."""
    if line[start] != "[":
        raise _Fault(start, f"an action was expected instead of {_brief(line[start:])}")
    depth = 0
    for match in re.finditer(r"[\[\]]", line[start:end]):
        depth += 1 if match[0] == "[" else -1
        if depth == 0:
            return start + match.start()
    raise _Fault(start, "this bracket is not closed")


def _sound(name: str, value: str) -> bool:
    if name in {"numInitialPlacementMoves", "winner"}:
        return bool(_NUMBER.fullmatch(value))
    if name == "rankings":
        return all(_DOUBLE.fullmatch(part) for part in value.split(","))
    return True


def _brief(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
