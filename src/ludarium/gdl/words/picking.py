"""Lines of a kernel that draw one of the moves in some words.

A few words are in variables, and one of them is chosen without branches. Many would not fit into registers: each is listed in
memory as soon as it is known, and looked for in a block of them that is chosen without branches. In the word, the move is the
bit with so many set ones below it. Where the same moves are legal in every state, one is looked up by its number.
"""

from __future__ import annotations

from collections.abc import Sequence

Word = tuple[str, int]
"""The name of a variable, and the slot at which its moves begin."""

FEW = 8
"""Words of legal moves among which one is chosen without branches, and as many are in a block."""

_MOVES = 3  # in a word, from which one is taken by leaving out those before it


def lines_to_pick(role: int, words: Sequence[Word], widest: int) -> list[str]:
    """Lines that draw one of the moves in some words, with as many of them in a word at most, as its slot."""
    if len(words) > FEW:
        return _pick_listed(role, words)
    total = " + ".join(f"popcount({name})" for name, _ in words)
    lines = [f"count{role} = {total}", *_drawn(role)]
    texts = [words[0][0], str(words[0][1]), "0"]
    for k, (name, slot) in enumerate(words[1:]):
        before = f"e{role}_{k - 1} + " if k else ""
        lines.append(f"e{role}_{k} = {before}popcount({words[k][0]})")
        better = (name, str(slot), f"e{role}_{k}")
        texts = [f"({b} if n{role} >= e{role}_{k} else {text})" for b, text in zip(better, texts, strict=True)]
    if widest > _MOVES:
        return [*lines, f"s{role} = {texts[1]} + nth({texts[0]}, n{role} - {texts[2]})"]
    lines += [f"x{role} = {texts[0]}", f"y{role} = n{role} - {texts[2]}"]
    lines += [f"x{role} = x{role} & (x{role} - 1) if y{role} > {k} else x{role}" for k in range(widest - 1)]
    return [*lines, f"s{role} = {texts[1]} + ctz(x{role})"]


def lines_to_look_up(role: int, always: Sequence[int]) -> list[str]:
    """Lines that draw one of the moves that are always legal, given by their slots."""
    if len(always) == 1:
        return [f"count{role} = 1", f"s{role} = {always[0]}"]
    drawn = [f"count{role} = {len(always)}", f"n{role} = below(rng, {len(always)})"]
    if list(always) == list(range(always[0], always[0] + len(always))):  # so they need no table
        return [*drawn, f"s{role} = {always[0]} + n{role}"]
    return [*drawn, f"s{role} = i64(always{role}[n{role}])"]


def lines_to_list(role: int, number: int, word: Word) -> list[str]:
    """Lines that list one of many words, given by its number, when those before it have been listed."""
    name, slot = word
    lines = [f"e{role}_{number // FEW} = count{role}"] if number and number % FEW == 0 else []
    count = f"count{role} {'+=' if number else '='} popcount({name})"
    return [*lines, f"list{role}[{slot >> 6}] = {name}", count]


def _pick_listed(role: int, words: Sequence[Word]) -> list[str]:
    """Lines that draw one of the moves in words that have been listed."""
    first, before = str(words[0][1] >> 6), "0"
    for k, (_, slot) in enumerate(words[FEW::FEW], 1):
        first = f"({slot >> 6} if n{role} >= e{role}_{k} else {first})"
        before = f"(e{role}_{k} if n{role} >= e{role}_{k} else {before})"
    picked = f"picked(list{role}[k{role}:], n{role} - {before})"
    return [*_drawn(role), f"k{role} = {first}", f"s{role} = 64 * k{role} + {picked}"]


def _drawn(role: int) -> list[str]:
    """Lines that draw a number, if there is a choice."""
    lines = [f'assert count{role} > 0, "a role has no legal move"', f"n{role} = 0"]
    return [*lines, f"if count{role} > 1:", f"    n{role} = below(rng, count{role})"]
