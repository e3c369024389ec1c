"""What is to be played: plans, from calls and from files."""
