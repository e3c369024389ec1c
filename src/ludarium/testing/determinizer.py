"""What every determinizer promises: states that agree with all that a role knows, as likely as they are, repeatable.

The reference is exact enumeration, which has tests of its own. A check raises a `CheckFailed` that names the
determinizer, the game and the position.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludarium.arena.position import Position
from ludarium.core import Game, InformationSet, Rng, State, UnsupportedGame
from ludarium.hidden import Determinizer, Draw, Enumeration, NoSuchState
from ludarium.hidden import determinizer as named
from ludarium.testing.failure import check_refusal, failing_as
from ludarium.testing.games import Named, makers
from ludarium.testing.parameters import check_name, check_parameters

GAMES = ("kuhn-poker", "goofspiel(cards=4)", "tic-tac-toe")
"""Small enough to enumerate: chance, moves made at once, and nothing hidden at all."""

DRAWS = 600
SIGMAS = 5  # a false alarm in about two million states that are counted
POOLED = 256  # states stand between a draw and the beginning, where a match is long: draws share ancestors


@dataclass(frozen=True)
class Checked:
    """What a check has met: so that nothing is left out unnoticed."""

    game: str
    supported: bool
    positions: int = 0


def check_determinizer(
    determinizer: Determinizer | str, games: Iterable[Named] | Named = GAMES, *, plies: int = 3, seed: int = 0
) -> list[Checked]:
    """Check a determinizer in the first plies of a random match of each game, which must be small enough to enumerate."""
    made = named(determinizer)
    with failing_as(f"determinizer '{made.name}'"):
        check_parameters(made)
        check_name("determinizer", made, named)
        return [_check_with_game(made, make(), plies, seed) for make in makers(games)]


def _check_with_game(determinizer: Determinizer, game: Game, plies: int, seed: int) -> Checked:
    met = 0
    with failing_as(game.name):
        try:
            carried = [determinizer.sampler(game, role) for role in range(len(game.roles))]
        except UnsupportedGame as refusal:
            check_refusal(refusal, game.name)
            return Checked(game.name, supported=False)
        exact = [Enumeration().sampler(game, role) for role in range(len(game.roles))]
        for ply, infos in enumerate(positions(game, seed, plies)):
            for info in infos:
                with failing_as(f"{game.roles[info.role]} after {ply} plies"):
                    likely = exact[info.role].likelihoods(info)
                    for how, sampler in (
                        ("anew", determinizer.sampler(game, info.role)),
                        ("carried on", carried[info.role]),
                    ):
                        with failing_as(how):
                            _check_states(sampler.sample(info, DRAWS, Rng.keyed(seed, how, ply)), info, likely)
                    _check_pieces(determinizer, info)
                    _check_impossible(determinizer, info)
                    met += 1
    return Checked(game.name, supported=True, positions=met)


def positions(game: Game, seed: int, plies: int) -> Iterable[list[InformationSet]]:
    """Play at random, and tell what the movers know before each ply."""
    position, rng = Position(game, seed), Rng.keyed(seed, "moves")
    for _ in range(plies + 1):
        movers = position.state.movers
        if not movers:
            return
        yield [position.information_set(role) for role in movers]
        position.play({role: rng.choice(position.state.legal(role)) for role in movers})


def _check_states(states: Sequence[State], info: InformationSet, likely: dict[State, float]) -> None:
    assert len(states) == DRAWS, f"{len(states)} states instead of {DRAWS}"
    counts = Counter(states)
    for state in counts:
        assert state.observe(info.role) == info.seen[-1], f"it looks otherwise in the state {state}"
        assert info.role in state.movers, f"it has no choice in the state {state}"
        assert sorted(state.legal(info.role)) == sorted(info.legal), f"other moves are legal in the state {state}"
        assert state in likely, f"no history that looks as it did leads to the state {state}"
    samples = DRAWS if len(info.seen) <= 2 else 1 / (1 / DRAWS + len(info.seen) / POOLED)
    for state, share in likely.items():
        off = abs(counts[state] / DRAWS - share)
        allowed = SIGMAS * math.sqrt(share * (1 - share) / samples) + 1 / DRAWS
        assert off <= allowed, f"it draws {counts[state] / DRAWS:.3f} of the state {state}, not {share:.3f}"


def _check_pieces(determinizer: Determinizer, info: InformationSet) -> None:
    """Whether the same states come in pieces as at once, and no piece takes more forward calls than it may."""

    def draw(count: int, calls: int) -> tuple[list[State], int]:
        sampler, rng = determinizer.sampler(info.game, info.role), Rng(1)
        found: list[State] = []
        used = 0
        while len(found) < count:
            piece: Draw = sampler.draw(info, count - len(found), rng, calls)
            assert piece.calls <= calls, f"it took {piece.calls} forward calls where {calls} were allowed"
            assert piece.more or len(found) + len(piece.states) > 0, "it gives up without a state"
            found += piece.states
            used += piece.calls
            if not piece.more:
                break
        return found, used

    whole = draw(20, 1 << 40)
    assert whole == draw(20, 1 << 40), "with the same seed it draws other states"
    longest = len(info.seen) * 40 + 40  # a try that is cut short is lost, so pieces must be long enough for one
    assert draw(20, longest)[0], f"it finds nothing in pieces of {longest} forward calls"


def _check_impossible(determinizer: Determinizer, info: InformationSet) -> None:
    *before, last = info.seen
    wrong = InformationSet(
        game=info.game, role=info.role, legal=info.legal, seen=(*before, last + b"?"), played=info.played
    )
    said = None
    try:
        determinizer.sampler(info.game, info.role).sample(wrong, 1, Rng(0))
    except NoSuchState as problem:
        said = str(problem)
    assert said is not None, "it imagines states for something that cannot have been seen"
    assert info.game.roles[info.role] in said, "it does not say who cannot have seen this"
