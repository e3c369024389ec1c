"""Moves of all pieces at once: steps, leaps and hops over one site, as sets of the sites that they begin at.

Where a rule leads from a site depends on the board alone, and mostly a direction leads the same number of sites on from wherever
it begins: that is a *lane*. The pieces that can go along a lane are found by turning the set of the sites that they may
come to (and the set of those that they may go over) back by as many bits, and joining it with the set of the pieces
(`numbered.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ludarium.ludii.code.filters import has_filter
from ludarium.ludii.code.script import FORGETFUL, Script
from ludarium.ludii.code.sets import ALL, has_sets, sites_where
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.model import Component, bound, items, text

MOST_LANES = 24
"""With more of them pieces are looked at one by one."""

_PARTS = {
    "move Step": {"moveType", "directions", "from", "to", "then"},
    "move Leap": {"moveType", "walk", "forward", "rotations", "from", "to", "then"},
    "move Hop": {"moveType", "directions", "from", "between", "to", "then"},
}


@dataclass(frozen=True)
class Lane:
    """How far moves lead, where they may begin, and for hops the place of each in the table of lines."""

    far: int
    over: int
    firsts: tuple[tuple[int, int], ...]

    @property
    def mask(self) -> int:
        """The sites that it leads from."""
        return sum(1 << site for site, _ in self.firsts)


NO_LANE = Lane(0, 0, ())


@dataclass(frozen=True)
class Way:
    """A rule by which pieces go, and the lanes of each player's pieces: all players have as many."""

    node: Bound
    thens: tuple[Bound, ...]
    kinds: tuple[int, ...]
    """The kind of piece that goes so, for each player; nothing if all pieces do."""

    lanes: tuple[tuple[Lane, ...], ...]


def ways_of(script: Script, rule: Bound) -> list[Way] | None:
    """The ways by which pieces of the mover go; nothing where that is not all that a rule does."""
    if not has_sets(script) or script.acting or script.priors or has_filter(rule):
        return None
    found: list[Way] = []
    if not _gather(script, rule, found) or sum(len(each.lanes[0]) for each in found) > MOST_LANES:
        return None
    return found


def _gather(script: Script, rule: Bound, found: list[Way]) -> bool:
    given = rule.arguments
    with then_of(script, rule):
        match rule.unit:
            case "or" | "and":
                parts = items(given["list"]) if "list" in given else [given["movesA"], given["movesB"]]
                return all(_gather(script, bound(each), found) for each in parts)
            case "forEach Piece" if given.keys() <= {"forEachType", "specificMoves", "items", "item", "then"}:
                return all(
                    _gather_going(script, moves, pieces, found) for moves, pieces in _rules(script, rule).values()
                )
    return False


@contextmanager
def then_of(script: Script, rule: Bound) -> Iterator[None]:
    """Let the consequences of a rule be around what is written in here, as they are around its moves."""
    before = script.thens
    if "then" in rule.arguments and rule.unit not in FORGETFUL:
        script.thens = [*before, bound(rule.arguments["then"])]
    yield
    script.thens = before


def _rules(script: Script, rule: Bound) -> dict[int, tuple[Bound, list[Component]]]:
    """The rules of pieces, and the kinds that each is for."""
    given = rule.arguments
    names = {text(each) for each in items(given.get("items"))} | ({text(given["item"])} if "item" in given else set())
    found: dict[int, tuple[Bound, list[Component]]] = {}
    for piece in script.model.components:
        moves = given.get("specificMoves", piece.moves)
        if moves is not None and (not names or piece.bare in names or piece.name in names):
            found.setdefault(id(moves), (bound(moves), []))[1].append(piece)
    return found


def _gather_going(script: Script, rule: Bound, pieces: list[Component], found: list[Way]) -> bool:
    given = rule.arguments
    with then_of(script, rule):
        if rule.unit in ("or", "and"):
            parts = items(given["list"]) if "list" in given else [given["movesA"], given["movesB"]]
            return all(_gather_going(script, bound(each), pieces, found) for each in parts)
        if not _is_plain(script, rule):
            return False
        lanes: list[tuple[Lane, ...]] = [()]
        kinds, whole = [0], True
        for player in range(1, script.layout.players + 1):
            own = [each for each in pieces if each.owner == player]
            by_kind = {_lanes(script, rule, each) for each in own}
            if len(by_kind) > 1 or None in by_kind:
                return False
            whole &= len(own) == sum(each.owner == player for each in script.model.components)
            kinds.append(own[0].index if len(own) == 1 else -len(own))
            lanes.append(next((each for each in by_kind if each), ()))
        if not whole and (not script.layout.kinds or min(kinds) < 0):
            return False
        most = max(map(len, lanes))
        even = tuple((*each, *[NO_LANE] * (most - len(each))) for each in lanes)
        found.append(Way(rule, tuple(script.thens), () if whole else tuple(kinds), even))
    return True


