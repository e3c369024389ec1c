"""Matches: several games, one after the other, that count for one result."""
