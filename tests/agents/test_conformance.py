from functools import partial

import pytest

from ludarium import catalog
from tests.conformance import check_agent

VARIANTS = (
    "uct(c=1.2, final=value)",
    "uct(unvisited=first, max_nodes=5)",
    "uct(playout_limit=0)",
    "flat(playout_limit=3)",
)


@pytest.mark.parametrize("game", catalog.GAMES)
@pytest.mark.parametrize("agent", [*catalog.AGENTS, *VARIANTS])
def test_every_agent_keeps_its_promises_with_every_game(agent, game):
    made = catalog.agent(agent)
    (checked,) = check_agent(made, [partial(catalog.game, game)])
    hidden = not catalog.game(game).traits.perfect_information
    assert checked.supported == (made.name in ("nothing", "random") or not hidden)
    if game in ("goofspiel", "nim") and checked.supported:
        assert checked.single
