"""What a game is like, told to whoever designs it: by playing it, match after match."""

from ludarium.arena.assess.assessment import Assessment
from ludarium.arena.assess.figures import assessment_page
from ludarium.arena.assess.numbers import Estimate, findings, sheets

__all__ = ["Assessment", "Estimate", "assessment_page", "findings", "sheets"]
