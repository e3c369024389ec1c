"""A grounded game that is played by loops over relations, where that is less work than passing changes on.

Its network stays, for all who ask what is true of the game: its facts are put where a state of the loops has them, and
moves keep their codes. What either way has to do is counted in a random playout, not timed, so that the choice is the
same on every machine.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from ludarium.core import GameError, LudariumError, Rng
from ludarium.core.problems import RulesError
from ludarium.gdl.joins.tables import MOST_GOALS, NO_GOAL
from ludarium.gdl.joins.turns import Names
from ludarium.gdl.joins.written import Written
from ludarium.gdl.network.arrange import GAP
from ludarium.gdl.network.effort import by_changes
from ludarium.gdl.network.network import Network
from ludarium.gdl.network.renumber import NOWHERE, with_facts_at
from ludarium.kernel import Kernel, data, i32, i64
from ludarium.kernel.game import KernelBridge
from ludarium.kernel.kernel import Unit
from ludarium.kernel.table import with_scratch

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame
    from ludarium.gdl.joins.game import JoinGame
    from ludarium.gdl.joins.game_kernels import Form

_MOVES = 1 << 16  # possible moves that are all in a table
_WORDS = 1 << 10  # words of facts in a state
_OPEN = "\0"  # which no name has
_LONGEST = 300  # plies of the playout
_TURN, _STEP = 150.0, 3.0  # nanoseconds, roughly: to make a turn, and for a row that is looked at
_SURELY = 0.65  # how much less work it has to be, as counts tell only roughly


@dataclass
class Joined:
    """The loops of a grounded game."""

    written: Written
    names: Names
    places: list[int]
    """Where the facts of the network are in a state."""

    cost: float
    """What a turn costs, as far as counts tell."""

    ground: Network
    """As it was before its facts were put where a state has them."""

    @cached_property
    def network(self) -> Network:
        """The network, with the facts where a state has them."""
        return with_facts_at(self.ground, self.places, 64 * self.written.sizes.state)

    @cached_property
    def functions(self) -> dict[str, Kernel[Any]]:
        """The functions of the game table."""
        return self.written.functions(self.names)

    @cached_property
    def unit(self) -> Unit:
        """The functions as machine code."""
        return Unit(with_scratch(self.functions), "native", hurry=True)

    @property
    def state_size(self) -> int:
        """The bytes of a state."""
        return int(self.written.records.state.size)

    @property
    def scratch_size(self) -> int:
        """The bytes that its functions work in."""
        return int(self.written.records.work.size)

    def goals(self, ask: Callable[[array[int]], int]) -> list[int]:
        """All values that a role has, by a kernel that lists them."""
        out = array("q", bytes(8 * MOST_GOALS))
        return sorted(set(out[: ask(out)]) - {NO_GOAL})


def joined(game: GdlGame, network: Network) -> Joined | None:
    """The loops of a game whose network is given; None if they cannot be had or are no gain."""
    from ludarium.gdl.joins.game import JoinGame  # noqa: PLC0415 (which is seldom needed: loops are kept)

    try:
        inner = JoinGame(game.name, game.prepared, text=game.rules, chance=game.luck >= 0)
    except RulesError:
        raise
    except LudariumError:  # too many of something
        return None
    places = _places(inner, network)
    if places is None or inner.compiled.sizes.state > _WORDS:
        return None
    made = Joined(_narrow(inner.compiled.written, network), _names(inner, game.layout.codes), places, 0.0, network)
    try:
        made.cost = _counted(made)
        if made.cost > _SURELY * _by_changes(game, network):
            return None
    except (AssertionError, GameError):  # there is too little room, or no way to go on: the network says more of that
        return None
    return made


def _narrow(written: Written, network: Network) -> Written:
    """The same with room for no more legal moves than the network has: states are copied as a whole, for every move tried."""
    return replace(written, sizes=replace(written.sizes, moves=min(written.sizes.moves, len(network.does))))


def _places(inner: JoinGame, network: Network) -> list[int] | None:
    """Where the facts of a network are in a state of the loops; None if one has no place there."""
    known = {text: place for place, text in _facts(inner)}
    if any(text not in known for text in network.facts if not text.startswith(GAP)):
        return None
    return [known.get(text, NOWHERE) for text in network.facts]


def _facts(inner: JoinGame) -> Iterator[tuple[int, str]]:
    for relation, kept in inner.compiled.store.facts.items():
        yield from enumerate(_written(inner, relation, 0), 64 * kept[()].offset)


def _written(inner: JoinGame, relation: int, argument: int) -> Iterator[str]:
    """One argument of a relation, for all rows of the columns from there on."""
    columns, names = inner.columns.columns[relation][argument:], inner.columns.names
    atom = inner.flat.relations[relation].term([""] * argument + [_OPEN] * len(columns))
    form = str((atom.args or ())[argument]).replace("%", "%%").replace(_OPEN, "%s")
    return (form % row for row in product(*(names[c.kind][c.low : c.low + c.width] for c in columns)))


def _names(inner: JoinGame, codes: list[str]) -> Names:
    """The codes of moves by those of the loops, and the other way round."""
    code_of = {text: code for code, text in enumerate(codes)}
    inside = array("q", [-1]) * max(1, len(codes))
    if inner.compiled.codes > _MOVES:
        for form in reversed(inner.compiled.forms):
            for code, place in _numbers(inner, form, codes):
                inside[code] = place
        order = sorted((place, code) for code, place in enumerate(inside) if place >= 0)
        places, outside = array("q", [place for place, _ in order]), array("i", [code for _, code in order])
        return Names(data("outside", i32, outside), data("inside", i64, inside), data("sorted", i64, places))
    outside = array("i", [-1]) * inner.compiled.codes
    for form in inner.compiled.forms:
        for place, text in enumerate(_written(inner, form.relation, 1), form.base):
            if text in code_of:
                outside[place], inside[code_of[text]] = code_of[text], place
    return Names(data("outside", i32, outside), data("inside", i64, inside))


def _numbers(inner: JoinGame, form: Form, codes: list[str]) -> Iterator[tuple[int, int]]:
    """The moves of a form among all, and their codes in the loops; some are possible only as far as grounding tells."""
    columns = inner.columns.columns[form.relation][1:]
    atom = inner.flat.relations[form.relation].term(["", *[_OPEN] * len(columns)])
    matches = re.compile(re.escape(str((atom.args or ())[1])).replace(re.escape(_OPEN), "([^ ()]+)")).fullmatch
    names = (inner.columns.names[c.kind][c.low : c.low + c.width] for c in columns)
    known = [{name: k for k, name in enumerate(some)} for some in names]
    for code, text in enumerate(codes):
        found = matches(text)
        numbers = [values.get(x, -1) for values, x in zip(known, found.groups(), strict=True)] if found else [-1]
        if -1 not in numbers:
            place = 0
            for number, column in zip(numbers, columns, strict=True):
                place = place * column.width + number
            yield code, form.base + place


def _counted(made: Joined) -> float:
    """What a turn costs by loops."""
    block, scratch, rng = bytearray(made.state_size), bytearray(made.scratch_size), Rng(1)
    made.unit.call("init", block, rng, scratch)
    plies = made.unit.call("playout", block, rng, _LONGEST, scratch)
    steps: int = made.written.records.work(scratch).steps
    return _TURN + _STEP * steps / max(1, int(plies))


def _by_changes(game: GdlGame, network: Network) -> float:
    """What a turn costs by passing changes on through the network."""
    if game.layout.loops:  # which are worked out whole, so that nothing has to be played
        return by_changes(network, game.layout, None)
    twin: Any = copy(game)
    twin.__dict__ |= {"words": None, "joined": None}
    twin.__dict__.pop("bridge", None)
    twin.__dict__.pop("state_size", None)
    twin.bridge = KernelBridge(twin, Unit(with_scratch(twin.functions()), "native", hurry=True))
    return by_changes(network, game.layout, twin.initial(Rng(1)))
