"""How rules become the kernels of a game table: what ludemes write into, and what is made of it."""
