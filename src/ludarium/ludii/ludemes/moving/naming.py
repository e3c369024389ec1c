"""The kinds of pieces that ludemes name, by their names or their numbers."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, literal
from ludarium.ludii.grammar.binder import Value
from ludarium.ludii.model import bound, items, text


def pieces_of(script: Script, value: Value | None) -> list[str]:
    """The kinds of pieces that a ludeme names, as expressions; without one, the piece with the number of the mover."""
    if value is None:
        return ["i64(s.mover)"]
    given = bound(value).arguments
    if "component" in given:
        return [script.number(given["component"])]
    if "components" in given:
        return [script.number(each) for each in items(given["components"])]
    names = [given["nameComponent"]] if "nameComponent" in given else list(items(given["nameComponents"]))
    found = []
    for each in names:
        piece = script.model.named(text(each))
        if piece is None:
            raise script.model.unsupported(each, f"piece {text(each)}", "there is no such piece")
        found.append(str(piece.index))
    return found


def there_is(script: Script, value: Value | None, piece: str) -> str:
    """A piece that is put somewhere, where it is: there has to be one with its number, and 0 is none."""
    number, kinds = literal(piece), len(script.model.components)
    if number is None and not (value is None and kinds >= script.layout.players):
        piece = script.local("piece", piece)
        script.line(f'assert 0 <= {piece} <= {kinds}, "there is no piece with this number"')
    elif number is not None and value is not None and not 0 <= number <= kinds:
        raise script.model.wrong(value, f"there is no piece {number}", f"pieces have numbers up to {kinds}")
    return piece
