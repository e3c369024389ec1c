"""What is compared, by name: work that goes on, and whole processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from comparison import starts
from comparison.starts import EMPTY, STORED

LARGE, SMALL = 1000, 50  # iterations of a decision; fewer where these take long, so that turns are short
PLAIN = "alphabeta(evaluator=result, table_bits=0, hash_move=False, killers=False, history=False)"

_FILES = {"amazons": str(Path(__file__).parent / "amazons.kif")}
_RUNS_ON = {
    "kernels by hand": ("connect-four", "breakthrough"),
    "chance, hidden information, moves at once": ("leduc-poker", "goofspiel", "rinascimento", "battleship"),
    "words": ("gdl:tic-tac-toe", "gdl:connect-four", "gdl:breakthrough", "checkers"),
    "gates": ("reversi", "hex", "chess", "hnefatafl"),
    "joins": ("amazons",),
}
_TREES = ("mast", "grave", "progressive-history", "nst")

SUSTAINED: dict[str, tuple[Any, ...]] = {
    **{f"playouts:{title}": ("playouts", _FILES.get(title, title)) for titles in _RUNS_ON.values() for title in titles},
    **{f"batches:{title}": ("batches", title) for title in ("gdl:breakthrough", "reversi", "hex")},
    **{
        f"uct:{title}": ("search", _FILES.get(title, title), "uct(reuse=False)", iterations)
        for title, iterations in {
            "connect-four": LARGE, "breakthrough": LARGE, "gdl:connect-four": LARGE, "gdl:breakthrough": LARGE,
            "goofspiel": LARGE, "reversi": 20, "hnefatafl": 10, "amazons": 5, "nim": 20,
        }.items()
    },
    **{
        f"uct-50:{title}": ("decisions", title, "uct(reuse=False)", SMALL)
        for title in ("connect-four", "breakthrough", "gdl:connect-four", "gdl:breakthrough")
    },
    **{f"uct-1:{title}": ("decisions", title, "uct(reuse=False)", 1) for title in ("connect-four", "breakthrough")},
    "slice:connect-four": ("slices", "connect-four"),
    **{
        f"{name}:{title}": ("search", title, f"{name}(reuse=False)", LARGE)
        for name in _TREES
        for title in ("connect-four", "gdl:breakthrough")
    },
    **{
        f"alphabeta{kind}:{title}": ("search", title, spec, 50_000)
        for kind, spec in {"": "alphabeta", "-plain": PLAIN}.items()
        for title in ("connect-four", "breakthrough")
    },
    "flat:breakthrough": ("search", "breakthrough", "flat", LARGE),
    "osla:breakthrough": ("decisions", "breakthrough", "osla", LARGE),
    "rhea:breakthrough": ("forward", "breakthrough", "rhea", 10_000),
    "rmhc:breakthrough": ("forward", "breakthrough", "rmhc", 10_000),
    "ismcts:leduc-poker": ("search", "leduc-poker", "ismcts", LARGE),
    "samples:battleship, constraint": ("samples", "battleship(placement='random')", "constraint", 40),
    "samples:kriegspiel-tic-tac-toe, replay": ("samples", "kriegspiel-tic-tac-toe", "replay", 6),
    "samples:leduc-poker, enumeration": ("samples", "leduc-poker", "enumeration", 0),
    "samples:whist, constraint": ("samples", "whist", "constraint", 8),
    "match:tic-tac-toe, uct of 50 iterations": ("matches", "tic-tac-toe", "uct", SMALL),
    "match:tic-tac-toe, random": ("matches", "tic-tac-toe", "random", 1),
    "steps:connect-four": ("steps", "connect-four"),
    "steps:reversi": ("steps", "reversi"),
}  # fmt: skip
"""Rates: the function of `work.py` that prepares the work, and its arguments."""

_LOADED = ("connect-four", "rinascimento", "gdl:breakthrough", "reversi", "chess", "hnefatafl", "amazons")
_MOVED = ("connect-four", "gdl:breakthrough")

STARTS: dict[str, starts.Start] = {
    "start:python": starts.Start("pass"),
    "start:import ludarium": starts.Start("import ludarium"),
    "start:command line": starts.command(),
    **{
        f"load:{title}, {store}": starts.load(_FILES.get(title, title), store)
        for title in _LOADED
        for store in (STORED, EMPTY)
    },
    **{f"move:{title}, {store}": starts.move(title, store) for title in _MOVED for store in (STORED, EMPTY)},
    "compile:200 kernels, outside LLVM": starts.compile_kernels("outside_llvm", 200),
    "compile:40 kernels, optimised": starts.compile_kernels("optimised", 40),
}
"""CPU seconds of whole processes."""

NAMES = [*SUSTAINED, *STARTS]
