import inspect
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from ludarium import agent, catalog, game, library, registry
from ludarium.agents.flat import Flat
from ludarium.agents.uct import UCT
from ludarium.core import BadParameter, Game, LudariumError, Traits, UnknownName, describe
from ludarium.core.parameters import flag, part
from ludarium.gdl.game import GdlGame
from ludarium.gdl.text.convert import convert
from ludarium.kernel import KernelGame
from ludarium.ludii.game import LudGame
from ludarium.registry import Entry


@dataclass(frozen=True)
class Wrapping:
    """Takes an agent as a part."""

    name: ClassVar[str] = "wrapped"

    inner: Any = part(UCT(), "agent")
    """Who thinks."""

    judge: str = part("auto", "judge")
    """Who judges."""

    def seat(self, game, role, rng):
        return self.inner.seat(game, role, rng)


@dataclass(frozen=True)
class WrappingTwice(Wrapping):
    """Takes an agent as a part.

    Somebody,
    a book (1999).
    """

    twice: bool = flag(False)
    """Whether
    twice."""


@pytest.fixture
def wrapping(monkeypatch):
    """Two more agents in the catalog."""
    module = SimpleNamespace(Wrapped=WrappingTwice, two_words=lambda playout_limit=2: Flat(playout_limit))
    monkeypatch.setitem(sys.modules, "ludarium.wrapping", module)
    monkeypatch.setitem(catalog.AGENTS, "wrapped", Entry("ludarium.wrapping:Wrapped", "takes a part"))
    monkeypatch.setitem(catalog.AGENTS, "two-words", Entry("ludarium.wrapping:two_words", "has a hyphen"))
    return WrappingTwice


@pytest.mark.parametrize("name", catalog.GAMES)
def test_every_game_goes_by_its_name(name):
    made = game(name)
    assert isinstance(made, Game)
    assert made.name == name


def test_every_rule_file_of_the_library_is_in_the_catalog():
    names = set(catalog.rule_files())
    ours, others = set(library.names(library.LUDII)), {*catalog.GAMES, *library.names()}
    plain = {name.removeprefix("gdl:") for name in names if not name.startswith("lud:")}
    assert plain == {*library.names(), *(ours - others)}
    assert names - plain == {*(f"lud:{name}" for name in ours & others), *(n for n in names if n.startswith("gdl:"))}
    assert {name for name in names if name.startswith("gdl:")} == {
        f"gdl:{name}" for name in library.names() if name in catalog.GAMES
    }
    assert not names & set(catalog.GAMES)


@pytest.mark.parametrize("name", ["gdl:tic-tac-toe", "gdl:connect-four", "tron", "gdl:nim", "gdl:breakthrough"])
def test_a_game_from_rules_goes_by_its_name(name):
    made = game(name)
    assert made.name == name
    assert game(made.name).roles == made.roles


def test_the_plain_name_is_the_python_game_and_gdl_reaches_all_rules():
    assert isinstance(game("connect-four"), KernelGame)
    assert isinstance(game("gdl:connect-four"), GdlGame)
    assert game("gdl:tron").name == "tron"
    assert isinstance(game("lud:breakthrough"), LudGame)
    assert game("lud:oncoming").name == game("oncoming").name == "oncoming"


@pytest.mark.parametrize("name", catalog.rule_files())
def test_the_head_of_a_rule_file_tells_what_it_is_about(name):
    header = catalog.rule_files()[name]
    assert header.title
    assert header.about.endswith(".")
    assert 20 < len(header.about) < 400


def test_the_head_of_a_rule_file_names_the_roles_of_the_game():
    for name in (
        "lud:hex",
        "oncoming",
        "gdl:tic-tac-toe",
        "monty-hall",
        "meier",
        "chinese-checkers-six",
        "eight-puzzle",
    ):
        assert catalog.rule_files()[name].roles == ", ".join(game(name).roles)


