"""The page Rules: an editor, the checker's problems at their lines while one types, and the board beside it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import quote

from nicegui import ui

from ludarium import catalog, library
from ludarium.core import LudariumError
from ludarium.server.hall import Hall
from ludarium.server.page.shell import shell
from ludarium.server.trial import tried

_WAIT = 0.7  # seconds without a key, before the rules are checked
ENDINGS = [".kif", ".hrf", ".lud"]


def add_page(hall: Hall) -> None:
    """Add the page to the application."""

    @ui.page("/rules")
    async def rules(game: str = "tic-tac-toe") -> None:
        with shell("/rules"):
            _Editor(hall, game)


class _Editor:
    """An editor on somebody's page."""

    def __init__(self, hall: Hall, game: str) -> None:
        self.hall = hall
        self.turn = 0
        text, ending = _library_text(game)
        names = [*library.names(), *(f"{name}.lud" for name in library.names(library.LUDII))]
        with ui.row().classes("items-center fill"):
            ui.select(names, value=None, label="begin with rules of the library", with_input=True).classes(
                "col"
            ).on_value_change(lambda event: self._begin_with(event.value))
            self.name = ui.input("name", value="my-game").classes("col")
            self.ending = ui.select(ENDINGS, value=ending, label="language", on_change=self.changed)
            self.save = ui.button("Play it", on_click=self._play).props("color=primary id=play-rules")
        with (
            ui.element("div")
            .classes("fill")
            .style("display:grid;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr));gap:1rem")
        ):
            self.code = (
                ui.codemirror(text, theme="basicLight", line_wrapping=True, on_change=self.changed)
                .classes("fill")
                .style("height:62vh;border:1px solid var(--line);border-radius:8px")
            )
            with ui.column():
                self.status = ui.label().classes("status").props("id=rules-status role=status")
                self.picture = ui.html("", sanitize=False).classes("picture small fill")
                self.figures = ui.label().classes("faint")
                self.problems = ui.column().classes("fill").props("id=problems")
                self.assessed = ui.column().classes("fill").props("id=assessed")
        ui.timer(0.1, self._check, once=True)

    async def changed(self) -> None:
        """Check when nobody has typed for a while."""
        self.turn += 1
        turn = self.turn
        self.status.set_text("…")
        await asyncio.sleep(_WAIT)
        if turn == self.turn:
            await self._check()

    async def _check(self) -> None:
        turn, text = self.turn, self.code.value or ""
        self.status.set_text("Checking …")
        found = await asyncio.to_thread(tried, text, self.ending.value)
        if turn != self.turn:
            return
        self._show(found)
        self.assessed.clear()
        if found["ok"]:
            told = await asyncio.to_thread(tried, text, self.ending.value, play=False, assess=True)
            if turn == self.turn:
                self._tell(told)

    def _tell(self, told: dict[str, Any]) -> None:
        """Show the first figures of an assessment."""
        with self.assessed:
            ui.label("What a few matches tell (ludarium assess tells more)").classes("text-subtitle2")
            if (found := told.get("assessed")) is None:
                ui.label(told["error"] or "Nothing: these rules could not be assessed.").classes("faint")
                return
            for line in found["findings"]:
                ui.label(line).classes("problem")
            columns = [
                {"name": key, "label": label, "field": key, "align": "left" if key == "name" else "right"}
                for key, label in (("name", "measure"), ("mean", "mean"), ("interval", "95 % interval"), ("count", "n"))
            ]
            rows = [
                {**each, "mean": f"{each['mean']:.3g}", "interval": f"{each['low']:.3g} to {each['high']:.3g}"}
                for each in found["numbers"]
            ]
            ui.table(columns=columns, rows=rows, row_key="name").classes("fill").props("dense flat")

    def _show(self, found: dict[str, Any]) -> None:
        errors = [each for each in found["problems"] if not each["warning"]]
        told = f"{len(errors)} mistake{'s' if len(errors) != 1 else ''}" if errors else found["error"]
        self.status.set_text(told or "No mistakes: this can be played.")
        self.code.line_tooltips = {each["line"]: each["message"] for each in found["problems"]}
        self.problems.clear()
        with self.problems:
            for each in found["problems"][:30]:
                kind = "warning" if each["warning"] else "error"
                hint = f"\n  {each['hint']}" if each["hint"] else ""
                text = f"{each['line']}:{each['column']}: {each['message']}{hint}"
                ui.label(text).classes(f"problem {kind}")
        if begun := found["beginning"]:
            self.picture.set_content(begun["svg"])
            legal = ", ".join(f"{role} has {count} moves" for role, count in begun["legal"].items())
            lengths = " and ".join(map(str, begun["plies"]))
            promised = ", ".join(name.replace("_", " ") for name, value in begun["traits"].items() if value is True)
            self.figures.set_text(
                f"{', '.join(begun['roles'])}; at first {legal or 'nobody moves'}; two random matches: {lengths} plies "
                f"(cut at 150); proved or promised: {promised or 'nothing'}"
            )

    async def _play(self) -> None:
        try:
            name = f"{Path(self.name.value or 'my-game').stem}{self.ending.value}"
            spec, found = await asyncio.to_thread(self.hall.shelf.upload, name, self.code.value or "")
        except LudariumError as problem:
            ui.notify(str(problem), type="negative", multi_line=True)
            return
        if spec:
            ui.navigate.to(f"/begin?game={quote(spec)}")
        else:
            self._show(found)
            ui.notify("These rules cannot be played yet: see the problems.", type="negative")

    def _begin_with(self, name: str | None) -> None:
        if name:
            text, ending = _library_text(name)
            self.ending.set_value(ending)
            self.name.set_value(Path(name).stem)
            self.code.set_value(text)


def _library_text(name: str) -> tuple[str, str]:
    """The rules of a game of the library, and the ending of its file."""
    bare = name.removeprefix(catalog.GDL).removeprefix(catalog.LUD)
    if bare.endswith(library.LUDII) and (stem := Path(bare).stem) in library.names(library.LUDII):
        return library.path(stem, library.LUDII).read_text(encoding="utf-8"), library.LUDII
    known = bare if bare in library.names() else "tic-tac-toe"
    return library.path(known).read_text(encoding="utf-8"), library.GDL
