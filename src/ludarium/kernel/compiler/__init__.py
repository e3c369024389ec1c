"""From a kernel to LLVM assembly, or to Python that checks everything: one walk over its text, two ways to write it."""
