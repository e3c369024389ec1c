"""What is done before moves are looked for, and conditions that must hold after them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludarium.ludii.code.filters import Avoiding, Filtered, reads_no_register
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done, Exists, Found, Listed, copied, perform
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.changing.effects import effect
from ludarium.ludii.ludemes.moving.moves import find, moves_apart
from ludarium.ludii.memory import actions
from ludarium.ludii.model import bound


@ludeme("moves", "do")
def _do(script: Script, node: Bound) -> None:
    given = node.arguments
    prior = bound(given["prior"])
    if "ifAfterwards" not in given:
        if "next" in given:  # as in Ludii, nothing comes of what is only done first
            _next_moves(script, node)
        return
    condition = given["ifAfterwards"]

    def write() -> str:
        with script.kernel("afterwards", result="bool", origin=script.place(condition)) as name:
            script.answer(script.truth(condition))
        return name

    name = script.once(("afterwards", id(condition), script.modes), write)
    sink = script.sink
    assert sink is not None
    script.sink = Filtered(
        sink, name, len(script.thens), can_wait=reads_no_register(condition), players_put=script.players_put
    )
    try:
        if "next" in given:
            _next_moves(script, node)
        else:
            moves_apart(script, prior)
    finally:
        script.sink = sink


def _next_moves(script: Script, node: Bound) -> None:
    """Write the moves that are possible after something that is done first; dice have been rolled already."""
    sink, prior, following = script.sink, bound(node.arguments["prior"]), bound(node.arguments["next"])
    assert sink is not None
    if isinstance(sink, Done):
        _next_effects(script, prior, following, sink)
        return
    if _only_rolls(prior):
        with _or_pass(script, node):
            moves_apart(script, following)
        return
    modes, script.modes = script.modes, script.modes | {"rolled"}
    name = prior_kernel(script, prior)
    script.modes = modes
    script.priors.append((name, prior))
    live = list(script.live)
    try:
        with (
            script.filtered_at_once(),
            script.kernel("next_moves", sink.more, sink.result, script.place(following)) as finder,
        ):
            with _or_pass(script, node):
                script.moves(following)
            sink.nothing(script)
    finally:
        script.priors.pop()
    assert script.live == live
    with script.kernel("after_prior", sink.more, sink.result) as both, copied(script):
        script.line(f"{name}(w, c)")
        sink.call(script, finder, "w")
        sink.nothing(script)
    sink.call(script, both)


def _only_rolls(prior: Bound) -> bool:
    """Whether nothing is done but rolling dice."""
    given = prior.arguments
    if "then" in given:
        return False
    return prior.unit == "roll" or (
        prior.unit == "if" and "elseList" not in given and _only_rolls(bound(given["list"]))
    )


@contextmanager
def _or_pass(script: Script, node: Bound) -> Iterator[None]:
    """Where there are dice, a player who cannot move after something is done passes, with all consequences."""
    sink = script.sink
    if script.layout.dice and isinstance(sink, Filtered):  # moves that are filtered out are moves all the same
        from ludarium.ludii.ludemes.asking.conditions import any_move

        yield
        with script.block(f"if not {any_move(script, bound(node.arguments['next']))}(v, c):"):
            find(script, Found(node, "Pass", "-1", "-1", lambda *_: None))
        return
    if not script.layout.dice or not isinstance(sink, Listed | Exists):
        yield
        return
    before = script.local("before", "c.count")
    with script.filtered_at_once():
        yield
    with script.block(f"if c.count == {before}:"):
        find(script, Found(node, "Pass", "-1", "-1", lambda *_: None))


class _Led(Done):
    """Effects that are found after something else was done: each of them does that first."""

    def __init__(self, outer: Done) -> None:
        super().__init__(at_once=False)
        self.thens, self.outer = outer.thens, outer
        self.depth: int = outer.depth + 1 if isinstance(outer, _Led) else 1
        own = f"led_from_{self.depth}: i64, led_to_{self.depth}: i64"
        self.more = f"{outer.more}, {own}" if outer.more else own

    def found(self, script: Script, move: Found) -> None:
        """Write the actions that lead to an effect, and its own."""
        self.lead(script)
        super().found(script, move)

    def lead(self, script: Script) -> None:
        """Write the actions that lead to an effect."""
        for depth in range(1, self.depth + 1):
            script.line(f"push_logged(c, led_from_{depth}, led_to_{depth})")


def _next_effects(script: Script, prior: Bound, following: Bound, outer: Done) -> None:
    """Write effects that are found in a copy where something was done; what was done there is written down."""
    name, sink = prior_kernel(script, prior, marked=True), _Led(outer)
    script.sink = sink
    with script.kernel("next_effects", sink.more, origin=script.place(following)) as finder:
        script.moves(following)
    first, last = f"led_from_{sink.depth}", f"led_to_{sink.depth}"
    with script.kernel("after_prior", outer.more) as both, copied(script):
        script.line("tried = State(w)")
        script.line("tried.logged = 1")
        script.line(f"{first} = i64(c.log_top)")
        script.line(f"{name}(w, c)")
        script.line("tried.logged = 0")
        script.line(f"{last} = arrange_log(c, {first})")
        none_yet = script.local("none_yet", "c.top")
        sink.call(script, finder, "w")
        if script.layout.dice:  # nothing can follow: what was done first is done all the same
            with script.block(f"if c.top == {none_yet}:"):
                sink.lead(script)
        script.line(f"c.log_top = {first}")
    script.sink = outer
    outer.call(script, both)


def prior_kernel(script: Script, prior: Bound, *, marked: bool = False) -> str:
    """The kernel of what is done before moves are looked for; where each effect begins may be written down."""

    def write() -> str:
        with script.kernel("before", origin=script.place(prior)) as name:
            perform(script, prior, marked=marked)
        return name

    return script.once(("prior", id(prior), marked, script.modes), write)


@ludeme("moves", "remember State", single=True)
def _remember_state(script: Script, node: Bound) -> None:
    effect(script, node, actions.STORE_STATE)


@ludeme("moves", "avoidStoredState", forgets_then=True)
def _avoid_stored(script: Script, node: Bound) -> None:
    """Only those moves that do not lead to the state that is remembered."""
    sink = script.sink
    assert sink is not None
    if isinstance(sink, Done):
        raise script.model.unsupported(node, why="as an effect")
    script.sink = Avoiding(sink, len(script.thens))
    try:
        moves_apart(script, node.arguments["moves"])
    finally:
        script.sink = sink


@ludeme("bool", "is Repeat")
def _is_repeat(script: Script, node: Bound) -> str:
    return "was_before(s, s)"
