"""A report as one page of HTML that needs no other file: figures and style are in it, and no script."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from html import escape

from ludarium.arena.report.figures import Drawing, drawings
from ludarium.arena.report.report import Report
from ludarium.arena.report.sheets import Sheet

_LONG = 25  # rows; a longer table is folded

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 2rem auto; max-width: 74rem;
  padding: 0 1rem; }
h1 { font-size: 1.8rem; margin-bottom: .5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .25rem; border-bottom: 1px solid #ccc; }
p.note, figcaption, footer { color: #555; font-size: .875rem; }
ul.findings { background: #f3f6f9; border-left: 4px solid #0072b2; padding: .75rem 1rem .75rem 2rem; }
figure { margin: 1rem 0; }
figure img { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .5rem; text-align: left; border-bottom: 1px solid #e3e3e3; vertical-align: bottom; }
th { background: #f7f7f7; }
td.number, th.number { text-align: right; }
td.number { white-space: nowrap; }
td:first-child { white-space: nowrap; }
td.strong { font-weight: 600; background: #dcebf7; }
summary { cursor: pointer; color: #00538a; }
a { color: #00538a; }
"""


def page(report: Report, files: Mapping[str, str]) -> str:
    """Write the page; `files` names the CSV of each sheet that lies beside it."""
    figures = {drawing.name: drawing for drawing in drawings(report)}
    parts = [f"<h1>{escape(report.title)}</h1>"]
    said = "".join(f"<li>{escape(line)}</li>" for line in report.findings)
    parts.append(f'<ul class="findings">{said}</ul>')
    beside = {"standings": "rates", "ratings": "ratings", "meetings": "meetings", "balance": "balance"}
    parts += [_section(s, figures.pop(beside.get(s.name, ""), None)) for s in report.sheets if s.for_page]
    parts += [f'<section id="{d.name}"><h2>{escape(d.title)}</h2>{_figure(d)}</section>' for d in figures.values()]
    links = ", ".join(
        f'<a href="{escape(files[s.name])}">{escape(s.name)}</a>' for s in report.sheets if s.name in files
    )
    parts.append(f"<footer><p>All tables as CSV: {links}.</p></footer>")
    return _whole(report.title, parts)


def plain_page(title: str, said: Iterable[str], sheets: Iterable[Sheet], drawn: Iterable[Drawing]) -> str:
    """Write a page of sentences, figures and tables, in this order."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in said)
    parts = [f"<h1>{escape(title)}</h1>", f'<ul class="findings">{lines}</ul>']
    parts += [f'<section id="{d.name}"><h2>{escape(d.title)}</h2>{_figure(d)}</section>' for d in drawn]
    parts += [_section(sheet, None) for sheet in sheets]
    return _whole(title, parts)


def _whole(title: str, parts: Iterable[str]) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _section(sheet: Sheet, drawing: Drawing | None) -> str:
    table = f'<div class="wide">{_table(sheet)}</div>'
    if len(sheet.rows) > _LONG:
        table = f"<details><summary>Show all {len(sheet.rows)} rows</summary>{table}</details>"
    figure = _figure(drawing) if drawing else ""
    note = f'<p class="note">{escape(sheet.note)}</p>' if sheet.note else ""
    return f'<section id="{sheet.name}"><h2>{escape(sheet.title)}</h2>{note}{figure}{table}</section>'


def _table(sheet: Sheet) -> str:
    rows = sheet.shown()
    kept = [number for number in range(len(sheet.columns)) if any(row[number].text != "-" for row in rows)]
    aligned = {number: ' class="number"' if sheet.columns[number].numeric else "" for number in kept}
    head = "".join(f'<th scope="col"{aligned[number]}>{escape(sheet.columns[number].name)}</th>' for number in kept)
    lines = []
    for row in rows:
        cells = []
        for number in kept:
            cell = row[number]
            marked = ' class="strong"' if cell.strong else aligned[number]
            cells.append(f"<td{marked}>{escape(cell.text)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _figure(drawing: Drawing) -> str:
    data = b64encode(drawing.svg().encode()).decode()
    words = escape(f"{drawing.title}: {drawing.words}", quote=True)
    return f'<figure><img alt="{words}" src="data:image/svg+xml;base64,{data}"></figure>'
