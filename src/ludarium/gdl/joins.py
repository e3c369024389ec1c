"""GDL without grounding: the rules of a description are compiled to loops over relations.

A game that would have too many ground rules is played this way. Facts are bits, relations that do not depend on the state
are tables, and a relation is worked out only for the arguments that are asked about.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ludarium.core import GameError, IllegalMove, LudariumError, Move, Role, State, Traits
from ludarium.gdl.joins_columns import number
from ludarium.gdl.joins_flat import flatten
from ludarium.gdl.joins_kernels import compile_rules
from ludarium.gdl.joins_static import work_out
from ludarium.gdl.joins_store import space
from ludarium.gdl.joins_unfold import unfold
from ludarium.gdl.reader import parse_term
from ludarium.gdl.syntax import Rule, Term
from ludarium.kernel import Kernel, KernelState, TableGame
from ludarium.kernel.table import FUNCTIONS

MAX_PERCEPTS = 4096


def load_rules(name: str, rules: Sequence[Rule], *, chance: bool = True) -> JoinGame:
    """Make a game of rules; without `chance` the role `random` is a role like the others."""
    return JoinGame(name, rules, chance=chance)


class JoinGame(TableGame):
    """A game described in GDL whose rules are evaluated by joins."""

    def __init__(self, name: str, rules: Sequence[Rule], *, chance: bool = True) -> None:
        self.name, self.rules = name, tuple(rules)
        every = [str(r.head.args[0]) for r in rules if r.head.name == "role" and r.head.args and not r.body]
        every = list(dict.fromkeys(every))
        if not every:
            raise GameError(f"game '{name}' has no roles")
        luck = every.index("random") if chance and "random" in every else -1
        self.roles = tuple(role for place, role in enumerate(every) if place != luck)
        flat = flatten(rules)
        rows = work_out(flat)
        unfold(flat, rows)
        self.columns = number(flat, rows)
        self.flat = flat
        self.compiled = compile_rules(flat, self.columns, rows, every, luck)
        names = self.compiled.names
        self._facts_at = names["State"].fields["facts"][1]
        self.state_size, self.max_moves = names["State"].size, max(1, self.compiled.sizes.moves)
        sees = bool(self.compiled.sizes.seen)
        self.max_observation = 8 * (MAX_PERCEPTS if sees else max(1, self.compiled.sizes.state))
        self._bases = [form.base for form in self.compiled.forms]
        self.traits = Traits(
            turn_taking=False, deterministic=luck < 0, perfect_information=not sees, constant_sum=False
        )

    @property
    def code(self) -> str:
        """The generated kernels."""
        return self.compiled.text

    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table, and one that lists goal values."""
        return {name: self.compiled.names[f"table_{name}"] for name in (*FUNCTIONS, "goals")}

    def state(self, block: bytes) -> JoinState:
        """Make the state that a block stands for."""
        return JoinState(self, block)

    def text(self, move: Move) -> str:
        """Write a move as a prefix term."""
        return str(self._move(move))

    def parse(self, text: str) -> Move:
        """Read a move from a prefix term."""
        try:
            term = parse_term(text)
        except LudariumError as problem:
            raise IllegalMove(f"'{text}' is not a term: {problem}") from None
        for form in self.compiled.forms:
            relation, columns = self.flat.relations[form.relation], self.columns.columns[form.relation]
            leaves = _leaves(term, relation.shapes[1])
            if leaves is None:
                continue
            code = 0
            for leaf, column in zip(leaves, columns[1:], strict=True):
                value = self.columns.numbers[column.kind].get(leaf, -1) - column.low
                if not 0 <= value < column.width:
                    break
                code = code * column.width + value
            else:
                return form.base + code
        example = f"; one is {self.text(0)}" if self.compiled.codes else ""
        raise IllegalMove(f"'{text}' is no move of {self.name}{example}")

    def fact(self, code: int) -> str:
        """The text of a fact, by the place of its bit in a state."""
        for relation, kept in self.compiled.store.facts.items():
            first = 64 * kept[()].offset
            if first <= code < first + space(self.columns.columns[relation]):
                atom = self.flat.relations[relation].term(self._row(relation, code - first, 0))
                return str(atom.args[0] if atom.args else atom)
        raise IndexError(code)

    def _move(self, move: Move) -> Term:
        place = bisect_right(self._bases, move) - 1
        if place < 0 or move >= self.compiled.codes:
            raise IllegalMove(f"{move} is no move of {self.name}")
        form = self.compiled.forms[place]
        atom = self.flat.relations[form.relation].term(["", *self._row(form.relation, move - form.base, 1)])
        assert atom.args
        result = atom.args[1]
        assert isinstance(result, Term)
        return result

    def _row(self, relation: int, code: int, skip: int) -> list[str]:
        row = []
        for column in reversed(self.columns.columns[relation][skip:]):
            code, value = divmod(code, column.width)
            row.append(self.columns.names[column.kind][value + column.low])
        return row[::-1]

    def picture(self, state: State, role: Role | None = None) -> str:
        """List the facts."""
        assert isinstance(state, JoinState)
        return "\n".join(state.facts())


class JoinState(KernelState):
    """A state of a GDL game: a set of facts, with the legal moves that follow from it."""

    __slots__ = ()
    game: JoinGame

    def facts(self) -> list[str]:
        """The facts that hold, as prefix text, sorted."""
        words = array("Q", self._key)
        codes = (64 * k + b for k, word in enumerate(words) if word for b in range(64) if word >> b & 1)
        return sorted(map(self.game.fact, codes))

    def goals(self, role: Role) -> list[int]:
        """All goal values that the rules give a role, sorted."""
        out = array("q", bytes(8 * 128))
        count = self.game.bridge.unit.call("goals", self.block, self._known(role), out)
        return sorted(out[:count])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JoinState) and self.game is other.game and self._key == other._key

    @property
    def _key(self) -> bytes:
        first = self.game._facts_at
        return self.block[first : first + 8 * max(1, self.game.compiled.sizes.state)]

    def __hash__(self) -> int:
        return hash(self._key)


def _leaves(term: Term, shape: Any) -> list[str] | None:
    """The constants in a term of a certain shape; None if it has another."""
    if shape is None:
        return [term.name] if term.args is None else None
    name, parts = shape
    if term.args is None or term.name != name or len(term.args) != len(parts):
        return None
    leaves: list[str] = []
    for part, inner in zip(term.args, parts, strict=True):
        found = _leaves(part, inner) if isinstance(part, Term) else None
        if found is None:
            return None
        leaves += found
    return leaves
