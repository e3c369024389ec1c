"""Hidden hands and identities: deals that agree with what was seen, each as likely as it was when things were dealt."""

from __future__ import annotations

from array import array

from ludarium.core import GameError, InformationSet, Rng, Role
from ludarium.core.hidden import Deal
from ludarium.hidden.dealing import CLASSES, Deck, classify, count_deals, draw_deals
from ludarium.hidden.declared import DeclaredSampler
from ludarium.hidden.sampler import TooManyStates
from ludarium.kernel import KernelGame

_TRIES = 2000  # deals that are tried in one call
_VAIN = 1_000_000  # deals in which the role would not have to choose, and no other, until that is called impossible
_ROOM = 1 << 23  # numbers that counting may take


class DealSampler(DeclaredSampler):
    """Deals for a role in a match."""

    def __init__(self, game: KernelGame, role: Role, told: Deal, *, free: bool = False) -> None:
        super().__init__(game, role, told, free=free)
        self.told = told
        if told.kinds < 1 or told.places < 1:
            raise GameError(f"game '{game.name}' hides {told.kinds} kinds of things in {told.places} places")
        self._deck = Deck()
        self._deck.role, self._deck.kinds = role, told.kinds
        self._left, self._may = array("q", bytes(8 * told.kinds)), bytearray(told.places * told.kinds)
        self._order, self._dealt = array("q", bytes(8 * told.places)), array("q", bytes(8 * told.places))
        self._ends, self._allowed = array("q", bytes(8 * CLASSES)), bytearray(CLASSES * told.kinds)
        self._ways = array("d")
        self._count()  # what is compiled now is not on the clock of the first move
        self._deck.try_limit = 0
        self._run(0, Rng(0))

    def _begin(self, info: InformationSet) -> None:
        deck, told = self._deck, self.told
        self._left[:] = array("q", bytes(8 * told.kinds))
        self._may[:] = bytes(len(self._may))
        state = self.game.state_record(self._base)
        deck.places = told.known(info.seen[-1], self.role, state, self._left, self._may)
        if deck.places < 0:
            raise self.contradiction("nobody is shown that")
        if deck.places > told.places or any(count < 0 for count in self._left):
            raise GameError(
                f"game '{self.game.name}' declares {told.places} hidden places and tells of {deck.places}, or of fewer "
                "things than none"
            )
        if self.free:
            self._may[: deck.places * told.kinds] = b"\1" * (deck.places * told.kinds)
        self._count()
        if deck.arrangements == 0:
            raise self.contradiction("the hidden things cannot lie so that each is where it can be")
        deck.tries = deck.found = 0

    def _count(self) -> None:
        deck = self._deck
        if not classify(deck, self._may, self._order, self._ends, self._allowed):
            raise TooManyStates(f"the hidden places of {self.game.name} differ in more than {CLASSES} ways")
        room = (deck.kinds + 1) * deck.cells
        if room > _ROOM:
            raise TooManyStates(f"the hidden things of {self.game.name} can be dealt in too many ways to count")
        if room > len(self._ways):
            self._ways = array("d", bytes(8 * room))
        count_deals(deck, self._left, self._allowed, self._ways)

    def _drawn(self, count: int, rng: Rng) -> int:
        deck = self._deck
        if deck.tries >= _VAIN and not deck.found:
            raise self.contradiction("it would not have to choose now")
        deck.try_limit = deck.tries + _TRIES
        dealt = deck.dealt
        made = self._run(count, rng)
        self.effort.attempts += deck.dealt - dealt
        return made

    def _run(self, count: int, rng: Rng) -> int:
        return draw_deals(
            self._deck, self.table, self._filling, self._base, self._arena, self._left, self._order, self._ends,
            self._allowed, self._ways, self._dealt, count, rng,
        )  # fmt: skip
