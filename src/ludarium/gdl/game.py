"""A GDL description as a game: read, grounded, made into a network and compiled."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludarium.core import GameError, IllegalMove, LudariumError, Move, Role, State, Traits
from ludarium.gdl import net
from ludarium.gdl.ground import ground
from ludarium.gdl.history import extract
from ludarium.gdl.layout import PAST, POSITIONS, lay_out
from ludarium.gdl.network import build
from ludarium.gdl.reader import parse_term, read
from ludarium.gdl.syntax import Rule, Term
from ludarium.kernel import Kernel, KernelState, TableGame


def load(path: Path, *, chance: bool = True) -> GdlGame:
    """Read a game from a file; without `chance` the role `random` is a role like the others."""
    return GdlGame(path.stem, read(path), chance=chance)


class GdlGame(TableGame):
    """A game described in GDL."""

    def __init__(self, name: str, rules: Sequence[Rule], *, chance: bool = True) -> None:
        self.name, self.rules = name, tuple(rules)
        plain, self.history = extract(rules)
        grounded = ground(plain, possible=self.history.possible if self.history else ())
        if not grounded.roles:
            raise GameError(f"game '{name}' has no roles")
        every = grounded.roles
        luck = every.index("random") if chance and "random" in every else -1
        self.roles = tuple(role for place, role in enumerate(every) if place != luck)
        self.network = build(grounded, every)
        self.layout = lay_out(self.network, len(every), luck, self.history)
        self.state_size, self.max_moves = self.layout.block, self.layout.max_moves
        self.max_observation = self.state_size
        self._codes = {text: code for code, text in enumerate(self.layout.codes)}
        hidden = bool(grounded.names["sees"])
        self.traits = Traits(
            turn_taking=False, deterministic=luck < 0, perfect_information=not hidden, constant_sum=False
        )

    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table."""
        return net.kernels(self.layout)

    def state(self, block: bytes) -> GdlState:
        """Make the state that a block stands for."""
        return GdlState(self, block)

    def text(self, move: Move) -> str:
        """Write a move as a prefix term."""
        return self.layout.codes[move]

    def parse(self, text: str) -> Move:
        """Read a move from a prefix term."""
        try:
            written = str(parse_term(text))
        except LudariumError as problem:
            raise IllegalMove(f"'{text}' is not a term: {problem}") from None
        if written not in self._codes:
            raise IllegalMove(f"'{text}' is no move of {self.name}; one is {self.layout.codes[0]}")
        return self._codes[written]

    def picture(self, state: State, role: Role | None = None) -> str:
        """List the facts."""
        assert isinstance(state, GdlState)
        return "\n".join(state.facts())


class GdlState(KernelState):
    """A state of a GDL game: a set of facts, and all that follows from them."""

    __slots__ = ()
    game: GdlGame

    def facts(self) -> list[str]:
        """The facts that hold, as prefix text, sorted."""
        return sorted(self._named(array("Q", self._key)) + self._remembered())

    def _named(self, words: Sequence[int]) -> list[str]:
        names = self.game.network.facts
        return [t for k, t in enumerate(names) if words[k >> 6] >> (k & 63) & 1 and t[0] != " " and t[:2] != "( "]

    def _remembered(self) -> list[str]:
        """Positions of the past, for a game that remembers them."""
        history = self.game.history
        if history is None:
            return []
        used = self.game.layout.past_words
        past = array("Q", self.block[self.game.layout.at[PAST] :])
        facts = []
        for k in range(past[0]):
            words = array("Q", bytes(len(self._key)))
            for place, word in enumerate(used):
                words[word] = past[1 + 2 * POSITIONS + k * len(used) + place]
            position = [x for x in map(parse_term, self._named(words)) if isinstance(x, Term)]
            facts.append(history.text(position, history.marks[past[1 + POSITIONS + k]]))
        return facts

    def utilities(self) -> tuple[float, ...]:
        """Say what this state is worth to each role."""
        out = array("d", bytes(8 * len(self.game.roles)))
        self.game.bridge.unit.call("utilities", bytearray(self.block), out)  # goals are worked out in the block
        return tuple(out)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GdlState) and self.game is other.game and self._key == other._key

    @property
    def _key(self) -> bytes:
        return self.block[: 8 * (-(-len(self.game.network.facts) // 64))]

    def __hash__(self) -> int:
        return hash(self._key)