@pytest.mark.parametrize("ending", [".kif", ".gdl", ".KIF"])
def test_a_file_of_rules_is_a_game(ending, tmp_path):
    file = tmp_path / f"mine{ending}"
    file.write_text(library.path("tic-tac-toe").read_text(encoding="utf-8"), encoding="utf-8")
    made = game(str(file))
    assert (made.name, made.roles) == ("mine", ("x", "o"))


def test_a_file_in_infix_form_is_a_game(tmp_path):
    convert(library.path("nim"), tmp_path / "nim.hrf")
    assert game(str(tmp_path / "nim.hrf")).roles == ("first", "second")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, r"bad\.kif: No such file"),
        ("", r"bad\.kif:1:1: there are no rules here"),
        ("(role x", r"bad\.kif:1:1: this '\(' is not closed"),
        ("(role x)\n(<= (legal x ?m) (not (p ?m)))", r"bad\.kif:2:1: unsafe rule(.|\n)*bad\.kif:2:23: unsafe"),
    ],
)
def test_a_file_of_bad_rules_is_told_with_line_and_column(content, message, tmp_path):
    file = tmp_path / "bad.kif"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(LudariumError, match=message):
        game(str(file))


@pytest.mark.parametrize("name", catalog.AGENTS)
def test_every_agent_goes_by_its_name(name):
    assert agent(name).name == describe(agent(name)) == name


@pytest.mark.parametrize("entry", [*catalog.GAMES.values(), *catalog.AGENTS.values()])
def test_the_line_about_it_is_a_line(entry):
    assert 5 < len(entry.about) < 80
    assert not entry.about.endswith(".")


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("uct", UCT()),
        (" uct ", UCT()),
        ("uct()", UCT()),
        ("uct( )", UCT()),
        ("uct(c=1)", UCT(c=1)),
        ("uct(c=1.5, final='value')", UCT(c=1.5, final="value")),
        ('uct(final="value",)', UCT(final="value")),
        ("uct(final=value, unvisited=first)", UCT(final="value", unvisited="first")),
        ("flat(playout_limit=1_000)", Flat(playout_limit=1000)),
    ],
)
def test_parameters_are_read_as_in_python_and_words_need_no_quotes(spec, expected):
    assert agent(spec) == expected


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("utc", "unknown agent 'utc': did you mean 'uct'?"),
        ("UCT", "unknown agent 'UCT': did you mean 'uct'?"),
        ("stockfish", "unknown agent 'stockfish'"),
        ("", "unknown agent ''"),
        ("(c=1)", "unknown agent ''"),
    ],
)
def test_unknown_agents_are_told_what_there_is(spec, message):
    with pytest.raises(UnknownName) as told:
        agent(spec)
    assert str(told.value).startswith(message)


@pytest.mark.parametrize(
    ("spec", "meant"), [("gdl:conect-four", "gdl:connect-four"), ("hnefatafel", "hnefatafl"), ("gdl:hexx", "gdl:hex")]
)
def test_unknown_rules_are_told_what_was_meant(spec, meant):
    with pytest.raises(UnknownName, match=f"did you mean '{meant}'"):
        game(spec)


