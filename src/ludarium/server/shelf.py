"""The games that a server offers: those that come along, files of rules in the folders it was given, and uploads.

What is asked for by name only ever chooses among these. Names of code, and paths that leave the folders, are refused.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from ludarium import __version__, catalog, drawing, library, registry
from ludarium.arena.position import after
from ludarium.core import Game, UnknownName
from ludarium.core.limits import limited
from ludarium.core.syntax import parse_call
from ludarium.drawing import picture_svg
from ludarium.kernel.machine import cache
from ludarium.server.errors import Refused, TooLarge, Unknown
from ludarium.server.matches.seats import plain
from ludarium.server.trial import LARGEST, LIMITS, tried

UPLOAD, FILE = "upload:", "file:"
_NAME = re.compile(r"[\w][\w .()'-]{0,80}")
_PREFIXES = (catalog.GDL, catalog.LUD)
_KEPT = 48  # games in memory
_MOST_FILES, _LONGEST_PATH = 5000, 500
_UPLOADS = 200


class Shelf:
    """Finds games, and keeps those that were asked for last."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)
        self._uploads: OrderedDict[str, Path] = OrderedDict()
        self._made: OrderedDict[str, Game] = OrderedDict()
        self._pictures: dict[str, str] = {}
        self._lock = threading.Lock()
        self._making: dict[str, threading.Lock] = {}
        self._drawing = threading.Lock()
        self._place = tempfile.TemporaryDirectory(prefix="ludarium-uploads-")

    def listed(self, search: str = "") -> list[dict[str, Any]]:
        """Tell all games whose name or description has these words."""
        words = search.lower().split()
        files = [{"name": FILE + name, "about": "a file of rules here", "language": "file"} for name in self._files()]
        found = [*self._along, *files]
        return [each for each in found if all(word in " ".join(map(str, each.values())).lower() for word in words)]

    @cached_property
    def _along(self) -> list[dict[str, Any]]:
        """What comes along, which stays the same."""
        found = [
            {"name": name, "about": registry.about(entry), "language": "python"}
            for name, entry in registry.listed("game").items()
        ]
        return found + [
            {"name": name, "about": head.about, "title": head.title, "language": head.language}
            for name, head in catalog.rule_files().items()
        ]

    def game(self, spec: str) -> Game:
        """Make a game, or find the one that was made before; this may take seconds."""
        spec = spec.strip()
        key = self._key(spec)
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            lock = self._making.setdefault(key, threading.Lock())
        with lock:
            with self._lock:
                if key in self._made:
                    return self._made[key]
            try:
                made = self._make(spec)
            finally:
                with self._lock:
                    self._making.pop(key, None)
            with self._lock:
                self._made[key] = made
                while len(self._made) > _KEPT:
                    self._made.popitem(last=False)
        return made

    def named(self, name: str, rules: str) -> str:
        """Find a game of which only the name and the fingerprint of its rules are known: an upload has no name of its own."""
        if name in [*registry.listed("game"), *catalog.rule_files()]:
            return name
        with self._lock:
            uploads = [
                spec for spec, made in self._made.items() if spec.startswith(UPLOAD) and made.fingerprint == rules
            ]
        return uploads[-1] if uploads else name

    def picture(self, spec: str) -> str:
        """Draw how a game begins; pictures of rules that come along are kept on disk, since loading takes longer than looking."""
        spec = spec.strip()
        now = self._key(spec)
        if now in self._pictures:
            return self._pictures[now]
        key = _picture_key(spec)
        kept = cache.load(key) if key else None
        if kept is None:
            with self._lock:
                made = self._made.get(now)
            if made is None:
                with self._drawing:  # one at a time: a page asks for many, and people wait for games
                    made = self.game(spec)
            kept = picture_svg(made, after(made, "", seed=0).state).encode()
            if key:
                cache.store(key, kept)
        if len(self._pictures) > 1000:
            self._pictures.clear()
        self._pictures[now] = kept.decode()
        return self._pictures[now]

    def upload(self, name: str, text: str) -> tuple[str, dict[str, Any]]:
        """Take a file of rules, if a worker could load and play it; tells what to ask for, and what the worker found."""
        clean, ending = Path(name).stem, Path(name).suffix.lower()
        if ending not in catalog.LANGUAGES:
            raise Refused(f"rules end in {', '.join(catalog.LANGUAGES)}, not {ending or 'nothing'!r}")
        if not _NAME.fullmatch(clean):
            raise Refused("the name of a file of rules has letters, digits, blanks, dots and dashes only")
        if len(text.encode()) > LARGEST:
            raise TooLarge(f"rules of {len(text.encode()):,} bytes; {LARGEST:,} are taken")
        found = tried(text, ending)
        if not found["ok"]:
            return "", found
        spec = f"{UPLOAD}{secrets.token_urlsafe(6)}/{clean}{ending}"
        folder = Path(self._place.name) / secrets.token_hex(8)
        folder.mkdir()
        path = folder / f"{clean}{ending}"
        path.write_text(text, encoding="utf-8")
        with self._lock:
            self._uploads[spec] = path
            while len(self._uploads) > _UPLOADS:
                old, kept = self._uploads.popitem(last=False)
                self._made.pop(old, None)
                kept.unlink(missing_ok=True)
        return spec, found

    def close(self) -> None:
        """Delete what was uploaded."""
        self._place.cleanup()

    def _make(self, spec: str) -> Game:
        if spec.startswith(UPLOAD):
            with self._lock:
                path = self._uploads.get(spec)
            if path is None:
                raise Unknown("this upload is not here any more: upload the rules again")
            return _from_file(path)
        if spec.startswith(FILE):
            path = self._inside(spec.removeprefix(FILE))
            found = tried(path.read_text(encoding="utf-8", errors="replace"), path.suffix.lower())
            if not found["ok"]:
                raise Refused(found["error"] or "; ".join(each["message"] for each in found["problems"][:3]))
            return _from_file(path)
        prefix = next((each for each in _PREFIXES if spec.startswith(each)), "")
        rest = plain(spec.removeprefix(prefix))
        call = parse_call(rest)
        name = (call[0] if call else rest).strip()
        if Path(name).suffix.lower() in catalog.LANGUAGES:
            raise Refused(
                f"'{name}' is a file: files lie in the folders that the server was given, and begin with {FILE}"
            )
        if prefix != catalog.LUD and prefix + name not in [*registry.listed("game"), *catalog.rule_files()]:
            raise UnknownName("game", prefix + name, [*registry.listed("game"), *catalog.rule_files()])
        return catalog.game(spec)

    def _files(self) -> list[str]:
        found: list[str] = []
        for number, folder in enumerate(self.folders):
            named = (path for path in folder.rglob("*") if path.suffix.lower() in catalog.LANGUAGES)
            rules = sorted(islice(named, _MOST_FILES))
            inside = (path for path in rules if path.is_file() and path.resolve().is_relative_to(folder))
            found += [f"{number}/{path.relative_to(folder).as_posix()}" for path in inside]
        return found

    def _inside(self, name: str) -> Path:
        """Find a file by the number of its folder and its path there."""
        number, _, rest = name.partition("/")
        if "\0" in name or len(name) > _LONGEST_PATH:
            raise Unknown("there is no file of that name")
        if not number.isdecimal() or int(number) >= len(self.folders):
            raise Unknown(f"there is no folder '{number[:20]}' here")
        folder = self.folders[int(number)]
        path = (folder / rest).resolve()
        if not path.is_relative_to(folder):
            raise Refused("that path leaves the folders that the server was given")
        if path.suffix.lower() not in catalog.LANGUAGES or not path.is_file():
            raise Unknown(f"there is no file of rules '{rest[:80]}' in that folder")
        if path.stat().st_size > LARGEST:
            raise TooLarge(f"rules of {path.stat().st_size:,} bytes; {LARGEST:,} are taken")
        return path

    def _key(self, spec: str) -> str:
        """What a game is kept under: a file that was changed is another one."""
        if not spec.startswith(FILE):
            return spec
        found = self._inside(spec.removeprefix(FILE)).stat()
        return f"{spec} {found.st_mtime_ns} {found.st_size}"


def _from_file(path: Path) -> Game:
    with limited(**LIMITS):
        return catalog.game(str(path))


def _picture_key(spec: str) -> str:
    """What a picture is kept under: the rules, and the code that draws them; nothing for what is no file of the library."""
    ending = library.LUDII if spec.startswith(catalog.LUD) or spec in library.names(library.LUDII) else library.GDL
    name = spec.removeprefix(catalog.LUD).removeprefix(catalog.GDL)
    if name not in library.names(ending) or spec in catalog.GAMES:
        return ""
    parts = [spec.encode(), library.path(name, ending).read_bytes(), __version__.encode()]
    parts += [str(file.stat().st_mtime_ns).encode() for file in sorted(Path(drawing.__file__).parent.glob("*.py"))]
    return f"picture-{hashlib.sha256(b'|'.join(parts)).hexdigest()}"
