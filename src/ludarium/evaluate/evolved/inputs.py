"""What a network sees of a state: ways to map the bits of a state to inputs.

- `projection`: every possible clause of a state goes to one input, drawn at random. That is all that Reisinger et al.,
  "Coevolving strategies for general game playing" (2007) say of theirs; here an input is the number of its clauses that hold.
- `groups`: facts that exclude each other, as the contents of a cell do, share an input, and each has its value there.
- `features`: pieces counted by kind, where they stand on average, and legal moves.

Without `counters`, what only counts turns is left out, so that states that differ in nothing else look the same. Games that are
not in GDL have no clauses: there the bits that changed in some random games are taken, of the state, or of what is observed if
the state is not made of bytes. All weights are multiples of 2**-12, so sums are exact in any order.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import Any

from ludarium.core import BadParameter, Game, HiddenState, Rng, State, UnsupportedGame
from ludarium.evaluate.evolved.inputs_kernels import Inputs
from ludarium.evaluate.sheet import split
from ludarium.evaluate.terms import pieces_of
from ludarium.kernel import KernelState, Table, TableGame, u8, u64, zeros

WAYS = ("projection", "groups", "features")
Targets = dict[int, tuple[tuple[int, float], ...]]
"""By bit: the inputs that it adds to, and what."""

_FEWEST = 2  # bits that change; with fewer there is nothing to learn from
_MOST = 128  # inputs of a mapping that counts its own
_GRAIN = 4096
_GAMES, _PLIES = 20, 200


@dataclass(frozen=True)
class Mapping:
    """How states become inputs, before it is known of which game."""

    way: str = "projection"
    count: int = 40
    """Inputs of a projection; the other ways take as many as they need, up to 128."""

    seed: int = 1
    counters: bool = True
    """Whether what counts turns is seen."""

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise BadParameter(f"inputs '{self.way}' are not known; there are {', '.join(WAYS)}")
        if not 1 <= self.count <= 10_000:
            raise BadParameter(f"a network cannot have {self.count} inputs; expected 1 to 10000")

    def written(self) -> dict[str, Any]:
        """Write it as JSON has it."""
        return asdict(self)


@dataclass(frozen=True)
class Seen:
    """A mapping worked out for a game: by bit, which inputs it adds to and what."""

    mapping: Mapping
    names: tuple[str, ...]
    """What each input stands for."""

    targets: Targets
    mobility: int = -1
    observed: int = 0
    """Bytes that are observed, if these are looked at instead of the state."""

    clocks: int = 0
    """Bits that only count turns."""

    @property
    def count(self) -> int:
        """How many inputs there are."""
        return len(self.names)

    @property
    def digest(self) -> str:
        """What is mapped where, in a few letters."""
        said = (self.count, sorted(self.targets.items()), self.mobility, self.observed)
        return hashlib.blake2b(repr(said).encode(), digest_size=8).hexdigest()

    def bundle(self, table: Table) -> Inputs:
        """Lay it out for a kernel, with room of its own."""
        rows = dict(split(sum(1 << bit for bit in self.targets)))
        starts, targets, weights = array("i", [0]), array("i"), array("d")
        for word in rows:
            for bit in range(64 * word, 64 * word + 64):
                for target, weight in self.targets.get(bit, ()):
                    targets.append(target)
                    weights.append(weight)
                starts.append(len(targets))
        size = self.observed or table.state_size
        block = bytearray(-(-size // 8) * 8)
        return Inputs(
            words=array("q", rows.keys()),
            masks=array("Q", rows.values()),
            starts=starts,
            targets=targets or array("i", [0]),
            weights=weights or array("d", [0.0]),
            block=block,
            wide=memoryview(block).cast("Q"),
            seen=block if self.observed else zeros(u8, 1),
            moves=zeros(u64, table.max_moves),
            count=self.count,
            mobility=self.mobility,
            observed=self.observed > 0,
            padded=size % 8 != 0,
        )


def seen(game: Game, mapping: Mapping) -> Seen:
    """Work a mapping out for a game; an `UnsupportedGame` if there is too little to see."""
    clocks = game.offers.clocks() if game.offers.clocks else 0
    bits, observed, typical = _bits(game)
    if not mapping.counters:
        bits = [bit for bit in bits if not clocks >> bit & 1]
    if len(bits) < _FEWEST:
        raise UnsupportedGame(f"networks cannot judge {game.name}: only {len(bits)} bits of its states ever change")
    if mapping.way == "projection":
        names, targets = _projection(bits, mapping, typical)
        return Seen(mapping, names, targets, observed=observed, clocks=clocks)
    if mapping.way == "groups":
        names, targets = _groups(game, bits)
        return Seen(mapping, names, targets, observed=observed, clocks=clocks)
    names, targets = _features(game, set(bits))
    roles = tuple(f"moves of {role}" for role in game.roles)
    return Seen(mapping, (*names, *roles), targets, len(names), observed=observed, clocks=clocks)


def _projection(bits: Sequence[int], mapping: Mapping, typical: int) -> tuple[tuple[str, ...], Targets]:
    """Draw an input for every bit."""
    rng = Rng.keyed(mapping.seed, "projection")
    weight = _unit(typical)
    targets: Targets = {bit: ((rng.below(mapping.count), weight),) for bit in bits}
    return tuple(f"{k}" for k in range(mapping.count)), targets


def _groups(game: Game, bits: Sequence[int]) -> tuple[tuple[str, ...], Targets]:
    """Give every group an input: pieces of the first role count up, those of others down, what is nobody's less or nothing."""
    wanted = set(bits)
    offered = game.offers.groups() if game.offers.groups else _cells(game)
    groups = [kept for group in offered if (kept := [bit for bit in group if bit in wanted])]
    grouped = {bit for group in groups for bit in group}
    groups += [[bit] for bit in bits if bit not in grouped]
    owners = {
        bit: (each.role, kind)
        for kind, each in enumerate(pieces_of(game))
        for bit in _set_bits(each.mask << 8 * each.offset)
    }
    kinds = {
        role: sorted({kind for owner, kind in owners.values() if owner == role}) for role in range(len(game.roles))
    }
    count = min(len(groups), _MOST)
    unit = _unit(len(groups))
    targets: Targets = {}
    for place, group in enumerate(groups):
        strangers = [bit for bit in group if bit not in owners]
        for bit in group:
            if bit in owners:
                role, kind = owners[bit]
                size = (kinds[role].index(kind) + 1) / len(kinds[role])
                value = size if role == 0 else -size / role
            else:
                value = strangers.index(bit) / len(strangers) if len(strangers) < len(group) else _spread(group, bit)
            if value:
                targets[bit] = ((place % count, _exact(unit * value)),)
    return tuple(f"group {k}" for k in range(count)), targets


