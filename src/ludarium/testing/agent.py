"""What every agent promises: legal moves within the budget, repeatable, the same from every kind of code.

A check raises a `CheckFailed` that names the agent, the game, the position and what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import process_time

from ludarium import catalog
from ludarium.arena import play
from ludarium.core import (
    Agent,
    Budget,
    BudgetExceeded,
    Decision,
    Game,
    InformationSet,
    Limit,
    Rng,
    UnsupportedGame,
    describe,
)
from ludarium.kernel import KernelGame, using
from ludarium.testing.failure import check_refusal, failing_as
from ludarium.testing.games import Named, makers
from ludarium.testing.parameters import check_name, check_parameters

GAMES = ("tic-tac-toe", "connect-four", "nim", "goofspiel", "kuhn-poker")
"""One of each kind: with kernels and without, at once, with chance and hidden cards."""

LATE = 2.0  # seconds: a machine may be busy, a search that forgets the clock is later than this


@dataclass(frozen=True)
class Effort:
    """How much is tried."""

    counts: tuple[int, ...] = (1, 2, 7, 50)
    """Iterations and forward calls that must be kept."""

    seconds: float = 0.05
    """For a move; more if a busy machine does not let the search begin in time."""

    iterations: int = 20
    """For each move of a match."""

    plies: int = 300
    """The longest match, and the longest way to a position."""


THOROUGH = Effort()
BRIEF = Effort(counts=(1, 7), seconds=0.05, iterations=2, plies=40)
"""For games that are large, or many."""


@dataclass(frozen=True)
class Checked:
    """What a check has met: so that nothing is left out unnoticed."""

    game: str
    supported: bool
    single: bool = False
    """Whether there was a position with one legal move."""


def check_agent(
    agent: Agent | str, games: Iterable[Named] | Named = GAMES, *, seed: int = 0, effort: Effort = THOROUGH
) -> list[Checked]:
    """Check an agent with every game: what it promises where it plays, how it refuses where it does not."""
    made = catalog.agent(agent) if isinstance(agent, str) else agent
    with failing_as(f"agent '{describe(made)}'"):
        check_parameters(made)
        check_name("agent", made, catalog.agent)
        return [_check_with_game(made, make, seed, effort) for make in makers(games)]


def _check_with_game(agent: Agent, make: Callable[[], Game], seed: int, effort: Effort) -> Checked:
    game = make()
    with failing_as(game.name):
        if not _seats(agent, game):
            return Checked(game.name, supported=False)
        positions = _positions(game, seed, effort.plies)
        for position in positions:
            with failing_as(f"{game.roles[position.role]} after {len(position.seen) - 1} plies"):
                _check_choices(agent, position, seed, effort.counts)
                _check_clock(agent, position, seed, effort.seconds)
        _check_match(agent, game, seed, effort)
        if isinstance(game, KernelGame):
            _check_ways(agent, make, seed, effort.plies)
        return Checked(game.name, supported=True, single=any(len(each.legal) == 1 for each in positions))


def _seats(agent: Agent, game: Game) -> bool:
    """Whether the agent sits down at the game: in all roles, or in none and with a reason."""
    refused = 0
    for role, name in enumerate(game.roles):
        try:
            agent.seat(game, role, Rng(0))
        except UnsupportedGame as refusal:
            refused += 1
            check_refusal(refusal, game.name, f"as {name} it")
    assert refused in (0, len(game.roles)), "it plays some roles and refuses others"
    return not refused


def _positions(game: Game, seed: int, most: int) -> list[InformationSet]:
    """Play at random, and give what the movers know at the beginning, in the middle and before the end."""
    state = game.initial(Rng.keyed(seed, "begin"))
    roles = range(len(game.roles))
    seen: list[list[bytes]] = [[state.observe(role)] for role in roles]
    played: list[list[int]] = [[] for _ in roles]
    rng = Rng.keyed(seed, "moves")
    plies: list[list[InformationSet]] = []
    while state.movers and len(plies) < most:
        infos = [
            InformationSet(
                game=game,
                role=role,
                legal=tuple(state.legal(role)),
                seen=tuple(seen[role]),
                played=tuple(played[role]),
                state=state if game.traits.perfect_information else None,
            )
            for role in state.movers
        ]
        plies.append(infos)
        joint = {info.role: rng.choice(info.legal) for info in infos}
        state = state.after(joint, rng)
        for role in roles:
            seen[role].append(state.observe(role))
        for role, move in joint.items():
            played[role].append(move)
    assert plies, "the game is over before it begins"
    chosen = sorted({0, len(plies) // 2, len(plies) - 1})
    return [info for ply in chosen for info in plies[ply]]


def _check_choices(agent: Agent, info: InformationSet, seed: int, counts: Iterable[int]) -> None:
    for count in counts:
        for limit in (
            Limit(iterations=count),
            Limit(forward_calls=count),
            Limit(iterations=count, forward_calls=3 * count),
        ):
            with failing_as(f"with {limit}"):
                first, budget = _choose(agent, info, limit, seed)
                _check_decision(first, info)
                _check_budget(first, budget)
                again, _ = _choose(agent, info, limit, seed)
                assert again == first, f"with the same seed it decides {first} and then {again}"
    _check_expired(agent, info, seed)


def _choose(agent: Agent, info: InformationSet, limit: Limit, seed: int) -> tuple[Decision, Budget]:
    player = agent.seat(info.game, info.role, Rng.keyed(seed, "agent"))
    budget = limit.start()
    return player.choose(info, budget), budget


def _check_decision(made: Decision, info: InformationSet) -> None:
    text = info.game.text
    assert made.move in info.legal, f"it plays move {made.move}, which is not legal"
    for what in (made.values, made.visits):
        extra = set(what) - set(info.legal)
        assert not extra, f"it judges moves that are not legal: {extra}"
    for move, value in made.values.items():
        assert 0 <= value <= 1, f"it values {text(move)} at {value}; values go from 0 to 1"
    assert all(visits >= 0 for visits in made.visits.values()), f"visits below 0: {made.visits}"
    assert sum(made.visits.values()) <= made.iterations, "more visits than iterations"
    assert not made.visits or made.visits.get(made.move, 0) > 0, f"it plays {text(made.move)}, which it never tried"


def _check_budget(made: Decision, budget: Budget) -> None:
    limit, spent = budget.limit, budget.spent
    if limit.iterations is not None:
        assert made.iterations <= limit.iterations, f"it used {made.iterations} iterations"
    if limit.forward_calls is not None:
        assert made.forward_calls <= limit.forward_calls, f"it used {made.forward_calls} forward calls"
    told = (made.iterations, made.forward_calls)
    charged = (spent.iterations, spent.forward_calls)
    assert told == charged, f"it tells of {told} iterations and forward calls, and charged {charged}"


def _check_expired(agent: Agent, info: InformationSet, seed: int) -> None:
    budget = Limit(iterations=1).start()
    budget.charge(iterations=1)
    player = agent.seat(info.game, info.role, Rng.keyed(seed, "agent"))
    try:
        player.choose(info, budget)
    except BudgetExceeded:
        return
    raise AssertionError("it plays on a budget that is used up")


def _check_clock(agent: Agent, info: InformationSet, seed: int, seconds: float, *, tries: int = 3) -> None:
    player = agent.seat(info.game, info.role, Rng.keyed(seed, "agent"))
    budget, worked = Limit(seconds=seconds).start(), process_time()
    try:
        made = player.choose(info, budget)
    except BudgetExceeded:
        # That the machine was busy with other things is an excuse; own work before the search begins is none.
        if process_time() - worked >= seconds / 2 or seconds > LATE:
            raise
        _check_clock(agent, info, seed, 3 * seconds)
        return
    _check_decision(made, info)
    _check_budget(made, budget)
    late = budget.spent.seconds - seconds
    if (
        late >= LATE and process_time() - worked < seconds + LATE and tries > 1
    ):  # the machine may be the one who is late
        _check_clock(agent, info, seed, seconds, tries=tries - 1)
        return
    assert late < LATE, f"with {seconds} s it is {late:.1f} s late"


def _check_match(agent: Agent, game: Game, seed: int, effort: Effort) -> None:
    agents = [agent] * len(game.roles)
    first, again = (
        play(game, agents, iterations=effort.iterations, seed=seed, move_limit=effort.plies) for _ in range(2)
    )
    assert first == again, "a match with the same seed goes otherwise"
    assert not first.faults, f"faults: {first.faults}"


def _check_ways(agent: Agent, make: Callable[[], Game], seed: int, most: int) -> None:
    """Compare plain machine code with machine code that checks itself, and with Python."""
    decisions: dict[str, list[Decision]] = {}
    for way in ("native", "check", "python"):
        with using(way), failing_as(f"kernels as {way}"):
            start, *_, end = _positions(make(), seed, most)
            chosen = [_choose(agent, each, Limit(iterations=12), seed)[0] for each in (start, end)]
            decisions[way] = chosen
    for way in ("check", "python"):
        same = decisions[way] == decisions["native"]
        assert same, f"kernels as {way} decide {decisions[way]}, as machine code {decisions['native']}"
