"""From rules to ground rules, with clingo: what can ever be true, and which rules can ever fire.

Two readings of every dynamic relation go into one program. The relaxed one (what is possible, ignoring negation)
consists of facts and is worked out during grounding; it supplies the domains. The exact one is what comes out: its
`true` and `does` atoms are free choices, everything else is derived. Names never reach clingo as text, only as
numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress, islice

from ludarium.gdl.ground.large import GroundingTooLarge
from ludarium.gdl.ground.outside import TooManyInstances, grounded, work_of
from ludarium.gdl.ground.specialise import specialise, unfold
from ludarium.gdl.ground.split import split
from ludarium.gdl.text.syntax import Argument, Literal, Rule, Term, Variable, role_names

SHOWN = (
    ("true", 1),
    ("next", 1),
    ("does", 2),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
    ("init", 1),
    ("sees", 2),
)
_SAMPLE = 3000  # rows of a relation, from which it is told how dense it is
MAX_RULES = 300_000
"""Games with more instances than this play faster without grounding."""


@dataclass
class Ground:
    """Ground rules over numbered atoms; `names` knows those that mean something outside."""

    roles: list[str] = field(default_factory=list)
    rules: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    """(head, body); a negative number in a body is a negated atom. Choices are left out: they are inputs."""

    names: dict[str, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    """names["true"]["(cell 1 1 b)"] is an atom; moves are named as "role move" without the bracket of `legal`."""

    facts: set[int] = field(default_factory=set)
    excess: float = 0.0
    """How many times more facts or moves are possible than are declared; 0 if nothing is declared."""


def ground(
    rules: Sequence[Rule],
    *,
    possible: Sequence[Term] = (),
    max_rules: int = MAX_RULES,
    trust: bool = False,
) -> Ground:
    """Ground a description; `possible` are facts that may hold although no rule brings them about.

    With `trust`, nothing is thought to follow from facts and moves that are not declared (`base`, `input`).
    """
    rules = specialise(rules)
    dynamic = dynamic_relations(rules)
    rules = unfold(rules, dynamic)
    densities = _Densities([r for r in rules if r.head.name not in dynamic])
    small = split(rules, dynamic, densities)
    dynamic |= {rule.head.name for rule in small if rule.head.name.startswith(" ")}
    text = _Text()
    program = _program(small, dynamic, text, trust=trust)
    program += "".join(f"ptrue({text.term(fact)}).\n" for fact in possible)
    result = _run(program, small, text, max_rules)
    result.roles = role_names(rules)
    return result


def dynamic_relations(rules: Iterable[Rule]) -> frozenset[str]:
    """The relations that depend on the state or on moves."""
    found = {"true", "does", "next", "legal"}
    users = defaultdict(set)
    for rule in rules:
        for literal in rule.body:
            users[literal.atom.name].add(rule.head.name)
    queue = ["true", "does"]
    while queue:
        for user in users[queue.pop()] - found:
            found.add(user)
            queue.append(user)
    return frozenset(found)


class _Numbers:
    """Names as numbers, in both directions."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self.names: list[str] = []

    def __call__(self, name: str) -> int:
        if name not in self.of:
            self.of[name] = len(self.names)
            self.names.append(name)
        return self.of[name]


class _Text:
    """Rules in clingo's syntax."""

    def __init__(self) -> None:
        self.numbers = _Numbers()
        self.variables = _Numbers()

    def term(self, term: Argument) -> str:
        if isinstance(term, Variable):
            return f"V{self.variables(term.name)}"
        if term.args is None:
            return f"c{self.numbers(term.name)}"
        return f"f{self.numbers(term.name)}({','.join(map(self.term, term.args))})"

    def atom(self, atom: Term, prefix: str = "") -> str:
        fixed = {name for name, _ in SHOWN} | {"role", "base", "input"}
        name = atom.name if atom.name in fixed else f"r{self.numbers(atom.name)}_{atom.arity}"
        arguments = f"({','.join(map(self.term, atom.args))})" if atom.args else ""
        return f"{prefix}{name}{arguments}"

    def literal(self, literal: Literal, prefix: str = "") -> str:
        if literal.atom.name == "distinct":
            a, b = (self.term(x) for x in literal.atom.args or ())
            return f"{a}{'=' if literal.negative else '!='}{b}"
        return f"{'not ' if literal.negative else ''}{self.atom(literal.atom, prefix)}"

    def rule(self, head: str, body: Iterable[str]) -> str:
        parts = ",".join(body)
        return f"{head}:-{parts}." if parts else f"{head}."


