"""Ground rules as a network of gates, and the kernels that run it."""
