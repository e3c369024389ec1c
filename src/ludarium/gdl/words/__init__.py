"""A network as operations on whole words, and the kernels that run it."""
