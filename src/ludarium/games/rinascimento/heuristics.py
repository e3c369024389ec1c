"""Ways to judge a state of Rinascimento that is not over: each gives every player a number from 0 to 1."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ludarium.games.rinascimento.rules import lacking, summed
from ludarium.games.rinascimento.settings import Settings
from ludarium.kernel import Kernel, f64, i64, kernel, view


def heuristics(settings: Settings, State: Any, box: SimpleNamespace) -> dict[str, Kernel[None]]:  # noqa: N803
    """Make the kernels, by the names that an evaluator asks for; the first is the default."""
    players, goal, nobles = settings.players, settings.goal, settings.nobles
    slots, max_reserved = settings.decks * settings.face_up, settings.max_reserved
    price, worth, needs, noble_worth = box.price, box.worth, box.needs, box.noble_worth

    @kernel
    def points(state: State, out: view[f64]) -> None:
        """Count prestige points, as the paper does."""
        for player in range(players):
            out[player] = state.points[player] / (goal + state.points[player])

    @kernel
    def lead(state: State, out: view[f64]) -> None:
        """Compare the points with those of the best opponent; what is left to the goal makes a lead count more."""
        for player in range(players):
            best = 0
            for other in range(players):
                if other != player:
                    best = max(best, state.points[other])
            mine = state.points[player]
            left = max(0, goal - max(mine, best))
            out[player] = 0.5 + 0.5 * (mine - best) / (abs(mine - best) + 2 + left)

    @kernel
    def promise(state: State, player: i64, card: i64) -> f64:
        """Tell what a card that could be bought one day counts now: less for every token that is missing."""
        missing = summed(lacking(price[card], state.tokens[player] + state.bonuses[player])) - state.jokers[player]
        gap: f64 = f64(max(0, missing))
        value: f64 = (0.5 + worth[card]) / (2.0 + gap) / (1.0 + gap)
        return value

    @kernel
    def wealth(state: State, player: i64, further: f64) -> f64:
        """Count points, bonuses, nobles that come near, tokens, and the two cards that could be bought soonest."""
        total = f64(state.points[player]) + 0.5 * summed(state.bonuses[player])
        total += 0.1 * summed(state.tokens[player]) + 0.2 * state.jokers[player]
        for place in range(nobles):
            noble = state.nobles[place]
            if noble != 0:
                missing = summed(lacking(needs[noble - 1], state.bonuses[player]))
                total += f64(noble_worth[noble - 1]) / (2.0 + missing) / (1.0 + missing)
        best = 0.0
        second = 0.0
        for place in range(slots + max_reserved):
            card = state.shown[place] if place < slots else state.reserved[player * max_reserved + place - slots]
            if card != 0:
                value = promise(state, player, card - 1)
                value *= 1.0 if place < slots else 1.2
                second = max(second, min(best, value))
                best = max(best, value)
        total += best + further * second
        share: f64 = total / (2.0 * goal + total)
        return share

    @kernel
    def engine(state: State, out: view[f64]) -> None:
        """Count points, bonuses, nobles that come near, tokens, and what could be bought with them soon."""
        for player in range(players):
            out[player] = wealth(state, player, 0.0)

    @kernel
    def reach(state: State, out: view[f64]) -> None:
        """Count the same, and half of the second best card within reach."""
        for player in range(players):
            out[player] = wealth(state, player, 0.5)

    return {"points": points, "lead": lead, "engine": engine, "reach": reach}
