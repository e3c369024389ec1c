"""Arrays of numbers: in memory of the kernel, with a count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from ludarium.ludii.code.script import Script, literal, ludeme
from ludarium.ludii.grammar.binder import Bound, Value
from ludarium.ludii.memory.state import NO_NAME
from ludarium.ludii.model import bound, items, text

MOST_RESULTS = 16_384
"""How many numbers of pairs of sites are kept where they are counted, or one of them is asked for."""


@dataclass(frozen=True)
class Numbers:
    """An array in a script: where it is, and how long."""

    script: Script
    name: str
    count: str
    most: int = 0
    """How many there is room for, where numbers are put behind the others."""

    def at(self, index: str) -> str:
        """The number in a place."""
        return f"i64({self.name.format(index)})"

    @contextmanager
    def each(self, hint: str = "value") -> Iterator[str]:
        """A loop over the numbers."""
        script = self.script
        at, value = script.out.fresh("at"), script.out.fresh(hint)
        with script.block(f"for {at} in range({self.count}):"):
            script.line(f"{value} = {self.at(at)}")
            yield value

    def has(self, number: str) -> str:
        """Whether a number is among them."""
        script = self.script
        number, found = script.local("number", number), script.out.fresh("among")
        script.line(f"{found} = False")
        with self.each() as value, script.block(f"if {value} == {number}:"):
            script.line(f"{found} = True")
        return found

    def kept(self) -> Numbers:
        """The same in memory, where each number has its place."""
        return self


@dataclass(frozen=True)
class Results(Numbers):
    """What a function is for all pairs of sites: so many on a large board that they are found anew for every use."""

    node: Bound | None = None

    @contextmanager
    def each(self, hint: str = "value") -> Iterator[str]:
        """A loop over the pairs; what is done with their numbers does not speak of them."""
        script, given = self.script, bound(self.node).arguments
        value, outer = script.out.fresh(hint), script.local("outer", "c.from_")
        with (
            sites_of(script, given.get("From"), given.get("from"), off=True) as from_,
            script.register("from_", from_),
            sites_of(script, given.get("To"), given.get("to"), off=True) as to,
        ):
            with script.register("to", to):
                script.line(f"{value} = {script.number(given['function'])}")
            with script.register("from_", outer):
                yield value

    def kept(self) -> Numbers:
        """All of them, as long as there are not too many."""
        found, _ = new(self.script, most=MOST_RESULTS)
        with self.each() as value:
            append(found, value)
        return found


def room(script: Script) -> int:
    """How long an array can be."""
    return max(256, script.layout.list_room, 2 * script.layout.sites)


def new(script: Script, hint: str = "numbers", most: int = 0) -> tuple[Numbers, str]:
    """An empty array, and the variable that counts its numbers."""
    name, count, most = script.out.fresh(hint), script.out.fresh(f"{hint}_count"), most or room(script)
    script.line(f"{name} = empty(i64, {most})")
    script.line(f"{count} = 0")
    return Numbers(script, name + "[{}]", count, most), count


def append(numbers: Numbers, value: str) -> None:
    """Write what puts a number behind the others."""
    script = numbers.script
    script.line(f'assert {numbers.count} < {numbers.most}, "too many numbers"')
    script.line(f"{numbers.name.format(numbers.count)} = {value}")
    script.line(f"{numbers.count} += 1")


@ludeme("ints", "array")
def _array(script: Script, node: Bound) -> Numbers:
    found, _ = new(script)
    if "region" in node.arguments:
        with script.region(node.arguments["region"]).each() as site:
            append(found, site)
    for each in items(node.arguments.get("ints")):
        append(found, script.number(each))
    return found


@ludeme("ints", "values Remembered")
def _remembered(script: Script, node: Bound) -> Numbers:
    name = text(node.arguments["name"]) if "name" in node.arguments else NO_NAME
    index, width = script.layout.lists.index(name), script.layout.list_room
    return Numbers(script, f"s.list[{index * width} + {{}}]", f"i64(s.list_count[{index}])")


@ludeme("ints", "results")
def _results(script: Script, node: Bound) -> Numbers:
    return Results(script, "", "", node=node)


@contextmanager
def sites_of(script: Script, region: Value | None, site: Value | None, *, off: bool = False) -> Iterator[str]:
    """The sites of a region, or the one that is given, if it is a site or may be `off` the board."""
    if region is not None:
        with script.region(region).kept().each() as each:
            yield each
        return
    number = script.local("site", script.number(site))
    with script.block("if True:" if off else f"if {number} >= 0:"):
        yield number


@ludeme("ints", "if")
def _if(script: Script, node: Bound) -> Numbers:
    found, _ = new(script)
    with (
        script.block(f"if {script.truth(node.arguments['cond'])}:"),
        script.numbers(node.arguments["ok"]).each() as value,
    ):
        append(found, value)
    if "notOk" in node.arguments:
        with script.block("else:"), script.numbers(node.arguments["notOk"]).each() as value:
            append(found, value)
    return found


@ludeme("ints", "union", "intersection", "difference")
def _sets(script: Script, node: Bound) -> Numbers:
    given = node.arguments
    found, _ = new(script)
    if node.unit == "difference":
        with script.numbers(given["source"]).each() as value:
            append(found, value)
        if "subtraction" in given:
            with script.numbers(given["subtraction"]).each() as value:
                _take_away(found, value)
        else:
            _take_away(found, script.local("gone", script.number(given["intToRemove"])))
        return found
    parts = [
        script.numbers(each)
        for each in (items(given["arrays"]) if "arrays" in given else [given["array1"], given["array2"]])
    ]
    if node.unit == "union":
        for k, part in enumerate(parts):  # what is in the first twice stays so
            with part.each() as value, script.block(f"if not {found.has(value)}:") if k else nullcontext():
                append(found, value)
        return found
    first, *others = parts if "arrays" in given else reversed(parts)  # of two arrays, those of the second
    with first.each() as value:
        tests = [part.has(value) for part in others]
        with script.block(f"if {' and '.join(tests) or 'True'}:"):
            append(found, value)
    return found


def _take_away(numbers: Numbers, value: str) -> None:
    """Write what takes a number out of an array, where it comes first."""
    script, at, shift = numbers.script, numbers.script.out.fresh("at"), numbers.script.out.fresh("shift")
    script.line(f"{shift} = 0")
    with script.block(f"for {at} in range({numbers.count}):"):
        with script.block(f"if {shift} == 1:"):
            script.line(f"{numbers.name.format(f'{at} - 1')} = {numbers.at(at)}")
        with script.block(f"elif {numbers.at(at)} == {value}:"):
            script.line(f"{shift} = 1")
    script.line(f"{numbers.count} -= {shift}")


@ludeme("int", "size Array")
def _size(script: Script, node: Bound) -> str:
    return str(script.numbers(node.arguments["array"]).kept().count)


@ludeme("int", "arrayValue")
def _value(script: Script, node: Bound) -> str:
    numbers = script.numbers(node.arguments["array"]).kept()
    index = script.local("index", script.number(node.arguments["index"]))
    return f"({numbers.at(index)} if 0 <= {index} < {numbers.count} else -1)"


@ludeme("int", "count Value")
def _count_value(script: Script, node: Bound) -> str:
    numbers, wanted = script.numbers(node.arguments["in"]), script.local("wanted", script.number(node.arguments["of"]))
    total = script.out.fresh("total")
    script.line(f"{total} = 0")
    with numbers.each() as value, script.block(f"if {value} == {wanted}:"):
        script.line(f"{total} += 1")
    return total


def folded(script: Script, node: Bound, sign: str, start: str, empty: str) -> str:
    """All numbers of an array, joined by a sign or a function."""
    numbers, total = script.numbers(node.arguments["array"]), script.out.fresh("total")
    script.line(f"{total} = {start}")
    first = script.out.fresh("first")
    script.line(f"{first} = True")
    with numbers.each() as value:
        if sign in ("max", "min"):
            script.line(f"{total} = {value} if {first} else {sign}({total}, {value})")
        else:
            script.line(f"{total} = {total} {sign} {value}")
        script.line(f"{first} = False")
    return f"({empty} if {first} else {total})"


__all__ = ["Numbers", "append", "bound", "folded", "literal", "new", "room", "sites_of"]
