"""Planning own moves ahead by sampling them, and what opponents are expected to do."""
