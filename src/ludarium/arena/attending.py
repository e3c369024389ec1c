"""Players that attend a whole match: they are told of every step and answer every time, whether they have a choice or not.

So do players that sit elsewhere and speak the protocol of the general game playing competitions: all are asked at once, and
nobody waits for the thinking of another. Other players are asked when they have to choose, and know of nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from time import sleep
from typing import NamedTuple, Protocol, runtime_checkable

from ludarium.arena.position import Position
from ludarium.arena.referee import NoAnswer
from ludarium.core import BadParameter, InformationSet, Move, Player, Role
from ludarium.core.match import Terms

_LOOK_SECONDS = 0.2


class News(NamedTuple):
    """What a role may know of a step."""

    info: InformationSet
    moves: Mapping[Role, Move]
    """The last moves: those of all roles where nothing is hidden, else the role's own; none before the first step."""


@runtime_checkable
class Attendant(Player, Protocol):
    """A player that attends; what goes wrong with it is a `NoAnswer`."""

    place: str
    """Where it sits; it can be in one match at a time."""

    def reserve(self) -> bool:
        """Keep it for this match, unless it is kept for another."""
        ...

    def begin(self, name: str, terms: Terms) -> None:
        """Announce a match of that name, without waiting for an answer."""
        ...

    def ready(self) -> None:
        """Wait until it has answered that."""
        ...

    def step(self, news: News) -> None:
        """Tell of a step and ask for the next move, without waiting for it; `choose` gives it."""
        ...

    def settle(self) -> None:
        """Wait for the answer of one that had no choice."""
        ...

    def end(self, news: News | None) -> None:
        """Tell how the match ended, or that it was broken off, and let go of the player."""
        ...


class Attendance:
    """All who attend a match."""

    def __init__(self, players: list[Player], position: Position) -> None:
        self._players, self._position = players, position
        self._there = {role: player for role, player in enumerate(players) if isinstance(player, Attendant)}
        self._last: dict[Role, Move] = {}
        places = [player.place for player in self._there.values()]
        if twice := next((place for place in places if places.count(place) > 1), ""):
            raise BadParameter(f"{twice} plays one role at a time, and cannot have two in a match")

    def __bool__(self) -> bool:
        return bool(self._there)

    def begin(self, name: str, terms: Terms, waiting: Callable[[Role], None]) -> Iterator[tuple[Role, NoAnswer]]:
        """Begin with all at once; give those that do not answer. While others play with one, `waiting` is called."""
        in_order = sorted(
            self._there.items(), key=lambda each: each[1].place
        )  # so that no two matches wait for each other
        try:
            for role, player in in_order:
                while not player.reserve():
                    waiting(role)
                    sleep(_LOOK_SECONDS)
            for player in self._there.values():
                player.begin(name, terms)
        except BaseException:
            self.end(broken_off=True)
            raise
        for role, player in self._there.items():
            waiting(role)
            try:
                player.ready()
            except NoAnswer as problem:
                yield role, problem

    def step(self) -> None:
        """Tell all of the last step, and ask for the next."""
        for role, player in self._attending():
            player.step(self._news(role))

    def settle(self, movers: tuple[Role, ...]) -> Iterator[tuple[Role, NoAnswer]]:
        """Wait for those who had no choice; give those whose answers do not stand."""
        for role, player in self._attending():
            if role not in movers:
                try:
                    player.settle()
                except NoAnswer as problem:
                    yield role, problem

    def note(self, joint: Mapping[Role, Move]) -> None:
        """Remember the moves of a step that is about to be made, those that the rules force included."""
        state = self._position.state
        self._last = {}
        for role in range(len(self._players)) if self._there else ():
            forced = state.legal(role)
            if role in joint or len(forced) == 1:
                self._last[role] = joint[role] if role in joint else forced[0]

    def end(self, *, broken_off: bool) -> None:
        """Tell all that the match is over; who is gone need not answer."""
        for role, player in self._there.items():
            with suppress(NoAnswer):
                player.end(None if broken_off else self._news(role))

    def _attending(self) -> list[tuple[Role, Attendant]]:
        """Those who have not been given up."""
        return [(role, player) for role, player in self._there.items() if self._players[role] is player]

    def _news(self, role: Role) -> News:
        shown = self._position.game.traits.perfect_information
        moves = self._last if shown else {who: move for who, move in self._last.items() if who == role}
        return News(self._position.information_set(role), moves)
