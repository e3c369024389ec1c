"""From rules to kernels, in text: plans of what is looked up in which order, tables, and loops over rows."""
