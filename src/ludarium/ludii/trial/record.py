"""What a trial file says: a game, the moves played in it, each with all the actions that it came to, and the end.

Moves and actions keep their fields as they were written and in that order, so that a trial is written back byte for byte.
What a file leaves out has its default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Value = int | bool | str
"""What a field holds."""

UNDEFINED = -1
"""What a number is that was left out."""


@dataclass(frozen=True, slots=True)
class Action:
    """One change of a state: its kind, and what it says."""

    kind: str
    fields: Mapping[str, Value] = field(default_factory=dict)

    @property
    def decision(self) -> bool:
        """Whether a player chose it."""
        return self.fields.get("decision") is True

    @property
    def forced(self) -> bool:
        """Whether nothing else could be chosen."""
        return self.fields.get("forced") is True

    def number(self, name: str, default: int = UNDEFINED) -> int:
        """A field that is a number."""
        value = self.fields.get(name, default)
        return value if isinstance(value, int) else default

    def word(self, name: str, default: str = "") -> str:
        """A field that is a word."""
        value = self.fields.get(name)
        return default if value is None else written(value)

    def __str__(self) -> str:
        return f"[{self.kind}:{_written(self.fields)}]"


@dataclass(frozen=True, slots=True)
class Move:
    """What a player did, or several at once, with everything that came of it."""

    fields: Mapping[str, Value]
    actions: tuple[Action | Move, ...]

    @property
    def mover(self) -> int:
        """Who moved: 0 for what is placed before the first move, one more than the players for all at once."""
        return self.number("mover", 0)

    @property
    def origin(self) -> int:
        """The site it is said to come from."""
        return self.number("from")

    @property
    def target(self) -> int:
        """The site it is said to go to."""
        return self.number("to")

    def number(self, name: str, default: int = UNDEFINED) -> int:
        """A field that is a number."""
        value = self.fields.get(name, default)
        return value if isinstance(value, int) else default

    @property
    def flat(self) -> Iterator[Action]:
        """All actions in the order in which they happened, those of moves inside included."""
        for action in self.actions:
            if isinstance(action, Move):
                yield from action.flat
            else:
                yield action

    @property
    def decision(self) -> Action | None:
        """The action that was chosen; what else is marked so came of it."""
        return next((action for action in self.flat if action.decision), None)

    @property
    def passes(self) -> bool:
        """Whether nothing but a pass was chosen."""
        chosen = [action for action in self.flat if action.decision]
        return bool(chosen) and all(action.kind == "Pass" for action in chosen)

    def __str__(self) -> str:
        return f"[Move:{_written(self.fields)},actions={','.join(map(str, self.actions))}]"


class Layout(NamedTuple):
    """How a file is written, which means nothing but must survive."""

    newline: str = "\n"
    last_newline: bool = True


PLAIN = Layout()
"""As we write."""


@dataclass(frozen=True)
class Trial:
    """A game that was played."""

    game: str
    moves: tuple[Move, ...]
    sizes: tuple[int, ...] = ()
    """How many moves there were to choose from, for each move that was not placed."""
    options: tuple[str, ...] = ()
    rng: tuple[int, ...] = ()
    """The state of the random numbers before the start: eight signed bytes."""
    legal: tuple[tuple[Move, ...], ...] = ()
    """The moves there were to choose from, where they were recorded."""
    ending: Mapping[str, str] = field(default_factory=dict)
    """The lines after the moves, by name and as they were written."""
    layout: Layout = PLAIN
    file: str = "<trial>"

    @property
    def name(self) -> str:
        """The path of the game in Ludii's library, below `lud`."""
        path = self.game.replace("\\", "/")
        return path.rpartition("/lud/")[2].removesuffix(".lud")

    @property
    def placed(self) -> int:
        """How many of the moves were placed before the first was chosen.

        What the file says itself is often missing, and wrong for matches. Of nothing to choose from nothing was chosen.
        """
        sizes = sum(size > 0 for size in self.sizes)
        if sizes and sizes <= len(self.moves):
            return len(self.moves) - sizes
        chosen = (number for number, move in enumerate(self.moves) if move.mover != 0 or move.decision)
        return next(chosen, len(self.moves))

    @property
    def placements(self) -> tuple[Move, ...]:
        """What was there before the first move, in the order in which it was placed.

        Ludii writes down the pieces of a match the last one first: then the first of them is said to lie on others.
        """
        moves = self.moves[: self.placed]
        added = (action for move in moves for action in move.flat if action.kind == "Add")
        first = next(added, None)
        return moves[::-1] if first and first.number("level", 0) > 0 else moves

    @property
    def played(self) -> tuple[Move, ...]:
        """The moves that were chosen."""
        return self.moves[self.placed :]

    @property
    def winner(self) -> int | None:
        """Who won: 0 if nobody, and nothing if the game did not end."""
        value = self.ending.get("winner")
        return None if value is None else int(value)

    @property
    def end_type(self) -> str:
        """How it ended: by the rules, or by a limit."""
        return self.ending.get("endtype", "").strip()

    @property
    def ranks(self) -> tuple[float, ...]:
        """The rank of each player, by index; the one at 0 means nothing."""
        value = self.ending.get("rankings", "")
        return tuple(float(part) for part in value.split(",")) if value else ()

    @property
    def version(self) -> str:
        """The version of Ludii that wrote it."""
        return self.ending.get("LUDII_VERSION", "").strip()


def written(value: Value) -> str:
    """A value as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _written(fields: Mapping[str, Value]) -> str:
    return ",".join(f"{name}={written(value)}" for name, value in fields.items())
