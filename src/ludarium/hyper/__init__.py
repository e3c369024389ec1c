"""Agents that combine other agents: they choose among them, or let them vote."""
