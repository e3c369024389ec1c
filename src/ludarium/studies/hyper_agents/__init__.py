"""Which agent plays which game best, and whether features of the game tell."""
