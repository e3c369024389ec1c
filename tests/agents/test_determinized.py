import pytest

from ludarium import agent, game
from ludarium.agents.determinized import Determinized
from ludarium.agents.flat import Flat
from ludarium.agents.random import Random
from ludarium.agents.uct import UCT
from ludarium.arena.position import Position
from ludarium.core import BadParameter, Decision, Limit, Rng, UnsupportedGame, describe
from tests.agents.positions import after, decide
from tests.games.swaps import SWAPS
from tests.hidden.knowledge import holding
from tests.hidden.small_games import Urn

POKER = game("kuhn-poker")
CONNECT_FOUR = game("connect-four")


def choose(made, info, *, seed=0, **limit):
    return made.seat(info.game, info.role, Rng(seed)).choose(info, Limit(**limit).start())


@pytest.mark.parametrize("inner", ["uct", "flat", "mast"])
@pytest.mark.parametrize("moves", ["bet", "pass bet"])
def test_it_never_gives_up_a_king_nor_pays_for_a_jack(inner, moves):
    made = agent(f"determinized(inner={inner})")
    for seed in range(5):
        assert choose(made, holding(POKER, "K", moves), seed=seed, iterations=400).move == 1
        assert choose(made, holding(POKER, "J", moves), seed=seed, iterations=400).move == 0


def test_all_states_count_the_same():
    made = Determinized(determinizer="enumeration", samples=400)
    decided = choose(made, holding(POKER, "Q", "bet"), iterations=8000)
    assert decided.values == {0: 0.25, 1: pytest.approx(0.5, abs=0.1)}


def test_it_searches_as_many_states_as_it_is_told():
    for samples in (1, 4, 10):
        decided = choose(Determinized(samples=samples), holding(POKER, "Q", "bet"), iterations=1000)
        assert decided.note.startswith(f"{samples} states")
        assert decided.iterations == 1000
    assert choose(Determinized(), holding(POKER, "Q", "bet"), iterations=3).note.startswith("3 states")


def test_votes_are_counted_where_nothing_else_is_told():
    decided = choose(Determinized(inner=Random(), samples=9), holding(POKER, "Q", "bet"), iterations=100)
    assert (decided.values, decided.visits) == ({}, {})
    votes = int(decided.note.split()[4])
    assert 5 <= votes <= 9


@pytest.mark.parametrize("final", ["value", "visits", "votes"])
def test_what_is_played_is_what_was_found(final):
    made = Determinized(inner=Telling(), final=final, samples=3)
    assert choose(made, holding(POKER, "Q", "bet"), iterations=9).move == (1 if final == "value" else 0)


class Telling:
    """Prefers passing with more visits, and says that betting has the better value."""

    name = "telling"

    def seat(self, game, role, rng):
        return self

    def choose(self, info, budget):
        budget.charge(iterations=3)
        return Decision(0, values={0: 0.4, 1: 0.6}, visits={0: 2, 1: 1}, iterations=3)


def test_what_is_hidden_does_not_matter():
    for seed in range(6):
        position = Position(POKER, seed)
        info = position.information_set(0)
        swapped = SWAPS["kuhn-poker"](position.state, 0, Rng(0))
        assert swapped != position.state
        position.state = swapped
        assert choose(Determinized(), info, seed=seed, iterations=40) == choose(
            Determinized(), position.information_set(0), seed=seed, iterations=40
        )


def test_where_nothing_is_hidden_it_is_the_inner_agent():
    state = after(CONNECT_FOUR, "a b a b a b")
    alone = decide(UCT(), state, iterations=500)
    decided = decide(Determinized(), state, iterations=500)
    assert decided.iterations == alone.iterations == sum(decided.visits.values())
    assert CONNECT_FOUR.text(decided.move) == "a"


@pytest.mark.parametrize("determinizer", ["replay", "enumeration"])
@pytest.mark.parametrize("limit", [{"forward_calls": 60}, {"iterations": 25}])
def test_every_play_of_the_game_is_a_forward_call(limit, determinizer):
    urn = Urn()
    position = Position(urn, 3)
    position.play({0: (position.state.ball + 1) % 4})
    player = Determinized(inner=Flat(), determinizer=determinizer, samples=4).seat(urn, 0, Rng(0))
    urn.plays = 0
    decided = player.choose(position.information_set(0), Limit(**limit).start())
    assert decided.forward_calls == urn.plays > decided.iterations > 0


def test_half_of_the_forward_calls_are_left_for_searching():
    decided = choose(Determinized(samples=1000), holding(POKER, "Q", "pass bet"), forward_calls=400)
    assert decided.forward_calls == 400
    assert decided.iterations >= 90


def test_without_a_state_any_move_will_do_and_that_is_told():
    decided = choose(Determinized(), holding(POKER, "Q", "pass bet"), forward_calls=1)
    assert decided.note.startswith("any move: the budget ended before a state")


def test_a_wrapped_agent_is_written_as_the_catalog_reads_it():
    made = agent("determinized(inner=flat(playout_limit=3), determinizer='replay(pool=50)', samples=4)")
    assert made == Determinized(inner=Flat(playout_limit=3), determinizer="replay(pool=50)", samples=4)
    assert agent(describe(made)) == made


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"samples": 0}, "determinized: samples is 0"),
        ({"final": "best"}, "determinized: final is 'best'"),
        ({"inner": "uct"}, "determinized: inner is 'uct'; expected an agent"),
        ({"determinizer": "replay(pool=0)"}, "replay: pool is 0"),
        ({"determinizer": None}, "determinized: determinizer is None; expected"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(wrong, told):
    with pytest.raises(BadParameter, match=told):
        Determinized(**wrong)


SEA = game("battleship(width=4, height=4, fleet=(2,), placement='random')")
HOT = "determinized(inner=random, determinizer='heatmap(samples=300)', samples=1, bias=1000)"


@pytest.mark.parametrize("name", [HOT, "ismcts(determinizer='heatmap(samples=300)', bias=1000)"])
def test_a_large_bias_shoots_at_the_hottest_cell(name):
    for seed in range(3):
        info = Position(SEA, seed).information_set(0)
        assert SEA.text(choose(agent(name), info, seed=seed, iterations=4).move) in ("b2", "b3", "c2", "c3")


def test_a_small_bias_decides_between_moves_that_are_equally_good():
    info = Position(SEA, 0).information_set(0)
    for seed in range(10):
        made = agent("determinized(inner=osla, determinizer='heatmap(samples=300)', samples=1, bias=0.02)")
        player = made.seat(SEA, 0, Rng(seed))
        decided = player.choose(info, Limit(iterations=100).start())
        heat = player.worlds.sampler.warmth(info.legal)
        best = [move for move, value in decided.values.items() if value == max(decided.values.values())]
        assert len(best) == 2  # the cells of the imagined ship
        assert heat[decided.move] == max(heat[move] for move in best)


def test_a_bias_needs_a_heatmap():
    with pytest.raises(UnsupportedGame, match="determinized: a bias needs a heatmap, and constraint draws none"):
        agent("determinized(determinizer=constraint, bias=1)").seat(SEA, 0, Rng(0))
    with pytest.raises(BadParameter, match="determinized: bias is -1"):
        Determinized(bias=-1.0)
    assert agent("determinized(inner=uct, bias=1)").seat(CONNECT_FOUR, 0, Rng(0))
