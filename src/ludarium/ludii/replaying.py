"""A compiled game that goes along with a recorded trial."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ludarium.core import Rng
from ludarium.ludii.code.sinks import PASS, Leaf
from ludarium.ludii.drawing import start_draws
from ludarium.ludii.lud_game import LudGame
from ludarium.ludii.memory.state import FORCED_ROOM, TRUMP
from ludarium.ludii.model import items
from ludarium.ludii.trial.facts import Container, GameFacts, Site
from ludarium.ludii.trial.position import EMPTY, Piece, Position, Snapshot, difference
from ludarium.ludii.trial.record import Action
from ludarium.ludii.trial.replay import Choice, Outcomes

_DRAWS = 2_000
_DRAWN = ("int:value Random", "region:sites Random", "moves:random", "moves:take Domino")


class LudReplay:
    """A game of ours in the place of Ludii."""

    def __init__(self, game: LudGame, scratch: bytearray | None = None) -> None:
        self.game, self.layout = game, game.compiled.layout
        self.block = bytearray(game.state_size)
        self._scratch = bytearray(game.scratch_size) if scratch is None else scratch
        self._rng = Rng(1)

    @cached_property
    def facts(self) -> GameFacts:
        """The facts of the game."""
        model = self.game.model
        topology = model.topology
        return GameFacts(
            players=model.players,
            stacking=self.layout.stacking,
            counts=self.layout.counting,
            use=topology.default_type,
            vertices=topology.vertices.count,
            edges=topology.edges.count,
            cells=topology.cells.count,
            containers=tuple(Container(each.name, each.first, each.count) for each in topology.containers),
            owners=(0, *(each.owner for each in model.components)),
            names=("", *(each.name for each in model.components)),
            faces={each.index: each.faces for each in model.components if each.faces},
        )

    @property
    def given(self) -> int | None:
        """How many variables of a puzzle are given: all moves of a solution are written alike."""
        if not self.layout.domain:
            return None
        return sum(len(items(rule.arguments.get("pairs"))) for rule in self.game.model.start)

    @property
    def state(self) -> Any:
        """The state as a record."""
        return self.layout.state(self.block)

    @property
    def movers(self) -> tuple[int, ...]:
        """Who chooses now."""
        if self.over:
            return ()
        if self.game.model.simulation:
            return (0,)
        if not self.layout.together:
            return (self.state.mover,)
        return tuple(p for p in range(1, self.facts.players + 1) if self.state.active >> p & 1)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over)

    @property
    def winner(self) -> int:
        """Who has won."""
        return int(self.state.status)

    @property
    def ranks(self) -> tuple[float, ...]:
        """The rank of each player."""
        if self.game.model.simulation:
            return (0.0,)
        return (0.0, *(self.state.rank2[p] / 2 for p in range(1, self.game.model.players + 1)))

    def start(self, outcomes: Outcomes) -> None:
        """Begin."""
        self.force([*self.drawn(outcomes), *(face for _, face in outcomes.arriving)])
        self._call("init", self.block, self._rng)

    def drawn(self, outcomes: Outcomes) -> list[int]:
        """What chance did when the pieces were placed."""
        added = [each for move in outcomes.placements for each in move.flat if each.kind == "Add"]
        return start_draws(self.game.model, added)

    def legal(self) -> Sequence[Choice]:
        """The moves to choose from."""
        found = []
        for mover in self.movers:
            out = array("Q", bytes(8 * self.game.max_moves))
            count = self._call("legal_repeated", bytes(self.block), self.role(mover), out)
            times = Counter(out[:count])
            found += [Choice(code, mover, self.action(code), many) for code, many in times.items()]
        return found

    def role(self, player: int) -> int:
        """The role that plays for a player, or looks on."""
        if player == 0:
            return 0
        return (self.state.order[player] if "order" in self.layout.state.fields else player) - 1

    def action(self, code: int) -> Action:
        """What a player chooses in a move, as a trial tells it."""
        leaf = self.game.coordinates.leaf(code)
        if leaf is None:
            return Action("Pass" if code == PASS else "Swap", {})
        from_, to = leaf.read(code, "from"), leaf.read(code, "to")
        fields: dict[str, int | bool | str] = {}
        if leaf.kind == "Move" and self.layout.stacking and {"stack", "count"} <= leaf.node.arguments.keys():
            fields = {"from": from_, "to": to, "numLevel": leaf.read(code, "count")}
            return Action("StackMove", {**fields, **self._types(leaf, fields)})
        if leaf.kind == "Play":
            return self._played(leaf, code)
        if leaf.kind == "Trump":
            return Action("SetTrumpSuit", {"trumpSuit": leaf.read(code, "suit")})
        if leaf.kind in ("Move", "Copy"):
            fields = {"from": from_, "to": to}
        elif leaf.kind == "Select":
            fields = {"from": from_, "to": to} if to != from_ else {"from": from_}
        elif leaf.kind != "Pass" and to >= 0:
            fields = {"to": to}
        if "state" in leaf.fields:
            fields["state"] = leaf.read(code, "state")
        if leaf.kind == "SetRotation":
            fields["rotation"] = leaf.read(code, "rotation")
        if "piece" in leaf.fields:
            fields["what"] = leaf.read(code, "piece")
        if leaf.kind == "SetNextPlayer" and "number0" in leaf.fields:
            fields["player"] = leaf.read(code, "number0")
        if leaf.kind == "Bet":
            fields = {"bet": leaf.read(code, "bet")}
        if leaf.kind in ("Set", "Toggle"):
            fields = {"var": to, "value": leaf.read(code, "value")}
        if "ballot" in leaf.fields:
            said = self.layout.ballots[leaf.read(code, "ballot")]
            fields["vote" if leaf.kind == "Vote" else "proposition"] = said
        return Action(leaf.kind, {**fields, **self._types(leaf, fields)})

    def _played(self, leaf: Leaf, code: int) -> Action:
        """A card that is played, by where it lies."""
        state, height, model = self.state, self.layout.height, self.game.model
        number, card = leaf.read(code, "number"), leaf.read(code, "card")
        for container in model.topology.containers[1:]:
            if container.kind == "dice" or model.owner_of(container) != state.mover:
                continue
            for site in range(container.first, container.first + container.count):
                for level in range(state.height[site]):
                    if number == 0 or (number < 0 and state.what[site * height + level] == card):
                        return Action("Move", {"from": site, "levelFrom": level, "to": state.mover - 1})
                    number -= 1 if number > 0 else 0
        return Action("Move", {"from": -1, "to": state.mover - 1})

    def _types(self, leaf: Leaf, fields: Mapping[str, int | bool | str]) -> dict[str, str]:
        """What the sites of a move are, where a game has several types."""
        if len(self.layout.types) == 1:
            return {}
        named = {"from": "typeFrom", "to": "typeTo" if "from" in fields else "type"}
        ends = zip(("from", "to"), leaf.types, strict=True)
        return {named[end]: self.facts.site(kind, int(fields[end])).type for end, kind in ends if end in fields}

    def after(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Snapshot:
        """The state that a choice would lead to."""
        before = bytes(self.block)
        try:
            self.play(chosen, outcomes)
            return self.snapshot()
        finally:
            self.block[:] = before

    def play(self, chosen: Sequence[Choice], outcomes: Outcomes) -> None:
        """Go on with a choice; what chance did beside rolling dice is found by drawing until it leads where it led."""
        self.force([face for _, face in (*outcomes.rolled, *outcomes.arriving)])
        joint = array("Q", [chosen[0].code] * self.game.model.players)
        for choice in chosen if self.layout.together else ():
            joint[choice.mover - 1] = choice.code
        before = bytes(self.block)
        for left in reversed(range(self.draws(outcomes))):
            self.block[:] = before
            self._call("apply", self.block, joint, self._rng)
            if left == 0 or self.leads_to(outcomes):
                return

    def draws(self, outcomes: Outcomes) -> int:
        """How often chance may be tried."""
        return _DRAWS if outcomes.leading and self.game.model.uses(*_DRAWN) else 1

    def leads_to(self, outcomes: Outcomes) -> bool:
        """Whether the state is the recorded one."""
        if outcomes.leading is None:
            return True
        moves = outcomes.mover is None or outcomes.mover in self.movers
        return moves and difference(self.snapshot(), outcomes.leading) is None

    def actions(self, chosen: Sequence[Choice], outcomes: Outcomes) -> Sequence[Action] | None:
        """What a choice would do is only known by its state."""
        del chosen, outcomes
        return None

    def snapshot(self) -> Snapshot:
        """The state as it is now."""
        position, layout, state = Position(self.facts), self.layout, self.state
        fields = layout.state.fields
        owners, dice = self.facts.owners, {site: k for k, (site, _) in enumerate(layout.dice)}
        whats: list[int] = state.what.numbers.tolist()  # all at once: a look at a record takes long
        counts, states, rotations, values_of, heights = (
            getattr(state, name).numbers.tolist() if name in fields else None
            for name in ("count", "state", "rotation", "value", "height")
        )
        for site in range(layout.sites) if layout.domain else ():
            if state.solved[site] >= 0:
                position.put(self._site(site), Piece(state.solved[site], 0, 1))
        for site in range(layout.spots) if not layout.domain else ():
            pieces = []
            for k in range(site * layout.height, site * layout.height + (heights[site] if heights else 1)):
                what = whats[k]
                pieces.append(
                    Piece(
                        what,
                        owners[what],
                        counts[site] if counts else int(what > 0),
                        states[k] if states else 0,
                        rotations[k] if rotations else 0,
                        values_of[k] if values_of else 0,
                    )
                )
            if site in dice:
                pieces = [pieces[0]._replace(state=state.die[dice[site]])] if pieces else []
            if pieces and pieces[0] != EMPTY:
                position.put(self._site(site), *pieces)
        values: dict[str, Any] = {}
        if "score" in fields and not self.over:  # the last scores are counted, and not recorded
            values["scores"] = {p: state.score[p] for p in range(1, self.facts.players + 1) if state.score[p]}
        if layout.vars:
            known = {n: state.var[k] for k, n in enumerate(layout.vars) if n and state.var[k] != -1}
            values |= {"trump": known.pop(TRUMP, -1)} if TRUMP in layout.vars else {}
            values["variables"] = known
        if layout.lists:
            room = layout.list_room
            found = {
                n: sorted(state.list[k * room + j] for j in range(state.list_count[k]))
                for k, n in enumerate(layout.lists)
            }
            values["remembered"] = {n or "null": each for n, each in found.items() if each}
        if "player_value" in fields:
            numbers = {p: state.player_value[p] for p in range(self.facts.players + 1)}
            values["player values"] = {p: value for p, value in numbers.items() if value != -1}
        if self.game.model.uses("moves:set Pending"):
            values["pending"] = frozenset(state.pending[k] for k in range(state.pending_count))
        if self.game.model.uses("moves:set Var", "int:var"):
            values["temp"] = state.temp
        if layout.bets:
            amounts = {p: state.amount[p] for p in range(1, self.facts.players + 1)}
            values["amounts"] = {p: amount for p, amount in amounts.items() if amount}
            values["pot"] = state.pot
        if layout.dice:
            values["dice"] = {site: state.current[k] for k, (site, _) in enumerate(layout.dice)}
        kept = {"what"} | ({"count"} if not layout.stacking else set())
        kept |= {"state"} if layout.local_states else set()
        kept |= {"value"} if layout.values else set()
        kept |= {"rotation"} if layout.rotations else set()
        return Snapshot(position.sites, values, frozenset(kept))

    def _site(self, number: int) -> Site:
        return Site(*self.game.model.site(number))

    def force(self, faces: Sequence[int]) -> None:
        """Let chance do what is given, next time something is called."""
        context: Any = self.game.compiled.context(self._scratch)
        context.forced_count = min(len(faces), FORCED_ROOM)
        for k, face in enumerate(faces[:FORCED_ROOM]):
            context.forced[k] = face

    def _call(self, name: str, *arguments: Any) -> Any:
        return self.game.bridge.unit.call(name, *arguments, self._scratch)
