"""What becomes of moves that are found: listed by their codes, done at once, or only asked for.

A move that a player chooses is a number: which rule made it (a leaf of the move rules, with all consequences around it), from,
to, and what else tells moves of that rule apart. `perform` reads the number and does it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ludarium.ludii.board import TYPES, SiteType
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.memory import actions
from ludarium.ludii.memory.state import ACTION_WIDTH
from ludarium.ludii.model import bound, mentions, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ludarium.ludii.code.script import Script
    from ludarium.ludii.reach import Reach

LEAF_BITS = 12
MOST_BITS = 63
"""Of a code; the highest one says that a filter waits."""

PASS = 0
"""The leaf of a pass that the rules force."""

SWAP = 1
"""The leaf of the swap rule."""

SINGLE: set[str] = set()
"""Effects that do one thing at most, so that it can be done as soon as it is found."""

STRAIGHT: dict[str, Callable[..., None]] = {}
"""Effects that are done one after the other, each in the state that the one before has left."""

Push = Callable[[str, str, Mapping[str, str]], None]
"""Writes the actions of a move, given from, to and what else is known of it."""

_BITS = {"team": 5, "value": 20, "player": 5, "pips": 8, "die": 7, "track": 6}
_READ = {
    "int:site": "site", "int:value (ValueIterated)": "value", "int:level": "level", "int:pips": "pips", "int:player": "player",
    "int:between": "between", "int:from": "from_", "int:to": "to", "ints:team": "team",
}  # fmt: skip


@dataclass(frozen=True)
class Leaf:
    """A rule that makes moves, where it stands among the others."""

    index: int
    node: Bound
    kind: str
    """What is decided: Move, Add, Remove, ..."""

    thens: tuple[Bound, ...]
    """The consequences, in the order in which they come."""

    kernel: str
    repeated: bool = False
    types: tuple[SiteType, SiteType] = ("Cell", "Cell")
    """What the sites are that its moves go from and to."""

    reach: Reach | None = None
    """Where its moves can lead at most, if that is known."""

    offered: bool = False
    """Whether players choose from its moves; if not, rules only ask for them."""

    fields: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Where numbers are in the code, each one larger than it is: the lowest bit, and how many bits."""

    def read(self, code: int, name: str) -> int:
        """A number of a code; -1 if it is not there."""
        if name not in self.fields:
            return -1
        at, bits = self.fields[name]
        return (code >> at & ((1 << bits) - 1)) - 1


class Sink(ABC):
    """What is done with moves in a kernel."""

    more = ""
    """The parameters that its kernels have beside the state."""

    result = "None"
    draws = False
    """Whether sites are taken in a random order, since the first move is the one."""

    around: Sink | None = None
    """Whom it hands moves on to, if to somebody."""

    offered = False

    @property
    def is_offered(self) -> bool:
        """Whether moves that are found here are those that players choose from."""
        return self.around.is_offered if self.around is not None else self.offered

    @abstractmethod
    def found(self, script: Script, move: Found) -> None:
        """Write what is done with a move."""

    def call(self, script: Script, name: str, state: str = "v") -> None:
        """Write a call of a kernel that finds moves for the same sink."""
        more = "".join(f", {each.partition(':')[0]}" for each in self.more.split(", ") if each)
        if self.result == "bool":
            with script.block(f"if {name}({state}, c{more}):"):
                script.answer("True")
        else:
            script.line(f"{name}({state}, c{more})")

    def nothing(self, script: Script) -> None:
        """Write the end of a kernel that has looked at all moves."""
        if self.result == "bool":
            script.line("return False")


@dataclass(frozen=True)
class Found:
    """A move as it is found by a ludeme."""

    node: Bound
    kind: str
    from_: str
    to: str
    push: Push
    extra: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """What else tells it apart: expressions, and how many bits each needs."""

    repeated: bool = False
    """Whether Ludii lists it twice."""

    types: tuple[SiteType, SiteType] | None = None
    """What the sites are that it goes from and to, if not of the usual type."""

    reach: Reach | None = None
    """Where moves of the rule can lead at most, if that is known."""

    names_ends: bool = True
    """Whether its code says where it goes from and to; if not, that is found out when it is made."""

    over: Push | None = None
    """Writes which sites it goes over, for rules that ask for those of the last move."""


class Listed(Sink):
    """Moves are listed by their codes."""

    more = "out: buffer[u64]"

    def __init__(self, *, offered: bool = False) -> None:
        self.offered = offered
        """Whether players choose from the list."""

    def found(self, script: Script, move: Found) -> None:
        """Write the code of a move to the list."""
        code = script.local("code", coded(script, move)[1])
        for _ in range(2 if move.repeated else 1):
            self.take(script, code)

    def take(self, script: Script, code: str) -> None:
        """Write a code to the list."""
        script.line(f"out[c.count] = {code}")
        script.line("c.count += 1")


