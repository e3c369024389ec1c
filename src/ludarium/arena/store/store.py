"""Results in one SQLite file: every match is safe as soon as it is finished, whatever happens next.

docs/arena.md explains the tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

from ludarium.arena.plan.plan import Plan, other_rules, same_but_for
from ludarium.arena.record import read_terms, terms_data
from ludarium.arena.store import runs, schema
from ludarium.arena.store.database import Database, StoreError
from ludarium.arena.store.owner import alive, owner
from ludarium.arena.store.rows import COLUMNS, course, record
from ludarium.arena.store.versions import NOT_KNOWN
from ludarium.arena.streams import fresh_seed
from ludarium.core import Match
from ludarium.core.match import CRASH, ILLEGAL, TIMEOUT

if TYPE_CHECKING:
    from pandas import DataFrame


class Store(Database):
    """The matches that were played."""

    kind = schema.KIND

    def __init__(self, path: str | Path, *, readonly: bool = False, wait_seconds: float = 30.0) -> None:
        self._codes: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        super().__init__(path, readonly=readonly, wait_seconds=wait_seconds)

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM matches"))

    def _is_empty(self) -> bool:
        return not len(self) and not self.failures()

    def __contains__(self, match_id: str) -> bool:
        return bool(self._one("SELECT EXISTS (SELECT 1 FROM matches WHERE id = ?)", match_id))

    # Writing

    def add(self, match: Match) -> bool:
        """Store a match, at once and for good; False if it is there already."""
        return self.add_all([match]) == 1

    def add_all(self, matches: Iterable[Match]) -> int:
        """Store several matches, all or none, and say how many are new."""
        return len(self.add_new(matches))

    def add_new(self, matches: Iterable[Match]) -> list[Match]:
        """Store several matches, all or none, and give those that were not there already."""
        with self._transaction():
            return [match for match in matches if self._add(match)]

    def fail(self, match_id: str, reason: str) -> None:
        """Note that a match could not be played; it is tried again when the plan is run again."""
        with self._transaction():
            self.connection.execute("INSERT OR REPLACE INTO failures VALUES (?, ?, ?)", (match_id, reason, time()))
            self.connection.execute("DELETE FROM claims WHERE id = ?", (match_id,))

    def begin(self, plan: Plan, *, extend: bool = False, command: str = "", apart: bool = False) -> Plan:
        """Note which plan is played here; a plan that is not the one that was begun is refused, unless it extends it.

        `command` is what repeats it, for those who ask later what was run. The same plan comes back, with the seed of
        this store where it has none.
        """
        with self._transaction():
            if self._one("SELECT EXISTS (SELECT 1 FROM plans WHERE id = ?)", plan.id):
                runs.note(self.connection, plan, command, apart=apart)
                return plan.seeded(self._seed_of_store())
            if not extend:
                self.check(plan)
            row = (plan.id, json.dumps(plan.data), time())
            self.connection.execute("INSERT INTO plans VALUES (?, ?, ?)", row)
            runs.note(self.connection, plan, command, apart=apart)
            return plan.seeded(self._seed_of_store())

    def check(self, plan: Plan) -> None:
        """Refuse a plan that neither was begun here nor holds all that were."""
        earlier = self.plans()
        others = [each for each in earlier if not plan.holds(each)]
        if not others or any(each.id == plan.id for each in earlier):
            return
        change = other_rules(others[-1], plan) or same_but_for(others[-1].source, plan.source)
        raise StoreError(
            f"{self.path} was begun with another plan ({change}); use another store, or extend this one "
            "(--extend, extend=True): it keeps what it has, and the matches of this plan are added"
        )

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
        with self._explaining():
            return {row[0] for row in self.connection.execute("SELECT id FROM matches")}

    def plans(self) -> list[Plan]:
        """Give the plans that were played here, in the order in which they came."""
        rows = self._all("SELECT data FROM plans ORDER BY added")
        return [Plan.read(json.loads(data)) for (data,) in rows]

    def runs(self) -> list[runs.Run]:
        """Give the runs of plans that were noted here, in their order."""
        with self._explaining():
            return runs.read(self.connection)

    def versions(self) -> dict[str, list[str]]:
        """Give the fingerprints of games that were played here by several rules under one name; the current ones come last.

        These are the rules of the plan that was run last, or else of the match that was stored last.
        """
        found: dict[str, list[str]] = {}
        query = (
            "SELECT g.text, coalesce(r.text, ?) FROM matches m JOIN names g ON g.code = m.game "
            "LEFT JOIN names r ON r.code = m.rules GROUP BY m.game, m.rules ORDER BY max(m.number)"
        )
        for game, rules in self._all(query, NOT_KNOWN):
            found.setdefault(game, []).append(rules)
        several = {game: rules for game, rules in found.items() if len(rules) > 1}
        plans = {plan.id: plan.rules for plan in self.plans()} if several else {}
        ran = [plans[run.plan] for run in self.runs() if run.plan in plans] if several else []
        for game, versions in several.items():
            last = next((rules[game] for rules in reversed(ran) if game in rules), "")
            versions.sort(key=last.__eq__)
        return several

    def by_other_rules(self, plan: Plan | None = None) -> list[int]:
        """Give the numbers of matches by other rules than those of a plan, or of games that it lacks than the current ones."""
        query = (
            "SELECT m.number FROM matches m JOIN names g ON g.code = m.game LEFT JOIN names r ON r.code = m.rules "
            "WHERE g.text = ? AND coalesce(r.text, ?) != ?"
        )
        counted = {game: versions[-1] for game, versions in self.versions().items()}
        counted |= {game: rules for game, rules in plan.rules.items() if rules} if plan is not None else {}
        return [number for game, rules in counted.items() for (number,) in self._all(query, game, NOT_KNOWN, rules)]

    @property
    def seed(self) -> int | None:
        """The seed of the plans that have none of their own; None if no plan was begun here."""
        found = self._one("SELECT seed FROM seeds")
        return None if found is None else int(found)

    def failures(self) -> dict[str, str]:
        """Give the matches that could not be played, with the reason."""
        return dict(self._all("SELECT id, reason FROM failures WHERE id NOT IN (SELECT id FROM matches)"))

    def match(self, match_id: str) -> Match:
        """Give a match by its id, or by the beginning of it if no other begins so."""
        query = "SELECT id FROM matches WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"
        found = [row[0] for row in self._all(query, match_id)]
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

    def table(self, *, brief: bool = False, coded: bool = False) -> dict[str, Any]:
        """Give the results as arrays, one row per role of a match: what `Results.of` reads, and unless `brief` more.

        With `coded`, words come as `Labels`, which keep each word once: less memory, and what statistics work on.
        """
        from ludarium.arena.store.columns import plain, table  # noqa: PLC0415

        with self._explaining():
            columns = table(self.connection, brief=brief)
        return columns if coded else plain(columns)

    def moves(self, *, coded: bool = False) -> dict[str, Any]:
        """Give the decisions as arrays, one row each: what `Moves.of` reads."""
        from ludarium.arena.store.columns import moves, plain  # noqa: PLC0415

        with self._explaining():
            columns = moves(self.connection)
        return columns if coded else plain(columns)

    def frame(self) -> DataFrame:
        """Give the results as a DataFrame of pandas, one row per role of a match; words are categories."""
        from ludarium.arena.store.columns import frame  # noqa: PLC0415

        return frame(self.table(coded=True))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with super()._transaction():
                yield
        except BaseException:
            self._codes.clear()  # codes that were made here are gone
            raise

    # Rows

    def _add(self, match: Match) -> bool:
        execute = self.connection.execute
        match_id = match.id or _content_id(match)
        terms = None if match.terms is None else self._code(json.dumps(terms_data(match.terms), sort_keys=True))
        thought = sum(match.thinking) if match.thinking else None
        rules = self._code(match.rules) if match.rules else None
        row = (match_id, self._code(match.game), terms, _signed(match.seed), match.plies, match.cut,
               len(match.faults), thought, match.started, rules)  # fmt: skip
        columns = "id, game, terms, seed, plies, cut, faults, seconds, started, rules"
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

    def _seed_of_store(self) -> int:
        """Give the seed of this store, and draw it first if there is none."""
        if self.seed is None:
            self.connection.execute("INSERT INTO seeds VALUES (?)", (fresh_seed(),))
        assert self.seed is not None
        return self.seed

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
        columns = f"m.number, m.id, m.game, m.terms, m.seed, m.plies, m.cut, m.started, m.rules, {course_columns}"
        joined = f"SELECT {columns} FROM matches m LEFT JOIN records r ON r.match = m.number"  # noqa: S608
        with self._explaining():
            for row in self.connection.execute(f"{joined} {condition} ORDER BY m.number", values):
                yield self._match(row)

    def _match(self, row: tuple[Any, ...]) -> Match:
        number, match_id, game, terms, seed, plies, cut, started, rules, *kept = row
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
            rules="" if rules is None else self._text(rules),
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
