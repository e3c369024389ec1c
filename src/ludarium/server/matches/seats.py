"""A seat: a person, who shows a key to move and to see, or an agent with what it may spend on a move."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from ludarium.catalog import agent
from ludarium.core import Agent, Game, Limit, describe
from ludarium.core.agent import HUMAN
from ludarium.server.errors import Refused

USUAL = Limit(iterations=1000)


@dataclass(frozen=True)
class Seat:
    """Who plays a role."""

    agent: Agent | None = None
    """None for a person."""

    limit: Limit = USUAL
    """What an agent may spend on a move."""

    seconds: float | None = None
    """What a person may take for a move; without it as long as they like."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    """What a person shows."""

    @property
    def human(self) -> bool:
        """Whether a person sits here."""
        return self.agent is None

    def opened_by(self, key: str) -> bool:
        """Whether a key is that of this seat."""
        return secrets.compare_digest(self.key.encode(), key.encode("utf-8", "replace"))

    @property
    def name(self) -> str:
        """What the page calls who sits here."""
        return HUMAN if self.agent is None else describe(self.agent)


def seat(spec: str, limit: Limit = USUAL, seconds: float | None = None) -> Seat:
    """Make a seat for `human`, or for an agent by its name and parameters; never for code that a name leads to."""
    spec = spec.strip()
    if spec == HUMAN:
        if seconds is not None and not 1 <= seconds <= 86_400:
            raise Refused(f"a person has 1 to 86400 seconds for a move, not {seconds:g}")
        return Seat(None, limit, seconds)
    return Seat(agent(plain(spec)), limit)


def plain(spec: str) -> str:
    """Refuse a text that names code or files: what comes from a page only chooses among what is listed."""
    if len(spec) > 500 or any(sign in spec for sign in (":", "/", "\\", ".py", "__")):
        raise Refused(f"'{spec[:60]}' is no name and parameters from the list of agents")
    return spec


def check_seats(game: Game, seats: Sequence[Seat]) -> None:
    """Refuse too few or too many seats, and agents that see what is hidden."""
    roles = f"{game.name} has {len(game.roles)} roles ({', '.join(game.roles)})"
    if len(seats) != len(game.roles):
        raise Refused(f"{roles}, but {len(seats)} seats were given")
    for each in seats:
        if getattr(each.agent, "cheats", False):
            raise Refused(f"{each.name} sees what is hidden: no match here admits it")