class Exists(Sink):
    """All that is asked is whether there is a move."""

    result = "bool"

    def found(self, script: Script, move: Found) -> None:
        """There is one."""
        script.answer("True")


class Reaches(Sink):
    """All that is asked is whether a move leads to the site in `c.target`."""

    result = "bool"

    def found(self, script: Script, move: Found) -> None:
        """Look where it leads."""
        with script.block(f"if {move.to} == c.target:"):
            script.answer("True")


class Ends(Sink):
    """The sites that moves come from or lead to are gathered."""

    more = "r: view[u64]"

    def __init__(self, *, origins: bool) -> None:
        self.origins = origins

    def found(self, script: Script, move: Found) -> None:
        """Put the site into the set."""
        site = script.local("end", move.from_ if self.origins else move.to)
        with script.block(f"if 0 <= {site} < {script.layout.sites}:"):
            script.line(f"r[{site} >> 6] |= u64(1) << u64({site} & 63)")


class Done(Sink):
    """Effects: what they do waits until all are found, or is done at once where there is only one."""

    def __init__(self, *, at_once: bool) -> None:
        self.at_once = at_once
        self.thens: dict[int, tuple[int, str]] = {}

    def found(self, script: Script, move: Found) -> None:
        """Write the actions of an effect, and the consequences behind them."""
        move.push(move.from_, move.to, {name: expression for name, (expression, _) in move.extra.items()})
        for then in reversed(script.thens):
            name = consequence(script, then)
            if self.at_once:
                script.line(f"{name}(v, c)")
            else:
                number, _ = self.thens.setdefault(id(then), (len(self.thens), name))
                script.line(f"push_action(c, {actions.THEN}, {number}, 0, 0, 0, 0)")


@contextmanager
def into(script: Script, sink: Sink) -> Iterator[None]:
    """Let moves that are written in here go to a sink, free of the consequences and loops around."""
    before = script.sink, script.thens, script.live, script.groups
    script.sink, script.thens, script.live, script.groups = sink, [], [], []
    try:
        yield
    finally:
        script.sink, script.thens, script.live, script.groups = before


@contextmanager
def copied(script: Script) -> Iterator[None]:
    """Write what works on a copy of the state, `w`."""
    size = script.layout.copy_size
    at = script.copies * size
    script.copies += 1
    script.line(f"w = c.copies[{at}:{at + script.layout.state.size}]")
    script.line("copy(w, v)")
    if script.layout.logs:
        script.line("State(w).logged = 0")
    yield


def coded(script: Script, move: Found) -> tuple[Leaf, str]:
    """The leaf of a move, and the expression of its code."""
    thens = tuple(each for then in reversed(script.thens) for each in _attached(move, then))
    read = {each for node in (move.node, *(prior for _, prior in script.priors)) for each in registers_in(node)}
    read -= {"to"}
    if script.groups:
        read |= {"group", *script.group_reads}
    wide = (script.layout.sites + 2).bit_length()
    fields: dict[str, tuple[str, int]] = {"from": (move.from_, wide), "to": (move.to, wide), **move.extra}
    if not move.names_ends:
        fields |= {"from": ("-1", wide), "to": ("-1", wide)}
    for name in script.live:
        if name in read or name == "die":
            bits = script.layout.level_bits if name == "level" else _BITS.get(name, wide)
            fields[name] = (f"c.{name}", bits)
    if LEAF_BITS + sum(bits for _, bits in fields.values()) > MOST_BITS and _begins_at_piece(move):
        fields.pop("from_", None)  # it is where the move begins
    modes, script.modes = script.modes, script.modes - {"unfiltered"}
    key = (
        "leaf",
        id(move.node),
        move.kind,
        tuple(map(id, thens)),
        tuple(fields),
        _names(script),
        script.acting,
        script.modes,
        tuple(script.groups),
    )
    at, places, text = LEAF_BITS, {}, ""
    for name, (expression, bits) in fields.items():
        places[name] = (at, bits)
        if expression != "-1":
            text += f" | (u64({expression} + 1) << u64({at}))"
        at += bits
    if at > MOST_BITS:
        raise script.model.unsupported(move.node, why="its moves need too many bits to be told apart")

    def write() -> str:
        usual = script.topology.default_type
        types = move.types or (usual, usual)
        leaf = Leaf(
            len(script.leaves) + 2, move.node, move.kind, thens, "", move.repeated, types, move.reach, fields=places
        )
        script.leaves.append(leaf)
        script.leaves[leaf.index - 2] = replace(leaf, kernel=_leaf_kernel(script, leaf, move))
        return str(leaf.index)

    index = int(script.once(key, write))
    script.modes = modes
    if script.sink is not None and script.sink.is_offered:
        script.offered.add(index)
    return script.leaves[index - 2], f"u64({index}){text}"


