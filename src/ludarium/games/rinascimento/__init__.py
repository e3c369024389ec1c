"""Rinascimento: Splendor with every number of its rules as a parameter."""
