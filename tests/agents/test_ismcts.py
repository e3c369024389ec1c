from importlib import import_module

import pytest

from ludarium import agent, game
from ludarium.agents.ismcts import ISMCTS
from ludarium.arena import play
from ludarium.arena.position import Position
from ludarium.core import BadParameter, InformationSet, Limit, Rng, UnknownName
from ludarium.testing import check_agent
from tests.agents.positions import after, decide, facing
from tests.agents.small_games import matching_pennies, two_keys, walk
from tests.games.swaps import SWAPS
from tests.hidden.knowledge import holding
from tests.hidden.small_games import Urn, long_walk

POKER = game("kuhn-poker")
CONNECT_FOUR = game("connect-four")
KINDS = (ISMCTS(), ISMCTS(trees="many"), ISMCTS(determinizer="enumeration"), ISMCTS(playouts="mast"))


def choose(made, info, *, seed=0, **limit):
    return made.seat(info.game, info.role, Rng(seed)).choose(info, Limit(**limit).start())


@pytest.mark.parametrize("made", KINDS, ids=lambda each: f"{each.trees} {each.determinizer} {each.playouts}")
@pytest.mark.parametrize("moves", ["bet", "pass bet"])
def test_it_never_gives_up_a_king_nor_pays_for_a_jack(made, moves):
    for seed in range(5):
        assert choose(made, holding(POKER, "K", moves), seed=seed, iterations=300).move == 1
        assert choose(made, holding(POKER, "J", moves), seed=seed, iterations=300).move == 0


@pytest.mark.parametrize("made", KINDS, ids=lambda each: f"{each.trees} {each.determinizer} {each.playouts}")
def test_a_call_with_a_queen_is_worth_the_average_over_both_cards(made):
    decided = choose(made, holding(POKER, "Q", "bet"), iterations=5000)
    assert decided.values[1] == pytest.approx(0.5, abs=0.05)
    assert decided.values[0] == 0.25


@pytest.mark.parametrize(
    "spec",
    [
        "ismcts(determinizer=enumeration, playout_limit=3)",
        "determinized(inner=flat, determinizer=enumeration, samples=3)",
    ],
)
def test_listing_all_states_keeps_the_promises_of_agents(spec):
    (checked,) = check_agent(agent(spec), [lambda: game("kuhn-poker")])
    assert checked.supported


@pytest.mark.parametrize("trees", ["one", "many"])
def test_states_that_look_otherwise_belong_to_the_one_root(trees):
    position = Position(game("battleship(width=3, height=3, fleet=(2,), placement='random')"), 3)
    for shot in ("a1", "b2", "c3", "a2"):  # c3 is a hit, and few random fleets say so
        position.play({position.state.movers[0]: position.game.parse(shot)})
    decided = choose(ISMCTS(determinizer="random", trees=trees), position.information_set(0), iterations=200)
    assert sum(decided.visits.values()) == 200


def test_playouts_learn_from_all_those_before(monkeypatch):
    monkeypatch.setattr("ludarium.agents.ismcts._CREDITS", 64)  # it has to grow
    state = after(game("breakthrough"), "")
    player = ISMCTS(playouts="mast").seat(state.game, 0, Rng(0))
    decided = player.choose(facing(state), Limit(iterations=200).start())
    seen = [credit for credit in player.play.ledger if credit.key]
    assert len(seen) == player.play.learnt > 100
    assert all(0 <= each.total <= each.visits for each in seen)
    assert 0.9 * decided.forward_calls < sum(each.visits for each in seen) <= decided.forward_calls


@pytest.mark.parametrize("spec", ["ismcts", "ismcts(trees=many)", "ismcts(playouts=mast)", "determinized(inner=flat)"])
def test_all_is_compiled_before_the_clock_runs(spec, monkeypatch):
    info = holding(game("kuhn-poker"), "Q", "pass bet")
    player = agent(spec).seat(info.game, info.role, Rng(0))
    monkeypatch.setattr(import_module("ludarium.kernel.kernel"), "Unit", None)  # no more compiling
    assert player.choose(info, Limit(iterations=3000).start()).iterations == 3000


def test_with_many_trees_others_know_their_own_cards():
    """A bet with the queen is called by the king and not by the jack, so it loses; one tree takes them for one."""
    info = holding(POKER, "Q")
    one = choose(ISMCTS(), info, iterations=20_000).values[1]
    many = choose(ISMCTS(trees="many"), info, iterations=20_000).values[1]
    assert one == pytest.approx(0.5, abs=0.05)
    assert many < 0.42


@pytest.mark.parametrize("made", KINDS, ids=lambda each: f"{each.trees} {each.determinizer} {each.playouts}")
def test_what_is_hidden_does_not_matter(made):
    for seed in range(6):
        position = Position(POKER, seed)
        while position.state.movers:
            (role,) = position.state.movers
            info = position.information_set(role)
            swapped = SWAPS["kuhn-poker"](position.state, role, Rng(0))
            other = InformationSet(
                game=POKER,
                role=role,
                legal=tuple(swapped.legal(role)),
                seen=(*info.seen[:-1], swapped.observe(role)),
                played=info.played,
            )
            decided = choose(made, info, seed=seed, iterations=40)
            assert decided == choose(made, other, seed=seed, iterations=40)
            position.play({role: 1 - position.plies % 2})


