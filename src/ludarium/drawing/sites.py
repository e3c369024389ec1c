"""Which sites of a picture a move is made on: those that its text names, in their order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from html import unescape

Steps = tuple[tuple[str, ...], ...]
"""What to click on, one after the other; of each step any of its sites will do. Nothing for moves that have no place."""

_SITE = re.compile(r'data-site="([^"]*)"')
_WORD = re.compile(r"[^\s()]+")
_SQUARE = re.compile(r"[a-z]\d{1,2}")


def sites_in(svg: str) -> frozenset[str]:
    """The names of the sites in a picture."""
    return frozenset(unescape(each) for each in _SITE.findall(svg))


def click_steps(text: str, sites: Iterable[str]) -> Steps:
    """Find the sites that the text of a move names.

    A site of one of several boards is called after its board; a move that does not say which board is made on any. A move
    that names a column alone is made anywhere in it.

    >>> click_steps("b1-b2", {"a1", "b1", "b2"}), click_steps("(mark 1 2)", {"left 1 2", "right 1 2"})
    ((('b1',), ('b2',)), (('left 1 2', 'right 1 2'),))
    >>> click_steps("a", {"a1", "a2", "b1"}), click_steps("pass", {"a1"})
    ((('a1', 'a2'),), ())
    """
    known = frozenset(sites)
    if text in known:
        return ((text,),)
    words = _WORD.findall(text)
    called = _called(known)
    found: list[tuple[str, ...]] = []
    at = 0
    while at < len(words):
        pair = " ".join(words[at : at + 2])
        if at + 1 < len(words) and pair in called:
            found.append(_on(called[pair], words))
            at += 2
            continue
        if words[at] in called:
            found.append(_on(called[words[at]], words))
        else:
            found += [_on(called[each], words) for each in _SQUARE.findall(words[at]) if each in called]
        at += 1
    return tuple(found) or _column(words, known)


@lru_cache(maxsize=64)
def _called(sites: frozenset[str]) -> dict[str, list[str]]:
    """Sites by what moves may call them: with the title of their board, and without; two numbers stay together."""
    found: dict[str, list[str]] = defaultdict(list)
    for site in sorted(sites):
        words = site.split(" ")
        shortest = 2 if words[-1].isdecimal() and len(words) > 1 and words[-2].isdecimal() else 1
        for begin in range(len(words) - shortest + 1):
            found[" ".join(words[begin:])].append(site)
    return dict(found)


def _on(sites: list[str], words: list[str]) -> tuple[str, ...]:
    """Of sites on several boards, those on the board that is named, if one is."""
    named = [site for site in sites if any(title in words for title in site.split(" ")[:-1] if not title.isdecimal())]
    return tuple(named or sites)


def _column(words: list[str], sites: frozenset[str]) -> Steps:
    if not words or len(words) > 2:
        return ()
    column = words[-1]
    in_it = [site for site in sites if (parts := _split(site)) and parts[0] == column]
    return (tuple(sorted(in_it)),) if in_it else ()


def _split(site: str) -> tuple[str, str] | None:
    match = re.fullmatch(r"([a-z])(\d+)|(\d+) (\d+)", site)
    return (match[1] or match[3], match[2] or match[4]) if match else None
