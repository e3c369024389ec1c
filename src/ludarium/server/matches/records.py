"""Matches in and out: as our record, as text, as game playing servers write them, or in the language of the game."""

from __future__ import annotations

import json
import re
from pathlib import PurePosixPath
from typing import Any

from ludarium.arena.ggp import from_ggp, to_ggp
from ludarium.arena.own_record import from_own, to_own
from ludarium.arena.record import from_data, to_json, to_text
from ludarium.core import TOGETHER, BadParameter, Game, LudariumError, Match, describe
from ludarium.core.agent import HUMAN
from ludarium.server.errors import Forbidden, Refused
from ludarium.server.matches.held import HeldMatch
from ludarium.server.matches.views import all_seen

FORMS = ("json", "text", "ggp", "trial")
_TYPES = {"json": "application/json", "text": "text/plain", "ggp": "application/json", "trial": "text/plain"}
_TRIAL = re.compile(r"\s*game=(\S.*?)\s*$", re.MULTILINE)


def record(match: HeldMatch) -> Match:
    """Write down what was played, also before it is over."""
    with match.lock:
        roles = len(match.game.roles)
        done = match.position.state.over
        return Match(
            game=match.game.name,
            agents=tuple(HUMAN if seat.agent is None else describe(seat.agent) for seat in match.seats),
            seed=match.seed,
            moves=tuple(TOGETHER.join(map(match.game.text, ply.moves.values())) for ply in match.plies),
            utilities=match.position.state.utilities() if done else (1 / roles if roles > 1 else 0.0,) * roles,
            faults=tuple(fault for ply in match.plies for fault in ply.faults),
            turns=tuple(each for ply in match.plies for each in ply.turns),
            roles=match.game.roles,
            cut=not done,
            rules=match.game.fingerprint,
            id=match.id,
            started=match.started,
        )


def saved(match: HeldMatch, form: str) -> tuple[str, str]:
    """Write a match in one of `FORMS`, and tell the type of the text; its seed tells what is hidden, or what chance will do."""
    if form not in FORMS:
        raise Refused(f"a match is saved as {', '.join(FORMS)}, not {form!r}")
    if not all_seen(match) or (match.humans and not match.tells_seed):
        raise Forbidden(
            f"a match of {match.game.name} tells what is hidden or what chance will do: it can be saved when it is over"
        )
    kept = record(match)
    if form == "ggp":
        return json.dumps(to_ggp(kept, match.game)), _TYPES[form]
    if form == "trial":
        try:
            return to_own(kept, match.game), _TYPES[form]
        except BadParameter as problem:
            raise Refused(str(problem)) from None
    return (to_json(kept) if form == "json" else to_text(kept)), _TYPES[form]


def read(text: str, game: Game | None = None) -> Match:
    """Read a match from our record, or from that of the servers or of Ludii for the game that it is of."""
    if trial_name(text) is not None:
        if game is None:
            raise Refused("a trial of Ludii is of a game that is not found by its name here: choose it first")
        return _from_trial(text, game)
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("this is not the record of a match: expected JSON, as it was saved") from None
    if not isinstance(data, dict):
        raise Refused("this is not the record of a match: expected an object")
    try:
        if "states" in data:
            if game is None:
                raise Refused("a record of a game playing server does not name its game: choose it first")
            return from_ggp(data, game)
        return from_data(data)
    except BadParameter as problem:
        raise Refused(str(problem)) from None
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as problem:
        raise Refused(f"this is not the record of a match: {type(problem).__name__}: {problem}") from None


def trial_name(text: str) -> str | None:
    """The name of the game that a trial of Ludii is of; None for what is no trial."""
    found = _TRIAL.match(text)
    return None if found is None else PurePosixPath(found[1].replace("\\", "/")).stem


def _from_trial(text: str, game: Game) -> Match:
    try:
        return from_own(text, game)
    except LudariumError as problem:
        raise Refused(str(problem)) from None
