"""Writing down a game that is played here as a trial that Ludii can open.

A move is what was chosen, then whatever else makes the one state of the other. Dice that are rolled on arriving in a
state are told at the front of the next move, as Ludii tells them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ludarium.ludii.trial import interpreter
from ludarium.ludii.trial.changes import changes
from ludarium.ludii.trial.facts import CELL, GameFacts, Site
from ludarium.ludii.trial.position import Position, Snapshot
from ludarium.ludii.trial.record import Action, Move, Trial, Value
from ludarium.ludii.trial.replay import Choice, Outcomes, Replay

VERSION = "1.3.14"
"""The version of Ludii whose way of writing trials is followed."""

_ORDER: Mapping[str, tuple[str, ...]] = {
    "Move": (
        "typeFrom",
        "from",
        "levelFrom",
        "typeTo",
        "to",
        "levelTo",
        "count",
        "state",
        "rotation",
        "value",
        "stack",
    ),
    "Copy": ("typeFrom", "from", "levelFrom", "typeTo", "to", "levelTo", "state", "rotation", "value", "stack"),
    "StackMove": ("typeFrom", "from", "typeTo", "to", "numLevel"),
    "Select": ("typeFrom", "from", "levelFrom", "typeTo", "to", "levelTo"),
    "Add": ("type", "to", "level", "what", "count", "state", "rotation", "value", "stack"),
    "Insert": ("type", "to", "level", "what", "state"),
    "Remove": ("type", "to", "level"),
    "Promote": ("type", "to", "level", "what"),
    "SetState": ("type", "to", "level", "state"),
    "SetRotation": ("type", "to", "rotation"),
    "Set": ("type", "var", "value"),
}
"""How Ludii orders the fields of what can be chosen."""


class Recorder:
    """Writes down one game."""

    def __init__(
        self, game: str, facts: GameFacts, *, options: Iterable[str] = (), rng: Sequence[int] = (0,) * 8
    ) -> None:
        self._position = Position(facts)
        self._facts = facts
        self._game, self._options, self._rng = game, tuple(options), tuple(rng)
        self._moves: list[Move] = []
        self._sizes: list[int] = []
        self._arriving: list[Action] = []

    def start(self, state: Snapshot) -> None:
        """Begin with a state: what is in it has been placed."""
        for action in changes(self._position, Snapshot(state.sites, _placed(state.values))):
            if action.kind == "SetStateAndUpdateDice":
                self._arriving.append(action)
                continue
            site = action.number("to", 0)
            self._moves.append(Move({"mover": 0, "from": site, "to": site}, (action,)))
        self._arriving = self._rolled(self._arriving, used=False)

    def move(self, chosen: Sequence[Choice], after: Snapshot, *, size: int, movers: Sequence[int]) -> None:
        """Go on: what was chosen of how many moves, the state it led to, and who chooses then, if the game goes on."""
        position = self._position
        decisions = [self._decision(choice, after) for choice in chosen]
        front, self._arriving = self._arriving, []
        for action in (*front, *decisions):
            interpreter.do(position, action)
        rest: list[Action] = []
        for action in changes(position, after):
            (self._arriving if action.kind == "SetStateAndUpdateDice" else rest).append(action)
        self._arriving = self._rolled(self._arriving, used=any(each.kind == "UseDie" for each in (*decisions, *rest)))
        mover = chosen[0].mover if len(chosen) == 1 else self._facts.players + 1
        if len(movers) == 1 and movers[0] != mover % self._facts.players + 1:
            rest.append(Action("SetNextPlayer", {"player": movers[0]}))
        position.counter += 1
        self._moves.append(Move(_header(mover, decisions), (*front, *decisions, *rest)))
        self._sizes.append(size)

    def finish(self, winner: int | None, ranks: Sequence[float], end_type: str = "NaturalEnd") -> Trial:
        """The whole trial."""
        if self._arriving and self._moves:
            last = self._moves.pop()
            self._moves.append(Move(last.fields, (*last.actions, *self._arriving)))
        ending = {"numInitialPlacementMoves": str(len(self._moves) - len(self._sizes))}
        if winner is not None:
            ending |= {"winner": str(winner), "endtype": end_type}
        ending |= {"rankings": ",".join(map(repr, map(float, ranks))), "SANDBOX": "false", "LUDII_VERSION": VERSION}
        return Trial(self._game, tuple(self._moves), tuple(self._sizes), self._options, self._rng, (), ending)

    def _rolled(self, seen: list[Action], *, used: bool) -> list[Action]:
        """All dice that were rolled, also those that show the same face again, which no state tells apart from lying still."""
        position = self._position
        faces = [(site, position.piece(Site(CELL, site)).state) for site in self._facts.dice]
        fresh = not used and all(position.dice.get(site, 0) == position.shown(site, face) for site, face in faces)
        if not seen and not fresh:
            return seen
        return [Action("SetStateAndUpdateDice", {"site": site, "state": face}) for site, face in faces]

    def _decision(self, choice: Choice, after: Snapshot) -> Action:
        """What was chosen, with all the fields that Ludii reads; a piece that is added is the one that lies there then."""
        action, facts = choice.action, self._facts
        fields = dict(action.fields)
        order = _ORDER.get(action.kind, ())
        for kind, site in (("typeFrom", "from"), ("typeTo", "to"), ("type", "to"), ("type", "var")):
            if kind in order and site in fields and kind not in fields:
                fields[kind] = facts.site("", action.number(site)).type
        if action.kind == "Add" and "what" not in fields:
            lying = after.sites.get(facts.site(str(fields.get("type", "")), action.number("to")), ())
            if lying:
                fields["what"] = lying[-1].what
        ordered: dict[str, Value] = {name: fields.pop(name) for name in order if name in fields}
        return Action(action.kind, {**ordered, **fields, "decision": True})


def record(
    replay: Replay,
    game: str,
    choose: Callable[[Sequence[Choice]], Sequence[Choice]],
    *,
    options: Iterable[str] = (),
    most: int = 10_000,
) -> Trial:
    """Play a game, with somebody who chooses, and write it down."""
    replay.start(Outcomes())
    recorder = Recorder(game, replay.facts, options=options)
    recorder.start(replay.snapshot())
    over = replay.over
    while not over and most > 0:
        legal = replay.legal()
        chosen = choose(legal)
        replay.play(chosen, Outcomes())
        over = replay.over
        size = sum(choice.times for choice in legal)
        recorder.move(chosen, replay.snapshot(), size=size, movers=() if over else replay.movers)
        most -= 1
    if not over:
        return recorder.finish(None, [0.0] * (replay.facts.players + 1))
    return recorder.finish(replay.winner, replay.ranks)


def _placed(values: Mapping[str, object]) -> dict[str, object]:
    """What can be set before the first move: the counter counts nothing then."""
    return {name: value for name, value in values.items() if name != "counter"}


def _header(mover: int, decisions: Sequence[Action]) -> dict[str, Value]:
    fields: dict[str, Value] = {"mover": mover}
    if len(decisions) == 1:
        action = decisions[0]
        target = action.number("to", action.number("from", action.number("var")))
        origin = action.number("from", target)
        if target >= 0:
            fields |= {"from": origin, "to": target}
    return fields
