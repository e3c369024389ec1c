"""Reading the infix form (.hrf): `head :- condition & ~condition`, variables start with a capital."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludarium.gdl.text.meaning import rules
from ludarium.gdl.text.names import prefix_word
from ludarium.gdl.text.sheet import MAX_DEPTH, Gatherer, Node, Source, Statement
from ludarium.gdl.text.syntax import Rule

_TOKEN = re.compile(
    r"""
      %[^\r\n]*                             # a comment
    | (?>\r\n|\r|\n)[^\S\r\n]*(?=[\r\n])    # an empty line
    | :-
    | [A-Za-z0-9_]+                         # a name
    | \S
    """,
    re.VERBOSE,
)
_NAME = re.compile(r"[A-Za-z0-9_]+")
_MAX_NESTING = 2 * MAX_DEPTH  # parentheses that only group do not count later on
_HINTS = {
    ",": "conditions are joined by '&'",
    ";": "alternatives are joined by '|', comments start with '%'",
    "!": "'not' is written '~'",
    "=": "updates such as '==>' belong to another language: write rules for 'next'",
    ":": "'if' is written ':-'",
    "<": "'if' is written ':-'",
    "?": "a variable is a name that starts with a capital",
    "(": "a statement starts with a name: head :- condition & condition",
}


def parse(text: str, file: str = "<rules>") -> list[Rule]:
    """Read the rules in a text in infix form.

    >>> for rule in parse("wins(P) :- line(P) & ~(open | lost(P))"):
    ...     print(rule)
    (<= (wins ?p) (line ?p) (not open) (not (lost ?p)))
    """
    source = Source(text, file)
    return rules(statements(source), source)


def statements(source: Source) -> Iterator[Statement]:
    """Find the statements of a text in infix form; problems are noted in the source."""
    return _Parser(source).statements()


class _Wrong(Exception):
    """A statement cannot be read: the position, the message and a hint."""


class _Parser:
    """Recursive descent with one token of look-ahead."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._gatherer = Gatherer(source)
        self._matches = _TOKEN.finditer(source.text)
        self._trivia: list[tuple[str, int]] = []  # comments and empty lines in front of the token
        self._text = ""  # "" at the end
        self._at = 0
        self._end = 0  # of the token before this one
        self._nesting = 0
        self._anonymous = 0
        self._stem = ""  # what the names of anonymous variables start with
        self._advance(inside=False)

    def statements(self) -> Iterator[Statement]:
        """Read all statements; one that cannot be read is skipped."""
        while self._text:
            start, self._nesting, self._anonymous = self._at, 0, 0
            try:
                node = self._statement()
                complete = self._gatherer.statement(node, self._end - 1)
            except _Wrong as wrong:
                self._source.problem(*wrong.args)
                self._skip(start)
                continue
            if complete:
                yield complete
        self._advance(inside=False)
        if last := self._gatherer.finish():
            yield last

    def _statement(self) -> Node:
        at = self._at
        head = self._atom(inside=False)
        node = head
        if self._take(":-"):
            body = self._condition()
            parts = body.parts[1:] if body.parts[:1] == [_AND] else [body]
            node = Node([Node("<=", at), head, *parts], at)
        if not self._take("."):
            self._expect_end()
        if _deep(node):
            raise _Wrong(at, f"this is nested more than {MAX_DEPTH} deep")
        return node

    def _expect_end(self) -> None:
        """Refuse what cannot start the next statement."""
        if self._text and not _NAME.fullmatch(self._text):
            raise _Wrong(self._at, f"'{_shown(self._text)}' is out of place", _HINTS.get(self._text, ""))

    def _condition(self) -> Node:
        """Read alternatives of conjunctions: `&` binds tighter than `|`."""
        at = self._at
        alternatives = [[self._unit()]]
        while self._text in ("&", "|"):
            operator = self._text
            self._advance()
            if operator == "&":
                alternatives[-1].append(self._unit())
            else:
                alternatives.append([self._unit()])
        return _joined(_OR, [_joined(_AND, parts, at) for parts in alternatives], at)

    def _unit(self) -> Node:
        """Read an atom, a negation, or a condition in parentheses."""
        at = self._at
        if self._take("~"):
            self._enter(at)
            node = Node([_NOT, self._unit()], at)
        elif self._take("("):
            self._enter(at)
            node = self._condition()
            self._close(at)
        else:
            return self._atom()
        self._nesting -= 1
        return node

    def _atom(self, *, inside: bool = True) -> Node:
        node = self._term("a relation", inside=inside)
        if isinstance(node.value, str) and node.value[0] == "?":
            name = self._source.text[node.at : node.at + len(node.value)]
            hint = "names of relations start with a small letter"
            raise _Wrong(node.at, f"a relation is expected here, not the variable {name}", hint)
        return node

    def _term(self, expected: str, *, inside: bool = True) -> Node:
        text, at = self._text, self._at
        if not _NAME.fullmatch(text):
            found = f"'{_shown(text)}'" if text else "the end of the file"
            raise _Wrong(at, f"{expected} is expected here, not {found}", _HINTS.get(text, ""))
        word = self._fresh() if text == "_" else prefix_word(text)
        if word is None:
            raise _Wrong(at, f"the name '{text}' cannot be written in prefix form", "rename it")
        self._advance(inside=inside)
        node = Node(word, at)
        if self._text != "(":
            return node
        if word[0] == "?":
            raise _Wrong(at, f"a name is expected before '(', not the variable {text}", "start it with a small letter")
        opened = self._at
        self._advance()
        self._enter(opened)
        parts = [node]
        if self._text != ")":
            parts.append(self._term("a term"))
            while self._take(","):
                parts.append(self._term("a term"))
        self._close(opened)
        self._nesting -= 1
        return Node(parts, at)

    def _fresh(self) -> str:
        """Make a new name for an anonymous variable."""
        if not self._stem:
            used = re.findall(r"(?<![A-Za-z0-9_])_+(?=[0-9])", self._source.text)
            self._stem = "_" * (1 + max(map(len, used), default=0))
        self._anonymous += 1
        return f"?{self._stem}{self._anonymous}"

    def _enter(self, at: int) -> None:
        self._nesting += 1
        if self._nesting > _MAX_NESTING:
            raise _Wrong(at, f"this is nested more than {_MAX_NESTING} deep")

    def _close(self, opened: int) -> None:
        if not self._take(")"):
            line = self._source.line(self._at)
            found = f"'{_shown(self._text)}' in line {line}" if self._text else "the end of the file"
            hint = "write ')', or ',' between arguments"
            raise _Wrong(opened, f"this '(' is not closed before {found}", hint)

    def _take(self, text: str) -> bool:
        if self._text != text:
            return False
        self._advance()
        return True

    def _advance(self, *, inside: bool = True) -> None:
        """Go to the next token; what stood in front of this one goes to the statement being read."""
        for text, at in self._trivia:
            bare = text.lstrip("%")
            self._gatherer.between(";" * (len(text) - len(bare)) + bare, at, inside=inside)
        self._trivia.clear()
        self._end = self._at + len(self._text)
        for match in self._matches:
            text, at = match.group(), match.start()
            if text[0] != "%" and not text[0].isspace():
                self._text, self._at = text, at
                return
            self._trivia.append((text, at))
        self._text, self._at = "", len(self._source.text)

    def _skip(self, start: int) -> None:
        """After a mistake, go on behind the next full stop, or where a line starts with a name."""
        while self._text and not self._take("."):
            if self._at > start and self._source.place(self._at).column == 1 and _NAME.fullmatch(self._text):
                return
            self._advance()


_NOT, _AND, _OR = Node("not"), Node("and"), Node("or")


def _joined(connective: Node, parts: list[Node], at: int) -> Node:
    return parts[0] if len(parts) == 1 else Node([connective, *parts], at)


def _deep(node: Node) -> bool:
    """Whether a statement is nested too deep."""
    layer = [node]
    for _ in range(MAX_DEPTH + 1):
        layer = [part for each in layer for part in each.parts]
        if not layer:
            return False
    return True


def _shown(text: str) -> str:
    return text if text.isprintable() else ascii(text)[1:-1]
