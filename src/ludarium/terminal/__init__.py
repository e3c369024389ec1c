"""What the command line draws, and whom it asks."""
