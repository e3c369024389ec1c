"""Among how many moves the last one was chosen: `(count LegalMoves)`, as what follows from a move and the end may ask for it.

There Ludii still has the list that the move is from. While moves are looked for it has none: it would look for them without end.
"""

from __future__ import annotations

from ludarium.ludii.grammar.binder import Value
from ludarium.ludii.model import Model, walk

_TRIES = ("moves:max Moves", "moves:max Captures", "meta:automove")


def check_choices(model: Model) -> None:
    """Refuse to count moves where they are not known yet, or where moves are tried before one is chosen."""
    asked = [each for each in walk(model.root) if each.unit == "count LegalMoves"]
    if not asked:
        return
    tries = any("ifAfterwards" in each.arguments for each in walk(model.root)) or any(
        each.unit in ("no Repeat", "no Suicide") for each in model.meta
    )
    if tries or model.uses(*_TRIES) or model.together or model.simulation:
        raise model.unsupported(asked[0], why="where moves are tried before one is chosen")
    if any(each.unit == "set Hidden" for each in walk(model.root)):
        raise model.unsupported(asked[0], why="where something is hidden: it would tell what others can do")
    rules: list[Value] = [phase.moves for phase in model.phases] + list(model.start)
    rules += [each.moves for each in model.components if each.moves is not None]
    early = {id(each) for rule in rules for each in walk(rule, without="then")}
    for each in asked:
        if id(each) in early:
            raise model.wrong(each, "moves are counted while they are looked for", "ask in what follows from a move")
