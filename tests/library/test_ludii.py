"""Our games in Ludii's language: they keep their promises, and play as the same games do in Python and in GDL."""

from functools import partial

import pytest

from ludarium import library
from ludarium.catalog import game, rule_files
from ludarium.core import Rng
from ludarium.core.problems import Problem
from ludarium.kernel import using
from ludarium.ludii.grammar.checker import check
from ludarium.ludii.text.expander import expand
from ludarium.testing import check_agent, check_game, compare
from ludarium.testing.agent import BRIEF

OURS = [name for name, head in rule_files().items() if head.language == "ludii"]
VARIANTS = ['lud:hex(options=["Size/5x5", "Swap/Yes"])', 'ludo(options=["Players/Four", "Men/Two"])']
COMPARED = ["checkers", "eight-puzzle", "hex", "tablut", "tic-tac-toe"]
"""Games whose rules in GDL are exactly the same; the heads of the others tell what is different."""


def others() -> list[str]:
    """Every game with each of its options that is not chosen anyway."""
    found = []
    for name in OURS:
        options = expand(library.path(name.removeprefix("lud:"), library.LUDII).read_text(encoding="utf-8")).options
        for category in options.categories:
            items = (item for item in category.items if item is not category.default)
            found += [f'{name}(options="{category.choice(item)}")' for item in items]
    return found


@pytest.mark.parametrize("name", library.names(library.LUDII))
def test_nothing_is_wrong_with_the_description(name: str) -> None:
    file = library.path(name, library.LUDII)
    found: list[Problem] = check(file.read_text(encoding="utf-8"), file.name)
    assert found == []


@pytest.mark.parametrize("name", OURS)
def test_the_head_names_title_players_and_rules(name: str) -> None:
    head = rule_files()[name]
    assert head.roles == ", ".join(game(name).roles)
    traits = game(name).traits
    assert (head.hidden, head.chance) == (not traits.perfect_information, not traits.deterministic)
    assert len(head.about) > 40
    rules = library.path(name.removeprefix("lud:"), library.LUDII).read_text(encoding="utf-8").splitlines()
    assert max(map(len, rules)) <= 110


@pytest.mark.parametrize("spec", [*OURS, *VARIANTS])
def test_the_game_conforms(spec: str) -> None:
    check_game(partial(game, spec), seeds=range(1), plies=12)


@pytest.mark.parametrize("spec", [*OURS, *VARIANTS, *others()])
def test_random_matches_end_as_games_do(spec: str) -> None:
    played = game(spec)
    for seed in range(2):
        rng = Rng(seed)
        state, plies = played.initial(rng), 0
        while not state.over:
            joint = {role: rng.choice(state.legal(role)) for role in state.movers}
            state, plies = state.after(joint, rng), plies + 1
        assert plies < 1000
        assert len(played.roles) == 1 or 0 <= min(state.utilities()) <= 0.5 <= max(state.utilities()) <= 1


@pytest.mark.parametrize("name", COMPARED)
def test_the_game_is_the_same_as_in_gdl(name: str) -> None:
    assert compare(f"lud:{name}", f"gdl:{name}", positions=2000, matches=1).difference is None


def _plain(text: str) -> str:
    """A move by its sites alone."""
    return text.removeprefix("add ").partition(" #")[0].replace("x", "").replace("-", "")


def _leaning(text: str) -> str:
    """Ludii's rhombus leans to the other side."""
    return f"{text[0]}{10 - int(text[1:])}"


def _column(text: str) -> str:
    """Where a disc is dropped, without how far it falls."""
    return text if text == "pass" else _plain(text)[0]


@pytest.mark.parametrize("agent", ["uct", "mast", "alphabeta"])
def test_agents_keep_their_promises_with_them(agent: str) -> None:
    check_agent(agent, ["lud:tic-tac-toe", "oncoming", "lud:reversi"], effort=BRIEF)


@pytest.mark.parametrize(
    ("spec", "other", "spell", "spell_other"),
    [
        ("lud:tic-tac-toe", "tic-tac-toe", _plain, _plain),
        ("lud:tic-tac-toe", "gdl:tic-tac-toe", _plain, _plain),
        ("lud:breakthrough", "breakthrough", _plain, _plain),
        ('lud:breakthrough(options="Size/6x6")', "breakthrough-small", _plain, _plain),
        ("lud:hex", "hex", _plain, _leaning),
        ("lud:connect-four", "connect-four", _column, _plain),
        ("lud:reversi", "reversi", _plain, _plain),
        ("lud:knightthrough", "knightthrough", _plain, _plain),
    ],
)
def test_random_matches_go_as_in_another_language(spec, other, spell, spell_other) -> None:
    ours, theirs = game(spec), game(other)
    for seed in range(20):
        rng = Rng(seed)
        state, twin = ours.initial(rng), theirs.initial(rng)
        while not state.over:
            (role,) = state.movers
            spelled = {spell(ours.text(move)): move for move in state.legal(role)}
            if twin.over:  # where nobody can move any more, Ludii's players pass before it is over
                assert spelled.keys() == {"pass"}
                state = state.after(spelled["pass"])
                continue
            if twin.movers != (role,):  # GDL does not ask who has no choice
                (only,), (nothing,) = spelled.values(), twin.legal(twin.movers[0])
                state, twin = state.after(only), twin.after(nothing)
                continue
            known = {spell_other(theirs.notation(move)): move for move in twin.legal(role)}
            assert spelled.keys() == known.keys()
            chosen = rng.choice(sorted(spelled))
            state, twin = state.after(spelled[chosen], rng), twin.after(known[chosen], rng)
        assert twin.over
        assert state.utilities() == twin.utilities()


def test_kernels_as_python_play_as_machine_code_does() -> None:
    walks = []
    for way in ("native", "python"):
        with using(way):
            made, rng = game("oncoming"), Rng(3)
            state, told = made.initial(rng), []
            while not state.over:
                legal = state.legal(state.movers[0])
                told.append([made.text(move) for move in legal])
                state = state.after(rng.choice(legal), rng)
            walks.append((told, state.utilities()))
    assert walks[0] == walks[1]
