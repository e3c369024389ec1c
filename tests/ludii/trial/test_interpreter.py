"""What each kind of recorded action does to a state, with stacks and without, and that all of Ludii's trials make sense."""

import collections

import pytest

from ludarium.ludii.library import open_library
from ludarium.ludii.trial import interpreter
from ludarium.ludii.trial.check import find
from ludarium.ludii.trial.facts import CELL, EDGE, VERTEX, Container, GameFacts, Site
from ludarium.ludii.trial.interpreter import UnknownAction
from ludarium.ludii.trial.position import Piece, Position
from ludarium.ludii.trial.reader import parse
from ludarium.ludii.trial.record import Action
from tests.ludii.trial.samples import NESTED, NOUGHTS, NOUGHTS_FACTS, RACE, RACE_FACTS, corpus_sample

OWNERS = (0, 1, 2, 3, 1)
BOARD = (Container("Board", 0, 9), Container("Hand1", 9, 2), Container("Dice0", 11, 2))
FLAT = GameFacts(cells=9, owners=OWNERS, containers=BOARD)
COUNTS = GameFacts(cells=9, owners=OWNERS, containers=BOARD, counts=True)
STACKS = GameFacts(cells=9, owners=OWNERS, containers=BOARD, stacking=True)
HIDDEN = GameFacts(cells=9, owners=OWNERS, containers=BOARD, hidden=True)


def done(facts, *actions, position=None):
    """The state after some actions, each written as a trial has it."""
    position = position or Position(facts)
    for action in move(",".join(actions)).flat:
        interpreter.do(position, action)
    return position


def move(actions):
    """A move with some actions, as a trial has it."""
    return parse(NOUGHTS.replace("LEGAL", f"Move=[Move:mover=1,actions={actions}]\nLEGAL", 1)).moves[-1]


def at(position, number, kind=CELL):
    return position.pieces(Site(kind, number))


def test_add_puts_a_piece_down_and_without_counts_only_changes_what_is_there():
    position = done(FLAT, "[Add:type=Cell,to=3,what=1]", "[Add:type=Cell,to=4,what=2,state=1,rotation=2,value=3]")
    assert at(position, 3) == (Piece(1, 1, 1),)
    assert at(position, 4) == (Piece(2, 2, 1, 1, 2, 3),)
    done(FLAT, "[Add:type=Cell,to=4,what=1,state=5]", position=position)
    assert at(position, 4) == (Piece(2, 2, 1, 5, 2, 3),)


def test_adding_no_piece_leaves_a_site_empty():
    position = done(FLAT, "[Add:type=Cell,to=3,what=0]", "[Add:type=Cell,to=4,what=1]", "[Add:type=Cell,to=4,what=0]")
    assert at(position, 3) == ()
    assert at(position, 4) == (Piece(1, 1, 1),)


def test_add_counts_where_sites_count():
    position = done(COUNTS, "[Add:type=Cell,to=9,what=4,count=5]", "[Add:type=Cell,to=9,what=4]")
    assert at(position, 9) == (Piece(4, 1, 6),)


def test_add_stacks_where_pieces_stack():
    position = done(
        STACKS, "[Add:type=Cell,to=3,level=0,what=1]", "[Add:type=Cell,to=3,level=1,what=2,state=4,stack=true]"
    )
    assert at(position, 3) == (Piece(1, 1, 1), Piece(2, 2, 1, 4))


def test_a_site_that_the_board_does_not_have_is_a_cell_elsewhere():
    facts = GameFacts(use=VERTEX, vertices=4, edges=4, cells=1, owners=OWNERS)
    position = done(facts, "[Add:to=3,what=1]", "[Add:type=Vertex,to=4,what=1]", "[Add:type=Edge,to=3,what=2]")
    assert sorted(position.sites) == [(CELL, 4), (EDGE, 3), (VERTEX, 3)]


