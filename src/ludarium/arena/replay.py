"""Play a match again from its record: the same moves and the same chance lead to the same end."""

from __future__ import annotations

from ludarium.arena.play import Watcher
from ludarium.arena.position import Position
from ludarium.core import TOGETHER, BadParameter, Game, IllegalMove, LudariumError, Match, Move, Role

_SAME = 1e-9  # utilities that differ by less are the same


def replay(match: Match, game: Game, *, watch: Watcher | None = None) -> tuple[float, ...]:
    """Play the moves of a match again, and give what it was worth to each role.

    >>> from ludarium import agent, game, play
    >>> match = play(game("kuhn-poker"), [agent("random"), agent("random")], seed=3)
    >>> replay(match, game("kuhn-poker")) == match.utilities
    True
    """
    if len(game.roles) != len(match.agents):
        raise BadParameter(f"{game.name} has {len(game.roles)} roles, but the match had {len(match.agents)}")
    if match.length is not None:
        raise BadParameter(f"the match was kept without its moves: play it again with its seed, {match.seed}")
    position = Position(game, match.seed)
    if watch:
        watch(position.state, {})
    for number, text in enumerate(match.moves, 1):
        try:
            position.play(joint(position, text))
        except IllegalMove as problem:
            raise IllegalMove(f"move {number}: {problem}") from problem
        if watch:
            watch(position.state, {})
    if match.cut:
        return match.utilities
    if not position.state.over:
        raise IllegalMove(f"the match goes on after its last move, {len(match.moves)}")
    return position.state.utilities()


def check_end(match: Match, game: Game, utilities: tuple[float, ...]) -> None:
    """Refuse a match that is worth something else now than when it was played."""
    if any(not abs(now - then) <= _SAME for now, then in zip(utilities, match.utilities, strict=True)):
        ended = ", ".join(f"{each:.3g}" for each in utilities)
        raise LudariumError(f"the match does not end as it did: now {ended}. Have the rules of {game.name} changed?")


def joint(position: Position, text: str) -> dict[Role, Move]:
    """Read the moves of one ply; texts of moves may hold what joins them."""
    game, movers = position.game, position.state.movers
    if not movers:
        raise IllegalMove(f"{text!r} comes after the end of the game")
    parts = text.split(TOGETHER) if len(movers) > 1 else [text]
    if len(parts) != len(movers):
        found = _matching(position, text)
        if found is None:
            names = " and ".join(game.roles[role] for role in movers)
            raise IllegalMove(f"{names} move at once: {text!r} does not give a move for each")
        return found
    return {role: game.parse(part) for role, part in zip(movers, parts, strict=True)}


def _matching(position: Position, text: str) -> dict[Role, Move] | None:
    """Find the joint move that is written like this, one role after the other."""
    ways: list[tuple[str, dict[Role, Move]]] = [(text, {})]
    last = position.state.movers[-1]
    for role in position.state.movers:
        written = [(position.game.text(move), move) for move in position.state.legal(role)]
        ways = [
            (rest[len(start) :], found | {role: move})
            for rest, found in ways
            for each, move in written
            if rest.startswith(start := each if role == last else each + TOGETHER)
        ]
    return next((found for rest, found in ways if not rest), None)
