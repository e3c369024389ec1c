"""How results are written for people: what a score is made of, and p-values in full."""

from __future__ import annotations


def split(won: float, drawn: float) -> str:
    """Write wins, draws and losses apart.

    >>> split(0.453, 0.33)
    '45.3% won, 33.0% drawn, 21.7% lost'
    """
    return f"{won:.1%} won, {drawn:.1%} drawn, {max(0.0, 1 - won - drawn):.1%} lost"


def written_p(p: float) -> str:
    """Write a p-value as it is, however small.

    >>> written_p(0.01441), written_p(0.3), written_p(0.000020371), written_p(1.0), written_p(0.0)
    ('0.0144', '0.30', '2.0e-05', '1.00', '<1e-300')
    """
    if p < 1e-300:
        return "<1e-300"  # less than floating point numbers can tell from nothing
    return f"{p:.1e}" if p < 0.001 else f"{p:.3g}" if p < 0.1 else f"{p:.2f}"
