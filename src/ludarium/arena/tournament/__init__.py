"""Playing a plan: jobs, and the workers that play them, here or elsewhere."""
