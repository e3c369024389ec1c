"""The shell game for Ludarium."""