def _program(rules: Sequence[Rule], dynamic: frozenset[str], text: _Text, *, trust: bool) -> str:
    lines = []
    names, possible = {r.head.name for r in rules}, _behind(rules)
    for rule in rules:
        if rule.head.name not in dynamic:
            lines.append(text.rule(text.atom(rule.head), map(text.literal, rule.body)))
            continue
        relaxed = [
            text.literal(x, "p" if x.atom.name in dynamic else "")
            for x in rule.body
            if not (x.negative and x.atom.name in dynamic)
        ]
        if rule.head.name in possible and not _keeps(rule):
            lines.append(text.rule(text.atom(rule.head, "p"), relaxed))
        if not rule.head.name.endswith(" domain"):
            body = [text.literal(x, "p" if x.atom.name.endswith(" domain") else "") for x in rule.body]
            lines.append(text.rule(text.atom(rule.head), body))
    base = ",base(F)" if trust and "base" in names else ""
    made = ",input(R,M)" if trust and "input" in names else ""
    lines += ["ptrue(F):-init(F).", f"ptrue(F):-pnext(F){base}.", f"pdoes(R,M):-plegal(R,M){made}."]
    lines += ["{true(F)}:-ptrue(F).", "{does(R,M)}:-pdoes(R,M)."]
    if trust:  # what is not declared can be seen to come up, though nothing is thought to follow from it
        lines += ["{true(F)}:-pnext(F).", "{does(R,M)}:-plegal(R,M)."]
    lines += [f"#show {name}/{arity}." for name, arity in SHOWN]
    return "\n".join(lines) + "\n"


def _behind(rules: Sequence[Rule]) -> set[str]:
    """The relations that facts and moves, or domains, come from: only of them does it matter what is possible."""
    bodies: dict[str, set[str]] = defaultdict(set)
    for rule in rules:
        bodies[rule.head.name] |= {x.atom.name for x in rule.body if not x.negative}
    found = {"next", "legal"} | {name for name in bodies if name.endswith(" domain")}
    queue = list(found)
    while queue:
        more = bodies[queue.pop()] - found
        found |= more
        queue += more
    return found


def _keeps(rule: Rule) -> bool:
    """Whether a rule only says that a fact stays, which makes nothing new possible."""
    return rule.head.name == "next" and any(
        x.atom.name == "true" and not x.negative and x.atom.args == rule.head.args for x in rule.body
    )


def _run(program: str, rules: Sequence[Rule], text: _Text, max_rules: int) -> Ground:
    try:
        found, declared = grounded(program, work_of(rules), max_rules)
    except TooManyInstances as large:
        facts, moves = (large.sizes.get(relation, 0) for relation in (("ptrue", 1), ("pdoes", 2)))
        raise GroundingTooLarge(max_rules, _largest(large.sizes, text), facts=facts, moves=moves) from None
    result = Ground(rules=found.rules, facts=found.facts)
    reader, texts = _Names(text.numbers.names), dict[str, str]()
    for symbol, atom in found.shown:
        kind, _, rest = symbol.partition("(")
        if rest not in texts:  # as `true` and `next` have it, or `does` and `legal`
            texts[rest] = reader.arguments(rest[:-1])
        result.names[kind][texts[rest]] = atom
    possible = {("base", 1): len(result.names["true"]), ("input", 2): len(result.names["does"])}
    result.excess = max((possible[relation] / size for relation, size in declared.items() if size), default=0.0)
    return result


