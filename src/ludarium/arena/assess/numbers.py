"""What the matches of an assessment tell: numbers with intervals, sentences about what is odd, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from statistics import fmean

from ludarium.arena.assess.assessment import RANDOM, Assessment
from ludarium.arena.prove.means import half_width
from ludarium.arena.report.sheets import Share, Sheet, columns
from ludarium.core import Match

_MEASURES = (
    ("plies", "length", "moves of a match"),
    ("choices", "choices", "legal moves at a decision"),
    ("size", "ways to play", "digits of their number: the logarithms of the choices of a match, added up"),
    ("lead_changes", "lead changes", "how often the lead passes from one role to another in a match"),
    ("drama", "drama", "how far the winner was behind while it was behind: the root of the gap, 0 if it never was"),
    ("settled", "settled at", "when another role was in the lead for the last time, from 0 to 1"),
)
_SHORT, _LOPSIDED, _DRAWN = 3.0, 0.1, 0.5
_PLACES = 5  # of rules that a sentence names


@dataclass(frozen=True)
class Estimate:
    """A number that matches tell, and between which limits it lies with 95 % confidence."""

    name: str
    mean: float
    low: float
    high: float
    count: int
    """How many matches told it."""

    meaning: str = ""

    @classmethod
    def of(cls, name: str, values: Sequence[float], meaning: str = "") -> Estimate:
        """The mean of numbers from 0 up, with Student's interval; values that are not known do not count.

        >>> Estimate.of("length", [4.0, 6.0, 8.0])
        Estimate(name='length', mean=6.0, low=1.0..., high=10.9..., count=3, meaning='')
        """
        known = [value for value in values if not isnan(value)]
        if len(known) < 2:
            mean = known[0] if known else nan
            return cls(name, mean, nan, nan, len(known), meaning)
        mean = fmean(known)
        reach = half_width(known)
        return cls(name, mean, max(0.0, mean - reach), mean + reach, len(known), meaning)  # nothing here is below 0

    @classmethod
    def share(cls, name: str, hits: Sequence[bool], meaning: str = "") -> Estimate:
        """A part of the matches, with Wilson's interval."""
        if not hits:
            return cls(name, nan, nan, nan, 0, meaning)
        mean = sum(hits) / len(hits)
        return cls(name, mean, *Share(mean, len(hits)).interval, len(hits), meaning)


def estimates(found: Assessment) -> list[Estimate]:
    """All numbers, in the order in which they are shown."""
    told = list(_ends(found))
    if not found.matches:
        return told
    told += [
        Estimate.of(name, [getattr(each, field) for each in found.measured], meaning)
        for field, name, meaning in _MEASURES
    ]
    back = [each.comeback == 1 for each in found.measured if not isnan(each.comeback)]
    told.append(
        Estimate.share("comebacks", back, "decided matches won by a role that was not in the lead at half time")
    )
    if len(found.game.roles) == 1:
        solved = [match.utilities[0] == 1 for match in found.matches]
        return [
            *told,
            Estimate.share("solved", solved, f"matches of {found.agent} that ended with all that can be had"),
        ]
    drawn = [_drawn(match) for match in found.matches]
    told.append(Estimate.share("draws", drawn, "matches that nobody won alone"))
    for seat in found.seats:
        meaning = f"what it scores when all play alike; {seat.fair:.0%} is fair"
        told.append(Estimate(f"score of {seat.role}", seat.share, seat.low, seat.high, seat.matches, meaning))
    return told


def _ends(found: Assessment) -> Iterator[Estimate]:
    meaning = f"matches that were over within {found.move_limit:,} moves"
    for who, matches in ((RANDOM, found.random), (found.agent, found.matches)):
        if matches and (who != RANDOM or matches is found.random):
            yield Estimate.share(f"ends ({who})", [not match.cut for match in matches], meaning)
    if found.random:
        yield Estimate.of("length (random)", [float(match.plies) for match in found.random], "moves of a random match")


