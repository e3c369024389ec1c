"""What a game offers beyond its rules: to those who judge states, imagine them, draw moves, play out or explain.

A game has an `Offers` as its attribute `offers`; everything in it is None where the game offers nothing of the kind. What takes
long to find is a function, called when somebody wants it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from ludarium.core.features import Feature
    from ludarium.core.game import Move, Role, State
    from ludarium.core.hidden import Deal, Positions
    from ludarium.core.hints import Amount, Formulas, Lines, Pieces, Targets, Turn
    from ludarium.core.rng import Rng


class Playouts(Protocol):
    """Random playouts from a state, many at once."""

    def __call__(self, state: Any, count: int, rng: Rng, *, limit: int = ...) -> tuple[tuple[float, ...], int]:
        """Say what they were worth to each role on average, and how many plies they had in all."""
        ...


class OwnRecord(NamedTuple):
    """How the language of a game writes down matches."""

    name: str
    endings: tuple[str, ...]
    """How files of it end; the first one is written."""

    write: Callable[[Sequence[State], Sequence[Mapping[Role, Move]]], str]
    """All states of a match from the first one on, and the moves between them, as such a file."""

    read: Callable[[str], tuple[str, ...]]
    """The moves of such a file, as the game writes them; a `BadParameter` if it does not play them so."""


class RuleCost(NamedTuple):
    """What a rule costs: where it stands, its text, and the rows that are looked at for it in a turn."""

    place: str
    rule: str
    rows: float


class RuleUse(NamedTuple):
    """A rule, where it stands, and whether it ever had an effect."""

    place: str
    rule: str
    used: bool


class Coverage(Protocol):
    """Looks at matches, and keeps which rules and which kinds of pieces had any part in them."""

    def follow(self, states: Sequence[State], joints: Sequence[Mapping[Role, Move]]) -> None:
        """Look at a match: its states from the first one on, and the moves between them."""
        ...

    def rules(self) -> Sequence[RuleUse]:
        """List the rules that can be told of, in the order of the text."""
        ...

    def pieces(self) -> Mapping[str, bool] | None:
        """Tell of every kind of piece whether one ever came to a site where it was not before; None if nobody knows."""
        ...


@dataclass(frozen=True, kw_only=True)
class ActionKernels:
    """Kernels over a game's record (or `view[u8]`), for searches that draw moves instead of listing them.

    A kernel that has `table: Table` before the state and is among the functions of the game has nothing to be compiled for.
    """

    sample: Any = None
    """`sample(state, role, out: buffer[u64], rng) -> i64` writes a legal move that is worth trying to `out[0]` and answers 1;
    0 leaves the draw to the list. The same state and the same random numbers must give the same move."""

    draw: Any = None
    """The same, and draws what would be drawn from the list, only faster."""

    is_legal: Any = None
    """`is_legal(state, role, move: u64) -> i64` answers 1 if a role may make a move."""

    count_moves: Any = None
    """`count_moves(state, role) -> i64` counts the legal moves of a role."""

    do_nothing: Any = None
    """`do_nothing(state, role, rng) -> i64` passes the turn of the only mover, even where the rules force it to move, and
    answers 1; 0 if it cannot. It is for models of opponents, and no forward call."""

    recorded_playout: Any = None
    """`recorded_playout(state, rng, limit, record: view[u64]) -> i64` plays such actions until the end, the limit, or until the
    record has no room for another turn, and counts the turns. A role and a move are recorded for every mover of every turn,
    from `record[1]` on; `record[0]` says where they end."""


@dataclass(frozen=True)
class Exchanges:
    """Kernels that exchange what lies in two places of a first state, as blocks of bytes, where a role sees neither."""

    places: int
    """How many places there are."""

    exchange: Any
    """`exchange(state: view[u8], role, a, b) -> bool`: says whether it did; not if both hold the same, or one can be seen."""

    alike: Any
    """`alike(state: view[u8], a, other: view[u8], b) -> bool`: whether the same lies in a place of each, or what chance deals
    from the same deck."""

    arrange: Any = None
    """`arrange(state: view[u8], role, seen: view[u8]) -> bool`: exchanges what lies in a first state until it looks to a role
    as one that it was shown, as far as that can be; None where beginnings that are drawn at random look so often enough."""


@dataclass(frozen=True, kw_only=True)
class Offers:
    """All that a game may offer."""

    rules: str | None = None
    """The rules, to be read: in words, or in the language that the game is written in."""

    listing: Callable[[], str] | None = None
    """What became of the rules: the code that plays them."""

    costs: Callable[[], Sequence[RuleCost]] | None = None
    """What each rule costs in random playouts, the dearest first."""

    coverage: Callable[[], Coverage] | None = None
    """Somebody who looks at matches and tells which rules were used in them; a new one each time."""

    pieces: Callable[[], Sequence[Pieces]] | None = None
    """The pieces of each role, as bits of a state."""

    nearness: Callable[[], Mapping[str, Sequence[tuple[Pieces, float]]]] | None = None
    """By the name of a place (centre, corners, sides, `region 0`, `regions of 1`): pieces of the roles, and how near to it they
    stand, from 0 to 1."""

    amounts: Callable[[], Mapping[str, Sequence[Amount | Pieces]]] | None = None
    """By what is counted (score, stores, mapped, values): numbers of a state that count for the roles, or pieces that do."""

    turn: Turn | None = None
    """Where a state says who is to move, if others can be put there to ask what they could do."""

    targets: Callable[[], Targets] | None = None
    """Where moves go."""

    lines: Callable[[int], Lines] | None = None
    """Lines of a length; of 0, as long as the rules ask for, or else 3."""

    facts_mask: Callable[[], int] | None = None
    """The bits of a state's block that are facts of the rules."""

    groups: Callable[[], Sequence[tuple[int, ...]]] | None = None
    """The same bits in groups of which, as far as random games show, one holds at a time: what a cell contains."""

    cells: Callable[[], Mapping[int, tuple[float, float]]] | None = None
    """Where on a board a bit stands, as column and row from 0 to 1; bits that stand nowhere are left out."""

    clocks: Callable[[], int] | None = None
    """The bits that only count turns, whatever is played."""

    formulas: Callable[[], Formulas] | None = None
    """The goals and the end of the game, as formulas over bits of a state."""

    features: Callable[[], Mapping[str, Feature]] | None = None
    """What the rules tell of the game, by names of concepts and of ludemes; a concept that is not there is absent."""

    heuristics: Mapping[str, Any] | None = None
    """Ways to judge a state that is not over, by name, the first is the default: kernels `heuristic(state, out: view[f64])` over
    the game's record that give every role a number from 0 to 1."""

    actions: Callable[[], ActionKernels] | None = None
    """Kernels that draw moves without listing them."""

    playouts: Callable[[int], Playouts | None] | None = None
    """Random playouts, so many at once; None where that is no less work than one after the other."""

    hidden: Positions | Deal | None = None
    """What lies in hidden places."""

    redeal: Any = None
    """`redeal(seen: view[u8], role, state, rng) -> i64`, a kernel over the game's record: makes a state from what a role was
    shown last and chance alone, and answers 1; 0 if nobody can have been shown that."""

    exchanges: Exchanges | None = None
    """How what was dealt to two hidden places can be exchanged."""

    places: Callable[[Any, Role], Mapping[str, str]] | None = None
    """What lies in each place that a role cannot see, for maps of what it may believe: `places(state, role)`."""

    symbols: Mapping[str, Role] | None = None
    """Whose piece a letter in pictures is, where that is not X for the first role and O for the second."""

    declared: Callable[[str], frozenset[str] | None] | None = None
    """What rules in GDL declare with `base` or `input`; None if they do not."""

    record: OwnRecord | None = None
    """How matches are written in the language of the game, for other programs."""

    svg: Callable[[State, Role | None], str] | None = None
    """A drawing of a state; for a role, only what that role sees. Parts with a `data-site` can be clicked on."""

    sites: Callable[[Move], Sequence[str]] | None = None
    """The sites of the drawing that a move is made on, one after the other, where the text of the move does not name them."""
