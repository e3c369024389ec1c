"""What the paper has, for the games that it tells of."""

PAPER_GENERATIONS = 300

PAPER_HELD = {
    "blocker": (0.0, 19.0, 281.0, "< 1e-32"),
    "chinese-checkers": (0.86, 189.86, 109.29, "> 0.15"),
    "criss-cross": (4.56, 188.13, 107.31, "< 0.05"),
    "gdl:connect-four": (4.1, 288.0, 7.9, "< 1e-42"),
    "two-board-tic-tac-toe": (0.7, 152.0, 147.29, "> 0.9"),
}
"""Figure 6: generations tied, dominated by role 0 and by role 1, of 300, and p."""

PAPER_TEACHERS = {
    "chinese-checkers": "about 30",
    "melee-chess": "about 30",
    "gdl:connect-four": "about 10",
    "criss-cross": "about 10",
    "blocker": "fewer than 5",
    "two-board-tic-tac-toe": "fewer than 5",
}
"""Figure 3, as the text has it."""

PAPER_BETTER = {
    ("gdl:connect-four", 0): "< 0.02",
    ("gdl:connect-four", 1): "< 0.03",
    ("criss-cross", 0): "< 1e-3",
    ("criss-cross", 1): "< 1e-4",
    ("blocker", 0): "not better",
    ("blocker", 1): "0.1",
    ("two-board-tic-tac-toe", 0): "< 0.03",
    ("two-board-tic-tac-toe", 1): "not significant",
    ("chinese-checkers", 0): "worse",
    ("chinese-checkers", 1): "worse",
}
"""Figure 4, as the text has it: p of what champions are better than random judgement."""

PAPER_DEPTHS = {
    ("gdl:connect-four", 0): {1: 0.7586, 3: 0.6746},
    ("gdl:connect-four", 1): {1: 0.6729, 3: 0.5690},
    ("chinese-checkers", 0): {1: 0.4135, 2: 0.4656},
    ("chinese-checkers", 1): {1: 0.5382, 3: 0.5126},
    ("criss-cross", 0): {1: 0.8360, 3: 0.7224},
    ("criss-cross", 1): {1: 0.7799, 3: 0.7493},
    ("two-board-tic-tac-toe", 0): {1: 0.4798, 3: 0.4336},
    ("two-board-tic-tac-toe", 1): {1: 0.6420, 3: 0.5836},
}
"""Figure 5, as the text has it: what champions have by depth; where it names no depth, that is the greatest."""
