"""The tables of a store, and how stores of earlier versions become stores of this one.

docs/arena.md explains every table and column.
"""

from __future__ import annotations

from ludarium.arena.store.database import Kind

APPLICATION = 0x4C554441  # "LUDA": tells a store from other SQLite files
VERSION = 3

_TABLES = """
CREATE TABLE names (code INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE plans (id TEXT PRIMARY KEY, data TEXT NOT NULL, added REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE matches (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game INTEGER NOT NULL REFERENCES names (code),
    terms INTEGER REFERENCES names (code),
    seed INTEGER NOT NULL,
    plies INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    faults INTEGER NOT NULL,
    seconds REAL,
    started REAL NOT NULL,
    rules INTEGER REFERENCES names (code)
);
CREATE TABLE seats (
    match INTEGER NOT NULL REFERENCES matches (number),
    role INTEGER NOT NULL,
    role_name INTEGER NOT NULL REFERENCES names (code),
    agent INTEGER NOT NULL REFERENCES names (code),
    utility REAL NOT NULL,
    seconds REAL,
    timeouts INTEGER NOT NULL,
    illegal INTEGER NOT NULL,
    crashes INTEGER NOT NULL,
    PRIMARY KEY (match, role)
) WITHOUT ROWID;
CREATE TABLE records (
    match INTEGER PRIMARY KEY REFERENCES matches (number),
    moves TEXT,
    seconds TEXT,
    faults TEXT,
    turns TEXT,
    alternatives TEXT
);
CREATE TABLE seeds (seed INTEGER NOT NULL);
CREATE TABLE failures (id TEXT PRIMARY KEY, reason TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE claims (id TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
"""

STEPS: dict[int, str] = {
    1: "ALTER TABLE matches ADD COLUMN rules INTEGER REFERENCES names (code)",
    2: "CREATE TABLE seeds (seed INTEGER NOT NULL)",
}
"""The statements that lead from each earlier version to the next."""

KIND = Kind(APPLICATION, "a store of matches", _TABLES, VERSION, STEPS)