def test_move_takes_state_rotation_and_value_along_and_replaces_what_is_there():
    position = done(
        FLAT,
        "[Add:type=Cell,to=0,what=1,state=1,rotation=2,value=3]",
        "[Add:type=Cell,to=1,what=2,state=7]",
        "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,decision=true]",
    )
    assert position.sites == {Site(CELL, 1): (Piece(1, 1, 1, 1, 2, 3),)}
    done(FLAT, "[Move:typeFrom=Cell,from=1,typeTo=Cell,to=2,state=9,rotation=0]", position=position)
    assert at(position, 2) == (Piece(1, 1, 1, 9, 0, 3),)


def test_move_takes_one_of_several_and_adds_up_with_its_like():
    position = done(COUNTS, "[Add:type=Cell,to=0,what=1,count=3]", "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]")
    done(COUNTS, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]", position=position)
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 1),), (Piece(1, 1, 2),))
    done(
        COUNTS, "[Add:type=Cell,to=2,what=2,count=2]", "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=2]", position=position
    )
    assert (at(position, 0), at(position, 2)) == ((), (Piece(1, 1, 1),))


def test_move_of_several_takes_that_many():
    position = done(
        COUNTS, "[Add:type=Cell,to=0,what=1,count=5]", "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,count=3]"
    )
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 2),), (Piece(1, 1, 3),))
    done(COUNTS, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,count=2]", position=position)
    assert (at(position, 0), at(position, 1)) == ((), (Piece(1, 1, 5),))
    done(
        COUNTS, "[Add:type=Cell,to=2,what=2]", "[Move:typeFrom=Cell,from=1,typeTo=Cell,to=2,count=5]", position=position
    )
    assert (at(position, 1), at(position, 2)) == ((), (Piece(2, 2, 1),))
    assert not position.oddities


def test_the_top_of_a_stack_moves_without_its_state_but_a_level_with_it():
    two = ("[Add:type=Cell,to=0,what=1,state=5,stack=true]", "[Add:type=Cell,to=0,what=2,state=6,stack=true]")
    position = done(STACKS, *two, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]")
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 1, 5),), (Piece(2, 2, 1),))
    position = done(STACKS, *two, "[Move:typeFrom=Cell,from=0,levelFrom=0,typeTo=Cell,to=1]")
    assert (at(position, 0), at(position, 1)) == ((Piece(2, 2, 1, 6),), (Piece(1, 1, 1, 5),))
    position = done(STACKS, *two, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=0]")
    assert len(at(position, 0)) == 2


def test_a_slot_that_a_level_left_keeps_the_state_for_who_comes_without_one():
    two = ("[Add:type=Cell,to=0,what=1,state=5,stack=true]", "[Add:type=Cell,to=0,what=2,state=6,stack=true]")
    position = done(STACKS, *two, "[Remove:type=Cell,to=0,level=0]", "[Add:type=Cell,to=0,what=4,stack=true]")
    assert at(position, 0) == (Piece(2, 2, 1, 6), Piece(4, 1, 1, 6))
    position = done(STACKS, *two, "[Remove:type=Cell,to=0]", "[Add:type=Cell,to=0,what=4,stack=true]")
    assert at(position, 0) == (Piece(1, 1, 1, 5), Piece(4, 1, 1, 0))


def test_whole_stacks_parts_of_them_and_levels_into_them_move():
    three = tuple(f"[Add:type=Cell,to=0,what={what},state={what},stack=true]" for what in (1, 2, 4))
    levels = (Piece(1, 1, 1, 1), Piece(2, 2, 1, 2), Piece(4, 1, 1, 4))
    below = "[Add:type=Cell,to=1,what=2,stack=true]"
    position = done(STACKS, *three, below, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,stack=true]")
    assert (at(position, 0), at(position, 1)) == ((), (Piece(2, 2, 1), *levels))
    position = done(STACKS, *three, below, "[StackMove:typeFrom=Cell,from=0,typeTo=Cell,to=1,numLevel=2]")
    assert (at(position, 0), at(position, 1)) == (levels[:1], (Piece(2, 2, 1), *levels[1:]))
    position = done(STACKS, *three, below, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,levelTo=0]")
    assert at(position, 1) == (Piece(4, 1, 1), Piece(2, 2, 1))
    position = done(STACKS, *three, below, "[Move:typeFrom=Cell,from=0,levelFrom=1,typeTo=Cell,to=1,levelTo=0,state=3]")
    assert (at(position, 0), at(position, 1)) == ((levels[0], levels[2]), (Piece(2, 2, 1, 3), Piece(2, 2, 1)))
    position = done(STACKS, *three, below, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,levelTo=0,stack=true]")
    assert [piece.what for piece in at(position, 1)] == [4, 2, 1, 2]


