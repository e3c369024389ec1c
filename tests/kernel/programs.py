"""Random kernel programs as source text, the memory they run on, and a way to run them that shows all they did."""

import __future__

import itertools
import linecache
import math
import struct

import numpy as np

from ludarium.kernel import Record, array, f64, i8, i16, i32, i64, u8, u16, u32, u64


class Cell(Record):
    """Every width, and an array."""

    a: i8
    b: i16
    c: i32
    d: i64
    e: u8
    f: u16
    g: u32
    h: u64
    x: f64
    p: bool
    row = array(i16, 8)


class Mini(Record):
    """Integers only, so that it may be laid over bytes."""

    m: u16
    n: i32
    small = array(u8, 8)


class Pair(Record):
    """Records in a record, and an array of records."""

    left: Cell
    right: Mini
    minis = array(Mini, 4)


INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32")  # that are i64 once they are read
CODES = {
    "i8": "b",
    "i16": "h",
    "i32": "i",
    "i64": "q",
    "u8": "B",
    "u16": "H",
    "u32": "I",
    "u64": "Q",
    "f64": "d",
    "bool": "?",
}
CELL = dict(a="i8", b="i16", c="i32", d="i64", e="u8", f="u16", g="u32", h="u64", x="f64", p="bool")
LONG = 8  # elements in every view, so that `& 7` is a safe index
RAW = 40  # bytes to lay a record over

EDGES = (0, 1, -1, 2, 3, 7, 8, 63, 64, 127, 128, -128, -129, 255, 256, 32767, -32768, 65535, 2**31 - 1, -(2**31), 2**32)
FAR = (2**62, 2**63 - 1, -(2**63), -(2**63) + 1, 2**53 + 1)
FLOATS = (
    "0.0",
    "-0.0",
    "1.0",
    "0.5",
    "-2.5",
    "3.7",
    "1e300",
    "1e-320",
    "1e999",
    "-1e999",
    "9.3e18",
    "1.9e19",
    "-7e18",
    "255.9",
)

LIBRARY = """
WIDE = 2**63
SMALL = -3
RATIO = 0.375
FLAG = True
DIGITS = constant(u16, [3, 1, 4, 1, 5, 9, 2, 65535])
WAVES = constant(f64, [0, 1.5, -2, 1e300, -0.0, 7, 1e-9, 3])
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19)
LISTED = data("listed", i8, bytes([5, 250, 3, 128, 127, 0, 1, 9]))

class Kinds:
    NINE = 9
    LATE = 2**62
    FAR = -(2**63)
    WIDE = 2**64 - 1

@kernel
def bump(counters: view[i64], place: i64) -> i64:
    old = counters[place & 7] & 7
    counters[place & 7] = old + 1
    return old

@kernel
def first(listed: view[i8]) -> i8:
    return listed[0]

@kernel
def narrow(x: i8, y: u16) -> u8:
    return x ^ y

@kernel
def blend(x: f64, y: i32, up: bool) -> f64:
    if up:
        return x + y
    return x - y

@kernel
def fold(word: u64, by: i64) -> u64:
    return (word << (by & 63)) | (word >> (63 - (by & 63)))

@kernel
def total(cells: view[Cell], from_: i64) -> i64:
    done = 0
    for k in range(from_, len(cells)):
        done += cells[k].e
        cells[k].e = (cells[k].e + 1) & 255
    return done
"""

_NUMBER = itertools.count()


