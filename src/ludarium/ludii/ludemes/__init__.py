"""What each ludeme becomes: a few lines of a kernel, or an expression; one module for each family."""

from importlib import import_module

MODULES = (
    "arrays", "captures", "choosing", "conditions", "dice", "doing", "effects", "ends", "going", "groups", "lines", "maps",
    "moves", "numbers", "pieces", "places", "regions", "sights", "sowing", "start", "threats", "voting",
)  # fmt: skip
"""Each lists what it can write when it is imported."""


def learn() -> None:
    """Import them all."""
    for name in MODULES:
        import_module(f"{__name__}.{name}")
