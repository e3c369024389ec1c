"""Sampling where a game declares nothing: matches are played again so that they look as the real one did."""
