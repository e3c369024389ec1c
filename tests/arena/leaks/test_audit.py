import pytest

from ludarium import agent, game
from ludarium.arena import audit
from ludarium.arena.position import after
from ludarium.core import BadParameter, UnsupportedGame
from tests.arena.leaks import leaky
from tests.hidden.small_games import Urn

SHIPS = "battleship(width=4, height=4, fleet=(3, 2))"


def verdict(on, who, **options):
    made = agent(who) if isinstance(who, str) else who
    (only,) = audit(
        game(on) if isinstance(on, str) else on, [made], **{"iterations": 30, "positions": 8} | options
    ).verdicts
    return only


@pytest.mark.parametrize("who", ["random", "ismcts", "uct", "determinized(inner=rhea, samples=3)"])
def test_who_knows_what_it_was_told_and_no_more_is_clean(who):
    found = verdict("leduc-poker", who)
    assert found.clean
    assert (found.positions, found.others, found.whole, found.alone) == (8, 8, 8, 0)
    assert found.decisions >= 8


@pytest.mark.parametrize(
    ("on", "inner"),
    [
        ("leduc-poker", "uct"),
        ("kuhn-poker", "flat"),
        ("whist", "uct"),
        (SHIPS, "osla"),
        (SHIPS, "rmhc"),
        (SHIPS, "alphabeta"),
        ("monty-hall", "mast"),
        ("kriegspiel-tic-tac-toe", "uct"),
    ],
)
def test_who_sees_everything_is_caught(on, inner):
    found = verdict(on, f"omniscient(inner={inner})")
    assert found.leaks
    assert not found.unrepeatable
    assert not found.clean


def test_the_proof_can_be_repeated():
    """The moves lead to the position, and there the cheat decides as it says."""
    poker = game("leduc-poker")
    for leak in verdict("leduc-poker", "omniscient").leaks:
        position = after(poker, leak.moves, seed=leak.seed)
        role = poker.roles.index(leak.role)
        assert role in position.state.movers
        assert poker.picture(position.state) == leak.worlds[0] != leak.worlds[1]
        hidden = [world.split("\n")[1 - role] for world in leak.worlds]
        assert hidden[0] != hidden[1]  # the other's card
        assert leak.decisions[0] != leak.decisions[1] or "line" in leak.differing
        assert set(leak.differing) & {"move", "values", "visits"}
        assert leak.agent == "omniscient"


def test_a_peek_of_long_ago_is_found_out():
    """The decision at which it peeks is the same in both worlds; what it remembers is not."""
    found = verdict("leduc-poker", leaky.Sly(leaky.remembers), positions=12)
    assert found.leaks
    assert all(leak.moves for leak in found.leaks)  # never at the beginning


def test_a_determinizer_that_is_helped_is_found_out():
    assert verdict("leduc-poker", leaky.Sly(leaky.guesses_well)).leaks
    assert verdict("leduc-poker", leaky.Sly(leaky.guesses)).clean


def test_who_asks_the_game_is_found_out():
    fair, sly = leaky.Sly(leaky.takes_the_first, cheats=False), leaky.Sly(leaky.asks_the_game, cheats=False)
    assert verdict(leaky.Gossip(), sly).leaks
    assert verdict(leaky.Gossip(), fair).clean
    assert verdict(Urn(), "ismcts").clean


def test_what_cannot_be_repeated_is_no_proof():
    found = verdict("kuhn-poker", leaky.Sly(leaky.trusts_to_luck, cheats=False))
    assert found.unrepeatable
    assert not found.leaks
    assert not found.clean


def test_an_agent_that_fails_is_told_and_others_go_on():
    agents = [leaky.Sly(leaky.gives_up), agent("random")]
    failed, fine = audit(game("kuhn-poker"), agents, positions=4).verdicts
    assert failed.failure == "it has given up"
    assert not failed.clean
    assert fine.clean
    assert fine.positions == 4


def test_positions_without_another_world_are_counted():
    """At the beginning of Meier, whoever has rolled sees all there is; half of the positions are such."""
    found = verdict("meier", "random", positions=12)
    assert found.alone > 0
    assert found.others > 0
    assert found.alone + found.others == found.positions == 12


def test_where_all_is_seen_nothing_is_compared():
    found = audit(leaky.poker(observe=leaky.observe_all), [agent("omniscient")], positions=6, iterations=20)
    (only,) = found.verdicts
    assert (only.positions, only.others, only.alone, only.decisions) == (6, 0, 6, 0)
    assert only.clean
    assert not found.clean  # the game is to blame


def test_the_same_seed_finds_the_same():
    found = [audit(game("leduc-poker"), [agent("omniscient"), agent("ismcts")], positions=4, seed=5) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0] != audit(game("leduc-poker"), [agent("omniscient"), agent("ismcts")], positions=4, seed=6)


def test_work_is_limited_by_counts():
    assert verdict("kuhn-poker", "ismcts", iterations=None, forward_calls=100).clean


def test_a_wrong_question_is_told():
    with pytest.raises(BadParameter, match="nothing is hidden in nim: there is nothing to leak"):
        audit(game("nim"), [agent("uct")])
    with pytest.raises(BadParameter, match="one position or more, not at 0"):
        audit(game("kuhn-poker"), [agent("random")], positions=0)
    with pytest.raises(BadParameter, match="after one ply or more, not 0"):
        audit(game("kuhn-poker"), [agent("random")], plies=0)
    with pytest.raises(UnsupportedGame, match="alphabeta cannot play kuhn-poker"):
        audit(game("kuhn-poker"), [agent("alphabeta")])
