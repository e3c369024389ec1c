"""The command line: in process where that is enough, as a process where signals, pipes and streams matter."""

import os
import re
import signal
import subprocess
import time

import pytest
from typer.testing import CliRunner

from ludarium import __version__, catalog, library
from ludarium.cli import app
from ludarium.gdl.text.reader import read
from tests.commands import process, read_until, run

COMMANDS = ("games", "agents", "play", "think", "tournament", "results", "report", "replay", "export", "study")
COMMANDS += ("tune", "belief", "show", "check", "convert", "bench")


# What there is


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_commands_and_an_example(flag):
    told = run(flag)
    assert told.exit_code == 0
    assert all(command in told.output for command in COMMANDS)
    assert "ludarium play connect-four uct random" in told.output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    told = run(command, "--help")
    assert told.exit_code == 0
    assert f"ludarium {command}" in told.output
    assert "Usage:" in told.output


def test_without_a_command_there_is_help():
    assert "play" in run().output


def test_the_version():
    told = run("--version")
    assert (told.exit_code, told.output) == (0, f"ludarium {__version__}\n")


def test_every_game_is_listed_with_a_line_of_its_own():
    told = run("games", columns=160).output
    lines = [line.strip() for line in told.splitlines()]
    for name, entry in catalog.GAMES.items():
        assert any(line.startswith(f"{name} ") and entry.about in line for line in lines)
    for name, header in catalog.rule_files().items():
        assert any(line.startswith(f"{name} ") and header.title in line for line in lines)
    about = [re.split(r"  +", line)[2] for line in lines if len(re.split(r"  +", line)) == 3]
    assert len(about) == len(set(about)) > 50


def test_games_from_rules_are_listed_with_their_roles_and_none_is_grounded(monkeypatch):
    monkeypatch.setitem(catalog.LANGUAGES, ".kif", "gdl.game:not_to_be_used")
    told = run("games", "--verbose", columns=160).output
    assert "attacker, defender; gdl; " in told
    assert "red, yellow; python; turns, no chance, nothing hidden, constant sum" in told


@pytest.mark.parametrize(
    ("filters", "some", "none"),
    [
        (("--players", "3"), "three-player-connect-four", "chess"),
        (("--hidden",), "kuhn-poker", "nim"),
        (("--open", "--chance"), "goofspiel", "kuhn-poker"),
        (("--no-chance", "--language", "gdl"), "chess", "connect-four  "),
        (("--language", "python"), "whist", "gdl:nim"),
        (("hnefatafl", "CAPTURE"), "hnefatafl-no-capture", "hnefatafl-leaps"),
    ],
)
def test_games_are_chosen_by_what_they_are_and_by_words(filters, some, none):
    told = run("games", *filters).output
    assert f" {some} " in told
    assert f" {none} " not in told
    assert re.search(r"\d+ of \d+ games", told)


def test_filters_agree_with_what_the_games_promise():
    for name, head in catalog.rule_files().items():
        if "hnefatafl" not in name and name not in ("chess", "skirmish"):  # large, and of the same kind
            traits = catalog.game(name).traits
            assert (head.hidden, head.chance) == (not traits.perfect_information, not traits.deterministic), name


def test_no_game_that_fits_is_said():
    told = run("games", "quidditch")
    assert told.exit_code == 2
    assert "no game is like that" in told.output


def test_narrow_terminals_stack_what_wide_ones_put_side_by_side():
    told = run("games", columns=44).output
    assert "hnefatafl-no-moves-no-history (2 players)" in told
    assert "…" not in told
    assert max(map(len, told.splitlines())) <= 44
    scores = run("play", "nim", "uct(c=1.0, playout_limit=100)", "random", "--games", "2", columns=36).output
    assert "uct(c=1.0, playout_limit=100)" in scores
    assert "…" not in scores


def test_the_seat_for_a_human_is_explained():
    told = run("agents", "human").output
    assert "ludarium play connect-four human uct" in told
    assert "undo" in told
    assert "flat Monte Carlo" in run("agents", "human", "flat").output


def test_what_a_terminal_cannot_write_is_written_in_ascii():
    running = process("show", "chess", env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "80"})
    told, wrong = running.communicate()
    assert (running.returncode, wrong) == (0, "")
    assert told.isascii()
    assert "8 r n b q k b n r" in told
    assert "?" not in told


