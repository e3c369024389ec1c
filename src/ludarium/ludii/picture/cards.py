"""Cards for people: what is on the table, in hands and in decks, as lines of text and as an SVG image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from ludarium.drawing.cards import BACK, Card, Row, draw_rows
from ludarium.ludii.board import Container
from ludarium.ludii.cards import suit_name, titles
from ludarium.ludii.model import Model
from ludarium.ludii.picture.position import Place, Position

_FACE_DOWN = "?"


@lru_cache(maxsize=8)
def card_titles(model: Model) -> Mapping[int, str]:
    """What people call each card, by its kind."""
    named = titles([each.card for each in model.cards if each.card])
    return {each.index: name for each, name in zip(model.cards, named, strict=True)}


def only_cards(model: Model) -> bool:
    """Whether a game is played with nothing but cards."""
    return bool(model.cards) and len(model.cards) == len(model.components)


def held(container: Container, position: Position, names: Mapping[int, str]) -> str:
    """What a hand or a deck holds, from below, by names of kinds; of cards of a deck that lie face down, how many there are."""
    pieces = [piece for place in _places(container, position) for piece in place.pieces]
    told = [names.get(piece, _FACE_DOWN) for piece in pieces]
    if container.kind != "deck":
        return " ".join(told)
    runs = [(name, len(list(run))) for name, run in groupby(told)]
    return ", ".join(f"{many} face down" if name == _FACE_DOWN else name for name, many in runs)


def trumps(position: Position) -> str:
    """Which suit is trumps; nothing if none is."""
    return f"trumps: {suit_name(position.trump)}" if position.trump > 0 else ""


def draw(model: Model, position: Position, labels: Sequence[str], holders: Sequence[str]) -> str:
    """Draw a game of cards as rows of them; `holders` says who holds the containers beside the board."""
    containers = [each for each in model.topology.containers[1:] if each.kind != "dice"]
    rows = list(_table(model, position, labels))
    for container, holder in zip(containers, holders, strict=True):
        pieces = [piece for place in _places(container, position) for piece in place.pieces]
        if container.kind == "deck":
            seen = [_card(model, piece) for piece in pieces if piece]
            cards, note = [*seen, *([BACK] if 0 in pieces else [])], f"{len(pieces)} cards"
            rows.append(Row("deck", cards if len(seen) <= 1 else cards[-1:], note))
            continue
        owner = container.owner
        score = position.scores[owner - 1] if 0 < owner <= len(position.scores) else None
        note = "" if score is None else f"{score} points"
        rows.append(Row(holder, [_card(model, piece) for piece in pieces], note))
    if told := trumps(position):
        rows.append(Row(told))
    return draw_rows(rows, model.name)


def _table(model: Model, position: Position, labels: Sequence[str]) -> Iterator[Row]:
    """Single cards of the board in one row, and a row for each stack."""
    board = list(zip(labels, position.places[: model.board_sites], strict=False))
    single = [place.pieces[0] for _, place in board if len(place.pieces) == 1]
    yield Row("table", [_card(model, piece) for piece in single])
    for label, place in board:
        if len(place.pieces) > 1:
            yield Row(label, [_card(model, piece) for piece in place.pieces])


def _places(container: Container, position: Position) -> Sequence[Place]:
    return position.places[container.first : container.first + container.count]


def _card(model: Model, piece: int) -> Card:
    card = model.components[piece - 1].card if piece else None
    if card is None:
        return BACK
    return Card(card.face, card.sign.strip("_"), card_titles(model)[piece])
