"""An evaluator that believes the rules, but not quite."""

from dataclasses import dataclass
from typing import ClassVar

from ludarium.core.parameters import check, number
from ludarium.evaluate import Judge
from ludarium.kernel import Bundle, Stream, Table, f64, i64, kernel, u8, view


class Trust(Bundle):
    """What the kernel looks at."""

    share: f64


@kernel
def cautious(table: Table, state: view[u8], out: view[f64], judging: Bundle, rng: Stream) -> i64:
    """Draw what the rules say of an unfinished state towards the middle."""
    table.utilities(state, out)
    if table.movers(state) != 0:
        for role in range(table.roles):
            out[role] = 0.5 + Trust.of(judging).share * (out[role] - 0.5)
    return 0


@dataclass(frozen=True)
class Cautious:
    """Judges an unfinished state by its utilities, drawn towards the middle."""

    name: ClassVar[str] = "cautious"

    trust: float = number(0.5, 0.0, 0.99)
    """How much of what the rules say is believed."""

    def __post_init__(self):
        check(self)

    def judge(self, game):
        """Make it ready for a game."""
        return Judge(cautious, Trust(share=self.trust))
