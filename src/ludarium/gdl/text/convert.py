"""From one form of rules to the other, comments included, so that both files mean the same."""

from __future__ import annotations

from pathlib import Path

from ludarium.core.errors import LudariumError
from ludarium.core.files import write_file
from ludarium.gdl.text import writer
from ludarium.gdl.text.meaning import rules
from ludarium.gdl.text.reader import FORMS, check_ending, load


def convert(source: Path, target: Path) -> None:
    """Write the rules of one file to another, in the form that its ending says."""
    check_ending(source)
    check_ending(target)
    if target.exists() and source.exists() and target.samefile(source):
        raise LudariumError(f"{target}: this is the file to convert")
    read = load(source)
    statements = list(FORMS[source.suffix.lower()](read))
    rules(statements, read)  # nothing is written if anything is wrong
    write = writer.infix if target.suffix.lower() == ".hrf" else writer.prefix
    text = write(statements, read.ending)
    try:
        write_file(target, text)
    except (OSError, ValueError) as error:
        raise LudariumError(f"{target}: {getattr(error, 'strerror', None) or error}") from error