def test_a_player_remembers_the_match():
    walk_ = long_walk()
    position, player = Position(walk_, 2), ISMCTS(playout_limit=5).seat(walk_, 0, Rng(0))
    costs = []
    for _ in range(60):
        decided = player.choose(position.information_set(0), Limit(iterations=30).start())
        costs.append(decided.forward_calls)
        position.play({0: decided.move})
    assert max(costs[30:]) < 4 * max(costs[:30])


@pytest.mark.parametrize("trees", ["one", "many"])
@pytest.mark.parametrize("moves", ["a b a b a b", "a g a g a"])
def test_where_nothing_is_hidden_it_wins_at_once_or_blocks(moves, trees):
    chosen = decide(ISMCTS(trees=trees), after(CONNECT_FOUR, moves), iterations=2000)
    assert CONNECT_FOUR.text(chosen.move) == "a"


@pytest.mark.parametrize("trees", ["one", "many"])
@pytest.mark.parametrize(("both_first", "both_second", "equilibrium"), [(2, 2, 1 / 2), (2, 1, 1 / 3), (1, 2, 2 / 3)])
def test_where_both_choose_at_once_visits_approach_the_equilibrium(trees, both_first, both_second, equilibrium):
    state = matching_pennies(both_first, both_second).initial()
    for role in (0, 1):
        chosen = decide(ISMCTS(trees=trees), state, role=role, iterations=50_000)
        assert chosen.visits[0] / 50_000 == pytest.approx(equilibrium, abs=0.03)
        value = both_first / 2 * equilibrium if role == 0 else 1 - both_first / 2 * equilibrium
        assert chosen.values[chosen.move] == pytest.approx(value, abs=0.03)


def test_chance_falls_anew():
    chosen = decide(ISMCTS(), walk().initial(Rng(0)), iterations=10_000)
    assert chosen.move == 0
    assert chosen.values[1] == pytest.approx(0.25, abs=0.08)


@pytest.mark.parametrize("determinizer", ["replay", "enumeration"])
@pytest.mark.parametrize("limit", [{"forward_calls": 40}, {"iterations": 25}])
def test_every_play_of_the_game_is_a_forward_call(limit, determinizer):
    urn = Urn()
    position = Position(urn, 3)
    position.play({0: (position.state.ball + 1) % 4})
    info = position.information_set(0)
    player = ISMCTS(determinizer=determinizer).seat(urn, 0, Rng(0))
    urn.plays = 0
    decided = player.choose(info, Limit(**limit).start())
    assert decided.forward_calls == urn.plays > decided.iterations > 0
    assert decided.move not in info.played
    if "forward_calls" in limit:
        assert urn.plays == 40


def test_states_are_drawn_as_long_as_that_costs_no_more_than_searching_them():
    decided = choose(ISMCTS(), holding(POKER, "Q", "pass bet"), iterations=2000)
    assert 100 < int(decided.note.split()[2]) <= 2000
    assert decided.forward_calls < 3 * decided.iterations


def test_without_a_state_any_move_will_do_and_that_is_told():
    noted = {choose(ISMCTS(), holding(POKER, "Q", "pass bet"), seed=seed, forward_calls=1).note for seed in range(5)}
    assert noted == {"any move: the budget ended before a state that agrees with what was seen was found and searched"}


def test_one_node_is_enough():
    for trees in ("one", "many"):
        for role in (0, 1):
            chosen = decide(ISMCTS(trees=trees, max_nodes=1), matching_pennies().initial(), role=role, iterations=50)
            assert sum(chosen.visits.values()) == 50


def test_trees_grow_beyond_their_first_memory():
    chosen = decide(ISMCTS(), CONNECT_FOUR.initial(), iterations=20_000)
    assert int(chosen.note.split()[0]) > 1500
    assert sum(chosen.visits.values()) == 20_000
    assert chosen.depth > 4


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("name", "matches"), [("kriegspiel-tic-tac-toe", 30), ("gdl:battleship", 8), ("blind-tic-tac-toe", 30)]
)
def test_it_beats_random_play(name, matches):
    """Seeded; random play would get so many points once in a hundred times, or once in thirty of eight matches."""
    hidden, points = game(name), 0.0
    for seed in range(matches):
        role = seed % 2
        agents = [agent("ismcts") if each == role else agent("random") for each in range(2)]
        points += play(hidden, agents, iterations=300, seed=seed).utilities[role]
    assert points > (0.7 if matches > 8 else 0.85) * matches


@pytest.mark.parametrize(
    "wrong", ["c=-1", "trees=two", "playout_limit=-1", "final=best", "max_nodes=0", "determinizer='replay(pool=0)'"]
)
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadParameter, match=r"expected"):
        agent(f"ismcts({wrong})")


def test_an_unknown_determinizer_is_refused():
    with pytest.raises(UnknownName, match="unknown determinizer 'psychic'"):
        agent("ismcts(determinizer=psychic)")


@pytest.mark.parametrize("trees", ["one", "many"])
def test_a_role_remembers_what_it_did_itself(trees):
    """However the first key was turned, the second can be turned the same way, although nothing shows how."""
    keys = two_keys()
    start = keys.initial(Rng(0))
    info = InformationSet(game=keys, role=0, legal=tuple(start.legal(0)), seen=(start.observe(0),))
    chosen = ISMCTS(trees=trees).seat(keys, 0, Rng(1)).choose(info, Limit(iterations=2000).start())
    assert min(chosen.values.values()) > 0.8
