"""The tafl games of the library, written from one source."""
