"""What can go wrong, as a user is told it: one sentence, no traceback.

A `LudariumError` is a mistake in what we were given (a name, a move, a game, a budget); any other exception
is a mistake of ours.
"""

from collections.abc import Iterable

_LISTED = 12  # more names than this are not worth reading in an error message


class LudariumError(Exception):
    """A mistake of the user, shown without a traceback."""


class GameError(LudariumError):
    """A game breaks its own promises."""


class WrongAnswer(LudariumError):
    """An agent, or a part of one, answers something else than it was asked for."""


class IllegalMove(LudariumError):
    """A move that cannot be played, or a text that is no move."""


class UnsupportedGame(LudariumError):
    """An agent cannot play this game; the message says why."""


class HiddenState(UnsupportedGame):
    """An agent searches from the present state, which this game hides: it can still play in imagined ones."""


class BudgetExceeded(LudariumError):
    """An expired budget was used, or more was taken than was left."""


class BadParameter(LudariumError, ValueError):
    """A parameter has a value that makes no sense."""


class UnknownName(LudariumError):
    """A name that nothing goes by, with the nearest one that something does.

    >>> print(UnknownName("game", "conect-four", ["connect-four", "hex"]))
    unknown game 'conect-four': did you mean 'connect-four'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(known)
        super().__init__(kind, name, self.known)  # the arguments, so that the error survives pickling

    @property
    def suggestion(self) -> str | None:
        """The known name that looks most like the one given."""
        from difflib import get_close_matches  # noqa: PLC0415  # slow to import, and wanted for mistakes only

        spelling = {known.casefold(): known for known in self.known}
        nearest = get_close_matches(self.name.casefold(), spelling, n=1)
        return spelling[nearest[0]] if nearest else None

    def __str__(self) -> str:
        message = f"unknown {self.kind} {self.name!r}"
        if self.suggestion is not None:
            return f"{message}: did you mean {self.suggestion!r}?"
        if 0 < len(self.known) <= _LISTED:
            return f"{message}: there are {', '.join(sorted(self.known))}"
        return message
