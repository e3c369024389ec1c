"""The leak audit: whether an agent or a game knows or shows what the rules hide."""