def test_agents_are_listed_with_a_line_each():
    told = run("agents").output
    for name, entry in catalog.AGENTS.items():
        assert re.search(rf"^ {name} +{re.escape(entry.about)}", told, re.MULTILINE)
    assert "human" in told
    assert "playout_limit" not in told


@pytest.mark.parametrize("name", catalog.AGENTS)
def test_an_agent_explains_every_parameter_and_where_it_comes_from_if_asked(name):
    entry = catalog.AGENTS[name]
    told = run("agents", name, "--verbose").output
    assert told.startswith(f"{name}  {entry.about}")
    flowing = " ".join(told.split())
    assert catalog.source(entry) in flowing
    for key, meaning in catalog.meanings(entry.make).items():
        assert re.search(rf"^ *{key} ", told, re.MULTILINE)
        assert meaning.split()[0] in told


def test_a_parameter_is_listed_with_default_range_and_meaning():
    told = run("agents", "flat", "-v").output
    assert re.search(r"playout_limit +200 +0 or more +Plies after which a playout is cut", told)
    told = run("agents", "mast", "-v").output
    assert re.search(r"c +0.707107 +0 or more +How much", told)
    assert re.search(r"epsilon +0.1 +0 to 1 +How often", told)
    assert re.search(r"reuse +True +True, False +Whether", told)
    assert re.search(r"policy +greedy +greedy, gibbs +Playouts", told)
    assert re.search(r"max_nodes +5_000_000 +1 or more +When", told)
    told = run("agents", "determinized", "grave", "-v").output
    assert re.search(r"inner +uct +an agent +Who searches", told)
    assert re.search(r"determinizer +auto +a determinizer +How", told)
    assert re.search(r"bias +1e-5 +0 or more +How soon", told)


def test_all_agents_are_explained_if_none_is_named():
    told = run("agents", "--verbose").output
    assert all(re.search(rf"^{name}  ", told, re.MULTILINE) for name in catalog.AGENTS)


# Playing


def test_a_match_is_shown_move_by_move_with_what_was_thought_and_a_result():
    told = run("play", "connect-four", "uct", "random", "--seed", "7", "--iterations", "200").output
    assert "1 · red uct → " in told
    assert "2 · yellow random → " in told
    assert "a b c d e f g" in told
    assert "█" in told
    assert re.search(r"red \(uct\) wins", told)
    assert "ludarium play connect-four uct random --iterations 200 --seed 7" in told


def test_a_match_can_be_repeated_by_its_seed():
    quiet = ("play", "connect-four", "uct", "random", "--iterations", "50", "--quiet", "--seed")
    assert run(*quiet, "3").output == run(*quiet, "3").output != run(*quiet, "4").output


def test_a_seed_of_its_own_is_told():
    told = run("play", "nim", "random", "random").output
    seed = re.search(r"--seed (\d+)", told)[1]
    assert run("play", "nim", "random", "random", "--seed", seed).output.splitlines()[:-4] == told.splitlines()[:-4]


def test_quiet_is_one_line():
    told = run("play", "tic-tac-toe", "uct", "uct", "--quiet", "--seed", "1", "--iterations", "2000").output
    assert told == "Match(tic-tac-toe: uct 0.5, uct 0.5, 9 plies, seed 1)\n"


def test_a_draw_is_called_a_draw():
    told = run("play", "tic-tac-toe", "uct", "uct", "--seed", "1", "--iterations", "2000").output
    assert "a draw" in told


def test_moves_made_at_once_are_shown_together():
    told = run("play", "goofspiel(cards=3)", "uct", "flat", "--seed", "1", "--iterations", "50").output
    assert re.search(r"1 · first uct → \d \(\d\.\d\d\) · second flat → \d", told)


def test_thinking_time_can_be_given_in_seconds():
    told = run("play", "tic-tac-toe", "uct", "flat", "--seconds", "0.2", "--seed", "1")
    assert told.exit_code == 0
    assert "--seconds 0.2 --seed 1" in told.output


def test_many_games_give_a_score_with_an_interval():
    told = run("play", "tic-tac-toe", "uct", "random", "--games", "12", "--iterations", "100", "--seed", "5").output
    assert "as x" in told
    assert "as o" in told
    assert "95 % interval" in told
    assert re.search(r"mean utility +95 % interval +won +drawn +lost", told)
    numbers = re.search(r"uct +\d\.\d{3} +\d\.\d{3} +(\d\.\d{3}) +\d\.\d{3} to \d\.\d{3} +(\d+) +(\d+) +(\d+)", told)
    mean, won, drawn, lost = map(float, numbers.groups())
    assert won + drawn + lost == 12
    assert drawn > 0
    assert mean == pytest.approx((won + drawn / 2) / 12, abs=0.001)
    assert "12 matches of tic-tac-toe" in told
    assert "seeds 5 to 16" in told


