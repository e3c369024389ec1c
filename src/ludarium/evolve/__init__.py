"""Evolving players: networks that judge states, found by coevolution."""
