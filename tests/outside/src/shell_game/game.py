"""The shell game: one role hides a pea under a cup, the other lifts cups until it is found."""

from dataclasses import dataclass

from ludarium.core import BadParameter, Game, IllegalMove, Offers, State, Traits

RULES = """\
The hider puts a pea under one of the cups, unseen. The seeker lifts one cup after the other until the pea is found: the sooner,
the better for the seeker. A move is the number of a cup."""


class Cups(Game):
    """Find the pea under the cups."""

    roles = ("hider", "seeker")
    offers = Offers(rules=RULES)

    def __init__(self, cups: int = 5):
        if not 2 <= cups <= 64:
            raise BadParameter(f"the shell game is played with 2 to 64 cups, not {cups}")
        self.name = "cups" if cups == 5 else f"cups(cups={cups})"
        self.cups = self.max_moves = cups
        self.traits = Traits(turn_taking=True, deterministic=True, constant_sum=True, max_plies=cups + 1)

    def text(self, move):
        return str(move + 1)

    def parse(self, text):
        if not text.strip().isdecimal() or not 1 <= int(text) <= self.cups:
            raise IllegalMove(f"'{text}' is no cup: write a number from 1 to {self.cups}")
        return int(text) - 1

    def picture(self, state, role=None):
        seen = state.pea if role != 1 or state.over else None
        return " ".join("o" if cup == seen else "-" if lifted else "n" for cup, lifted in enumerate(state.lifted))

    def _initial(self, rng):
        return Table(self, None, (False,) * self.cups)


@dataclass(frozen=True)
class Table(State):
    """Where the pea is, and which cups are lifted."""

    game: Cups
    pea: int | None
    lifted: tuple[bool, ...]

    @property
    def movers(self):
        if self.pea is None:
            return (0,)
        return () if self.lifted[self.pea] else (1,)

    def legal(self, role):
        return [cup for cup in range(self.game.cups) if not self.lifted[cup]] if self.movers == (role,) else []

    def utilities(self):
        hidden = max(0, sum(self.lifted) - 1) / (self.game.cups - 1)
        return hidden, 1 - hidden

    def observe(self, role):
        known = self.pea is not None and (role == 0 or self.over)
        return bytes((self.pea + 1 if known else 0, self.pea is not None, *self.lifted))

    def _after(self, joint, rng):
        if self.pea is None:
            return Table(self.game, joint[0], self.lifted)
        return Table(self.game, self.pea, tuple(up or cup == joint[1] for cup, up in enumerate(self.lifted)))
