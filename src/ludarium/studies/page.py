"""The page of a study: text by people, and between marks what a run has found, written again by every run.

A mark is a comment of Markdown, `<!-- begin turns -->` and `<!-- end turns -->`; what stands between is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludarium.arena.report.figures import Drawing
from ludarium.arena.report.sheets import Cell, Sheet
from ludarium.core import LudariumError
from ludarium.core.files import write_file


@dataclass(frozen=True)
class Findings:
    """What a study has found: an answer in sentences, tables and figures."""

    title: str
    answer: tuple[str, ...]
    """Sentences, the most important one first."""

    sheets: tuple[Sheet, ...]
    drawings: tuple[Drawing, ...]
    files: Mapping[str, str] = field(default_factory=dict)
    """Further texts that are kept beside the page, by their names."""

    def blocks(self, figures: str) -> dict[str, str]:
        """Write every part as Markdown, by its name; figures lie in a folder of that name."""
        parts = {"answer": "\n".join(f"- {line}" for line in self.answer)}
        parts |= {sheet.name: markdown_table(sheet) for sheet in self.sheets}
        for drawing in self.drawings:
            words = f"{drawing.title}: {drawing.words}".replace("]", ")").replace("[", "(")
            parts[f"figure-{drawing.name}"] = f"![{words}]({figures}/{drawing.name}.svg)"
        return parts


def write(findings: Findings, page: Path) -> list[Path]:
    """Bring a page up to date, or begin it; figures and tables go to a folder beside it. Name what was written."""
    folder = page.with_suffix("")
    blocks = findings.blocks(folder.name)
    try:
        text = page.read_text(encoding="utf-8") if page.exists() else _begun(findings, blocks)
        files = {page: filled(text, blocks)}
        files |= {folder / f"{drawing.name}.svg": drawing.svg() for drawing in findings.drawings}
        files |= {folder / f"{sheet.name}.csv": sheet.csv() for sheet in findings.sheets}
        files |= {folder / name: content for name, content in findings.files.items()}
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in reversed(files.items()):  # the page last: where it is, its figures are
            write_file(path, content)
    except (OSError, UnicodeDecodeError) as problem:
        raise LudariumError(f"cannot write the page of the study: {problem}") from None
    return list(files)


def filled(text: str, blocks: Mapping[str, str]) -> str:
    """Put blocks between their marks; what a page has no marks for is left out.

    >>> print(filled("<!-- begin who -->old<!-- end who -->", {"who": "new"}))
    <!-- begin who -->
    new
    <!-- end who -->
    """
    for name, block in blocks.items():
        marked = re.compile(rf"(<!-- begin {name} -->).*?(<!-- end {name} -->)", re.DOTALL)
        text = marked.sub(lambda found, new=block: f"{found[1]}\n{new}\n{found[2]}", text)  # type: ignore[misc]
    return text


def markdown_table(sheet: Sheet) -> str:
    """Write a table as Markdown, with its note below; columns of which nothing is known are left out."""
    rows = sheet.shown()
    kept = [number for number in range(len(sheet.columns)) if any(row[number].text != "-" for row in rows)]
    heads = [sheet.columns[number] for number in kept]
    lines = [
        _line([head.name for head in heads]),
        _line(["---:" if head.numeric else "---" for head in heads]),
        *(_line([_bold(row[number]) for number in kept]) for row in rows),
    ]
    return "\n".join([*lines, *(["", sheet.note] if sheet.note else [])])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _bold(cell: Cell) -> str:
    text = cell.text.replace("|", "\\|")
    return f"**{text}**" if cell.strong else text


def _begun(findings: Findings, blocks: Mapping[str, str]) -> str:
    """Make a page that has all marks."""
    titles = {sheet.name: sheet.title for sheet in findings.sheets}
    parts = [f"# {findings.title}\n"]
    for name in blocks:
        heading = f"## {titles[name]}\n\n" if name in titles else ""
        parts.append(f"{heading}<!-- begin {name} --><!-- end {name} -->\n")
    return "\n".join(parts)
