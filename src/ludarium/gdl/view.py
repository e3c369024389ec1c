"""Boards that a person can read, drawn from the facts of a state.

A rule file may say how, in comment lines that begin with `;@` and are TOML when put together:

    ;@ board = "cell ?x ?y ?piece"               the facts of the board; other variables tell boards apart
    ;@ symbols = { b = "·", red = "●" }          what is drawn for which content
    ;@ marks = { "7 7" = "+" }                   what is drawn for an empty square, by x and y
    ;@ up = true                                 the first row is drawn at the bottom
    ;@ shape = "hex"                             hexagons: (x, y) touches (x - 1, y + 1), too
    ;@ hide = ["past"]                           facts that are not listed below the board
    ;@ letters = true                            columns are a, b, c ... in place of 1, 2, 3 ...
    ;@ moves = { "move ?x ?y" = "?x?y" }         how moves are written for people: see `notation`

Without them a board is looked for: facts of one relation with two coordinates and one content.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations, zip_longest

from ludarium.core.problems import Place, Problem, RulesError
from ludarium.gdl.notation import Notation, letter
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term, Variable

BLANKS = ("b", "blank", "empty", "none")
_EMPTY = "·"
_SHAPES = ("square", "hex")
_LARGEST = 40  # squares along an edge: what is larger is no board
_WIDEST = 200  # coordinates, up to which those that nothing stands at are drawn, too
_DIGITS = 9  # of a number that may be a coordinate
_LISTED = 400  # characters of facts that are worth reading below a board
_WIDTH = 100

Cells = Mapping[tuple[str, str], str]
"""The contents of a board, by x and y."""


@dataclass(frozen=True)
class View:
    """How the states of a game are drawn."""

    board: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    up: bool = False
    shape: str = "square"
    hide: Sequence[str] = ()
    letters: bool = False
    moves: Mapping[str, str] = field(default_factory=dict)
    wrong: str = field(default="", metadata={"given": False})
    """What is wrong with the description, where it cannot be read: it is said below a board that is looked for."""

    @cached_property
    def notation(self) -> Notation:
        """How moves are written for people."""
        return Notation.of(self.moves, letters=self.letters)


def view(text: str, file: str = "<rules>") -> View | None:
    r"""Read the view description in a rule file, if there is one.

    >>> view('(role x)\n;@ board = "cell ?x ?y ?mark"').board
    'cell ?x ?y ?mark'
    """
    lines = {number: line[2:] for number, line in enumerate(text.splitlines(), 1) if line.startswith(";@")}
    if not lines:
        return None
    try:
        given = tomllib.loads("\n".join(lines.values()))
        written = [f for f in fields(View) if f.metadata.get("given", True)]
        kinds = {f.name: type(f.default) if isinstance(f.default, (str, bool)) else None for f in written}
        for name, value in given.items():
            if name not in kinds:
                raise ValueError(f"a view has no {name!r}, but {', '.join(kinds)}")
            expected = kinds[name] or (list if name == "hide" else dict)
            if not isinstance(value, expected):
                raise ValueError(f"{name!r} should be a {expected.__name__}, not {value!r}")
            for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
                if not isinstance(part, str):
                    raise ValueError(f"{name!r} should hold texts, not {part!r}")
        if given.get("shape", "square") not in _SHAPES:
            raise ValueError(f"a shape is {' or '.join(_SHAPES)}, not {given['shape']!r}")
        _pattern(str(given.get("board", "")))
        Notation.of(given.get("moves", {}), letters=given.get("letters", False))
    except (ValueError, RulesError, RecursionError) as error:
        raise RulesError([Problem(Place(file, min(lines), 1), f"the view description is wrong: {error}")]) from error
    return View(**given)


def forgiving(text: str, file: str = "<rules>") -> View | None:
    """Read the view description; one that is wrong ends no match, and is `check`'s to refuse."""
    try:
        return view(text, file)
    except RulesError as error:
        return View(wrong=f"the ;@ lines are wrong: ludarium check {error.problems[0].place.file}")


def picture(facts: Sequence[Term], view: View | None = None) -> str:
    """Draw the board, or the boards, and list the other facts below.

    >>> facts = [Term("cell", (Term(x), Term(y), Term("x" if x == y else "b"))) for x in "123" for y in "123"]
    >>> print(picture([*facts, Term("control", (Term("o"),))], View("cell ?x ?y ?mark", {"b": "·"})))
    1 x · ·
    2 · x ·
    3 · · x
      1 2 3
    control o
    """
    used, boards, below = arranged(facts, view)
    drawings = [_draw(cells, used, title) for title, cells in boards.items()]
    return "\n".join([*_beside(drawings), *below])


def arranged(facts: Sequence[Term], view: View | None) -> tuple[View, dict[str, Cells], list[str]]:
    """Tell how to draw facts: the view, given or found; the contents of its boards, by their titles; and the lines below."""
    wrong = view.wrong if view else ""
    view = view if view and not wrong else _found(facts)
    boards: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    others = []
    pattern = _pattern(view.board)
    for fact in facts:
        match = _match(pattern, fact)
        if match is None:
            others.append(fact)
        else:
            x, y, content, board = match
            boards[board][x, y] = content
    listed = _listed(fact for fact in others if fact.name not in view.hide)
    return view, dict(sorted(boards.items())), [*listed, *([wrong] if wrong else [])]


def _pattern(text: str) -> Term | None:
    """Read the form of the facts that make up a board."""
    if not text.strip():
        return None
    term = parse_term(f"({text})")
    names = {arg.name for arg in term.args or () if isinstance(arg, Variable)} if isinstance(term, Term) else set()
    if not isinstance(term, Term) or not {"x", "y"} < names:
        raise ValueError(f'a board is a fact with ?x, ?y and a content, such as "cell ?x ?y ?piece", not {text!r}')
    return term


