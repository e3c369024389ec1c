"""What the command line does and draws, and whom it asks."""
