"""Trials are compared with games that have rules: they agree, or the first difference is told."""

import pytest

from ludarium.ludii.trial.compare import compare
from ludarium.ludii.trial.facts import CELL, Site
from ludarium.ludii.trial.position import Piece, Position, Snapshot, difference
from ludarium.ludii.trial.reader import parse, read
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.replay import Choice
from tests.ludii.trial.samples import NOUGHTS, RACE, Noughts, Race


def test_a_game_that_plays_as_recorded_agrees_with_its_trial():
    assert compare(parse(NOUGHTS), Noughts(), order=True) is None


def test_dice_are_taken_from_the_record_before_the_choice():
    assert compare(parse(RACE), Race()) is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Move=[Move:mover=2,from=0", "Move=[Move:mover=1,from=0", "level B, ply 1: ours player 2 moves; recorded player 1 moves"),
        ("SIZE = 7", "SIZE = 6", "level C, ply 2: ours 7 moves; recorded 6 moves, of which [Add:type=Cell,to=1,what=1,decision=true]"),
        ("[Add:type=Cell,to=2,what=2", "[Remove:type=Cell,to=2", "level D, ply 3: ours none of 6 moves fits (0 of its kind); recorded [Remove:type=Cell,to=2,decision=true]"),
        ("[Add:type=Cell,to=2,what=2", "[Add:type=Cell,to=4,what=2", "level D, ply 3: ours none of 6 moves fits (6 of its kind); recorded [Add:type=Cell,to=4,what=2,decision=true]"),
        ("to=2,what=2,decision=true]", "to=2,what=2,decision=true],[Remove:type=Cell,to=4]", "level E, ply 3: ours cell 4: 1 (who 1, count 1); recorded cell 4: empty"),
        ("to=2,what=2,", "to=2,what=2,value=3,", "level E, ply 3: ours cell 2: 2 (who 2, count 1); recorded cell 2: 2 (who 2, count 1, value 3)"),
        ("winner=1", "winner=2", "level G, ply 5: ours winner 1; recorded winner 2"),
        ("rankings=0.0,1.0,2.0", "rankings=0.0,1.0,1.0", "level G, ply 5: ours ranks 1.0, 2.0; recorded ranks 1.0, 1.0"),
    ],
)  # fmt: skip
def test_the_first_difference_is_told_with_its_level_and_ply(old, new, told):
    assert old in NOUGHTS
    assert str(compare(parse(NOUGHTS.replace(old, new)), Noughts())) == told


def test_a_game_that_lists_moves_twice_is_found_out():
    assert str(compare(parse(NOUGHTS), Noughts(doubled=True))).startswith("level C, ply 0: ours 18 moves")


def test_what_is_placed_is_compared():
    found = compare(parse(RACE.replace("to=4,what=2", "to=5,what=2")), Race())
    assert str(found) == "level A, ply 0: ours cell 4: 2 (who 2, count 1); recorded cell 4: empty"


def test_an_end_that_comes_early_or_late_is_told():
    lines = NOUGHTS.split("\n")
    early = "\n".join(line for line in lines if "to=7" not in line and not line.endswith("SIZE = 5"))
    assert str(compare(parse(early), Noughts())) == "level G, ply 4: ours goes on; recorded over, winner 1 (NaturalEnd)"
    late = NOUGHTS.replace(
        "LEGAL", "Move=[Move:mover=2,from=8,to=8,actions=[Add:type=Cell,to=8,what=2,decision=true]]\nLEGAL", 1
    )
    late = late.replace("SIZE = 5", "SIZE = 5\nLEGAL MOVES LIST SIZE = 4")
    assert str(compare(parse(late), Noughts())).startswith(
        "level G, ply 5: ours over, winner 1; recorded goes on with [Add"
    )


def test_other_actions_or_another_order_are_told_only_if_asked_for():
    trial = parse(NOUGHTS.replace("to=2,what=2,decision=true]", "to=2,what=2,decision=true],[Note:message=hm,to=1]"))
    assert compare(trial, Noughts()) is None
    assert compare(trial, Noughts(), order=True).level == "F"


class Twins(Noughts):
    """Two moves of each site look alike: one puts a stone there, the other beside."""

    def legal(self):
        return [
            Choice(code, choice.mover, Action("Add", {"to": choice.code}), 1)
            for choice in super().legal()
            for code in ((choice.code + 1) % 9, choice.code)
            if self.board[code] == 0
        ]


def test_moves_that_look_alike_are_told_apart_by_where_they_lead():
    lines = [line for line in NOUGHTS.split("\n") if not line.startswith("LEGAL")]
    assert compare(parse("\n".join(lines)), Twins()) is None


def test_values_that_a_game_does_not_keep_are_not_compared():
    trial = parse(
        NOUGHTS.replace("to=2,what=2,decision=true]", "to=2,what=2,decision=true],[SetScore:player=1,score=5]")
    )
    assert compare(trial, Noughts()) is None

    class Scored(Noughts):
        def _snapshot(self, board):
            position = Position(self.facts)
            for site, what in enumerate(board):
                if what:
                    position.put(Site(CELL, site), Piece(what, what, 1))
            return position.snapshot(kept={"scores"})

    assert str(compare(trial, Scored())) == "level E, ply 3: ours scores: none; recorded scores: 1 5"


