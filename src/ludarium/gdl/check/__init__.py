"""Whether rules make sense: what is wrong with them, what is odd, and what can be mended."""
