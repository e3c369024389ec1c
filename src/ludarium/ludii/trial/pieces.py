"""How recorded actions move pieces, with stacks and without: what Ludii does, the odd corners included.

Without stacks a site holds one kind of piece. Where sites count, equal pieces add up; otherwise what comes replaces what is
there, and takes its state, rotation and value along. With stacks the top piece moves without them, unless a level is named.
"""

from __future__ import annotations

from collections.abc import Callable

from ludarium.ludii.trial.facts import CELL, Site
from ludarium.ludii.trial.position import EMPTY, Piece, Position
from ludarium.ludii.trial.record import UNDEFINED, Action


def add(position: Position, action: Action) -> None:
    """Put a piece on a site: on the stack, or to others like it."""
    site = _site(position, action)
    if site.number < 0:
        return
    what = action.number("what")
    if position.facts.stacking:
        _push(position, site, what, _told(action))
        return
    here = position.piece(site)
    count = action.number("count", 1)
    if what == 0 and here.what == 0 and not position.facts.counts:
        return  # no piece comes to no piece
    if here.what == 0:
        here = here._replace(what=what, who=position.facts.owner(what), count=count)
    else:
        here = here._replace(count=here.count + count if position.facts.counts else 1)
    position.put(site, here._replace(**_told(action)))


def insert(position: Position, action: Action) -> None:
    """Put a piece into a stack."""
    site = _site(position, action)
    what = action.number("what")
    piece = Piece(what, position.facts.owner(what), 1, max(action.number("state"), 0))
    _insert(position, site, action.number("level"), piece)


def move(position: Position, action: Action) -> None:
    """Move a piece, several equal ones, a level of a stack, or a whole stack."""
    facts = position.facts
    origin = facts.site(action.word("typeFrom"), action.number("from"))
    target = facts.site(action.word("typeTo"), action.number("to"))
    if "count" in action.fields:
        _move_several(position, action, origin, target)
    elif facts.stacking:
        _move_level(position, action, origin, target)
    else:
        _move_one(position, action, origin, target)


def stack_move(position: Position, action: Action) -> None:
    """Move the upper part of a stack as it is."""
    facts = position.facts
    origin = facts.site(action.word("typeFrom"), action.number("from"))
    target = facts.site(action.word("typeTo"), action.number("to"))
    pieces, levels = position.pieces(origin), action.number("numLevel")
    if len(pieces) < levels:
        position.odd(f"{levels} levels move from {origin}, which has {len(pieces)}")
        return
    _lower(position, origin, pieces[:-levels], tuple(EMPTY for _ in range(levels)))
    _raise(position, target, *pieces[-levels:])


def copy(position: Position, action: Action) -> None:
    """Move a piece, and let another like it stay."""
    facts = position.facts
    origin = facts.site(action.word("typeFrom"), action.number("from"))
    target = facts.site(action.word("typeTo"), action.number("to"))
    count = position.piece(origin).count
    move(position, action)
    copied = position.piece(target)
    if not facts.stacking:
        position.put(origin, copied._replace(count=count))
    elif "levelFrom" not in action.fields or len(position.pieces(target)) == action.number("levelFrom"):
        _push(position, origin, copied.what, {})
    else:
        _insert(position, origin, action.number("levelFrom"), Piece(copied.what, copied.who, 1, **_told(action)))


def remove(position: Position, action: Action) -> None:
    """Clear a site or a level of it; what is already gone stays so. Some are only noted, until the turn ends."""
    if action.fields.get("applied") is False:
        position.removals.append(action.number("to"))
        return
    site = _site(position, action)
    if site.number in position.removals:
        position.removals.remove(site.number)
    pieces = position.pieces(site)
    if not position.facts.stacking:
        position.put(site)
    elif "level" not in action.fields:
        _lower(position, site, pieces[:-1], (EMPTY,) if pieces else ())
    elif action.number("level") < len(pieces):
        _take(position, site, action.number("level"))


