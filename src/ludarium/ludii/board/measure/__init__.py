"""What is known of every site once the graph is finished: outline, corners, sides, colours, centre, coordinates."""
