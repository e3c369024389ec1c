"""What is to be played: a plan is a list of matches, each with its own seed, so that order and place do not matter.

Plans are made of text and numbers only: they can be stored, compared, and sent to other processes and machines. A match
is named by what it is (game, rules, agents, terms, seed), so that it has the same name in every plan that holds it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, cast

from ludarium.arena.play import FULL
from ludarium.arena.record import read_terms, terms_data
from ludarium.arena.streams import derived_seed
from ludarium.core import Agent, BadParameter, Game, UnknownName
from ludarium.core.fingerprint import ENGINE
from ludarium.core.match import Terms
from ludarium.outside import CodeError, load

CATALOG = "ludarium.catalog"
"""The module that tells what the names of a plan mean. It is named and not imported: it stands above the arena, and
a plan of somebody else's games and agents names another module with a `game` and an `agent` function."""


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """The same agents in the same seats, so many times: match k has the k-th seed from the first on."""

    game: str
    agents: tuple[str, ...]
    """One per role."""

    terms: Terms
    matches: int
    seed: int | None = 0
    """The seed of the plan; None if the store that it is played into has one, which nobody can guess."""

    drawn: int | None = None
    """That seed of the store, when it is played."""

    record: str = FULL
    catalog: str = CATALOG
    rules: str = ""
    """The fingerprint of the game; empty for whatever it is when it is played."""

    @cached_property
    def key(self) -> str:
        """What this pairing is called; how often it is played and how much is kept of it does not count."""
        said = [self.game, self.agents, terms_data(self.terms), self.seed, self.catalog, self.rules, ENGINE]
        return blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=16).hexdigest()

    def __getitem__(self, number: int) -> Fixture:
        return Fixture(self, number)

    @property
    def data(self) -> dict[str, Any]:
        """The pairing as what JSON can hold."""
        return {"game": self.game, "agents": self.agents, "terms": terms_data(self.terms), "matches": self.matches,
                "seed": self.seed, "record": self.record, "catalog": self.catalog, "rules": self.rules,
                **({} if self.drawn is None else {"drawn": self.drawn})}  # fmt: skip

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Pairing:
        """Read what `data` gave."""
        return cls(**{**data, "agents": tuple(data["agents"]), "terms": read_terms(data["terms"])})