def test_many_games_in_one_line():
    told = run("play", "nim", "random", "random", "--games", "4", "--quiet", "--seed", "5").output
    assert re.fullmatch(r"random \d\.\d{3}, random \d\.\d{3}\n", told)


# A human at the prompt


def test_a_human_plays_a_whole_match():
    told = run("play", "connect-four", "human", "human", typed="a\nb\na\nb\na\nb\na\n")
    assert told.exit_code == 0
    assert "red (human) wins" in told.output
    assert "legal: a  b  c  d  e  f  g" in told.output


def test_a_human_is_asked_again_until_a_move_makes_sense():
    moves = "z\n\nhelp\nmoves\nboard\nrules\na\nb\na\nb\na\nb\na\n"
    told = run("play", "connect-four", "human", "human", typed=moves)
    assert told.exit_code == 0
    assert "'z' is not a column" in told.output
    assert "Type a move, its number, or as much of it as makes it clear" in told.output
    assert "four" in told.output.lower()
    assert "red (human) wins" in told.output


def test_a_move_that_is_not_legal_now_is_told_so():
    told = run("play", "tic-tac-toe", "human", "human", typed="a1\na1\nquit\n")
    assert "a1 is not legal now" in told.output


def test_a_human_may_leave():
    told = run("play", "connect-four", "human", "uct", typed="a\nquit\n")
    assert told.exit_code == 0
    assert told.output.endswith("You left the match.\n")


def test_the_end_of_the_input_is_told():
    told = run("play", "connect-four", "human", "uct", typed="a\n")
    assert told.exit_code == 2
    assert "the input ended before the match did" in told.stderr


def test_a_human_sees_only_its_own_cards_until_the_end():
    told = run("play", "kuhn-poker", "human", "random", "--seed", "2", typed="board\npass\npass\npass\n")
    assert told.exit_code == 0
    before, _, end = told.output.rpartition("moves:")
    assert before.count("second ?") >= 2
    shown = re.findall(r"second ([JQK])", told.output)
    assert len(shown) == 1
    assert end


def test_two_humans_see_their_own_cards_each():
    told = run("play", "kuhn-poker", "human", "human", "--seed", "2", typed="bet\npass\n").output
    first, second, _ = told.split("legal:")
    assert re.search(r"first [JQK] +second \?", first)
    assert re.search(r"first \? +second [JQK]", second)


def test_many_legal_moves_are_listed_on_request():
    told = run("play", "nim(heaps=(40, 40))", "human", "random", typed="moves\nquit\n").output
    unasked, asked = told.split("legal:")[1:3]
    assert "20 more: type moves" in " ".join(unasked.split())
    assert "40 from b" in " ".join(asked.split())


# Thinking


def test_thinking_shows_the_board_every_move_and_the_work():
    told = run("think", "connect-four", "--moves", "a b a b a b", "--iterations", "2000").output
    assert "connect-four after 6 moves · red to move" in told
    assert "X O . . . . ." in told
    assert re.search(r"→ a +[\d,]+ +\d+\.\d% +█+ +1\.000", told)
    assert all(re.search(rf"^   {column} +\d+ ", told, re.MULTILINE) for column in "bcdefg")
    assert re.search(r"plays +a\b", told)
    assert re.search(r"expects +a\b", told)
    assert re.search(r"depth +\d+ pl", told)
    assert re.search(r"work +2,000 iterations, [\d,]+ forward calls", told)
    assert re.search(r"time +\d+ ms: [\d,.]+ (M )?iterations/s", told)


def test_thinking_can_be_repeated_by_its_seed():
    def shown(seed):
        told = run("think", "breakthrough", "--iterations", "200", "--seed", seed).output
        return re.sub(r"time .*", "", told)

    assert shown("1") == shown("1") != shown("2")


