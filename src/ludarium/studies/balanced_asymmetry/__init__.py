"""The study of balanced asymmetry: hnefatafl for general game players."""
