"""What is found out about a game: what it promises, what excludes what, its boards and pieces."""
