"""The interface for programs, version 1: everything that the page does, by HTTP and WebSockets below /api/v1."""

from ludarium.server.api.app import make_app

__all__ = ["make_app"]
