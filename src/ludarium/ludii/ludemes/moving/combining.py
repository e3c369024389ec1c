"""Moves made of other moves: one after the other, again and again, all as one, and in pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import STRAIGHT, Done, Found, Sink, copied, perform, registers_in
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes.moving.doing import prior_kernel
from ludarium.ludii.model import bound, items

_MOST_ROUNDS = 10_000  # of a loop: Ludii gives up, too
_LARGE = 12  # ludemes: what is in a kernel of its own cannot see the move that it is paired with


@ludeme("moves", "seq")
def _seq(script: Script, node: Bound) -> None:
    """Effects of which each is found in the state that the one before has left."""
    parts = [prior_kernel(script, bound(each)) for each in items(node.arguments["moves"])]

    def tried() -> None:
        for part in parts:
            script.line(f"{part}(w, c)")

    _foreseen(script, node, tried)


@ludeme("moves", "while")
def _while(script: Script, node: Bound) -> None:
    """Effects that are found and done as long as a condition holds."""
    part, goes = prior_kernel(script, bound(node.arguments["moves"])), _condition(script, node.arguments["condition"])

    _foreseen(script, node, lambda: _again(script, goes, part, "w"))


def _again(script: Script, goes: str, part: str, state: str) -> None:
    """Write what is done in a state as long as it goes on."""
    rounds = script.out.fresh("rounds")
    script.line(f"{rounds} = 0")
    with script.block(f"while {goes}({state}, c):"):
        script.line(f'assert {rounds} < {_MOST_ROUNDS}, "a (while ..) has no end"')
        script.line(f"{rounds} += 1")
        script.line(f"{part}({state}, c)")


def _foreseen(script: Script, node: Bound, tried: Callable[[], None]) -> None:
    """Write what does effects in a copy, to do again what was done there."""
    sink = script.sink
    if not isinstance(sink, Done):
        raise script.model.unsupported(node, why="as moves to choose from")
    with script.kernel("foreseen", origin=script.place(node)) as name, copied(script):
        script.line("State(w).logged = 1")
        script.line("first = i64(c.log_top)")
        tried()
        script.line("State(w).logged = 0")
        script.line("last = i64(c.log_top)")
        script.line("c.log_top = first")
        script.line("push_logged(c, first, last)")
    sink.found(script, Found(node, "Effect", "-1", "-1", lambda *_: script.line(f"{name}(v, c)")))


def _condition(script: Script, value: Value) -> str:
    def write() -> str:
        with script.kernel("goes_on", result="bool", origin=script.place(value)) as name:
            script.answer(script.truth(value))
        return name

    return script.once(("goes on", id(value), script.modes), write)


def _do_seq(script: Script, node: Bound, *, marked: bool) -> None:
    for each in items(node.arguments["moves"]):
        perform(script, bound(each), marked=marked)


def _do_while(script: Script, node: Bound, *, marked: bool) -> None:
    goes = _condition(script, node.arguments["condition"])
    part = prior_kernel(script, bound(node.arguments["moves"]), marked=marked)
    _again(script, goes, part, "v")


STRAIGHT |= {"seq": _do_seq, "while": _do_while}


class _First(Sink):
    """All that is asked is where the first move begins and ends: both numbers in one, 0 if there is no move."""

    result = "i64"

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def found(self, script: Script, move: Found) -> None:
        """Leave with the ends of the move."""
        self.kinds.append(move.kind)
        script.answer(f"(({move.from_} + 2) << 20) + {move.to} + 2")

    def call(self, script: Script, name: str, state: str = "v") -> None:
        """Take what another kernel has found, if there is something."""
        ends = script.local("ends", f"{name}({state}, c)")
        with script.block(f"if {ends} != 0:"):
            script.answer(ends)

    def nothing(self, script: Script) -> None:
        """There is none."""
        script.line("return 0")


@ludeme("moves", "append")
def _append(script: Script, node: Bound) -> None:
    """All moves of a rule as one move."""
    moves = bound(node.arguments["list"])

    def write() -> str:
        before, thens, live = script.sink, script.thens, script.live
        script.sink = first = _First()
        script.thens, script.live = [], []
        try:
            with script.kernel("first_of", result="i64", origin=script.place(moves)) as name:
                script.moves(moves)
                script.line("return 0")
        finally:
            script.sink, script.thens, script.live = before, thens, live
        script.once(("first kind", id(moves)), lambda: first.kinds[0] if first.kinds else "Effect")
        return name

    assert script.sink is not None
    name = script.once(("first of", id(moves), script.modes), write)
    ends = script.local("ends", f"{name}(v, c)")
    with script.block(f"if {ends} != 0:"):
        first, last = (
            script.local("first", f"({ends} >> 20) - 2"),
            script.local("last", f"({ends} & {(1 << 20) - 1}) - 2"),
        )

        def push(_: str, __: str, ___: Mapping[str, str]) -> None:
            if isinstance(script.sink, Done) and not script.sink.at_once:
                thens, script.thens = script.thens, []
                script.moves(moves)
                script.thens = thens
            else:
                perform(script, moves)

        kind = script.once(("first kind", id(moves)), lambda: "Effect")
        script.sink.found(script, Found(node, kind, first, last, push))


class _Left(Sink):
    """Moves of which each is paired with every move of another rule."""

    def __init__(self, outer: Sink, node: Bound) -> None:
        self.outer, self.node, self.around = outer, node, outer
        self.more, self.result, self.draws = outer.more, outer.result, outer.draws

    def call(self, script: Script, name: str, state: str = "v") -> None:
        """Call as the other sink does."""
        self.outer.call(script, name, state)

    def nothing(self, script: Script) -> None:
        """End as the other sink does."""
        self.outer.nothing(script)

    def found(self, script: Script, move: Found) -> None:
        """Look for the other half of the pair."""
        script.sink = _Right(self.outer, self.node, move)
        script.moves(bound(self.node.arguments["listB"]))
        script.sink = self


class _Right(_Left):
    """Moves that are paired with one that is known."""

    def __init__(self, outer: Sink, node: Bound, left: Found) -> None:
        super().__init__(outer, node)
        self.left = left

    def found(self, script: Script, move: Found) -> None:
        """Hand on the pair as one move."""
        left, wide = self.left, (script.layout.sites + 2).bit_length()
        extra = {**left.extra}
        if not isinstance(self.outer, Done):
            extra |= {"right_from": (move.from_, wide), "right_to": (move.to, wide)}
        extra |= {f"right_{name}": each for name, each in move.extra.items()}

        def push(from_: str, to: str, known: Mapping[str, str]) -> None:
            left.push(from_, to, known)
            right = {name: known[f"right_{name}"] for name in move.extra}
            with script.register("to", known.get("right_to", move.to)):
                move.push(known.get("right_from", move.from_), known.get("right_to", move.to), right)

        self.outer.found(script, Found(self.node, left.kind, left.from_, left.to, push, extra))


@ludeme("moves", "allCombinations")
def _all_combinations(script: Script, node: Bound) -> None:
    """Each move of a rule together with each of another."""
    second, sink = bound(node.arguments["listB"]), script.sink
    assert sink is not None
    if script.weight(second) >= _LARGE or registers_in(second) & {"to", "from_"}:
        raise script.model.unsupported(node, why="a second rule that depends on where the first one leads")
    script.sink = _Left(sink, node)
    script.moves(bound(node.arguments["listA"]))
    script.sink = sink
