"""Everything that reads what users wrote, each with texts to spoil: it reads them, or raises a `LudariumError`.

`python -m tests.fuzz.readers 10000` tries that many of each, or of those that are named behind the number.
"""

import json
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from ludarium import agent, catalog, game, play
from ludarium.arena import Store
from ludarium.arena.ggp import from_ggp, to_ggp
from ludarium.arena.plan import file as plans
from ludarium.arena.record import from_json, to_json, to_text
from ludarium.arena.store.damage import reading
from ludarium.core import LudariumError
from ludarium.core.limits import Limits, limited
from ludarium.gdl.check.checker import check, lines
from ludarium.gdl.game import from_rules
from ludarium.gdl.text.reader import parse, parse_source
from ludarium.gdl.text.sheet import Source
from ludarium.gdl.view import picture, view
from ludarium.ludii.grammar.checker import bind
from ludarium.ludii.text.expander import expand
from tests.fuzz.spoil import damaged, spoiled
from tests.ludii.texts import LINES

TINY = """\
(role x) (role y) (init (heap 3)) (init (control x)) (less 3 2) (less 2 1) (less 1 0) (turn x y) (turn y x)
(<= (legal ?p (take ?a)) (true (control ?p)) (true (heap ?n)) (less ?n ?a))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?m)) (does ?p (take ?m)) (true (heap ?n)) (distinct ?m ?n))
(<= (next (control ?q)) (true (control ?p)) (turn ?p ?q))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""
INFIX = """\
role(x). role(y).
init(heap(3)) % what there is
legal(P,take(A)) :- true(control(P)) & true(heap(N)) & (less(N,A) | ~open & distinct(P,y))
next(heap(M)) :- does(P,take(M)) & true(heap(_))
"""
VIEW = ';@ board = "cell ?x ?y ?p"\n;@ symbols = { b = ".", w = "o" }\n;@ marks = { "1 1" = "+" }\n;@ up = true\n;@ hide = ["a"]\n'
FACTS = ["(cell 1 1 b)", "(cell 2 3 w)", "(cell 10 3 (f a))", "(a 1)", "(cell z é b)", "over"]
PLAN = """\
kind = "round-robin"
games = ["nim", "tic-tac-toe"]
agents = ["uct(c=1.0)", "random", { agent = "flat", name = "plain" }]
matches = 4
seed = 3
iterations = 10
move_limit = 50
"""
SPECS = "uct(c=1.0, final=value)|determinized(inner=uct(c=2), worlds=3)|nim|breakthrough(width=5, height=6)|gdl:tic-tac-toe|a.py:B(x=[1, 2])"


@cache
def _match():
    return play(game("tic-tac-toe"), [agent("uct"), agent("random")], iterations=5, seed=1)


@cache
def _served():
    made = game("tic-tac-toe")
    return json.dumps(to_ggp(_match(), made)), made


@cache
def made_store() -> bytes:
    """A small store, as one file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "made.db")
        from ludarium.arena import round_robin, run

        run(round_robin(games=["nim"], agents=["random", "flat"], matches=4, iterations=5), path, workers=1)
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return path.read_bytes()


def kif(seed: str) -> None:
    """Rules in prefix form, read and checked."""
    lines(check(parse(spoiled(TINY, seed), "game.kif")))


def hrf(seed: str) -> None:
    """Rules in infix form."""
    lines(check(parse_source(Source(spoiled(INFIX, seed), "game.hrf"), ".hrf")))


def games(seed: str) -> None:
    """Rules in prefix form, loaded, and played with a few moves."""
    with limited(seconds=20.0, moves=20):
        made = from_rules("game", parse(spoiled(TINY, seed), "game.kif"))
        play(made, [agent("random")] * len(made.roles), seed=1)


def views(seed: str) -> None:
    """How boards are drawn."""
    drawn = view(spoiled(VIEW, seed))
    picture(parse_facts(), drawn)


@cache
def parse_facts():
    return [rule.head for rule in parse("\n".join(FACTS))]


def toml(seed: str) -> None:
    """Plans of tournaments."""
    plans.read(spoiled(PLAN, seed), "plan.toml")


def records(seed: str) -> None:
    """Matches as JSON."""
    made = from_json(spoiled(to_json(_match()), seed))
    to_text(made), to_json(made)


def ggp(seed: str) -> None:
    """Matches as servers write them."""
    with suppress(ValueError, RecursionError):  # of `json`, which is not ours
        from_ggp(json.loads(spoiled(_served()[0], seed)), _served()[1])


def stores(seed: str) -> None:
    """Results in SQLite files."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "damaged.db")
        path.write_bytes(damaged(made_store(), seed))
        with reading(path), Store(path, readonly=True) as store:
            store.plans(), store.runs(), store.failures(), store.table(), store.moves(), len(store)
            for match in store.matches():
                to_text(match), to_json(match)


def lud(seed: str) -> None:
    """Games in Ludii's language: text, options and ludemes."""
    bind(expand(spoiled(LINES, seed), "lines.lud"))


def specs(seed: str) -> None:
    """Names of games and agents, with parameters."""
    parts = SPECS.split("|")
    text = spoiled(parts[sum(map(ord, seed)) % len(parts)], seed)
    with suppress(LudariumError):
        catalog.agent(text)
    catalog.game(text)


def limits(seed: str) -> None:
    """What games may cost."""
    Limits().raised(spoiled("seconds=600, instances=3000000 literals=4", seed))


READERS: dict[str, Callable[[str], None]] = {
    f.__name__: f for f in (kif, hrf, games, views, toml, records, ggp, stores, lud, specs, limits)
}


def outcome(reader: Callable[[str], None], seed: str) -> str:
    """What a spoiled text led to: nothing, or the traceback of what is no `LudariumError`."""
    try:
        reader(seed)
    except LudariumError as problem:
        return "" if str(problem).strip() else "an error without a word"
    except Exception:  # noqa: BLE001  # which is what is looked for
        return traceback.format_exc()
    return ""


def main() -> None:
    """Try many of each."""
    count, names = int(sys.argv[1]), sys.argv[2:] or list(READERS)
    for name in names:
        seen: set[str] = set()
        for number in range(count):
            if found := outcome(READERS[name], f"{name} {number}"):
                last = "\n".join(line[:200] for line in found.strip().splitlines()[-3:])
                if last not in seen:
                    sys.stdout.write(f"{name} {number}:\n{last}\n")
                seen.add(last)
        sys.stdout.write(f"{name}: {count} tried, {len(seen)} kinds of tracebacks\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
