"""The page at the end of an evolution: how it went, what came of it, and how to play with it."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from ludarium.arena.prove.means import half_width
from ludarium.arena.report.page import plain_page
from ludarium.arena.report.sheets import Sheet, columns
from ludarium.core import LudariumError
from ludarium.core.files import write_file
from ludarium.evaluate.evolved.champions import Champions
from ludarium.evolve.figures import drawings
from ludarium.evolve.run import Evolution
from ludarium.evolve.trials import TRIALS, Trial, against_random


def write_page(evolution: Evolution, champions: Champions, file: Path, path: Path) -> None:
    """Play teachers against random judgement, and write the page."""
    depth = evolution.settings.terms.depth
    teachers = [
        against_random(evolution.bouts, each or (champion,), role, depth=depth)
        for role, (each, champion) in enumerate(zip(champions.teachers, champions.networks, strict=True))
    ]
    pictures = drawings(champions, evolution.history, teachers, evolution.bouts.seen.names)
    said = _said(evolution, champions, teachers, file)
    text = plain_page(f"Evolved for {champions.game}", said, _sheets(champions, teachers), pictures)
    try:
        write_file(path, text)
    except OSError as problem:
        raise LudariumError(f"cannot write {path}: {problem.strerror}") from None


def _said(evolution: Evolution, champions: Champions, teachers: list[list[Trial]], file: Path) -> list[str]:
    settings, history = evolution.settings, evolution.history
    how = f"{_count(settings.generations, 'generation')} of {settings.population} networks for each role"
    matches = f"{sum(each.bouts for each in history):,} matches, looking {settings.terms.depth} ahead"
    lines = [f"{how} by {settings.algorithm}, seed {settings.seed}; {matches}."]
    for role, name in enumerate(champions.roles):
        held = sum(each.undominated == role for each in history)
        last = teachers[role][-1]
        counted = _count(len(champions.teachers[role]), "teacher")
        lines.append(
            f"{name}: {counted}, dominated the others in {_count(held, 'generation')}; the last teacher has "
            f"{last.mean:.2f} ± {last.half:.2f} against random judgement (n {TRIALS}), which has "
            f"{last.random.mean():.2f} ± {half_width(last.random):.2f} in its place."
        )
    judge = f"osla(evaluator=evolved({file}))"
    lines.append(f"To play with them: ludarium play {quote(champions.game)} {quote(judge)} uct")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _sheets(champions: Champions, teachers: list[list[Trial]]) -> list[Sheet]:
    rows = tuple(
        (name, rank, trial.mean, trial.half, float(trial.random.mean()), trial.p, TRIALS)
        for name, trials in zip(champions.roles, teachers, strict=True)
        for rank, trial in enumerate(trials, 1)
    )
    heads = columns(
        "role",
        ("rank", "count"),
        ("score", "number"),
        ("±", "number"),
        ("random", "number"),
        ("p", "p"),
        ("n", "count"),
    )
    note = "What teachers have against a player that looks as far ahead and judges at random; p by Welch's t-test."
    return [Sheet("ranks", "Teachers against random judgement", note, heads, rows)]