def promote(position: Position, action: Action) -> None:
    """Make another piece of the one that is there."""
    site = _site(position, action)
    what = action.number("what")
    pieces = position.pieces(site)
    if not pieces:
        position.odd(f"nothing to promote on {site}")
    if not position.facts.stacking:
        who = position.facts.owner(what) if pieces else 0
        position.put(site, Piece(what, who, 1))
        return
    if pieces:
        if "level" in action.fields:
            _take(position, site, min(action.number("level"), len(pieces) - 1))
        else:
            _lower(position, site, pieces[:-1], (EMPTY,))
    _push(position, site, what, {})


def set_count(position: Position, action: Action) -> None:
    """Say how many pieces there are; the owner stays what it was."""
    site = _site(position, action)
    count = action.number("count")
    if count <= 0:
        if count < 0:
            position.odd(f"{site} is to hold {count} pieces")
        position.put(site, *position.pieces(site)[:-1])
        return
    _change(position, site, what=action.number("what"), count=1 if position.facts.stacking else count)


def set_field(name: str) -> Callable[[Position, Action], None]:
    """The action that sets the state, rotation or value of a piece."""

    def change(position: Position, action: Action) -> None:
        site = _site(position, action)
        pieces, level = position.pieces(site), action.number("level")
        changed = {name: action.number(name, 0)}
        if position.facts.stacking and level != UNDEFINED:
            if level < len(pieces):
                _level(position, site, level, pieces[level]._replace(**changed))
        else:
            _change(position, site, **changed)

    return change


def show(position: Position, site: int, face: int) -> None:
    """Let a die show a face."""
    _change(position, position.facts.site(CELL, site), state=face)


def assign(position: Position, action: Action) -> None:
    """Give a variable of a puzzle its value."""
    site = position.facts.site(action.word("type"), action.number("var"))
    position.put(site, Piece(action.number("value"), 0, 1))


def unassign(position: Position, action: Action) -> None:
    """Take the value of a variable of a puzzle away."""
    position.put(position.facts.site(action.word("type"), action.number("var")))


def _site(position: Position, action: Action) -> Site:
    return position.facts.site(action.word("type"), action.number("to"))


def _told(action: Action) -> dict[str, int]:
    """What an action says of the piece beside its kind."""
    return {name: found for name in ("state", "rotation", "value") if (found := action.number(name)) != UNDEFINED}


def _move_one(position: Position, action: Action, origin: Site, target: Site) -> None:
    here = position.piece(origin)
    if here.what == 0 and here.count == 0:
        position.odd(f"nothing to move on {origin}")
        return
    counted = position.facts.counts
    position.put(origin, *([here._replace(count=here.count - 1)] if counted and here.count != 1 else []))
    there = position.piece(target)
    told = {"state": here.state, "rotation": here.rotation, "value": here.value} | _told(action)
    if there.what == here.what and there.count > 0:
        there = there._replace(count=there.count + 1 if counted else 1)
    else:
        there = there._replace(what=here.what, who=position.facts.owner(here.what), count=1)
    position.put(target, there._replace(**told))
    if position.facts.hidden:
        position.hidden[target] = position.hidden.get(origin, frozenset())
        if position.piece(origin).what == 0:
            position.hidden.pop(origin, None)


def _move_several(position: Position, action: Action, origin: Site, target: Site) -> None:
    here = position.piece(origin)
    count = action.number("count")
    if here.count < count:
        position.odd(f"{count} pieces move from {origin}, which has {here.count}")
    if here.count - count <= 0:
        position.put(origin, *position.pieces(origin)[:-1])
    else:
        position.put(origin, here._replace(count=here.count - count))
    there = position.piece(target)
    if position.facts.stacking:
        return  # Ludii has a count of its own for stacks, which holds nothing
    if there.count == 0:
        moved = there._replace(what=here.what, who=position.facts.owner(here.what), count=count)
        position.put(target, *position.pieces(target)[:-1], moved)
    elif there.what == here.what:
        position.put(target, *position.pieces(target)[:-1], there._replace(count=there.count + count))


