"""From LLVM assembly to machine code in memory: optimised, kept on disk, replaced by better code when that is ready."""
