"""Replaying a trial without rules: its actions, done one after the other, give the true state after every move.

Recorded actions are complete: whatever a move came to is written down, so no rule of the game is needed to follow it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ludarium.core.errors import LudariumError
from ludarium.ludii.trial import pieces
from ludarium.ludii.trial.facts import GameFacts
from ludarium.ludii.trial.position import Position
from ludarium.ludii.trial.record import Action, Move, Trial

_GUESSED = 500  # moves from which is guessed what a game is like


class UnknownAction(LudariumError):
    """An action of a kind that Ludii does not have."""


def start(trial: Trial, facts: GameFacts) -> Position:
    """The state before the first move that was chosen."""
    position = Position(facts)
    for move in trial.placements:
        place(position, move)
    return position


def states(trial: Trial, facts: GameFacts) -> Iterator[Position]:
    """The state before the first move, then after every move: always the same object, changed."""
    position = start(trial, facts)
    yield position
    for move in trial.played:
        play(position, move)
        yield position


def guess(trial: Trial) -> GameFacts:
    """What a trial tells of its game, where the game itself is not at hand: whether pieces stack or sites count.

    Of what makes sense of the first moves, the simplest is taken; who owns what stays unknown.
    """
    everywhere = GameFacts(vertices=1 << 30, edges=1 << 30, hidden=True)
    stacks, counts = replace(everywhere, stacking=True), replace(everywhere, counts=True)
    actions = [action for move in trial.moves[:_GUESSED] for action in move.flat]
    added = [action for action in actions if action.kind == "Add"]
    levels = any("level" in action.fields for action in added)
    if any(action.number("level", 0) > 0 or "stack" in action.fields for action in added):
        return stacks
    if levels and any(action.kind in {"StackMove", "Insert"} or "stack" in action.fields for action in actions):
        return stacks
    if any(action.number("count", 0) > 1 for action in actions):
        return counts
    short = replace(trial, moves=trial.moves[:_GUESSED], sizes=trial.sizes[: max(0, _GUESSED - trial.placed)])
    possible = (
        (everywhere, counts, stacks) if any("level" in action.fields for action in added) else (everywhere, counts)
    )
    return min(possible, key=lambda facts: _oddities(short, facts))


def _oddities(trial: Trial, facts: GameFacts) -> int:
    *_, last = states(trial, facts)
    return len(last.oddities)


def place(position: Position, move: Move) -> None:
    """Do what happens before the first move."""
    for action in move.flat:
        do(position, action)


def play(position: Position, move: Move) -> None:
    """Do a move that was chosen: the counter counts it, and what was pending is so no more."""
    position.pending.clear()
    position.next = None
    position.decided = ""
    actions = tuple(move.flat)
    ends = _ends_of_turn(position, actions)
    for action in (*actions[ends:], *reversed(actions[:ends])):  # each was put in front of those before it
        do(position, action)
    position.counter += 1


def _ends_of_turn(position: Position, actions: Sequence[Action]) -> int:
    """How many removals of the end of the turn there are: they are recorded first, but Ludii did them last."""
    noted = {action.number("to") for action in actions if _is_noted(action)} | set(position.removals)
    done = 0
    while done < len(actions) and actions[done].kind == "Remove" and not _is_noted(actions[done]):
        if actions[done].number("to") not in noted:
            break
        done += 1
    return done


def _is_noted(action: Action) -> bool:
    return action.kind == "Remove" and action.fields.get("applied") is False


def do(position: Position, action: Action) -> None:
    """Do one action."""
    change = _KINDS.get(action.kind)
    if change is None:
        raise UnknownAction(f"there is no action {action.kind!r} in Ludii: {action}")
    change(position, action)


def _nothing(position: Position, action: Action) -> None:
    """What is chosen or said, but changes nothing."""


def _score(position: Position, action: Action) -> None:
    player, score = action.number("player"), action.number("score")
    before = position.scores.get(player, 0) if action.fields.get("add") is True else 0
    position.scores[player] = before + score


def _variable(position: Position, action: Action) -> None:
    position.variables[action.word("name")] = action.number("value")


def _remember(position: Position, action: Action) -> None:
    position.remembered.setdefault(action.word("name"), []).append(action.number("value"))


def _forget(position: Position, action: Action) -> None:
    """Forget one value, once; not to know it is no mistake."""
    name = action.word("name")
    found = position.remembered.get(name, [])
    if action.number("value") in found:
        found.remove(action.number("value"))
    if not found:
        position.remembered.pop(name, None)


def _pending(position: Position, action: Action) -> None:
    position.pending.add(action.number("value", 1))


def _roll(position: Position, action: Action) -> None:
    site, face = action.number("site"), action.number("state")
    if face < 0:
        return
    pieces.show(position, site, face)
    position.dice[site] = position.shown(site, face)


def _use_die(position: Position, action: Action) -> None:
    position.dice[action.number("site")] = 0


def _hide(what: str, position: Position, action: Action) -> None:
    site = position.facts.site(action.word("type"), action.number("to"))
    level = action.number("level", 0) if position.facts.stacking else 0
    if position.facts.stacking and level >= len(position.pieces(site)):
        return
    flag = (level, action.number("who"), what)
    flags = position.hidden.get(site, frozenset())
    position.hidden[site] = flags | {flag} if action.fields.get("value") is True else flags - {flag}


def _vote(position: Position, action: Action) -> None:
    """Count a vote; when all have voted, what more than half want is decided."""
    position.votes.append(action.word("vote"))
    if len(position.votes) == position.facts.players:
        wanted = max(position.votes, key=position.votes.count)
        if position.votes.count(wanted) > position.facts.players // 2:
            position.decided = wanted
        position.votes.clear()
        position.propositions.clear()


def _swap(position: Position, action: Action) -> None:
    one, other = action.number("player1"), action.number("player2")
    who = position.swapped
    who[one], who[other] = who.get(other, other), who.get(one, one)


def _next_instance(position: Position, _: Action) -> None:
    """The next game of a match begins: nothing is left of the one before."""
    fresh = Position(position.facts, lost=True, oddities=position.oddities)
    vars(position).update(vars(fresh))


def _setting(name: str, field: str, position: Position, action: Action) -> None:
    setattr(position, name, action.number(field))


def _player_value(position: Position, action: Action) -> None:
    position.player_values[action.number("player")] = action.number("value")


def _team(position: Position, action: Action) -> None:
    position.teams[action.number("player")] = action.number("team")


def _amount(field: str, position: Position, action: Action) -> None:
    position.amounts[action.number("player")] = action.number(field)


def _of_site(name: str, field: str, position: Position, action: Action) -> None:
    site = position.facts.site(action.word("type"), action.number("to"))
    getattr(position, name)[site] = action.number(field)


def _equal(position: Position, action: Action) -> None:
    position.dice_equal = action.fields.get("value") is True


def _trigger(position: Position, action: Action) -> None:
    position.triggered.add(action.number("player"))


def _note(position: Position, action: Action) -> None:
    position.notes.append((action.number("to"), action.word("message")))


def _propose(position: Position, action: Action) -> None:
    position.propositions.append(action.word("proposition"))


_KINDS: Mapping[str, Callable[[Position, Action], None]] = {
    "Add": pieces.add,
    "Insert": pieces.insert,
    "Move": pieces.move,
    "StackMove": pieces.stack_move,
    "Copy": pieces.copy,
    "Remove": pieces.remove,
    "Promote": pieces.promote,
    "Set": pieces.assign,
    "Toggle": pieces.assign,
    "Reset": pieces.unassign,
    "SetCount": pieces.set_count,
    "SetState": pieces.set_field("state"),
    "SetRotation": pieces.set_field("rotation"),
    "SetValue": pieces.set_field("value"),
    "SetCost": partial(_of_site, "costs", "cost"),
    "SetPhase": partial(_of_site, "phases", "phase"),
    "SetStateAndUpdateDice": _roll,
    "SetDiceAllEqual": _equal,
    "UseDie": _use_die,
    **{f"SetHidden{what}": partial(_hide, what) for what in ("", "What", "Who", "State", "Count", "Rotation", "Value")},
    "SetScore": _score,
    "SetVar": _variable,
    "RememberValue": _remember,
    "ForgetValue": _forget,
    "SetPending": _pending,
    "SetTemp": partial(_setting, "temp", "temp"),
    "SetCounter": partial(_setting, "counter", "counter"),
    "SetPot": partial(_setting, "pot", "pot"),
    "SetNextPlayer": partial(_setting, "next", "player"),
    "SetTrumpSuit": partial(_setting, "trump", "trumpSuit"),
    "SetValueOfPlayer": _player_value,
    "AddPlayerToTeam": _team,
    "SetAmount": partial(_amount, "amount"),
    "Bet": partial(_amount, "bet"),
    "Trigger": _trigger,
    "Note": _note,
    "Propose": _propose,
    "Vote": _vote,
    "Swap": _swap,
    "NextInstance": _next_instance,
    "Select": _nothing,
    "Pass": _nothing,
    "Forfeit": _nothing,
    "StoreStateInContext": _nothing,
}
"""What each kind of action does."""
