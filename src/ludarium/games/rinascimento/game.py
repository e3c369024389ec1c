"""Rinascimento: Splendor with every number of its rules as a parameter; hidden reserves, chance, two to eight players.

Bravi, Perez-Liebana, Lucas and Liu, "Rinascimento: optimising statistical forward planning agents for playing Splendor"
(2019). The settings are in `settings`, the rules as kernels in `rules`, the moves in `moves` and `actions`.
"""

from __future__ import annotations

import inspect
from array import array
from dataclasses import fields
from typing import Any

from ludarium.core import ActionKernels, BadParameter, GameError, Move, Offers, Rng, Role, State, Traits, UnknownName
from ludarium.games.rinascimento.actions import list_kernels, random_kernels
from ludarium.games.rinascimento.heuristics import heuristics
from ludarium.games.rinascimento.hidden import hidden_kernels
from ludarium.games.rinascimento.moves import Writer, most_changes
from ludarium.games.rinascimento.picture import ROLES, picture
from ludarium.games.rinascimento.rules import content_tables, state_record, turn_kernels
from ludarium.games.rinascimento.settings import KINDS, PRESETS, Settings
from ludarium.games.rinascimento.svg import svg
from ludarium.kernel import Kernel, KernelGame, KernelState

RULES = """\
Players race for prestige points. In a turn a player either takes tokens, reserves a card or buys one.
Tokens: three of different types (fewer only if fewer types are left), or two of one type if four of it lie there. Whoever
then has more than ten tokens gives tokens of any type back until ten are left.
Reserve: a card that lies face up, or the top card of a deck, which only the owner sees; three at most. It comes
with a joker if there is one.
Buy: a card that lies face up or is one's own reserve. Bonuses of bought cards lower the price; jokers stand for any type.
After a turn the first noble comes whose wish for bonuses is fulfilled. When somebody has 15 points the round is played to
its end, and most points win; then fewest cards; then all who are equal. If the player whose turn it is can do nothing, or
after 300 turns, nobody wins.
Moves: take white blue green; take white white back red; take nothing (all of it goes back); reserve 2r4; reserve deck 1
back joker; buy 2r4. A card's name is its deck, the letter of its bonus, and a number."""

_MOST_MOVES = 1 << 15


class Rinascimento(KernelGame):
    """The game for some settings, with what it offers beyond other games: ways to judge and to deal anew, and a drawing."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.content = settings, settings.box
        record = state_record(settings)
        tables = content_tables(settings)
        turns = turn_kernels(settings, record, tables)
        lists = list_kernels(settings, record, turns)
        most = most_moves(settings)
        chances = random_kernels(settings, record, turns, lists.legal, most)
        hidden = hidden_kernels(settings, record, turns, tables)
        writer = Writer(self.content)
        super().__init__(
            settings.spec,
            ROLES[: settings.players],
            Traits(turn_taking=True, max_plies=settings.ticks),
            state=record,
            max_moves=most,
            max_observation=record.size,
            text=writer.text,
            parse=writer.parse,
            picture=lambda state, role: picture(settings, state, role),
            offers=Offers(
                rules=RULES,
                heuristics=heuristics(settings, record, tables),
                actions=lambda: ActionKernels(
                    sample=chances.sample_action, is_legal=lists.is_legal, do_nothing=turns.do_nothing
                ),
                redeal=hidden.redeal,
                svg=self.svg,
            ),
            init=turns.init,
            movers=turns.movers,
            legal=lists.legal,
            apply=turns.apply,
            utilities=turns.utilities,
            observe=hidden.observe,
            playout=chances.playout,
        )
        self._sample_kind: Kernel[int] = chances.sample_kind

    def generated(self, state: State, kind: str, rng: Rng, role: Role | None = None) -> Move | None:
        """Draw a move of one of `KINDS` at random, for the player whose turn it is or another; None if there is none."""
        if kind not in KINDS:
            raise UnknownName("kind of move", kind, KINDS)
        assert isinstance(state, KernelState)
        if role is None:
            role = next(iter(state.movers), 0)
        out = array("Q", [0])
        record = self.state_record(bytearray(state.block))
        found = not state.over and self._sample_kind(record, role, KINDS.index(kind), out, rng)
        return out[0] if found else None

    def hidden_swap(self, state: State, role: Role, rng: Rng) -> State:
        """Deal anew what a role cannot know."""
        made = self.state_record(bytearray(self.state_size))
        if not self.offers.redeal(state.observe(role), role, made, rng):
            raise GameError(f"what {self.roles[role]} sees in {self.name} cannot be dealt")
        return self.state(bytes(made.memory))

    def svg(self, state: State, role: Role | None = None) -> str:
        """Draw a state as an SVG image; for a role, only what that role sees."""
        assert isinstance(state, KernelState)
        return svg(self.settings, self.state_record(bytearray(state.block)), role)


def rinascimento(**given: Any) -> Rinascimento:
    """Make the game from a preset and parameters; `Settings` tells what they are.

    >>> rinascimento(preset="two", goal=10).name
    'rinascimento(players=2, goal=10)'
    """
    preset = given.pop("preset", "standard")
    if preset not in PRESETS:
        raise UnknownName("preset of rinascimento", str(preset), PRESETS)
    known = [each.name for each in fields(Settings)]
    for key in given:
        if key not in known:
            raise BadParameter(f"rinascimento has no parameter '{key}'; it has preset, {', '.join(known)}")
    return Rinascimento(Settings(**{**PRESETS[preset], **given}))


# The catalog checks parameters against a signature; what was given must still be told apart from a preset's values.
rinascimento.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [
        inspect.Parameter("preset", inspect.Parameter.POSITIONAL_OR_KEYWORD, default="standard"),
        *inspect.signature(Settings).parameters.values(),
    ]
)


def most_moves(settings: Settings) -> int:
    """Bound the number of legal moves: the worst over how many tokens are held, if there is enough of everything."""
    jokers = 0 if settings.published else settings.jokers
    cards = settings.decks * settings.face_up
    worst = 0
    for room in range(settings.max_tokens + 1):
        takes = max(
            (
                most_changes(settings.types, m, settings.per_type, min(m * settings.per_type, room), jokers)
                for m in range(1, settings.different + 1)
            ),
            default=0,
        )
        if settings.same:
            takes += most_changes(settings.types, 1, settings.same, min(settings.same, room), jokers)
        backs = settings.types + 1 if room == 0 and jokers else 1
        reserves = (cards + settings.decks) * backs if settings.max_reserved else 0
        worst = max(worst, takes + reserves + cards + settings.max_reserved)
    if worst > _MOST_MOVES:
        raise BadParameter(
            f"rinascimento: with these parameters there may be {worst} legal moves at once, more than {_MOST_MOVES}; "
            "let fewer tokens be taken at once"
        )
    return worst
