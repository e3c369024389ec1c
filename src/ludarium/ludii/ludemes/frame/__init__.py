"""The frame of a game: how it starts and ends, and puzzles."""
