"""The turn of a game in GDL, however its rules are worked out: who has a choice, forced moves, chance, and goals.

Roles are counted with the one that chance plays, players without it. A role without a choice makes its only move, and chance
any of its moves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludarium.kernel import Kernel, Stream, below, empty, f64, i64, kernel, u8, u64, view

GOES_ON, OVER, FORCED = range(3)
"""What everybody is told of a state: somebody chooses, nobody ever, nobody now."""


class Rules(NamedTuple):
    """What a turn asks of rules, as kernels; all but the first two take a state first and scratch memory last, as bytes."""

    roles: Kernel[int]
    """`() -> i64`: how many roles there are."""

    chance: Kernel[int]
    """`() -> i64`: the role that chance plays, or -1."""

    over: Kernel[bool]
    """`(state, scratch) -> bool`: whether the game is over."""

    count: Kernel[int]
    """`(state, role, scratch) -> i64`: how many legal moves a role has."""

    pick: Kernel[int]
    """`(state, role, number, scratch) -> i64`: one of the moves that have just been counted, as `advance` wants it."""

    find: Kernel[int]
    """`(state, role, code, scratch) -> i64`: that one of the moves that have just been counted, or -1."""

    advance: Kernel[None]
    """`(state, moves, always, scratch)`: make a move per role; of a final state only `always` lists what is legal."""

    judge: Kernel[None]
    """`(state, scratch)`: work out goals."""

    goal: Kernel[float]
    """`(state, role, none, scratch) -> f64`: the best goal that was just worked out for a role, from 0 to 1, or `none`."""


class Turn(NamedTuple):
    """The kernels that are the same for all rules, and two that help to write the others."""

    role_of: Kernel[int]
    ending: Kernel[int]
    movers: Kernel[int]
    apply: Kernel[None]
    utilities: Kernel[None]
    playout: Kernel[int]

    def functions(self) -> dict[str, Kernel[Any]]:
        """Those that belong in the game table, by name."""
        return {name: getattr(self, name) for name in ("movers", "apply", "utilities", "playout")}


def turn_kernels(rules: Rules, most_roles: int) -> Turn:
    """Make the kernels of a turn for games with at most so many roles."""
    roles, chance, over, count_moves, pick, find, advance, judge, goal = rules

    @kernel
    def role_of(player: i64) -> i64:
        """The number of a player's role among all roles."""
        return player + 1 if chance() >= 0 and player >= chance() else player

    @kernel
    def choosing(state: view[u8], scratch: view[u8]) -> i64:
        """The players with a choice, a bit each; -1 if the game is over."""
        if over(state, scratch):
            return -1
        acting = 0
        player = 0
        for role in range(roles()):
            if role != chance():
                if count_moves(state, role, scratch) > 1:
                    acting |= 1 << player
                player += 1
        return acting

    @kernel
    def ending(state: view[u8], scratch: view[u8]) -> i64:
        """Whether the game is over, or goes on by itself."""
        acting = choosing(state, scratch)
        return OVER if acting < 0 else FORCED if acting == 0 else GOES_ON

    @kernel
    def movers(state: view[u8], scratch: view[u8]) -> i64:
        """The players with a choice; the first one if the game goes on and nobody has any."""
        acting = choosing(state, scratch)
        return 1 if acting == 0 else max(0, acting)

    @kernel
    def apply(state: view[u8], joint: view[u64], rng: Stream, scratch: view[u8]) -> None:
        """Make a joint move."""
        moves = empty(i64, most_roles)
        player = 0
        for role in range(roles()):
            count = count_moves(state, role, scratch)
            assert count > 0, "a role has no legal move"
            if role == chance():
                moves[role] = pick(state, role, below(rng, count), scratch)
            else:
                if count == 1:
                    moves[role] = pick(state, role, 0, scratch)
                else:
                    moves[role] = find(state, role, joint[player], scratch)
                    assert moves[role] >= 0, "the role has no such move"
                player += 1
        advance(state, moves[0 : roles()], True, scratch)

    @kernel
    def utilities(state: view[u8], out: view[f64], scratch: view[u8]) -> None:
        """Goals from 0 to 1; a player without one gets 0 at the end, and 0.5 before it."""
        none = 0.0 if over(state, scratch) else 0.5  # asked before anything is written, too
        judge(state, scratch)
        worth = empty(f64, most_roles)  # all goals are looked at before the first is written: they stay in registers
        for role in range(roles()):
            worth[role] = goal(state, role, none, scratch)
        for player in range(roles() - 1 if chance() >= 0 else roles()):
            out[player] = worth[role_of(player)]

    @kernel
    def playout(state: view[u8], rng: Stream, limit: i64, scratch: view[u8]) -> i64:
        """Play random moves to the end, or so many turns, and count these."""
        moves = empty(i64, most_roles)
        plies = 0
        while plies < limit and not over(state, scratch):
            for role in range(roles()):
                count = count_moves(state, role, scratch)
                assert count > 0, "a role has no legal move"
                number = below(rng, count) if count > 1 else 0
                moves[role] = pick(state, role, number, scratch)
            advance(state, moves[0 : roles()], False, scratch)
            plies += 1
        return plies

    return Turn(role_of, ending, movers, apply, utilities, playout)
