"""Ways to play: one file per search idea, kernels included."""
