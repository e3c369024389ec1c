"""Pages of studies, as `ludarium study` writes them: Markdown, with a folder of figures and tables beside it.

They lie beside the stores, in the folder that was named at the start; a name from outside only ever chooses among them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote

from ludarium.server.errors import Refused, Unknown

MOST_BYTES = 2_000_000
_NAME = re.compile(r"\w[\w .()-]{0,100}")
_PART = re.compile(r"\w[\w.-]{0,100}\.(svg|csv)", re.ASCII)
_MARK = re.compile(r"<!--.*?-->\n?", re.DOTALL)


class StudyPages:
    """Finds pages of studies in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def listed(self) -> list[dict[str, str]]:
        """Tell all of them, each with its title."""
        files = sorted(self.folder.glob("*.md"))
        found = [file for file in files if _NAME.fullmatch(file.stem) and self._is_page(file)]
        return [{"name": file.stem, "title": _title(file)} for file in found]

    def text(self, name: str, figures: str = "") -> str:
        """Tell a page in Markdown, without the marks in it; figures are looked for below that address."""
        file = self._page(name)
        if file.stat().st_size > MOST_BYTES:
            raise Refused(f"'{file.name}' has more than {MOST_BYTES:,} bytes")
        words = _MARK.sub("", file.read_text(encoding="utf-8", errors="replace"))
        if not figures:
            return words
        at = f"{figures.rstrip('/')}/{quote(name)}"
        picture = re.compile(rf"(!\[[^\]]*\]\(){re.escape(name)}(/[^)/\s]+\))")
        return picture.sub(lambda found: f"{found[1]}{at}{found[2]}", words)

    def part(self, name: str, part: str) -> Path:
        """Find a figure or a table of a page."""
        folder = self._page(name).with_suffix("")
        path = folder / part
        if not _PART.fullmatch(part) or path.resolve().parent != folder or not path.is_file():
            raise Unknown(f"the study '{name}' has no such figure or table")
        return path

    def _page(self, name: str) -> Path:
        file = self.folder / f"{name}.md"
        if not _NAME.fullmatch(name) or not self._is_page(file):
            raise Unknown(f"there is no page of a study '{name}' here")
        return file

    def _is_page(self, file: Path) -> bool:
        """A page has a folder of its name beside it; neither leads elsewhere."""
        folder = file.with_suffix("")
        try:
            there = file.is_file() and folder.is_dir() and os.access(file, os.R_OK)
        except OSError:  # a name that is too long
            return False
        return there and all(each.resolve() == each for each in (file, folder))


def _title(file: Path) -> str:
    """Tell the first heading."""
    with file.open(encoding="utf-8", errors="replace") as lines:
        heading = next((line for line in lines if line.startswith("# ")), f"# {file.stem}")
    return heading[2:].strip()[:200]
