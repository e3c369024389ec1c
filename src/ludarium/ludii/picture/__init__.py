"""Games in Ludii's language for people: names of roles, letters of pieces, boards as text and as SVG images."""