def _largest(sizes: dict[tuple[str, int], int], text: _Text) -> str:
    """The relation with the most atoms, or the first with very many."""
    name, arity = max(sizes, key=sizes.__getitem__, default=("", 0))
    number = name.removeprefix("p").removeprefix("r").partition("_")[0]
    known = text.numbers.names[int(number)] if number.isdigit() else name.removeprefix("p")
    return f"a part of a rule with {arity} variables" if known.startswith(" ") else f"'{known}' with {arity} arguments"


class _Names(dict[str, str]):
    """From clingo's symbols back to prefix text, part by part."""

    def __init__(self, names: list[str]) -> None:
        super().__init__({")": ")"})
        self._names = names

    def arguments(self, text: str) -> str:
        """`c1,f2(c3,c4)` as `a (b c d)`."""
        parts = text.replace("(", "(,").replace(")", ",)").split(",")
        return " ".join(map(self.__getitem__, parts)).replace(" )", ")")

    def __missing__(self, part: str) -> str:
        name = self._names[int(part[1:].removesuffix("("))] if part else ""
        self[part] = f"({name}" if part[-1:] == "(" else f"({name})" if part[:1] == "f" else name
        return self[part]


class _Densities:
    """How dense static relations are, worked out when first asked for."""

    def __init__(self, static: Sequence[Rule]) -> None:
        self._rules: dict[str, list[Rule]] = defaultdict(list)
        for rule in static:
            self._rules[rule.head.name].append(rule)
        self._static = static
        self._extents: dict[tuple[str, int], list[tuple[str, ...]]] = {}
        self._known: dict[tuple[str, tuple[bool, ...], tuple[bool, ...]], float] = {}

    def __call__(self, atom: Term, left: frozenset[str], right: frozenset[str]) -> float:
        names = [v.name if isinstance(v, Variable) else "" for v in atom.args or ()]
        question = atom.name, tuple(n in left for n in names), tuple(n in right for n in names)
        if question not in self._known:
            self._known[question] = _density(self._extent(atom), *question[1:])
        return self._known[question]

    def _extent(self, atom: Term) -> list[tuple[str, ...]]:
        relation = atom.name, atom.arity
        if relation not in self._extents:
            below = self._below(atom.name)
            self._extents[relation] = _sample(atom, [rule for rule in self._static if rule.head.name in below])
        return self._extents[relation]

    def _below(self, name: str) -> set[str]:
        """The relations that one is made of; to work out all others, too, can take long."""
        found, queue = {name}, [name]
        while queue:
            body = {x.atom.name for rule in self._rules.get(queue.pop(), ()) for x in rule.body}
            queue += body - found
            found |= body
        return found


def _density(rows: list[tuple[str, ...]], left: tuple[bool, ...], right: tuple[bool, ...]) -> float:
    """The share of all pairs of some columns and others that a table has."""
    distinct = {(tuple(compress(row, left)), tuple(compress(row, right))) for row in rows}
    size = len({a for a, _ in distinct}) * len({b for _, b in distinct})
    return len(distinct) / size if size else 0.0


def _row(atom: str) -> tuple[str, ...]:
    """The arguments of an atom that is written as clingo does."""
    parts = atom.partition("(")[2][:-1].split(",")
    if "(" not in atom[atom.find("(") + 1 :]:
        return tuple(parts)
    row, depth = [""], 0
    for part in parts:
        row[-1] += f",{part}" if depth else part
        depth += part.count("(") - part.count(")")
        row += [] if depth else [""]
    return tuple(row[:-1])


def _sample(atom: Term, rules: Sequence[Rule]) -> list[tuple[str, ...]]:
    """Some rows of a relation; none if it takes too many to know them."""
    text = _Text()
    lines = [text.rule(text.atom(rule.head), map(text.literal, rule.body)) for rule in rules]
    name = text.atom(atom).partition("(")[0]
    lines.append(f"#show {name}/{atom.arity}.")
    try:
        found, _ = grounded("\n".join(lines), work_of(rules), MAX_RULES)
    except TooManyInstances:
        return []
    return [_row(symbol) for symbol, _ in islice(found.shown, _SAMPLE)]
