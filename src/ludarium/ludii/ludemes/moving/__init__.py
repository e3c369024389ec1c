"""Moves that are chosen, and moves made of other moves."""