class Writer:
    """Writes one program; `pick(n)` decides everything. A `safe` one stays inside all arrays."""

    def __init__(self, pick, *, safe):
        self.pick, self.safe = pick, safe
        self.lines = []
        self.names = itertools.count()
        self.helpers = []

    def one(self, options):
        chosen = options[self.pick(len(options))]
        return chosen() if callable(chosen) else chosen

    def chance(self, of):
        return self.pick(of) == 0

    # Programs

    def program(self):
        for place in range(self.pick(3)):
            self.function(f"helper{place}", main=False)
            elements = [kind for kind, _ in self.views.values()]
            self.helpers.append((f"helper{place}", self.params, self.result, elements[:2]))
        self.function("main", main=True)
        return "\n".join(self.lines) + "\n"

    def function(self, name, *, main):
        self.params = [(f"p{k}", self.one((*INTEGERS, "u64", "f64", "bool"))) for k in range(1 + self.pick(4))]
        self.result = self.one((*INTEGERS, "u64", "f64", "bool"))
        self.views = {f"v{k}": (self.one((*INTEGERS, "u64", "f64", "bool")), LONG) for k in range(2)}
        self.locals = dict(self.params)
        self.fixed, self.anew = set(), set()
        self.records = {"cell": "Cell", "pair": "Pair"}
        self.loops = []
        self.depth = self.nested = 0
        given = [f"{n}: {k}" for n, k in self.params] + [f"{n}: view[{k}]" for n, (k, _) in self.views.items()]
        given += [
            "cell: Cell",
            "pair: Pair",
            "cells: view[Cell]",
            "raw: view[u8]",
            "counters: view[i64]",
            "out: buffer[i32]",
        ]
        self.lines.append("@kernel")
        self.lines.append(f"def {name}({', '.join(given)}) -> {self.result}:")
        self.indent = 1
        for _ in range(1 + self.pick(4)):
            self.new_local()
        self.block(4 if main else 2)
        self.put(f"return {self.of(self.result)}")

    def put(self, line):
        self.lines.append("    " * self.indent + line)

    # Statements

    def block(self, size):
        before = dict(self.locals), dict(self.views), dict(self.records)
        for _ in range(1 + self.pick(size)):
            self.statement()
        self.locals, self.views, self.records = before

    def statement(self):
        kinds = [self.assign, self.augment, self.assign, self.augment, self.new_local, self.new_reference, self.effect]
        if self.depth < 3:
            kinds += [self.branch, self.branch, self.count, self.repeat, self.switch]
        if self.loops:
            kinds += [self.leave]
        self.one(kinds)

    def inside(self, size):
        self.indent += 1
        self.depth += 1
        self.block(size)
        self.depth -= 1
        self.indent -= 1

    def new_local(self):
        kind, name = self.one((*INTEGERS, "u64", "f64", "bool")), f"x{next(self.names)}"
        value = self.of(kind)
        note = f": {kind}" if kind in INTEGERS or self.chance(2) else ""
        if kind in ("f64", "u64") and not note:
            value = f"{kind}({value})"
        if kind == "bool" and not note:
            value = f"bool({value})"
        self.put(f"{name}{note} = {value}")
        self.locals[name] = kind

    def new_reference(self):
        name, what = f"r{next(self.names)}", self.pick(8)
        if what == 0:
            kind = self.one(tuple(CODES))
            if self.chance(3):
                self.put(f"{name} = empty({kind}, {LONG})")
                self.put(f"for z{name} in range({LONG}):")
                self.put(f"    {name}[z{name}] = {'bool' if kind == 'bool' else kind}({self.pick(100)})")
            else:
                self.put(f"{name} = array({kind}, {LONG})")
            self.views[name] = (kind, LONG)
            if self.loops:
                self.anew.add(name)  # such an array can have no second name
        elif what == 1:
            self.put(f"{name} = {self.cell()}")
            self.records[name] = "Cell"
        elif what == 2:
            start = self.pick(RAW - Mini.size) if self.safe else self.pick(RAW)
            source = (lambda: f"pair.minis[{self.index(4)}]", "pair.right", f"Mini(raw[{start}:])")
            self.put(f"{name} = {self.one(source)}")
            self.records[name] = "Mini"
        elif what == 3 and not self.loops:
            self.put(f"{name} = Cell()")
            self.records[name] = "Cell"
        elif what == 4:
            self.put(
                f"{name}{self.one(('', ': view[i16]', ': buffer[i16]'))} = {self.one(('cell.row[:]', 'pair.left.row[:]'))}"
            )
            self.views[name] = ("i16", LONG)
        elif what == 5:
            kind = self.one(("i8", "u16", "i32", "u64", "bool")[:4])
            size = struct.calcsize(CODES[kind])
            start = self.pick(4)
            self.put(f"{name} = recast({kind}, raw[{start}:{start + 4 * size + self.pick(2)}])")
            self.views[name] = (kind, 4)
        else:
            old = self.one([view for view in self.views if view not in self.anew])
            kind, length = self.views[old]
            start = self.pick(length)
            stop = start + 1 + self.pick(length - start)
            low, high = (str(start), str(stop))
            if not self.safe and self.chance(4):
                low, high = self.small(), self.small()
            low = "" if start == 0 and self.chance(2) else low
            high = "" if stop == length and self.chance(2) else high
            self.put(f"{name} = {old}[{low}:{high}]")
            self.views[name] = (kind, stop - start)

    def assign(self):
        place, kind = self.place()
        self.put(f"{place} = {self.of(kind)}")

    def augment(self):
        place, kind = self.place()
        if kind == "bool":
            self.put(f"{place} {self.one('&|^')}= {self.boolean(2)}")
        elif kind == "f64":
            self.put(f"{place} {self.one('+-*/')}= {self.number(2)}")
        elif kind == "u64":
            op = self.one(("+", "-", "*", "&", "|", "^", "<<", ">>", "//", "%"))
            self.put(f"{place} {op}= {self.shift() if op in ('<<', '>>') else self.word(2)}")
        else:
            op = self.one(("+", "-", "*", "&", "|", "^", "<<", ">>", "//", "%"))
            self.put(f"{place} {op}= {self.shift() if op in ('<<', '>>') else self.small()}")

    def effect(self):
        what = self.pick(6)
        if what == 0:
            self.put(f"bump(counters, {self.integer(1)})")
        elif what == 1:
            self.put(f"assert {self.one(('True', lambda: self.boolean(2), '1'))}, 'as generated'")
        elif what == 2:
            self.put(f"copy({self.cell()}, {self.cell()})")
        elif what == 3:
            self.put(f"copy(raw[{self.pick(8)}:], raw[{8 + self.pick(8)}:])")
        elif what == 4:
            self.put(f"out[{self.index(LONG) if self.chance(2) else self.small()}] = {self.of('i32')}")
        else:
            self.put(self.call() or "pass")

    def branch(self):
        self.put(f"if {self.one(('FLAG', 'SMALL > 0', *[self.condition] * 6))}:")
        self.inside(2)
        if self.chance(2):
            self.put(f"elif {self.condition()}:")
            self.inside(2)
        if self.chance(2):
            self.put("else:")
            self.inside(2)

    def switch(self):
        wide = self.chance(4)
        self.put(
            f"match {self.one((lambda: f'({self.integer(2)}) & 7', lambda: self.integer(1))) if not wide else self.word(2)}:"
        )
        left = [*range(8), "Kinds.NINE", "Kinds.LATE", "16"]
        left += [2**63, "Kinds.WIDE"] if wide else [-1, -128, "Kinds.FAR"]
        self.indent += 1
        for _ in range(1 + self.pick(4)):
            taken = [left.pop(self.pick(len(left))) for _ in range(1 + self.pick(3))]
            self.put(f"case {' | '.join(map(str, taken))}:")
            self.inside(2)
        if self.chance(2):
            self.put("case _:")
            self.inside(2)
        self.indent -= 1

    def count(self):
        name = f"k{next(self.names)}"
        bound = f"{self.integer(1)} & 3"
        bounds = (
            bound,
            f"{self.small()}, 4",
            f"1, {bound}",
            f"{self.pick(5)}, -3, -{1 + self.pick(3)}",
            f"-2, {bound}, {1 + self.pick(4)}",
            "2**63 - 3, 2**63 - 1, 2",
            "-2**63 + 2, -2**63, -1",
        )
        self.put(f"for {name} in range({self.one(bounds) if len(self.loops) < 2 else self.pick(3)}):")
        if self.chance(8):
            self.indent += 1
            self.put("pass")
            self.indent -= 1
            return
        self.locals[name] = "i64"
        self.fixed.add(name)
        self.loops.append("for")
        self.inside(3)
        self.loops.pop()
        del self.locals[name]

    def repeat(self):
        fuel = f"n{next(self.names)}"
        self.put(f"{fuel} = 0")
        endless = self.chance(3)
        self.put("while True:" if endless else f"while {fuel} < {1 + self.pick(4)} and {self.boolean(2)}:")
        self.indent += 1
        self.put(f"{fuel} += 1")
        if endless:
            self.put(f"if {fuel} > {self.pick(4)} or {self.boolean(1)}:")
            self.indent += 1
            self.put("break")
            self.indent -= 1
        self.indent -= 1
        self.loops.append("while")
        self.inside(3)
        self.loops.pop()

    def leave(self):
        self.put(f"if {self.boolean(1)}:")
        self.indent += 1
        self.put(self.one(("break", "continue", lambda: f"return {self.of(self.result)}")))
        self.indent -= 1

    # Places

    def place(self):
        what = self.pick(8)
        names = [n for n in self.locals if n not in self.fixed]
        if what < 3 and names:
            name = self.one(names)
            return name, self.locals[name]
        if what < 5:
            view = self.one(tuple(self.views))
            kind, length = self.views[view]
            return f"{view}[{self.index(length)}]", kind
        if what == 5:
            return f"{self.cell()}.row[{self.index(8)}]", "i16"
        if what == 6:
            name = self.one([r for r, k in self.records.items() if k == "Mini"] or ["pair.right"])
            field = self.pick(3)
            return ((f"{name}.m", "u16"), (f"{name}.n", "i32"), (f"{name}.small[{self.index(8)}]", "u8"))[field]
        field = self.one(tuple(CELL))
        return f"{self.cell()}.{field}", CELL[field]

    def cell(self):
        names = [r for r, k in self.records.items() if k == "Cell"]
        return self.one((*names, "pair.left", lambda: f"cells[{self.index(4)}]"))

    def index(self, length):
        mask = max(m for m in (1, 2, 4, 8) if m <= length) - 1
        if self.nested > 2 or self.chance(2):
            return str(self.pick(length))
        self.nested += 1
        what = self.pick(10)
        if what < 2:
            made = f"bump(counters, {self.small()}) & {mask}"
        elif what < 4:
            made = f"u64({self.small()}) & {mask}"
        elif what < 6 and not self.safe:
            made = self.small()
        else:
            made = f"({self.integer(1)}) & {mask}"
        self.nested -= 1
        return made

    def small(self):
        """An integer that is seldom far from zero."""
        return self.one((str(self.one(EDGES[:8])), *self.named("i8", "u8"), lambda: f"({self.integer(1)} & 7)"))

    def shift(self):
        if self.safe or not self.chance(4):
            return f"({self.integer(1)} & 63)"
        return self.one((*self.named("i8", "u8"), f"({self.integer(0)} & 127)"))

    # Expressions: lists of texts and of functions that write one

    def of(self, kind):
        """An expression that may be stored as this type."""
        if kind in ("f64", "u64", "bool"):
            return {"f64": self.number, "u64": self.word, "bool": self.boolean}[kind](3)
        value = self.integer(3)
        how = self.pick(8)
        if kind == "i64" or how == 0:
            return value
        return f"{kind}({value})" if how < 6 else f"({value}) & 127"

    def named(self, *kinds):
        return [n for n, k in self.locals.items() if k in kinds]

    def stored(self, *kinds):
        """Ways to read an element or a field."""
        views = [(v, n) for v, (k, n) in self.views.items() if k in kinds]
        fields = [f for f, k in CELL.items() if k in kinds]
        made = [lambda: f"{self.cell()}.{self.one(fields)}"]
        if views:
            made.append(lambda: f"{(at := self.one(views))[0]}[{self.index(at[1])}]")
        return made

    def call(self, *results):
        fitting = [h for h in self.helpers if not results or h[2] in results]
        if not fitting or self.depth > 1 or len(self.loops) > 1:
            return ""
        name, params, _, wanted = self.one(fitting)
        given = [self.of(kind) for _, kind in params]
        for element in wanted:
            same = [v for v, (kind, n) in self.views.items() if kind == element and (n == LONG or not self.safe)]
            same += {"i64": ["counters"], "i16": ["cell.row"]}.get(element, [])
            if not same:
                return ""
            given.append(self.one(same))
        return f"{name}({', '.join(given)}, cell, pair, cells, raw, counters, out)"

    def integer(self, depth):
        if depth <= 0 or self.chance(5):
            literal = str(self.one(EDGES if not self.chance(4) else FAR))
            return self.one((literal, *self.named(*INTEGERS), "SMALL", *self.stored(*INTEGERS)))
        a = lambda: self.integer(depth - 1)
        test = lambda: self.condition(depth - 1)
        divisor = lambda: self.one(("2", "3", "8", "-1", "-5", "64", "1"))
        return self.one(
            (
                lambda: f"({a()} {self.one(('+', '-', '*', '&', '|', '^', '//', '%'))} {a()})",
                lambda: f"({a()} {self.one(('+', '-'))} {self.small()})",
                lambda: f"({a()} {self.one(('+', '-'))} {self.small()})",
                lambda: f"({a()} {self.one(('<<', '>>'))} {self.shift()})",
                lambda: f"({a()} // {divisor()})",
                lambda: f"({a()} % {divisor()})",
                lambda: f"{self.one('-~+')}({a()})",
                lambda: f"abs({a()})",
                lambda: f"{self.one(('min', 'max'))}({a()}, {a()}, {self.small()})",
                lambda: f"nth({self.word(1)}, {self.one((a, self.small))})",
                lambda: f"{self.one(('popcount', 'ctz', 'clz'))}({self.one((a, lambda: self.word(1)))})",
                lambda: (
                    f"{self.one(INTEGERS)}({self.one((a, lambda: self.number(1), lambda: self.word(1), lambda: self.boolean(1)))})"
                ),
                lambda: f"({a()} if {test()} else {a()})",
                lambda: f"({self.boolean(1)} + {a()})",
                lambda: f"len({self.one(tuple(self.views))})",
                lambda: f"{self.one(('DIGITS', 'PRIMES', 'LISTED', 'LISTED[:]'))}[{self.index(8)}]",
                lambda: f"first(LISTED[{self.pick(8)}:])",
                lambda: f"bump(counters, {a()})",
                lambda: f"narrow(i8({a()}), {a()} & 65535)",
                lambda: f"narrow({self.small()}, {self.small()} & 65535)",
                lambda: f"total(cells[{self.pick(4)}:], {self.pick(2)})" if self.chance(3) else a(),
                lambda: self.call(*INTEGERS) or a(),
            )
        )

    def word(self, depth):
        if depth <= 0 or self.chance(5):
            literal = f"u64({self.one((*EDGES, *FAR, 2**64 - 1, 2**63))})"
            return self.one((literal, *self.named("u64"), "u64(WIDE)", *self.stored("u64")))
        a = lambda: self.word(depth - 1)
        sign = lambda: self.one(("+", "-", "*", "&", "|", "^", "//", "%"))
        return self.one(
            (
                lambda: f"({a()} {sign()} {self.one((a, str(1 + self.pick(9)), 'WIDE'))})",
                lambda: f"({a()} {self.one(('<<', '>>'))} {self.shift()})",
                lambda: f"{self.one('-~+')}({a()})",
                lambda: f"{self.one(('min', 'max'))}({a()}, {a()})",
                lambda: f"mulhi({a()}, {a()})",
                lambda: f"u64({self.one((lambda: self.integer(1), lambda: self.number(1), lambda: self.boolean(1)))})",
                lambda: f"({a()} if {self.condition(depth - 1)} else {self.one((a, '5'))})",
                lambda: f"abs({a()})",
                lambda: f"fold({a()}, {self.integer(1)})",
                lambda: self.call("u64") or a(),
            )
        )

    def number(self, depth):
        if depth <= 0 or self.chance(5):
            return self.one((self.one(FLOATS), *self.named("f64"), "RATIO", *self.stored("f64")))
        a = lambda: self.number(depth - 1)
        return self.one(
            (
                lambda: f"({a()} {self.one('+-*/')} {a()})",
                lambda: f"({a()} {self.one('+-*/')} {self.small()})",
                lambda: f"(f64({self.small()}) / f64({self.integer(1)}))",
                lambda: f"-({a()})",
                lambda: f"abs({a()})",
                lambda: f"{self.one(('min', 'max'))}({a()}, {a()})",
                lambda: f"{self.one(('log', 'sqrt', 'exp', 'tanh', 'sin', 'cos', 'floor'))}({a()})",
                lambda: f"f64({self.one((lambda: self.integer(1), lambda: self.word(1), lambda: self.boolean(1)))})",
                lambda: f"({a()} if {self.condition(depth - 1)} else {self.one((a, '2'))})",
                lambda: f"WAVES[{self.index(8)}]",
                lambda: f"blend({a()}, {self.small()}, {self.boolean(1)})",
                lambda: self.call("f64") or a(),
            )
        )

    def boolean(self, depth):
        if depth <= 0 or self.chance(6):
            return self.one(("True", "False", *self.named("bool"), *self.stored("bool")))
        test = lambda: self.one(("==", "!=", "<", "<=", ">", ">="))
        a = lambda: self.boolean(depth - 1)
        n, w, x = (lambda: self.integer(depth - 1)), (lambda: self.word(depth - 1)), (lambda: self.number(depth - 1))
        return self.one(
            (
                lambda: f"({n()} {test()} {n()})",
                lambda: f"({w()} {test()} {self.one((w, '3'))})",
                lambda: f"({x()} {test()} {self.one((x, self.small))})",
                lambda: f"({n()} {test()} {n()} {test()} {n()})",
                lambda: f"({self.small()} < bump(counters, {self.small()}) {test()} {x()})",
                lambda: f"({a()} {self.one(('and', 'or'))} {a()})",
                lambda: f"({a()} and {a()} or {a()})",
                lambda: f"({a()} {self.one(('&', '|', '^', '==', '!='))} {a()})",
                lambda: f"(not {self.condition(depth - 1)})",
                lambda: f"bool({self.one((n, w, x))})",
                lambda: f"({a()} if {a()} else {a()})",
                lambda: self.call("bool") or a(),
            )
        )

    def condition(self, depth=2):
        more = min(depth, 1)
        return self.one((*[lambda: self.boolean(depth)] * 2, lambda: self.integer(more), lambda: self.number(more)))