BOTH = """game=/lud/math/Both.lud
START GAME OPTIONS
END GAME OPTIONS
RNG internal state=0,0,0,0,0,0,0,0
Move=[Move:mover=3,from=0,to=0,actions=[Select:typeFrom=Cell,from=0,decision=true],[Select:typeFrom=Cell,from=3,decision=true],[SetScore:player=2,score=5]]
LEGAL MOVES LIST SIZE = 4
winner=2
endtype=NaturalEnd
rankings=0.0,2.0,1.0
SANDBOX=false
"""


class Both(Noughts):
    """Both choose one of their two sites at once; who has the larger one gets five points."""

    chosen = ()

    @property
    def movers(self):
        return (1, 2)

    @property
    def winner(self):
        return (self.chosen[0] < self.chosen[1] - 2) + 1 if self.chosen else 0

    @property
    def over(self):
        return bool(self.chosen)

    def legal(self):
        return [Choice(site, 1 + site // 2, Action("Select", {"from": site})) for site in range(4)]

    def play(self, chosen, outcomes):
        self.chosen = [choice.code for choice in chosen]

    def snapshot(self):
        position = Position(self.facts)
        if self.chosen:
            position.scores[self.winner] = 5
        return position.snapshot(kept={"scores"})


def test_choices_made_at_once_are_compared_together():
    assert compare(parse(BOTH), Both()) is None
    assert str(compare(parse(BOTH.replace("mover=3", "mover=4")), Both())).startswith("level B")
    assert compare(parse(BOTH.replace("from=3,dec", "from=1,dec")), Both()).level == "D"
    assert compare(parse(BOTH.replace("score=5", "score=4")), Both()).level == "E"


class Growth(Noughts):
    """Nobody plays: a site after the other is filled."""

    @property
    def movers(self):
        return (0,)

    def legal(self):
        return [Choice(self.board.index(0), 0, Action("Grow"))]

    def play(self, chosen, outcomes):
        self.board[chosen[0].code] = 1

    @property
    def over(self):
        return self.board[1] == 1

    winner = 0
    ranks = (0.0,)


def test_a_game_that_nobody_plays_is_compared_by_its_states():
    moves = "".join(f"Move=[Move:mover=0,actions=[Add:type=Cell,to={site},what=1]]\n" for site in (0, 1))
    head, rest = NOUGHTS[: NOUGHTS.index("Move=")], "LEGAL MOVES LIST SIZE = 1\n" * 2
    trial = parse(f"{head}{moves}{rest}winner=0\nendtype=NaturalEnd\nrankings=0.0\nSANDBOX=false\n")
    assert compare(trial, Growth()) is None


class TwoGames(Noughts):
    """A match: tic-tac-toe twice, the second time with a stone in the corner, which no trial tells."""

    games = 0

    @property
    def over(self):
        return super().over and self.games == 1

    def legal(self):
        if super().over:
            return [Choice(100, self.mover, Action("NextInstance"))]
        return super().legal()

    def play(self, chosen, outcomes):
        if chosen[0].code != 100:
            super().play(chosen, outcomes)
            return
        self.games, self.board, self.mover = 1, [0] * 8 + [2], 1


def test_the_next_game_of_a_match_is_followed_from_where_the_game_says_it_begins():
    moves = [line for line in NOUGHTS.split("\n") if line.startswith("Move=")]
    head, end = NOUGHTS[: NOUGHTS.index("Move=")], NOUGHTS[NOUGHTS.index("winner=") :]
    lines = [*moves, "Move=[Move:mover=2,actions=[NextInstance:decision=true]]", *moves]
    sizes = [f"LEGAL MOVES LIST SIZE = {size}" for size in (9, 8, 7, 6, 5, 1, 8, 7, 6, 5, 4)]
    assert compare(parse(head + "\n".join([*lines, *sizes, end])), TwoGames()) is None
    lines[-2] = lines[-2].replace("decision=true]", "decision=true],[Remove:type=Cell,to=8]")
    found = compare(parse(head + "\n".join([*lines, *sizes, end])), TwoGames())
    assert str(found) == "level E, ply 9: ours cell 8: 2 (who 2, count 1); recorded cell 8: empty"


def test_owners_are_compared_only_where_ludii_knows_them():
    def site(**fields):
        return Snapshot({Site(CELL, 3): (Piece(1, 3, 4)._replace(**fields),)})

    assert difference(site(), site(who=0)) is None
    assert difference(site(who=2), site(who=1)) == ("cell 3: 1 (who 2, count 4)", "cell 3: 1 (who 1, count 4)")
    assert difference(site(count=2), site(who=0)) == ("cell 3: 1 (count 2)", "cell 3: 1 (count 4)")


def test_fields_that_a_game_does_not_keep_are_not_compared():
    ours = Snapshot({Site(CELL, 3): (Piece(1, 1, 1),)}, fields=frozenset({"what", "who", "count"}))
    assert difference(ours, Snapshot({Site(CELL, 3): (Piece(1, 1, 1, 5, 6, 7),)})) is None
    assert difference(ours, Snapshot({Site(CELL, 3): (Piece(2, 1, 1, 5),)})) is not None
    assert difference(Snapshot({}, fields=ours.fields), Snapshot({Site(CELL, 3): (Piece(state=5),)})) is None


@pytest.mark.corpus
def test_tic_tac_toe_plays_as_ludii_recorded_it(ludii):
    for file in sorted((ludii / "trials/board/space/line/Tic-Tac-Toe").iterdir()):
        assert compare(read(file), Noughts(), order=True) is None
