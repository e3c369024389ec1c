"""Pieces: what stands on the boards of a game, and whose it is, as far as random games tell.

Boards are found through groups of facts that exclude each other; groups are observed here and not proved, since to judge states
by their pieces takes no proof. A content of the cells is a role's if it turns up in cells on that role's moves and (almost) on no
other's; an empty cell turns up on everybody's. Where several roles move at once, that move counts which names the cell. A content
that never turns up so is a role's if it is named like it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludarium.core import GameError, Rng, Role, State
from ludarium.core.hints import Pieces
from ludarium.gdl.facts.boards import boards
from ludarium.gdl.facts.candidates import candidates
from ludarium.gdl.facts.groups import Group, Standing, maximal
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Term
from ludarium.gdl.view import BLANKS
from ludarium.kernel import KernelState

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

_PLIES = 600  # states visited, in playouts of any length
_SHARE = 0.9  # of the times that a content turns up, how many belong to its owner's moves


@dataclass(frozen=True)
class Transition:
    """The facts before a move and after it, a bit per fact, and the moves of the roles that had a choice, as words."""

    before: int
    after: int
    moves: Mapping[Role, frozenset[str]]


@dataclass(frozen=True)
class Stock:
    """What the cells of boards may contain: a mask of facts for each content, and the owners of those that are pieces."""

    masks: Mapping[str, int]
    owners: Mapping[str, Role]

    @property
    def pieces(self) -> tuple[Pieces, ...]:
        """The pieces of each role."""
        return tuple(Pieces(role, 0, self.masks[content], content) for content, role in self.owners.items())


def find(game: GdlGame) -> Stock:
    """Find the pieces of each role; a game of one role has none, as there is nothing to compare them with."""
    steps = walk(game)
    masks = contents(game.network.facts, steps)
    names = [_words(text) for text in game.network.facts]
    owners = {content: _owner(content, mask, steps, names, game.roles) for content, mask in masks.items()}
    return Stock(masks, {content: role for content, role in owners.items() if role >= 0 and len(game.roles) > 1})


def walk(game: GdlGame, *, plies: int = _PLIES) -> list[Transition]:
    """Play at random."""
    steps: list[Transition] = []
    width = 8 * -(-len(game.network.facts) // 64)
    number = 0
    while len(steps) < plies and number < plies:
        rng = Rng.keyed(1, "pieces", number)
        number += 1
        try:
            state = game.initial(rng)
            while not state.over and len(steps) < plies:
                legal = {role: state.legal(role) for role in state.movers}
                moves = {role: rng.choice(each) for role, each in legal.items()}
                after = state.after(moves, rng)
                words = {role: _words(game.text(move)) for role, move in moves.items() if len(legal[role]) > 1}
                steps.append(Transition(_facts(state, width), _facts(after, width), words))
                state = after
        except GameError:  # what a broken game does up to there counts all the same
            continue
    return steps


def _words(move: str) -> frozenset[str]:
    return frozenset(move.replace("(", " ").replace(")", " ").split())


def _facts(state: State, width: int) -> int:
    assert isinstance(state, KernelState)
    return int.from_bytes(state.block[:width], "little")


def contents(facts: Sequence[str], steps: Sequence[Transition]) -> dict[str, int]:
    """What the cells of boards may contain: a mask of facts for each content."""
    states = [steps[0].before, *(step.after for step in steps)] if steps else []
    seen = maximal(candidates(facts, states))
    groups = [
        Group(
            each.shapes,
            each.key,
            tuple(facts[k] for k in sorted(each.facts)),
            Standing.OBSERVED,
            Standing.OBSERVED,
        )
        for each in seen
    ]
    place = {text: k for k, text in enumerate(facts)}
    found: dict[str, int] = defaultdict(int)
    for board in boards(groups):
        keys = {shape.relation: shape.key for shape in board.shapes}
        for group in board.cells.values():
            for text in group.facts:
                found[_content(text, keys)] |= 1 << place[text]
    return found


def _content(text: str, keys: Mapping[str, tuple[int, ...]]) -> str:
    """What a fact says about its cell: the arguments that are no coordinates, and the relation if there are several."""
    term = parse_term(text)
    assert isinstance(term, Term)
    said = [str(arg) for k, arg in enumerate(term.args or ()) if k not in keys[term.name]]
    return " ".join([term.name, *said] if len(keys) > 1 or not said else said)


def _owner(
    content: str, mask: int, steps: Sequence[Transition], names: Sequence[frozenset[str]], roles: Sequence[str]
) -> Role:
    """The role that a content belongs to, or -1."""
    turned_up: Counter[Role] = Counter()
    for step in steps:
        new = step.after & ~step.before & mask
        if len(step.moves) == 1:
            turned_up[next(iter(step.moves))] += new.bit_count()
        while new and len(step.moves) > 1:
            fact = names[(new & -new).bit_length() - 1] - set(content.split())
            new &= new - 1
            named = [role for role, words in step.moves.items() if len(fact & words) == len(fact) - 1]
            turned_up[named[0] if len(named) == 1 else -1] += 1
    total = turned_up.total()
    unknown = turned_up.pop(-1, 0)
    if total > 2 * unknown:
        role, count = turned_up.most_common(1)[0]
        return role if count >= _SHARE * (total - unknown) else -1
    return _namesake(content, roles)


def _namesake(content: str, roles: Sequence[str]) -> Role:
    """The only role that a content is named like: by its whole name, by a beginning, or by the first letter."""
    words = content.split()
    if words[-1] in BLANKS:
        return -1
    for alike in (
        lambda role: role in words,
        lambda role: any(word.startswith(role) or role.startswith(word) for word in words),
        lambda role: words[0][0] == role[0],
    ):
        named = [k for k, role in enumerate(roles) if alike(role)]
        if named:
            return named[0] if len(named) == 1 else -1
    return -1