def module(text):
    """The names of a program, its source readable as if it came from a file."""
    name = f"<program {next(_NUMBER)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = {"Cell": Cell, "Mini": Mini, "Pair": Pair, "__name__": "program"}
    exec("from ludarium.kernel import *", scope)
    exec(compile(text, name, "exec", __future__.annotations.compiler_flag, dont_inherit=True), scope)
    return scope


def forget(scope):
    """Drop the source again."""
    linecache.cache.pop(scope["main"].function.__code__.co_filename, None)


def numbers(random, kind, count):
    """Numbers of a type, among them its extremes."""
    if kind == "f64":
        choices = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            2.5,
            math.inf,
            -math.inf,
            math.nan,
            1e300,
            -1e-310,
            1e19,
            -1e19,
            random.uniform(-9, 9),
        ]
        return [random.choice(choices) for _ in range(count)]
    if kind == "bool":
        return [random.random() < 0.5 for _ in range(count)]
    bits = 8 * struct.calcsize(CODES[kind])
    low, high = (0, 2**bits - 1) if kind[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    near = [n for n in (0, 1, 2, 3, 5, -1, -4) if low <= n <= high]
    return [random.choice((*near, *near, low, high, random.randint(low, high))) for _ in range(count)]


class Memory:
    """The arguments of `main`, made afresh for every run."""

    def __init__(self, main, random):
        self.values = []
        for name, kind in main.signature[0]:
            if name[0] == "p" and name != "pair":
                self.values.append((kind.name, numbers(random, kind.name, 1)[0]))
            elif name[0] == "v" or name in ("out", "counters", "raw"):
                element = kind.element.name
                self.values.append(
                    (element, np.array(numbers(random, element, RAW if name == "raw" else LONG), self.dtype(element)))
                )
            else:
                size = {"cell": Cell.size, "pair": Pair.size, "cells": 4 * Cell.size}[name]
                block = bytearray(random.randbytes(size))
                for at in range(0, size - Cell.size + 1, Cell.size):
                    if name != "pair" or at == 0:
                        self.tidy(Cell(memoryview(block)[at : at + Cell.size]), random)
                self.values.append(("block", block))

    @staticmethod
    def dtype(element):
        return {"f64": "f8", "bool": "?"}.get(element) or f"{element[0]}{int(element[1:]) // 8}"

    @staticmethod
    def tidy(cell, random):
        for field, kind in CELL.items():
            setattr(cell, field, numbers(random, kind, 1)[0])

    def fresh(self):
        """Arguments, and a function that shows what became of them."""
        given = [v.copy() if k == "block" or isinstance(v, np.ndarray) else v for k, v in self.values]

        def shown():
            out = []
            for (kind, _), value in zip(self.values, given, strict=True):
                if kind == "f64" and isinstance(value, np.ndarray):
                    out.append(same_nan(value).tobytes())
                elif kind == "block":
                    block = bytearray(value)
                    for cell in self.cells(block):
                        if math.isnan(cell.x):
                            cell.x = math.nan
                    out.append(bytes(block))
                elif isinstance(value, np.ndarray):
                    out.append(value.tobytes())
            return out

        return given, shown

    @staticmethod
    def cells(block):
        if len(block) == Pair.size:
            return [Pair(block).left]
        return [Cell(memoryview(block)[at : at + Cell.size]) for at in range(0, len(block), Cell.size)]


def same_nan(values):
    values = values.copy()
    values[np.isnan(values)] = np.nan
    return values


def outcome(call, memory):
    """What a run gives: its result or the type of its exception, and all memory."""
    given, shown = memory.fresh()
    try:
        result = call(*given)
    except (ArithmeticError, IndexError, AssertionError) as problem:
        result = type(problem)
    if isinstance(result, float):
        result = "nan" if math.isnan(result) else struct.pack("d", result)
    return type(result), result, shown()
