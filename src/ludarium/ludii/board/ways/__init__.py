"""Ways from site to site: steps and what they are called, straight lines, distances."""