@pytest.mark.parametrize(
    ("limit", "told"),
    [
        (("--seconds", "0.2"), "red uct, 0.2 s"),
        (("--forward-calls", "100"), "red uct, 100 forward calls"),
        (("--iterations", "7", "--forward-calls", "900"), "red uct, 7 iterations or 900 forward calls"),
        ((), "red uct, 1 s"),
    ],
)
def test_thinking_is_limited_by_time_iterations_or_forward_calls(limit, told):
    assert told in run("think", "connect-four", *limit).output


def test_a_few_moves_are_shown_if_there_are_many():
    told = run("think", "breakthrough", "--iterations", "100", "--top", "3").output
    assert len(re.findall(r"%", told)) == 3
    assert "… 19 more" in told


def test_every_mover_thinks_where_all_move_at_once():
    asked = ("think", "goofspiel(cards=4)", "--moves", "1 + 2", "--iterations", "50")
    told = run(*asked).output
    assert "first and second to move" in told
    assert told.count("plays ") == 2
    assert told.count("prize") == 1
    only = run(*asked, "--role", "second").output
    assert "second to move" in only
    assert only.count("plays ") == 1


def test_where_something_is_hidden_the_one_who_thinks_sees_its_own_only():
    told = run("think", "kuhn-poker", "--moves", "pass", "--agent", "random", "--seed", "2").output
    assert re.search(r"first \? +second [JQK] +moves: pass", told)
    assert "0 iterations, 0 forward calls" in told


def test_moves_of_rules_are_written_as_in_the_rules():
    told = run("think", "gdl:tic-tac-toe", "--moves", "(mark 1 1) (mark 2 2)", "--iterations", "50").output
    assert "gdl:tic-tac-toe after 2 moves · x to move" in told


def test_an_agent_in_an_agent_thinks():
    told = run("think", "kuhn-poker", "--agent", "determinized(inner=uct(c=1))", "--iterations", "50")
    assert told.exit_code == 0
    assert "first determinized(inner=uct(c=1)), 50 iterations" in told.output


# Looking


def test_show_draws_the_beginning_and_the_traits():
    told = run("show", "breakthrough").output
    assert "8 O O O O O O O O" in told
    assert "perfect information" in told
    assert "roles: white, black" in told


@pytest.mark.parametrize("name", catalog.GAMES)
def test_show_works_for_every_game(name):
    assert run("show", name).exit_code == 0
    assert catalog.game(name).offers.rules.split()[0] in run("show", name, "--rules").output
    assert "max plies" in run("show", name, "--traits").output
    assert "def " in run("show", name, "--code").output


def test_show_works_for_a_game_from_rules():
    told = run("show", "gdl:connect-four").output
    assert "6 · · · · · · ·" in told
    assert "roles: red, yellow" in told


def test_show_prints_the_rules_as_they_stand_in_the_file():
    told = run("show", "gdl:tic-tac-toe", "--rules").output
    assert told.rstrip() == library.path("tic-tac-toe").read_text(encoding="utf-8").rstrip()


def test_show_prints_what_the_rules_became():
    told = run("show", "gdl:tic-tac-toe", "--code").output
    assert "# 29 facts, 20 moves" in told
    assert "legal['x', '(mark 1 1)'] = true['(control x)'] and true['(cell 1 1 b)']" in told
    assert "def playout(" in told


def test_show_names_the_rules_that_cost_most():
    told = run("show", "gdl:tic-tac-toe", "--cost").output
    assert re.search(r"tic-tac-toe\.kif:\d+ +[\d.]+ +\d+% +\(<=", told)
    refused = run("show", "breakthrough", "--cost")
    assert refused.exit_code == 2
    assert "no rules whose cost could be told" in refused.output


def test_a_match_of_a_game_from_rules_is_drawn():
    told = run("play", "gdl:breakthrough", "uct", "random", "--seed", "1", "--iterations", "100").output
    assert re.search(r"1 · white uct → [a-h]2[a-h]3 ", told)
    assert "8 ● ● ● ● ● ● ● ●" in told
    assert "white (uct) wins" in told


def test_a_human_sees_percepts_only_in_a_game_that_hides_its_state():
    told = run("play", "kriegspiel-tic-tac-toe", "human", "random", "--seed", "1", typed="(mark 1 1)\nquit\n").output
    assert "x sees nothing" in told
    assert "x sees marked" in told
    assert "(cell" not in told
    assert "·  ·" not in told


# Rules


def test_check_finds_nothing_in_a_good_file():
    file = str(library.path("tic-tac-toe"))
    told = run("check", file)
    assert (told.exit_code, told.output) == (0, f"{file}: no errors\n")


