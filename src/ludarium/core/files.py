"""Writing files all or nothing: a full disk, or an end in the middle, leaves what was there before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from shutil import copyfile
from tempfile import gettempdir


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a file beside to write to, which takes the place of the other when it is complete."""
    if path.exists() and not path.is_file():
        yield path  # a folder, which refuses; or a device or pipe, which nothing can take the place of
        return
    path = Path(os.path.realpath(path))  # a link goes on pointing at what is written
    beside = not path.exists() or os.access(path.parent, os.W_OK)
    folder = path.parent if beside else Path(gettempdir())
    part = folder / f".{path.name}.{token_hex(8)}{path.suffix}"  # the ending may say how to write
    try:
        yield part
        with part.open("r+b") as file:
            os.fsync(file.fileno())  # some disks tell only now that they are full
        if path.exists():
            path.open("r+b").close()  # to put a file in its place is allowed even where writing to it is not
            part.chmod(path.stat().st_mode & 0o777)
        if beside:
            part.replace(path)
        else:  # the folder takes no new file, so what is there is written over
            copyfile(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text, as UTF-8 and with its line ends as they are, or bytes.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_file(Path(folder, "new.txt"), "whole")
    ...     [(file.name, file.read_text()) for file in Path(folder).iterdir()]
    [('new.txt', 'whole')]
    """
    with whole(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
