"""Results in one SQLite file: every match is safe as soon as it is finished, whatever happens next.

The file is in WAL mode: readers never wait, several processes may write, and a process that is killed loses nothing that
it has stored. docs/arena.md explains the tables.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from time import time
from typing import Any, Self

from ludarium.arena import store_schema as schema
from ludarium.arena.plan import Plan, same_but_for
from ludarium.arena.record import read_terms, terms_data
from ludarium.arena.store_owner import alive, owner
from ludarium.arena.store_rows import COLUMNS, course, record
from ludarium.core import LudariumError, Match
from ludarium.core.match import CRASH, ILLEGAL, TIMEOUT


class StoreError(LudariumError):
    """A store that cannot be used, or not for this; nothing in it is lost."""


class Store:
    """The matches that were played."""

    def __init__(self, path: str | Path, *, readonly: bool = False, wait_seconds: float = 30.0) -> None:
        self.path, self.readonly, self.wait_seconds = Path(path), readonly, wait_seconds
        self._codes: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        if readonly and not self.path.exists():
            raise StoreError(f"there is no store {path}")
        with self._told():
            self.connection = self._open()
            self._check()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM matches"))

    def __contains__(self, match_id: str) -> bool:
        return bool(self._one("SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?)", match_id))

    # Writing

    def add(self, match: Match) -> bool:
        """Store a match, at once and for good; False if it is there already."""
        return self.add_all([match]) == 1

    def add_all(self, matches: Iterable[Match]) -> int:
        """Store several matches, all or none, and say how many are new."""
        with self._transaction():
            return sum(self._add(match) for match in matches)

    def fail(self, match_id: str, reason: str) -> None:
        """Note that a match could not be played; it is tried again when the plan is run again."""
        with self._transaction():
            self.connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", (match_id, reason, time()))
            self.connection.execute("DELETE FROM claims WHERE id = ?", (match_id,))

    def begin(self, plan: Plan, *, extend: bool = False) -> None:
        """Note which plan is played here; a plan that is not the one that was begun is refused, unless it extends it."""
        with self._transaction():
            rows = self.connection.execute("SELECT id, data FROM plans ORDER BY added").fetchall()
            if any(known == plan.id for known, _ in rows):
                return
            others = [earlier for _, data in rows if not plan.holds(earlier := Plan.read(json.loads(data)))]
            if others and not extend:
                change = same_but_for(others[-1].source, plan.source)
                raise StoreError(
                    f"{self.path} was begun with another plan ({change}); use another store, or extend this one "
                    "(--extend, extend=True): it keeps what it has, and the matches of this plan are added"
                )
            row = (plan.id, json.dumps(plan.data), time())
            self.connection.execute("INSERT INTO plans VALUES (?, ?, ?)", row)

    def claim(self, match_ids: Iterable[str]) -> list[str]:
        """Take matches that are neither played nor being played by another process, so that nobody else plays them."""
        mine = owner()
        taken = []
        with self._transaction():
            for match_id in match_ids:
                if match_id in self:
                    continue
                holder = self._one("SELECT owner FROM claims WHERE id = ?", match_id)
                if holder is None or holder == mine or not alive(holder):
                    self.connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?)", (match_id, mine))
                    taken.append(match_id)
        return taken

    def release(self) -> None:
        """Give up what this process has claimed and not played."""
        with self._transaction():
            self.connection.execute("DELETE FROM claims WHERE owner = ?", (owner(),))

    # Reading

    def ids(self) -> set[str]:
        """Give the ids of all matches."""
        with self._told():
            return {row[0] for row in self.connection.execute("SELECT id FROM matches")}

    def plans(self) -> list[Plan]:
        """Give the plans that were played here, in the order in which they came."""
        rows = self._all("SELECT data FROM plans ORDER BY added")
        return [Plan.read(json.loads(data)) for (data,) in rows]

    def failures(self) -> dict[str, str]:
        """Give the matches that could not be played, with the reason."""
        return dict(self._all("SELECT id, reason FROM failures WHERE id NOT IN (SELECT id FROM matches)"))

    def match(self, match_id: str) -> Match:
        """Give a match by its id, or by the beginning of it if no other begins so."""
        pattern = "".join(c for c in match_id if c not in "%_") + "%"
        found = [row[0] for row in self._all("SELECT id FROM matches WHERE id LIKE ? LIMIT 2", pattern)]
        if len(found) != 1 or not match_id:
            raise StoreError(f"{self.path} has {'several matches' if found else 'no match'} '{match_id}'")
        return next(self._matches("WHERE m.id = ?", found[0]))

    def matches(self, *, game: str | None = None, agent: str | None = None) -> Iterator[Match]:
        """Give the matches one by one, in the order in which they were stored."""
        conditions, values = [], []
        if game is not None:
            conditions.append("m.game = (SELECT code FROM names WHERE text = ?)")
            values.append(game)
        if agent is not None:
            seat = "SELECT match FROM seats WHERE agent = (SELECT code FROM names WHERE text = ?)"
            conditions.append(f"m.number IN ({seat})")
            values.append(agent)
        return self._matches(f"WHERE {' AND '.join(conditions)}" if conditions else "", *values)

    def table(self, *, brief: bool = False) -> dict[str, Any]:
        """Give the results as columns, one row per role of a match: what `Results.of` reads, and unless `brief` more."""
        from ludarium.arena.store_columns import table  # noqa: PLC0415

        with self._told():
            return table(self.connection, brief=brief)

    def moves(self) -> dict[str, Any]:
        """Give the decisions as columns, one row each: what `Moves.of` reads."""
        from ludarium.arena.store_columns import moves  # noqa: PLC0415

        with self._told():
            return moves(self.connection)

    # The file

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
        """Refuse what is no store or from the future; make the tables of a new one, and those that an old one lacks."""
        try:
            if (version := self._version()) == schema.VERSION:
                return
            if self.readonly and version == 0:
                raise StoreError(f"{self.path} is empty: nothing was stored there")
            if self.readonly:
                raise StoreError(
                    f"{self.path} is of an earlier version; open it for writing once, to bring it up to date"
                )
            self.connection.execute("PRAGMA journal_mode = WAL")
            with self._transaction():
                version = self._version()  # another process may have been faster
                if version == 0:
                    schema.create(self.connection)
                elif version < schema.VERSION:
                    schema.migrate(self.connection, version)
        except BaseException:
            self.connection.close()
            raise

    def _version(self) -> int:
        version = int(self._one("PRAGMA user_version"))
        application = self._one("PRAGMA application_id")
        if application != schema.APPLICATION:
            if version or application or self._one("SELECT count(*) FROM sqlite_master"):
                raise StoreError(f"{self.path} is a database of another program, not a store of matches")
            return 0
        if version > schema.VERSION:
            raise StoreError(
                f"{self.path} was written by a newer Ludarium (store version {version}, this one knows "
                f"{schema.VERSION}): update Ludarium to open it"
            )
        return version

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._told():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                self._codes.clear()  # codes that were made here are gone
                with suppress(sqlite3.Error):  # which may have rolled back by itself
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say what is wrong with a store as its user would."""
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
            "not a database": f"{self.path} is no store: it is not an SQLite file, or its beginning is damaged",
            "malformed": f"{self.path} is damaged; 'sqlite3 {self.path} .recover' may save what is left",
            "unable to open": f"{self.path} cannot be opened: is there such a folder, and may you write to it?",
        }.items():
            if part in problem:
                return sentence
        return f"{self.path}: {problem}"

    def _one(self, query: str, *values: Any) -> Any:
        with self._told():
            row = self.connection.execute(query, values).fetchone()
        return None if row is None else row[0]

    def _all(self, query: str, *values: Any) -> list[Any]:
        with self._told():
            return self.connection.execute(query, values).fetchall()

    # Rows

    def _add(self, match: Match) -> bool:
        execute = self.connection.execute
        match_id = match.id or _content_id(match)
        terms = None if match.terms is None else self._code(json.dumps(terms_data(match.terms), sort_keys=True))
        thought = sum(match.thinking) if match.thinking else None
        row = (match_id, self._code(match.game), terms, _signed(match.seed), match.plies, match.cut,
               len(match.faults), thought, match.started)  # fmt: skip
        columns = "id, game, terms, seed, plies, cut, faults, seconds, started"
        added = execute(f"INSERT OR IGNORE INTO matches ({columns}) VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608
        execute("DELETE FROM claims WHERE id = ?", (match_id,))
        if added.rowcount == 0:
            return False
        names = match.roles or tuple(f"role {number}" for number in range(1, len(match.agents) + 1))
        seats = []
        for role, (agent, utility) in enumerate(zip(match.agents, match.utilities, strict=True)):
            faults = [turn.fault for turn in match.turns if turn.role == role and turn.fault]
            counts = (faults.count(TIMEOUT), faults.count(ILLEGAL), faults.count(CRASH))
            spent = match.thinking[role] if match.thinking else None
            seats.append((added.lastrowid, role, self._code(names[role]), self._code(agent), utility, spent, *counts))
        self.connection.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", seats)
        kept = record(match)
        if kept is not None:
            execute("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", (added.lastrowid, *kept))
        return True

    def _code(self, text: str) -> int:
        """Number a text, which is then stored once."""
        if text not in self._codes:
            self.connection.execute("INSERT OR IGNORE INTO names (text) VALUES (?)", (text,))
            self._codes[text] = int(self._one("SELECT code FROM names WHERE text = ?", text))
        return self._codes[text]

    def _text(self, code: int) -> str:
        if code not in self._texts:
            self._texts[code] = str(self._one("SELECT text FROM names WHERE code = ?", code))
        return self._texts[code]

    def _matches(self, condition: str, *values: Any) -> Iterator[Match]:
        course_columns = ", ".join(f"r.{column}" for column in COLUMNS.split(", "))
        columns = f"m.number, m.id, m.game, m.terms, m.seed, m.plies, m.cut, m.started, {course_columns}"
        joined = f"SELECT {columns} FROM matches m LEFT JOIN records r ON r.match = m.number"  # noqa: S608
        with self._told():
            for row in self.connection.execute(f"{joined} {condition} ORDER BY m.number", values):
                yield self._match(row)

    def _match(self, row: tuple[Any, ...]) -> Match:
        number, match_id, game, terms, seed, plies, cut, started, *kept = row
        query = "SELECT role_name, agent, utility, seconds FROM seats WHERE match = ? ORDER BY role"
        names, agents, utilities, thinking = zip(*self.connection.execute(query, (number,)), strict=True)
        played = course(tuple(kept))
        return Match(
            id=match_id,
            game=self._text(game),
            agents=tuple(map(self._text, agents)),
            roles=tuple(map(self._text, names)),
            seed=seed % (1 << 64),
            utilities=utilities,
            thinking=() if None in thinking else thinking,
            terms=None if terms is None else read_terms(json.loads(self._text(terms))),
            length=None if len(played["moves"]) == plies else plies,
            cut=bool(cut),
            started=started,
            **played,
        )


def _content_id(match: Match) -> str:
    """Name a match that belongs to no plan by what was played."""
    said = [match.game, match.agents, match.seed, match.moves, match.utilities]
    return blake2b(json.dumps(said).encode(), digest_size=8).hexdigest()


def _signed(seed: int) -> int:
    """SQLite's whole numbers have a sign: the upper half of all seeds is stored as negative numbers."""
    return seed - (1 << 64) if seed >= 1 << 63 else seed
