"""Games written in Python, one file or folder each: copy the nearest one to write the next."""
