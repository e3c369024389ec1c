"""Moves in few words and in many: one is drawn as if all had been listed."""

from array import array
from random import Random

import pytest

from ludarium.core import Rng
from ludarium.gdl.words.moves import picked
from ludarium.gdl.words.picking import FEW, lines_to_list, lines_to_pick
from ludarium.kernel.generate import kernels

DRAWS = 300


def drawing(words, slots):
    """A kernel that draws moves from words, whose moves begin at the slots."""
    named = [(f"w{k}", slot) for k, slot in enumerate(slots)]
    lines = [f"    w{k} = u64({word})" for k, word in enumerate(words)]
    lines += [f"    list0 = array(u64, {slots[-1] // 64 + 1})", "    for draw in range(len(out)):"]
    if len(words) > FEW:
        lines += [f"        {line}" for k, word in enumerate(named) for line in lines_to_list(0, k, word)]
    lines += [f"        {line}" for line in lines_to_pick(0, named, max(word.bit_count() for word in words))]
    text = ["@kernel", "def draw(out: view[i64], rng: Stream) -> None:", *lines, "        out[draw] = s0"]
    return kernels("picking", "\n".join(text), {"picked": picked})["draw"]


@pytest.mark.parametrize("count", [1, 2, FEW, FEW + 1, 2 * FEW, 2 * FEW + 1, 5 * FEW + 3])
@pytest.mark.parametrize("apart", [64, 192])
def test_a_move_is_drawn_from_words_as_if_all_were_listed(count, apart):
    random = Random(count)
    words = [random.choice([0, 1 << random.randrange(64), random.getrandbits(64)]) for _ in range(count)]
    words[count // 2] |= 5
    slots = [apart * k for k in range(count)]
    moves = [slot + bit for word, slot in zip(words, slots, strict=True) for bit in range(64) if word >> bit & 1]
    out = array("q", bytes(8 * DRAWS))
    drawing(words, slots)(out, Rng(3))
    rng = Rng(3)
    assert list(out) == [moves[rng.below(len(moves))] for _ in range(DRAWS)]
