"""Reading rules: any file by its ending, and the prefix form (.kif, .gdl), `(<= head condition ...)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.limits import LimitExceeded, limits
from ludarium.core.problems import Place, Problem, RulesError
from ludarium.gdl.text import infix
from ludarium.gdl.text.meaning import argument, rules
from ludarium.gdl.text.sheet import MAX_DEPTH, Gatherer, Node, Source, Statement
from ludarium.gdl.text.syntax import Argument, Rule

FORMS: dict[str, Callable[[Source], Iterator[Statement]]] = {}
"""How the statements of a file are found, by its ending."""

_TOKEN = re.compile(
    r"""
      \(\s*<=(?=[\s();])                    # the start of a rule
    | [()]
    | [^\s();]+                             # a word
    | ;[^\r\n]*                             # a comment
    | (?>\r\n|\r|\n)[^\S\r\n]*(?=[\r\n])    # an empty line
    """,
    re.VERBOSE,
)


def read(path: Path) -> list[Rule]:
    """Read the rules in a file, in the form that its ending says."""
    return parse_source(load(path), path.suffix)


def parse_source(source: Source, ending: str) -> list[Rule]:
    """Read the rules in a text, in the form that an ending says."""
    return rules(FORMS[ending.lower()](source), source)


def parse(text: str, file: str = "<rules>") -> list[Rule]:
    """Read the rules in a text in prefix form.

    >>> for rule in parse("(<= (wins ?p) (or (line ?p) (not open)))"):
    ...     print(rule)
    (<= (wins ?p) (line ?p))
    (<= (wins ?p) (not open))
    """
    source = Source(text, file)
    return rules(statements(source), source)


def parse_term(text: str) -> Argument:
    """Read the one term that a text in prefix form consists of, such as a move."""
    source = Source(text, "<term>")
    found = [statement.node for statement in statements(source)]
    source.check()
    if len(found) != 1:
        raise RulesError([Problem(Place("<term>", 1, 1), f"one term is expected, here are {len(found)}")])
    return argument(found[0], source)


def check_ending(path: Path) -> None:
    """Refuse a path that does not end as rules files do."""
    if path.suffix.lower() not in FORMS:
        *others, last = FORMS
        raise LudariumError(f"{path}: a rules file ends in {', '.join(others)} or {last}")


def load(path: Path) -> Source:
    """Fetch the text of a rules file; whatever stands in the way is the user's to mend."""
    check_ending(path)
    most = int(limits().file_megabytes * 1_000_000)
    try:
        if path.exists() and not path.is_file():
            told = "a folder" if path.is_dir() else "no file"
            raise LudariumError(f"{path}: this is {told}; expected a file of rules")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise LudariumError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > most:
        raise LimitExceeded("file_megabytes", f"the file has more than {limits().file_megabytes:g} megabytes", path)
    try:
        return Source(data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        place = Source(before, str(path)).place(len(before))
        hint = "save the file as UTF-8"
        raise RulesError([Problem(place, f"the byte {data[error.start]:#04x} is not UTF-8 text", hint)]) from error


def statements(source: Source) -> Iterator[Statement]:
    """Find the statements of a text in prefix form; problems are noted in the source."""
    gatherer = Gatherer(source)
    stack: list[Node] = []  # the lists that are open
    for match in _TOKEN.finditer(source.text):
        text, at = match.group(), match.start()
        first = text[0]
        if first == "(":
            _open(source, stack, match)
            continue
        if first == ")":
            if not stack:
                source.problem(at, "this ')' closes nothing", "remove it, or add a '(' before it")
                continue
            node = stack.pop()
        elif first == ";" or first.isspace():
            gatherer.between(text, at, inside=bool(stack))
            continue
        else:
            node = Node(text, at)
        if stack:
            stack[-1].parts.append(node)
        elif complete := gatherer.statement(node, match.end() - 1):
            yield complete
    if stack:
        _unclosed(source, stack, "at the end of the file")
    if last := gatherer.finish():
        yield last


def _open(source: Source, stack: list[Node], match: re.Match[str]) -> None:
    """Start a list; a rule cannot be inside anything, so whatever is still open there was left open."""
    at = match.start()
    starts_rule = match.end() > at + 1
    if starts_rule and stack:
        _unclosed(source, stack, f"when the next rule starts in line {source.line(at)}")
        stack.clear()
    if len(stack) == MAX_DEPTH:
        source.problem(at, f"more than {MAX_DEPTH} parentheses are open here")
        source.check()
    stack.append(Node([Node("<=", match.end() - 2)] if starts_rule else [], at))


def _unclosed(source: Source, stack: list[Node], when: str) -> None:
    """Say which parenthesis is still open: the outermost, and the innermost where that is another."""
    hint = "add a ')'"
    if len(stack) > 1:
        inner = source.place(stack[-1].at)
        hint = f"{len(stack)} are open, the innermost since line {inner.line}, column {inner.column}"
    source.problem(stack[0].at, f"this '(' is not closed {when}", hint)


FORMS.update({".kif": statements, ".gdl": statements, ".hrf": infix.statements})
