"""A file of results: an SQLite file of a known kind, in WAL mode, whose troubles are told as its user would tell them.

Readers never wait, several processes may write, and a process that is killed loses nothing that it has stored.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any, ClassVar, Self

from ludarium.core import LudariumError

MEMORY = ":memory:"
"""Instead of a path: what is stored there ends with the process."""

_MOMENT = 0.02  # seconds, before something is tried again


class StoreError(LudariumError):
    """A store that cannot be used, or not for this; nothing in it is lost."""


@dataclass(frozen=True)
class Kind:
    """What a file is for: a number that tells it from other SQLite files, and the tables in it."""

    application: int
    noun: str
    tables: str
    version: int = 1
    steps: Mapping[int, str] = field(default_factory=dict)
    """The statements that lead from each earlier version to the next."""

    unmarked: str = ""
    """A table by which a file is known that was made before files were marked."""


class Database:
    """A file of some kind, open."""

    kind: ClassVar[Kind]

    def __init__(self, path: str | Path, *, readonly: bool = False, wait_seconds: float = 30.0) -> None:
        self.path, self.readonly, self.wait_seconds = Path(path), readonly, wait_seconds
        if readonly and not self.path.exists():
            raise StoreError(f"there is no store {path}")
        if self.path.is_dir():
            raise StoreError(f"{path} is a folder; expected a file of results")
        self._is_new, self._owner = not self.path.exists(), os.getpid()
        with self._explaining():
            self.connection = self._open()
            try:
                self._check()
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Close the file."""
        self.connection.close()
        if self.readonly:
            self._tidy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # What was made for a command that is refused is not left behind.
        idle = self._is_new and kind is not None and issubclass(kind, LudariumError) and self._is_empty()
        self.close()
        if idle:
            self.path.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Have the empty files removed that reading leaves beside a store: SQLite does that for the last one that may write."""
        with suppress(OSError, sqlite3.Error):  # they do no harm
            if not Path(f"{self.path}-wal").stat().st_size:
                address = f"{self.path.absolute().as_uri()}?mode=rw"
                with closing(sqlite3.connect(address, uri=True, timeout=0)) as writing:
                    writing.execute("SELECT * FROM sqlite_master").fetchone()

    def _is_empty(self) -> bool:
        """Whether nothing was stored that somebody could miss."""
        return False

    def _one(self, query: str, *values: Any) -> Any:
        """Ask for one value; None if there is none."""
        with self._explaining():
            row = self.connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    def _all(self, query: str, *values: Any) -> list[Any]:
        """Ask for rows, or store something at once and for good."""
        with self._explaining():
            return self.connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Store all that is stored in here, or nothing."""
        if os.getpid() != self._owner:
            raise StoreError(
                f"{self.path} was opened by another process, of which this one is a copy: nothing is stored"
            )
        with self._explaining():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # which may have rolled back by itself
                    self.connection.execute("ROLLBACK")
                raise

    def _open(self) -> sqlite3.Connection:
        if self.readonly:
            connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            try:
                connection.execute("SELECT * FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:  # WAL needs a file beside it, and the folder may be read-only, too
                connection.close()
                address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
                connection = sqlite3.connect(address, uri=True, isolation_level=None)
        else:
            connection = sqlite3.connect(self.path, isolation_level=None)
            connection.execute("PRAGMA synchronous = NORMAL")  # WAL keeps the file whole even if the power fails
        connection.execute(f"PRAGMA busy_timeout = {round(1000 * self.wait_seconds)}")
        return connection

    def _check(self) -> None:
        """Refuse what is of another kind or from the future; make the tables of a new file, and those that an old one lacks."""
        with self._reading():
            version = self._version()
        if version == self.kind.version:
            return
        if self.readonly and version == 0:
            raise StoreError(f"{self.path} is empty: nothing was stored there")
        if self.readonly:
            raise StoreError(f"{self.path} is of an earlier version; open it for writing once, to bring it up to date")
        self._keep_a_log()
        with self._transaction():
            version = self._version()  # another process may have been faster
            if version == 0:
                self._run(self.kind.tables)
            else:
                for step in range(version, self.kind.version):
                    self._run(self.kind.steps[step])
            self.connection.execute(f"PRAGMA application_id = {self.kind.application}")
            self.connection.execute(f"PRAGMA user_version = {self.kind.version}")

    def _keep_a_log(self) -> None:
        """Begin WAL mode; SQLite may refuse that at once while others make the same file, so it is this that waits."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        for left in range(round(self.wait_seconds / _MOMENT), -1, -1):
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                break
            except sqlite3.OperationalError as problem:
                if "locked" not in str(problem) or not left:
                    raise
                sleep(_MOMENT)
        self.connection.execute(f"PRAGMA busy_timeout = {round(1000 * self.wait_seconds)}")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """See the file as it is at one moment, whoever writes to it meanwhile."""
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            with suppress(sqlite3.Error):
                self.connection.execute("ROLLBACK")

    def _version(self) -> int:
        version = int(self._one("PRAGMA user_version"))
        application = self._one("PRAGMA application_id")
        if application != self.kind.application:
            tables = {name for (name,) in self._all("SELECT name FROM sqlite_master")}
            if version or application or (tables and self.kind.unmarked not in tables):
                raise StoreError(f"{self.path} is a database of another program, not {self.kind.noun}")
            return 0
        if version > self.kind.version:
            raise StoreError(
                f"{self.path} was written by a newer Ludarium (store version {version}, this one knows "
                f"{self.kind.version}): update Ludarium to open it"
            )
        return version

    def _run(self, script: str) -> None:
        for statement in filter(None, (each.strip() for each in script.split(";"))):
            self.connection.execute(statement)  # executescript would end the transaction

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Say what is wrong with the file as its user would."""
        try:
            yield
        except sqlite3.Error as problem:
            raise StoreError(self._sentence(str(problem))) from problem

    def _sentence(self, problem: str) -> str:
        safe = "what was stored before is safe, and the same command goes on from there"
        for part, sentence in {
            "disk is full": f"the disk is full: {self.path} takes no more; {safe}",
            "disk I/O": f"the disk does not take what is written to {self.path}; {safe}",
            "locked": f"{self.path} is locked: another process has been writing for {self.wait_seconds:g} s",
            "readonly": f"{self.path} is read-only: nothing can be stored there",
            "not a database": f"{self.path} is not a store: it is not an SQLite file, or its beginning is damaged",
            "malformed": f"{self.path} is damaged; 'sqlite3 {self.path} .recover' may save what is left",
            "unable to open": f"{self.path} cannot be opened: is there such a folder, and may you write to it?",
        }.items():
            if part in problem:
                return sentence
        return f"{self.path}: {problem}"
