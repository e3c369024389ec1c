"""What chance did before the first move, found out from the pieces that a record says were placed."""

from __future__ import annotations

from collections.abc import Sequence

from ludarium.ludii.grammar.binder import Bound, Constant, Value
from ludarium.ludii.ludemes.moving.dominoes import dealt
from ludarium.ludii.model import Model, bound, items, number, text, walk
from ludarium.ludii.trial.record import Action


def start_draws(model: Model, added: Sequence[Action]) -> list[int]:
    """The numbers that start rules draw: from the last rule on, as long as it is plain which pieces are its own."""
    found: list[int] = []
    for rule in reversed(model.start):
        many = _own(model, rule, added)
        if many is None:
            break
        own = added[len(added) - many :]
        added = added[: len(added) - many]
        found = [*_draws(model, rule, own), *found]
    return found


def _own(model: Model, rule: Bound, added: Sequence[Action]) -> int | None:
    """How many of the last pieces a rule has placed; nothing if that is not plain."""
    given = rule.arguments
    if rule.unit.startswith("set "):
        return 0
    if rule.unit.startswith("forEach"):
        inner = bound(given["startingRule"])
        if inner.unit == "place Random":
            return _alike(model, inner, added)
        return 0 if inner.unit.startswith("set ") else None
    if rule.unit == "deal":
        return dealt(rule)
    if rule.unit == "place Random":
        return min(_alike(model, rule, added), _most(rule))
    single = rule.unit == "place (PlaceItem)" and {"coord", "loc"} & given.keys() and "container" not in given
    return 1 if single else None


def _alike(model: Model, rule: Bound, added: Sequence[Action]) -> int:
    """How many of the last pieces are of kinds that a rule places."""
    kinds, many = _kinds(model, rule), 0
    while many < len(added) and added[len(added) - 1 - many].number("what") in kinds:
        many += 1
    return many


def _most(rule: Bound) -> int:
    """How many pieces a rule places at most, if it says so in a number."""
    count, many = rule.arguments.get("count"), len(items(rule.arguments.get("item")))
    if "where" in rule.arguments or not (count is None or isinstance(count, Constant)):
        return 10**9
    return many * (1 if count is None else number(count))


def _kinds(model: Model, rule: Bound) -> list[int]:
    """The kinds of pieces that a rule places at random, in its order."""
    given = rule.arguments
    listed = items(given.get("item") or given.get("pieces") or given["items"])
    named = [model.named(text(each.arguments["item"] if isinstance(each, Bound) else each)) for each in listed]
    return [each.index for each in named if each is not None]


def _draws(model: Model, rule: Bound, own: Sequence[Action]) -> list[int]:
    given, whats = rule.arguments, [each.number("what") for each in own]
    if rule.unit.startswith("forEach"):
        return _draws(model, bound(given["startingRule"]), own)
    if rule.unit == "deal":
        rest = [each.index for each in model.dominoes]
        return [rest.index(each) - sum(other < each for other in whats[:k]) for k, each in enumerate(whats)]
    if rule.unit != "place Random":
        span = _drawn_from(given.get("value"))
        return [own[0].number("value") - span[0]] if span and own else []
    kinds = _kinds(model, rule)
    if "where" in given:  # of all pieces that are left, those of one kind lie side by side
        return [sum(what in kinds[: kinds.index(whats[k])] for what in whats[k:]) for k in range(len(whats))]
    sites, span = [each.number("to") for each in own], _drawn_from(given.get("count"))
    if span:  # a number that is drawn again for every piece: the greatest as long as there are more, then the least
        return [each for site in sites for each in (span[1] - span[0], site)] + [0]
    if "randPiecOrder" in given:
        rest, found = list(kinds), []
        for what, site in zip(whats, sites, strict=True):
            found += [rest.index(what), site]
            rest.remove(what)
        return found
    return sites


def _drawn_from(value: Value | None) -> tuple[int, int] | None:
    """The least and the greatest number that a value is drawn from, if it is."""
    for each in walk(value) if value is not None else ():
        if each.unit == "value Random":
            span = bound(each.arguments["range"]).arguments
            ends = [span.get("min"), span.get("max")]
            if all(isinstance(end, Constant) for end in ends):
                return number(ends[0]), number(ends[1])
    return None
