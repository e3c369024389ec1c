"""No agent, with whatever parameters it declares, takes more than a small budget allows or fails because of it."""

from dataclasses import fields, is_dataclass
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium import agent, catalog, game
from ludarium.arena.position import Position
from ludarium.arena.seating import sit_down
from ludarium.core import BadParameter, BudgetExceeded, Limit, Rng, UnsupportedGame
from ludarium.core.parameters import Numbers, Part, Parts, domains

GAMES = ("gdl:connect-four", "connect-four", "goofspiel", "kuhn-poker", "nim", "rock-paper-scissors")
EVALUATORS = ("result", "mobility", "advanced", "advanced(looks=8)")
INNER = ("uct", "flat", "random", "osla")
VOTERS = ("uct", "mast", "alphabeta", "grave")  # whom the model that comes along knows
COSTLY = {"max_nodes": 2000, "states": 30, "games": 2}
"""What takes long when it is large, and costs no budget."""


@cache
def made(name):
    return game(name)


def values(name, domain):
    """Draw a value of a parameter: small ones, where a bound may be met, as often as what is worth trying."""
    match domain:
        case Numbers(low=low, high=high, whole=True, tries=tries):
            top = int(min(high, low + 12, COSTLY.get(name, high)))
            within = [int(each) for each in tries if each <= COSTLY.get(name, 64)]
            return st.one_of(st.integers(int(low), top), *([st.sampled_from(within)] if within else []))
        case Numbers(low=low, high=high, tries=tries):
            return st.one_of(st.floats(low, min(high, low + 3)), *([st.sampled_from(tries)] if tries else []))
        case Part(kind="evaluator"):
            return st.sampled_from(EVALUATORS)
        case Part(kind="agent"):
            return st.sampled_from(INNER).map(agent)
        case Parts(kind="agent"):
            return st.lists(st.sampled_from(VOTERS).map(agent), min_size=1, max_size=3).map(tuple)
        case Part(tries=tries):
            return st.sampled_from(tries) if tries else st.nothing()
        case _:
            return st.sampled_from(domain.tries)


@st.composite
def agents(draw, name):
    entry = catalog.AGENTS[name]
    if not is_dataclass(entry.make):
        return agent(name)
    allowed = domains(entry.make)
    names = [each.name for each in fields(entry.make) if each.name in allowed and not _empty(allowed[each.name])]
    chosen = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
    given = {each: draw(values(each, allowed[each])) for each in chosen}
    try:
        return entry.make(**given)
    except BadParameter:  # each is allowed, but not beside the others
        return agent(name)


def _empty(domain):
    return isinstance(domain, Part) and domain.kind not in ("evaluator", "agent") and not domain.tries


counts = st.integers(1, 60)
LIMITS = st.one_of(
    st.builds(lambda n: Limit(forward_calls=n), counts),
    st.builds(lambda n: Limit(iterations=n), counts),
    st.builds(lambda n, m: Limit(iterations=n, forward_calls=m), counts, counts),
    st.builds(lambda s: Limit(seconds=s), st.sampled_from([1e-9, 1e-5, 1e-3])),
    st.builds(lambda s, m: Limit(seconds=s, forward_calls=m), st.sampled_from([1e-3, 5.0]), counts),
)


@pytest.mark.usefixtures("depth_for_compiling")
@pytest.mark.parametrize("name", list(catalog.AGENTS))
@settings(max_examples=25)
@given(data=st.data())
def test_small_budgets_are_kept(name, data):
    chosen = data.draw(agents(name))
    at = made(data.draw(st.sampled_from(GAMES)))
    limit = data.draw(LIMITS)
    position = Position(at, 1)
    role = position.state.movers[0]
    try:
        player = sit_down(chosen, at, role, Rng(1))
    except UnsupportedGame:
        return
    info = position.information_set(role)
    budget = limit.start()
    try:
        decision = player.choose(info, budget)
    except BudgetExceeded:
        clocks = [seconds for seconds in (limit.seconds, getattr(chosen, "seconds", None)) if seconds]
        assert clocks  # a clock, be it the agent's own, may run out before anything was done
        assert min(clocks) < 1
        return
    assert decision.move in info.legal
    assert (decision.iterations, decision.forward_calls) == (budget.spent.iterations, budget.spent.forward_calls)
    assert decision.iterations <= (limit.iterations or decision.iterations)
    assert decision.forward_calls <= (limit.forward_calls or decision.forward_calls)


@pytest.mark.parametrize("calls", range(1, 60))
def test_every_playout_of_a_leaf_keeps_calls_back_for_judging(calls):
    at = made("gdl:connect-four")
    player = agent("uct(leaf=3, evaluator=advanced(looks=8), playout_limit=2)").seat(at, 0, Rng(calls))
    budget = Limit(forward_calls=calls).start()
    player.choose(Position(at).information_set(0), budget)
    assert budget.spent.forward_calls <= calls