def _move_level(position: Position, action: Action, origin: Site, target: Site) -> None:
    if origin.number == target.number:
        return
    pieces, level = position.pieces(origin), action.number("levelFrom")
    to_level = action.number("levelTo")
    if not pieces:
        position.odd(f"nothing to move on {origin}")
        _raise(position, target, Piece(count=1)._replace(**_told(action)))  # Ludii stacks what is not there
        return
    if action.fields.get("stack") is True:
        position.put(origin)
        position.above.pop(origin, None)
        if to_level == UNDEFINED:
            _raise(position, target, *pieces)
        else:
            for piece in pieces:
                _insert(position, target, to_level, Piece(piece.what, piece.who, 1, **_told(action)))
        return
    if level == UNDEFINED:
        what = pieces[-1].what
        _lower(position, origin, pieces[:-1], (EMPTY,))
        if to_level == UNDEFINED:
            _push(position, target, what, {})
            return
        moved = Piece(what, position.facts.owner(what), 1, **_told(action))
    else:
        if level >= len(pieces):
            position.odd(f"level {level} moves from {origin}, which has {len(pieces)}")
            level = len(pieces) - 1
        moved = _take(position, origin, level)
        moved = moved._replace(who=position.facts.owner(moved.what))
        if to_level == UNDEFINED:
            _raise(position, target, moved._replace(**_told(action)))
            return
        moved = Piece(moved.what, moved.who, 1, **_told(action))
    _insert(position, target, to_level, moved)


def _push(position: Position, site: Site, what: int, told: dict[str, int]) -> None:
    """Put a piece on top; if nothing is told of it, it takes over what was left in the slot."""
    left = position.above.get(site, ())
    old = EMPTY if told or not left else left[0]
    _raise(
        position, site, Piece(what, position.facts.owner(what), 1, old.state, old.rotation, old.value)._replace(**told)
    )


def _raise(position: Position, site: Site, *pieces: Piece) -> None:
    position.put(site, *position.pieces(site), *pieces)
    if left := position.above.get(site):
        position.above[site] = left[len(pieces) :]


def _lower(position: Position, site: Site, pieces: tuple[Piece, ...], left: tuple[Piece, ...]) -> None:
    """Let a stack be smaller, with this left in the slots that were freed."""
    position.put(site, *pieces)
    above = position.above.get(site, ())
    if above or any(piece != EMPTY for piece in left):
        position.above[site] = left + above


def _take(position: Position, site: Site, level: int) -> Piece:
    """Take a level out: what is above sinks, and the freed slot keeps what was on top but for the piece itself."""
    pieces = position.pieces(site)
    _lower(position, site, pieces[:level] + pieces[level + 1 :], (pieces[-1]._replace(what=0, who=0, count=0),))
    return pieces[level]


def _insert(position: Position, site: Site, level: int, piece: Piece) -> None:
    pieces = position.pieces(site)
    if not 0 <= level <= len(pieces):
        position.odd(f"level {level} is put into {site}, which has {len(pieces)}")
        return
    position.put(site, *pieces[:level], piece, *pieces[level:])
    if left := position.above.get(site):
        position.above[site] = left[1:]


def _change(position: Position, site: Site, **changed: int) -> None:
    pieces = position.pieces(site)
    if pieces:
        position.put(site, *pieces[:-1], pieces[-1]._replace(**changed))
    elif not position.facts.stacking:
        position.put(site, EMPTY._replace(**changed))


def _level(position: Position, site: Site, level: int, piece: Piece) -> None:
    pieces = position.pieces(site)
    position.put(site, *pieces[:level], piece, *pieces[level + 1 :])
