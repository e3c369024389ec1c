"""Blocks of rows, in text: the words that a loop goes through, and those that conditions cut them down with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludarium.gdl.joins.code.blocks import Blocks, open_columns, words_of
from ludarium.gdl.joins.code.body import Body, Context, plus, unpacked
from ludarium.gdl.joins.code.loops import Loops
from ludarium.gdl.joins.code.steps import JoinStep, Query, Source
from ludarium.gdl.joins.code.store import Value, space, weighted
from ludarium.gdl.joins.rules.columns import Column


@dataclass
class Lane:
    """A word whose bits are rows of a block, as it is being written."""

    loop: JoinStep
    columns: Sequence[Column]
    word: str
    """The local that it is in."""

    number: str
    """Which word of the block it is, if there are several."""

    @property
    def first(self) -> str:
        """What is added to the number of a bit."""
        return f"({self.number} << 6) + " if self.number else ""


class Lanes(Loops):
    """Writes looks at blocks."""

    @property
    def blocks(self) -> Blocks:
        """What tells which tests are looks at words."""
        return self.planner.blocks

    def begin_block(self, step: JoinStep, body: Body, context: Context) -> Lane:
        """Begin with the words of a loop, each in a local; those without a row are passed over."""
        atom = step.atom
        assert atom
        lane = Lane(step, self.blocks.inside(step), body.fresh("b"), "")
        given = tuple(k for k, mode in enumerate(step.modes) if mode == "b")
        values, guard = self.values(atom, given, body)
        body.require(guard)
        before = open_columns(step, self.planner.source(atom))[: -len(step.block)]
        if any(step.modes[k] != "b" for k in before):
            self._all_words(step, lane, before, dict(zip(given, values, strict=True)), body, context)
            return lane
        if words_of(lane.columns) > 1:
            text = self._word_of(step, replace(lane, number="{}"), body, context)
            lane.number = body.fresh("k")
            body.loop(f"for {lane.number} in range({words_of(lane.columns)}):")
            text = text.format(lane.number)
        else:
            text = self._word_of(step, lane, body, context)
        self._take(lane, text, body)
        return lane

    def _take(self, lane: Lane, text: str, body: Body) -> None:
        body.line(f"{lane.word} = {text}")
        body.require(f"{lane.word} != 0")
        self.count(f"popcount({lane.word})", body)

    def _all_words(
        self,
        step: JoinStep,
        lane: Lane,
        before: Sequence[int],
        known: dict[int, Value],
        body: Body,
        context: Context,
    ) -> None:
        """Begin a loop over all words, one for all values of the columns before the block."""
        atom = step.atom
        assert atom
        own = self.columns.columns[atom.relation]
        k, first, heads = body.fresh("k"), body.fresh("s"), 0
        if self.planner.source(atom) is Source.STATE:
            bits = self.store.bits(atom.relation, tuple(known))
            start = weighted([own[k] for k in known], list(known.values()), bits.stride // 64)
            body.line(f"{first} = {plus(start, bits.offset)}")
            array = "w.facts"
        else:
            query = Query(atom.relation, step.asked)
            array, heads = "w.pool", self.heads(query)
            body.line(f"{first} = {self._call(query, [known[k] for k in self.given(query)], context)}")
        if heads:
            used, part = body.fresh("b"), k
            k = body.fresh("k")
            body.loop(f"for {part} in range({heads}):")
            body.line(f"{used} = w.pool[{first} + {part}]")
            body.loop(f"while {used} != 0:")
            body.line(f"{k} = ({part} << 6) + ctz({used})")
            body.line(f"{used} &= {used} - 1")
        else:
            body.loop(f"for {k} in range({space([own[k] for k in before])}):")
        self._take(lane, f"{array}[{_sum(first, str(heads))} + {k}]", body)
        for column, value in zip(before, unpacked(k, [own[k] for k in before]), strict=True):
            if step.modes[column] == "f":
                self._bind(atom, [column], [value], body)
            elif step.modes[column] == "b":
                body.require(f"{value} == {self.value(atom.args[column], own[column], body)}")

    def _word_of(self, step: JoinStep, lane: Lane, body: Body, context: Context) -> str:
        """The word of a condition whose other columns are all known, as an expression; with a line for what is asked."""
        atom = step.atom
        assert atom
        source, own, block = self.planner.source(atom), self.columns.columns[atom.relation], lane.loop.block
        given = tuple(k for k, x in enumerate(atom.args) if step.modes[k] == "b" and x not in block)
        values, _ = self.values(atom, given, body)
        columns = [own[k] for k in given]
        words, number = words_of(lane.columns), lane.number
        if source is Source.FIXED:
            spots = tuple(tuple(k for k, x in enumerate(atom.args) if x == v) for v in block)
            table = self.store.lanes(atom.relation, given, spots, tuple(lane.columns))
            return f"{table}[{_sum(weighted(columns, values, words), number)}]"
        if source is Source.STATE:
            bits = self.store.bits(atom.relation, given)
            if bits.inside:
                return self._word(bits, columns, values, atom.relation)
            return f"w.facts[{_sum(plus(weighted(columns, values, bits.stride // 64), bits.offset), number)}]"
        query, known = Query(atom.relation, step.asked), dict(zip(given, values, strict=True))
        place, heads = body.fresh("p"), self.heads(query)
        body.line(f"{place} = {self._call(query, [known[k] for k in self.given(query)], context)}")
        before = [k for k, mode in enumerate(step.asked) if mode == "f"][: -len(block)]
        return self._part(place, [own[k] for k in before], [known[k] for k in before], lane, heads)

    def _part(self, place: str, before: Sequence[Column], values: Sequence[Value], lane: Lane, heads: int) -> str:
        """A word of an answer, by the values of the columns before its block."""
        size = space(lane.columns)
        if before and size < 64:
            code = weighted(before, values, size)
            at = f"(({code}) >> 6)"
            word = f"far(w, {place}, {heads}, {at})" if heads else f"w.pool[{place} + {at}]"
            return f"(({word} >> (({code}) & 63)) & {(1 << size) - 1:#x})"
        at = _sum(weighted(before, values, size // 64) if before else "0", lane.number)
        return f"far(w, {place}, {heads}, {at})" if heads else f"w.pool[{_sum(place, at)}]"

    def cut(self, step: JoinStep, lane: Lane, body: Body, context: Context) -> None:
        """Leave those rows of a word that a condition holds for."""
        atom = step.atom
        assert atom
        given = tuple(k for k, x in enumerate(atom.args) if step.modes[k] == "b" and x not in lane.loop.block)
        _, guard = self.values(atom, given, body)
        if not atom.negative:
            body.require(guard)
            body.line(f"{lane.word} &= {self._word_of(step, lane, body, context)}")
        elif guard != "False":
            if guard != "True":
                body.line(f"if {guard}:")
                body.depth += 1
            body.line(f"{lane.word} &= ~{self._word_of(step, lane, body, context)}")
            body.depth -= guard != "True"

    def each_row(self, lane: Lane, body: Body) -> None:
        """Begin a loop over the rows that are left of a word."""
        atom = lane.loop.atom
        assert atom
        c = body.fresh("c")
        body.loop(f"while {lane.word} != 0:")
        body.line(f"{c} = {lane.first}ctz({lane.word})")
        body.line(f"{lane.word} &= {lane.word} - 1")
        for variable, text in zip(lane.loop.block, unpacked(c, lane.columns), strict=True):
            self._bind(atom, [atom.args.index(variable)], [text], body)

    def take_word(self, query: Query, values: Sequence[Value], lane: Lane) -> str:
        """Take all rows of a word into an answer; of columns before those of the block, the values are given."""
        before, size, heads = self.wanted(query)[: -len(lane.columns)], space(lane.columns), self.heads(query)
        word = lane.word
        if before and size < 64:
            code = weighted(before, values, size)
            at, word = f"(({code}) >> 6)", f"{word} << (({code}) & 63)"
        else:
            at = _sum(weighted(before, values, size // 64) if before else "0", lane.number)
        return f"add_word(w, place, {heads}, {at}, {word})" if heads else f"w.pool[{_sum('place', at)}] |= {word}"


def _sum(text: str, more: str) -> str:
    if more in ("", "0"):
        return text
    return more if text == "0" else f"{text} + {more}"
