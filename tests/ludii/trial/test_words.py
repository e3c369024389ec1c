"""Trials in words."""

from ludarium.ludii.trial.interpreter import guess, states
from ludarium.ludii.trial.reader import parse
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.words import contents, told, words
from tests.ludii.trial.samples import NOUGHTS, NOUGHTS_FACTS, RACE, RACE_FACTS


def test_moves_are_told_with_what_was_chosen_first():
    trial = parse(RACE)
    assert [told(move, RACE_FACTS) for move in trial.moves] == [
        "start: puts Die on 8",
        "start: puts Man1 on 0",
        "start: puts Man2 on 4",
        "player 1: rolls 1; moves from 0 to 2",
        "player 2: rolls 0; passes; says 'no, not now'",
        "player 1: rolls 0; moves from 2 to 3; score of player 1 1",
    ]


def test_actions_are_told_with_all_that_they_say():
    def say(kind, **fields):
        return words(Action(kind, {name.rstrip("_"): value for name, value in fields.items()}), NOUGHTS_FACTS)

    assert say("Add", type="Cell", to=3, what=2, level=0) == "puts Cross2 on 3 (level 0)"
    assert say("Add", to=3, what=9) == "puts component 9 on 3"
    assert say("Move", from_=1, to=2, count=3, decision=True) == "moves 3 pieces from 1 to 2"
    assert say("Copy", from_=1, to=2) == "copies from 1 to 2"
    assert say("StackMove", from_=1, to=2, numLevel=3) == "moves a stack from 1 to 2 (numLevel 3)"
    assert say("Promote", to=3, what=1) == "makes Disc1 on 3"
    assert say("Remove", to=3, applied=False) == "clears 3 later"
    assert say("Select", from_=4, to=5) == "selects 4 and 5"
    assert say("Select", from_=4) == "selects 4"
    assert say("Pass", decision=True, forced=True) == "must pass"
    assert say("SetScore", player=1, score=-2, add=True) == "score of player 1 +-2"
    assert say("SetNextPlayer", player=2) == "player 2 is next"
    assert say("SetVar", name="From", value=3) == "SetVar (name From, value 3)"


def test_states_are_told_site_by_site():
    *_, last = states(parse(RACE), RACE_FACTS)
    last.variables["x"], last.remembered["y"] = 4, [2, 1]
    assert list(contents(last)) == [
        "cell 3: Man1",
        "cell 4: Man2",
        "cell 8: Die",
        "die on cell 8: 1",
        "score of player 1: 1",
        "variable x: 4",
        "remembered y: 1, 2",
    ]


def test_what_a_game_is_like_is_guessed_from_what_makes_sense():
    placed = "Move=[Move:mover=0,actions={}]\nMove=[Move:mover=1,from=4"

    def guessed(*actions):
        facts = guess(parse(NOUGHTS.replace("Move=[Move:mover=1,from=4", placed.format(",".join(actions)), 1)))
        return facts.stacking, facts.counts

    assert guessed("[Pass:]") == (False, False)
    assert guessed("[Add:type=Cell,to=0,level=1,what=1]") == (True, False)
    assert guessed("[Add:type=Cell,to=0,what=1,stack=true]") == (True, False)
    assert guessed("[Add:type=Cell,to=9,level=0,what=1]", "[StackMove:from=9,to=8,numLevel=1]") == (True, False)
    assert guessed("[Add:type=Cell,to=0,what=1,count=3]") == (False, True)
    moves = "[Move:typeFrom=Cell,from=10,typeTo=Cell,to=11]"
    assert guessed(*("[Add:type=Cell,to=10,what=1]",) * 2, moves, moves) == (False, True)
    assert guessed(*("[Add:type=Cell,to=10,level=0,what=1]",) * 2, moves, moves.replace("11", "12")) == (False, True)
