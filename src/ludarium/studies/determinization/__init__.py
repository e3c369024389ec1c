"""The study of determinization: Battleship, and the states that searches imagine."""
