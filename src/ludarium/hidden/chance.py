"""All that chance can do: run the rules once for every way in which their random numbers can fall.

A game draws chance from a stream inside `init` and `apply`, and lists no outcomes. So it is run as plain Python, with a
script in the place of the stream that goes through all numbers below n wherever one of them is drawn. Rules that draw
raw bits or fractions cannot be listed in this way.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ludarium.core import Game, Move, Rng, Role, State, UnsupportedGame
from ludarium.kernel import KernelState, TableGame, below, draw, uniform
from ludarium.kernel.compiler.arguments import python_caller
from ludarium.kernel.compiler.debug import as_python
from ludarium.kernel.compiler.source import KernelLike
from ludarium.kernel.table import with_scratch

Outcomes = Iterator[tuple[State | None, float]]
"""States with their probabilities, one per run of the rules; None for a run that only looked whether chance is drawn."""


class Chance:
    """The outcomes of a game's beginning and of its moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._script = _Script(game)
        self._python: dict[str, Callable[..., Any]] = {}

    def beginnings(self) -> Outcomes:
        """Run through all first states."""
        if not isinstance(self.game, TableGame):
            return self._listed(lambda: self.game.initial(_ScriptedRng(self._script)))
        return self._of_table("init", bytes(self.game.state_size))

    def outcomes(self, state: State, moves: Mapping[Role, Move]) -> Outcomes:
        """Run through all states that can come after a joint move."""
        if not isinstance(self.game, TableGame):
            return self._listed(lambda: state.after(moves, _ScriptedRng(self._script)))
        assert isinstance(state, KernelState)
        joint = array("Q", [moves.get(role, 0) for role in range(len(self.game.roles))])
        return self._of_table("apply", state.block, joint)

    def _of_table(self, name: str, block: bytes, *more: Any) -> Outcomes:
        """Run machine code first: a stream that has not moved was not drawn from."""
        game = self.game
        assert isinstance(game, TableGame)
        rng = Rng(0)
        made = bytearray(block)
        game.bridge.call(name, made, *more, rng)
        if rng.words == Rng(0).words:
            yield game.state(bytes(made)), 1.0
            return
        yield None, 0.0
        run, scratch = self._as_python(name, game), bytearray(max(8, game.scratch_size))

        def once() -> State:
            made = bytearray(block)
            run(made, *more, rng, scratch)
            return game.state(bytes(made))

        yield from self._listed(once)

    def _as_python(self, name: str, game: TableGame) -> Callable[..., Any]:
        if name not in self._python:
            script = self._script
            instead: dict[KernelLike, Callable[..., int]] = {
                below: script.below,
                draw: script.refuse,
                uniform: script.refuse,
            }
            made = with_scratch(game.functions())[name]
            function = as_python(made, wrap=True, instead=instead)
            self._python[name] = python_caller(made, function, function.written)  # type: ignore[attr-defined]
        return self._python[name]

    def _listed(self, run: Callable[[], State]) -> Outcomes:
        script = self._script
        script.begin()
        while True:
            state = run()
            yield state, script.probability()
            if not script.turn():
                return


class _Script:
    """The numbers that chance draws, in the order of an odometer."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.begin()

    def begin(self) -> None:
        """Draw 0 everywhere."""
        self._planned: list[int] = []
        self._drawn: list[tuple[int, int]] = []

    def below(self, _: Any, count: int) -> int:
        """Draw the number that is planned here."""
        place = len(self._drawn)
        number = self._planned[place] if place < len(self._planned) else 0
        self._drawn.append((number, count))
        return number

    def refuse(self, *_: Any) -> int:
        """Stop at a draw that has no short list of outcomes."""
        name = self.game.name
        raise UnsupportedGame(f"enumeration cannot list the chance of {name}: it draws raw bits or fractions of 1")

    def probability(self) -> float:
        """Tell how likely the numbers drawn are."""
        likely = 1.0
        for _, count in self._drawn:
            likely /= count
        return likely

    def turn(self) -> bool:
        """Plan the next numbers; False if all had their turn."""
        drawn, self._drawn = self._drawn, []
        while drawn:
            number, count = drawn.pop()
            if number + 1 < count:
                self._planned = [each for each, _ in drawn] + [number + 1]
                return True
        return False


class _ScriptedRng(Rng):
    """A stream for games in plain Python that draws what the script plans."""

    __slots__ = ("script",)

    def __init__(self, script: _Script) -> None:
        super().__init__(0)
        self.script = script

    def next(self) -> int:
        return self.script.refuse()

    def below(self, n: int) -> int:
        if n <= 0:
            return super().below(n)  # which says what is wrong with that
        return self.script.below(self, n)

    def copy(self) -> _ScriptedRng:
        self.script.refuse()
        return self
