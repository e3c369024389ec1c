"""Results in one file: every match is kept, read as columns, and exported."""
