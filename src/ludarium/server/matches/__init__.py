"""Matches held by a server: who sits where, what was played, and what each person may see of it."""
