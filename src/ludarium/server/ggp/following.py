"""Following a match from what a host tells: the state where all moves are told, else states that agree with what was seen.

Rules are walked in one of two ways that look the same from here: by the interpreter, at once and slowly, or compiled. Chance is
a role like the others in both, since hosts tell what it did.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from time import time
from typing import Any, NamedTuple, Protocol, TypeVar

from ludarium.core import LudariumError, Rng
from ludarium.gdl.game import from_rules
from ludarium.gdl.text.syntax import Rule

S = TypeVar("S", bound=Hashable)

_STATES = 100  # that agree with what was seen are kept, if there is time to find them
_TRIES = 2_000  # to find one, for a step
_VAIN = 200  # tries after which there are no more of them, it seems
_PIECE = 20  # tries between two looks at the clock
_ROUNDS = 2  # from the beginning, where none of those kept agrees; each with more states and tries


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
        self._codes: dict[str, int] = {}

    def initial(self) -> Any:
        """The first state."""
        return self.game.initial()

    def legal(self, state: Any, role: int) -> list[str]:
        """The legal moves of a role."""
        moves = {self.game.text(move): move for move in state.legal(role)}
        self._codes |= moves
        return list(moves)

    def over(self, state: Any) -> bool:
        """Whether the game has ended."""
        return bool(state.over)

    def after(self, state: Any, joint: Sequence[str]) -> Any:
        """The next state, by moves that are known to be legal."""
        return state._after(
            [self._codes[move] if move in self._codes else self.game.parse(move) for move in joint], None
        )

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

        self._before: list[Any] = []
        self._vain = 0

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
        self._before, self._vain = self.states, 0
        self.states = self._led(self.states, step, [], 1, _TRIES) or self._from_the_beginning()

    def look_further(self, until: float) -> None:
        """Find more states that agree with what was told, for as long as there is time: later on they may turn out wrong."""
        while self._before and len(self.states) < _STATES and self._vain < _VAIN and time() < until:
            known = len(self.states)
            self.states = self._led(self._before, self.steps[-1], self.states, known + 1, _PIECE)
            self._vain = 0 if len(self.states) > known else self._vain + _PIECE

    def _joint(self, moves: Sequence[str]) -> list[str] | None:
        if len(moves) != len(self.walk.roles) or len(self.states) != 1:
            return None
        joint = [meant(move, self.walk.legal(self.states[0], role)) for role, move in enumerate(moves)]
        return None if None in joint else [each for each in joint if each is not None]

    def _led(self, states: list[Any], step: Step, known: list[Any], count: int, tries: int) -> list[Any]:
        """Lead states on at random, and add those to the known ones in which the role would have seen what it saw."""
        walk, wanted, found = self.walk, {each.casefold() for each in step.percepts}, dict.fromkeys(known)
        if step.moves is not None:
            return [walk.after(state, step.moves) for state in states]
        ways: dict[Any, list[list[str]]] = {}
        for _ in range(tries):
            state = self._rng.choice(states)
            if state not in ways:
                ways[state] = [walk.legal(state, role) for role in range(len(walk.roles))]
            if step.last not in ways[state][self.role]:
                continue
            joint = [self._rng.choice(each) for each in ways[state]]
            joint[self.role] = step.last
            new = walk.after(state, joint)
            if {each.casefold() for each in walk.percepts(new, self.role)} == wanted and not walk.over(new):
                found[new] = None
                if len(found) >= count:
                    break
        return list(found)

    def _from_the_beginning(self) -> list[Any]:
        """Lead more states up to the present, where none of those that were kept agrees with what was seen."""
        self._before = []
        for more in range(1, _ROUNDS + 1):
            states = [self.walk.initial()]
            for step in self.steps:
                states = self._led(states, step, [], _STATES * more, _TRIES * 2**more)
                if not states:
                    break
            if states:
                return states
        raise Lost(f"no state was found that agrees with what was seen in {len(self.steps)} steps")
