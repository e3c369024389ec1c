"""A tournament under way."""

import io
import re
from dataclasses import replace

from rich.console import Console

from ludarium.arena.tournament.tournament import Progress
from ludarium.core import Limit, Match
from ludarium.core.match import Terms
from ludarium.terminal import standings
from ludarium.terminal.standings import Standings, Watch, how_far, in_words

WON = Match(game="hex", agents=("uct", "flat"), seed=1, moves=("a",), utilities=(1.0, 0.0))
DRAWN = replace(WON, utilities=(0.5, 0.5))
START = Progress(None, played=0, before=0, total=4, seconds=0.0)


def shown(view, **options):
    console = Console(file=io.StringIO(), width=80, **options)
    console.print(view)
    return console.file.getvalue()


def test_wins_are_counted_and_the_best_comes_first():
    counted = Standings()
    for match in (WON, WON, DRAWN):
        counted.add(replace(match, agents=("flat", "uct")))
    told = shown(counted.table())
    assert re.search(r"flat +3 +83.3%", told)
    assert told.index("flat") < told.index("uct")


def test_several_share_a_win_and_one_alone_keeps_its_utility():
    counted = Standings()
    counted.add(replace(WON, agents=("a", "b", "c"), utilities=(0.4, 0.4, 0.2)))
    counted.add(replace(WON, agents=("d",), utilities=(0.3,)))
    assert counted.scores == {"a": 0.5, "b": 0.5, "c": 0.0, "d": 0.3}


def test_a_draw_is_not_called_a_win():
    counted = Standings()
    for match in (WON, DRAWN, DRAWN, DRAWN):
        counted.add(match)
    told = shown(counted.table())
    assert "win rate" not in told
    assert re.search(r"uct +4 +62.5% .* 25.0 / 75.0 / 0.0 %", told)
    assert re.search(r"flat +4 +37.5% .* 0.0 / 75.0 / 25.0 %", told)


def test_limits_tell_agents_apart_where_there_are_several():
    counted = Standings(budgets=True)
    counted.add(replace(WON, terms=Terms(limit=Limit(iterations=10))))
    assert list(counted.plays) == ["uct [10 iterations]", "flat [10 iterations]"]
    assert "uct [10 iterations]" in shown(counted.table())  # brackets are no markup


def test_a_long_table_is_cut():
    counted = Standings()
    for number in range(30):
        counted.count(f"agent {number}", 0.5, won=0, drawn=1)
    assert "… 25 more" in shown(counted.table(5))


def test_how_far_tells_rate_and_time_left():
    assert how_far(START) == "0 of 4"
    assert (
        how_far(Progress(None, played=30, before=10, total=7240, seconds=10.0)) == "40 of 7,240, 3.0/s, 40 min 0 s left"
    )
    assert in_words(59.6) == "1 min 0 s"


def test_a_terminal_shows_a_bar_and_the_table_so_far():
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True, color_system=None)
    with Watch(console, Standings(), "4 matches") as watch:
        watch(START)
        watch(replace(START, match=WON, played=1, seconds=0.5))
        told = shown(watch.view())
    assert "1 of 4, 2.0/s, 2 s left" in told
    assert "━" in told
    assert "uct" in told
    assert "4 matches" in console.file.getvalue()


def test_ctrl_c_is_answered_at_once():
    console = Console(file=io.StringIO(), width=80)
    with Watch(console, Standings()) as watch:
        watch(replace(START, stopping=True))
        watch(replace(START, stopping=True))
        assert "Ctrl-C" in shown(watch.view())
    assert console.file.getvalue().count("Ctrl-C: the matches in progress") == 1


def test_elsewhere_a_line_is_written_now_and_then(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(standings, "monotonic", lambda: now[0])
    console = Console(file=io.StringIO(), width=80)
    with Watch(console, Standings()) as watch:
        for second in range(70):
            now[0] = float(second)
            watch(replace(START, played=1, seconds=second + 1.0))
    assert console.file.getvalue().splitlines() == [
        "1 of 4, 1.9/min, 1 min 33 s left",
        "1 of 4, 59.0/h, 3 min 3 s left",
    ]


def test_quiet_is_quiet():
    console = Console(file=io.StringIO(), width=80)
    with Watch(console, Standings(), "title", quiet=True) as watch:
        watch(replace(START, stopping=True))
    assert console.file.getvalue() == ""
