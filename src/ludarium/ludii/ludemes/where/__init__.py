"""Sets of sites, places, and directions."""
