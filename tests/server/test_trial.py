"""Rules that are tried in a process of their own, and what a few matches of them tell."""

from ludarium import library
from ludarium.server.trial import tried


def test_rules_that_are_tried_tell_first_figures():
    told = tried(library.path("tic-tac-toe").read_text(), ".kif", play=False, assess=True)["assessed"]
    numbers = {each["name"]: each for each in told["numbers"]}
    assert numbers["length"]["count"] == 6
    assert 5 <= numbers["length"]["mean"] <= 9
    assert numbers["ends (random)"]["mean"] == 1.0
    assert told["findings"]


def test_rules_with_mistakes_are_not_assessed():
    found = tried("(role x", ".kif", assess=True)
    assert not found["ok"]
    assert "assessed" not in found
