"""The state of a game in memory: its layout, and the kernels that look at it and change it."""
