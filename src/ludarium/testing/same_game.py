"""Whether two descriptions are the same game, as far as one looks: trees are compared, whatever moves are called.

From the start, depth by depth: two trees are the same if, one for one, the trees behind their moves are. Further on, along random
matches of the first game: moves that name the same places are followed first, which shows that positions agree. Where they do
not, all positions of the second game are kept that can be counterparts, and where none is left the games differ; where there
are too many, a difference that names have shown is told as such. Roles correspond by their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any, NamedTuple

from ludarium.core import TOGETHER, Game, Move, Rng, Role, State, UnsupportedGame
from ludarium.registry import make

_FITTING = 64  # positions of the second game that may be the counterpart of one
_PLIES = 200  # of a random match that are looked at
_JOINT = 5_000  # joint moves of a position that are looked at

_PLACE = re.compile(r"(?<![#0-9])[0-9]{1,9}|(?<![a-z])[a-z](?![a-z])")

Joint = dict[Role, Move]


@dataclass(frozen=True)
class Difference:
    """Where two games part: the moves to there, what each has there, and the positions."""

    moves: tuple[str, ...]
    others: tuple[str, ...]
    """The moves in the second game; empty where several may correspond."""

    first: str
    second: str
    states: tuple[State, State | None]
    supposed: bool = False
    """Whether it is one only if moves correspond that name the same places; otherwise no moves can correspond."""


@dataclass
class Comparison:
    """What was looked at, and the first difference, if there is one."""

    names: tuple[str, str]
    depths: list[tuple[int, int]] = field(default_factory=list)
    """Per depth that was compared whole: sequences of moves, and how many of them end the game there."""

    matches: int = 0
    plies: int = 0
    unclear: int = 0
    """Matches that were left where too many positions might correspond."""

    difference: Difference | None = None
    unmet: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    """Where matches part or were left: moves of the mapping, of each game, that nobody had in what was looked at."""

    @property
    def verdict(self) -> str:
        """What follows from what was looked at, in a few words."""
        if self.difference is None:
            return "the same game as far as was looked"
        if self.difference.supposed:
            return "not shown to be the same: they part if moves correspond that name the same places"
        return "they differ"

    def __str__(self) -> str:
        one, other = self.names
        looked = [
            f"{_plies(depth)}: {count:,} sequences, {ends:,} ended" for depth, (count, ends) in enumerate(self.depths)
        ]
        lines = [f"{one} and {other}: {self.verdict}"]
        lines += [f"  {line}" for line in looked[1:]]
        if self.matches:
            unclear = f", {self.unclear} left where too much looked alike" if self.unclear else ""
            matches = f"{self.matches} random match{'es' if self.matches > 1 else ''}"
            lines.append(f"  {matches}, {_plies(self.plies)}{unclear}")
        if (found := self.difference) is not None:
            lines.append(f"  after {'; '.join(found.moves) or 'no move'}")
            if found.others:
                lines.append(f"  in {other}: {'; '.join(found.others)}")
            lines += [f"  {one}: {found.first}", f"  {other}: {found.second}"]
        return "\n".join(lines)


def compare(
    first: Game | str,
    second: Game | str,
    *,
    positions: int = 20_000,
    matches: int = 10,
    seed: int = 0,
    mapping: Mapping[str, str] | None = None,
) -> Comparison:
    """Walk two games side by side: whole trees with up to so many positions, then random matches.

    >>> print(compare("tic-tac-toe", "gdl:tic-tac-toe", positions=500, matches=1))
    tic-tac-toe and gdl:tic-tac-toe: the same game as far as was looked
      1 ply: 9 sequences, 0 ended
      2 plies: 72 sequences, 0 ended
      1 random match, ... plies
    """
    games: tuple[Game, Game] = make("game", first), make("game", second)
    for game in games:
        if not game.traits.deterministic:
            raise UnsupportedGame(f"{game.name} draws chance: only games without chance are walked side by side")
    return _Walk(games, positions, mapping or {}).compared(matches, seed)


class _Enough(Exception):
    """More positions than are to be looked at."""


class _Walk:
    """Two games, and what is known of their trees."""

    def __init__(self, games: tuple[Game, Game], positions: int, mapping: Mapping[str, str]) -> None:
        self.games, self.mapping = games, mapping
        self.positions, self.left = positions, positions
        self.shapes: dict[Any, int] = {}
        """Trees by number: equal trees have equal numbers, in both games."""

        self.known: dict[tuple[State, int], int] = {}
        self.namings = tuple(_Naming(*each) for each in product((False, True), repeat=3))
        self.spans = tuple(map(_span, games))
        self.counted: dict[tuple[State, int], tuple[int, int]] = {}
        self.unmet = set(mapping), set(mapping.values())

    def compared(self, matches: int, seed: int) -> Comparison:
        made = Comparison((self.games[0].name, self.games[1].name))
        begin = self.games[0].initial(), self.games[1].initial()
        if len(self.games[0].roles) != len(self.games[1].roles):
            told = [f"{len(game.roles)} roles: {', '.join(game.roles)}" for game in self.games]
            made.difference = Difference((), (), told[0], told[1], begin)
            return made
        depth = 0
        try:
            while made.difference is None:
                if self.shape(begin[0], depth) != self.shape(begin[1], depth):
                    self.left = self.positions  # to show where they part
                    made.difference = self.parting(*begin, depth)
                    return made
                made.depths.append(self.count(begin[0], depth))
                if not made.depths[-1][0]:
                    return made  # the whole of both games
                depth += 1
        except _Enough:
            pass
        rng = Rng.keyed(seed, "compare")
        while made.difference is None and made.matches < matches:
            made.matches += 1
            try:
                self.match(made, *begin, rng)
            except _Enough:
                made.unclear += 1
            rng = rng.split()
        if made.difference is not None or made.unclear:
            made.unmet = frozenset(self.unmet[0]), frozenset(self.unmet[1])
        return made

    def match(self, made: Comparison, one: State, other: State, rng: Rng) -> None:
        """Walk along a random match, by names if that leads to its end."""
        found = None
        for naming in self.namings:
            walked = self.by_name(made, one, other, rng.copy(), naming)
            if walked is True:
                self.namings = (naming, *(each for each in self.namings if each != naming))
                return
            found = found or walked or None
        self.along(made, one, other, rng.copy(), found)

    def local(self, state: State) -> tuple[Any, ...]:
        """What a position shows by itself: who moves with how many moves, or how it ended."""
        if state.over:
            return tuple(round(each, 9) for each in state.utilities())
        counts = tuple(len(state.legal(role)) for role in state.movers)
        # Where nobody has a choice, it is a matter of taste who is said to move.
        return (state.movers, counts) if max(counts) > 1 else ("forced",)

    def shape(self, state: State, depth: int) -> int:
        """Number the tree below a position, to some depth."""
        if (state, depth) not in self.known:
            below = sorted(self.shape(child, depth - 1) for _, child in self.children(state)) if depth else []
            tree = (self.local(state), tuple(below))
            self.known[state, depth] = self.shapes.setdefault(tree, len(self.shapes))
        return self.known[state, depth]

    def children(self, state: State) -> Iterator[tuple[Joint, State]]:
        """Give all joint moves, and where they lead."""
        lists = [state.legal(role) for role in state.movers]
        if state.movers and prod(map(len, lists)) > _JOINT:
            raise _Enough
        for moves in product(*lists) if state.movers else ():
            self.left -= 1
            if self.left < 0:
                raise _Enough
            joint = dict(zip(state.movers, moves, strict=True))
            for game, unmet in zip(self.games, self.unmet, strict=True):
                if unmet and state.game is game:
                    unmet.discard(_text(game, joint))
            yield joint, state.after(joint)

    def count(self, state: State, depth: int) -> tuple[int, int]:
        """Count sequences of moves of a length, and those that end the game."""
        if not depth:
            return 1, int(state.over)
        if (state, depth) not in self.counted:
            below = [self.count(child, depth - 1) for _, child in self.children(state)]
            self.counted[state, depth] = sum(each for each, _ in below), sum(each for _, each in below)
        return self.counted[state, depth]

    def parting(self, one: State, other: State, depth: int) -> Difference:
        """Follow moves that do not correspond to where two positions differ by themselves."""
        moves: list[str] = []
        others: list[str] = []
        while self.local(one) == self.local(other):
            depth -= 1
            mine, theirs = list(self.children(one)), list(self.children(other))
            too_many = Counter(self.shape(child, depth) for _, child in mine)
            too_many.subtract(self.shape(child, depth) for _, child in theirs)
            mine = [each for each in mine if too_many[self.shape(each[1], depth)] > 0]
            theirs = [each for each in theirs if too_many[self.shape(each[1], depth)] < 0]
            joint, there = self.alike(mine, theirs, depth)
            moves.append(_text(self.games[0], joint[0]))
            others.append(_text(self.games[1], there[0]))
            one, other = joint[1], there[1]
        return Difference(tuple(moves), tuple(others), self.told(one), self.told(other), (one, other))

    def alike(self, mine: list[Any], theirs: list[Any], depth: int) -> tuple[Any, Any]:
        """Choose two moves whose trees agree as far down as any do."""
        for shallower in range(depth - 1, -1, -1):
            for joint in mine:
                for there in theirs:
                    if self.shape(joint[1], shallower) == self.shape(there[1], shallower):
                        return joint, there
        return mine[0], theirs[0]

    def by_name(self, made: Comparison, one: State, other: State, rng: Rng, naming: _Naming) -> Difference | bool:
        """Walk along a random match by moves that name the same places: whether positions agree up to its end, or where not."""
        moves: list[str] = []
        others: list[str] = []
        self.left = self.positions
        while one.movers and len(moves) < _PLIES:
            joint = {role: rng.choice(one.legal(role)) for role in one.movers}
            there = list(self.children(other))
            if len(there) > 1:
                there = [each for each in there if self.correspond(joint, each[0], naming)]
            if len(there) != 1:
                return False
            moves.append(_text(self.games[0], joint))
            others.append(_text(self.games[1], there[0][0]))
            one, other = one.after(joint), there[0][1]
            if self.shape(one, 1) != self.shape(other, 1):
                found = self.parting(one, other, 1)
                way = {
                    "moves": (*moves, *found.moves),
                    "others": (*others, *found.others),
                    "supposed": not self.mapping,
                }
                return replace(found, **way)  # type: ignore[arg-type]
        made.plies += len(moves)
        return True

    def correspond(self, joint: Joint, there: Joint, naming: _Naming) -> bool:
        """Whether two moves correspond by the mapping, or name the same places."""
        text, other = _text(self.games[0], joint), _text(self.games[1], there)
        if text in self.mapping:
            return self.mapping[text] == other
        return naming.of(_places(text), self.spans[0]) == _Naming().of(_places(other), self.spans[1])

    def along(self, made: Comparison, one: State, other: State, rng: Rng, named: Difference | None) -> None:
        """Walk along a random match of the first game, with all positions of the second that may correspond.

        Where these are too many, a difference that was found by names has to do.
        """
        fitting, moves, self.left = [other], list[str](), self.positions
        try:
            while one.movers and len(moves) < _PLIES:
                joint = {role: rng.choice(one.legal(role)) for role in one.movers}
                one = one.after(joint)
                moves.append(_text(self.games[0], joint))
                there = [each for state in fitting for each in self.children(state)]
                if moves[-1] in self.mapping:
                    there = [each for each in there if _text(self.games[1], each[0]) == self.mapping[moves[-1]]]
                wanted = self.shape(one, 1)
                fitting = list(dict.fromkeys(child for _, child in there if self.shape(child, 1) == wanted))
                if not fitting:
                    found = f"none of {len(there)} positions that may correspond is like that"
                    state = there[0][1] if there else None
                    made.difference = Difference(tuple(moves), (), self.told(one), found, (one, state))
                    return
                if len(fitting) > _FITTING:
                    raise _Enough
            made.plies += len(moves)
        except _Enough:
            if named is None:
                raise
            made.difference = named

    def told(self, state: State) -> str:
        """Say what a position shows by itself."""
        if state.over:
            return f"over, worth {', '.join(f'{each:g}' for each in state.utilities())}"
        return " and ".join(f"{state.game.roles[role]} has {len(state.legal(role))} moves" for role in state.movers)


def _plies(count: int) -> str:
    return "1 ply" if count == 1 else f"{count} plies"


class _Naming(NamedTuple):
    """A way in which two descriptions may count the columns and rows of the same board."""

    swapped: bool = False
    across: bool = False
    down: bool = False

    def of(self, places: tuple[int, ...], span: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        """Count places from the first of the span, or from the last where the board is turned over."""
        turned = (self.across, self.down)
        made = [
            span[place % 2][1] - each if turned[place % 2] else each - span[place % 2][0]
            for place, each in enumerate(places)
        ]
        if self.swapped and len(made) % 2 == 0:
            made = [made[place ^ 1] for place in range(len(made))]
        return tuple(made)


def _span(game: Game) -> tuple[tuple[int, int], ...]:
    """The first and the last column, and row, that moves at the beginning name."""
    state = game.initial()
    named = [_places(game.text(move)) for role in state.movers for move in state.legal(role)]
    columns, rows = [x for each in named for x in each[::2]] or [0], [y for each in named for y in each[1::2]] or [0]
    return (min(columns), max(columns)), (min(rows), max(rows))


def _places(text: str) -> tuple[int, ...]:
    """The numbers in a move, single letters as columns: `b3` and `(mark 2 3)` are (2, 3)."""
    return tuple(int(each) if each.isdigit() else ord(each) - 96 for each in _PLACE.findall(text.lower()))


def _text(game: Game, joint: Joint) -> str:
    return TOGETHER.join(game.text(move) for move in joint.values())