def _begins_at_piece(move: Found) -> bool:
    """Whether a step, slide or hop begins at the site that rules call `(from)` around it."""
    from_part = move.node.arguments.get("from")
    if move.node.signature.ludeme.names[0] not in _GOING and move.node.unit not in _GOING_UNITS:
        return False
    given = from_part.arguments if isinstance(from_part, Bound) else {}
    loc = given.get("loc")
    return "region" not in given and (
        loc is None or (isinstance(loc, Bound) and f"{loc.family}:{loc.unit}" == "int:from")
    )


_GOING = frozenset(["step", "slide", "hop", "leap"])
_GOING_UNITS = frozenset(["move Step", "move Slide", "move Hop", "move Leap"])


def _attached(move: Found, then: Bound) -> Sequence[Bound]:
    """A consequence around a move: what Ludii lists twice is one move, to which it is attached twice but for its own."""
    return [then] * (2 if move.repeated and then is not move.node.arguments.get("then") else 1)


def use_dice(script: Script, dice: str) -> None:
    """Write what uses up the dice of a move."""
    from ludarium.ludii.ludemes.moving import dice as ludemes_of_dice

    ludemes_of_dice.use_dice(script, dice)


def _leaf_kernel(script: Script, leaf: Leaf, move: Found) -> str:
    """Write the kernel that does what a code says, without its consequences."""
    origin = script.place(leaf.node)
    modes, (depth, group) = script.modes, script.groups[-1] if script.groups else (-1, "")
    if any(each.unit == "is Pending" for each in walk(leaf.node, without="then")):
        script.modes |= {"chosen"}  # what was pending before the move
    with into(script, Done(at_once=True)), script.kernel("do", "code: u64", origin=origin) as name:
        found = {each: script.local(each, decoded(leaf, each)) for each in leaf.fields}
        registers = [(each, found[each]) for each in leaf.fields if each in _REGISTERS]
        script.line("forget_ends(s)")
        if script.priors:
            with _set(script, registers):
                for k, (name_of_prior, prior) in enumerate(script.priors):
                    if k == depth:
                        script.line(f"{group}(v, c, {found['group']})")
                    script.line(f"{_in_order(script, prior) or name_of_prior}(v, c)")
        if script.layout.betweens:
            for k in range(script.layout.words):
                script.line(f"s.between[{k}] = u64(0)")
            if move.over is not None:
                move.over(found["from"], found["to"], found)
        ends = [("from_", found["from"])] if "from_" not in found else []
        with _set(script, [*ends, ("to", found["to"]), *registers]):
            if depth == len(script.priors):
                script.line(f"{group}(v, c, {found['group']})")
            with _acting(script):
                move.push(found["from"], found["to"], found)
        if leaf.kind == "Select":
            script.line(f"s.after_from = {found['from']}")
            script.line(f"s.after_to = {found['to']}")
        if "die" in found:
            use_dice(script, found["die"])
    script.modes = modes
    return name


def _in_order(script: Script, prior: Bound) -> str:
    """The kernel of what is done before a move in the order of Ludii, where it matters; else nothing."""
    if not any(each.unit in STRAIGHT for each in walk(prior, without="then")):
        return ""

    def write() -> str:
        modes, script.modes = script.modes, script.modes | {"rolled"}  # dice were, when moves were listed
        with script.kernel("before", origin=script.place(prior)) as marked:
            perform(script, prior, marked=True)
        script.modes = modes
        with script.kernel("in_order", origin=script.place(prior)) as name, copied(script):
            script.line("tried = State(w)")
            script.line("tried.logged = 1")
            script.line("first = i64(c.log_top)")
            script.line(f"{marked}(w, c)")
            script.line("tried.logged = 0")
            script.line("last = arrange_log(c, first)")
            script.line("start = i64(c.top)")
            script.line("push_logged(c, first, last)")
            script.line("c.log_top = first")
            script.line("do_actions(v, c, start)")
        return name

    return script.once(("in order", id(prior), script.modes), write)


_REGISTERS = ("site", "level", "value", "player", "track", "pips", "die", "between", "from_", "team")


def registers_in(node: Bound) -> set[str]:
    """The registers that rules read."""
    read = {_READ[f"{each.family}:{each.unit}"] for each in walk(node) if f"{each.family}:{each.unit}" in _READ}
    return read | ({"player"} if mentions(node, "Player") else set())


