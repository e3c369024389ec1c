"""Games written in Python, one file each: copy the nearest one to write the next."""
