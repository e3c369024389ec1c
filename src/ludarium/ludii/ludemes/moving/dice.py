"""Dice: what they show, rolling them, and moves by what they show."""

from __future__ import annotations

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.code.sinks import Done, Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.moving.moves import find, moves_apart
from ludarium.ludii.memory import actions
from ludarium.ludii.model import walk


def face_tables(script: Script) -> tuple[str, str]:
    """What the faces of all dice show: where each die begins, and the numbers."""
    starts: list[int] = [0]
    faces: list[int] = []
    for _, die in script.layout.dice:
        faces += die.faces
        starts.append(len(faces))
    return script.table(starts, hint="dice"), script.table(faces, hint="faces")


@ludeme("int", "count Pips")
def _pips(script: Script, node: Bound) -> str:
    player = script.player(node, "role", "of", str(script.layout.players + 1))
    known = literal(player)
    if known is None:
        raise script.model.unsupported(node)
    starts, faces = face_tables(script)
    number = 0
    for container in script.topology.containers:
        if container.kind != "dice":
            continue
        if script.model.owner_of(container) == known:
            shown = [f"{faces}[{starts}[{number + k}] + s.die[{number + k}]]" for k in range(container.count)]
            return "(" + " + ".join(f"i64({each})" for each in shown) + ")"
        number += container.count
    return "0"


@ludeme("int", "face")
def _face(script: Script, node: Bound) -> str:
    starts, faces = face_tables(script)
    site = script.local("site", script.number(node.arguments["locn"]))
    shown = script.out.fresh("face")
    script.line(f"{shown} = -1")
    for number, (at, _) in enumerate(script.layout.dice):
        with script.block(f"if {site} == {at}:"):
            script.line(f"{shown} = i64({faces}[{starts}[{number}] + s.die[{number}]])")
    return shown


@ludeme("bool", "all DiceUsed")
def _all_used(script: Script, node: Bound) -> str:
    return "(" + " and ".join(f"s.current[{k}] == 0" for k in range(len(script.layout.dice))) + ")"


@ludeme("bool", "all DiceEqual")
def _all_equal(script: Script, node: Bound) -> str:
    return "(s.dice_equal == 1)"


@ludeme("bool", "is AnyDie")
def _any_die(script: Script, node: Bound) -> str:
    value = script.local("value", script.number(node.arguments["value"]))
    if not script.layout.dice:
        return "False"
    return "(" + " or ".join(f"s.current[{k}] == {value}" for k in range(len(script.layout.dice))) + ")"


def roll_kernel(script: Script) -> str:
    """The kernel that rolls all dice."""
    starts, faces = face_tables(script)

    def write() -> str:
        with script.kernel("roll_dice") as name:
            script.line("equal = 1")
            with script.block(f"for k in range({len(script.layout.dice)}):"):
                script.line(f"face = random_below(c, i64({starts}[k + 1]) - i64({starts}[k]))")
                script.line("s.die[k] = face")
                script.line(f"s.current[k] = {faces}[{starts}[k] + face]")
                with script.block("if s.current[k] != s.current[0]:"):
                    script.line("equal = 0")
            script.line("s.dice_equal = equal")
        return name

    return script.once(("roll",), write)


@ludeme("moves", "roll")
def _roll(script: Script, node: Bound) -> None:
    """Rolling as an effect; what is rolled before moves are listed belongs to the state already."""
    name = roll_kernel(script)
    if isinstance(script.sink, Done):
        rolled = "pass" if "rolled" in script.modes else f"{name}(v, c)"
        find(script, Found(node, "Roll", "-1", "-1", lambda *_: script.line(rolled)))
    else:
        raise script.model.unsupported(node, why="rolling as a move")


@ludeme("moves", "forEach Die")
def _for_each_die(script: Script, node: Bound) -> None:
    """Moves by each die, and by sums of dice if they may be combined; the dice are used up by the move."""
    given = node.arguments
    containers = [each for each in script.topology.containers if each.kind == "dice"]
    index = literal(script.number(given.get("handDiceIndex"), "0"))
    if index is None or index >= len(containers):
        raise script.model.unsupported(node)
    first, count = sum(each.count for each in containers[:index]), containers[index].count
    combined = script.truth(given.get("combined"), "False")
    if combined not in ("True", "False"):
        raise script.model.unsupported(node, why="dice that are sometimes combined")

    def by(pips: str, dice: str) -> None:
        with script.register("die", dice, loop=True), script.register("pips", pips, loop=True):
            with script.block(f"if {script.truth(given.get('If'))}:"):
                if not isinstance(script.sink, Done):
                    moves_apart(script, given["moves"])
                    return
                before = script.local("before", "c.top")  # effects use up their dice, too
                moves_apart(script, given["moves"])
                with script.block(f"if c.top > {before}:"):
                    use_dice(script, dice)

    modes, script.modes = (
        script.modes,
        script.modes | ({f"doubles {first} {count} {id(node)}"} if "replayDouble" in given else set()),
    )
    die = script.out.fresh("die")
    with script.block(f"for {die} in range({first}, {first + count}):"):
        by(f"i64(s.current[{die}])", f"(1 << {die})")
    if combined == "True" and count <= 3:  # Ludii combines no more than three
        groups = [list(range(count))] if count == 3 else []
        groups += [[a, b] for a in range(count) for b in range(a + 1, count)]
        for group in groups:
            dice = [first + each for each in group]
            test = " and ".join(f"s.current[{each}] != 0" for each in dice)
            with script.block(f"if {test}:"):
                by(" + ".join(f"i64(s.current[{each}])" for each in dice), str(sum(1 << each for each in dice)))
    script.modes = modes


def use_dice(script: Script, dice: str) -> None:
    """Write what uses up the dice of a move; equal dice are used twice where they count double, but not combined."""
    count = len(script.layout.dice)
    doubled = next((each for each in script.modes if each.startswith("doubles")), "")
    temp = script.local("temp", "i64(s.temp)")
    equal = "False"
    if doubled:
        first, many, which = map(int, doubled.split()[1:])
        (rule,) = (each for each in walk(script.model.root) if id(each) == which)
        pairs = [f"s.current[{first + k}] == s.current[{first}]" for k in range(1, many)]
        equal = script.local("equal", " and ".join([script.truth(rule.arguments["replayDouble"]), *pairs]))
    die, shown = script.out.fresh("die"), script.out.fresh("shown")
    script.line(f"{shown} = 0")
    with script.block(f"for {die} in range({count}):"):
        with script.block(f"if ({dice} >> {die}) & 1 == 1:"):
            script.line(f"{shown} = i64(s.current[{die}])")
            act(script, actions.USE_DIE, die)
    if not any(_sets_temp(each) for each in walk(script.model.root)):
        return
    starts, faces = face_tables(script)
    with script.block(f"if {dice} & ({dice} - 1) == 0:"):
        with script.block(f"if {equal}:"):
            act(script, actions.SET_TEMP, f"({shown} if {temp} == -1 else -1)")
        with script.block(f"elif {temp} != -1:"):
            for k, (_, each) in enumerate(script.layout.dice):
                with script.block(f"if 0 < {temp} <= {len(each.faces)}:"):
                    act(script, actions.SET_DIE, k, f"{temp} - 1", f"i64({faces}[{starts}[{k}] + {temp} - 1])")


def _sets_temp(node: Bound) -> bool:
    """Whether a rule may leave a value that has no name: where there is one, dice show it when one of them is used."""
    return "replayDouble" in node.arguments or (node.unit == "set Var" and "name" not in node.arguments)
