"""What a role believes: for each hidden place, how likely each content is.

A game tells what lies in hidden places by a method `places(state, role)` that names each of them and its content. Without
it, states that are sets of facts are compared fact by fact, and others word by word, as people are shown them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import fsum

from ludarium.core import BadParameter, Game, InformationSet, Rng, Role, State
from ludarium.hidden.enumeration import EnumerationSampler
from ludarium.hidden.sampler import Sampler

NOTHING = "nothing"
"""The content of a place of which nothing is said."""

Contents = Callable[[State], Mapping[str, str]]


@dataclass(frozen=True)
class Belief:
    """How likely the contents of hidden places are."""

    shares: Mapping[str, Mapping[str, float]]
    """Per place, how likely each content is, likeliest first; the numbers of a place add up to 1."""

    states: int
    """How many states were looked at."""

    exact: bool
    """Whether these are all states there can be, each as likely as it is; else they were drawn at random."""

    @property
    def contents(self) -> list[str]:
        """All contents, in the order of the alphabet."""
        return sorted({content for shares in self.shares.values() for content in shares})

    def heat(self, content: str) -> dict[str, float]:
        """How likely a content is in each place."""
        if content not in self.contents:
            raise BadParameter(f"no hidden place can hold '{content}'; they can hold {', '.join(self.contents)}")
        return {place: shares.get(content, 0.0) for place, shares in self.shares.items()}


def believe(sampler: Sampler, info: InformationSet, rng: Rng, *, samples: int = 2000) -> Belief:
    """Work out what a role believes from states that agree with what it knows.

    >>> from ludarium import game
    >>> from ludarium.hidden import determinizer
    >>> poker = game("leduc-poker")
    >>> dealt = poker.initial(Rng(1))
    >>> info = InformationSet(game=poker, role=0, legal=(1, 2), seen=(dealt.observe(0),))
    >>> believe(determinizer("enumeration").sampler(poker, 0), info, Rng(0)).shares
    {'card of second': {'J': 0.4, 'Q': 0.4, 'K': 0.2}}
    """
    if info.game.traits.perfect_information:
        raise BadParameter(f"nothing is hidden in {info.game.name}")
    if samples < 1:
        raise BadParameter(f"a belief is drawn from at least one state, not {samples}")
    exact = isinstance(sampler, EnumerationSampler)
    if isinstance(sampler, EnumerationSampler):
        weighted = list(sampler.likelihoods(info).items())
    else:
        weighted = [(state, 1 / samples) for state in sampler.sample(info, samples, rng)]
    places = contents(info.game, info.role, [state for state, _ in weighted])
    found: dict[str, dict[str, list[float]]] = {}
    for state, share in weighted:
        for place, content in places(state).items():
            found.setdefault(place, {}).setdefault(content, []).append(share)
    total = fsum(share for _, share in weighted)
    shares = {}
    for place, held in found.items():
        likely = {content: round(fsum(each) / total, 12) for content, each in held.items()}
        if missing := round(1 - fsum(likely.values()), 9):
            likely[NOTHING] = likely.get(NOTHING, 0.0) + missing
        shares[place] = dict(sorted(likely.items(), key=lambda each: (-each[1], each[0])))
    return Belief(shares, len(weighted), exact)


def contents(game: Game, role: Role, states: list[State]) -> Contents:
    """Find the way to tell what lies in hidden places."""
    places = game.offers.places
    if places is not None:
        return lambda state: places(state, role)
    if hasattr(states[0], "facts"):
        return _by_facts(states)
    return _by_words(game, role)


def _by_facts(states: list[State]) -> Contents:
    """Take the last word of a fact as what the others hold, if no state says two such things of one place."""
    texts = {state: [fact.strip("()") for fact in state.facts()] for state in states}  # type: ignore[attr-defined]
    crowded = set()
    for facts in texts.values():
        heads = [_head(fact) for fact in facts]
        crowded |= {head for head in heads if not head or heads.count(head) > 1}
    everywhere = set.intersection(*(set(facts) for facts in texts.values()))
    known = {fact for facts in texts.values() for fact in facts} - everywhere

    def contents_of(state: State) -> dict[str, str]:
        found: dict[str, str] = {}
        for fact in texts[state]:
            if fact in known:
                head = _head(fact)
                found |= {fact: "yes"} if head in crowded else {head: fact[len(head) :].strip()}
        return found

    return contents_of


def _head(fact: str) -> str:
    """Cut the last term off a fact: a word, or something in brackets."""
    depth = 0
    for at in range(len(fact) - 1, -1, -1):
        depth += (fact[at] == ")") - (fact[at] == "(")
        if fact[at] == " " and depth == 0:
            return fact[:at].strip()
    return ""


def _by_words(game: Game, role: Role) -> Contents:
    """Compare the picture of a state with what a role is shown of it."""

    def contents_of(state: State) -> dict[str, str]:
        found: dict[str, str] = {}
        lines = zip(game.picture(state).split("\n"), game.picture(state, role).split("\n"), strict=False)
        for row, (whole, shown) in enumerate(lines, 1):
            words = zip(whole.split(), shown.split(), strict=False)
            found |= {f"line {row}, word {n}": is_ for n, (is_, seems) in enumerate(words, 1) if is_ != seems}
        return found

    return contents_of


def grid(places: Mapping[str, float]) -> tuple[list[str], list[str], dict[tuple[int, int], float]] | None:
    """Lay places out as a board, if their names are cells like b3 or end in two numbers: columns, rows, and values.

    Rows are listed from the top. None if the places are no cells of one board.
    """
    cells: dict[str, dict[tuple[str, int], float]] = defaultdict(dict)
    for place, value in places.items():
        if match := re.fullmatch(r"([a-z])(\d{1,2})", place):
            cells["lettered"][match[1], int(match[2])] = value
        elif match := re.fullmatch(r"(.*) (\d{1,2}) (\d{1,2})", place):
            cells[match[1]][f"{int(match[2]):2}", int(match[3])] = value
        else:
            return None
    if len(cells) != 1:
        return None
    ((name, found),) = cells.items()
    columns = sorted({column for column, _ in found})
    first, last = (min(columns), max(columns))
    if name == "lettered":
        columns = [chr(code) for code in range(ord("a"), ord(last) + 1)]
        rows = list(range(max(row for _, row in found), 0, -1))
    else:
        columns = [f"{number:2}" for number in range(min(1, int(first)), int(last) + 1)]
        rows = list(range(1, max(row for _, row in found) + 1))
    values = {
        (x, y): found[column, row]
        for x, column in enumerate(columns)
        for y, row in enumerate(rows)
        if (column, row) in found
    }
    return columns, [str(row) for row in rows], values
