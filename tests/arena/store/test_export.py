import csv
import sys

import pytest

from ludarium import agent, game, play
from ludarium.arena import Store, StoreError, export
from ludarium.arena.record import from_json
from ludarium.arena.store.export import COLUMNS
from ludarium.core import BadParameter, LudariumError


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "results.db") as opened:
        opened.add_all(
            play(game("nim"), [agent("flat"), agent("random")], seed=seed, iterations=9) for seed in range(3)
        )
        yield opened


def test_csv(store, tmp_path):
    assert export(store, tmp_path / "out.csv") == 6
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    first = next(store.matches())
    assert tuple(rows[0]) == COLUMNS
    assert [row["agent"] for row in rows] == ["flat", "random"] * 3
    assert [row["opponents"] for row in rows] == ["random", "flat"] * 3
    assert rows[0]["id"] == first.id
    assert rows[0]["budget"] == "9 iterations"
    assert float(rows[0]["utility"]) == first.utilities[0]


def test_json_lines(store, tmp_path):
    assert export(store, tmp_path / "out.jsonl") == 3
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [from_json(line) for line in lines] == list(store.matches())


def test_parquet(store, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert export(store, tmp_path / "out.parquet") == 6
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.column("utility").to_pylist() == [utility for match in store.matches() for utility in match.utilities]
    assert table.column("role").to_pylist() == [0, 1] * 3


def test_parquet_says_what_it_needs(store, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(LudariumError, match=r"ludarium\[parquet\]"):
        export(store, tmp_path / "out.parquet")


def test_what_cannot_be_written(store, tmp_path):
    with pytest.raises(BadParameter, match=r"its ending must be one of .csv, .parquet, .jsonl"):
        export(store, tmp_path / "out.xls")
    with pytest.raises(StoreError, match="cannot be written: No such file"):
        export(store, tmp_path / "no" / "out.csv")


def test_a_file_is_whole_or_not_there(store, tmp_path, monkeypatch):
    (tmp_path / "out.jsonl").write_text("before")
    monkeypatch.setattr("ludarium.arena.store.export.to_json", lambda match: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export(store, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "before"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".out")]
