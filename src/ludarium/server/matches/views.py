"""What somebody may see of a match, as words and numbers: a person what the role sees, a watcher what is no secret."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ludarium.arena.position import Position, steps
from ludarium.core import Game, Move, Role, State
from ludarium.drawing import click_steps, draw_grids, moves_on, picture_svg, sites_in
from ludarium.server.errors import Forbidden, Refused
from ludarium.server.matches.held import HeldMatch, Ply
from ludarium.server.matches.thoughts import told

UNSEEN = "…"
"""A move that was made out of sight."""


def view(match: HeldMatch, keys: Sequence[str] = (), role: Role | None = None) -> dict[str, Any]:
    """Tell how a match stands to somebody with these keys; of several roles that they play, as one of them."""
    with match.lock:
        game, own = match.game, match.roles_of(keys)
        role = _eyes(match, own, role)
        svg, state = _picture(match, own, role), match.position.state
        to_choose = [each for each in match.movers if each not in match.pending]
        data: dict[str, Any] = {
            "id": match.id,
            "game": match.spec,
            "roles": list(game.roles),
            "seats": [
                {"role": name, "who": seat.name, "human": seat.human, "yours": number in own}
                for number, (name, seat) in enumerate(zip(game.roles, match.seats, strict=True))
            ],
            "seen": all_seen(match),
            "hidden": not game.traits.perfect_information,
            "ply": len(match.plies),
            "movers": [game.roles[each] for each in match.movers],
            "to_choose": [game.roles[each] for each in to_choose],
            "thinking": [game.roles[each] for each in match.thinking],
            "paused": match.paused,
            "pause_seconds": match.pause_seconds,
            "over": match.over,
            "cut": match.cut,
            "closed": match.closed,
            "utilities": list(state.utilities()) if state.over else None,
            "result": f"cut after {len(match.plies)} plies" if match.cut else result(state),
            "eyes": None if role is None else game.roles[role],
            "svg": svg,
            "moves": {},
            "last": last_sites(game, match.plies[-1].moves, svg) if match.plies and all_seen(match) else [],
            "history": [
                _ply(match, number, ply, own if role is None else (role,)) for number, ply in enumerate(match.plies)
            ],
            "message": match.message,
            "faults": [fault for ply in match.plies for fault in ply.faults],
            "seed": match.seed if match.tells_seed else None,
            "own_form": game.offers.record.name if game.offers.record else None,
        }
        for each in own:
            if each in to_choose and role in (None, each):
                data["moves"][game.roles[each]] = choices(game, state, each, svg)
        return data


def view_text(match: HeldMatch, keys: Sequence[str] = ()) -> str:
    """Tell the same as JSON, worked out once for all who may see the same."""
    with match.lock:
        roles = match.roles_of(keys)
        changes, text = match.told.get(roles, (-1, ""))
        if changes != match.changes:
            text = json.dumps(view(match, keys))
            match.told[roles] = match.changes, text
        return text


def position_view(game: Game, moves: str, seed: int) -> dict[str, Any]:
    """Tell where moves lead to, for whoever wrote them down; what can be clicked on where one role is to move."""
    position, last = Position(game, seed), {}
    for joint in steps(position, moves):
        last = dict(joint)
    state = position.state
    svg = picture_svg(game, state)
    return {
        "game": game.name,
        "ply": position.plies,
        "movers": [game.roles[role] for role in state.movers],
        "over": state.over,
        "result": result(state),
        "svg": svg,
        "moves": choices(game, state, state.movers[0], svg) if len(state.movers) == 1 else [],
        "last": last_sites(game, last, svg),
    }


def choices(game: Game, state: State, role: Role, svg: str) -> list[dict[str, Any]]:
    """Tell the legal moves of a role, and what to click on for each."""
    return [
        {"move": game.text(move), "notation": game.notation(move), "steps": [list(step) for step in path]}
        for move, path in moves_on(game, state, role, svg).items()
    ]


def last_sites(game: Game, moves: Mapping[Role, Move], svg: str) -> list[str]:
    """The sites of the last moves, to be marked."""
    sites, own = sites_in(svg), game.offers.sites
    found: list[str] = []
    for move in moves.values():
        if own is not None:
            found += [site for site in own(move) if site in sites]
        else:
            found += [step[0] for step in click_steps(game.notation(move), sites) if len(step) == 1]
    return found


def all_seen(match: HeldMatch) -> bool:
    """Whether nothing is a secret: by the rules, because nobody plays who must not know, or because it is over."""
    return match.game.traits.perfect_information or match.over or not match.humans


def look_back(match: HeldMatch, ply: int) -> dict[str, Any]:
    """Show a match as it was before a ply, if it is no secret."""
    with match.lock:
        if not 0 <= ply <= len(match.plies):
            raise Refused(f"the match has {len(match.plies)} plies: there is no ply {ply + 1}")
        if not all_seen(match):
            raise Forbidden(f"a match of {match.game.name} can be looked at move by move once it is over")
        position = Position(match.game, match.seed)
        for each in match.plies[:ply]:
            position.play(each.moves)
        svg = picture_svg(match.game, position.state)
        last = last_sites(match.game, match.plies[ply - 1].moves, svg) if ply else []
        return {"ply": ply, "svg": svg, "last": last}


def thoughts(match: HeldMatch, ply: int) -> list[dict[str, Any]]:
    """Tell what agents thought before a ply, if it is no secret: what an agent thinks of tells what it holds."""
    with match.lock:
        if not 0 <= ply < len(match.plies):
            raise Refused(f"the match has {len(match.plies)} plies: there is no ply {ply + 1}")
        if not all_seen(match):
            raise Forbidden(f"what agents think in {match.game.name} can be seen once the match is over")
        choices = {each.role: each.choices for each in match.plies[ply].turns}
        made = match.plies[ply].decisions.items()
        return [told(match.game, role, decision, choices.get(role, 0)) for role, decision in made]


def result(state: State) -> str:
    """Say how a match ended, in words; nothing if it goes on."""
    if not state.over:
        return ""
    worth, names = state.utilities(), state.game.roles
    if len(names) == 1:
        return f"{names[0]} gets {worth[0]:.3g}"
    best = [name for name, value in zip(names, worth, strict=True) if value == max(worth)]
    if len(best) == len(names):
        return "a draw" if state.game.traits.constant_sum else "all get the same"
    return f"{' and '.join(best)} {'wins' if len(best) == 1 else 'win'}"


def _eyes(match: HeldMatch, own: Sequence[Role], role: Role | None) -> Role | None:
    """Whose eyes somebody looks through; None for all there is to see."""
    if all_seen(match) or not own:
        return None
    if role is not None and role not in own:
        raise Forbidden(f"you do not play {match.game.roles[role]}")
    waiting = [each for each in match.movers if each in own and each not in match.pending]
    return role if role is not None else (waiting or list(own))[0]


def _picture(match: HeldMatch, own: Sequence[Role], role: Role | None) -> str:
    if all_seen(match) or own:
        return picture_svg(match.game, match.position.state, role)
    return draw_grids([], ["What is on the table can be seen when the match is over."], match.game.roles)


def _ply(match: HeldMatch, number: int, ply: Ply, own: Sequence[Role]) -> dict[str, Any]:
    seen = all_seen(match)
    return {
        "ply": number,
        "moves": [
            {"role": match.game.roles[role], "notation": match.game.notation(move) if seen or role in own else UNSEEN}
            for role, move in ply.moves.items()
        ],
        "thoughts": bool(ply.decisions) and seen,
        "values": {
            match.game.roles[role]: made.values[made.move]
            for role, made in ply.decisions.items()
            if seen and made.move in made.values
        },
    }
