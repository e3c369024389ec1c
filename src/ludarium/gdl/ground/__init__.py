"""From rules with variables to ground rules."""
