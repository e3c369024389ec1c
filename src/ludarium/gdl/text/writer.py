"""Writing rules as prefix (.kif) or infix (.hrf) text: easy to read, and read back as the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludarium.core.errors import LudariumError
from ludarium.gdl.text.meaning import connective, rules, word_fault
from ludarium.gdl.text.names import canonical, infix_name
from ludarium.gdl.text.sheet import Node, Source, Statement
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable

_WIDTH = 80  # a statement that is longer has one condition per line


def prefix(written: Iterable[Rule | Statement], ending: Sequence[str] = ()) -> str:
    """Write rules as prefix text, or statements with their comments.

    >>> rule = Rule(Term("open"), (Literal(Term("cell", (Variable("x"), Term("b")))),))
    >>> print(prefix([rule]), end="")
    (<= open (cell ?x b))
    """
    lines: list[str] = []
    for statement in map(_statement, written):
        lines += statement.before
        for node in _without_and(statement.node):
            lines += _prefix_lines(node, "")
        lines[-1] += f" {statement.after}" if statement.after else ""
    return "".join(f"{line}\n" for line in (*lines, *ending))


def infix(written: Iterable[Rule | Statement], ending: Sequence[str] = ()) -> str:
    """Write rules as infix text, or statements with their comments.

    >>> rule = Rule(Term("open"), (Literal(Term("cell", (Variable("x"), Term("b"))), negative=True),))
    >>> print(infix([rule]), end="")
    open :- ~cell(X,b)
    """
    lines: list[str] = []
    for statement in map(_statement, written):
        lines += map(_percent, statement.before)
        lines += _infix_lines(statement.node)
        lines[-1] += f" {_percent(statement.after)}" if statement.after else ""
    return "".join(f"{line}\n" for line in (*lines, *map(_percent, ending)))


def _statement(written: Rule | Statement) -> Statement:
    if isinstance(written, Statement):
        return written
    head = _atom(written.head)
    return Statement(Node([Node("<="), head, *map(_literal, written.body)]) if written.body else head)


def _literal(literal: Literal) -> Node:
    atom = _atom(literal.atom)
    return Node([Node("not"), atom]) if literal.negative else atom


def _atom(atom: Term) -> Node:
    bracketed = atom.args is None and atom.name[:1] == "("  # as the reader names it, where it is not the one without
    node = _node(Term(atom.name[1:-1], ()) if bracketed else atom)
    if connective(node):
        raise LudariumError(f"a relation cannot have the name '{atom.name}'")
    return node


def _node(term: Argument) -> Node:
    word = f"?{term.name}" if isinstance(term, Variable) else term.name
    mistaken = isinstance(term, Term) and (word[:1] in ("", "?") or word != canonical(word))
    if mistaken or word_fault(word):
        raise LudariumError(f"the name {term.name!a} cannot be written in a rules file")
    if isinstance(term, Variable) or term.args is None:
        return Node(word)
    return Node([Node(word), *map(_node, term.args)])


def _without_and(node: Node) -> list[Node]:
    """Do without `and`, which prefix GDL does not know: flatten the rule or spell it out."""
    if not node.is_rule or not _has_and(node):
        return [node]
    start, head, *body = node.parts
    while any(connective(part) == "and" for part in body):
        body = [each for part in body for each in (part.parts[1:] if connective(part) == "and" else [part])]
    flat = Node([start, head, *body], node.at)
    if not _has_and(flat):
        return [flat]
    return [_statement(rule).node for rule in rules([Statement(flat)], Source("", "<rules>"), whole=False)]


def _has_and(node: Node) -> bool:
    name = connective(node)
    return name == "and" or ((bool(name) or node.is_rule) and any(map(_has_and, node.parts[1:])))


def _prefix_lines(node: Node, indent: str) -> list[str]:
    """Use one line if it fits, else a line for each condition."""
    text = f"{indent}{node}"
    if len(text) <= _WIDTH or not (node.is_rule or connective(node)):
        return [text]
    kept = 2 if node.is_rule else 1  # what stays on the first line: `<= head`, `or`
    if len(node.parts) <= kept:
        return [text]
    lines = [f"{indent}({' '.join(map(str, node.parts[:kept]))}"]
    for part in node.parts[kept:]:
        lines += _prefix_lines(part, indent + "    ")
    lines[-1] += ")"
    return lines


def _infix_lines(node: Node) -> list[str]:
    if not node.is_rule:
        return [_term(node)]
    _, head, *body = node.parts
    if not body:
        return [_term(head)]
    parts = [_condition(part, outermost=len(body) == 1) for part in body]
    text = f"{_term(head)} :- {' & '.join(parts)}"
    if len(text) <= _WIDTH:
        return [text]
    return [f"{_term(head)} :-", *(f"  {part} &" for part in parts[:-1]), f"  {parts[-1]}"]


def _condition(node: Node, *, outermost: bool = False) -> str:
    """Write a condition; in parentheses if it has several parts and stands among others."""
    name = connective(node)
    if not name:
        return _term(node)
    if name == "not":
        return f"~{_condition(node.parts[1])}"
    parts = node.parts[1:]
    if len(parts) == 1:
        return _condition(parts[0], outermost=outermost)
    text = (" & " if name == "and" else " | ").join(map(_condition, parts))
    return text if outermost else f"({text})"


def _term(node: Node) -> str:
    if isinstance(node.value, str):
        return infix_name(canonical(node.value))
    name, *parts = map(_term, node.parts)
    return f"{name}({','.join(parts)})"


def _percent(comment: str) -> str:
    bare = comment.lstrip(";")
    return "%" * (len(comment) - len(bare)) + bare
