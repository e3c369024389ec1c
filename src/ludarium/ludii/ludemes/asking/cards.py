"""What rules ask of a card: its rank and its suit, what it is as a trump, and which suit is trumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium.ludii.cards import Card
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.memory.state import TRUMP

_ASKED: Mapping[str, Callable[[Card], int]] = {
    "card Rank": lambda card: card.rank,
    "card Suit": lambda card: card.suit,
    "card TrumpRank": lambda card: card.trump_rank,
    "card TrumpValue": lambda card: card.trump_value,
}


@ludeme("int", *_ASKED)
def _of_card(script: Script, node: Bound) -> str:
    """A number of the card on a level of a site, the lowest one if none is named; -1 if there is no card."""
    ask = _ASKED[node.unit]
    numbers = [-1, *(ask(each.card) if each.card else -1 for each in script.model.components)]
    site, level = script.number(node.arguments["at"]), script.number(node.arguments.get("level"), "0")
    return f"i64({script.table(numbers, hint='cards')}[level_what(s, {site}, {level})])"


@ludeme("int", "card TrumpSuit")
def _trump_suit(script: Script, node: Bound) -> str:
    """The suit that is trumps; -1 if none has been chosen."""
    del node
    return f"i64(s.var[{script.layout.vars.index(TRUMP)}])"
