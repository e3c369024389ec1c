"""Searching a tree by playouts."""
