"""Models that predict how well agents play a game, from its features.

They need the extra `[hyper]`: scikit-learn learns them, skops keeps them in files that hold no code.
"""
