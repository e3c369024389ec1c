"""A moment of a match: the state, what each role has seen and done so far, and how to get there from a text.

Chance is drawn from the stream of the match's seed, so the moves of a match lead to the positions of that match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ludarium.arena.streams import chance
from ludarium.core import TOGETHER, Game, GameError, IllegalMove, InformationSet, Move, Role, State
from ludarium.core.answers import checked_legal, checked_movers

_BETWEEN = " \t\n,;"
_LONGEST = 1_000  # characters of a move
_TOGETHER = TOGETHER.strip()


class Position:
    """Where a match stands, and what its roles know of it."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.chance = chance(seed)
        self.state = game.initial(self.chance)
        self.movers = checked_movers(game, self.state.movers)
        self.plies = 0
        self._seen = [[self.state.observe(role)] for role in range(len(game.roles))]
        self._played: list[list[Move]] = [[] for _ in game.roles]

    def information_set(self, role: Role) -> InformationSet:
        """Tell all that a role knows now that it has to choose."""
        legal = checked_legal(self.game, role, self.state.legal(role))
        if not legal and role in self.movers:
            when = f"after {self.plies} moves" if self.plies else "at the beginning"
            raise GameError(f"game '{self.game.name}': {self.game.roles[role]} has no legal move {when}")
        return InformationSet(
            game=self.game,
            role=role,
            legal=legal,
            seen=tuple(self._seen[role]),
            played=tuple(self._played[role]),
            state=self.state if self.game.traits.perfect_information else None,
        )

    def play(self, moves: Mapping[Role, Move]) -> None:
        """Go on with a move per mover."""
        self.state = self.state.after(moves, self.chance)
        self.movers = checked_movers(self.game, self.state.movers)
        self.plies += 1
        for role, move in moves.items():
            self._played[role].append(move)
        for role, seen in enumerate(self._seen):
            seen.append(self.state.observe(role))

    def swap(self, state: State) -> None:
        """Put another state in the place of the present one, as if it had come to that."""
        self.state, self.movers = state, checked_movers(self.game, state.movers)
        for role, seen in enumerate(self._seen):
            seen[-1] = state.observe(role)


def after(game: Game, text: str, *, seed: int = 0) -> Position:
    """Play moves from the beginning: as `game.text` writes them, with blanks, commas or semicolons between.

    Moves made at once are joined by " + ", in the order of the roles.

    >>> from ludarium import game
    >>> print(after(game("tic-tac-toe"), "b2 a1, c3").state)
    3 . . X
    2 . X .
    1 O . .
      a b c
    """
    position = Position(game, seed)
    for _ in steps(position, text):
        pass
    return position


def steps(position: Position, text: str) -> Iterator[dict[Role, Move]]:
    """Play moves from a position on, and give those of each step after they were made."""
    rest = text.strip(_BETWEEN)
    while rest:
        number = position.plies + 1
        try:
            moves, rest = _read_joint(position, rest)
            position.play(moves)
        except IllegalMove as problem:
            raise IllegalMove(f"move {number}: {problem}") from problem
        yield moves


def _read_joint(position: Position, text: str) -> tuple[dict[Role, Move], str]:
    """Read a move for each mover from the beginning of a text; what is left of it comes back."""
    game, movers = position.game, position.movers
    if not movers:
        raise IllegalMove(f"{_first(text)!r} comes after the end of the game")
    moves: dict[Role, Move] = {}
    for role in movers:
        if moves:
            if not text.startswith(_TOGETHER):
                names = " and ".join(game.roles[each] for each in movers)
                raise IllegalMove(f"{names} move at once: join their moves by '{TOGETHER}'")
            text = text.removeprefix(_TOGETHER).lstrip()
        moves[role], text = _read_move(position, role, text)
    if text.startswith(_TOGETHER):
        raise IllegalMove(f"nobody but {' and '.join(game.roles[role] for role in movers)} moves now")
    return moves, text


def _read_move(position: Position, role: Role, text: str) -> tuple[Move, str]:
    # Texts of moves may hold blanks ("2 from a"), so the longest that is legal and fits is what was meant.
    game, legal = position.game, position.state.legal(role)
    for written, move in sorted(((game.text(move), move) for move in legal), key=lambda each: -len(each[0])):
        if written and text.startswith(written) and text[len(written) :][:1] in ("", _TOGETHER, *_BETWEEN):
            return move, text[len(written) :].lstrip(_BETWEEN)
    if len(_first(text)) > _LONGEST:
        raise IllegalMove(f"a move of {len(_first(text)):,} characters; {_LONGEST:,} are allowed")
    for word in (_first(text, ",;"), _first(text)):  # written otherwise, but known to the game
        try:
            move = game.parse(word)
        except IllegalMove:
            continue
        if move in legal:
            return move, text[len(word) :].lstrip(_BETWEEN)
        others = {other: position.state.legal(other)[0] for other in position.movers}
        position.state.after(others | {role: move}, position.chance.copy())  # says why it is not legal
    game.parse(_first(text))  # says why it is no move at all
    raise IllegalMove(f"{_first(text)!r} is not legal")


def _first(text: str, ends: str = _BETWEEN) -> str:
    """Cut a text at the first separator that is not in brackets."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth <= 0 and character in ends:
            return text[:place].rstrip()
    return text.rstrip()
