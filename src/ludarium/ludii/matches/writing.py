"""The kernels of a match: those of its games, chosen by which one is played, and what comes between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludarium.kernel import Kernel, Stream
from ludarium.kernel.table import random_playout
from ludarium.ludii.code.script import Script
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.ludemes import learn
from ludarium.ludii.matches.model import MOST_GAMES, MatchLayout, MatchModel
from ludarium.ludii.model import bound, items, word

TAG = 57
"""The lowest bit of a code that says which game it is a move of, from 1 on; without, the next game begins."""

MOST_PARTS = 63
_STATE, _SCRATCH = "state: view[u8]", "scratch: view[u8]"


def match_functions(model: MatchModel, layout: MatchLayout, most: int) -> tuple[dict[str, Kernel[Any]], str]:
    """The functions of the table of a match, and their text."""
    learn()
    script = Script(model, layout)  # type: ignore[arg-type]  # rules of a match see its scores, and nothing of a board
    for part in (
        "init",
        "begin",
        "movers",
        "legal",
        "legal_repeated",
        "apply",
        "utilities",
        "observe",
        "advance",
        "end_match",
    ):
        script.out.fresh(part)
    parts = [part.game for part in model.parts]
    sizes = [game.state_size for game in parts]
    scope: dict[str, Any] = {"Stream": Stream, "State": layout.state, "Context": layout.context}
    for k, game in enumerate(parts):
        for name in ("init", "movers", "legal", "legal_repeated", "apply", "observe", "worth"):
            scope[f"{name}_{k}"] = game.compiled.functions[name]
        scope[f"State_{k}"] = game.compiled.layout.state
    _write_ends(script, model)
    _write_begin(script, layout, sizes)
    _write_next(script, model)
    _write_advance(script, model, layout, sizes)
    _write_choices(script, layout, sizes)
    _write_results(script, layout, sizes)
    made = script.out.kernels({**script.scope, **scope})
    names = ("init", "movers", "legal", "legal_repeated", "apply", "utilities", "observe")
    table = {name: made[name] for name in names}
    return {**table, "playout": random_playout(table, model.players, most)}, script.out.text


def _by_part(script: Script, sizes: Sequence[int], layout: MatchLayout, write: Callable[[int, str], None]) -> None:
    """Write something for each game, with the state that it has."""
    with script.block("match m.index:"):
        for k, size in enumerate(sizes):
            with script.block(f"case {k}:"):
                write(k, f"state[{layout.size}:{layout.size + size}]")
        with script.block("case _:"):
            script.line("pass")


def _write_ends(script: Script, model: MatchModel) -> None:
    """The kernels of the end rules: whoever wins in the same state shares the first place."""
    given = model.end.arguments
    rules = [bound(each) for each in ([given["endRule"]] if "endRule" in given else items(given["endRules"]))]
    tests = []
    for rule in rules:
        if rule.unit != "if" or {"sub", "subs"} & rule.arguments.keys() or "result" not in rule.arguments:
            raise model.unsupported(rule, why="in the rules of a match")
        with script.kernel("ends", result="bool", origin=script.place(rule)) as name:
            script.answer(script.truth(rule.arguments["test"]))
        tests.append(name)
    players = model.players
    with script.out.kernel("end_match(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        for rule, test in zip(rules, tests, strict=True):
            result = bound(rule.arguments["result"])
            with script.block(f"if s.over == 0 and {test}(v, c):"):
                if result.unit == "byScore":
                    _by_score(script, result)
                else:
                    _result(script, model, result, rules, tests)
        with script.block(f"if s.over == 0 and s.trials >= {MOST_GAMES}:"):
            _draw(script, players)


def _who(model: MatchModel, script: Script, result: Bound) -> str:
    role = word(result.arguments["who"])
    if role not in {f"P{p}" for p in range(1, model.players + 1)}:
        raise model.unsupported(result, why=f"{role} in the rules of a match")
    return script.role(result.arguments["who"])


def _result(script: Script, model: MatchModel, result: Bound, rules: Sequence[Bound], tests: Sequence[str]) -> None:
    kind, players = word(result.arguments["result"]), model.players
    if kind == "Draw":
        _draw(script, players)
        return
    if kind != "Win":
        raise model.unsupported(result, f"result {kind}", "in the rules of a match")
    script.line(f"s.rank2[{_who(model, script, result)}] = 2")
    for rule, test in zip(rules, tests, strict=True):
        other = bound(rule.arguments["result"])
        if other is not result and other.unit == "result" and word(other.arguments["result"]) == "Win":
            with script.block(f"if {test}(v, c):"):
                script.line(f"s.rank2[{_who(model, script, other)}] = 2")
    script.line("behind = 0")
    with script.block(f"for p in range(1, {players + 1}):"), script.block("if s.rank2[p] == 0:"):
        script.line("behind += 1")
    with script.block(f"for p in range(1, {players + 1}):"), script.block("if s.rank2[p] == 0:"):
        script.line("s.rank2[p] = 2 + 2 * behind")
    with script.block(f"for p in range({players}, 0, -1):"), script.block("if s.rank2[p] == 2:"):
        script.line("s.status = p")
    script.line("s.over = 1")


def _draw(script: Script, players: int) -> None:
    with script.block(f"for p in range(1, {players + 1}):"):
        script.line(f"s.rank2[p] = {players + 1 if players > 1 else 0}")
    script.line("s.over = 1")
    script.line("s.status = 0")


def _by_score(script: Script, result: Bound) -> None:
    """Rank all by the scores of the match."""
    if "finalScore" in result.arguments:
        raise script.model.unsupported(result, why="final scores in the rules of a match")
    least, players = script.truth(result.arguments.get("misere"), "False"), script.layout.players
    script.line("s.status = 0")
    with script.block(f"for p in range(1, {players + 1}):"):
        script.line("better = 0")
        script.line("equal = 0")
        with script.block(f"for q in range(1, {players + 1}):"):
            with script.block("if s.score[q] == s.score[p]:"):
                script.line("equal += 1")
            with script.block(f"elif (s.score[q] < s.score[p]) == ({least}):"):
                script.line("better += 1")
        script.line("s.rank2[p] = 2 * better + equal + 1")
        with script.block("if s.rank2[p] == 2:"):
            script.line("s.status = p")
    script.line("s.over = 1")


def _write_begin(script: Script, layout: MatchLayout, sizes: Sequence[int]) -> None:
    with script.out.kernel(f"begin({_STATE}, index: i64, rng: Stream, {_SCRATCH}) -> None"):
        script.line("m = State(state)")
        script.line("m.index = index")
        with script.block(f"for k in range({layout.size}, len(state)):"):
            script.line("state[k] = 0")
        _by_part(script, sizes, layout, lambda k, sub: script.line(f"init_{k}({sub}, rng, scratch)"))
    with script.out.kernel(f"init({_STATE}, rng: Stream, {_SCRATCH}) -> None"):
        with script.block("for k in range(len(state)):"):
            script.line("state[k] = 0")
        script.line("begin(state, 0, rng, scratch)")


def _write_next(script: Script, model: MatchModel) -> None:
    """The kernel that says which game comes next."""
    with script.kernel("next_game", result="i64") as name:
        assert name == "next_game"
        with script.block("match s.index:"):
            for k, part in enumerate(model.parts):
                with script.block(f"case {k}:"):
                    script.line(f"return {_next(script, part.next, (k + 1) % len(model.parts))}")
            with script.block("case _:"):
                script.line("return 0")


def _next(script: Script, value: Value | None, usual: int) -> str:
    return str(usual) if value is None else script.number(value)


def _write_advance(script: Script, model: MatchModel, layout: MatchLayout, sizes: Sequence[int]) -> None:
    """The kernel that counts a game that is over, ends the match, or begins the next game."""
    players, parts = model.players, len(sizes)

    def count(k: int, sub: str) -> None:
        with script.block(f"for p in range(1, {players + 1}):"):
            script.line(f"m.score[p] += worth_{k}({sub}, p, scratch)")

    with script.out.kernel(f"advance({_STATE}, rng: Stream, {_SCRATCH}) -> None"):
        script.line("m = State(state)")
        _by_part(script, sizes, layout, count)
        script.line("m.trials += 1")
        script.line("c = Context(scratch)")
        script.line("end_match(state, c)")
        with script.block("if m.over == 0:"):
            script.line("following = next_game(state, c)")
            script.line(f'assert 0 <= following < {parts}, "there is no such game in the match"')
            script.line("begin(state, following, rng, scratch)")


def _write_choices(script: Script, layout: MatchLayout, sizes: Sequence[int]) -> None:
    """The kernels of what can be chosen: moves of the game, or when it is over, that the next begins."""

    def choosing(k: int, sub: str) -> None:
        script.line(f"found = i64(movers_{k}({sub}, scratch))")
        with script.block("if found == 0:"):
            script.line(f"found = 1 << (i64(State_{k}({sub}).mover) - 1)")

    with script.out.kernel(f"movers({_STATE}, {_SCRATCH}) -> i64"):
        script.line("m = State(state)")
        with script.block("if m.over == 1:"):
            script.line("return 0")
        script.line("found = 0")
        _by_part(script, sizes, layout, choosing)
        script.line("return found")
    for name in ("legal", "legal_repeated"):

        def listing(k: int, sub: str, name: str = name) -> None:
            script.line(f"count = i64({name}_{k}({sub}, role, out, scratch))")
            with script.block("for j in range(count):"):
                script.line(f"out[j] |= u64({k + 1}) << u64({TAG})")

        with script.out.kernel(f"{name}({_STATE}, role: i64, out: buffer[u64], {_SCRATCH}) -> i64"):
            script.line("m = State(state)")
            script.line("count = 0")
            with script.block("if m.over == 1 or (movers(state, scratch) >> role) & 1 == 0:"):
                script.line("return 0")
            _by_part(script, sizes, layout, listing)
            with script.block("if count == 0:"):
                script.line("out[0] = u64(0)")
                script.line("count = 1")
            script.line("return count")

    def doing(k: int, sub: str) -> None:
        with script.block(f"if movers_{k}({sub}, scratch) == 0:"):
            script.line("advance(state, rng, scratch)")
        with script.block("else:"):
            script.line(f"apply_{k}({sub}, own, rng, scratch)")

    players = script.layout.players
    with script.out.kernel(f"apply({_STATE}, joint: view[u64], rng: Stream, {_SCRATCH}) -> None"):
        script.line("m = State(state)")
        script.line(f"own = array(u64, {players})")
        with script.block(f"for p in range({players}):"):
            script.line(f"own[p] = joint[p] & u64({(1 << TAG) - 1})")
        _by_part(script, sizes, layout, doing)


def _write_results(script: Script, layout: MatchLayout, sizes: Sequence[int]) -> None:
    players = script.layout.players
    with script.out.kernel(f"utilities({_STATE}, out: view[f64], {_SCRATCH}) -> None"):
        script.line("m = State(state)")
        with script.block(f"for p in range(1, {players + 1}):"):
            script.line("worth = 0.5")
            with script.block("if m.over == 1:"):
                places = "f64(m.rank2[p]) / 2.0"
                script.line(
                    f"worth = {places}" if players == 1 else f"worth = 1.0 - ({places} - 1.0) / {players - 1}.0"
                )
            script.line("out[p - 1] = worth")

    def showing(k: int, sub: str) -> None:
        script.line(f"shown = i64(observe_{k}({sub}, role, out[{layout.size}:len(out)], scratch))")

    with script.out.kernel(f"observe({_STATE}, role: i64, out: buffer[u8], {_SCRATCH}) -> i64"):
        script.line("m = State(state)")
        script.line(f"copy(out, state[0:{layout.size}])")
        script.line("shown = 0")
        _by_part(script, sizes, layout, showing)
        script.line(f"return {layout.size} + shown")
