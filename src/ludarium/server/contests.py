"""Tournaments of a server: each runs as a process of its own, and its store is read while it grows.

Stores lie in one folder, which was named at the start; a name from outside only ever chooses among them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from time import strftime
from typing import Any

from ludarium.arena import Store, StoreError, wilson
from ludarium.core import Match
from ludarium.server.errors import Full, Refused, Unknown
from ludarium.server.matches.seats import plain, seat
from ludarium.server.shelf import Shelf
from ludarium.terminal.standings import Standings

MOST_MATCHES, MOST_RUNNING = 20_000, 2
REPORT_SECONDS = 300
_PART = re.compile(r"report(-[\w-]{1,60})?\.(html|csv)")
_NAME = re.compile(r"[\w][\w .()-]{0,100}\.db")
_LONGEST = 255  # bytes of a name, as file systems have it


class Contests:
    """Starts tournaments, and reads stores."""

    def __init__(self, shelf: Shelf, folder: Path | None = None) -> None:
        self.shelf = shelf
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="ludarium-stores-")
        self.folder = Path(self._own.name if self._own else folder or "").resolve()
        self.kept = folder is not None
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()
        self._reports = tempfile.TemporaryDirectory(prefix="ludarium-reports-")
        self._reporting = threading.Lock()

    def listed(self) -> list[dict[str, Any]]:
        """Tell all stores, the newest first."""
        files = [file for file in self.folder.glob("*.db") if _NAME.fullmatch(file.name)]
        files.sort(key=lambda file: -file.stat().st_mtime)
        return [{"name": file.name, "running": self.running(file.name)} for file in files]

    def running(self, name: str) -> bool:
        """Whether a tournament is being played."""
        process = self._running.get(name)
        return process is not None and process.poll() is None

    def start(self, games: Sequence[str], agents: Sequence[str], *, per_pair: int = 10, iterations: int = 200) -> str:
        """Let agents meet in games; tells the name of the store."""
        known = {each["name"] for each in self.shelf.listed() if each["language"] != "file"}
        if not games or not set(games) <= known:
            raise Refused(f"a tournament is played in games of the list, not in '{(set(games) - known or {''}).pop()}'")
        if len(set(agents)) < 2:
            raise Refused("a tournament needs two agents or more")
        for each in agents:
            if seat(plain(each)).human:
                raise Refused("people play at the page Play; tournaments are for agents")
        if not 1 <= per_pair <= 1000 or not 1 <= iterations <= 1_000_000:
            raise Refused("1 to 1000 games a pair, and 1 to 1,000,000 iterations a move")
        if len(games) * len(agents) ** 2 * per_pair > 2 * MOST_MATCHES:
            raise Refused(f"that is more than {MOST_MATCHES:,} matches: use ludarium tournament for it")
        with self._lock:
            if sum(self.running(name) for name in self._running) >= MOST_RUNNING:
                raise Full(f"{MOST_RUNNING} tournaments are being played already")
            name = self._free_name()
            options = ["--games-per-pair", str(per_pair), "--iterations", str(iterations), "--workers", "1"]
            command = [sys.executable, "-m", "ludarium", "tournament", "--games", *games, "--agents", *agents, *options]
            command += ["--store", str(self.folder / name), "--quiet", "--no-report"]
            self._running[name] = subprocess.Popen(  # noqa: S603  # ourselves; every word was checked
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        return name

    def stop(self, name: str) -> None:
        """End a tournament; what was played stays."""
        self._path(name, missing=True)
        if process := self._running.get(name):
            process.terminate()

    def standings(self, name: str, most: int = 50) -> dict[str, Any]:
        """Tell who has scored what so far, with 95 % intervals, and the latest matches."""
        counted = Standings()
        path = self._path(name, missing=True)
        running = self.running(name)
        for match in (matches := self._matches(path, running=running)):
            counted.add(match)
        latest = [_told(match) for match in matches[-most:][::-1]]
        rows = []
        for agent in sorted(counted.plays, key=lambda each: -counted.scores[each] / counted.plays[each]):
            plays = counted.plays[agent]
            score = min(1.0, counted.scores[agent] / plays)
            low, high = wilson(score, plays)
            rows.append({"agent": agent, "plays": plays, "score": score, "low": low, "high": high})
        process = self._running.get(name)
        failed = process is not None and process.poll() not in (None, 0, -15)
        return {"name": name, "running": running, "failed": failed, "standings": rows, "matches": latest}

    def match(self, name: str, ident: str) -> Match:
        """Find a match of a store."""
        with self._open(self._path(name)) as store:
            return store.match(ident)

    def report(self, name: str, part: str = "report.html") -> Path:
        """Find a part of the report on a store: the page, which is written anew, or one of the tables beside it."""
        path = self._path(name)
        if not _PART.fullmatch(part):
            raise Unknown("there is no such part of a report")
        folder = Path(self._reports.name) / path.stem
        if part.endswith(".html"):
            self._write_report(path, folder / part)
        if not (folder / part).is_file():
            raise Unknown("there is no such part of the report: open its page first")
        return folder / part

    def _write_report(self, store: Path, target: Path) -> None:
        """Write it in a process of its own: figures take long, and are not drawn by several threads at once."""
        target.parent.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "ludarium", "report", str(store), str(target)]
        with self._reporting:
            try:
                done = subprocess.run(  # noqa: S603  # ourselves; the store is one of the folder
                    command, stdin=subprocess.DEVNULL, capture_output=True, timeout=REPORT_SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                raise Refused(f"the report took more than {REPORT_SECONDS} s: use ludarium report for it") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise Refused(said[-1].removeprefix("ludarium: ").replace(str(store), store.name) if said else "no report")

    def close(self) -> None:
        """End all tournaments."""
        for process in self._running.values():
            if process.poll() is None:
                process.terminate()
        for process in self._running.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
        self._reports.cleanup()
        if self._own:
            self._own.cleanup()

    def _free_name(self) -> str:
        start = strftime("tournament %Y-%m-%d %H-%M")
        number = 1
        while (self.folder / f"{start} ({number}).db").exists() or f"{start} ({number}).db" in self._running:
            number += 1
        return f"{start} ({number}).db"

    def _path(self, name: str, *, missing: bool = False) -> Path:
        path = self.folder / name
        if not _NAME.fullmatch(name) or len(name.encode()) > _LONGEST or path.resolve().parent != self.folder:
            raise Refused("a store is named as it is listed")
        if not path.is_file() and not (missing and name in self._running):
            raise Unknown(f"there is no store '{name}' here")
        return path

    def _matches(self, path: Path, *, running: bool) -> list[Match]:
        """All matches of a store; none of one that has only just begun."""
        if not path.exists():
            return []
        try:
            with self._open(path) as store:
                return list(store.matches())
        except Refused:
            if running:
                return []
            raise

    @staticmethod
    def _open(path: Path) -> Store:
        try:
            return Store(path, readonly=True)
        except StoreError as problem:
            raise Refused(str(problem)) from None


def _told(match: Match) -> dict[str, Any]:
    results = zip(match.agents, match.utilities, strict=True)
    return {
        "id": match.id,
        "game": match.game,
        "result": ", ".join(f"{agent} {utility:.3g}" for agent, utility in results),
        "plies": match.plies,
        "faults": len(match.faults),
    }
