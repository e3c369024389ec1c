"""Which rules of a description in GDL had any part in the matches that were played: those whose bodies held in some state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import clingo

from ludarium.core import Move, Role, State
from ludarium.core.offers import RuleUse
from ludarium.gdl.interpreter import Words
from ludarium.gdl.text.reader import parse_term
from ludarium.gdl.text.syntax import Rule, Term

if TYPE_CHECKING:
    from ludarium.gdl.game import GdlGame

_EACH, _ALL = 12, 200  # states of a match, and in all, that the rules are worked out for
_TEXT = 90  # letters of a rule that are shown
_USED = "used"


class RulesInUse:
    """Follows matches of a game."""

    def __init__(self, game: GdlGame) -> None:
        self.game = game
        self._rules = [rule for rule in game.prepared if rule.body]
        self._used: set[int] = set()
        self._looked = 0
        self._words = Words()
        program = [self._words.rule(rule) for rule in game.prepared if rule.head.name != "init"]
        bodies = (self._words.rule(rule).partition(":-")[2] for rule in self._rules)
        self._program = "\n".join([*program, *(f"{_USED}({k}):-{body}" for k, body in enumerate(bodies))])
        self._changed: dict[str, bool] | None = None

    def follow(self, states: Sequence[State], joints: Sequence[Mapping[Role, Move]]) -> None:
        """Look at a match: at its last states, and at some on the way."""
        self._look_at_pieces(states)
        last = len(states) - 1
        step = max(1, last // _EACH)
        for ply in sorted({*range(0, last, step), last - 1, last} - {-1}):
            if self._looked >= _ALL or len(self._used) == len(self._rules):
                return
            self._looked += 1
            for joint in self._joints(states[ply], joints[ply] if ply < last else {}):
                self._work_out(states[ply], joint)

    def rules(self) -> list[RuleUse]:
        """List all rules that have a body."""
        return [RuleUse(str(rule.place), _short(str(rule)), k in self._used) for k, rule in enumerate(self._rules)]

    def pieces(self) -> dict[str, bool] | None:
        """Tell of the pieces that were found whether one ever came to a place where it was not."""
        return self._changed

    def _look_at_pieces(self, states: Sequence[State]) -> None:
        find = self.game.offers.pieces
        kinds = [each for each in find() if each.name] if find else []
        if not kinds:
            return
        if self._changed is None:
            self._changed = {f"{each.name} ({self.game.roles[each.role]})": False for each in kinds}
        for each in kinds:
            size = (each.mask.bit_length() + 7) // 8
            held = [
                int.from_bytes(state.block[each.offset : each.offset + size], "little") & each.mask  # type: ignore[attr-defined]
                for state in states
            ]
            came = any(now & ~before for before, now in pairwise(held))
            self._changed[f"{each.name} ({self.game.roles[each.role]})"] |= came

    def _joints(self, state: State, joint: Mapping[Role, Move]) -> Iterator[dict[str, str]]:
        """What everybody does, chance in each of its ways; nothing at the end of a match."""
        if not joint:
            yield {}
            return
        moves = {name: joint.get(role) for role, name in enumerate(self.game.roles)}
        told = {
            name: self.game.text(state.legal(role)[0] if move is None else move)
            for role, (name, move) in enumerate(moves.items())
        }
        if self.game.luck < 0:
            yield told
            return
        for move in self._legal(state, "random"):
            yield told | {"random": move}

    def _legal(self, state: State, role: str) -> list[str]:
        legal = (each.arguments for each in self._answers(state, {}) if each.name == "legal")
        return [self._words.text(move) for who, move in legal if self._words.text(who) == role]

    def _work_out(self, state: State, joint: Mapping[str, str]) -> None:
        for each in self._answers(state, joint):
            if each.name == _USED:
                self._used.add(each.arguments[0].number)

    def _answers(self, state: State, joint: Mapping[str, str]) -> list[clingo.Symbol]:
        """All that holds in a state, if everybody does that."""
        given = [Term("true", (parse_term(fact),)) for fact in state.facts()]  # type: ignore[attr-defined]
        given += [Term("does", (parse_term(role), parse_term(move))) for role, move in joint.items()]
        control = clingo.Control(["--warn=none"], message_limit=0, logger=lambda *_: None)
        control.add("base", [], self._program)
        control.add("base", [], "\n".join(self._words.rule(Rule(each)) for each in given))
        control.ground([("base", [])])
        with control.solve(yield_=True) as handle:
            model = handle.model()
            return list(model.symbols(atoms=True)) if model is not None else []


def _short(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 3]}..."
