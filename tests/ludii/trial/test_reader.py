"""Trial files are read as they are, and refused with the place where they are spoilt."""

import contextlib
import lzma
import random
import re

import pytest

from ludarium.core import LudariumError
from ludarium.core.problems import RulesError
from ludarium.ludii.trial import interpreter, reader
from ludarium.ludii.trial.facts import GameFacts
from ludarium.ludii.trial.interpreter import UnknownAction
from ludarium.ludii.trial.reader import parse, read
from ludarium.ludii.trial.record import Move
from ludarium.ludii.trial.writer import text
from tests.ludii.trial.samples import NESTED, NOUGHTS, RACE

SAMPLES = [NOUGHTS, RACE, NESTED]


def test_what_a_file_says_of_the_game_and_its_end_is_read():
    trial = parse(RACE, "race.txt")
    assert (trial.game, trial.name, trial.file) == ("../Common/res/lud/Race.lud", "Race", "race.txt")
    assert parse(NOUGHTS).name == "board/space/line/Tic-Tac-Toe"
    assert trial.options == ("Board/Short",)
    assert trial.rng == (0,) * 8
    assert parse(NOUGHTS).rng == (1, -2, 3, -4, 5, -6, 7, -8)
    assert (trial.winner, trial.end_type, trial.ranks, trial.version) == (1, "NaturalEnd", (0.0, 1.0, 2.0), "1.3.0")
    assert trial.sizes == (2, 2, 2)


def test_placements_are_what_has_no_list_of_legal_moves():
    trial = parse(RACE)
    assert [move.origin for move in trial.placements] == [8, 0, 0]
    assert [move.mover for move in trial.played] == [1, 2, 1]
    without = parse("\n".join(line for line in RACE.split("\n") if not line.startswith("LEGAL")))
    assert without.placements == trial.placements


def test_placements_of_a_match_are_turned_round():
    placed = "".join(f"Move=[Move:mover=0,actions=[Add:type=Cell,to=0,level={level},what=1]]\n" for level in (2, 1, 0))
    trial = parse(NOUGHTS.replace("Move=", f"{placed}Move=", 1))
    assert [move.actions[0].number("level") for move in trial.placements] == [0, 1, 2]
    assert [move.actions[0].number("level") for move in trial.moves[:3]] == [2, 1, 0]


def test_a_move_has_its_fields_its_actions_and_its_decision():
    move = parse(RACE).played[0]
    assert (move.mover, move.origin, move.target, move.number("levelMin", 0)) == (1, 0, 2, 0)
    assert [action.kind for action in move.flat] == ["SetStateAndUpdateDice", "Move"]
    assert move.decision.fields == {"typeFrom": "Cell", "from": 0, "typeTo": "Cell", "to": 2, "decision": True}
    assert not move.passes
    assert move.decision.number("from") == 0
    assert move.decision.number("count", 1) == 1
    assert move.decision.word("typeTo") == "Cell"


def test_a_message_may_have_commas_and_a_pass_is_known():
    move = parse(RACE).played[1]
    assert move.passes
    assert not move.decision.forced
    assert move.actions[2].fields == {"message": "no, not now", "to": 1}


def test_moves_inside_of_moves_are_read_and_told_in_order():
    trial = parse(NESTED)
    move = trial.played[0]
    assert [isinstance(part, Move) for part in move.actions] == [True, True, False]
    assert [action.kind for action in move.flat] == ["Add", "Add", "SetScore"]
    assert trial.legal[0][1].fields["oriented"] is False
    assert trial.winner is None


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_is_read_is_written_back_byte_for_byte(sample, newline):
    for ended in (sample, sample.rstrip("\n")):
        file = ended.replace("\n", newline)
        assert text(parse(file)) == file


