"""Rules that are not grounded: compiled to loops over relations."""
