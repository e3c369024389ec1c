import pytest

from ludarium import agent, game
from ludarium.agents.lookahead import leaves
from tests.agents.mixed_games import random_states
from tests.agents.positions import decide

GAMES = {"connect-four": (0, 9, 20), "breakthrough(width=5, height=6)": (0, 7, 15), "tic-tac-toe": (0, 3)}


@pytest.mark.parametrize("spec", ["alphabeta", "alphabeta(evaluator=result)", "alphabeta(killers=False)"])
@pytest.mark.parametrize("name", GAMES)
def test_a_last_ply_made_for_the_game_finds_what_one_through_the_table_finds(name, spec, monkeypatch):
    def decisions():
        made = game(name)
        states = random_states(made.initial(), 1, GAMES[name])
        found = [decide(agent(spec), state, iterations=count) for state in states for count in (50, 20_000)]
        return [(d.move, d.values, d.visits, d.line, d.depth, d.iterations, d.forward_calls, d.proven) for d in found]

    made_for_it = decisions()
    monkeypatch.setattr(leaves, "_inlined", lambda made, judge: leaves._called(judge))
    monkeypatch.setattr(leaves, "_MADE", type(leaves._MADE)())
    assert decisions() == made_for_it
