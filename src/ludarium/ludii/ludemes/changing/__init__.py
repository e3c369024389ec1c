"""What moves do beside moving pieces."""
