"""Going down all trees of a grove: one pass over its nodes, since children stand behind their parents.

What a node says is the mean of what its children say, so only questions that have an answer change the forecast: where most
features are unknown, these are few, and the rest of a large forest is not read.
"""

from __future__ import annotations

from ludarium.kernel import Bundle, f64, i64, kernel, view


class Down(Bundle):
    """Trees, a game, and what comes of it."""

    feature: view[i64]
    threshold: view[f64]
    left: view[i64]
    right: view[i64]
    value: view[f64]
    """Per node and output."""

    weight: view[f64]
    forest: view[i64]
    """Per node the forest that it belongs to."""

    asked: view[f64]
    known: view[i64]
    shares: view[f64]
    """Per node how much of the game comes there; that of the roots is given."""

    found: view[f64]
    """Per forest and output the forecast; what is said before anything is asked is given. Empty if only reasons are wanted."""

    added: view[f64]
    """Per feature what questions about it added to one output."""

    outputs: i64
    explained: i64
    """The output that reasons are wanted for."""


@kernel
def go_down(way: Down) -> None:
    """Send a game down all trees; where a question has no answer it goes both ways, on average to what was said there."""
    outputs = way.outputs
    forecast = len(way.found) > 0
    for node in range(len(way.feature)):
        share = way.shares[node]
        feature = way.feature[node]
        if share > 0.0 and feature >= 0:
            if way.known[feature] != 0:
                after = way.left[node] if way.asked[feature] <= way.threshold[node] else way.right[node]
                way.shares[after] += share
                then = after * outputs
                before = node * outputs
                if forecast:
                    at = way.forest[node] * outputs
                    for k in range(outputs):
                        way.found[at + k] += share * (way.value[then + k] - way.value[before + k])
                else:
                    k = way.explained
                    way.added[feature] += share * (way.value[then + k] - way.value[before + k])
            else:
                part = share / way.weight[node]
                way.shares[way.left[node]] += part * way.weight[way.left[node]]
                way.shares[way.right[node]] += part * way.weight[way.right[node]]
