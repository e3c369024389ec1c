"""What searches of every kind share: actions, budgets, and the states they begin in."""
