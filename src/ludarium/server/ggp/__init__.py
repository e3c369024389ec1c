"""The protocol of the general game playing competitions, both ways: a player that hosts can ask, and players as agents."""
