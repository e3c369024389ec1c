"""Linear evaluators, fitted to how random games end: a weight for every fact, for pieces and for legal moves.

Ridge regression of the utilities of each role at the end of a game on the features of its states. Where a game tells its facts or
its pieces, each of them has a weight of its own (what a pawn is worth there); everywhere it counts pieces and legal moves.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from ludarium.core import BadParameter, Game, Rng, State, UnsupportedGame
from ludarium.core.files import write_file
from ludarium.core.parameters import check, number
from ludarium.evaluate.judge import Judge, values
from ludarium.evaluate.sample import Numbers, Sample, sample
from ludarium.evaluate.score import score, scoring
from ludarium.evaluate.sheet import Facts, Feature, sheet, split
from ludarium.evaluate.terms import Material, Mobility, Term, pieces_of
from ludarium.kernel import bridge

_MOST_FACTS = 3000  # of more, those are taken that change most


@dataclass(frozen=True)
class Model:
    """What was learned of a game: weights per role, for the constant 1, the counted features and single bits of a state."""

    game: str
    roles: int
    terms: tuple[str, ...]
    weights: tuple[float, ...]
    """Role by role: the constant, then a weight per feature."""

    facts: dict[int, tuple[float, ...]]
    """By bit of the state's block: a weight per role."""

    def judge(self, game: Game) -> Judge:
        """Make it ready for the game that it was learned from."""
        if game.name != self.game or len(game.roles) != self.roles:
            raise UnsupportedGame(f"linear cannot judge {game.name}: its weights were learned from {self.game}")
        table = bridge(game).table
        rows = dict(split(sum(1 << bit for bit in self.facts)))
        if rows and max(rows) >= -(-table.state_size // 8):
            raise UnsupportedGame(f"linear cannot judge {game.name}: its weights are for larger states than it has")
        weights: list[float] = []
        for word in rows:
            for bit in range(64 * word, 64 * word + 64):
                weights += self.facts.get(bit, (0.0,) * self.roles)
        facts = Facts(tuple(rows.items()), weights)
        return Judge(score, sheet(table, _kinds(game, self.terms), self.weights, facts), by_count=scoring)

    def save(self, path: Path) -> None:
        """Write it to a file."""
        write_file(path, json.dumps(asdict(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> Model:
        """Read what `save` has written."""
        try:
            given = json.loads(path.read_text(encoding="utf-8"))
            facts = {int(bit): tuple(map(float, row)) for bit, row in given["facts"].items()}
            made = cls(
                str(given["game"]),
                int(given["roles"]),
                tuple(map(str, given["terms"])),
                tuple(map(float, given["weights"])),
                facts,
            )
        except OSError as problem:
            raise BadParameter(f"linear: cannot read {path}: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
            raise BadParameter(f"linear: {path} holds no weights of a linear evaluator") from None
        wanted = made.roles * (1 + len(made.terms) * made.roles)
        whole = len(made.weights) == wanted and all(len(row) == made.roles for row in facts.values())
        if not whole or min(facts, default=0) < 0 or not set(made.terms) <= set(_TERMS):
            raise BadParameter(f"linear: {path} holds no weights of a linear evaluator")
        return made


def train(game: Game, *, games: int = 300, states: int = 10_000, ridge: float = 0.01, seed: int = 0) -> Model:
    """Play random games, and fit a linear evaluator to how they end."""
    names = tuple(name for name in _TERMS if pieces_of(game) or name != "material")
    kinds = _kinds(game, names)
    roles, table = len(game.roles), bridge(game).table
    looked_at = sheet(table, kinds, [0.0] * roles * (1 + len(kinds) * roles))
    mask = _facts_mask(game)
    seen = sample(
        game, looked_at, Rng.keyed(seed, "train"), games=games, states=states, keep=-(-mask.bit_length() // 8)
    )
    bits = _chosen(seen, mask)
    counted = seen.features.shape[1]
    facts = np.unpackbits(seen.blocks, axis=1, bitorder="little")[:, bits].astype(np.float64)
    constant, found = fit(np.hstack([seen.features, facts]), 2.0 * seen.utilities - 1.0, ridge)
    weights = [x for role in range(roles) for x in (constant[role], *found[:counted, role])]
    by_bit = {int(bit): tuple(map(float, found[counted + k])) for k, bit in enumerate(bits)}
    return Model(game.name, roles, names, tuple(map(float, weights)), by_bit)


def fit(rows: Numbers, ends: Numbers, ridge: float) -> tuple[Numbers, Numbers]:
    """Find the constant and the weights that tell ends from rows; `ridge` is what a weight costs per unit of spread."""
    if not len(rows):
        return np.zeros(ends.shape[1]), np.zeros((rows.shape[1], ends.shape[1]))
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread < 1e-9] = np.inf  # what never changes tells nothing
    scaled = (rows - mean) / spread
    middle = ends.mean(axis=0)
    square = scaled.T @ scaled / len(rows) + max(ridge, 1e-9) * np.eye(rows.shape[1])
    found = np.linalg.solve(square, scaled.T @ (ends - middle) / len(rows)) / spread[:, None]
    return middle - mean @ found, found


_TERMS: dict[str, Term] = {"material": Material(), "mobility": Mobility()}
_known: WeakKeyDictionary[Game, dict[Linear, Model]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Linear:
    """Judge a state by weights that were fitted to random games, now or before."""

    name: ClassVar[str] = "linear"

    file: str = ""
    """The weights that `train(...).save` has written; without it they are fitted when an agent is seated."""

    games: int = number(300, 1, 1_000_000)
    """How many random games are played to fit the weights."""

    states: int = number(10_000, 1, 10_000_000)
    """How many states of them are looked at, at most."""

    ridge: float = number(0.01, 0.0, 1e6)
    """How much a weight costs: the more, the nearer weights stay to 0."""

    seed: int = number(0, 0, 2**64 - 1)
    """What the random games are drawn from."""

    def __post_init__(self) -> None:
        check(self)
        if not isinstance(self.file, str):
            raise BadParameter(f"linear: file is {self.file!r}; expected the name of a file")

    def judge(self, game: Game) -> Judge:
        """Make it ready for a game."""
        known = _known.setdefault(game, {})
        if self not in known:
            given: Any = asdict(self)
            path = given.pop("file")
            known[self] = Model.load(Path(path)) if path else train(game, **given)
        return known[self].judge(game)

    def values(self, game: Game, states: Sequence[State], rng: Rng) -> Sequence[tuple[float, ...]]:
        """Judge states."""
        return values(self.judge(game), game, states, rng)


def _kinds(game: Game, names: Sequence[str]) -> list[Feature]:
    return [_TERMS[name].feature(game) for name in names]


def _facts_mask(game: Game) -> int:
    """The bits of a state's block that are facts, or else pieces."""
    mask = game.offers.facts_mask() if game.offers.facts_mask else 0
    if not mask:
        for each in pieces_of(game):
            mask |= each.mask << 8 * each.offset
    return mask


def _chosen(seen: Sample, mask: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The bits that change, most of all first if there are too many, in order."""
    held = np.unpackbits(seen.blocks, axis=1, bitorder="little").mean(axis=0)
    wanted = np.array([mask >> k & 1 for k in range(len(held))], dtype=bool)
    spread = np.where(wanted, held * (1 - held), 0.0)
    best = np.argsort(-spread, kind="stable")[:_MOST_FACTS]
    return np.sort(best[spread[best] > 0])
