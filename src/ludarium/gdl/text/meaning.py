"""From what is written to what is meant: rules, with `or` spelt out and `not` before atoms only."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from ludarium.core.limits import limits
from ludarium.gdl.text.names import canonical
from ludarium.gdl.text.sheet import Node, Source, Statement
from ludarium.gdl.text.syntax import KEYWORDS, Argument, Literal, Rule, Term, Variable

MAX_ALTERNATIVES = 4096
"""A rule whose `or`s spell out to more rules than this is refused."""

MAX_REPEATED = 2_000_000
"""Spelling out the `or`s of a whole file may repeat this many conditions."""

MAX_NAME = 1_000
"""A name with more characters is refused: none that means something is so long, and Python refuses longer numbers."""

_CONNECTIVES = frozenset(
    "".join(letters) for word in ("not", "or", "and") for letters in product(*zip(word, word.upper(), strict=True))
)  # in any case, since almost every condition is compared with them

_SIMPLER = "give each 'or' a relation of its own, with one rule per alternative"

Body = tuple[Literal, ...]


def rules(statements: Iterable[Statement], source: Source, *, whole: bool = True) -> list[Rule]:
    """Make the rules that the statements of a text stand for; raise all that is wrong with it at once.

    Only a `whole` text can tell what `(open)` means; in a part of one it is kept as it is.
    """
    meaning = _Meaning(source)
    found: list[Rule] = []
    for statement in statements:
        try:
            found += meaning.statement(statement.node)
        except _Wrong as wrong:
            source.problem(*wrong.args)
    if not found and not source.problems:
        source.problem(0, "there are no rules here")
    source.check()
    return meaning.told_apart(found) if whole else found


def argument(node: Node, source: Source) -> Argument:
    """Make the term that a node stands for."""
    try:
        return _Meaning(source).term(node)
    except _Wrong as wrong:
        source.problem(*wrong.args)
        source.check()
        raise


def connective(node: Node) -> str:
    """Tell the connective that a condition starts with: not, or, and; "" if it is an atom."""
    value = node.value
    first = value[0].value if isinstance(value, list) and value else value
    return first.lower() if isinstance(first, str) and first in _CONNECTIVES else ""


class _Wrong(Exception):
    """A statement makes no sense: the position, the message and a hint."""


class _Meaning:
    """Turns nodes into terms and rules; the same word is always the same object."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._words: dict[str, Argument] = {}
        self._repeated = 0
        self._literals = limits().literals
        self._bare: set[str] = set()
        self._bracketed: set[str] = set()
        """Relations without arguments, by how they are written."""

    def statement(self, node: Node) -> list[Rule]:
        """Make the rules that one statement stands for."""
        place = self._source.place(node.at)
        if not node.is_rule:
            return [Rule(self._head(node), (), place)]
        parts = node.parts[1:]
        if not parts:
            raise _Wrong(node.at, "this rule has no head", "write (<= head condition ...)")
        head = self._head(parts[0])
        bodies = self._product([self._condition(part) for part in parts[1:]], node.at)
        longest = max(map(len, bodies), default=0)
        if longest > self._literals:
            hint = "give parts of it relations of their own, or raise the limit: ludarium --limit literals=NUMBER ..."
            raise _Wrong(node.at, f"a rule with {longest} conditions; {self._literals} are allowed", hint)
        return [Rule(head, body, place) for body in bodies]

    def _head(self, node: Node) -> Term:
        if name := connective(node):
            raise _Wrong(node.at, f"'{name}' cannot be stated as a fact or as the head of a rule")
        return self._atom(node)

    def _condition(self, node: Node, *, negative: bool = False) -> list[Body]:
        """Find the alternatives under which a condition holds, or does not."""
        name = connective(node)
        if not name:
            return [(Literal(self._atom(node), negative, self._source.place(node.at)),)]
        parts = node.parts[1:]
        if name == "not":
            if len(parts) != 1:
                raise _Wrong(node.at, f"'not' takes one condition, here are {len(parts)}")
            return self._condition(parts[0], negative=not negative)
        if not parts:
            raise _Wrong(node.at, f"'{name}' needs conditions", f"write ({name} condition condition ...)")
        alternatives = [self._condition(part, negative=negative) for part in parts]
        if (name == "or") == negative:
            return self._product(alternatives, node.at)
        return [body for bodies in alternatives for body in bodies]

    def _product(self, choices: list[list[Body]], at: int) -> list[Body]:
        """Combine one alternative of each choice, in all ways."""
        count = 1
        for bodies in choices:
            count *= len(bodies)
            if count > MAX_ALTERNATIVES:
                raise _Wrong(at, f"the 'or's here stand for more than {MAX_ALTERNATIVES} rules", _SIMPLER)
        self._repeated += sum((count // len(bodies) - 1) * sum(map(len, bodies)) for bodies in choices)
        if self._repeated > MAX_REPEATED:
            message = f"the 'or's up to here repeat more than {MAX_REPEATED} conditions"
            self._source.problem(at, message, _SIMPLER)
            self._source.check()
        return [tuple([literal for body in bodies for literal in body]) for bodies in product(*choices)]

    def _atom(self, node: Node) -> Term:
        """Make a relation with its arguments; `(open)` is kept for now."""
        term = self.term(node)
        if isinstance(term, Variable):
            raise _Wrong(node.at, f"a relation is expected here, not the variable {term}")
        if not term.args:
            (self._bare if term.args is None else self._bracketed).add(term.name)
        return term

    def told_apart(self, rules: list[Rule]) -> list[Rule]:
        """Take `(open)` as `open`, unless both are written: other systems take them as two relations then."""
        if not self._bracketed:
            return rules
        two = (self._bare & self._bracketed) - KEYWORDS

        def told(atom: Term) -> Term:
            return atom if atom.args != () else Term(f"({atom.name})" if atom.name in two else atom.name)

        return [
            Rule(told(rule.head), tuple(Literal(told(x.atom), x.negative, x.place) for x in rule.body), rule.place)
            for rule in rules
        ]

    def term(self, node: Node) -> Argument:
        """Make a variable, a constant, or a name with arguments."""
        value = node.value
        if isinstance(value, str):
            return self._words.get(value) or self._word(value, node.at)
        if not value:
            raise _Wrong(node.at, "there is nothing in these parentheses", "write (name argument ...)")
        first = value[0]
        if not isinstance(first.value, str):
            raise _Wrong(first.at, "a name is expected after '(', not another '('", "write (name argument ...)")
        name = self._words.get(first.value) or self._word(first.value, first.at)
        if isinstance(name, Variable):
            raise _Wrong(first.at, f"a name is expected after '(', not the variable {name}")
        return Term(name.name, tuple([self.term(part) for part in value[1:]]))

    def _word(self, text: str, at: int) -> Argument:
        if fault := word_fault(text):
            raise _Wrong(at, *fault)
        made = Variable(text[1:]) if text[0] == "?" else Term(canonical(text))
        self._words[text] = made
        return made


def word_fault(text: str) -> tuple[str, ...]:
    """Say why a text is no constant and no variable: a message, and perhaps a hint; nothing if it is one."""
    if text == "<=":
        return "'<=' is out of place", "it stands first in a rule: (<= head condition ...)"
    if text == "?":
        return ("a variable needs a name after '?'",)
    if len(text) > MAX_NAME:
        return (f"a name of {len(text):,} characters; {MAX_NAME:,} are allowed",)
    if '"' in text:
        return "a name cannot contain quotation marks", "GDL has no strings, only names"
    odd = next((letter for letter in text if letter in " ();" or not letter.isprintable()), "")
    return (f"a name cannot contain the character {odd!a}",) if odd else ()