@pytest.mark.parametrize("spec", ["conect-four", "Connect-Four", "connect_four", "connectfour"])
def test_unknown_games_are_told_what_was_meant(spec):
    with pytest.raises(UnknownName, match=r"did you mean 'connect-four'\?"):
        game(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "uct(",
        "uct(c=1",
        "uct(c=1))",
        "uct(c=1)(c=2)",
        "uct(c=1) + 1",
        "uct(c=1).seat",
        "uct(1)",
        "uct(*[1])",
        "uct(**{'c': 1})",
        "uct(c=1, c=2)",
        "uct(c=)",
        "uct(c=1 2)",
        "uct(c={[]: 1})",
        "uct(c=1\0)",
        "uct(c=" + "(" * 300 + ")",
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_how_to_write_it(spec):
    with pytest.raises(BadParameter, match=r"cannot read agent .*; expected name, or name\(parameter=value"):
        agent(spec)


@pytest.mark.parametrize("value", ["__import__('os').getcwd()", "x.y", "champions.json"])
def test_code_is_a_text_like_any_other_and_no_number(value):
    with pytest.raises(BadParameter, match="uct: c is .*; expected a number from 0 to 1000000"):
        agent(f"uct(c={value})")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct(d=1)", r"agent 'uct' has no parameter 'd'; it has c, "),
        ("nothing(c=1)", r"agent 'nothing' has no parameter 'c'; it has none"),
        ("uct(name='x')", r"agent 'uct' has no parameter 'name'"),
        ("uct(c='high')", r"uct: c is 'high'; expected a number"),
        ("uct(c=high)", r"uct: c is 'high'; expected a number"),
        ("uct(c=True)", r"uct: c is True; expected a number"),
        ("uct(c=None)", r"uct: c is None; expected a number"),
        ("uct(c=[1])", r"uct: c is \[1\]; expected a number"),
        ("uct(playout_limit=2.5)", r"uct: playout_limit is 2\.5; expected a whole number"),
        ("uct(playout_limit=False)", r"uct: playout_limit is False"),
        ("uct(final=3)", r"uct: final is 3; expected "),
        ("uct(final=worst)", r"uct: final is 'worst'; expected one of visits, value"),
        ("uct(c=-1)", r"uct: c is -1; expected "),
        ("uct(c=1e999)", r"uct: c is inf"),
        ("uct(max_nodes=0)", r"uct: max_nodes is 0"),
        ("flat(playout_limit=-1)", r"flat: playout_limit is -1; expected a whole number, 0 or more"),
    ],
)
def test_parameters_that_make_no_sense_are_told_apart(spec, message):
    with pytest.raises(BadParameter, match=message):
        agent(spec)


@pytest.mark.parametrize(
    ("spec", "inner"),
    [
        ("wrapped", UCT()),
        ("wrapped(inner=flat)", Flat()),
        ("wrapped(inner=uct(c=1))", UCT(c=1)),
        ("wrapped(inner='uct(c=1)')", UCT(c=1)),
        ("wrapped(inner=two-words)", Flat(playout_limit=2)),
        ("wrapped(inner=two-words(playout_limit=3))", Flat(playout_limit=3)),
        ("wrapped(inner=wrapped(inner=flat))", "wrapped(inner=flat)"),
    ],
)
def test_agents_can_be_parts_of_agents(wrapping, spec, inner):
    expected = agent(inner) if isinstance(inner, str) else inner
    assert agent(spec) == wrapping(inner=expected)
    assert agent(describe(agent(spec))) == agent(spec)


@pytest.mark.parametrize("text", ["auto", "material + 0.001*mobility", "-goals(weight=2)", "a-b"])
def test_other_parts_are_kept_as_they_are_written(wrapping, text):
    assert agent(f"wrapped(judge={text})").judge == agent(f"wrapped(judge='{text}')").judge == text
    assert agent(describe(wrapping(judge=text))) == wrapping(judge=text)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("wrapped(inner=utc)", "unknown agent 'utc': did you mean 'uct'?"),
        ("wrapped(inner=uct(c=-1))", "uct: c is -1; expected "),
        ("wrapped(inner=uct(d=1))", "agent 'uct' has no parameter 'd'"),
        ("wrapped(inner=3)", "wrapped: inner is 3; expected an agent"),
        ("wrapped(judge=3)", "wrapped: judge is 3; expected a judge"),
        ("wrapped(twice=7)", "wrapped: twice is 7; expected True or False"),
    ],
)
def test_parts_that_make_no_sense_are_told_apart(wrapping, spec, message):
    with pytest.raises(LudariumError) as told:
        agent(spec)
    assert str(told.value).startswith(message)


def test_what_is_inherited_has_a_meaning_and_a_range(wrapping):
    entry = catalog.AGENTS["wrapped"]
    assert catalog.meanings(entry.make) == {"inner": "Who thinks.", "judge": "Who judges.", "twice": "Whether twice."}
    assert list(map(str, registry.ranges(entry).values())) == ["an agent", "a judge", "True or False"]


