"""What rules ask: conditions, numbers, and what pieces make together."""