def _match(pattern: Term | None, fact: Term) -> tuple[str, str, str, str] | None:
    """Take a fact apart into x, y, content and the board it is on; None if it is not about a board.

    The content is the last variable that is neither x nor y.
    """
    if pattern is None or pattern.name != fact.name or pattern.arity != fact.arity:
        return None
    values: dict[str, str] = {}
    for expected, arg in zip(pattern.args or (), fact.args or (), strict=True):
        if isinstance(expected, Variable):
            values[expected.name] = str(arg)
        elif expected != arg:
            return None
    x, y = values.pop("x"), values.pop("y")
    _, content = values.popitem()
    return x, y, content, " ".join(values.values())


def _draw(cells: Mapping[tuple[str, str], str], view: View, title: str) -> list[str]:
    """Draw one board, line by line."""
    columns = span(x for x, _ in cells)
    rows = span(y for _, y in cells)
    symbols = {content: view.symbols.get(content, content) for content in cells.values()}
    blanks = [symbols[blank] for blank in BLANKS if blank in symbols]  # if any, what is not told is no square

    def drawn(x: str, y: str) -> str:
        if (x, y) not in cells:
            return " " if blanks else _EMPTY
        symbol = symbols[cells[x, y]]
        return view.marks.get(f"{x} {y}", symbol) if symbol in blanks else symbol

    heads = [letter(x) for x in columns] if view.letters else columns
    width = max(len(text) for text in [*symbols.values(), *view.marks.values(), *heads])
    margin = max(len(row) for row in rows)
    lines = []
    for place, row in enumerate(rows):
        indent = " " * ((width + 1) // 2 * place) if view.shape == "hex" else ""
        squares = " ".join(drawn(x, row).rjust(width) for x in columns)
        lines.append(f"{row.rjust(margin)} {indent}{squares}".rstrip())
    footing = " " * margin + " " + " ".join(x.rjust(width) for x in heads)
    if view.shape == "hex":
        lines.insert(0, footing)
    else:
        lines = [*(reversed(lines) if view.up else lines), footing]
    return [title, *lines] if title else lines


def span(labels: Iterable[str]) -> list[str]:
    """List all coordinates from the first to the last, those between included."""
    known = set(labels)
    if all(map(_is_number, known)):
        numbers = [int(label) for label in known]
        if {str(number) for number in numbers} != known:  # as 01: what is written is a name then
            return sorted(known, key=lambda label: (int(label), label))
        between = range(min(numbers), max(numbers) + 1)
        return [str(number) for number in (between if len(between) <= _WIDEST else sorted(numbers))]
    if all(len(label) == 1 for label in known):
        letters = range(ord(min(known)), ord(max(known)) + 1)
        return [chr(code) for code in letters] if len(letters) <= _WIDEST else sorted(known)
    return sorted(known)


def _beside(drawings: Sequence[Sequence[str]]) -> list[str]:
    """Put drawings side by side."""
    widths = [max(map(len, drawing)) for drawing in drawings]
    return [
        "   ".join(line.ljust(width) for line, width in zip(lines, widths, strict=True)).rstrip()
        for lines in zip_longest(*drawings, fillvalue="")
    ]


def _listed(facts: Iterable[Term]) -> list[str]:
    """List facts without their outer parentheses, as many as are worth reading."""
    texts = sorted(str(fact).removeprefix("(").removesuffix(")") if fact.args else str(fact) for fact in facts)
    lines = [""]
    for shown, text in enumerate(texts):
        if shown and sum(map(len, lines)) + len(text) > _LISTED:
            return [*lines, f"and {len(texts) - shown} more facts"]
        if lines[-1] and len(lines[-1]) + len(text) + 3 > _WIDTH:
            lines.append("")
        lines[-1] += f"   {text}" if lines[-1] else text
    return lines if texts else []


def _found(facts: Sequence[Term]) -> View:
    """Look for the relation that is most like a board: every square has one content."""
    relations: dict[tuple[str, int], list[tuple[str, ...]]] = defaultdict(list)
    for fact in facts:
        relations[fact.name, fact.arity].append(tuple(str(arg) for arg in fact.args or ()))
    best, size = View(), 3
    for (name, arity), rows in relations.items():
        if arity != 3 or len(rows) <= size:
            continue
        for x, y in combinations(range(3), 2):
            squares = {(row[x], row[y]) for row in rows}
            if len(squares) == len(rows) and all(map(_is_axis, zip(*squares, strict=True))):
                names = ["?content"] * 3
                names[x], names[y] = "?x", "?y"
                content = 3 - x - y
                symbols = _short({row[content] for row in rows})
                best, size = View(f"{name} {' '.join(names)}", symbols, up=True), len(rows)
                break
    return best


def _is_axis(labels: Iterable[str]) -> bool:
    """Tell whether these can be coordinates: a few numbers, or single letters."""
    known = set(labels)
    if all(map(_is_number, known)):
        places = [int(label) for label in known]
    elif all(len(label) == 1 and label.isalpha() for label in known):
        places = [ord(label) for label in known]
    else:
        return False
    return len(known) >= 2 and max(places) - min(places) < _LARGEST


def _is_number(label: str) -> bool:
    return label.isdecimal() and label.isascii() and len(label) <= _DIGITS


def _short(contents: Iterable[str]) -> dict[str, str]:
    """Shorten contents to initials, as far as no two share one; blanks are dots."""
    pieces = [content for content in contents if content not in BLANKS]
    initials = [content[0] for content in pieces]
    alone = {piece: piece[0] for piece in pieces if initials.count(piece[0]) == 1}
    return {**dict.fromkeys(BLANKS, _EMPTY), **alone}