def _features(game: Game, bits: set[int]) -> tuple[tuple[str, ...], Targets]:
    """Count pieces of every kind, and say how far along the board they are, and from its middle."""
    cells = game.offers.cells() if game.offers.cells else {}
    names: list[str] = []
    found: dict[int, list[tuple[int, float]]] = {}
    for each in pieces_of(game):
        mine = [bit for bit in _set_bits(each.mask << 8 * each.offset) if bit in bits]
        placed = [bit for bit in mine if bit in cells]
        label = f"{each.name or 'pieces'} of {game.roles[each.role]}"
        measures = {"count": dict.fromkeys(mine, 0.25)}
        if placed:
            measures["column"] = {bit: 0.25 * cells[bit][0] for bit in placed}
            measures["row"] = {bit: 0.25 * cells[bit][1] for bit in placed}
            measures["middle"] = {bit: 0.25 * (abs(cells[bit][0] - 0.5) + abs(cells[bit][1] - 0.5)) for bit in placed}
        for measure, weights in measures.items():
            for bit, weight in weights.items():
                found.setdefault(bit, []).append((len(names), _exact(weight)))
            names.append(f"{measure}, {label}")
    return tuple(names), {bit: tuple(each) for bit, each in found.items()}


def _bits(game: Game) -> tuple[list[int], int, int]:
    """The bits that say what a state is; the bytes that are observed, if it is no state; and how many are typically set."""
    mask = game.offers.facts_mask() if game.offers.facts_mask else 0
    if mask:
        first = game.initial(Rng(0))
        assert isinstance(first, KernelState)
        held = int.from_bytes(first.block, "little") & mask
        return list(_set_bits(mask)), 0, held.bit_count()
    if not isinstance(game, TableGame) and not game.traits.perfect_information:
        raise HiddenState(
            f"networks cannot judge {game.name}: its states are not made of bytes, and part of them is hidden"
        )
    shown = [_shown(state) for state in _walk(game)]
    observed = 0 if isinstance(game, TableGame) else max(map(len, shown))
    numbers = [int.from_bytes(each, "little") for each in shown]
    changed = 0
    for number in numbers:
        changed |= number ^ numbers[0]
    held = sum((number & changed).bit_count() for number in numbers) // len(numbers)
    return list(_set_bits(changed)), observed, held


def _shown(state: State) -> bytes:
    return state.block if isinstance(state, KernelState) else state.observe(0)


def _walk(game: Game) -> Iterable[State]:
    """States of some random games."""
    for number in range(_GAMES):
        rng = Rng.keyed(0, "inputs", number)
        state = game.initial(rng)
        for _ in range(_PLIES):
            yield state
            if state.over:
                break
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)


def _cells(game: Game) -> Sequence[tuple[int, ...]]:
    """Bits of pieces that stand in the same place, where each role's lie in the same order."""
    masks = [sorted(_set_bits(each.mask << 8 * each.offset)) for each in pieces_of(game)]
    return list(zip(*masks, strict=False)) if len(masks) > 1 else ()


def _set_bits(mask: int) -> Iterable[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _unit(typical: int) -> float:
    """What a bit counts where so many hold: then random weights of size 1 add up to about 1, and no node is saturated."""
    return 2.0 ** -round(log2(max(1, typical)) / 2)


def _spread(group: Sequence[int], bit: int) -> float:
    """A value from -1 to 1 for each of several; 1 for one alone."""
    return 1.0 if len(group) == 1 else 2.0 * group.index(bit) / (len(group) - 1) - 1.0


def _exact(weight: float) -> float:
    return round(weight * _GRAIN) / _GRAIN
