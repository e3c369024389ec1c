"""A form for a seat: who sits there, what they may spend, and every parameter that the agent's description tells of."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from ludarium.core.agent import HUMAN
from ludarium.server.hall import Place

BUDGETS = {"iterations": "iterations a move", "seconds": "seconds a move"}


class SeatForm:
    """A seat on the page."""

    def __init__(self, role: str, agents: list[dict[str, Any]], chosen: str) -> None:
        self.agents = {each["name"]: each for each in agents}
        self._given: dict[str, Any] = {}
        options = {HUMAN: "a person"} | {name: f"{name}: {each['about']}" for name, each in self.agents.items()}
        with ui.element("div").classes("panel"):
            ui.label(role).classes("text-bold")
            self.who = ui.select(options, value=chosen, with_input=True, label="who plays").classes("fill")
            with ui.row().classes("items-center no-wrap fill") as self.spending:
                self.amount = ui.number("thinks for", value=1000, min=0.01, step=100).classes("col")
                self.unit = ui.select(BUDGETS, value="iterations", label="unit").classes("col")
            self.parameters = ui.expansion("parameters").classes("fill")
        self.who.on_value_change(self._changed)
        self.unit.on_value_change(lambda: self.amount.set_value(1000 if self.unit.value == "iterations" else 1))
        self._changed()

    def place(self) -> Place:
        """What was chosen."""
        if self.who.value == HUMAN:
            return Place(HUMAN)
        amount = float(self.amount.value or 0)
        given = ", ".join(f"{name}={value}" for name, value in self._given.items())
        spec = f"{self.who.value}({given})" if given else str(self.who.value)
        if self.unit.value == "iterations":
            return Place(spec, iterations=int(amount))
        return Place(spec, seconds=amount)

    def _changed(self) -> None:
        agent = self.agents.get(self.who.value)
        self._given = {}
        self.spending.set_visibility(agent is not None)
        self.parameters.set_visibility(bool(agent and agent["parameters"]))
        self.parameters.clear()
        with self.parameters:
            for each in agent["parameters"] if agent else ():
                self._field(each)

    def _field(self, parameter: dict[str, Any]) -> None:
        """One parameter: only what is changed goes into the name of the agent."""
        name, default = parameter["name"], parameter["default"]

        def changed(event: Any) -> None:
            if event.value in (default, None, ""):
                self._given.pop(name, None)
            elif parameter["kind"] == "whole":
                self._given[name] = int(event.value)
            else:
                self._given[name] = event.value

        match parameter["kind"]:
            case "number" | "whole":
                field: Any = ui.number(name, value=default, min=parameter["low"], max=parameter["high"])
            case "choice":
                field = ui.select(parameter["choices"], value=default, label=name)
            case "flag":
                field = ui.switch(name, value=bool(default))
            case _:
                field = ui.input(name, value="" if default is None else str(default))
        field.classes("fill").on_value_change(changed)
        if parameter["about"]:
            ui.label(parameter["about"]).classes("faint text-caption")
