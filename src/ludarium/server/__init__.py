"""For people and other programs: what listens on a port."""
