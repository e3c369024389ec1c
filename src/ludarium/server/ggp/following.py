"""Following a match from what a host tells: the state where all moves are told, else states that agree with what was seen.

Rules are walked in one of two ways that look the same from here: by the interpreter, at once and slowly, or compiled. Chance is
a role like the others in both, since hosts tell what it did.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from ludarium.core import LudariumError, Rng
from ludarium.gdl.game import from_rules
from ludarium.gdl.text.syntax import Rule

S = TypeVar("S", bound=Hashable)

_STATES = 24  # that agree with what was seen are kept
_TRIES = 2_000  # to find them, for a step
_VAIN = 100  # tries after which there are no more of them, it seems
_ROUNDS = 3  # from the beginning, each with four times as many, where none of those kept agrees


class Lost(LudariumError):
    """What the host tells does not agree with the rules, or nothing was found that does."""


class Step(NamedTuple):
    """What a host told of a step: the moves of all, or the own one and what was seen."""

    moves: Sequence[str] | None = None
    last: str = ""
    percepts: Sequence[str] = ()


class Walk(Protocol[S]):
    """A game to be walked through; moves are prefix texts, and every role has one in every step."""

    roles: tuple[str, ...]
    hides: bool

    def initial(self) -> S:
        """The first state."""
        ...

    def legal(self, state: S, role: int) -> list[str]:
        """The legal moves of a role."""
        ...

    def over(self, state: S) -> bool:
        """Whether the game has ended."""
        ...

    def after(self, state: S, joint: Sequence[str]) -> S:
        """The next state."""
        ...

    def percepts(self, state: S, role: int) -> frozenset[str]:
        """What a role saw on arriving in a state."""
        ...

    def facts(self, state: S) -> frozenset[str]:
        """What holds in a state."""
        ...


class Compiled:
    """A compiled game to be walked through."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.game = from_rules("match", rules, chance=False)
        self.roles, self.hides = self.game.roles, any(rule.head.name == "sees" for rule in rules)

    def initial(self) -> Any:
        """The first state."""
        return self.game.initial()

    def legal(self, state: Any, role: int) -> list[str]:
        """The legal moves of a role."""
        return [self.game.text(move) for move in state.legal(role)]

    def over(self, state: Any) -> bool:
        """Whether the game has ended."""
        return bool(state.over)

    def after(self, state: Any, joint: Sequence[str]) -> Any:
        """The next state."""
        return state.after({role: self.game.parse(joint[role]) for role in state.movers})

    def percepts(self, state: Any, role: int) -> frozenset[str]:
        """What a role saw on arriving in a state."""
        return frozenset(state.percepts(role))

    def facts(self, state: Any) -> frozenset[str]:
        """What holds in a state."""
        return frozenset(state.facts())


def meant(text: str, known: Sequence[str]) -> str | None:
    """Find a text among others: as it is written, or else in other letter case, as some hosts write."""
    if text in known:
        return text
    folded = text.casefold()
    return next((each for each in known if each.casefold() == folded), None)


class Follower:
    """Where a role of a match may be."""

    def __init__(self, walk: Walk[Any], role: str, rng: Rng) -> None:
        named = meant(role, walk.roles)
        if named is None:
            raise LudariumError(f"there is no role '{role}' in these rules; roles are {', '.join(walk.roles)}")
        self.walk, self.role, self._rng = walk, walk.roles.index(named), rng
        self.steps: list[Step] = []
        self.states: list[Any] = [walk.initial()]
        """Some of those that agree with all that was told; one where nothing is hidden."""

    @property
    def legal(self) -> list[str]:
        """The own legal moves."""
        return list(self.walk.legal(self.states[0], self.role))

    @property
    def choosing(self) -> list[str]:
        """The roles that have a choice now; chance does not choose."""
        walk, state = self.walk, self.states[0]
        return [name for role, name in enumerate(walk.roles) if name != "random" and len(walk.legal(state, role)) > 1]

    def advance(self, step: Step, answered: str = "") -> None:
        """Go on by a step; `answered` is the move that was sent for it."""
        if step.moves is not None:
            joint = self._joint(step.moves)
            if joint is not None:
                self.states = [self.walk.after(self.states[0], joint)]
                self.steps.append(Step(joint))
                return
            if not self.walk.hides:
                raise Lost(f"the moves {' '.join(step.moves)} are not legal after {len(self.steps)} steps")
            step = Step(None, answered, step.moves)  # an old form, which tells what was seen and nothing else
        last = meant(step.last, self.legal)
        if last is None:
            raise Lost(f"{step.last} is told to be the last move, and was not legal")
        self.steps.append(step := Step(None, last, step.percepts))
        self.states = self._led(self.states, step, _STATES, _TRIES) or self._from_the_beginning()

    def _joint(self, moves: Sequence[str]) -> list[str] | None:
        if len(moves) != len(self.walk.roles) or len(self.states) != 1:
            return None
        joint = [meant(move, self.walk.legal(self.states[0], role)) for role, move in enumerate(moves)]
        return None if None in joint else [each for each in joint if each is not None]

    def _led(self, states: list[Any], step: Step, count: int, tries: int) -> list[Any]:
        """Lead states on at random, and keep those in which the role would have seen what it saw."""
        walk, wanted, found = self.walk, {each.casefold() for each in step.percepts}, dict[Any, None]()
        if step.moves is not None:
            return [walk.after(state, step.moves) for state in states]
        ways = [
            (state, legal)
            for state in states
            if step.last in (legal := [walk.legal(state, role) for role in range(len(walk.roles))])[self.role]
        ]
        vain = 0
        for _ in range(tries if ways else 0):
            state, legal = self._rng.choice(ways)
            joint = [self._rng.choice(each) for each in legal]
            joint[self.role] = step.last
            new = walk.after(state, joint)
            agrees = {each.casefold() for each in walk.percepts(new, self.role)} == wanted and not walk.over(new)
            vain = 0 if agrees and new not in found else vain + 1
            if agrees:
                found[new] = None
            if len(found) >= count or (found and vain >= _VAIN):
                break
        return list(found)

    def _from_the_beginning(self) -> list[Any]:
        for more in range(1, _ROUNDS + 1):
            states = [self.walk.initial()]
            for step in self.steps:
                states = self._led(states, step, _STATES * 4**more, _TRIES * 4**more)
                if not states:
                    break
            if states:
                return states
        raise Lost(f"no state was found that agrees with what was seen in {len(self.steps)} steps")
