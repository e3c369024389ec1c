"""Ways to play: one file per agent; what they share is in folders by kind of search."""