def test_check_tells_all_problems_of_all_files(tmp_path):
    wrong, odd = tmp_path / "wrong.kif", tmp_path / "odd.kif"
    wrong.write_text("(role ?x)\n(<= (legal x ?m) (not (p ?m)))")
    odd.write_text(library.path("nim").read_text(encoding="utf-8") + "\n(unused thing)\n")
    told = run("check", str(tmp_path / "missing.kif"), str(wrong), str(odd))
    assert told.exit_code == 2
    assert "missing.kif: No such file or directory" in told.output
    assert f"{wrong}:1:1: error: a role cannot be a variable" in told.output
    assert f"{wrong}:2:1: error: unsafe rule" in told.output
    assert re.search(rf"{odd}:\d+:1: warning: ", told.output)
    assert f"{odd}: no errors and 1 warning" in told.output


def test_warnings_alone_are_no_failure(tmp_path):
    file = tmp_path / "odd.kif"
    file.write_text(library.path("nim").read_text(encoding="utf-8") + "\n(unused thing)\n")
    assert run("check", str(file)).exit_code == 0


def test_check_plays_the_game_unless_it_should_not(tmp_path):
    file = tmp_path / "stuck.kif"
    file.write_text(
        "(role x) (role y) (init (n 0)) (succ 0 1) (succ 1 2) (<= (legal x go) (true (n ?m)))"
        "(<= (legal y go) (true (n 0))) (<= (next (n ?b)) (true (n ?a)) (succ ?a ?b) (does x go))"
        "(<= terminal (true (n 2))) (<= (goal ?p 100) (role ?p) (true (n 2)))"
    )
    told = run("check", str(file))
    assert told.exit_code == 2
    assert "y has no legal move after (go go)" in told.output
    assert run("check", "--no-play", str(file)).exit_code == 0


def test_check_finds_what_is_not_declared(tmp_path):
    file = tmp_path / "base.kif"
    file.write_text(
        "(role x) (init (n 0)) (succ 0 1) (succ 1 2) (<= (legal x go) (true (n ?m))) (base (n 0)) (base (n 1))"
        "(<= (next (n ?b)) (true (n ?a)) (succ ?a ?b) (does x go)) (<= terminal (true (n 2)))"
        "(<= (goal x 100) (true (n 2)))"
    )
    assert run("check", str(file)).exit_code == 0  # it is not relied on
    told = run("check", "--strict", str(file))
    assert told.exit_code == 2
    assert "'base' leaves out (n 2), which comes up after (go), (go)" in told.output


def test_convert_there_and_back(tmp_path):
    there, back = tmp_path / "nim.hrf", tmp_path / "nim.kif"
    assert run("convert", str(library.path("nim")), str(there)).exit_code == 0
    assert ":-" in there.read_text()
    assert run("convert", str(there), str(back)).exit_code == 0
    assert read(back) == read(library.path("nim"))


def test_show_prints_only_what_was_asked_for():
    told = run("show", "connect-four", "--rules").output
    assert "trait" not in told
    assert "a b c d e f g" not in told


def test_bench_measures():
    told = run("bench", "tic-tac-toe", "--seconds", "0.05").output
    for row in ("load", "compile", "random playouts", "states", "UCT iterations"):
        assert re.search(rf"{row} +[\d,]+ (ms|/s)", told)


def test_bench_says_what_cannot_be_measured():
    told = " ".join(run("bench", "kuhn-poker", "--seconds", "0.05").output.split())
    assert "uct cannot play kuhn-poker" in told


def test_agents_that_search_states_play_hidden_games_in_imagined_ones():
    note = "flat plays kuhn-poker as determinized(inner=flat)"
    for args in (("play", "kuhn-poker", "flat", "random"), ("play", "kuhn-poker", "flat", "flat", "--games", "2")):
        told = run(*args, "--iterations", "20")
        assert told.exit_code == 0
        assert told.output.count(note) == 1
    assert note not in run("play", "kuhn-poker", "flat", "random", "--iterations", "20", "--quiet").output
    assert note in run("think", "kuhn-poker", "--agent", "flat", "--iterations", "20").output
    assert "determinized" not in run("think", "connect-four", "--iterations", "20").output