def test_insert_puts_a_piece_into_a_stack():
    position = done(STACKS, "[Add:type=Cell,to=0,what=1,stack=true]", "[Insert:type=Cell,to=0,level=0,what=2,state=1]")
    assert at(position, 0) == (Piece(2, 2, 1, 1), Piece(1, 1, 1))
    done(STACKS, "[Insert:type=Cell,to=0,level=7,what=2]", position=position)
    assert position.oddities == ["level 7 is put into cell 0, which has 2"]


def test_copy_leaves_the_piece_where_it_was():
    move = "[Copy:typeFrom=Cell,from=0,levelFrom=0,typeTo=Cell,to=1,decision=true]"
    position = done(COUNTS, "[Add:type=Cell,to=0,what=1,count=3,state=2]", move)
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 3, 2),), (Piece(1, 1, 1, 2),))
    position = done(STACKS, "[Add:type=Cell,to=0,what=1,stack=true]", move)
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 1),), (Piece(1, 1, 1),))
    position = done(STACKS, "[Add:type=Cell,to=0,what=1,stack=true]", "[Copy:typeFrom=Cell,from=0,typeTo=Cell,to=1]")
    assert (at(position, 0), at(position, 1)) == ((Piece(1, 1, 1),), (Piece(1, 1, 1),))


def test_remove_takes_a_piece_a_level_or_nothing():
    position = done(COUNTS, "[Add:type=Cell,to=0,what=1,count=3]", "[Remove:type=Cell,to=0]", "[Remove:type=Cell,to=0]")
    assert not position.sites
    two = ("[Add:type=Cell,to=0,what=1,stack=true]", "[Add:type=Cell,to=0,what=2,stack=true]")
    assert at(done(STACKS, *two, "[Remove:type=Cell,to=0]"), 0) == (Piece(1, 1, 1),)
    assert at(done(STACKS, *two, "[Remove:type=Cell,to=0,level=0]"), 0) == (Piece(2, 2, 1),)
    assert len(at(done(STACKS, *two, "[Remove:type=Cell,to=0,level=5]"), 0)) == 2


def test_a_removal_at_the_end_of_the_turn_is_noted_until_it_is_done():
    position = done(
        FLAT, "[Add:type=Cell,to=0,what=1]", "[Remove:type=Cell,to=0,applied=false]", "[Remove:to=1,applied=false]"
    )
    assert at(position, 0) == (Piece(1, 1, 1),)
    assert position.removals == [0, 1]
    done(FLAT, "[Remove:type=Cell,to=0]", position=position)
    assert (position.sites, position.removals) == ({}, [1])


def test_a_piece_that_goes_where_it_is_captured_at_the_end_of_the_turn_is_gone():
    """Ludii writes such a removal first, but did it last; others it did where they are written."""
    position = done(FLAT, "[Add:type=Cell,to=0,what=1]")
    step = "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,decision=true]"
    interpreter.play(position, move(f"[Remove:type=Cell,to=1],{step},[Remove:type=Cell,to=1,applied=false]"))
    assert (position.sites, position.removals) == ({}, [])
    done(FLAT, "[Add:type=Cell,to=0,what=1]", position=position)
    interpreter.play(position, move(f"[Remove:type=Cell,to=1],{step}"))
    assert at(position, 1) == (Piece(1, 1, 1),)