@dataclass(frozen=True)
class Fixture:
    """One match of a plan."""

    pairing: Pairing
    number: int
    """From 0 on."""

    @property
    def id(self) -> str:
        """What the match is called, here and in every store."""
        return blake2b(f"{self.pairing.key} {self.number}".encode(), digest_size=8).hexdigest()

    @property
    def seed(self) -> int:
        """The seed of the match: made from that of the plan, or of the store, and telling nothing about others."""
        pairing = self.pairing
        seed = pairing.drawn if pairing.seed is None else pairing.seed
        if seed is None:
            raise BadParameter("this match has no seed yet: that comes from the store that it is played into")
        return derived_seed(seed, f"{replace(pairing, seed=None, drawn=None).key} {self.number}")

    @property
    def game(self) -> str:
        """The game, as the catalog reads it."""
        return self.pairing.game

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents by role, as the catalog reads them."""
        return self.pairing.agents

    @property
    def terms(self) -> Terms:
        """The terms of the match."""
        return self.pairing.terms


@dataclass(frozen=True)
class Plan:
    """A list of matches; in their order all games take turns to be finished, and all pairings of a game keep step."""

    pairings: tuple[Pairing, ...]
    source: Mapping[str, Any] = field(default_factory=dict)
    """What the plan was made from: the words and numbers of its file, or of the call."""

    notes: tuple[str, ...] = field(default=(), compare=False)
    """What its author should know: agents that play some games in imagined states only."""

    @property
    def name(self) -> str:
        """What its author calls it."""
        return str(self.source.get("name", ""))

    @cached_property
    def id(self) -> str:
        """What the plan is called: equal plans have equal names."""
        said = sorted((pairing.key, pairing.matches) for pairing in self.pairings)
        return blake2b(json.dumps(said).encode(), digest_size=8).hexdigest()

    def __len__(self) -> int:
        return sum(pairing.matches for pairing in self.pairings)

    def __iter__(self) -> Iterator[Fixture]:
        for together in self.by_game():
            for number in range(max(pairing.matches for pairing in together)):
                for pairing in together:
                    if number < pairing.matches:
                        yield pairing[number]

    def by_game(self) -> Iterator[list[Pairing]]:
        """Give the pairings that play the same game side by side: loading a game can take longer than playing it."""
        games: dict[str, list[Pairing]] = {}
        for pairing in self.pairings:
            games.setdefault(pairing.game, []).append(pairing)
        yield from games.values()

    def __add__(self, other: Plan) -> Plan:
        merged: dict[str, Pairing] = {}
        for pairing in (*self.pairings, *other.pairings):
            if pairing.key not in merged or merged[pairing.key].matches < pairing.matches:
                merged[pairing.key] = pairing
        return Plan(tuple(merged.values()), {"name": " + ".join(filter(None, (self.name, other.name)))})

    @property
    def rules(self) -> dict[str, str]:
        """The fingerprints of the games, by name."""
        return {pairing.game: pairing.rules for pairing in self.pairings}

    def seeded(self, seed: int) -> Plan:
        """Make the plan whose matches have seeds: this one if it has a seed of its own, else with the seed of a store."""
        return replace(
            self, pairings=tuple(replace(each, drawn=seed) if each.seed is None else each for each in self.pairings)
        )

    def holds(self, other: Plan) -> bool:
        """Whether every match of another plan belongs to this one, too."""
        counts = {pairing.key: pairing.matches for pairing in self.pairings}
        return all(counts.get(pairing.key, 0) >= pairing.matches for pairing in other.pairings)

    @property
    def data(self) -> dict[str, Any]:
        """The plan as what JSON can hold."""
        return {"source": dict(self.source), "pairings": [pairing.data for pairing in self.pairings]}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Plan:
        """Read what `data` gave."""
        return cls(tuple(Pairing.read(each) for each in data["pairings"]), data["source"])

    def __repr__(self) -> str:
        games = {pairing.game for pairing in self.pairings}
        agents = {agent for pairing in self.pairings for agent in pairing.agents}
        named = f"{self.name}: " if self.name else ""
        return f"Plan({named}{len(self)} matches, {len(games)} games, {len(agents)} agents)"


@dataclass(frozen=True)
class Names:
    """What tells which game or agent a name means."""

    game: Callable[[str], Game]
    agent: Callable[[str], Agent]


def names(catalog: str) -> Names:
    """Import the module that knows the names of a plan; where its author made a mistake, that line is named."""
    if not all(part.isidentifier() for part in catalog.split(".")):
        raise BadParameter(f"catalog '{catalog}' is not the name of a module")
    try:
        return Names(load(f"{catalog}:game"), load(f"{catalog}:agent"))
    except CodeError as problem:
        raise BadParameter(f"catalog '{catalog}' cannot be imported: {problem}") from None
    except (BadParameter, UnknownName) as problem:
        raise BadParameter(
            f"catalog '{catalog}' is not a module with a 'game' and an 'agent' function: {problem}"
        ) from None


def other_rules(old: Plan, new: Plan) -> str:
    """Say of which games two plans have different rules under the same name; nothing if of none."""
    then, now = old.rules, new.rules
    changed = [game for game in then if game in now and then[game] != now[game]]
    parts = [f"{game} ({then[game] or 'not known'} then, {now[game] or 'not known'} now)" for game in changed]
    return f"other rules of {', '.join(parts)}" if parts else ""


def same_but_for(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Say in which words and numbers two plans differ."""
    parts = []
    for key in sorted({*old, *new}):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if isinstance(before, list) and isinstance(after, list):
            gone = [str(each) for each in cast(Sequence[Any], before) if each not in after]
            come = [str(each) for each in cast(Sequence[Any], after) if each not in before]
            changes = ([f"without {', '.join(gone)}"] if gone else []) + ([f"with {', '.join(come)}"] if come else [])
            parts.append(f"{key} {' and '.join(changes) or 'in another order'}")
        else:
            parts.append(
                f"{key} {'nothing' if after is None else after}, not {'nothing' if before is None else before}"
            )
    return "; ".join(parts) or "other seats"