# Mistakes


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("play", "conect-four", "uct", "uct"), "unknown game 'conect-four': did you mean 'connect-four'?"),
        (("show", "conect-four"), "did you mean 'connect-four'?"),
        (("bench", "conect-four"), "did you mean 'connect-four'?"),
        (("play", "nim", "utc", "random"), "unknown agent 'utc': did you mean 'uct'?"),
        (("play", "nim", "stockfish", "random"), "unknown agent 'stockfish' (see: ludarium agents)"),
        (("show", "xyzzy"), "unknown game 'xyzzy' (see: ludarium games)"),
        (("play", "nim", "humn", "random"), "unknown agent 'humn': did you mean 'human'?"),
        (("play", "nim", "uct(c=-1)", "random"), "uct: c is -1"),
        (("play", "nim", "uct(c", "random"), "cannot read agent 'uct(c'"),
        (("play", "nim"), "nim has 2 roles (first, second): name an agent for first, second too, such as"),
        (("play", "nim", "uct"), "nim has 2 roles (first, second): name an agent for second too, such as"),
        (("play", "nim", "uct", "uct", "flat"), "there is no seat for flat"),
        (("play", "rinascimento", "alphabeta", *["random"] * 3), "alphabeta cannot play rinascimento"),
        (("play", "nim", "uct", "uct", "--iterations", "0"), "iterations must be a positive whole number"),
        (("play", "nim", "uct", "uct", "--seconds", "-1"), "seconds must be a positive number"),
        (("play", "nim", "uct", "human", "--games", "3"), "a human plays one match"),
        (("play", "nim", "uct", "human", "--quiet"), "a human plays one match"),
        (("play", "rules/missing.kif", "uct", "uct"), "rules/missing.kif: No such file or directory"),
        (("play", "rules.txt/", "uct"), "looks like a file"),
        (("play", "gdl:hexx", "uct", "uct"), "did you mean 'gdl:hex'?"),
        (("think", "nim", "--agent", "human"), "'human' is a person, and no agent"),
        (("check", "uct", "--games", "nosuch"), "unknown game 'nosuch'"),
        (("hyper", "train", "--out", "none/model.zip"), "cannot write 'none/model.zip': there is no folder 'none'"),
        (("evolve", "nim", "--move-limit", "0"), "move_limit is 0; expected 1 to 1000000"),
        (("think", "nim", "--forward-calls", "9" * 30), "expected 1,000,000,000,000,000 or fewer"),
        (("agents", "utc"), "unknown agent 'utc': did you mean 'uct'?"),
        (("think", "conect-four"), "did you mean 'connect-four'?"),
        (("think", "nim", "--agent", "utc"), "unknown agent 'utc': did you mean 'uct'?"),
        (("think", "nim", "--agent", "uct(c=-1)"), "uct: c is -1"),
        (("think", "connect-four", "--moves", "a b z"), "move 3: 'z' is not a column"),
        (("think", "connect-four", "--moves", "a a a a a a a"), "move 7: 'a' is not legal for red: legal is b, c"),
        (("think", "connect-four", "--moves", "a b a b a b a c"), "move 8: 'c' comes after the end of the game"),
        (("think", "connect-four", "--moves", "a b a b a b a"), "connect-four is over after 7 moves (red 1, yellow 0)"),
        (("think", "goofspiel", "--moves", "1 2"), "move 1: first and second move at once: join their moves by ' + '"),
        (("think", "connect-four", "--role", "blue"), "unknown role 'blue': there are red, yellow"),
        (("think", "connect-four", "--role", "yellow"), "yellow is not to move at the beginning; to move: red"),
        (("think", "nim", "--iterations", "0"), "iterations must be a positive whole number"),
        (("think", "nim", "--seconds", "0"), "seconds must be a positive number"),
        (("think", "rinascimento", "--agent", "alphabeta"), "alphabeta cannot play rinascimento"),
        (("convert", "missing.kif", "target.hrf"), "missing.kif: No such file or directory"),
        (("convert", "rules.kif", "rules.txt"), "rules.txt: a rules file ends in .kif, .gdl or .hrf"),
    ],
)
def test_a_mistake_is_one_clear_line_and_code_2(args, message):
    told = run(*args)
    assert told.exit_code == 2
    assert message in told.stderr
    assert told.stderr.startswith("ludarium: ")
    assert told.stderr.count("\n") == 1
    assert told.stdout == ""


