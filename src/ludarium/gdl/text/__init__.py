"""Rules as text: reading, writing and converting them, and what their parts are."""
