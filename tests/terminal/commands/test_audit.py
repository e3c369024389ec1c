import re

from rich.console import Console

from ludarium.arena.leaks.shown import Exposure
from ludarium.arena.leaks.verdicts import Leak, Verdict
from ludarium.terminal.commands.audit import exposed, proved, verdicts_table
from tests.commands import run


def shown(thing):
    console = Console(width=100, color_system=None)
    with console.capture() as captured:
        console.print(thing)
    return captured.get()


def row(told, name):
    (line,) = [line for line in told.splitlines() if line.split()[:1] == [name]]
    return re.split(r"  +", line.strip())


def test_who_is_clean_has_a_line_that_says_so():
    told = run("audit", "leduc-poker", "ismcts", "random", "--positions", "4", "--iterations", "20")
    assert told.exit_code == 0
    assert row(told.stdout, "ismcts")[:5] == ["ismcts", "4", "4", "4", "0"]
    assert row(told.stdout, "random")[-1] == "no leak"
    assert "leduc-poker shows no role what it hides" in told.stdout


def test_who_cheats_is_named_with_the_position():
    told = run("audit", "leduc-poker", "ismcts", "omniscient", "--positions", "6", "--iterations", "20")
    assert told.exit_code == 1
    assert row(told.stdout, "ismcts")[-1] == "no leak"
    assert re.fullmatch(r"\d leaks?", row(told.stdout, "omniscient")[-1])
    assert "omniscient knows what it was not told" in told.stdout
    assert "ismcts knows" not in told.stdout
    assert re.search(r"the world as it is +another one that looks the same", told.stdout)
    assert re.search(r"here it decides +(fold|call|raise): ", told.stdout)
    assert re.search(r"there it decides +(fold|call|raise): ", told.stdout)


def test_without_names_all_agents_are_audited_that_can_play_it():
    told = run("audit", "kuhn-poker", "--positions", "1", "--iterations", "5")
    assert told.exit_code == 0
    for name in ("uct", "ismcts", "rhea"):
        assert row(told.stdout, name)
    assert "alphabeta" not in told.stdout  # it throws no dice
    assert "omniscient" not in told.stdout


def test_what_is_wrong_is_said():
    for words, said in [
        (("nim", "uct"), "nothing is hidden in nim"),
        (("nim",), "nothing is hidden in nim"),
        (("kuhn-poker", "alphabeta"), "alphabeta cannot play kuhn-poker"),
        (("kuhn-poker", "utc"), "did you mean 'uct'?"),
        (("khun-poker", "uct"), "did you mean 'kuhn-poker'?"),
    ]:
        told = run("audit", *words)
        assert told.exit_code == 2
        assert said in told.stderr


def test_positions_of_which_nothing_is_known_are_marked():
    some = Verdict("a", positions=9, others=4, whole=3, alone=2, decisions=11)
    none = Verdict("b", positions=2, alone=2)
    odd = Verdict("c", positions=2, others=2, unrepeatable=[_leak(("x", "y"))])
    gone = Verdict("d", positions=1, failure="it has given up")
    told = shown(verdicts_table([some, none, odd, gone]))
    assert row(told, "d")[-1] == "failed"
    assert row(told, "a") == ["a", "9", "4", "3", "2 + 3?", "11", "no leak"]
    assert row(told, "b")[-1] == "nothing to compare"
    assert row(told, "c")[-1] == "not repeatable"


def test_wide_worlds_are_told_by_what_differs():
    wide = "same line\n" + "x" * 70, "same line\n" + "y" * 70
    told = shown(proved(_leak(wide), repeatable=True))
    assert told.count("same line") == 1
    assert "x" * 70 in told
    assert "y" * 70 in told
    assert "at the beginning, seed 3" in told


def test_an_exposure_says_what_the_role_is_shown():
    told = shown(exposed(Exposure("poker", "first", "the picture", 1, "bet, pass", ("K", "Q"), ("00", "01"))))
    assert "poker shows what it hides by the picture" in told
    assert "first after bet, pass, seed 1" in told
    assert re.search(r"here first is shown +00", told)


def test_what_cannot_be_repeated_is_no_leak():
    assert "nothing can be said of it" in shown(proved(_leak(("K", "Q")), repeatable=False))


def _leak(worlds):
    return Leak(
        agent="a", game="g", role="first", seed=3, moves="", worlds=worlds, decisions=("l", "r"), differing=("move",)
    )


def test_agents_of_ones_own_are_audited_and_those_that_guess_the_seed_are_found():
    told = run("audit", "kuhn-poker", "tests.arena.leaks.test_dice:Guesser", "--iterations", "20")
    assert told.exit_code == 1
    assert "guesses the seed" in told.stdout
    assert "works out the seed, and knows how chance falls" in " ".join(told.stdout.split())
