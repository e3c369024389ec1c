"""Networks that were evolved, as evaluators: how they see a state, how they are worked out, and their files."""