def test_promote_makes_another_piece():
    position = done(FLAT, "[Add:type=Cell,to=0,what=1,state=3]", "[Promote:type=Cell,to=0,what=4]")
    assert at(position, 0) == (Piece(4, 1, 1),)
    two = ("[Add:type=Cell,to=0,what=1,stack=true]", "[Add:type=Cell,to=0,what=2,stack=true]")
    assert at(done(STACKS, *two, "[Promote:type=Cell,to=0,what=4]"), 0) == (Piece(1, 1, 1), Piece(4, 1, 1))
    assert at(done(STACKS, *two, "[Promote:type=Cell,to=0,level=0,what=4]"), 0) == (Piece(2, 2, 1), Piece(4, 1, 1))
    assert done(FLAT, "[Promote:type=Cell,to=0,what=4]").oddities == ["nothing to promote on cell 0"]


def test_set_count_leaves_the_owner_as_it_was():
    position = done(COUNTS, "[SetCount:type=Cell,to=0,what=1,count=4]")
    assert at(position, 0) == (Piece(1, 0, 4),)
    done(COUNTS, "[Add:type=Cell,to=1,what=1]", "[SetCount:type=Cell,to=1,what=2,count=2]", position=position)
    assert at(position, 1) == (Piece(2, 1, 2),)
    done(COUNTS, "[SetCount:type=Cell,to=0,what=1,count=0]", position=position)
    assert at(position, 0) == ()


def test_state_rotation_and_value_are_set_of_a_site_or_a_level():
    sets = (
        "[SetState:type=Cell,to=0,state=1]",
        "[SetRotation:type=Cell,to=0,rotation=2]",
        "[SetValue:type=Cell,to=0,value=3]",
    )
    assert at(done(FLAT, "[Add:type=Cell,to=0,what=1]", *sets), 0) == (Piece(1, 1, 1, 1, 2, 3),)
    assert at(done(FLAT, *sets), 0) == (Piece(0, 0, 0, 1, 2, 3),)
    assert at(done(STACKS, *sets), 0) == ()
    two = ("[Add:type=Cell,to=0,what=1,stack=true]", "[Add:type=Cell,to=0,what=2,stack=true]")
    position = done(
        STACKS, *two, *sets, "[SetState:type=Cell,to=0,level=0,state=7]", "[SetState:type=Cell,to=0,level=9,state=7]"
    )
    assert at(position, 0) == (Piece(1, 1, 1, 7), Piece(2, 2, 1, 1, 2, 3))


def test_puzzles_give_variables_their_values():
    position = done(
        FLAT, "[Set:type=Cell,var=3,value=5,decision=true]", "[Set:type=Cell,var=4,value=1]", "[Reset:type=Cell,var=4]"
    )
    assert position.sites == {Site(CELL, 3): (Piece(5, 0, 1),)}


def test_dice_show_numbers_until_they_are_used():
    dice = ("[Add:type=Cell,to=11,what=3]", "[Add:type=Cell,to=12,what=3]")
    rolled = (
        "[SetStateAndUpdateDice:site=11,state=2]",
        "[SetStateAndUpdateDice:site=12,state=0]",
        "[SetDiceAllEqual:value=true]",
    )
    facts = GameFacts(cells=9, owners=OWNERS, containers=BOARD, counts=True, faces={3: (1, 3, 5)})
    position = done(facts, *dice, *rolled, "[UseDie:indexHandDice=0,indexDie=1,site=12]")
    assert position.dice == {11: 5, 12: 0}
    assert position.dice_equal
    assert at(position, 11) == (Piece(3, 3, 1, 2),)
    assert done(COUNTS, *dice, *rolled).dice == {11: 3, 12: 1}
    assert done(COUNTS, "[SetStateAndUpdateDice:site=11,state=-1]").dice == {}


