"""How a game ends, and how it goes from phase to phase."""

from __future__ import annotations

from collections.abc import Callable

from ludarium.ludii.code.script import Script
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.fractions import fraction
from ludarium.ludii.memory.state import NO_NAME
from ludarium.ludii.model import bound, items, mentions, word


def write_ends(script: Script, name: str = "end_rules") -> None:
    """Write the kernel of the end rules: those of the mover's phase first, then those of the game."""
    phases = script.model.phases
    kernels = [_end_kernel(script, phase.end) if phase.end else "" for phase in phases]
    whole = _end_kernel(script, script.model.end) if script.model.end else ""
    with script.out.kernel(f"{name}(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        for number, kernel in enumerate(kernels):
            if kernel:
                test = f"s.phase[s.mover] == {number} and s.over == 0" if len(phases) > 1 else "s.over == 0"
                with script.block(f"if {test}:"):
                    script.line(f"{kernel}(v, c)")
        if whole:
            with script.block("if s.over == 0:"):
                script.line(f"{whole}(v, c)")


def _end_kernel(script: Script, node: Bound) -> str:
    given = node.arguments
    rules = [given["endRule"]] if "endRule" in given else items(given["endRules"])
    with script.kernel("end", origin=script.place(node)) as name:
        for rule in rules:
            _rule(script, bound(rule))
        if script.layout.players > 2:
            script.line("s.lost_now = 0")
        if _ends_by_pass(script):
            with script.block("if s.over == 0 and all_passed(s):"):
                script.line("draw_game(s)")
    return name


def _ends_by_pass(script: Script) -> bool:
    """Whether the game is over when all have passed: where end rules are looked at, and rules do not ask for it themselves."""
    return (
        not script.model.uses("bool:all Passed")
        and not script.model.together  # a joint move is nobody's turn
        and not script.layout.dice
        and not script.model.uses(*_WITHOUT_PASSES)
        and not any(mentions(each, "NoEnd") for each in script.model.meta)
        and not (script.layout.players == 1 and script.model.uses("moves:move Pass", "moves:pass"))
    )


_WITHOUT_PASSES = ("moves:playCard", "moves:move PlayCard", "moves:set TrumpSuit", "moves:move Set")
"""Where cards are played or trumps are chosen, Ludii does not ask whether all have passed."""


def _rule(script: Script, node: Bound) -> None:
    """Write one rule; those after it are looked at all the same, as long as the game goes on."""
    with script.out.at(script.place(node)):
        if node.unit == "forEach":
            _for_each(script, node)
            return
        with script.block("if s.over == 0:"), script.block(f"if {script.truth(node.arguments['test'])}:"):
            _hit(script, node, "")


def _hit(script: Script, node: Bound, done: str) -> None:
    """Write what happens when the condition of a rule holds: the first of the rules below it, or its own result."""
    given = node.arguments
    subs = [given["sub"]] if "sub" in given else items(given.get("subs"))
    if not subs:
        if "result" in given:
            _result(script, bound(given["result"]))
        if done:
            script.line(f"{done} = True")
        return
    hit = script.out.fresh("hit")
    script.line(f"{hit} = False")
    for sub in map(bound, subs):
        with script.block(f"if not {hit}:"), script.block(f"if {script.truth(sub.arguments['test'])}:"):
            _hit(script, sub, hit)
    if "result" in given:
        with script.block(f"if not {hit}:"):
            _result(script, bound(given["result"]))
    if done:
        script.line(f"{done} = True")


def _for_each(script: Script, node: Bound) -> None:
    given = node.arguments
    if "trackType" in given:
        _for_each_track(script, node)
        return
    others = "type" in given and word(given["type"]) == "NonMover"
    player = script.out.fresh("p")
    with script.block(f"for {player} in range(1, {script.layout.players + 1}):"):
        test = f"(s.active >> {player}) & 1 == 1" + (f" and {player} != s.mover" if others else "")
        with script.block(f"if {test}:"), script.register("player", player):
            with script.block(f"if {script.truth(given['If'])}:"):
                _result(script, bound(given["result"]))


def _for_each_track(script: Script, node: Bound) -> None:
    """A rule for each track, which `(sites Track)` means in it."""
    modes = script.modes
    for number in range(len(script.topology.tracks)):
        script.modes = modes | {f"track {number}"}
        with script.block("if s.over == 0:"), script.block(f"if {script.truth(node.arguments['If'])}:"):
            _result(script, bound(node.arguments["result"]))
    script.modes = modes


def _result(script: Script, node: Bound) -> None:
    if node.unit not in RESULTS:
        raise script.model.unsupported(node)
    with script.out.at(script.place(node)):
        RESULTS[node.unit](script, node)


def _plain(script: Script, node: Bound) -> None:
    role = word(node.arguments["who"])
    player, kind = script.role(node.arguments["who"]), word(node.arguments["result"])
    if kind not in ("Win", "Loss", "Draw"):
        raise script.model.unsupported(node, f"result {kind}")
    if player == "-1" or (role.startswith("Team") and kind != "Win"):
        script.line("pass")  # as in Ludii, where teams only win, and several players who are not all are nobody
    elif role.startswith("Team"):
        script.line(f"win_team(s, {player})")
    elif kind in ("Win", "Loss"):
        script.line(f"{'win' if kind == 'Win' else 'lose'}(s, {player})")
    else:
        script.line("draw_game(s)")


def _by_score(script: Script, node: Bound) -> None:
    """Rank all by their scores, of which the final ones are set first."""
    given = node.arguments
    final, players = script.out.fresh("final"), script.layout.players
    for each in map(bound, items(given.get("finalScore"))):
        player, score = script.role(each.arguments["role"]), script.number(each.arguments["score"])
        script.line(f"s.score[{player}] = {score}")
    script.line(f"{final} = array(i64, {players + 1})")
    with script.block(f"for p in range(1, {players + 1}):"):
        script.line(f"{final}[p] = i64(s.score[p])")
    misere = script.truth(given.get("misere"), "False")
    script.line(f"rank_by_score(s, {final}, 1 if {misere} else 0)")


def _by_payoff(script: Script, node: Bound) -> None:
    """Rank all by what they are paid; who is not named gets nothing, and who plays alone wins by any gain."""
    players, paid, order = script.layout.players, script.out.fresh("paid"), script.out.fresh("order")
    script.line(f"{paid} = array(f64, {players + 1})")
    for each in map(bound, items(node.arguments["finalPayoffs"])):
        player = script.local("player", script.role(each.arguments["role"]))
        with script.block(f"if 1 <= {player} <= {players}:"):
            script.line(f"{paid}[{player}] = {fraction(script, each.arguments['payoff'])}")
    script.line(f"{order} = array(i64, {players + 1})")
    with script.block(f"for p in range(1, {players + 1}):"), script.block(f"for q in range(1, {players + 1}):"):
        with script.block(f"if {paid}[q] < {paid}[p]:"):
            script.line(f"{order}[p] += 1")
    script.line(f"rank_by_score(s, {order}, 0)")
    if players == 1:
        script.line(f"s.rank2[1] = 2 if {paid}[1] > 0.0 else 0")
        script.line("s.status = best_ranked(s)")


RESULTS: dict[str, Callable[[Script, Bound], None]] = {
    "result": _plain,
    "byScore": _by_score,
    "payoffs": _by_payoff,
}


def write_phases(script: Script) -> None:
    """Write the kernel that leads players from one phase to the next."""
    phases = script.model.phases
    names = [phase.name for phase in phases]
    kernels = [_next_kernel(script, number, names) if phase.next else "" for number, phase in enumerate(phases)]
    with script.out.kernel("next_phases(v: view[u8], c: Context) -> None"):
        script.line("s = State(v)")
        if any(kernels):
            with script.block(f"for p in range(1, {script.layout.players + 1}):"), script.block("match s.phase[p]:"):
                for number, name in enumerate(kernels):
                    if name:
                        with script.block(f"case {number}:"):
                            script.line(f"{name}(v, c, p)")
                with script.block("case _:"):
                    script.line("pass")


def _next_kernel(script: Script, number: int, names: list[str]) -> str:
    everybody = str(script.layout.players + 1)
    with script.kernel("leave_phase", "p: i64") as name:
        for node in script.model.phases[number].next:
            given = node.arguments
            who = script.player(node, "role", "indexPlayer", everybody)
            test = "True" if who == everybody else f"{who} == p or {who} == {everybody}"
            target = str(text_name) if (text_name := _name(node)) else NO_NAME
            with (
                script.block(f"if {test}:"),
                script.block(f"if {script.truth(given.get('cond'))}:"),
                script.out.at(script.place(node)),
            ):
                if target:
                    script.line(f"s.phase[p] = {names.index(target)}")
                else:
                    script.line(f"s.phase[p] = {(number + 1) % len(names)}")
                script.line("return")
    return name


def _name(node: Bound) -> str:
    given = node.arguments.get("phaseName")
    return "" if given is None else str(getattr(given, "value", ""))
