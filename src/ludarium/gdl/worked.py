"""What the rules of a game become at load, however it is played then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludarium.gdl.network.layout import Layout
from ludarium.gdl.network.network import Network

if TYPE_CHECKING:
    from ludarium.gdl.ground.history import History
    from ludarium.gdl.text.syntax import Rule


@dataclass
class Worked:
    """The network of a description, and what is known of it besides."""

    roles: list[str]
    luck: int
    """The role that chance plays, or -1."""

    hides: bool
    history: History | None
    trusts: bool
    network: Network
    layout: Layout


def work_out(rules: Sequence[Rule], *, chance: bool, patient: bool) -> Worked:
    """Ground rules and make a network of them; a patient one may be large."""
    from ludarium.gdl.ground.choice import grounded_for_play
    from ludarium.gdl.network.layout import lay_out
    from ludarium.gdl.network.network import build

    grounded, history, trusts = grounded_for_play(rules, patient=patient)
    roles = grounded.roles
    luck = roles.index("random") if chance and "random" in roles else -1
    network = build(grounded, roles)
    layout = lay_out(network, len(roles), luck, history)
    return Worked(roles, luck, bool(grounded.names["sees"]), history, trusts, network, layout)