def _is_plain(script: Script, rule: Bound) -> bool:
    """Whether where a rule leads is told by the board, the kind of piece, and conditions that are sets."""
    given = rule.arguments
    if rule.unit not in _PARTS or not given.keys() <= _PARTS[rule.unit]:
        return False
    parts = {"from": {"If"}, "to": {"If", "effect"}, "between": {"If", "effect"}}
    if any(not bound(given[each]).arguments.keys() <= parts[each] for each in parts if each in given):
        return False
    effect = bound(given["to"]).arguments.get("effect")
    if rule.unit == "move Hop" and ("between" not in given or (effect is not None and "If" in bound(effect).arguments)):
        return False
    ways = given.get("directions")
    if isinstance(ways, Bound) and (ways.unit != "directions" or ways.arguments.keys() & {"from", "num", "bySite"}):
        return False
    with script.out.apart():
        return None not in (asked(script, rule, "from", "from_"), *ends_of(script, rule))


def asked(script: Script, rule: Bound, part: str, register: str) -> str | None:
    """The set of the sites that a condition lets pass: where moves begin, what they go over, or where they lead."""
    if part not in rule.arguments:
        return ALL
    return sites_where(script, bound(rule.arguments[part]).arguments.get("If"), register)


def ends_of(script: Script, rule: Bound) -> tuple[str | None, str | None]:
    """The sets of sites that moves may lead to, and go over."""
    return asked(script, rule, "to", "to"), asked(script, rule, "between", "between")


def _lanes(script: Script, rule: Bound, piece: Component) -> tuple[Lane, ...] | None:
    """The lanes of a kind of piece; nothing where its directions depend on more, or one site has two moves of one lane."""
    ends = _leaps(script, rule, piece) if rule.unit == "move Leap" else _lines(script, rule, piece)
    if ends is None:
        return None
    found: dict[tuple[int, int], dict[int, int]] = {}
    for site, to, over, first in ends:
        lane = found.setdefault((to - site, over - site if over >= 0 else 0), {})
        if site in lane:
            return None
        lane[site] = first
    return tuple(Lane(far, over, tuple(sites.items())) for (far, over), sites in found.items())


def _lines(script: Script, rule: Bound, piece: Component) -> list[tuple[int, int, int, int]] | None:
    """Where steps and hops begin and end, what hops go over, and where its line stands in the table of lines."""
    from ludarium.ludii.ludemes.where.directions import heading, named_at  # noqa: PLC0415

    with script.out.apart():
        where = heading(script, rule.arguments.get("directions"), "c.from_")
    if where.select != "0" and not where.by_kind:
        return None
    chosen = where.by_kind[piece.index] if where.by_kind else 0
    topology, kind, count = script.topology, script.topology.default_type, script.model.board_sites
    ends: list[tuple[int, int, int, int]] = []
    start = 0
    for number, directions in enumerate(where.lists):
        for site in range(count):
            names = named_at(directions, site)
            if rule.unit == "move Step":
                targets = dict.fromkeys(to for name in names for to in topology.steps(kind, name)[site])
                ends += [(site, to, -1, -1) for to in targets if number == chosen]
                continue
            for radial in (each for name in names for each in topology.radials(kind, name)[site]):
                if number == chosen and len(radial.sites) > 2:
                    ends.append((site, radial.sites[2], radial.sites[1], start))
                start += len(radial.sites) - 1
    return ends


def _leaps(script: Script, rule: Bound, piece: Component) -> list[tuple[int, int, int, int]] | None:
    """Where leaps begin and end."""
    from ludarium.ludii.ludemes.moving.going import is_ahead_of, walks_of  # noqa: PLC0415

    starts, targets = (np.frombuffer(script.scope[name].memory, np.int32) for name in walks_of(script, rule))
    forward = script.settled(rule, "forward")
    return [
        (site, int(to), -1, -1)
        for site in range(script.model.board_sites)
        for to in targets[starts[site] : starts[site + 1]]
        if not forward or is_ahead_of(script, piece, site, int(to))
    ]
