"""Sampling where a game declares what it hides: pieces at hidden places, hands and identities."""