@pytest.mark.parametrize(
    "args",
    [
        ("plya", "nim"),
        ("play",),
        ("play", "nim", "uct", "uct", "--games", "0"),
        ("play", "nim", "uct", "uct", "--seed", "seven"),
        ("bench", "nim", "--seconds", "0"),
        ("think",),
        ("think", "nim", "--top", "0"),
        ("--nonsense",),
    ],
)
def test_a_command_line_that_makes_no_sense_is_code_2(args):
    told = run(*args)
    assert told.exit_code == 2
    assert "Usage:" in told.stderr or "Error" in told.stderr


def test_a_mistake_of_ours_keeps_its_traceback(monkeypatch):
    def broken(spec):
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(catalog, "game", broken)
    result = CliRunner().invoke(app, ["show", "nim"])
    assert result.exit_code == 1
    assert isinstance(result.exception, ZeroDivisionError)


# As a process


def test_ctrl_c_ends_a_search_with_one_line_and_code_130():
    running = process("play", "breakthrough", "uct", "uct", "--seconds", "30")
    assert "breakthrough" in running.stdout.readline()
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 130
    assert errors.strip() == "ludarium: interrupted"


def test_ctrl_c_ends_thinking():
    running = process("think", "breakthrough", "--seconds", "1000")
    assert "breakthrough" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 130
    assert errors.strip() == "ludarium: interrupted"


def test_ctrl_c_ends_loading():
    telling = os.environ | {"PYTHONPROFILEIMPORTTIME": "1"}  # on the stream of errors
    running = process("think", "breakthrough", "--seconds", "1000", env=telling)
    read_until(running.stderr, "typer")
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 130
    assert errors.endswith("\nludarium: interrupted\n")
    assert "Traceback" not in errors


def test_ctrl_c_ends_a_search_of_a_python_game():
    running = process("play", "nim", "uct", "uct", "--seconds", "30")
    assert "nim" in running.stdout.readline()
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 130
    assert errors.strip() == "ludarium: interrupted"


def test_ctrl_c_at_the_prompt():
    running = process("play", "connect-four", "human", "uct", stdin=subprocess.PIPE)
    read_until(running.stdout, "legal")
    time.sleep(0.3)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=200)
    assert running.returncode == 130
    assert errors.strip() == "ludarium: interrupted"


def test_a_reader_that_goes_away_is_no_trouble():
    running = process("play", "connect-four", "random", "random")
    running.stdout.readline()
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert (running.wait(20), errors) == (141, "")  # which is no mistake of ours


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_every_terminal_can_print_a_match(encoding):
    running = process(
        *("play", "tic-tac-toe", "uct", "random", "--iterations", "20"),
        env=os.environ | {"PYTHONIOENCODING": encoding},
        encoding=encoding,
    )
    told, errors = running.communicate(timeout=300)
    assert running.returncode == 0, errors
    assert "result" in told


def test_there_are_no_colours_where_nobody_wants_them():
    running = process("play", "tic-tac-toe", "uct", "random", "--iterations", "20")
    told, _ = running.communicate(timeout=300)
    assert "\x1b" not in told


def test_a_cache_that_cannot_be_written_is_no_trouble(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    env = os.environ | {"LUDARIUM_CACHE": str(blocked / "cache")}
    running = process("play", "tic-tac-toe", "uct", "random", "--iterations", "20", "--quiet", env=env)
    told, errors = running.communicate(timeout=300)
    assert (running.returncode, errors) == (0, "")
    assert told.startswith("Match(tic-tac-toe")


def test_a_kernel_mode_that_does_not_exist_is_told():
    env = os.environ | {"LUDARIUM_KERNEL": "fortran"}
    running = process("play", "nim", "uct", "random", env=env)
    _, errors = running.communicate(timeout=300)
    assert running.returncode == 2
    assert errors == "ludarium: LUDARIUM_KERNEL is 'fortran'; expected one of native, check, python\n"


@pytest.mark.parametrize("mode", ["native", "check", "python"])
def test_every_way_to_run_kernels_plays_the_same_match(mode):
    env = os.environ | {"LUDARIUM_KERNEL": mode}
    running = process("play", "tic-tac-toe", "uct", "flat", "--iterations", "20", "--seed", "1", "-q", env=env)
    told, errors = running.communicate(timeout=120)
    assert (running.returncode, errors) == (0, "")
    assert told == run("play", "tic-tac-toe", "uct", "flat", "--iterations", "20", "--seed", "1", "-q").output
