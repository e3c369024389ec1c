"""Going down all trees of a grove: one pass over its nodes, since children stand behind their parents."""

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
    """Per forest and output the forecast."""

    added: view[f64]
    """Per feature, forest and output what questions about the feature added; empty if nobody wants to know."""

    outputs: i64
    forests: i64


@kernel
def go_down(way: Down) -> None:
    """Send a game down all trees; where a question has no answer it goes both ways."""
    outputs = way.outputs
    wanted = len(way.added) > 0
    for node in range(len(way.feature)):
        share = way.shares[node]
        if share > 0.0:
            feature = way.feature[node]
            at = way.forest[node] * outputs
            if feature < 0:
                for k in range(outputs):
                    way.found[at + k] += share * way.value[node * outputs + k]
            elif way.known[feature] != 0:
                after = way.left[node] if way.asked[feature] <= way.threshold[node] else way.right[node]
                way.shares[after] += share
                if wanted:
                    row = feature * way.forests * outputs + at
                    for k in range(outputs):
                        way.added[row + k] += share * (way.value[after * outputs + k] - way.value[node * outputs + k])
            else:
                part = share / way.weight[node]
                way.shares[way.left[node]] += part * way.weight[way.left[node]]
                way.shares[way.right[node]] += part * way.weight[way.right[node]]
