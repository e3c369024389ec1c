"""GDL one state at a time: clingo works out what the rules say of a single state, and nothing is compiled.

Slow to play with and quick to begin with: it is what a player moves by while its rules are still being compiled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import clingo

from ludarium.core import GameError, LudariumError
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable, role_names

_GIVEN = {"true", "does"}


@dataclass(frozen=True)
class Facts:
    """A state: what holds, and what each role has seen on the way here."""

    holds: frozenset[str]
    seen: tuple[frozenset[str], ...] = field(compare=False, default=())


class Interpreter:
    """A game as its rules say; moves and facts are prefix texts, and chance is the role `random` like any other."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        ready = prepared(rules)
        self.roles = tuple(role_names(ready))
        self.hides = any(rule.head.name == "sees" for rule in ready)
        self._words = Words()
        questions: list[tuple[str, ...]] = [("init",), ("legal", "terminal"), ("next", "sees")]
        self._programs = {wanted: "\n".join(map(self._words.rule, _needed(ready, wanted))) for wanted in questions}
        self._known: tuple[Facts, list[list[str]], bool] | None = None

    def initial(self) -> Facts:
        """The state that a match begins with."""
        found = self._answers(("init",), [])
        return Facts(frozenset(fact for (fact,) in found["init"]), (frozenset(),) * len(self.roles))

    def legal(self, state: Facts, role: int) -> list[str]:
        """List the legal moves of a role, sorted."""
        return self._looked_at(state)[0][role]

    def over(self, state: Facts) -> bool:
        """Whether the game has ended."""
        return self._looked_at(state)[1]

    def after(self, state: Facts, joint: Sequence[str]) -> Facts:
        """Make the next state from a move for each role."""
        does = [
            Term("does", (parse_term(role), parse_term(move))) for role, move in zip(self.roles, joint, strict=True)
        ]
        found = self._answers(("next", "sees"), [*_true(state), *does])
        seen = [frozenset(what for who, what in found["sees"] if who == role) for role in self.roles]
        return Facts(frozenset(fact for (fact,) in found["next"]), tuple(seen))

    def percepts(self, state: Facts, role: int) -> frozenset[str]:
        """What a role saw on arriving here."""
        return state.seen[role]

    def facts(self, state: Facts) -> frozenset[str]:
        """What holds."""
        return state.holds

    def _looked_at(self, state: Facts) -> tuple[list[list[str]], bool]:
        if self._known is None or self._known[0] is not state:
            found = self._answers(("legal", "terminal"), _true(state))
            moves = [sorted(move for who, move in found["legal"] if who == role) for role in self.roles]
            self._known = state, moves, bool(found["terminal"])
        return self._known[1:]

    def _answers(self, wanted: tuple[str, ...], given: Iterable[Term]) -> dict[str, list[tuple[str, ...]]]:
        """Work out all that holds of some relations."""
        control = clingo.Control(["--warn=none"], message_limit=0, logger=lambda *_: None)
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        try:
            control.add("base", [], self._programs[wanted])
            control.add("base", [], "\n".join(self._words.rule(Rule(each)) for each in given))
            control.ground([("base", [])])
            with control.solve(yield_=True) as handle:
                model = handle.model()
                for symbol in model.symbols(atoms=True) if model is not None else ():
                    if symbol.name in wanted:
                        found[symbol.name].append(tuple(map(self._words.text, symbol.arguments)))
        except RuntimeError as problem:
            raise LudariumError(f"the rules cannot be worked out: {problem}") from problem
        if model is None:
            raise GameError("the rules contradict themselves")
        return found


def _true(state: Facts) -> list[Term]:
    return [Term("true", (parse_term(fact),)) for fact in state.holds]


def _needed(rules: Sequence[Rule], wanted: Iterable[str]) -> list[Rule]:
    """The rules that some relations follow from."""
    by_head: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.head.name].append(rule)
    found, queue = set(wanted), list(wanted)
    while queue:
        bodies = {x.atom.name for rule in by_head[queue.pop()] for x in rule.body} - found
        found |= bodies
        queue += bodies
    return [rule for rule in rules if rule.head.name in found]


class Words:
    """Rules in clingo's syntax, with numbers for names: what a description calls things never becomes code."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def rule(self, rule: Rule) -> str:
        """Write a rule."""
        head, body = self._atom(rule.head), ",".join(map(self._literal, rule.body))
        return f"{head}:-{body}." if body else f"{head}."

    def text(self, symbol: clingo.Symbol) -> str:
        """Write a symbol as the prefix text that it stands for."""
        name = self._names[int(symbol.name[1:])]
        if symbol.name[0] == "c":
            return name
        parts = [self.text(part) for part in symbol.arguments[1:]]
        return f"({' '.join([name, *parts])})"

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            self._numbers[name] = len(self._names)
            self._names.append(name)
        return self._numbers[name]

    def _literal(self, literal: Literal) -> str:
        if literal.atom.name == "distinct":
            one, other = map(self._term, literal.atom.args or ())
            return f"{one}{'=' if literal.negative else '!='}{other}"
        return f"{'not ' if literal.negative else ''}{self._atom(literal.atom)}"

    def _atom(self, atom: Term) -> str:
        known = atom.name in _GIVEN or atom.name in ("init", "legal", "terminal", "next", "sees", "role", "goal")
        name = atom.name if known else f"r{self._number(atom.name)}_{atom.arity}"
        return f"{name}({','.join(map(self._term, atom.args))})" if atom.args else name

    def _term(self, term: Argument) -> str:
        if isinstance(term, Variable):
            return f"V{self._number(term.name)}"
        if term.args is None:
            return f"c{self._number(term.name)}"
        # The dot keeps (f), which has no arguments, apart from f.
        return f"f{self._number(term.name)}({','.join(['0', *map(self._term, term.args)])})"
