"""Sets of sites: as words of bits, given by an expression for each word, so that sets are joined word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludarium.kernel import u64
from ludarium.ludii.board import SiteType

if TYPE_CHECKING:
    from ludarium.ludii.code.script import Script


@dataclass(frozen=True)
class Region:
    """A set of sites in a script."""

    script: Script
    word: Callable[[str], str]
    """The expression of the word with a number."""

    sites: tuple[int, ...] | None = None
    """The sites themselves, where they never change."""

    name: str = ""
    """The array that holds it, if it has one of its own."""

    def has(self, site: str) -> str:
        """Whether a site is in it; what is no site is in no region."""
        script = self.script
        if self.sites is not None:
            if site.lstrip("-").isdigit():
                return str(int(site) in self.sites)
            if not self.sites:
                return "False"
            if len(self.sites) == 1:
                return f"({site} == {self.sites[0]})"
        site = script.local("site", site)
        name = script.once(("in range",), lambda: _in_range(script))
        if script.layout.words == 1:
            return f"({name}(v, c, {site}) and ({self.word('0')} >> u64({site})) & u64(1) == u64(1))"
        return f"({name}(v, c, {site}) and ({self.word(f'({site} >> 6)')} >> u64({site} & 63)) & u64(1) == u64(1))"

    @contextmanager
    def each(self, hint: str = "site") -> Iterator[str]:
        """A loop over the sites in ascending order."""
        script = self.script
        name = script.out.fresh(hint)
        if self.sites is not None and len(self.sites) <= 1:
            with script.block(f"if {len(self.sites) == 1}:"):
                script.line(f"{name} = {self.sites[0] if self.sites else -1}")
                yield name
            return
        if self.sites is not None and self.sites[-1] - self.sites[0] == len(self.sites) - 1:
            with script.block(f"for {name} in range({self.sites[0]}, {self.sites[-1] + 1}):"):
                yield name
            return
        word, bits = script.out.fresh("k"), script.out.fresh("bits")
        with script.block(f"for {word} in range({script.layout.words}):"):
            script.line(f"{bits} = {self.word(word)}")
            with script.block(f"while {bits} != u64(0):"):
                script.line(f"{name} = {word} * 64 + i64(ctz({bits}))")
                script.line(f"{bits} &= {bits} - u64(1)")
                yield name

    @contextmanager
    def drawn(self, hint: str = "site") -> Iterator[str]:
        """A loop over the sites in a random order, each as likely as the others."""
        script = self.script
        left, name, rest = script.out.fresh("left"), script.out.fresh(hint), script.out.fresh("rest")
        script.line(f"{rest} = array(u64, {script.layout.words})")
        for k in range(script.layout.words):
            script.line(f"{rest}[{k}] = {self.word(str(k))}")
        script.line(f"{left} = " + " + ".join(f"i64(popcount({rest}[{k}]))" for k in range(script.layout.words)))
        with script.block(f"while {left} > 0:"):
            script.line(f"{name} = draw_site(rng, {rest}, {left})")
            script.line(f"{left} -= 1")
            yield name

    def count(self) -> str:
        """How many sites are in it."""
        if self.sites is not None:
            return str(len(self.sites))
        words = range(self.script.layout.words)
        return "(" + " + ".join(f"i64(popcount({self.word(str(k))}))" for k in words) + ")"

    def some(self) -> str:
        """Whether there is a site in it."""
        if self.sites is not None:
            return str(bool(self.sites))
        words = range(self.script.layout.words)
        return "((" + " | ".join(f"{self.word(str(k))}" for k in words) + ") != u64(0))"

    def first(self) -> str:
        """The lowest site, or -1."""
        if self.sites is not None:
            return str(min(self.sites, default=-1))
        found = self.script.out.fresh("first")
        self.script.line(f"{found} = -1")
        for k in reversed(range(self.script.layout.words)):
            with self.script.block(f"if {self.word(str(k))} != u64(0):"):
                self.script.line(f"{found} = {64 * k} + i64(ctz({self.word(str(k))}))")
        return found

    def kept(self) -> Region:
        """The same as it is now: what changes later does not change it."""
        if self.sites is not None:
            return self
        kept = blank(self.script)
        for k in range(self.script.layout.words):
            self.script.line(f"{kept.word(str(k))} = {self.word(str(k))}")
        return kept

    def __or__(self, other: Region) -> Region:
        if self.sites is not None and other.sites is not None:
            return fixed(self.script, {*self.sites, *other.sites})
        return Region(self.script, lambda k: f"({self.word(k)} | {other.word(k)})")

    def __and__(self, other: Region) -> Region:
        if self.sites is not None and other.sites is not None:
            return fixed(self.script, set(self.sites) & set(other.sites))
        return Region(self.script, lambda k: f"({self.word(k)} & {other.word(k)})")

    def __sub__(self, other: Region) -> Region:
        if self.sites is not None and other.sites is not None:
            return fixed(self.script, set(self.sites) - set(other.sites))
        return Region(self.script, lambda k: f"({self.word(k)} & ~{other.word(k)})")


def fixed(script: Script, sites: Iterable[int]) -> Region:
    """A set of sites that never changes."""
    found = tuple(sorted({site for site in sites if site >= 0}))
    if found and found[-1] >= script.layout.sites:
        raise script.model.wrong(script.model.root, f"there is no site {found[-1]}", f"there are {script.layout.sites}")
    words = [0] * script.layout.words
    for site in found:
        words[site >> 6] |= 1 << (site & 63)

    def word(k: str) -> str:
        if k.isdigit():
            return f"u64({words[int(k)]})"
        if len(set(words)) == 1:
            return f"u64({words[0]})"
        return f"{script.table(words, u64, 'sites')}[{k}]"

    return Region(script, word, found)


def blank(script: Script, hint: str = "region") -> Region:
    """An empty set in memory of its own, to be filled."""
    name = script.out.fresh(hint)
    script.line(f"{name} = array(u64, {script.layout.words})")
    return Region(script, lambda k: f"{name}[{k}]", name=name)


def single(script: Script, site: str) -> Region:
    """The set of one site; what is no site is left out."""
    if site.lstrip("-").isdigit():
        return fixed(script, [int(site)] if 0 <= int(site) < script.layout.sites else ())
    found = blank(script)
    put(found, site)
    return found


def chosen(script: Script, index: str, groups: Sequence[Iterable[int]]) -> Region:
    """One of several sets that never change, by its number; the empty set for any other number."""
    if index.lstrip("-").isdigit():
        return fixed(script, groups[int(index)] if 0 <= int(index) < len(groups) else ())
    words = range(script.layout.words)
    masks = [fixed(script, group).sites or () for group in (*groups, ())]
    bits = [sum(1 << (site & 63) for site in mask if site >> 6 == k) for mask in masks for k in words]
    table = script.table(bits, u64, "groups")
    index = script.local("index", index)
    row = script.local("row", f"({index} if 0 <= {index} < {len(groups)} else {len(groups)}) * {len(words)}")
    return Region(script, lambda k: f"{table}[{row} + {k}]" if k != "0" else f"{table}[{row}]")


def put(region: Region, site: str) -> None:
    """Write what puts a site into a set that is filled; what is no site is left out."""
    script = region.script
    site = script.local("site", site)
    name = script.once(("in range",), lambda: _in_range(script))
    word, bit = ("0", site) if script.layout.words == 1 else (f"({site} >> 6)", f"{site} & 63")
    with script.block(f"if {name}(v, c, {site}):"):
        script.line(f"{region.word(word)} |= u64(1) << u64({bit})")


def add_all(region: Region, other: Region) -> None:
    """Write what puts all sites of another set into a set that is filled."""
    for k in range(region.script.layout.words):
        region.script.line(f"{region.word(str(k))} |= {other.word(str(k))}")


def owned(script: Script, player: str, kind: SiteType | None = None) -> Region:
    """The sites of a type, or of the usual one, whose top piece belongs to a player."""
    layout = script.layout
    if kind and kind not in layout.types:  # where no rule puts anything
        return fixed(script, ())
    first = layout.words * layout.types.index(kind) if kind else 0
    row = f"{player} * {layout.spot_words}" + (f" + {first}" if first else "")
    return Region(script, lambda k: f"s.owned[{player if layout.spot_words == 1 else f'{row} + {k}'}]")


def occupied(script: Script, kind: SiteType | None = None) -> Region:
    """All sites with pieces."""
    found = owned(script, "0", kind)
    for player in range(1, script.layout.players + 2):
        found |= owned(script, str(player), kind)
    return found


def _in_range(script: Script) -> str:
    with script.kernel("is_site", "x: i64", "bool") as name:
        script.line(f"return 0 <= x < {script.layout.sites}")
    return name
