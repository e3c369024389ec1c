"""GDL without grounding: the rules of a description are compiled to loops over relations.

A game that would have too many ground rules is played this way. Facts are bits, relations that do not depend on the state
are tables, and a relation is worked out only for the arguments that are asked about.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludarium.core import GameError, IllegalMove, LudariumError, Move, Offers, Rng, Role, State, Traits
from ludarium.core.offers import RuleCost
from ludarium.gdl.check.repair import extent
from ludarium.gdl.joins.code.store import space
from ludarium.gdl.joins.game_kernels import compile_rules
from ludarium.gdl.joins.rules.apart import split_relations
from ludarium.gdl.joins.rules.columns import number
from ludarium.gdl.joins.rules.flat import Shape, flatten
from ludarium.gdl.joins.rules.static import work_out
from ludarium.gdl.joins.rules.unfold import unfold
from ludarium.gdl.joins.tables import MOST_GOALS, NO_GOAL
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Rule, Term, fingerprint, role_names
from ludarium.kernel import Kernel, KernelState, TableGame

if TYPE_CHECKING:
    from ludarium.gdl.view import View

_PERCEPTS = 4096  # the most that a role is shown at once
_SHOWN = 400  # characters of a state that are worth reading in an error message


def load_rules(
    name: str, rules: Sequence[Rule], *, text: str = "", chance: bool = True, frugal: bool = False
) -> JoinGame:
    """Make a game of rules; without `chance` the role `random` is a role like the others."""
    return JoinGame(name, rules, text=text, chance=chance, frugal=frugal)


class JoinGame(TableGame):
    """A game described in GDL whose rules are evaluated by joins; a frugal one asks for no more than it needs at once."""

    hurry = True  # as others, too: games are often loaded to be looked at

    def __init__(
        self,
        name: str,
        clauses: Sequence[Rule],
        *,
        text: str = "",
        chance: bool = True,
        counting: bool = False,
        frugal: bool = False,
    ) -> None:
        self.name, self.clauses = name, tuple(clauses)
        self.rules = text or "\n".join(map(str, clauses))
        every = role_names(rule for rule in clauses if not rule.body)
        if not every:
            raise GameError(f"game '{name}' has no roles")
        luck = every.index("random") if chance and "random" in every else -1
        self.roles, self._luck = tuple(role for place, role in enumerate(every) if place != luck), luck
        self.flat = flatten(split_relations(clauses))
        rows = work_out(self.flat)
        unfold(self.flat, rows)
        self.columns = number(self.flat, rows)
        self.compiled = compile_rules(self.flat, self.columns, rows, every, luck, counting=counting, frugal=frugal)
        self.state_size = self.compiled.records.state.size
        self.scratch_size = self.compiled.records.work.size
        self.max_moves = self.compiled.sizes.offers
        sees = bool(self.compiled.percepts)
        self.max_observation = 8 * (_PERCEPTS if sees else max(1, self.compiled.sizes.state))
        self._bases = [form.base for form in self.compiled.forms]
        self.traits = Traits(deterministic=luck < 0, perfect_information=not sees)

    @cached_property
    def view(self) -> View | None:
        """How its states are drawn, and its moves written, if the rule file says so."""
        from ludarium.gdl.view import forgiving

        return forgiving(self.rules, self.clauses[0].place.file) if self.clauses else None

    @cached_property
    def fingerprint(self) -> str:
        """What the game is: its rules as they are understood, whichever way they are played."""
        return fingerprint(self.clauses, chance=self._luck >= 0)

    @cached_property
    def offers(self) -> Offers:  # type: ignore[override]
        """What the rules tell beyond how to play."""
        return Offers(
            rules=self.rules,
            listing=self.listing,
            costs=self.costs,
            declared=self.declared,
            svg=self.svg,
        )

    def costs(self) -> list[RuleCost]:
        """What each rule costs in random playouts, the dearest first."""
        from ludarium.gdl.joins.cost import costs

        return costs(self.name, self.clauses, chance=self._luck >= 0)

    def functions(self) -> dict[str, Kernel[Any]]:
        """Make the kernels of the table, and one that lists goal values."""
        return self.compiled.functions

    def listing(self) -> str:
        """Sum up what the rules became; the kernels themselves are listed as those of any game."""
        facts = sum(space(self.columns.columns[relation]) for relation in self.compiled.store.facts)
        room = f"# a state takes {self.state_size} bytes, and {self.scratch_size} to work in"
        return f"# {self.name}\n# {facts} possible facts, {self.compiled.codes} possible moves, worked out by joins\n{room}"

    def state(self, block: bytes) -> JoinState:
        """Make the state that a block stands for."""
        return JoinState(self, block)

    def text(self, move: Move) -> str:
        """Write a move as a prefix term."""
        place = bisect_right(self._bases, move) - 1
        if place < 0 or move >= self.compiled.codes:
            raise IllegalMove(f"{move} is not a move of {self.name}")
        form = self.compiled.forms[place]
        return self.atom(form.relation, move - form.base, 1)

    def notation(self, move: Move) -> str:
        """Write a move as the rule file says that people do; as a prefix term if it says nothing."""
        return self.view.notation.written(self.text(move)) if self.view else self.text(move)

    def parse(self, text: str) -> Move:
        """Read a move from a prefix term, or in the notation of the rule file."""
        read = self.view.notation.read(text) if self.view else None
        if read is not None:
            with suppress(IllegalMove):
                return self.of_term(read)
        return self.of_term(text)

    def of_term(self, text: str) -> Move:
        """Read a move from a prefix term."""
        try:
            term = parse_term(text)
        except LudariumError as problem:
            raise IllegalMove(f"'{text}' is not a term: {problem}") from None
        for form in self.compiled.forms:
            leaves = _leaves(term, self.flat.relations[form.relation].shapes[1])
            columns = self.columns.columns[form.relation][1:]
            numbers = [
                self.columns.numbers[column.kind].get(leaf, -1) - column.low
                for leaf, column in zip(leaves or (), columns, strict=False)
            ]
            if leaves is not None and all(0 <= x < c.width for x, c in zip(numbers, columns, strict=True)):
                code = 0
                for value, column in zip(numbers, columns, strict=True):
                    code = code * column.width + value
                return form.base + code
        raise IllegalMove(f"'{text}' is not a move of {self.name}; one is {self.text(0)}")

    def atom(self, relation: int, code: int, place: int) -> str:
        """Write an argument of a relation whose columns from there on make up a code."""
        columns = self.columns.columns[relation]
        row: list[str] = []
        for column in reversed(columns[place:]):
            code, value = divmod(code, column.width)
            row.insert(0, self.columns.names[column.kind][value + column.low])
        atom = self.flat.relations[relation].term([""] * place + row)
        return str((atom.args or ())[place])

    def fact(self, code: int) -> str:
        """Write a fact, by the place of its bit in a state."""
        for relation, kept in self.compiled.store.facts.items():
            first = 64 * kept[()].offset
            if first <= code < first + space(self.columns.columns[relation]):
                return self.atom(relation, code - first, 0)
        raise IndexError(code)

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw the board, if there is one, and list the other facts; for a role what it has just seen."""
        from ludarium.gdl.view import picture

        assert isinstance(state, JoinState)
        if role is not None and not self.traits.perfect_information:
            return f"{self.roles[role]} sees {', '.join(state.percepts(role)) or 'nothing'}"
        facts = [fact for fact in map(parse_term, state.facts()) if isinstance(fact, Term)]
        return picture(facts, self.view) or "no facts"

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw a state as an SVG image; for a role what it has just seen, where something is hidden."""
        from ludarium.drawing import draw_grids
        from ludarium.gdl.svg import draw

        assert isinstance(state, JoinState)
        if role is not None and not self.traits.perfect_information:
            return draw_grids([], [self.picture(state, role)], self.roles, title=self.name)
        facts = [fact for fact in map(parse_term, state.facts()) if isinstance(fact, Term)]
        return draw(facts, self.view, self.roles, self.name)

    def declared(self, relation: str) -> frozenset[str] | None:
        """List what the rules declare with `base`, or with `input` as "role move"; None if they do not."""
        if not any(rule.head.name == relation for rule in self.clauses):
            return None
        return frozenset(extent(self.clauses, relation, 1 if relation == "base" else 2))

    def percepts(self, role: Role, seen: bytes) -> list[str]:  # noqa: ARG002  # the same for all, as numbers of percepts
        """List what a role was shown, as prefix text; nothing in a game that hides nothing."""
        if self.traits.perfect_information:
            return []
        bases = [base for _, base in self.compiled.percepts]
        texts = []
        for code in array("Q", seen)[:-1]:
            relation, base = self.compiled.percepts[bisect_right(bases, code) - 1]
            texts.append(self.atom(relation, code - base, 1))
        return sorted(texts)

    def playouts(self, state: State, count: int, rng: Rng, *, limit: int = 1 << 40) -> tuple[tuple[float, ...], int]:
        """Play random games from a state: what they were worth to each role on average, and all plies."""
        assert isinstance(state, JoinState)
        totals, values, plies = [0.0] * len(self.roles), array("d", bytes(8 * len(self.roles))), 0
        for _ in range(count):
            block = bytearray(state.block)
            plies += self.bridge.call("playout", block, rng, limit)
            self.bridge.call("utilities", block, values)
            totals = [total + value for total, value in zip(totals, values, strict=True)]
        return tuple(total / count for total in totals), plies


class JoinState(KernelState):
    """A state of a GDL game: a set of facts, with the legal moves that follow from it."""

    __slots__ = ()
    game: JoinGame

    def facts(self) -> list[str]:
        """List the facts that hold, as prefix text, sorted."""
        words = array("Q", self._part("facts"))
        codes = (64 * k + b for k, word in enumerate(words) if word for b in range(64) if word >> b & 1)
        return sorted(map(self.game.fact, codes))

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
        out = array("q", bytes(8 * MOST_GOALS))
        count = self._call("goals", self.block, self._valid_role(role), out)
        return sorted({value for value in out[:count] if value != NO_GOAL})

    def percepts(self, role: Role) -> list[str]:
        """List what a role sees on arriving here, as prefix text; nothing in a game that hides nothing."""
        return self.game.percepts(self._valid_role(role), self.observe(role))

    def _joint(self, moves: Mapping[Role, Move] | Move) -> list[Move]:
        for role, name in enumerate(self.game.roles):
            if not self.over and not self.legal(role):
                raise self._broken(f"{name} has no legal move")
        return super()._joint(moves)

    def _after(self, joint: Sequence[Move], rng: Rng | None) -> State:
        try:
            return super()._after(joint, rng)
        except GameError as problem:
            if "has no legal move" in str(problem):  # all others have one
                raise self._broken("random has no legal move") from problem
            raise

    def _broken(self, what: str) -> GameError:
        facts = " ".join(self.facts())
        shown = facts if len(facts) <= _SHOWN else f"{facts[:_SHOWN]} ..."
        return GameError(f"game '{self.game.name}': {what}, in the state {shown or 'without facts'}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JoinState) and self.game is other.game and self._key == other._key

    def _part(self, name: str) -> bytes:
        kind, first = self.game.compiled.records.state.fields[name]
        return self.block[first : first + kind.size]

    @property
    def _key(self) -> bytes:
        return self._part("facts") + self._part("seen")

    def __hash__(self) -> int:
        return hash(self._key)


def _leaves(term: Any, shape: Shape | None) -> list[str] | None:
    """The constants in a term of a certain shape; None if it has another."""
    if not isinstance(term, Term):
        return None
    if shape is None or term.args is None:
        return [term.name] if shape is None and term.args is None else None
    name, parts = shape
    if term.name != name or len(term.args) != len(parts):
        return None
    found = [_leaves(part, inner) for part, inner in zip(term.args, parts, strict=True)]
    return None if None in found else [leaf for leaves in found for leaf in leaves or ()]
