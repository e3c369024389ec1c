"""What each ludeme becomes: a few lines of a kernel, or an expression; one module for each family."""

from importlib import import_module

MODULES = (
    "areas", "arrays", "betting", "captures", "chance", "choosing", "combining", "conditions", "dice", "doing", "effects",
    "ends", "events",
    "going", "graphs", "groups", "hiding", "lines", "loops", "maps", "moves", "numbers", "patterns", "pieces", "places",
    "players", "puzzles", "pyramids",
    "regions", "scoring", "shifting", "sights", "sowing", "stacks", "start", "taking", "threats", "tiles", "turning", "voting",
)  # fmt: skip
"""Each lists what it can write when it is imported."""


def learn() -> None:
    """Import them all."""
    for name in MODULES:
        import_module(f"{__name__}.{name}")
