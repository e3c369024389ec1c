"""What is played here is written down so that it can be opened and replayed."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium import game, play
from ludarium.arena.own_record import from_own, to_own
from ludarium.core import BadParameter
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial import interpreter
from ludarium.ludii.trial.changes import changes
from ludarium.ludii.trial.compare import compare
from ludarium.ludii.trial.facts import CELL, Container, GameFacts, Site
from ludarium.ludii.trial.position import Piece, Position, difference
from ludarium.ludii.trial.reader import parse, read
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.recorder import record
from ludarium.ludii.trial.writer import text, write
from tests.ludii.trial.samples import NOUGHTS, Noughts, Race


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("name", ["noughts", "race"])
def test_a_game_that_was_played_here_is_replayed_as_it_was(name, seed):
    rng = random.Random(seed)
    played, fresh = (Noughts(), Noughts()) if name == "noughts" else (Race(rng=rng), Race())
    trial = record(played, f"/lud/{name}.lud", lambda legal: [rng.choice(legal)])
    again = parse(text(trial))
    assert (again.moves, again.sizes, again.ending) == (trial.moves, trial.sizes, trial.ending)
    assert compare(again, fresh) is None
    assert trial.winner == played.winner
    assert trial.ranks == played.ranks


def test_a_trial_is_written_as_ludii_writes_it():
    sites = iter([4, 0, 1, 2, 7])
    name = "/lud/board/space/line/Tic-Tac-Toe.lud"
    trial = record(Noughts(), name, lambda legal: _at(legal, next(sites)), options=["Board Size/3x3"])
    expected = NOUGHTS.replace("1,-2,3,-4,5,-6,7,-8", "0,0,0,0,0,0,0,0").replace("=1.3.13", "=1.3.14")
    assert text(trial) == expected.replace("END GAME", "Board Size/3x3\nEND GAME")


def test_who_moves_out_of_turn_is_told():
    class Twice(Noughts):
        def play(self, chosen, outcomes):
            super().play(chosen, outcomes)
            self.mover = 1 if self.board.count(0) > 7 else self.mover

    trial = record(Twice(), "/lud/x.lud", lambda legal: legal[:1])
    assert str(trial.played[0].actions[-1]) == "[SetNextPlayer:player=1]"
    assert [action.kind for action in trial.played[1].flat] == ["Add"]
    assert compare(trial, Twice()) is None


def _at(legal, site):
    return [next(choice for choice in legal if choice.code == site)]


def test_a_game_that_is_stopped_has_no_winner():
    trial = record(Noughts(), "/lud/x.lud", lambda legal: legal[:1], most=2)
    assert trial.winner is None
    assert len(trial.played) == 2
    assert compare(trial, Noughts()) is None


def test_dice_that_nobody_uses_any_more_are_told_in_the_last_move():
    class Rolling(Race):
        def _arrive(self, outcomes):
            self.die = 1 - self.die

    game = Rolling()
    trial = record(game, "/lud/x.lud", lambda legal: legal[:1])
    *_, last = interpreter.states(trial, game.facts)
    assert game.over
    assert difference(game.snapshot(), last.snapshot()) is None


def test_what_a_slot_was_left_with_is_said_away():
    two = [Action("Add", {"type": "Cell", "to": 0, "what": 1, "state": state, "stack": True}) for state in (5, 6)]
    position = Position(STACKS)
    for action in (*two, Action("Remove", {"type": "Cell", "to": 0, "level": 0})):
        interpreter.do(position, action)
    there = Position(STACKS)
    there.put(Site(CELL, 0), Piece(1, 1, 1, 6), Piece(1, 1, 1))
    list(changes(position, there.snapshot()))
    assert position.sites == there.sites


def test_files_are_written_plain_and_packed(tmp_path):
    trial = record(Noughts(), "/lud/x.lud", lambda legal: legal[:1])
    for name in ("a.txt", "a.trl", "a.txt.xz"):
        write(trial, tmp_path / name)
        assert read(tmp_path / name).moves == trial.moves


FLAT = GameFacts(
    cells=6,
    counts=True,
    hidden=True,
    owners=(0, 1, 2, 3),
    containers=(Container("Board", 0, 5), Container("Dice0", 5, 1)),
)
STACKS = GameFacts(cells=6, stacking=True, owners=(0, 1, 2, 3), containers=(Container("Board", 0, 6),))
NUMBERS = st.integers(0, 3)
PIECES = st.builds(
    lambda what, count, state, rotation, value: Piece(what, what, count, state, rotation, value),
    st.integers(1, 3),
    st.integers(1, 3),
    NUMBERS,
    NUMBERS,
    NUMBERS,
)
PLAYERS = st.dictionaries(st.integers(1, 2), st.integers(-3, 3))


@st.composite
def positions(draw, facts):
    """Any state of a small game."""
    found = Position(facts)
    for site in range(5):
        pieces = draw(st.lists(PIECES, max_size=4 if facts.stacking else 1))
        found.put(Site(CELL, site), *(piece._replace(count=1) if facts.stacking else piece for piece in pieces))
    if not facts.stacking:
        found.hidden = draw(st.dictionaries(st.builds(Site, st.just(CELL), st.integers(0, 4)), st.frozensets(FLAGS)))
    found.scores, found.amounts, found.player_values = draw(PLAYERS), draw(PLAYERS), draw(PLAYERS)
    found.variables = draw(st.dictionaries(st.sampled_from("ab"), st.integers(-1, 3)))
    found.remembered = draw(st.dictionaries(st.sampled_from("ab"), st.lists(st.integers(0, 3), min_size=1)))
    found.temp, found.pot, found.counter = draw(NUMBERS), draw(NUMBERS), draw(NUMBERS)
    return found


FLAGS = st.tuples(st.just(0), st.integers(1, 2), st.sampled_from(["", "What", "Who"]))


@pytest.mark.parametrize("facts", [FLAT, STACKS])
def test_actions_lead_from_any_state_to_any_other(facts):
    @settings(max_examples=25)
    @given(positions(facts), positions(facts))
    def check(here, there):
        wanted = there.snapshot()
        told = list(changes(here, wanted))
        here.counter += 1
        assert difference(here.snapshot(), wanted) is None
        before = list(told)
        assert not list(changes(here, there.snapshot(kept=set(wanted.values) - {"counter"}))), before

    check()


def test_a_die_is_laid_down_then_rolled_then_used():
    position = Position(FLAT)
    there = Position(FLAT)
    there.put(Site(CELL, 5), Piece(3, 3, 1, 2))
    there.dice[5] = 3
    assert [str(action) for action in changes(position, there.snapshot(kept={"dice"}))] == [
        "[Add:type=Cell,to=5,what=3]",
        "[SetStateAndUpdateDice:site=5,state=2]",
    ]
    there.dice[5] = 0
    assert list(map(str, changes(position, there.snapshot(kept={"dice"})))) == [
        "[UseDie:indexHandDice=0,indexDie=0,site=5]"
    ]


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name", ["board/space/line/Gomoku", "board/race/escape/Backgammon", "board/sow/two_rows/Oware"]
)
def test_what_was_recorded_can_be_told_by_its_states(ludii, index, name):
    facts = index[name]
    trial = read(ludii / "trials" / name / "RandomTrial_0.txt.xz")
    ours, recorded = interpreter.start(trial, facts), interpreter.start(trial, facts)
    for move in trial.played:
        interpreter.play(recorded, move)
        ours.pending.clear()
        list(changes(ours, recorded.snapshot()))
        ours.counter += 1
        assert difference(ours.snapshot(), recorded.snapshot()) is None


@pytest.mark.parametrize("name", ["lud:hex", "lud:reversi", "lud:breakthrough"])
def test_a_match_becomes_a_trial_and_the_trial_the_same_moves(name):
    made = game(name)
    match = play(made, ["random", "random"], seed=2)
    trial = to_own(match, made)
    assert compare(parse(trial), LudReplay(made)) is None
    again = from_own(trial, made)
    assert (again.moves, again.utilities) == (match.moves, match.utilities)


def test_a_trial_with_chance_is_written_but_not_read():
    made = game("lud:oncoming")
    trial = to_own(play(made, ["random", "random"], seed=2), made)
    assert compare(parse(trial), LudReplay(made)) is None
    with pytest.raises(BadParameter, match="draws chance"):
        from_own(trial, made)


def test_only_ludii_s_language_has_trials():
    with pytest.raises(BadParameter, match=r"\.lud"):
        to_own(play("nim", ["random", "random"], seed=1), game("nim"))
