"""Hidden hands and identities: deals that agree with what was seen, each as likely as it was when things were dealt."""

from __future__ import annotations

from ludarium.core import GameError, InformationSet, Rng, Role
from ludarium.core.hidden import Deal
from ludarium.hidden.declarations.deals_kernels import CLASSES, Deals, classify, count_deals, draw_deals
from ludarium.hidden.declarations.declared import DeclaredSampler
from ludarium.hidden.sampler import TooManyStates
from ludarium.kernel import KernelGame, f64, i64, u8, zeros

_TRIES = 2000  # deals that are tried in one call
_VAIN = 1_000_000  # deals in which the role would not have to choose, and no other, until that is called impossible
_ROOM = 1 << 23  # numbers that counting may take


class DealSampler(DeclaredSampler):
    """Deals for a role in a match."""

    def __init__(self, game: KernelGame, role: Role, declaration: Deal, *, free: bool = False) -> None:
        super().__init__(game, role, declaration, free=free)
        self.declaration = declaration
        if declaration.kinds < 1 or declaration.places < 1:
            raise GameError(
                f"game '{game.name}' hides {declaration.kinds} kinds of things in {declaration.places} places"
            )
        self._left, self._may = zeros(i64, declaration.kinds), bytearray(declaration.places * declaration.kinds)
        self._deals = Deals(
            making=self._making,
            left=self._left,
            may=self._may,
            order=zeros(i64, declaration.places),
            ends=zeros(i64, CLASSES),
            sizes=zeros(i64, CLASSES),
            allowed=zeros(u8, CLASSES * declaration.kinds),
            ways=zeros(f64, 0),
            kind_at=zeros(i64, declaration.places),
            kinds=declaration.kinds,
        )
        self._count()  # what is compiled now is not on the clock of the first move
        draw_deals(self.table, self._deals, 0, Rng(0))

    def _begin(self, info: InformationSet) -> None:
        deals, declaration = self._deals, self.declaration
        self._left[:] = zeros(i64, declaration.kinds)
        self._may[:] = bytes(len(self._may))
        state = self.game.state_record(self._base)
        deals.places = declaration.known(info.seen[-1], self.role, state, self._left, self._may)
        if deals.places < 0:
            raise self.contradiction("nobody is shown that")
        if deals.places > declaration.places or any(count < 0 for count in self._left):
            raise GameError(
                f"game '{self.game.name}' declares {declaration.places} hidden places and tells of {deals.places}, or of fewer "
                "things than none"
            )
        if self.free:
            self._may[: deals.places * declaration.kinds] = b"\1" * (deals.places * declaration.kinds)
        self._count()
        if deals.arrangements == 0:
            raise self.contradiction("the hidden things cannot lie so that each is where it can be")
        deals.tries = deals.found = 0

    def _count(self) -> None:
        deals = self._deals
        if not classify(deals):
            raise TooManyStates(f"the hidden places of {self.game.name} differ in more than {CLASSES} ways")
        room = (deals.kinds + 1) * deals.cells
        if room > _ROOM:
            raise TooManyStates(f"the hidden things of {self.game.name} can be dealt in too many ways to count")
        if room > len(deals.ways):
            deals.grow("ways", room)
        count_deals(deals)

    def _draw_states(self, count: int, rng: Rng) -> int:
        deals = self._deals
        if deals.tries >= _VAIN and not deals.found:
            raise self.contradiction("it would not have to choose now")
        deals.try_limit = deals.tries + _TRIES
        dealt = deals.dealt
        made: int = draw_deals(self.table, deals, count, rng)
        self.effort.attempts += deals.dealt - dealt
        return made
