"""Ways to search a space."""
