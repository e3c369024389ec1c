"""The colours of all figures, of reports and of studies: those of Okabe and Ito, which people who see few colours tell apart."""

BLUE, ORANGE, GREEN, RED, SKY, PURPLE, BLACK, GREY = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#000000", "#8C8C8C"),
)
GRID = "#DDDDDD"
NOTHING = "#EEEEEE"
"""Where there is nothing to show."""

WATER, SHIP = "#DCECF5", "#9FB8C8"
"""Seas, and what lies in one's own."""

LINES = tuple(zip((BLUE, RED, GREEN, BLACK, PURPLE, SKY, ORANGE), ("-", "--", "-.", ":", "-", "--", "-."), strict=True))
"""Colours of lines that share a plot, and dashes that tell them apart without colours."""

SHARES = "PuOr"
"""The colour map for shares from 0 to 1, with a half in the middle."""

HEAT = "YlOrRd"
"""The colour map for probabilities."""
