"""Recorded trials of Ludii: read, written, replayed without rules, and compared with a game that has them."""