@pytest.mark.parametrize("name", ["game.txt", "game.trl", "game.txt.xz", "game.trl.xz"])
def test_files_are_read_plain_or_packed(tmp_path, name):
    data = NOUGHTS.encode()
    (tmp_path / name).write_bytes(lzma.compress(data) if name.endswith("xz") else data)
    assert read(tmp_path / name).moves == parse(NOUGHTS).moves


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("game=", "game:", "1:1", "'game=' was expected instead of 'game:"),
        ("START", "BEGIN", "2:1", "'START GAME OPTIONS' was expected"),
        ("END GAME", "STOP GAME", "22:1", "the file ends inside of the options"),
        ("=1,-2", "=1,300", "5:20", "numbers from -128 to 127 were expected"),
        ("=1,-2", "=1,x", "5:20", "numbers from -128 to 127 were expected"),
        ("Move=[Move:mover=1,from=4", "Move=[Made:mover=1,from=4", "6:6", "a move was expected instead of '[Made"),
        ("mover=2,from=0", "mover=two,from=0", "7:12", "mover=two: a number was expected"),
        ("from=0,to=0,actions", "from0,to=0,actions", "7:20", "name=value was expected instead of 'from0'"),
        ("from=0,to=0,actions=", "from=0,to=0,", "7:74", "a move without actions"),
        ("[Add:type=Cell,to=0", "Add:type=Cell,to=0", "7:40", "an action was expected"),
        ("[Add:type=Cell,to=0", "[Add,type=Cell,to=0", "7:41", "an action was expected"),
        ("to=0,what=2,", "to=0,[what=2,", "7:41", "brackets inside of an action"),
        ("SIZE = 7", "SIZE = seven", "13:25", "a number was expected instead of 'seven'"),
        ("winner=1", "winner=x", "17:8", "this is no winner: 'x'"),
        ("rankings=0.0", "rankings=best", "19:10", "this is no rankings"),
        ("SANDBOX", "SANDBOKS", "20:1", "this line is not expected here"),
    ],
)
def test_a_spoilt_line_is_refused_with_its_place(old, new, place, message):
    spoilt = NOUGHTS.replace("START GAME OPTIONS\n", "START GAME OPTIONS\nBoard/Small\n").replace(old, new, 1)
    with pytest.raises(RulesError) as error:
        parse(spoilt, "bad.txt")
    assert str(error.value).startswith(f"bad.txt:{place}: "), str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize("lines", range(len(NOUGHTS.split("\n")) - 4))
def test_a_file_that_is_cut_is_refused(lines):
    with pytest.raises(RulesError, match="cut.txt:"):
        parse("\n".join(NOUGHTS.split("\n")[:lines]), "cut.txt")


def test_a_line_that_is_cut_says_so():
    with pytest.raises(RulesError, match=re.escape("cut.txt:5:6: a move was expected")) as error:
        parse(NOUGHTS[:160], "cut.txt")
    assert "seems to be cut" in str(error.value)


def test_more_lists_than_moves_are_refused():
    with pytest.raises(RulesError, match="there are 5 lists of legal moves for 4 moves"):
        parse("\n".join(line for line in NOUGHTS.split("\n") if "to=7" not in line))


def test_deep_nesting_is_refused():
    inner = "[Move:mover=1,actions=" * 400 + "[Pass:]" + "]" * 400
    with pytest.raises(RulesError, match="moves inside of moves inside of moves"):
        parse(NOUGHTS.replace("[Move:mover=1,from=4,to=4,actions=[Add:type=Cell,to=4,what=1,decision=true]]", inner))


def test_files_that_are_no_trials_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MAX_BYTES", 1 << 20)
    for name, content, message in [
        ("empty.txt", b"", "the file ends here|was expected instead of ''"),
        ("binary.txt", bytes(range(256)), "not UTF-8|NUL"),
        ("packed.txt.xz", b"not packed", "no .xz file"),
        ("cut.txt.xz", lzma.compress(NOUGHTS.encode())[:-60], "the .xz file is cut"),
        ("rules.lud", b"(game)", "a trial of Ludii ends in .txt or .trl"),
        ("none.txt", None, "No such file"),
        ("bomb.txt.xz", lzma.compress(b"0" * ((1 << 20) + 1)), "larger than 1 MB"),
    ]:
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(LudariumError, match=message):
            read(tmp_path / name)


def test_mutated_files_are_read_or_refused_but_never_crash():
    refused = 0
    for number in range(300):
        mutated = mutate(random.Random(number))
        try:
            trial = parse(mutated, "fuzz.txt")
        except LudariumError as error:
            refused += 1
            assert "fuzz.txt:" in str(error)
        else:
            assert text(trial) == mutated
            follow(trial)
    assert 100 < refused < 300


def follow(trial):
    """Spoilt or not, a trial that can be read can be followed, unless it has actions that nobody knows."""
    with contextlib.suppress(UnknownAction):
        for facts in (interpreter.guess(trial), GameFacts(stacking=True), GameFacts(counts=True, faces={1: (1, 2)})):
            for position in interpreter.states(trial, facts):
                assert position.snapshot().values


def mutate(rng):
    """A sample, spoilt in up to three places."""
    found = rng.choice(SAMPLES)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(found) + 1)
        end = min(len(found), at + rng.choice([0, 1, 1, 5, 40]))
        other = rng.choice(SAMPLES)
        start = rng.randrange(len(other))
        put = rng.choice(["", rng.choice("[]=,:-0\n\r x"), other[start : start + rng.randint(1, 30)]])
        found = found[:at] + put + found[end:]
    return found
