"""For people and other programs: what listens on a port, be it a page, an interface, or a GGP player."""
