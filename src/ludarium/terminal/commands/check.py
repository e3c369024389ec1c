"""The command `check`: what is wrong with files of rules, and whether games, agents and their parts keep their promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ludarium import catalog, registry
from ludarium.core import BadParameter, Game, LudariumError, Rng
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.library import LUDII
from ludarium.terminal.arguments import count

_ITSELF = "parameters"
_PLAYOUTS = 4  # at random, of a description in Ludii's language
_CHECKED = ("game", "agent", "evaluator", "determinizer")


def check(
    things: Annotated[
        list[str],
        typer.Argument(
            metavar="WHAT",
            help="Files of rules; or games, agents, evaluators and determinizers by name or place: "
            "[bold]my/game.py:Race[/], [bold]'uct(c=1)'[/].",
            show_default=False,
        ),
    ],
    *,
    kind: Annotated[
        str | None,
        typer.Option("--as", metavar="|".join(_CHECKED), help="What it is, where a name means several things."),
    ] = None,
    games: Annotated[
        list[str] | None,
        typer.Option(
            metavar="GAME...",
            help="The games that agents, evaluators and determinizers are checked with.",
            show_default="a few, one of each kind",
        ),
    ] = None,
    play: Annotated[bool, typer.Option(help="For rules: also play the game at random.")] = True,
    strict: Annotated[
        bool, typer.Option("--strict", help="Follow the definition to the letter: what loading would mend is an error.")
    ] = False,
) -> None:
    """Check files of rules, games, agents, evaluators and determinizers; exit code 2 if anything is wrong.

    Rules: everything that is wrong or odd, with line, column and a hint. The others: what they promise, by playing.
    """
    if kind is not None and kind not in _CHECKED:
        raise BadParameter(f"--as is '{kind}'; it is one of {', '.join(_CHECKED)}")
    mistakes = 0
    for thing in things:
        if Path(thing).suffix.lower() in catalog.LANGUAGES:
            mistakes += check_rules(Path(thing), play=play, strict=strict)
        else:
            mistakes += _check_thing(thing, kind or _kind(thing), games)
    raise typer.Exit(2 if mistakes else 0)


def check_rules(file: Path, *, play: bool, strict: bool) -> int:
    """Tell all that is wrong with a file of rules; how many mistakes that is."""
    from ludarium.gdl.check import checker

    try:
        if file.suffix.lower() == LUDII:
            found = ludii_problems(file, play=play)
        else:
            found = checker.check_file(file, play=play, strict=strict)
    except RulesError as problem:
        found = list(problem.problems)
    except LudariumError as problem:  # no file, or none that can be played
        typer.echo(problem)
        return 1
    errors = sum(not problem.warning for problem in found)
    for line in checker.lines(found):
        typer.echo(line)
    counted = [count(errors, "error"), *([count(w, "warning")] if (w := len(found) - errors) else [])]
    typer.echo(f"{file}: {' and '.join(counted)}")
    return errors


def ludii_problems(file: Path, *, play: bool) -> list[Problem]:
    """What is wrong with a description in Ludii's language; if nothing is, what cannot be played yet."""
    from ludarium.core.limits import limits
    from ludarium.ludii.game import load as load_game
    from ludarium.ludii.grammar.checker import check as check_text
    from ludarium.ludii.library import library_of_user
    from ludarium.ludii.text.defines import NO_LIBRARY
    from ludarium.ludii.text.source import load

    library = library_of_user()
    text, defines = load(file), library.defines if library else NO_LIBRARY
    found = check_text(text, str(file), library=defines)
    if any(not problem.warning for problem in found):
        return found
    try:
        game = load_game(file)
    except RulesError as problem:
        return [*found, *problem.problems]
    plies = [_random_plies(game, Rng(seed), limits().moves) for seed in range(_PLAYOUTS if play else 0)]
    if plies and min(plies) >= limits().moves:
        told = f"none of {_PLAYOUTS} random playouts came to an end within {limits().moves} moves"
        found.append(Problem(Place(str(file), 1, 1), told, "see what the end rules wait for", warning=True))
    return found


def _random_plies(game: Game, rng: Rng, most: int) -> int:
    """How long a random playout is."""
    state, plies = game.initial(rng), 0
    while not state.over and plies < most:
        joint = {role: rng.choice(state.legal(role)) for role in state.movers}
        state, plies = state.after(joint, rng), plies + 1
    return plies


def _kind(spec: str) -> str:
    found = [kind for kind in registry.kinds_of(spec) if kind in _CHECKED]
    if len(found) == 1:
        return found[0]
    if not found:
        raise BadParameter(f"'{spec}' is none of what can be checked: {', '.join(_CHECKED)}")
    raise BadParameter(f"'{spec}' is {' and '.join(str(registry.KINDS[each]) for each in found)}: say which, by --as")


def _check_thing(spec: str, kind: str, games: list[str] | None) -> int:
    """Check one thing, with one game after the other, and say how it went with each."""
    from ludarium.testing import CheckFailed

    made = registry.make(kind, spec) if kind != "evaluator" else _evaluator(spec)
    for game in games or ():
        catalog.game(game)  # one that does not load is no broken promise
    typer.echo(f"{spec}: {registry.KINDS[kind]}")
    failures = 0
    for what, checks in _checks(kind, made, spec, games):
        try:
            told = checks()
        except CheckFailed as problem:
            failures += 1
            typer.echo(f"  {what}: broken promise: {problem}")
            if what == _ITSELF:
                break  # every game would find the same
        else:
            typer.echo(f"  {what}: {told}")
    typer.echo(f"{spec}: {count(failures, 'broken promise')}")
    return failures


def _evaluator(spec: str) -> Any:
    from ludarium.evaluate import evaluator

    return evaluator(spec)


def _checks(kind: str, made: Any, spec: str, games: Sequence[str] | None) -> Iterator[tuple[str, Callable[[], str]]]:
    """Give what is checked, each with a function that checks it and says what it has met."""
    from ludarium.testing import agent, check_agent, check_determinizer, check_evaluator, determinizer, evaluator

    if kind == "game":
        if games:
            raise BadParameter(f"{spec} is a game, and checked by itself: there is no place for --games")
        yield made.name, lambda: _game(spec)
        return
    ways: dict[str, tuple[Callable[..., Sequence[Any]], Sequence[str], str, str]] = {
        "agent": (check_agent, agent.GAMES, "plays as promised", ""),
        "evaluator": (check_evaluator, evaluator.GAMES, "judges as promised", "states"),
        "determinizer": (check_determinizer, determinizer.GAMES, "imagines states as promised", "positions"),
    }
    checking, usual, well, counted = ways[kind]
    yield _ITSELF, lambda: "" if checking(made, []) else "frozen, copied and named as promised"
    for game in games or usual:
        yield game, lambda game=game: _describe_check(checking(made, [game]), well, counted)  # type: ignore[misc]


def _game(spec: str) -> str:
    from ludarium.testing import check_game

    check_game(spec)
    traits = catalog.game(spec).traits
    promised = [name for name, value in vars(traits).items() if value]
    return f"keeps its promises ({', '.join(promised) or 'it makes none'})"


def _describe_check(checked: Sequence[Any], well: str, counted: str) -> str:
    (met,) = checked
    if not met.supported:
        return "refused, with a reason"
    return f"{well}, in {getattr(met, counted)} {counted}" if counted else well
