"""A GDL description as a game: read, grounded, made into a network and compiled.

What a first playout does not need is neither worked out nor imported before it is asked for.
"""

from __future__ import annotations

import gc
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludarium.core import ActionKernels, GameError, IllegalMove, LudariumError, Move, Offers, Rng, Role, State, Traits
from ludarium.core.hints import Formulas
from ludarium.core.offers import RuleCost
from ludarium.core.problems import RulesError
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.check.repair import extent
from ludarium.gdl.coverage import RulesInUse
from ludarium.gdl.ground.choice import grounded_for_play
from ludarium.gdl.ground.ground import GroundingTooLarge
from ludarium.gdl.network import network_kernels
from ludarium.gdl.network.layout import COUNTERS, PAST, POSITIONS, SEEN, STACK, lay_out
from ludarium.gdl.network.network import TRUE, Network, build
from ludarium.gdl.text.reader import load as load_source
from ludarium.gdl.text.reader import parse_source, parse_term
from ludarium.gdl.text.syntax import Rule, Term, fingerprint
from ludarium.gdl.watch import within_limits
from ludarium.gdl.words.words_kernels import Words, words
from ludarium.kernel import Kernel, KernelState, TableGame
from ludarium.kernel.game import KernelBridge
from ludarium.kernel.kernel import mode

if TYPE_CHECKING:
    from ludarium.gdl.facts.groups import Groups
    from ludarium.gdl.facts.pieces import Stock
    from ludarium.gdl.joins.game import JoinGame
    from ludarium.gdl.joins.within import Joined
    from ludarium.gdl.network.batch import Batch
    from ludarium.gdl.view import View

_SHOWN = 400  # characters of a state that are worth reading in an error message


def load(path: Path, *, name: str = "", chance: bool = True) -> GdlGame | JoinGame:
    """Read a game from a file; without `chance` the role `random` is a role like the others.

    A game that is too large to ground has its rules evaluated without grounding.
    """

    def read() -> GdlGame | JoinGame:
        with _no_collection():
            source = load_source(path)
            return _make_game(name or path.stem, parse_source(source, path.suffix), source.text, chance=chance)

    return within_limits(str(path), read)


def from_rules(name: str, rules: Sequence[Rule], *, text: str = "", chance: bool = True) -> GdlGame | JoinGame:
    """Make a game of rules that were read, grounded or not, as it fits; all ways share the same limits."""
    return within_limits(rules[0].place.file if rules else name, lambda: _make_game(name, rules, text, chance=chance))


def _make_game(name: str, rules: Sequence[Rule], text: str, *, chance: bool) -> GdlGame | JoinGame:
    try:
        return GdlGame(name, rules, text=text, chance=chance)
    except GroundingTooLarge:
        pass
    from ludarium.gdl.joins.game import load_rules

    try:
        return load_rules(name, prepared(rules), text=text, chance=chance, frugal=True)  # there is little room
    except RulesError:
        raise
    except LudariumError as problem:
        try:
            return GdlGame(name, rules, text=text, chance=chance, patient=True)
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
        clauses: Sequence[Rule],
        *,
        text: str = "",
        chance: bool = True,
        patient: bool = False,
    ) -> None:
        self.name, self.clauses = name, tuple(clauses)
        self.rules = text or "\n".join(map(str, clauses))
        self.prepared = prepared(clauses)
        grounded, self.history, self.trusts = grounded_for_play(self.prepared, patient=patient)
        every = grounded.roles
        luck = every.index("random") if chance and "random" in every else -1
        self.roles = tuple(role for place, role in enumerate(every) if place != luck)
        self.seats = tuple(place for place in range(len(every)) if place != luck)
        self._network = build(grounded, every)
        self.layout = lay_out(self._network, len(every), luck, self.history)
        self.max_moves, self.luck = self.layout.max_moves, luck
        self._declared: dict[str, frozenset[str] | None] = {}
        self._codes = {text: code for code, text in enumerate(self.layout.codes)}
        self._hides = bool(grounded.names["sees"])

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
            coverage=lambda: RulesInUse(self),
            listing=self.listing,
            costs=self.costs,
            pieces=lambda: self.stock.pieces,
            facts_mask=lambda: self.facts_mask,
            groups=cache(lambda: _cells().exclusive_bits(self)),
            cells=cache(lambda: _cells().places_of_bits(self)),
            clocks=cache(lambda: _cells().clock_bits(self.network)),
            formulas=lambda: self.formulas,
            actions=self._actions,
            playouts=self.playouts,
            declared=self.declared,
            svg=self.svg,
        )

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
        return None if self._hides else words(self._network, self.layout, self.luck)

    @cached_property
    def joined(self) -> Joined | None:
        """The game as loops over relations, if that is less work than to pass changes on through its network."""
        if self.words or self._hides or self.history is not None or self.trusts:
            return None
        from ludarium.gdl.joins.within import joined

        return joined(self, self._network)

    @cached_property
    def bridge(self) -> KernelBridge:
        """The compiled table; made when it is first used."""
        unit = self.joined.unit if self.joined else None
        return KernelBridge(self, unit if unit and unit.mode == mode() else None)

    @cached_property
    def state_size(self) -> int:  # type: ignore[override]
        """The bytes of a state: its facts alone, or all that follows from them, too."""
        if self.joined:
            return self.joined.game.state_size
        return self.words.state_size if self.words else self.layout.block

    @property
    def scratch_size(self) -> int:  # type: ignore[override]
        """The bytes that its functions work in."""
        return self.joined.game.scratch_size if self.joined else self.words.scratch_size if self.words else 0

    @property
    def max_observation(self) -> int:  # type: ignore[override]
        """At most, all of a state is shown."""
        return self.state_size

    def functions(self) -> dict[str, Kernel[Any]]:
        """Make the kernels of the table."""
        if self.joined:
            return self.joined.functions
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
        if self.history is not None or not self._in_lanes:
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
    def _in_lanes(self) -> bool:
        from ludarium.gdl.network.effort import better_in_lanes, cheaper_in_lanes, in_lanes

        if self.joined:
            return cheaper_in_lanes(self.network, self.joined.cost)
        if self.words:
            return better_in_lanes(self.network, self.words.operations)
        return in_lanes(self.network, self.layout, self.initial(Rng(1)))

    def _one_by_one(self, state: GdlState, count: int, rng: Rng, limit: int) -> tuple[tuple[float, ...], int]:
        """Where positions are remembered, or a turn is little work, one playout comes after the other."""
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
