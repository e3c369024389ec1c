"""Which parameters of the planners of Rinascimento are tuned, and which values are tried."""

from __future__ import annotations

from ludarium.tune import Space

_WAYS = ("own(way=points)", "own(way=engine)")
SPACES = {
    "bmrh": Space(
        {
            "length": (1, 2, 3, 5),
            "evaluations": (50, 200, 500),
            "mutation": ("fresh", "uniform", "decay"),
            "opponent": ("nothing", "random"),
            "evaluator": _WAYS,
        }
    ),
    "srh": Space(
        {
            "length": (1, 2, 3, 5),
            "evaluations": (50, 200, 500),
            "rate": (0.1, 0.5, 0.9),
            "rescore": (False, True),
            "evaluator": _WAYS,
        }
    ),
    "widening": Space(
        {
            "depth": (2, 3, 6),
            "c": (0.0, 0.05, 1.41),
            "expansion": (0.1, 0.4),
            "samples": (1, 5),
            "final": ("robust", "secure"),
            "evaluator": _WAYS,
        }
    ),
}
"""The parameters that matter most, with values of the paper's table VII and of ours; 144 configurations each."""

_PLANS = {"length": (1, 2, 3, 5, 10, 20), "shift_buffer": (False, True), "mutate_once": (False, True)}
_OTHERS = ("nothing", "random", "osla")
WHOLE = {
    "bmrh": Space(
        {
            **_PLANS,
            "evaluations": (20, 50, 100, 200),
            "mutation": ("fresh", "uniform", "decay"),
            "decay": (0.5, 0.7, 0.8, 0.9),
            "mean": (0.0, 0.1, 0.3, 0.5, 0.75),
            "deviation": (0.5, 1.0, 2.0),
            "opponent": _OTHERS,
            "opponent_share": (0.005, 0.01, 0.02, 0.05),
        }
    ),
    "srh": Space(
        {
            **_PLANS,
            "evaluations": (0, 1, 5, 10, 20, 50, 100, 200),
            "rate": (0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0),
            "opponent": _OTHERS,
            "opponent_share": (0.001, 0.005, 0.01, 0.02, 0.05),
        }
    ),
    "widening": Space(
        {
            "depth": (2, 3, 6, 11, 21),
            "c": (0.0, 1.41, 4.0, 9.0, 15.0, 20.0),
            "expansion": (0.1, 0.2, 0.3, 0.4),
            "samples": (1, 3, 5, 10, 15),
            "final": ("max", "robust", "secure"),
            "opponent": _OTHERS,
            "opponent_share": (0.01, 0.05, 0.1),
        }
    ),
}
"""The whole spaces of table VII; all judge by points."""
