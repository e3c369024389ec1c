"""What each ludeme becomes: a few lines of a kernel, or an expression; a module for each family, in rooms."""

from importlib import import_module

MODULES = {
    "where": ("areas", "chance", "maps", "places", "pyramids", "regions", "sights"),
    "asking": (
        "angles",
        "arrays",
        "cards",
        "conditions",
        "graphs",
        "groups",
        "lines",
        "loops",
        "numbers",
        "paths",
        "patterns",
        "pieces",
        "players",
        "stacks",
        "threats",
        "tracks",
    ),
    "moving": (
        "betting",
        "cards",
        "choosing",
        "combining",
        "dice",
        "doing",
        "dominoes",
        "going",
        "moves",
        "shifting",
        "sowing",
        "tiles",
        "voting",
    ),
    "changing": ("captures", "effects", "events", "hiding", "scoring", "taking", "turning"),
    "frame": ("ends", "puzzles", "start"),
}
"""The rooms and their modules; each lists what it can write when it is imported."""


def learn() -> None:
    """Import them all."""
    for room, names in MODULES.items():
        for name in names:
            import_module(f"{__name__}.{room}.{name}")