@contextmanager
def _acting(script: Script) -> Iterator[None]:
    """Let what is beside a move happen as if the player moved as whose move it was found."""
    if not script.acting:
        yield
        return
    who = script.local("who", script.acting)
    old = {name: script.local(f"old_{name}", f"i64(s.{name})") for name in ("mover", "next", "prev")}
    with script.block(f"if 0 < {who} <= {script.layout.players} and {who} != s.mover:"):
        script.line("s.prev = s.mover")
        script.line(f"s.mover = {who}")
        script.line("s.next = next_active(s, s.mover)")
    following = script.local("following", "i64(s.next)")
    yield
    for name in ("mover", "prev"):
        script.line(f"s.{name} = {old[name]}")
    with script.block(f"if s.next == {following}:"):
        script.line(f"s.next = {old['next']}")


def _names(script: Script) -> tuple[str, ...]:
    return tuple(name for name, _ in script.priors)


@contextmanager
def _set(script: Script, pairs: Sequence[tuple[str, str]]) -> Iterator[None]:
    with ExitStack() as stack:
        for name, value in pairs:
            stack.enter_context(script.register(name, value))
        yield


def decoded(leaf: Leaf, name: str) -> str:
    """The expression of a number of a code."""
    at, bits = leaf.fields[name]
    return f"(i64((code >> u64({at})) & u64({(1 << bits) - 1})) - 1)"


def forget_pending(script: Script, state: str = "s") -> None:
    """Write what forgets what is pending, when a move is made; what the move itself does still depends on it."""
    if script.model.uses("bool:is Pending"):
        script.line(f"c.pending = i64({state}.pending_count)")
    script.line(f"{state}.pending_count = 0")


def note_types(script: Script, leaf: Leaf, state: str = "s") -> None:
    """Write what keeps the types of the sites of a move, where rules ask for them."""
    if "last_to_type" in script.layout.state.fields:
        for end, kind in zip(("from", "to"), leaf.types, strict=True):
            script.line(f"{state}.last_{end}_type = {TYPES.index(kind)}")


def consequence(script: Script, then: Bound) -> str:
    """The kernel of what comes after a move."""

    def write() -> str:
        with script.kernel("then", origin=script.place(then)) as name:
            perform(script, bound(then.arguments["moves"]))
        return name

    return script.once(("then", id(then), script.modes), write)


class _Marked(Done):
    """Effects of which it is written down where each begins."""

    def found(self, script: Script, move: Found) -> None:
        """Write where it begins, and what it does."""
        script.line(f"push_action(c, {actions.BEGIN}, 0, 0, 0, 0, 0)")
        super().found(script, move)


def perform(script: Script, effect: Bound, *, marked: bool = False) -> None:
    """Write what does an effect: all of it is found before any of it is done."""
    if effect.unit in STRAIGHT and "then" not in effect.arguments:
        STRAIGHT[effect.unit](script, effect, marked=marked)
        return
    if is_single(effect) and not marked:
        with into(script, Done(at_once=True)):
            script.moves(effect)
        return
    start, done = script.local("start", "c.top"), (_Marked if marked else Done)(at_once=False)
    with into(script, done):
        script.moves(effect)
    if not done.thens:
        script.line(f"do_actions(v, c, {start})")
        return
    end, at = script.local("end", "c.top"), script.out.fresh("at")
    with script.block(f"for {at} in range({start}, {end}):"):
        with script.block(f"if c.actions[{at} * {ACTION_WIDTH}] == {actions.THEN}:"):
            with script.block(f"match c.actions[{at} * {ACTION_WIDTH} + 1]:"):
                for number, name in done.thens.values():
                    with script.block(f"case {number}:"):
                        script.line(f"{name}(v, c)")
                with script.block("case _:"):
                    script.line("pass")
        with script.block("else:"):
            script.line(f"do_action(v, c, {at})")
    script.line(f"c.top = {start}")


def is_single(effect: Bound) -> bool:
    """Whether an effect does one thing at most."""
    if effect.unit == "if" and effect.family == "moves":
        branches = [effect.arguments["list"], effect.arguments.get("elseList")]
        return all(each is None or is_single(bound(each)) for each in branches)
    return effect.unit in SINGLE and "regionFunction" not in effect.arguments and "region" not in effect.arguments


_NOW = {actions.MOVE: ("move_now", 3), actions.ADD: ("add_now", 5), actions.REMOVE: ("remove_now", 2)}


def act(script: Script, kind: int, *numbers: Any) -> None:
    """Write an action of an effect: to wait, or to be done at once."""
    given = [str(each) for each in numbers]
    at_once = isinstance(script.sink, Done) and script.sink.at_once
    if at_once and kind in _NOW and len(given) <= _NOW[kind][1] and not script.layout.logs:
        name, width = _NOW[kind]
        script.line(f"{name}(s, {', '.join([*given, *['-1'] * (width - len(given))])})")
        return
    padded = [*given, *["-1"] * (5 - len(given))]
    script.line(f"push_action(c, {kind}, {', '.join(padded)})")
    if at_once:
        script.line("do_last(v, c)")
