"""Features of a game in Ludii's language: the ludemes that it uses, and the concepts that they raise."""

from ludarium.ludii.concepts.whole import features

__all__ = ["features"]
