"""Judging a state without searching it: heuristics, features, networks."""
