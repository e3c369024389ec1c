"""Filters (`ifAfterwards`): moves that count only if something holds after them.

In a list of all moves a filter can wait: the code is marked, and asked when the move is wanted. So a draw asks one, or a few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludarium.ludii.code.sinks import (
    LEAF_BITS,
    Found,
    Leaf,
    Listed,
    Sink,
    coded,
    consequence,
    copied,
    decoded,
    note_types,
    registers_in,
)
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.model import walk

if TYPE_CHECKING:
    from ludarium.ludii.code.script import Script

LATE = 1 << 63
"""The bit of a code in a list whose filter has yet to be asked."""


class Filtered(Sink):
    """Moves count only if a condition holds after them; the rest is up to another sink."""

    def __init__(self, inner: Sink, condition: str, outside: int, *, can_wait: bool, players_put: int = 0) -> None:
        self.around = inner
        self.inner, self.condition, self.outside, self.can_wait = inner, condition, outside, can_wait
        self.players_put = players_put
        """How often another player was put in the place of the mover around the filter."""
        self.more, self.result, self.draws = inner.more, inner.result, inner.draws

    def call(self, script: Script, name: str, state: str = "v") -> None:
        """Call as the other sink does."""
        self.inner.call(script, name, state)

    def nothing(self, script: Script) -> None:
        """End as the other sink does."""
        self.inner.nothing(script)

    def found(self, script: Script, move: Found) -> None:
        """Try the move on a copy of the state."""
        leaf, code = coded(script, move)
        code = script.local("code", code)
        put = script.players_put > self.players_put  # inside: the filter itself asks with the real mover
        tried, tried_code = leaf, code
        if script.priors:  # what is done first has been done to the state that this is tried in
            if script.groups and script.groups[-1][0] < len(script.priors):
                raise script.model.unsupported(move.node, why="tried after something is done with a group")
            priors, script.priors = script.priors, []
            tried, tried_code = coded(script, move)
            script.priors = priors
        name = self._tried(script, tried, put=put)
        inner = self.inner
        late = script.late if self.can_wait else None
        if isinstance(inner, Listed) and late is not None and late.setdefault(leaf.index, name) == name:
            for _ in range(2 if move.repeated else 1):
                inner.take(script, f"{code} | u64({LATE})")
            return
        with script.block(f"if {name}(v, c, {tried_code}):"):
            if isinstance(inner, Listed):
                for _ in range(2 if move.repeated else 1):
                    inner.take(script, code)
            else:
                inner.found(script, move)

    def holds(self) -> str:
        """Whether a move counts, by the state that it leads to (`w`) and the one before it (`s`)."""
        return f"{self.condition}(w, c)"

    def _tried(self, script: Script, leaf: Leaf, *, put: bool) -> str:
        outside = self.outside * (2 if leaf.repeated else 1)
        inside = leaf.thens[: len(leaf.thens) - outside]

        def write() -> str:
            with script.kernel("holds_after", "code: u64", "bool") as name, copied(script):
                if put:
                    with script.block("if c.real_mover > 0:"):  # moves that were looked for as if another player moved
                        script.line("t = State(w)")
                        script.line("t.mover = c.real_mover")
                        script.line("t.next = c.real_next")
                        script.line("t.prev = c.real_prev")
                asked = script.model.uses("bool:is Pending")
                if asked:
                    script.line("pending = i64(c.pending)")
                    script.line("c.pending = i64(State(w).pending_count)")
                script.line(f"{leaf.kernel}(w, c, code)")
                if asked:
                    script.line("c.pending = pending")
                script.line(f"note_move(w, c, {decoded(leaf, 'from')}, {decoded(leaf, 'to')})")
                note_types(script, leaf, "State(w)")
                for then in inside:
                    script.line(f"{consequence(script, then)}(w, c)")
                script.line("settle_turn(w, c)")
                script.line(f"return {self.holds()}")
            return name

        key = ("tried", leaf.index, self.condition, put, script.modes)
        return script.once(key, write)


class Avoiding(Filtered):
    """Moves count only if they do not lead to the state that is remembered before them."""

    def __init__(self, inner: Sink, outside: int) -> None:
        super().__init__(inner, "avoid", outside, can_wait=True)

    def holds(self) -> str:
        """Whether the state is another one."""
        return "position_hash(State(w)) != s.stored"


class Fresh(Filtered):
    """Moves count only if they do not lead to a state that may not come again; a pass always may."""

    def __init__(self, inner: Sink) -> None:
        super().__init__(inner, "fresh", 0, can_wait=False)

    def found(self, script: Script, move: Found) -> None:
        """Try all moves but passes."""
        if move.kind == "Pass":
            self.inner.found(script, move)
        else:
            super().found(script, move)

    def holds(self) -> str:
        """Whether the state was not there before."""
        return "not was_before(State(w), s)"


def reads_no_register(condition: Value) -> bool:
    """Whether a condition is about the state alone."""
    if not isinstance(condition, Bound):
        return True
    implied = any(each.unit == "is In" and not {"site", "sites"} & each.arguments.keys() for each in walk(condition))
    return not implied and not registers_in(condition)


def has_filter(node: Bound) -> bool:
    """Whether there is a filter in a rule."""
    return any("ifAfterwards" in each.arguments for each in walk(node))


def write_holds(script: Script, late: dict[int, str], allowed: str = "") -> None:
    """Write the test of moves that were listed before their filters were asked."""
    with script.out.kernel("holds(v: view[u8], c: Context, code: u64) -> bool"):
        with script.block(f"match i64(code & u64({(1 << LEAF_BITS) - 1})):"):
            for index, name in late.items():
                with script.block(f"case {index}:"), script.block(f"if not {name}(v, c, code):"):
                    script.line("return False")
            with script.block("case _:"):
                script.line("pass")
        script.line(f"return {allowed}(v, c, code)" if allowed else "return True")
