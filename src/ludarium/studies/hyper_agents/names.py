"""Games by their names, which tables and libraries write differently."""

from __future__ import annotations

from collections.abc import Iterable

from ludarium.hyper.models.tables import Table


def plain(name: str) -> str:
    """The letters and digits of a name, without its folder and language."""
    bare = name.rpartition("/")[2].rpartition(":")[2].removesuffix(".lud")
    return "".join(each for each in bare.lower() if each.isalnum())


def without(table: Table, games: Iterable[str]) -> Table:
    """A table without games of these names."""
    named = {plain(name) for name in games}
    return table.of([k for k, name in enumerate(table.games) if plain(name) not in named])
