"""Orders of conditions: what is looked at for each of many orders is worked out once."""

from ludarium import library
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.joins.code.orders import Orders
from ludarium.gdl.joins.code.steps import Source
from ludarium.gdl.joins.game import load_rules
from ludarium.gdl.text.reader import read


def test_the_rows_of_a_condition_are_estimated_once_for_each_way_to_ask(monkeypatch):
    rows, best, asked, times = Orders._rows, Orders.best, [], []

    def estimated(self, atom, modes):
        if self._planner.source(atom) is not Source.RULES and not self._planner.lasts(atom.relation):
            asked.append((id(atom), modes))
        return rows(self, atom, modes)

    def looked_for(self, *given, **how):
        asked.clear()
        made = best(self, *given, **how)
        times.append(len(asked) == len(set(asked)))
        return made

    monkeypatch.setattr(Orders, "_rows", estimated)
    monkeypatch.setattr(Orders, "best", looked_for)
    load_rules("tic-tac-toe", prepared(read(library.path("tic-tac-toe"))))
    assert len(times) > 10
    assert all(times)
