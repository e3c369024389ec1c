"""A GDL description as a game: read, grounded, made into a network and compiled.

What a first playout does not need is neither worked out nor imported before it is asked for.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ludarium.core import ActionKernels, IllegalMove, LudariumError, Move, Offers, Rng, Role, State, Traits
from ludarium.core.hints import Formulas
from ludarium.core.limits import limits
from ludarium.core.offers import RuleCost
from ludarium.core.problems import RulesError
from ludarium.gdl.ground.large import GroundingTooLarge
from ludarium.gdl.network.network import Network
from ludarium.gdl.state import GdlState
from ludarium.gdl.stored import NOTHING, Stored
from ludarium.gdl.text.reader import load as load_source
from ludarium.gdl.text.reader import parse_source, parse_term
from ludarium.gdl.text.syntax import Rule, Term, fingerprint
from ludarium.gdl.watch import within_limits
from ludarium.gdl.worked import work_out
from ludarium.kernel import Kernel, TableGame
from ludarium.kernel.game import KernelBridge
from ludarium.kernel.kernel import mode

if TYPE_CHECKING:
    from ludarium.gdl.coverage import RulesInUse
    from ludarium.gdl.facts.groups import Groups
    from ludarium.gdl.facts.pieces import Stock
    from ludarium.gdl.joins.game import JoinGame
    from ludarium.gdl.joins.within import Joined
    from ludarium.gdl.network.batch import Batch
    from ludarium.gdl.view import View
    from ludarium.gdl.words.words_kernels import Words


def load(path: Path, *, name: str = "", chance: bool = True) -> GdlGame | JoinGame:
    """Read a game from a file; without `chance` the role `random` is a role like the others.

    A game that is too large to ground has its rules evaluated without grounding.
    """

    def read() -> GdlGame | JoinGame:
        with _no_collection():
            source = load_source(path)
            stored = Stored(source.text, str(path), chance, limits())
            rules = partial(parse_source, source, path.suffix)
            return _make_game(name or path.stem, rules, source.text, chance=chance, stored=stored)

    return within_limits(str(path), read)


def from_rules(name: str, rules: Sequence[Rule], *, text: str = "", chance: bool = True) -> GdlGame | JoinGame:
    """Make a game of rules that were read, grounded or not, as it fits; all ways share the same limits."""
    file = rules[0].place.file if rules else name
    return within_limits(file, lambda: _make_game(name, lambda: rules, text, chance=chance, stored=NOTHING))


def _make_game(
    name: str, read: Callable[[], Sequence[Rule]], text: str, *, chance: bool, stored: Stored
) -> GdlGame | JoinGame:
    if not stored.find("large"):
        try:
            return GdlGame(name, read, text=text, chance=chance, stored=stored)
        except GroundingTooLarge as large:
            stored.keep("large", str(large))
    from ludarium.gdl.check.definition import prepared
    from ludarium.gdl.joins.game import load_rules

    try:
        return load_rules(name, prepared(read()), text=text, chance=chance, frugal=True)  # there is little room
    except RulesError:
        raise
    except LudariumError as problem:
        try:
            return GdlGame(name, read, text=text, chance=chance, patient=True, stored=stored)
        except GroundingTooLarge:
            raise problem from None


def _cells() -> Any:
    from ludarium.gdl.facts import cells

    return cells


@contextmanager
def _no_collection() -> Iterator[None]:
    """Look for no garbage: a network is a hundred thousand things that stay, and looking takes a tenth of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class GdlGame(TableGame):
    """A game described in GDL; `patient` is for one that is large and cannot be played in another way."""

    hurry = True  # games are often loaded to be looked at, or for a few playouts

    def __init__(
        self,
        name: str,
        clauses: Sequence[Rule] | Callable[[], Sequence[Rule]],
        *,
        text: str = "",
        chance: bool = True,
        patient: bool = False,
        stored: Stored = NOTHING,
    ) -> None:
        self.name = name
        self._read = clauses if callable(clauses) else lambda: clauses
        self.rules = text or "\n".join(map(str, self.clauses))
        worked, self._stored = stored.first("rules", lambda: work_out(self.prepared, chance=chance, patient=patient))
        self._network, self.layout = worked.network, worked.layout
        self.history, self.trusts, self._hides = worked.history, worked.trusts, worked.hides
        self.max_moves, self.luck = self.layout.max_moves, worked.luck
        self.seats = tuple(place for place in range(len(worked.roles)) if place != self.luck)
        self.roles = tuple(worked.roles[place] for place in self.seats)
        self._declared: dict[str, frozenset[str] | None] = {}

    @cached_property
    def clauses(self) -> tuple[Rule, ...]:
        """The rules as they are written."""
        return tuple(self._read())

    @cached_property
    def prepared(self) -> list[Rule]:
        """The rules as they are understood."""
        from ludarium.gdl.check.definition import prepared

        return prepared(self.clauses)

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.layout.codes)}

    @cached_property
    def view(self) -> View | None:
        """How its states are drawn, and its moves written, if the rule file says so."""
        from ludarium.gdl.view import forgiving

        return forgiving(self.rules, self.clauses[0].place.file) if self.clauses else None

    @cached_property
    def fingerprint(self) -> str:
        """What the game is: its rules as they are understood, without comments and layout, and who draws chance."""
        return fingerprint(self.prepared, chance=self.luck >= 0)

    @property
    def network(self) -> Network:
        """The gates that the rules became, with the facts where a state has them."""
        return self.joined.network if self.joined else self._network

    @cached_property
    def traits(self) -> Traits:  # type: ignore[override]  # worked out when it is first asked for
        """What is proved about the game."""
        from ludarium.gdl.facts import promises
        from ludarium.gdl.facts.groups import turns

        return promises.traits(self.network, self.seats, lambda: turns(self), hidden=self._hides)

    @cached_property
    def groups(self) -> Groups:
        """The groups of facts of which one holds at a time; finding them can take seconds."""
        from ludarium.gdl.facts.groups import find

        return find(self)

    @cached_property
    def stock(self) -> Stock:
        """What stands on the boards, and whose it is, as far as random games tell."""
        from ludarium.gdl.facts.pieces import find

        return find(self)

    @cached_property
    def offers(self) -> Offers:  # type: ignore[override]
        """What the rules tell beyond how to play."""
        return Offers(
            rules=self.rules,
            coverage=self._coverage,
            listing=self.listing,
            costs=self.costs,
            pieces=lambda: self.stock.pieces,
            facts_mask=lambda: self.facts_mask,
            groups=cache(lambda: _cells().exclusive_bits(self)),
            cells=cache(lambda: _cells().places_of_bits(self)),
            clocks=cache(lambda: _cells().clock_bits(self.network)),
            formulas=lambda: self.formulas,
            actions=self._actions,
            playouts=lambda count: self.playouts if count >= self._lanes_from else None,
            declared=self.declared,
            svg=self.svg,
        )

    def _coverage(self) -> RulesInUse:
        from ludarium.gdl.coverage import RulesInUse

        return RulesInUse(self)

    def _actions(self) -> ActionKernels:
        """Draw moves as if all had been listed, and record what is played, where the game runs on words."""
        if self.words is None:
            return ActionKernels()
        return ActionKernels(draw=self.bridge.unit.kernels["draw_action"], recorded_playout=self.words.recorded_playout)

    @cached_property
    def formulas(self) -> Formulas:
        """The goals and the end of the game, for those who judge states."""
        from ludarium.gdl.facts.formulas import formulas

        return formulas(self.network, self.seats, self.stock.masks)

    @property
    def facts_mask(self) -> int:
        """The bits of a block that are facts of the rules."""
        from ludarium.gdl.facts.proof import engine_fact

        return sum(1 << k for k, text in enumerate(self.network.facts) if not engine_fact(text))

    @cached_property
    def words(self) -> Words | None:
        """The game as operations on words, if its network has enough order for that."""
        if self._hides:
            return None
        from ludarium.gdl.words.words_kernels import words

        def write() -> Words | None:
            return words(self._network, self.layout, self.luck)

        def whole(kept: Words | None) -> Words | None:
            late = lambda: cast("Words", write()).write_recorded()  # noqa: E731
            return kept and replace(kept, layout=self.layout, write_recorded=late)

        def less(made: Words | None) -> object:
            return made and replace(made, layout=cast("Any", None), write_recorded=cast("Any", None))

        with _no_collection():
            return self._stored.part("words", write, less, whole)

    @cached_property
    def joined(self) -> Joined | None:
        """The game as loops over relations, if that is less work than to pass changes on through its network."""
        if self.words or self._hides or self.history is not None or self.trusts:
            return None
        from ludarium.gdl.joins.within import joined

        with _no_collection():
            found: Joined | None = self._stored.part(
                "joins",
                lambda: joined(self, self._network),
                lambda made: made and replace(made, ground=cast("Any", None)),
                lambda kept: kept and replace(kept, ground=self._network),
            )
        return found

    @cached_property
    def bridge(self) -> KernelBridge:
        """The compiled table; made when it is first used."""
        with _no_collection():
            unit = self.joined.unit if self.joined else None
            return KernelBridge(self, unit if unit and unit.mode == mode() else None)

    @cached_property
    def state_size(self) -> int:  # type: ignore[override]
        """The bytes of a state: its facts alone, or all that follows from them, too."""
        if self.joined:
            return self.joined.state_size
        return self.words.state_size if self.words else self.layout.block

    @property
    def scratch_size(self) -> int:  # type: ignore[override]
        """The bytes that its functions work in."""
        return self.joined.scratch_size if self.joined else self.words.scratch_size if self.words else 0

    @property
    def max_observation(self) -> int:  # type: ignore[override]
        """At most, all of a state is shown."""
        return self.state_size

    def functions(self) -> dict[str, Kernel[Any]]:
        """Make the kernels of the table."""
        if self.joined:
            return self.joined.functions
        from ludarium.gdl.network import network_kernels

        table = network_kernels.kernels(self.layout, hides=self._hides)
        return self.words.functions(table) if self.words else table

    def state(self, block: bytes) -> GdlState:
        """Make the state that a block stands for."""
        return GdlState(self, block)

    def text(self, move: Move) -> str:
        """Write a move as a prefix term."""
        return self.layout.codes[move]

    def notation(self, move: Move) -> str:
        """Write a move as the rule file says that people do; as a prefix term if it says nothing."""
        return self.view.notation.written(self.text(move)) if self.view else self.text(move)

    def parse(self, text: str) -> Move:
        """Read a move from a prefix term, or in the notation of the rule file."""
        read = self.view.notation.read(text) if self.view else None
        if read is not None:
            with suppress(IllegalMove):
                return self._of_term(read)
        return self._of_term(text)

    def _of_term(self, text: str) -> Move:
        try:
            written = str(parse_term(text))
        except LudariumError as problem:
            raise IllegalMove(f"'{text}' is not a term: {problem}") from None
        if written not in self._codes:
            raise IllegalMove(f"'{text}' is not a move of {self.name}; one is {self.layout.codes[0]}")
        return self._codes[written]

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw the board, if there is one, and list the other facts; for a role what it has just seen."""
        from ludarium.gdl.view import picture

        assert isinstance(state, GdlState)
        if role is not None and not self.traits.perfect_information:
            return f"{self.roles[role]} sees {', '.join(state.percepts(role)) or 'nothing'}"
        facts = [fact for fact in map(parse_term, state.present()) if isinstance(fact, Term)]
        return picture(facts, self.view) or "no facts"

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw a state as an SVG image; for a role what it has just seen, where something is hidden."""
        from ludarium.drawing import draw_grids
        from ludarium.gdl.svg import draw

        assert isinstance(state, GdlState)
        if role is not None and not self.traits.perfect_information:
            return draw_grids([], [self.picture(state, role)], self.roles, title=self.name)
        facts = [fact for fact in map(parse_term, state.present()) if isinstance(fact, Term)]
        return draw(facts, self.view, self.roles, self.name)

    def declared(self, relation: str) -> frozenset[str] | None:
        """List what the rules declare with `base`, or with `input` as "role move"; None if they do not."""
        if relation not in self._declared:
            from ludarium.gdl.check.repair import extent

            given = any(rule.head.name == relation for rule in self.clauses)
            arity = 1 if relation == "base" else 2
            found = frozenset(extent(self.clauses, relation, arity)) if given else None
            self._declared[relation] = found
        return self._declared[relation]

    def percepts(self, role: Role, seen: bytes) -> list[str]:
        """List what a role was shown, as prefix text; nothing in a game that hides nothing."""
        sees = self.network.sees[self.seats[role]] if self._hides else ()
        return sorted(text for (text, _), held in zip(sees, seen, strict=False) if held)

    def shown(self, role: Role, percepts: Collection[str], ending: int) -> bytes:
        """Make what a role is shown of percepts, and of how the game goes on (as `turn_kernels` numbers it)."""
        return bytes([*(text in percepts for text, _ in self.network.sees[self.seats[role]]), ending])

    def playouts(self, state: State, count: int, rng: Rng, *, limit: int = 1 << 40) -> tuple[tuple[float, ...], int]:
        """Play random games from a state, many at once: what they were worth to each role on average, and all plies."""
        assert isinstance(state, GdlState)
        if count < self._lanes_from:
            return self._one_by_one(state, count, rng, limit)
        totals = array("d", bytes(8 * len(self.network.goals)))
        work = bytearray(self._batch.work)
        plies = self._batch.kernel(state.block, work, rng, count, limit, len(self.network.goals), totals)
        return tuple(totals[seat] / count for seat in self.seats), plies

    @cached_property
    def _batch(self) -> Batch:
        from ludarium.gdl.network.batch import make

        return make(self.network, self.layout)

    @cached_property
    def _lanes_from(self) -> float:
        """How many playouts are played at once, and not one after the other: none where positions are remembered."""
        from ludarium.gdl.network.effort import by_changes, by_words, lanes_from

        if self.history is not None:
            return inf
        start = self.initial(Rng(1))
        try:
            if self.joined:
                cost = self.joined.cost
            else:
                cost = by_words(self.words.operations) if self.words else by_changes(self.network, self.layout, start)
            return lanes_from(self.network, cost, start)
        except AssertionError:  # random games come to where there is no way to go on: who plays on tells that
            return inf

    def _one_by_one(self, state: GdlState, count: int, rng: Rng, limit: int) -> tuple[tuple[float, ...], int]:
        """Where positions are remembered, a turn is little work, or few are wanted, one playout comes after the other."""
        from ludarium.gdl.network.effort import one_by_one

        totals, block = array("d", bytes(8 * len(self.roles))), bytearray(state.block)
        values = array("d", bytes(8 * len(self.roles)))
        play = one_by_one.unit(self.bridge.unit.mode).call  # as the kernels of the table run
        plies = play("one_by_one", self.bridge.table, state.block, block, rng, count, limit, values, totals)
        return tuple(total / count for total in totals), plies

    def costs(self) -> list[RuleCost]:
        """What each rule costs in random playouts, the dearest first, as loops over relations."""
        from ludarium.gdl.joins.cost import costs

        return costs(self.name, self.prepared, chance=self.luck >= 0)

    def listing(self) -> str:
        """Write what the rules became, in the syntax of Python."""
        from ludarium.gdl.listing import listing

        return listing(self)