def _drawn(match: Match) -> bool:
    return list(match.utilities).count(max(match.utilities)) > 1


def findings(found: Assessment) -> list[str]:
    """Sentences about what a designer will want to look at, surest first."""
    return list(_odd(found)) or ["nothing odd was found so far"]


def _odd(found: Assessment) -> Iterator[str]:
    numbers = {each.name: each for each in estimates(found)}
    played = found.matches or found.random
    if played and all(match.cut for match in played):
        yield f"no match came to an end within {found.move_limit:,} moves"
    elif any(match.cut for match in [*found.random, *found.matches]):
        yield "some matches did not come to an end: they were broken off, and count as they stood then"
    length = numbers.get("length")
    if length is not None and length.high < _SHORT:
        yield f"matches are very short: {length.mean:.1f} moves"
    choices = numbers.get("choices")
    if choices is not None and choices.mean == 1:
        yield "nobody ever has a choice"
    for seat in found.seats:
        if seat.unfair and abs(seat.advantage) > _LOPSIDED:
            verb = "wins too much" if seat.advantage > 0 else "wins too little"
            yield f"{seat.role} {verb}: it scores {seat.share:.0%} ({seat.low:.0%} to {seat.high:.0%}), fair is {seat.fair:.0%}"
    draws = numbers.get("draws")
    if draws is not None and draws.low > _DRAWN:
        yield f"most matches are draws: {draws.mean:.0%} ({draws.low:.0%} to {draws.high:.0%})"
    if found.unused:
        some = "a rule" if len(found.unused) == 1 else f"{len(found.unused)} rules"
        places = [rule.place.rsplit("/", 1)[-1] for rule in found.unused]
        more = ", ..." if len(places) > _PLACES else ""
        where = f" ({', '.join(places[:_PLACES])}{more})"
        yield f"{some} had no part in any match so far: dead, or rarely needed{where}"
    if found.unmoved:
        yield f"pieces that never came to another site: {', '.join(found.unmoved)}"


def sheets(found: Assessment) -> list[Sheet]:
    """The tables of an assessment."""
    rows = tuple((each.name, each.mean, each.low, each.high, each.count, each.meaning) for each in estimates(found))
    note = f"{len(found.random)} matches at random, {len(found.matches)} of {found.agent} against itself, "
    note += (
        f"{found.iterations} iterations a move, seed {found.seed}. 95 % intervals; they narrow as matches are added."
    )
    if found.agent == RANDOM:
        note += " Drama and leads are not known: no search can play this game."
    heads = columns(
        "measure", ("value", "number"), ("95% from", "number"), ("95% to", "number"), ("matches", "count"), "what it is"
    )
    made = [Sheet("assessment", f"{found.game.name} in numbers", note, heads, rows)]
    return [*made, _rules_sheet(found), *_pieces_sheet(found)]


def _rules_sheet(found: Assessment) -> Sheet:
    if found.unused is None:
        note = "Nobody knows which rules of this game were used: it is not written in a language of rules."
        return Sheet("rules", "Rules without a part", note, columns("rules"), (("unknown",),))
    every = len(found.coverage.rules()) if found.coverage is not None else 0
    note = f"{len(found.unused)} of {every} rules never had an effect. What is rare may still come: more matches tell more."
    rows = tuple((rule.place, rule.rule) for rule in found.unused) or (("-", "all rules were used"),)
    return Sheet("rules", "Rules without a part", note, columns("place", "rule"), rows)


def _pieces_sheet(found: Assessment) -> list[Sheet]:
    if found.unmoved is None:
        return [Sheet("pieces", "Pieces that never move", "", columns("pieces"), (("unknown",),))]
    if not found.unmoved:
        return []
    note = "None of this kind ever came to a site where it was not before."
    return [
        Sheet("pieces", "Pieces that never move", note, columns("pieces"), tuple((name,) for name in found.unmoved))
    ]
