"""A description made ready for joins: flat, with what never changes worked out, and a number for every constant."""
