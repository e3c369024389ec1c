"""What was found wrong with a description so far."""

from __future__ import annotations

from typing import NoReturn

from ludarium.core.problems import Problem, RulesError
from ludarium.ludii.text.origin import Origins

MAX_PROBLEMS = 100
"""Then looking stops: the file is not a description."""


class Notes:
    """Problems, each at the place where the user can mend it."""

    def __init__(self, origins: Origins) -> None:
        self.origins = origins
        self.problems: list[Problem] = []

    def add(self, origin: int, message: str, hint: str = "", *, warning: bool = False) -> None:
        """Note a problem at a character."""
        place, how = self.origins.mend(origin)
        problem = Problem(place, message, "; ".join(part for part in (hint, how) if part), warning)
        if problem not in self.problems:
            self.problems.append(problem)
        if len(self.problems) >= MAX_PROBLEMS:
            raise RulesError(self.in_order())

    def has(self, origin: int) -> bool:
        """Whether something at a character is known to be wrong."""
        place = self.origins.mend(origin)[0]
        return any(problem.place == place and not problem.warning for problem in self.problems)

    def stop(self, origin: int, message: str, hint: str = "") -> NoReturn:
        """Note a problem that nothing can be read beyond."""
        self.add(origin, message, hint)
        raise RulesError(self.in_order())

    def check(self) -> None:
        """Raise what was found, if any of it is more than a warning."""
        if any(not problem.warning for problem in self.problems):
            raise RulesError(self.in_order())

    def in_order(self) -> list[Problem]:
        """What was found, in the order of the files."""
        return sorted(self.problems, key=lambda each: (each.place.file, each.place.line, each.place.column))