def test_what_is_hidden_moves_with_the_piece():
    hide = "[SetHidden{}:type=Cell,to=0,level=0,who={},value={}]"
    position = done(HIDDEN, "[Add:type=Cell,to=0,what=1]", hide.format("", 2, "true"), hide.format("What", 1, "true"))
    assert position.hidden[Site(CELL, 0)] == {(0, 2, ""), (0, 1, "What")}
    done(HIDDEN, hide.format("", 2, "false"), "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]", position=position)
    assert position.snapshot().values["hidden"] == {Site(CELL, 1): {(0, 1, "What")}}
    for kind in ("Who", "State", "Count", "Rotation", "Value"):
        assert done(HIDDEN, hide.format(kind, 1, "true")).hidden[Site(CELL, 0)] == {(0, 1, kind)}
    assert not done(STACKS, hide.format("", 1, "true")).hidden


def test_values_of_the_game_and_of_players_are_set():
    position = done(
        FLAT,
        "[SetScore:player=1,score=5]",
        "[SetScore:player=1,score=-2,add=true]",
        "[SetVar:name=From,value=3]",
        "[SetTemp:temp=4]",
        "[SetCounter:counter=-1]",
        "[SetPot:pot=7]",
        "[SetAmount:player=2,amount=9]",
        "[Bet:player=1,bet=6,decision=true]",
        "[SetValueOfPlayer:player=2,value=8]",
        "[AddPlayerToTeam:team=1,player=2]",
        "[SetNextPlayer:player=2]",
        "[SetTrumpSuit:trumpSuit=3]",
        "[Trigger:event=Checkmate,player=1]",
        "[SetCost:type=Edge,to=0,cost=2]",
        "[SetPhase:type=Cell,to=0,phase=1]",
        "[Note:message=hello, you,to=2]",
        "[SetPending:value=4]",
        "[SetPending:]",
    )
    assert position.scores == {1: 3}
    assert position.variables == {"From": 3}
    assert (position.temp, position.counter, position.pot, position.next, position.trump) == (4, -1, 7, 2, 3)
    assert position.amounts == {2: 9, 1: 6}
    assert (position.player_values, position.teams, position.triggered) == ({2: 8}, {2: 1}, {1})
    assert (list(position.costs.values()), list(position.phases.values())) == ([2], [1])
    assert position.notes == [(2, "hello, you")]
    assert position.pending == {4, 1}


def test_values_are_remembered_and_forgotten_one_at_a_time():
    position = done(FLAT, *("[RememberValue:name=a,value=3]",) * 2, "[RememberValue:name=null,value=1]")
    done(
        FLAT,
        "[ForgetValue:name=a,value=3]",
        "[ForgetValue:name=a,value=9]",
        "[ForgetValue:name=b,value=1]",
        position=position,
    )
    assert position.remembered == {"a": [3], "null": [1]}
    done(FLAT, "[ForgetValue:name=a,value=3]", position=position)
    assert position.remembered == {"null": [1]}


def test_votes_decide_when_more_than_half_agree():
    vote = "[Vote:vote={},voteInt=0,decision=true]"
    position = done(FLAT, "[Propose:proposition=End,propositionInt=0,decision=true]", vote.format("End"))
    assert (position.propositions, position.votes) == (["End"], ["End"])
    done(FLAT, vote.format("End"), position=position)
    assert (position.decided, position.propositions, position.votes) == ("End", [], [])
    assert done(FLAT, vote.format("End"), vote.format("No")).decided == ""


def test_players_swap():
    assert done(FLAT, "[Swap:player1=1,player2=2,decision=true]").swapped == {1: 2, 2: 1}


def test_what_only_tells_changes_nothing():
    told = (
        "[Pass:decision=true,forced=true]",
        "[Pass:]",
        "[Select:typeFrom=Cell,from=3,decision=true]",
        "[StoreStateInContext:]",
    )
    assert done(FLAT, *told, "[Forfeit:player=1]") == Position(FLAT)


