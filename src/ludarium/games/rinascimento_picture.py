def picture(settings, state, role): return "x"
