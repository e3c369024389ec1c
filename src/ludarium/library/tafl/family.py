"""The tafl family from one source: hnefatafl 13x13, its eleven variants, tablut and brandubh.

`python -m ludarium.library.tafl.family` writes the rule files of the library anew. Hnefatafl and its variants follow
section 3.1 and appendix A.1 of a thesis on asymmetry in general game playing, which found that no GDL player
could play them in time. Squares are (row, column), counted from 1 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ludarium.library.tafl.rules import header, rules

CORNERS = "corners"
EDGES = "edges"


@dataclass(frozen=True)
class Tafl:
    """One game of the family: its layout, and which of the rules it has."""

    name: str
    title: str
    layout: str
    """The rows, from the top: a attacker, d defender, k king on the throne, . empty."""
    exits: str = EDGES
    """Where the king escapes; corners are reserved for him and hostile to all."""
    crossing: bool = True
    """Whether the empty throne may be passed."""
    captures: bool = True
    king_captured: bool = True
    king_killed: bool = True
    king_moves: bool = True
    pieces_move: bool = True
    leaps: bool = False
    """Whether pieces move to any square and remove what stands there."""
    stalemate_loses: bool = True
    repetition_loses: bool = True
    turns: int = 500
    notes: str = ""
    """What the header says beyond the common rules."""

    @property
    def rows(self) -> list[str]:
        """The layout, row by row."""
        return self.layout.split()

    @property
    def size(self) -> int:
        """The length of an edge."""
        return len(self.rows)

    @property
    def centre(self) -> int:
        """The row and the column of the throne."""
        return self.size // 2 + 1

    def squares(self, symbols: str) -> Iterator[tuple[int, int, str]]:
        """Row, column and symbol of the squares that begin with one of these symbols."""
        for row, line in enumerate(self.rows, 1):
            for column, symbol in enumerate(line, 1):
                if symbol in symbols:
                    yield row, column, symbol


LAYOUT_13 = """
...aaaaaaa...
......a......
.............
a.....d.....a
a.....d.....a
a....ddd....a
aa.dddkddd.aa
a....ddd....a
a.....d.....a
a.....d.....a
.............
......a......
...aaaaaaa...
"""

LAYOUT_9 = """
...aaa...
....a....
....d....
a...d...a
aaddkddaa
a...d...a
....d....
....a....
...aaa...
"""

LAYOUT_7 = """
...a...
...a...
...d...
aadkdaa
...d...
...a...
...a...
"""

LAYOUT_5 = """
..a..
..d..
a.k.a
..d..
..a..
"""

HNEFATAFL = Tafl("hnefatafl", "Hnefatafl, 13x13", LAYOUT_13)

VARIANTS = (
    replace(HNEFATAFL, name="hnefatafl-5x5", title="Hnefatafl, 5x5 (variant 1)", layout=LAYOUT_5),
    replace(HNEFATAFL, name="hnefatafl-9x9", title="Hnefatafl, 9x9 (variant 2)", layout=LAYOUT_9),
    replace(
        HNEFATAFL,
        name="hnefatafl-no-stalemate",
        title="Hnefatafl without loss by stalemate (variant 3)",
        stalemate_loses=False,
        notes="In this variant a player who cannot move does not lose but passes.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-no-capture",
        title="Hnefatafl without capture (variant 4)",
        captures=False,
        king_captured=False,
        notes="In this variant no piece is ever captured, the king neither; he can still be killed.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-king-only-killed",
        title="Hnefatafl, the king only killed (variant 5)",
        king_captured=False,
        notes="In this variant the king cannot be captured by two, only killed, wherever he stands.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-king-only-captured",
        title="Hnefatafl, the king only captured (variant 6)",
        king_killed=False,
        notes="In this variant the king cannot be killed, only captured: he is safe on the throne and beside it.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-king-stays",
        title="Hnefatafl with a king who stays (variant 7)",
        king_moves=False,
        notes="In this variant the king never moves, so he cannot escape.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-no-moves",
        title="Hnefatafl without moves (variant 8)",
        pieces_move=False,
        notes="In this variant no piece may move: all that the players can do is pass, so that the "
        "third turn brings the same position about for the third time, and the attacker loses.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-no-moves-no-history",
        title="Hnefatafl without moves and without history (variant 9)",
        pieces_move=False,
        repetition_loses=False,
        notes="In this variant no piece may move and positions may repeat: all pass until the turns are over.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-leaps",
        title="Hnefatafl with leaps (variant 10)",
        leaps=True,
        notes="In this variant a piece moves to any square, whatever is between, and removes any piece "
        "that stands there, be it its own side's. The throne stays the king's. Captures are made "
        "as always.",
    ),
    replace(
        HNEFATAFL,
        name="hnefatafl-no-history",
        title="Hnefatafl without history (variant 11)",
        repetition_loses=False,
        notes="In this variant positions may repeat; only the number of turns ends such a game.",
    ),
)

TABLUT = replace(
    HNEFATAFL,
    name="tablut",
    title="Tablut, 9x9",
    layout=LAYOUT_9,
    crossing=False,
    repetition_loses=False,
    turns=200,
    notes="This is the Saami game that Linnaeus saw in 1732, as later translations read his "
    "journal: nobody passes the throne, and nothing is said of positions that repeat.",
)

BRANDUBH = replace(
    HNEFATAFL,
    name="brandubh",
    title="Brandubh, 7x7",
    layout=LAYOUT_7,
    exits=CORNERS,
    turns=200,
    notes="This is the Irish game, known from two poems for its board of seven by seven and its "
    "five men against eight; the rules are the usual modern reconstruction: the king escapes "
    "to a corner, corners are his alone and hostile to all.",
)

FAMILY = (HNEFATAFL, *VARIANTS, TABLUT, BRANDUBH)


def description(game: Tafl) -> str:
    """Write out the rule file of a game.

    >>> print(description(BRANDUBH).splitlines()[0])
    ; Brandubh, 7x7
    """
    return header(game) + rules(game)


def main(folder: Path | None = None) -> None:
    """Write the rule files."""
    folder = folder or Path(__file__).parent.parent
    for game in FAMILY:
        (folder / f"{game.name}.kif").write_text(description(game), encoding="utf-8")


if __name__ == "__main__":
    main()
