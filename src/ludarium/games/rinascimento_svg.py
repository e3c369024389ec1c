def svg(settings, state, role): return "x"