def test_the_source_is_what_the_class_or_else_the_module_says_below_its_first_sentence(wrapping):
    assert catalog.source(catalog.AGENTS["wrapped"]) == "Somebody, a book (1999)."
    assert catalog.source(catalog.AGENTS["uct"]).startswith("Kocsis and Szepesvari")


@pytest.mark.parametrize("name", catalog.AGENTS)
def test_every_agent_says_where_it_comes_from(name):
    assert name == "random" or len(catalog.source(catalog.AGENTS[name])) > 20


def rows_of_the_docs():
    """The rows of the table of agents, by name."""
    docs = Path(__file__).parent.parent / "docs" / "agents.md"
    lines = docs.read_text(encoding="utf-8").splitlines()
    return {line.split("`")[1]: line for line in lines if line.startswith("| `") and line.count(" | ") >= 4}


def test_the_table_of_the_docs_has_a_row_for_every_agent_in_the_order_of_the_catalog():
    assert list(rows_of_the_docs()) == list(catalog.AGENTS)


@pytest.mark.parametrize("name", catalog.AGENTS)
def test_the_table_of_the_docs_names_every_parameter_and_no_other(name):
    rows = rows_of_the_docs()
    cell = rows[name].split("|")[3]
    own, _, shared = cell.partition("those of")
    named = set(re.findall("`(.+?)`", own))
    for other in re.findall("`(.+?)`", shared):
        named |= set(re.findall("`(.+?)`", rows[other].split("|")[3]))
    assert named == set(registry.parameters(catalog.AGENTS[name]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("connect-four(width=3)", "game 'connect-four' has no parameter 'width'; it has none"),
        ("breakthrough(width=99)", "the width of Breakthrough's board"),
        ("breakthrough(width='wide')", "breakthrough: width is 'wide'; expected a whole number"),
        ("nim(heaps=3)", "nim: heaps is 3; expected a tuple"),
        ("nim(heaps=())", "Nim is played with"),
        ("goofspiel(order=odd)", "random, rising or falling"),
        ("my/race.py:Race(length=9", r"cannot read game 'my/race.py:Race\(length=9'; expected name, or name\("),
        ("rules/chess.pgn", "'rules/chess.pgn' looks like a file, but its ending '.pgn' is not known"),
        ("./chess", "looks like a file, but its ending '' is not known; rule files end in .kif, .gdl, .hrf"),
        ("tron(size=3)", "game 'tron' has no parameter 'size'; it has chance"),
    ],
)
def test_games_that_make_no_sense_are_told_why(spec, message):
    with pytest.raises(BadParameter, match=message):
        game(spec)


def test_a_file_with_another_ending_is_called_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.txt").touch()
    with pytest.raises(BadParameter, match=r"'rules\.txt' looks like a file, but its ending '\.txt' is not known"):
        game("rules.txt")


def test_a_factory_that_fails_is_a_bad_parameter(monkeypatch):
    def broken(size: int = 3):
        raise TypeError("not like this")

    monkeypatch.setattr(Entry, "make", property(lambda self: broken))
    with pytest.raises(BadParameter, match=r"game 'nim\(size=4\)': not like this"):
        game("nim(size=4)")


@pytest.mark.parametrize("name", catalog.AGENTS)
def test_every_parameter_of_an_agent_has_a_default_and_a_meaning(name):
    entry = catalog.AGENTS[name]
    known = registry.parameters(entry)
    meanings = catalog.meanings(entry.make)
    assert set(meanings) == set(known)
    assert all(parameter.default is not inspect.Parameter.empty for parameter in known.values())
    assert all(meaning.endswith(".") for meaning in meanings.values())


def test_every_trait_has_a_meaning():
    assert set(catalog.meanings(Traits)) == set(inspect.signature(Traits).parameters)


@pytest.mark.parametrize("name", catalog.GAMES)
def test_every_parameter_of_a_game_has_a_default(name):
    known = registry.parameters(catalog.GAMES[name])
    assert all(parameter.default is not inspect.Parameter.empty for parameter in known.values())
