"""Commands that are imported when they are asked for, so that none waits for the code of all others."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer

from ludarium.terminal.arguments import Lists

SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "rich_markup_mode": "rich",
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
"""What all commands have in common, and the command line itself."""


class Command:
    """A command: its function as `package.module:name`, and examples, which are bold unless they have marks of their own."""

    def __init__(self, place: str, *examples: str, lists: bool = False) -> None:
        self._place, self.examples = place, examples
        self._kind = Lists if lists else None  # whether options may take several values at once

    @property
    def epilog(self) -> str:
        """The examples, as help shows them."""
        shown = [each if "[/]" in each else f"[bold]{each}[/]" for each in self.examples]
        return "\n\n".join(["Examples:", *shown]) if len(shown) > 1 else f"Example: {shown[0]}"

    def add_to(self, app: typer.Typer, name: str) -> None:
        """Import the function, and make it a command of that name."""
        module, _, function = self._place.partition(":")
        app.command(name, cls=self._kind, epilog=self.epilog)(getattr(import_module(module), function))

    def made(self, name: str) -> Any:
        """Make the command that typer runs."""
        alone = typer.Typer(**SETTINGS)
        self.add_to(alone, name)
        return typer.main.get_command(alone)


@dataclass(frozen=True)
class Group:
    """Commands that share a first word."""

    about: str
    commands: Mapping[str, Command]

    def made(self, name: str) -> Any:
        """Make the group that typer runs."""
        group = typer.Typer(no_args_is_help=True, help=self.about, **SETTINGS)
        for each, command in self.commands.items():
            command.add_to(group, each)
        made = typer.main.get_command(group)
        made.name = name
        return made


class Asked(UserDict[str, Any]):
    """Commands by their names, each made the first time that it is asked for."""

    def __getitem__(self, name: str) -> Any:
        found = self.data[name]
        if isinstance(found, Command | Group):
            found = self.data[name] = found.made(name)
        return found
