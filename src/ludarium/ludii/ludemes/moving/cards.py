"""Cards: they are dealt from the top of a shuffled deck, played to the table, and one suit may be trumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludarium.ludii.board import Container
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done, Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.frame.start import start_rule
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.state import TRUMP
from ludarium.ludii.model import Model, number, walk, word

_NEED_CARDS = (
    "moves:playCard", "moves:move PlayCard", "moves:set TrumpSuit", "int:card TrumpSuit", "int:card Rank", "int:card Suit",
    "int:card TrumpRank", "int:card TrumpValue", "start:split",
)  # fmt: skip
_PLAYS = ("playCard", "move PlayCard")
_CARD_BITS, _NUMBER_BITS, _SUIT_BITS = 9, 9, 20


def sets_trump(node: Bound) -> bool:
    """Whether a ludeme chooses trumps, as a move or as an effect."""
    return node.unit == "set TrumpSuit" or (node.unit == "move Set" and "setType" in node.arguments)


def deals_cards(node: Bound) -> bool:
    """Whether a rule deals cards, and not dominoes."""
    return node.unit == "deal" and word(node.arguments["type"]) == "Cards"


def check_cards(model: Model) -> None:
    """Refuse rules about cards where there are none, and cards that have no place to go to."""
    for node in walk(model.root):
        if deals_cards(node) or f"{node.family}:{node.unit}" == "start:split":
            check_dealing(model, node)
        if (f"{node.family}:{node.unit}" in _NEED_CARDS or sets_trump(node)) and not model.cards:
            hint = "add (deck) or a (card ..) to the equipment"
            raise model.wrong(node, f"'{node.unit}' is about cards, and there are none", hint)
        if node.family == "moves" and node.unit in _PLAYS:
            if model.types[0] != "Cell":
                raise model.unsupported(node, why="on another board than one of cells")
            if model.board_sites < model.players:
                hint = "cards go to the first sites of the board, one for each player"
                raise model.wrong(node, f"the board has {model.board_sites} sites for {model.players} players", hint)
    if model.cards and (model.large or model.simulation):
        raise model.unsupported(model.cards[0].node or model.root, why="with large pieces, or where nobody plays")


def check_dealing(model: Model, node: Bound) -> None:
    """Refuse to deal where there is no deck, or not a hand for each player."""
    if not model.decks:
        raise model.wrong(node, f"'{node.unit}' deals cards, and there is no deck", "add (deck) to the equipment")
    hands = _hands(model)
    if len(hands) != model.players:
        hint = "each player has one hand, and there is none beside them"
        raise model.wrong(node, f"players: {model.players}, hands: {len(hands)}", hint)


def _hands(model: Model) -> list[Container]:
    return [each for each in model.topology.containers if each.kind == "hand"]


def write_decks(script: Script) -> None:
    """Write what lets the cards of each deck lie in it, in any order."""
    for deck, cards in script.model.decks:
        with script.block(f"for k in range({len(cards)}):"):
            script.line(f"add_piece(s, {deck.first}, {cards[0].index} + k, 1, -1, -1, -1)")
        with script.block(f"for k in range({len(cards)}):"):
            script.line(f"draw_card(s, {deck.first}, random_below(c, {len(cards)} - k), {len(cards)} - k)")


def deal_cards(script: Script, node: Bound) -> None:
    """Cards of the first deck go from its top to the hands, one by one in turn."""
    count = number(node.arguments["count"]) if "count" in node.arguments else 1
    hands, (deck, cards) = _hands(script.model), script.model.decks[0]
    many = count * len(hands)
    left = len(cards) - script.cards_dealt
    if count < 0 or many > left:
        hint = f"{many} are to be dealt to {len(hands)} hands"
        raise script.model.wrong(node, f"cards left in the deck: {left}", hint)
    script.cards_dealt += many
    # In a loop, cards are dealt more than once.
    script.line(f'assert {many} <= height_of(s, {deck.first}), "more cards are to be dealt than there are"')
    _hand_out(script, deck, hands, str(many), f"height_of(s, {deck.first}) - 1")


@start_rule("split")
def _split(script: Script, node: Bound) -> None:
    """All cards of the first deck go to the hands, the lowest ones first, as in Ludii."""
    del node
    deck, cards = script.model.decks[0]
    script.cards_dealt = len(cards)
    _hand_out(script, deck, _hands(script.model), f"height_of(s, {deck.first})", "0")


def _hand_out(script: Script, deck: Container, hands: Sequence[Container], many: str, level: str) -> None:
    firsts = script.table([each.first for each in hands], hint="hands")
    with script.block(f"for k in range({many}):"):
        script.line(f"move_piece(s, {deck.first}, i64({firsts}[k % {len(hands)}]), {level})")


@ludeme("moves", "deal")
def _deal_more(script: Script, node: Bound) -> None:
    """So many cards from the top of the first deck go to each hand, one by one in turn, from some player on."""
    if not deals_cards(node):
        raise script.model.unsupported(node, why="dominoes")
    if not isinstance(script.sink, Done):
        raise script.model.unsupported(node, why="when moves are listed")
    given, hands, (deck, _) = node.arguments, _hands(script.model), script.model.decks[0]
    firsts, many = script.table([each.first for each in hands], hint="hands"), len(hands)
    count = script.local("count", f"{many} * {script.number(given.get('count'), '1')}")
    start, top = script.local("start", f"{script.number(given.get('beginWith'), '1')} - 1"), script.out.fresh("top")
    script.line(f"{top} = height_of(s, {deck.first})")
    script.line(f'assert {count} <= {top}, "more cards are to be dealt than there are"')
    script.line(f'assert 0 <= {start} < {many}, "cards are dealt from a player on who has no hand"')
    k = script.out.fresh("k")
    with script.block(f"for {k} in range(min({count}, {top})):"):
        hand = script.local("hand", f"i64({firsts}[({start} + {k}) % {many}])")

        def push(_: str, to: str, __: Mapping[str, str]) -> None:
            act(script, actions.MOVE, deck.first, to, f"{top} - 1 - {k}")

        find(script, Found(node, "Move", str(deck.first), hand, push))


@ludeme("moves", "playCard", "move PlayCard")
def _play(script: Script, node: Bound) -> None:
    """A move for each card that the mover holds, to the site of the board with his number."""
    height, slot, card = script.layout.height, script.out.fresh("slot"), script.out.fresh("card")
    to, at = script.local("to", "i64(s.mover) - 1"), script.out.fresh("number")

    def push(_: str, __: str, known: Mapping[str, str]) -> None:
        at = script.local("at", f"slot_played(s, i64(s.mover), {known['card']}, {known['number']})")
        with script.block(f"if {at} >= 0:"):
            act(script, actions.MOVE, f"{at} // {height}", "i64(s.mover) - 1", f"{at} % {height}")
            if script.model.uses("int:last LevelTo"):
                script.line(f"s.last_level = {at} % {height}")

    with script.block(f"for {at} in range(held_by(s, i64(s.mover))):"):
        script.line(f"{slot} = slot_held(s, i64(s.mover), {at})")
        # A card that the mover does not see is told by where it lies, so that the move does not show it.
        seen = "False" if isinstance(script.sink, Done) else f"knows(s, i64(s.mover), {slot})"
        script.line(f"{card} = i64(s.what[{slot}]) if {seen} else -1")
        place = script.local("place", f"-1 if {card} >= 0 else {at}")
        extra = {"card": (card, _CARD_BITS), "number": (place, _NUMBER_BITS)}
        find(script, Found(node, "Play", f"{slot} // {height}", to, push, extra, names_ends=False))


@ludeme("moves", "set TrumpSuit", "move Set")
def _set_trump(script: Script, node: Bound) -> None:
    """A move for each suit that may become trumps."""
    if not sets_trump(node):
        raise script.model.unsupported(node)
    given = node.arguments

    def push(_: str, __: str, known: Mapping[str, str]) -> None:
        act(script, actions.SET_VAR, script.layout.vars.index(TRUMP), known["suit"])

    def choose(expression: str) -> None:
        suit = script.local("suit", expression)
        script.line(f'assert -1 <= {suit} < {(1 << _SUIT_BITS) - 1}, "there is no such suit"')
        find(script, Found(node, "Trump", "-1", "-1", push, {"suit": (suit, _SUIT_BITS)}))

    if "suit" in given:
        choose(script.number(given["suit"]))
        return
    with script.numbers(given["suits"]).each() as suit:
        choose(suit)
