"""Play the games of the library with the slow reference, from the start or from a position."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ludarium.gdl.text.reader import parse_term, read
from ludarium.gdl.text.syntax import Term
from ludarium.library import path
from tests.reference.gdl import Reference

State = frozenset[Term]


@cache
def reference(name: str) -> Reference:
    return Reference(read(path(name)))


def facts(*texts: str) -> State:
    """A state from the texts of its facts."""
    return frozenset(parse_term(text) for text in texts)


def holds(state: State, text: str) -> bool:
    return parse_term(text) in state


def moves(game: Reference, state: State, role: str) -> list[str]:
    return sorted(str(move) for move in game.legal(state, role))


def after(game: Reference, state: State, given: Iterable[str]) -> State:
    """The state after some moves; who has no choice need not be mentioned.

    A text is the move of the role that has a choice, or the moves of all that have one, with bars between.
    """
    waiting = list(given)
    while waiting or (not game.terminal(state) and not choosers(game, state)):
        joint = {role: next(iter(game.legal(state, role))) for role in game.roles}
        choosing = choosers(game, state)
        if choosing:
            texts = [text.strip() for text in waiting.pop(0).split("|")]
            assert len(texts) == len(choosing), f"{choosing} choose, but {texts} is given"
            for role, text in zip(choosing, texts, strict=True):
                joint[role] = parse_term(text)
                assert joint[role] in game.legal(state, role), f"{text} is illegal for {role}"
        state = game.next(state, joint)
    return state


def choosers(game: Reference, state: State) -> list[str]:
    return [] if game.terminal(state) else [role for role in game.roles if len(game.legal(state, role)) > 1]


def step(game: Reference, state: State, **moves: str) -> State:
    """The state after one joint move, given by role; the others have only one move."""
    joint = {role: next(iter(game.legal(state, role))) for role in game.roles}
    for role, text in moves.items():
        joint[role] = parse_term(text)
        assert joint[role] in game.legal(state, role), f"{text} is illegal for {role}"
    return game.next(state, joint)


def result(game: Reference, state: State) -> list[int]:
    """The goals of all roles but chance, when the game is over."""
    assert game.terminal(state)
    values = [game.goal(state, role) for role in game.roles if role != "random"]
    assert all(len(value) == 1 and 0 <= value[0] <= 100 for value in values), values
    return [value for (value,) in values]


def perft(game: Reference, state: State, depth: int) -> int:
    """The number of sequences of moves in a game in which one role moves at a time."""
    if game.terminal(state):
        return 0
    mover = next(role for role in game.roles if moves(game, state, role) != ["noop"])
    legal = game.legal(state, mover)
    if depth == 1:
        return len(legal)
    others = {role: Term("noop") for role in game.roles if role != mover}
    return sum(perft(game, game.next(state, {**others, mover: move}), depth - 1) for move in legal)
