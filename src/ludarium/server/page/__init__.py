"""The page in a browser: Play, Watch, Think, Rules and Tournaments, by NiceGUI and the interface for programs."""
