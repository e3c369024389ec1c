"""The network as flat tables, and where the parts of a state lie in its block."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from ludarium.gdl.network.network import FALSE, TRUE, Network
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term
from ludarium.kernel import data, i16, i32, i64, u32, u64

if TYPE_CHECKING:
    from ludarium.gdl.ground.history import History

# Places in the table `at`: offsets of the parts of a block, in bytes, then counts.
BASE, PENDING, LEGAL, DIFF, SUMMARY, SEEN, COUNTERS, STACK, PAST, END = range(10)
FACTS, DOES, GATES, ROLES, GROUPS, TERMINAL, CHANCE, PORTS, CODES, LAZY = range(16, 26)


@dataclass
class Layout:
    """The tables that the kernels of a game are made with."""

    tables: dict[str, Any]
    codes: list[str]
    """The text of each move code."""

    block: int
    max_moves: int
    loops: bool
    history: bool
    at: list[int]
    past_words: list[int]
    past_facts: list[int]
    """For each mark of positions that are remembered: the fact that tells so, and the one that asks for it; then whether all
    are kept. -1 where there is none."""


def lay_out(net: Network, roles: int, chance: int, history: History | None = None) -> Layout:
    """Make the tables; `chance` is the number of the role that is played by chance, or -1."""
    facts, gates = len(net.facts), net.size
    looped = sorted(gate for first, end in net.components for gate in range(first, end))
    ports = {gate: gates + place for place, gate in enumerate(looped)}
    fed, late, kick, inner = _fans(net, ports)
    codes = sorted({move for _, move in net.does})
    bits, groups = _moves(net, codes)
    memory, past, past_words = _past(net, history)
    past_facts = _past_facts(net, history)
    at = _offsets(net, roles, gates + len(ports), groups, chance, len(codes), past)
    tables = {
        "at": data("at", i64, array("q", at)),
        "start": data("start", i16, array("h", _starts(net, ports))),
        "initial": data("initial", i32, array("i", [p for p in range(facts) if net.initial[p]])),
        "groups": data("groups", i32, array("i", [x for g in groups for x in g])),
        "role_groups": data("role_groups", i32, array("i", [sum(g[0] < r for g in groups) for r in range(roles + 1)])),
        "bit_code": data("bit_code", i32, array("i", [c for c, _ in bits["slots"]])),
        "bit_does": data("bit_does", i32, array("i", [d for _, d in bits["slots"]])),
        "code_does": data("code_does", i32, array("i", _code_does(net, codes, roles))),
        "goals": data(
            "goals",
            i32,
            array("i", [x for g in net.goals for v, lit in g for x in (v, lit)]),
        ),
        "role_goals": data("role_goals", i32, array("i", accumulate(map(len, net.goals), initial=0))),
        "sees": data("sees", i32, array("i", [x for r, s in enumerate(net.sees) for _, lit in s for x in (r, lit)])),
        "components": data("components", i32, array("i", [x for c in net.components for x in c])),
        "component_of": data("component_of", i32, array("i", _component_of(net, ports, gates))),
    }
    fixed = [bit for literal, bit in bits["places"] if literal == TRUE or (literal >= 0 and literal & 1)]
    rising = [fact for fact, literal in enumerate(net.next) if literal == TRUE or (literal >= 0 and literal & 1)]
    tables["fixed_bits"] = data("fixed_bits", i32, array("i", fixed))
    tables["fixed_diff"] = data("fixed_diff", i32, array("i", rising))
    edges, edge_at, feeders = _lazy_fans(late)
    tables["feeders"] = data("feeders", i32, array("i", feeders))
    tables["lazy_start"] = data("lazy_start", i16, array("h", _lazy_starts(net)))
    tables |= {
        "lazy_at": data("lazy_at", u32, array("I", edge_at)),
        "lazy": data("lazy", i32, array("i", edges)),
    }
    flips = _flips(net, bits, 8 * at[LEGAL] - 8 * at[PENDING], 8 * at[DIFF] - 8 * at[PENDING], kick)
    tables |= _nodes(net, fed, flips) | _rows("inner", inner, gates if ports else 0)
    counts = Counter(role for role, _ in net.does)
    tables |= memory
    return Layout(
        tables,
        codes,
        at[END],
        max(counts.values(), default=1),
        bool(ports),
        history is not None,
        at,
        past_words,
        past_facts,
    )


POSITIONS = 1024
"""How many positions a game can remember."""


def _past(net: Network, history: History | None) -> tuple[dict[str, Any], int, list[int]]:
    """Tables of what is remembered, and the bytes that it takes: a count, then hashes, marks and words of positions."""
    covered = [k for k, text in enumerate(net.facts) if history and text[:2] != "( " and _covers(history, text)]
    words = array("I", sorted({k >> 6 for k in covered}))
    masks = [sum(1 << (k & 63) for k in covered if k >> 6 == word) for word in words]
    facts = _past_facts(net, history)
    literals = [net.next[fact] if fact >= 0 else FALSE for fact in facts]
    marks = [x for k in range(0, len(facts) - 1, 2) for x in (facts[k], literals[k + 1])]
    keep = literals[-1]
    tables = {
        "past_words": data("past_words", u32, words),
        "past_masks": data("past_masks", u64, array("Q", masks)),
        "past_marks": data("past_marks", i32, array("i", [*marks, keep])),
    }
    return tables, 8 * (1 + POSITIONS * (2 + len(words))) if history else 0, list(words)


def _past_facts(net: Network, history: History | None) -> list[int]:
    place = {text: k for k, text in enumerate(net.facts)}
    return [place.get(text, -1) for text in history.asked] if history else [-1]


def _covers(history: History, text: str) -> bool:
    term = parse_term(text)
    return isinstance(term, Term) and history.covers(term)


def _component_of(net: Network, ports: dict[int, int], gates: int) -> list[int]:
    of = [0] * len(ports)
    for number, (first, end) in enumerate(net.components):
        for gate in range(first, end):
            of[ports[gate] - gates] = number
    return of


Fans = dict[int, list[int]]


def _fans(net: Network, ports: dict[int, int]) -> tuple[Fans, Fans, Fans, Fans]:
    """What each literal feeds: counters (2 * gate, plus 1 if negatively), gates for goals, gates it triggers, its loop.

    What eager gates feed among those that only goals need is kept apart: it is only needed when goals are.
    """
    fed, late, kick, inner = (defaultdict[int, list[int]](list) for _ in range(4))
    number = {gate: k for k, (first, end) in enumerate(net.components) for gate in range(first, end)}
    gate = len(net.facts) + len(net.does)
    for literals, trigger in zip(net.inputs, net.trigger, strict=True):
        if trigger >= 0:
            kick[trigger].append(gate)
        elif gate in number:
            for x in literals:
                if number.get(x >> 1) == number[gate]:
                    inner[x].append(gate)
                else:
                    fed[x].append(2 * ports[gate] | x & 1)
        elif gate < net.lazy:
            double = 2 * gate
            for x in literals:
                fed[x].append(double | x & 1)
        else:
            for x in literals:
                if x >> 1 < net.lazy:
                    late[x].append(gate)
                else:
                    fed[x].append(2 * gate | x & 1)
        gate += 1
    return fed, late, kick, inner


def _lazy_fans(late: Fans) -> tuple[list[int], list[int], list[int]]:
    """What each eager gate feeds among lazy ones, positively and negatively: the edges, where they begin, the gates."""
    edges: list[int] = []
    starts: list[int] = []
    feeders = sorted({x >> 1 for x in late})
    for gate in feeders:
        for x in (2 * gate, 2 * gate + 1):
            starts.append(len(edges))
            edges += late.get(x, ())
    return edges, [*starts, len(edges)], feeders


def _lazy_starts(net: Network) -> list[int]:
    """The counters of lazy gates while everything that feeds them is off."""
    inputs = len(net.facts) + len(net.does)
    on: set[int] = set()
    counters = []
    for gate in range(net.lazy, net.size):
        literals = net.inputs[gate - inputs]
        count = sum(1 for x in literals if (x >> 1 in on) != bool(x & 1)) - net.threshold[gate - inputs]
        counters.append(count)
        if count >= 0:
            on.add(gate)
    return counters


def _starts(net: Network, ports: dict[int, int]) -> list[int]:
    """Each counter before any input is satisfied: a gate is on from 0 up."""
    inputs = len(net.facts) + len(net.does)
    waits = zip(net.threshold, net.trigger, strict=True)
    starts = [-1] * inputs + [-1 if trigger >= 0 else -t for t, trigger in waits]
    return starts + [starts[gate] for gate in ports]


def _moves(net: Network, codes: list[str]) -> tuple[dict[str, Any], list[tuple[int, int, int, int]]]:
    """A bit per move, each group beginning with a new word; groups are (role, guard, first word, end word)."""
    code_of = {text: number for number, text in enumerate(codes)}
    does_of = {pair: len(net.facts) + place for place, pair in enumerate(net.does)}
    slots: list[tuple[int, int]] = []
    places: list[tuple[int, int]] = []  # (literal, bit)
    groups = []
    for moves in sorted(net.moves, key=lambda m: m.role):
        if moves.guard == FALSE:
            continue
        first = len(slots)
        for name, literal in zip(moves.names, moves.gates, strict=True):  # without the gaps that words leave
            places.append((literal, len(slots)))
            slots.append((code_of[name], does_of[moves.role, name]))
        slots += [(0, -1)] * (-len(slots) % 64)
        groups.append((moves.role, moves.guard, first // 64, len(slots) // 64))
    return {"slots": slots, "places": places}, groups


def _flips(net: Network, bits: dict[str, Any], legal: int, diff: int, kick: Fans) -> Fans:
    """Bits that change with a gate, counted from the first pending one: gates that wait, moves, facts to come."""
    flips: Fans = defaultdict(list)
    for x, waiting in kick.items():
        flips[x >> 1] += waiting
    for literal, bit in bits["places"]:
        if literal >= 0:
            flips[literal >> 1].append(legal + bit)
    for fact, literal in enumerate(net.next):
        if literal >= 0:
            flips[literal >> 1].append(diff + fact)
    return flips


def _nodes(net: Network, fed: Fans, flips: Fans) -> dict[str, Any]:
    """Per gate, where its lists begin.

    The counters that it feeds (2 * gate, plus 1 if it feeds it negatively), the bits that change with it, their end,
    and the literals that it reads if it waits for a move; these end with -1.
    """
    size, pull, pulls = net.size, [-1], [0] * (len(net.facts) + len(net.does))
    for literals, trigger in zip(net.inputs, net.trigger, strict=True):
        pulls.append(len(pull) if trigger >= 0 else 0)
        if trigger >= 0:
            pull += literals
            pull.append(-1)
    lists: list[Sequence[int]] = [()] * (3 * size)
    for x, some in fed.items():
        lists[(x >> 1) * 3 + (x & 1)] = some
    for gate, some in flips.items():
        lists[3 * gate + 2] = some
    at = array("i", accumulate(map(len, lists), initial=0))
    nodes = array("i", bytes(16 * size))
    nodes[::4], nodes[1::4], nodes[2::4], nodes[3::4] = at[:-1:3], at[2::3], at[3::3], array("i", pulls)
    found = ("nodes", nodes), ("fan", array("i", chain.from_iterable(lists))), ("pull", array("i", pull))
    return {k: data(k, i32, v) for k, v in found}


def _code_does(net: Network, codes: list[str], roles: int) -> list[int]:
    table = [-1] * (roles * len(codes))
    code_of = {text: number for number, text in enumerate(codes)}
    for place, (role, move) in enumerate(net.does):
        table[role * len(codes) + code_of[move]] = len(net.facts) + place
    return table


def _rows(name: str, lists: Fans, count: int) -> dict[str, Any]:
    """Lists of different lengths in one table, and where each of them starts."""
    starts, items = array("I"), array("i")
    for gate in range(count):
        starts.append(len(items))
        items.extend(lists.get(2 * gate, ()))
    starts.append(len(items))
    return {f"{name}_at": data(f"{name}_at", u32, starts), name: data(name, i32, items)}


def _offsets(  # noqa: PLR0917
    net: Network, roles: int, counters: int, groups: list[Any], chance: int, codes: int, past: int
) -> list[int]:
    words = -(-len(net.facts) // 64)
    legal = max((g[3] for g in groups), default=0)
    pending = -(-counters // 64)
    sees = sum(len(s) for s in net.sees)
    loops = max((end - first for first, end in net.components), default=0)
    sizes = [8 * words, 8 * pending, 8 * legal, 8 * words, 8 * (-(-(pending + legal + words) // 64))]
    sizes += [8 * (-(-sees // 64)), 2 * counters, 8 * loops, past]
    at, offset = [], 0
    for size in sizes:
        at.append(offset)
        offset += -(-size // 8) * 8
    at += [offset]
    at += [0] * (16 - len(at))
    return [
        *at,
        len(net.facts),
        len(net.does),
        net.size,
        roles,
        len(groups),
        net.terminal,
        chance,
        counters - net.size,
        codes,
        net.lazy,
    ]
