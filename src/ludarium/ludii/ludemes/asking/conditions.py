"""Conditions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from ludarium.ludii.board import TYPES
from ludarium.ludii.code.filters import Fresh
from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Exists, Sink, into
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.asking.arrays import Numbers
from ludarium.ludii.ludemes.asking.fractions import fraction
from ludarium.ludii.memory.spots import is_empty, kind_of, spot
from ludarium.ludii.model import bound, items, walk, word

_SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_NO_SITES = ("count Moves", "count Turns", "count MovesThisTurn")


def compared(script: Script, one: str, sign: str, two: str) -> str:
    """Whether the values of two variables of a puzzle compare so; as long as one is open, they may."""
    count, first, second = script.model.board_sites, script.local("first", one), script.local("second", two)
    inside = [f"0 <= {each} < {count} and s.solved[{each}] >= 0" for each in (first, second)]
    return f"(not ({' and '.join(inside)}) or s.solved[{first}] {sign} s.solved[{second}])"


@ludeme("bool", *_SIGNS)
def _compare(script: Script, node: Bound) -> str:
    given, sign = node.arguments, _SIGNS[node.signature.ludeme.names[0]]
    if "regionA" in given:
        first, second = script.region(given["regionA"]), script.region(given["regionB"])
        pairs = [f"({first.word(str(k))} == {second.word(str(k))})" for k in range(script.layout.words)]
        same = "(" + " and ".join(pairs) + ")"
        return same if sign == "==" else f"(not {same})"
    one = script.number(given["valueA"])
    two = script.role(given["roleB"]) if "roleB" in given else script.number(given["valueB"])
    if script.layout.domain and sign not in ("==", "!="):
        _check_sites(script, node, one, two)
        return compared(script, one, sign, two)
    return f"({one} {sign} {two})"


def _check_sites(script: Script, node: Bound, *numbers: str) -> None:
    """Refuse to compare what cannot be meant as sites: in a deduction puzzle the order is that of the values on two sites."""
    count, known = script.model.board_sites, [each for each in map(literal, numbers) if each is not None]
    outside = next((each for each in known if not 0 <= each < count), None)
    counted = next((each.unit for each in walk(node) if each.unit in _NO_SITES), None)
    if outside is None and counted is None:
        return
    what = f"({counted}) counts no sites" if counted else f"{outside} is no site: there are {count}, from 0"
    sign = node.signature.ludeme.names[0]
    hint = "numbers are compared by = and !="
    raise script.model.wrong(node, f"in a deduction puzzle {sign} compares the values on two sites, and {what}", hint)


@ludeme("bool", "and", "or")
def _join(script: Script, node: Bound) -> str:
    given = node.arguments
    sides = items(given["list"]) if "list" in given else [given["a"], given["b"]]
    return script.both(sides, all_of=node.signature.ludeme.names[0] == "and")


@ludeme("bool", "not")
def _not(script: Script, node: Bound) -> str:
    return f"(not ({script.truth(node.arguments['a'])}))"


@ludeme("bool", "xor")
def _either_or(script: Script, node: Bound) -> str:
    one, two = (script.local("side", script.truth(node.arguments[each])) for each in ("a", "b"))
    return f"({one} != {two})"


@ludeme("bool", "toBool")
def _to_bool(script: Script, node: Bound) -> str:
    if "floatFn" in node.arguments:
        return f"({fraction(script, node.arguments['floatFn'])} != 0.0)"
    return f"({script.number(node.arguments['intFn'])} != 0)"


@ludeme("bool", "if")
def _if(script: Script, node: Bound) -> str:
    given = node.arguments
    condition = script.truth(given["cond"])
    return script.either(
        condition, lambda: script.truth(given["ok"]), lambda: script.truth(given.get("notOk"), "False")
    )


@ludeme("bool", "is Empty", "is Occupied")
def _is_site(script: Script, node: Bound) -> str:
    kind, site = kind_of(script, node), script.number(node.arguments["at"])
    if word(node.arguments["isType"]) == "Empty":
        return is_empty(script, kind, site)
    return f"(what_at(s, {spot(script, kind, site)}) != 0)"


@ludeme("bool", "is Mover", "is Next", "is Prev", "is Enemy", "is Friend", "is Active")
def _is_player(script: Script, node: Bound) -> str:
    player, kind = script.player(node, "role", "index"), word(node.arguments["isType"])
    if kind in ("Mover", "Next", "Prev"):
        return f"({player} == i64(s.{kind.lower()}))"
    if kind == "Active":
        player = script.local("player", player)
        return f"(0 < {player} <= {script.layout.players} and (s.active >> {player}) & 1 == 1)"
    teams = "team" in script.layout.state.fields
    player = script.local("player", player)
    if kind == "Enemy":
        if teams:
            return f"({player} != 0 and s.team[max({player}, 0)] != s.team[s.mover])"
        return f"({player} != 0 and {player} != i64(s.mover))"
    if teams:
        return f"({player} > 0 and s.team[{player}] == s.team[s.mover])"
    return f"({player} == i64(s.mover))"


@ludeme("bool", "is In")
def _is_in(script: Script, node: Bound) -> str:
    given = node.arguments
    sites = items(given["sites"]) if "sites" in given else [given.get("site")]
    if "array" in given:
        numbers = script.numbers(given["array"])
        return "(" + " and ".join(numbers.has(script.number(site, "c.to")) for site in sites) + ")"
    if isinstance(given["region"], Bound) and given["region"].unit == "sites Pending":  # numbers, not only of sites
        numbers = Numbers(script, "s.pending[{}]", "i64(s.pending_count)")
        return "(" + " and ".join(numbers.has(script.number(site, "c.to")) for site in sites) + ")"
    region = script.region(given["region"])
    return "(" + " and ".join(region.has(script.number(site, "c.to")) for site in sites) + ")"


@ludeme("bool", "is Even", "is Odd")
def _parity(script: Script, node: Bound) -> str:
    wanted = 0 if word(node.arguments["isType"]) == "Even" else 1
    return f"({script.number(node.arguments.get('value'))} & 1 == {wanted})"


@ludeme("bool", "is Pending")
def _pending(script: Script, node: Bound) -> str:
    return "(c.pending > 0)" if "chosen" in script.modes else "(s.pending_count > 0)"


@ludeme("bool", "is Full")
def _full(script: Script, node: Bound) -> str:
    from ludarium.ludii.ludemes.where.regions import empty

    return f"(not {empty(script).some()})"


@ludeme("bool", "all Sites")
def _all_sites(script: Script, node: Bound) -> str:
    return _for_all(script, node, "site", lambda: script.region(node.arguments["region"]).each())


@ludeme("bool", "all Values")
def _all_values(script: Script, node: Bound) -> str:
    return _for_all(script, node, "value", lambda: script.numbers(node.arguments["array"]).each())


def _for_all(script: Script, node: Bound, register: str, each: Callable[[], AbstractContextManager[str]]) -> str:
    """Whether a condition holds for all that a register comes to."""

    def write() -> str:
        with script.kernel(f"all_{register}s", result="bool", origin=script.place(node)) as name:
            with each() as one, script.register(register, one):
                with script.block(f"if not ({script.truth(node.arguments['If'])}):"):
                    script.answer("False")
            script.line("return True")
        return name

    return f"{script.once(('all', id(node), script.modes), write)}(v, c)"


@ludeme("bool", "all Passed")
def _all_passed(script: Script, node: Bound) -> str:
    return "all_passed(s)"


@ludeme("bool", "was Pass")
def _was_pass(script: Script, node: Bound) -> str:
    return "(s.last_pass == 1)"


@ludeme("bool", "is LastTo", "is LastFrom")
def _last_type(script: Script, node: Bound) -> str:
    """Whether the last move went to, or came from, a site of a type."""
    end = "to" if word(node.arguments["isType"]) == "LastTo" else "from"
    return f"(s.last_{end}_type == {TYPES.index(kind_of(script, node))})"


@ludeme("bool", "is Visited")
def _visited(script: Script, node: Bound) -> str:
    site = script.local("site", script.number(node.arguments.get("value")))
    return f"(0 <= {site} < {script.layout.sites} and (s.visited[{site} >> 6] >> u64({site} & 63)) & u64(1) == u64(1))"


@ludeme("bool", "can Move")
def _can_move(script: Script, node: Bound) -> str:
    found = f"{any_move(script, bound(node.arguments['moves']), allowed=True)}(v, c)"
    if not script.layout.visits:
        return found
    name = script.out.fresh("can")
    for value in ("|= {}", "&= ~({})"):  # the last move counts as a visit while moves are looked for
        for end in ("from", "to"):
            bit = value.format(f"u64(1) << u64(s.last_{end} & 63)")
            with script.block(f"if s.last_{end} >= 0:"):
                script.line(f"s.visited[s.last_{end} >> 6] {bit}")
        if value[0] == "|":
            script.line(f"{name} = {found}")
    return name


def any_move(script: Script, moves: Bound, *, allowed: bool = False) -> str:
    """The kernel that says whether rules make a move; if asked, one that does not repeat a state where that is forbidden."""
    sink: Sink = Fresh(Exists()) if allowed and script.layout.forbids else Exists()

    def write() -> str:
        with into(script, sink), script.kernel("can_move", result="bool", origin=script.place(moves)) as name:
            script.moves(moves)
            script.line("return False")
        return name

    return script.once(("any", id(moves), allowed, script.modes), write)