def test_the_next_game_of_a_match_begins_with_nothing_known():
    position = done(FLAT, "[Add:type=Cell,to=0,what=1]", "[SetScore:player=1,score=5]", "[NextInstance:decision=true]")
    assert (position.sites, position.scores, position.lost) == ({}, {}, True)
    assert not done(FLAT, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]", position=position).oddities


def test_an_unknown_action_is_refused():
    with pytest.raises(UnknownAction, match=r"there is no action 'Dance' in Ludii: \[Dance:to=3\]"):
        interpreter.do(Position(FLAT), Action("Dance", {"to": 3}))


@pytest.mark.parametrize(
    ("facts", "action", "odd"),
    [
        (FLAT, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]", "nothing to move on cell 0"),
        (STACKS, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1]", "nothing to move on cell 0"),
        (COUNTS, "[Move:typeFrom=Cell,from=0,typeTo=Cell,to=1,count=2]", "2 pieces move from cell 0, which has 0"),
        (
            STACKS,
            "[StackMove:typeFrom=Cell,from=0,typeTo=Cell,to=1,numLevel=2]",
            "2 levels move from cell 0, which has 0",
        ),
        (COUNTS, "[SetCount:type=Cell,to=0,what=1,count=-1]", "cell 0 is to hold -1 pieces"),
    ],
)
def test_what_makes_no_sense_is_noted(facts, action, odd):
    assert done(facts, action).oddities == [odd]


def test_a_move_counts_and_clears_what_was_pending():
    trial = parse(RACE.replace("[Note:message=no, not now,to=1]", "[SetPending:value=3],[SetNextPlayer:player=1]"))
    seen = [(state.counter, set(state.pending), state.next) for state in interpreter.states(trial, RACE_FACTS)]
    assert seen == [(0, set(), None), (1, set(), None), (2, {3}, 1), (3, set(), None)]


def test_moves_at_once_are_done_one_after_the_other():
    *_, last = interpreter.states(parse(NESTED), NOUGHTS_FACTS)
    assert (at(last, 0), at(last, 3), last.scores) == ((Piece(1, 1, 1),), (Piece(2, 2, 1),), {1: 2})


KNOWN = {
    "Atomic Chess": "the mover explodes before it moves",
    "Boop": "the site next to a new piece may be empty, and several moves push one piece",
    "Duene": "a rule that sows is done twice",
    "Gundru": "the hand may be empty when pieces are replaced",
    "L'attaque": "who attacks may be captured before it moves",
    "La'b Akila": "seeds of one hole are taken by two rules",
    "Li'b al-'Aqil": "seeds of one hole are taken by two rules",
    "Nodal Chess": "several moves are made one",
    "Shisen-Sho": "both tiles are removed before one is moved",
    "Short Assize": "Ludii forgets to forget where a promoted piece of a stack was",
}
"""Games whose recorded actions take what is not there; Ludii does nothing then, but once."""


@pytest.mark.corpus
def test_every_action_of_ludiis_trials_finds_what_it_needs(ludii, index, pytestconfig):
    library = open_library(ludii)
    odd = collections.Counter()
    for file, trial in corpus_sample(ludii, pytestconfig):
        *_, last = interpreter.states(trial, index[find(trial, library).removesuffix(".lud")])
        if last.oddities:
            odd[file.parent.name] += 1
    assert odd.keys() <= KNOWN.keys(), odd


@pytest.mark.corpus
def test_pieces_are_stacked_on_the_levels_that_ludii_says(ludii, index, pytestconfig):
    library, compared = open_library(ludii), 0
    for file, trial in corpus_sample(ludii, pytestconfig):
        facts = index[find(trial, library).removesuffix(".lud")]
        position = Position(facts)
        moves = (*trial.placements, *trial.played) if facts.stacking else ()
        for action in (action for move in moves for action in move.flat):
            if action.kind == "Add" and "level" in action.fields and not position.lost:
                site = facts.site(action.word("type"), action.number("to"))
                assert len(position.pieces(site)) == action.number("level"), (file, str(action))
                compared += 1
            interpreter.do(position, action)
    assert compared > 100
