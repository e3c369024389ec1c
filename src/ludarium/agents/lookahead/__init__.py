"""Looking ahead move by move, depth after depth."""
