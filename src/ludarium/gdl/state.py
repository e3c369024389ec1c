"""A state of a GDL game as the rules speak of it: facts, goals and percepts, read off a flat block."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ludarium.core import GameError, Move, Rng, Role, State
from ludarium.gdl.network.layout import COUNTERS, PAST, POSITIONS, SEEN, STACK
from ludarium.gdl.network.network import TRUE
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term
from ludarium.kernel import KernelState

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

_SHOWN = 400  # characters of a state that are worth reading in an error message


class GdlState(KernelState):
    """A state of a GDL game: a set of facts, and all that follows from them."""

    __slots__ = ()
    game: GdlGame

    def facts(self) -> list[str]:
        """List the facts that hold, as prefix text, sorted."""
        return sorted(self.present() + self._remembered())

    def present(self) -> list[str]:
        """List the facts without positions of the past, of which there may be many."""
        return self._named(array("Q", self._facts))

    def _named(self, words: Sequence[int]) -> list[str]:
        names = self.game.network.facts
        held = (t for k, t in enumerate(names) if words[k >> 6] >> (k & 63) & 1)
        return [text for text in held if text[0] != " " and text[:2] != "( "]

    def _remembered(self) -> list[str]:
        """Positions of the past, for a game that remembers them."""
        history = self.game.history
        if history is None:
            return []
        used = self.game.layout.past_words
        past = array("Q", self.block[self.game.words.past if self.game.words else self.game.layout.at[PAST] :])
        facts = []
        for k in range(past[0]):
            words = array("Q", bytes(len(self._facts)))
            for place, word in enumerate(used):
                words[word] = past[1 + 2 * POSITIONS + k * len(used) + place]
            position = [x for x in map(parse_term, self._named(words)) if isinstance(x, Term)]
            facts.append(history.text(position, history.marks[past[1 + POSITIONS + k]]))
        return facts

    def utilities(self) -> tuple[float, ...]:
        """Say what this state is worth to each role; a role without a goal gets 0.5 before the end."""
        goals = [self.goals(role) for role in range(len(self.game.roles))]
        for name, values in zip(self.game.roles, goals, strict=True):
            if (self.over and len(values) != 1) or not all(0 <= value <= 100 for value in values):
                found = f"the goal {' and '.join(map(str, values))}" if values else "no goal"
                raise self._broken(f"{name} has {found}, not one from 0 to 100")
        return tuple(max(values) / 100 if values else 0.5 for values in goals)

    def goals(self, role: Role) -> list[int]:
        """List all values that the rules give to a role here; there should be one at the end."""
        game = self.game
        seat = game.seats[self._valid_role(role)]
        goals = game.network.goals[seat]
        if game.joined:
            return game.joined.goals(partial(self._call, "goals", self.block, role))
        if game.words:
            every = [game.network.goals[each] for each in game.seats]
            out = bytearray(max(1, sum(map(len, every))))
            self._call("goals", self.block, out)
            first = sum(map(len, every[:role]))
            held = [bool(holds) for holds in out[first : first + len(goals)]]
        else:
            block = bytearray(self.block)  # in which goals are worked out
            self._call("utilities", block, array("d", bytes(8 * len(game.roles))))
            counters = memoryview(block)[game.layout.at[COUNTERS] : game.layout.at[STACK]].cast("h")
            held = [x == TRUE if x < 0 else (counters[x >> 1] >= 0) != bool(x & 1) for _, x in goals]
        return sorted({value for (value, _), holds in zip(goals, held, strict=True) if holds})

    def percepts(self, role: Role) -> list[str]:
        """List what a role sees on arriving here, as prefix text; nothing in a game that hides nothing."""
        return self.game.percepts(self._valid_role(role), self.observe(role))

    def _joint(self, moves: Mapping[Role, Move] | Move) -> list[Move]:
        for role, name in enumerate(self.game.roles):
            if not self.legal(role) and not self.over:
                raise self._broken(f"{name} has no legal move")
        joint = super()._joint(moves)
        if self.game.trusts:
            movers = self.movers
            made = [joint[role] if role in movers else self.legal(role)[0] for role in range(len(joint))]
            named = zip(self.game.roles, made, strict=True)
            self._check_declared("base", self.present())
            self._check_declared("input", [f"{name} {self.game.text(move)}" for name, move in named])
        return joint

    def _check_declared(self, relation: str, texts: Sequence[str]) -> None:
        """Refuse to go on from what is not declared: what follows from it is not known."""
        declared = self.game.declared(relation)
        for text in texts:
            if declared is not None and text not in declared:
                raise self._broken(f"'{relation}' leaves out {text}, and what is declared had to be trusted")

    def _after(self, joint: Sequence[Move], rng: Rng | None) -> State:
        try:
            return super()._after(joint, rng)
        except GameError as problem:  # all others have one
            raise self._broken("random has no legal move") from problem

    def _broken(self, what: str) -> GameError:
        facts = " ".join(self.present())
        shown = facts if len(facts) <= _SHOWN else f"{facts[:_SHOWN]} ..."
        return GameError(f"game '{self.game.name}': {what}, in the state {shown or 'without facts'}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GdlState) and self.game is other.game and self._key == other._key

    @property
    def _facts(self) -> bytes:
        return self.block[: 8 * (-(-len(self.game.network.facts) // 64))]

    @property
    def _key(self) -> bytes:
        """What has just been seen, and all that the future depends on: facts and positions remembered."""
        if self.game.joined:
            return self._facts
        if self.game.words:
            return self.block
        at = self.game.layout.at
        return self._facts + self.block[at[SEEN] : at[COUNTERS]] + self.block[at[PAST] :]

    def __hash__(self) -> int:
        return hash(self._key)
