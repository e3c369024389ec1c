"""A game of one description in Ludii's language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ludarium.core import Move, Offers, OwnRecord, Role, State, Traits
from ludarium.core.fingerprint import digest
from ludarium.kernel import Kernel, KernelState, TableGame
from ludarium.kernel.table import hash_bytes
from ludarium.ludii.code.compiler import Compiled, compile_game
from ludarium.ludii.code.turns import MOST_MOVES
from ludarium.ludii.concepts import features
from ludarium.ludii.coverage import RulesInUse
from ludarium.ludii.grammar.binder import Lacking
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.hints import amounts, lines, targets, turn
from ludarium.ludii.memory.exchanging import exchanges
from ludarium.ludii.model import Model, Unsupported, Within, walk, word
from ludarium.ludii.notation import Notation
from ludarium.ludii.picture.cards import card_titles
from ludarium.ludii.picture.letters import owners_of_letters, role_names
from ludarium.ludii.picture.position import Position
from ludarium.ludii.picture.svg import draw as draw_svg
from ludarium.ludii.picture.terminal import draw
from ludarium.ludii.standing import nearness, pieces

_AROUND = re.compile(r"\s*([(){}])\s*")
_TITLE = re.compile(r'\(game\s*"[^"]*"')

PLAYED = 5
"""Counts up whenever unchanged descriptions come to be played otherwise, be it that the same seed leads random playouts
elsewhere: all fingerprints of games in this language change with it, so that what was played before is kept apart."""


class LudGame(TableGame):
    """A game described in Ludii's language."""

    hurry = True  # games are often loaded to be looked at, or for a few playouts

    def __init__(self, rules: Rules, *, name: str = "", source: str = "", within: Within | None = None) -> None:
        """Make a game, which may be part of a match."""
        self.source = source or rules.description.text.string
        try:
            self.model = Model(rules, within)
            self.compiled: Compiled = compile_game(self.model)
        except Lacking as lacking:
            where, unit = rules.place(lacking.ludeme), lacking.ludeme.unit
            raise Unsupported(where, unit, f"without {lacking.slot!r}") from None
        self.name = name or self.model.name
        self.roles = role_names(self.model)
        self.max_moves = self.compiled.max_moves
        self.state_size = self.compiled.layout.state.size
        self.max_observation = self.state_size
        self.scratch_size = self.compiled.context.size
        self.traits = Traits(
            turn_taking=not self.model.together,
            deterministic=not self.compiled.stochastic,
            perfect_information=not self.compiled.layout.hides,
            constant_sum=self.model.players == 2 and not self._shares_places(),
            max_plies=MOST_MOVES,
        )

    def _shares_places(self) -> bool:
        """Whether both players may win, or both lose."""
        results = [each for each in walk(self.model.root) if each.family == "end" and each.unit == "result"]
        shared = ("All", "Each", "Shared")
        return any(
            word(each.arguments["who"]) in shared and word(each.arguments["result"]) != "Draw" for each in results
        )

    @cached_property
    def fingerprint(self) -> str:
        """What the game is: its description with options chosen and defines filled in, whatever it is called."""
        plain = _AROUND.sub(r"\1", " ".join(self.model.rules.description.text.string.split()))
        return digest([f"ludii {PLAYED}", _TITLE.sub("(game", plain, count=1)])

    def functions(self) -> dict[str, Kernel[Any]]:
        """The kernels of the table."""
        return {**self.compiled.functions, "hash": hash_bytes}

    @cached_property
    def offers(self) -> Offers:  # type: ignore[override]
        """What the rules tell beyond how to play."""
        return Offers(
            rules=self.source,
            coverage=lambda: RulesInUse(self),
            listing=lambda: self.compiled.text,
            symbols=owners_of_letters(self.model),
            record=OwnRecord("trial of Ludii", (".trl", ".txt"), self._trial, self._moves_of_trial),
            svg=self.svg,
            sites=self.coordinates.sites,
            places=None if self.traits.perfect_information else self._hidden_places,
            exchanges=exchanges(self.compiled.layout) if self.compiled.stochastic else None,
            pieces=lambda: pieces(self.compiled.layout),
            nearness=lambda: nearness(self.compiled.layout),
            amounts=lambda: amounts(self.compiled.layout),
            turn=turn(self.compiled.layout),
            targets=lambda: targets(self.compiled.layout, self.compiled.leaves),
            lines=lambda length: lines(self.compiled.layout, length),
            features=lambda: features(self.model.rules, self.model.topology),
        )

    def _hidden_places(self, state: State, role: Role) -> dict[str, str]:
        """What stands on sites where a role sees something else, or nothing."""
        assert isinstance(state, KernelState)
        layout = self.compiled.layout
        there: Any = layout.state(bytearray(state.block))
        seen: Any = layout.state(bytearray(state.observe(role)))
        names, height = ["", *(each.name for each in self.model.components)], layout.height
        for index, title in card_titles(self.model).items():
            names[index] = title
        numbers = [name for name in ("value", "state", "count") if name in layout.state.fields]
        found = {}
        for slot, what in enumerate(there.what.numbers.tolist()):
            spot, level = divmod(slot, height)
            told = [(getattr(there, name)[slot], getattr(seen, name)[slot]) for name in numbers if what]
            if what and (what != seen.what[slot] or any(is_ != seems for is_, seems in told)):
                more = [str(is_) for is_, seems in told if is_ != seems and is_ > 1]
                label = self.coordinates.labels[spot]
                found[label if height == 1 else f"{label}.{level + 1}"] = " ".join([names[what], *more])
        return found

    def _trial(self, states: Sequence[State], joints: Sequence[Mapping[Role, Move]]) -> str:
        from ludarium.ludii.exchange import write  # noqa: PLC0415  # which replays games

        return write(self, states, joints)

    def _moves_of_trial(self, text: str) -> tuple[str, ...]:
        from ludarium.ludii.exchange import read  # noqa: PLC0415

        return read(self, text)

    @cached_property
    def coordinates(self) -> Notation:
        """How moves are written."""
        return Notation(self.model, self.compiled.leaves)

    @cached_property
    def variables(self) -> tuple[int, ...]:
        """The sites that the constraints of a puzzle are about."""
        return self.compiled.variables

    def text(self, move: Move) -> str:
        """Write a move for people."""
        return self.coordinates.write(move)

    def parse(self, text: str) -> Move:
        """Read a move."""
        return self.coordinates.read(text)

    def picture(self, state: State, role: Role | None = None) -> str:
        """Draw a state with letters, for a role as it sees it."""
        return draw(self.model, self._position(state, role), self.coordinates.labels)

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw a state as an SVG image, for a role as it sees it."""
        return draw_svg(self.model, self._position(state, role), self.coordinates.labels)

    def _position(self, state: State, role: Role | None) -> Position:
        assert isinstance(state, KernelState)
        shown = role is not None and not self.traits.perfect_information
        block = state.observe(role) if shown and role is not None else state.block
        return Position.of(self.model, self.compiled.layout, self.compiled.layout.state(bytearray(block)))
