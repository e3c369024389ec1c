import copy
import itertools
import pickle
from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.core import BadParameter, Rng
from ludarium.core.rng import splitmix64

seeds = st.integers(0, 2**64 - 1)


def drawn(rng, count=8):
    return [rng.next() for _ in range(count)]


def with_words(*words):
    rng = Rng(0)
    rng.words[:] = array("Q", words)
    return rng


def scripted(*outputs):
    """An Rng whose next outputs are given."""

    class Scripted(Rng):
        __slots__ = ()

        def next(self):
            return outputs_left.pop(0)

    outputs_left = list(outputs)
    return Scripted(0), outputs_left


def test_splitmix64_gives_the_published_numbers():
    assert list(itertools.islice(splitmix64(1234567), 5)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_xoshiro256starstar_gives_the_published_numbers():
    assert drawn(with_words(1, 2, 3, 4), 10) == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_the_seed_is_spread_over_the_words_by_splitmix64():
    assert list(Rng(1234567).words) == list(itertools.islice(splitmix64(1234567), 4))


def test_the_words_stay_where_they_are_in_memory():
    rng = Rng(1)
    words, address = rng.words, rng.words.buffer_info()
    drawn(rng, 100)
    assert rng.words is words
    assert rng.words.buffer_info() == address
    assert (words.typecode, words.itemsize, len(words)) == ("Q", 8, 4)


@given(seeds)
def test_the_same_seed_gives_the_same_stream(seed):
    assert drawn(Rng(seed)) == drawn(Rng(seed))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_an_error_and_not_another_seed(seed):
    with pytest.raises(BadParameter, match=r"from 0 to 2\*\*64 - 1"):
        Rng(seed)


@given(seeds, st.integers(1, 2**64 - 1))
def test_below_stays_in_range(seed, n):
    rng = Rng(seed)
    assert all(0 <= rng.below(n) < n for _ in range(20))


@given(seeds, st.integers(0, 63))
def test_below_a_power_of_two_takes_the_top_bits(seed, bits):
    rng, twin = Rng(seed), Rng(seed)
    assert [rng.below(2**bits) for _ in range(8)] == [twin.next() >> (64 - bits) for _ in range(8)]


@pytest.mark.parametrize("n", [0, -1, 2**64])
def test_below_nothing_is_an_error(n):
    with pytest.raises(ValueError, match="below"):
        Rng(0).below(n)


def test_below_draws_again_where_a_plain_multiplication_would_be_biased():
    rng, left = scripted(0, 1, 99)  # for n = 3 the output 0 is the one too many: 2**64 % 3 == 1
    assert rng.below(3) == 0
    assert left == [99]


def test_below_does_not_draw_again_for_a_power_of_two():
    rng, left = scripted(0, 99)
    assert rng.below(4) == 0
    assert left == [99]


@pytest.mark.parametrize("n", [3, 2**63 + 1, 3 * 2**62])
def test_rejection_is_exactly_as_frequent_as_unbiasedness_asks(n):
    # 2**64 outputs fall into n classes of floor(2**64 / n), the rest must be rejected; the low half of the
    # product is small at the lower edge of each class, so the edges decide.
    threshold = 2**64 % n
    for value in {0, 1, n // 2, n - 1}:
        first = -(-(value << 64) // n)  # the least output whose product has this high half
        for x in [x for x in range(first, first + 3) if x * n >> 64 == value]:
            kept = x * n % 2**64 >= threshold
            rng, left = scripted(x, 2**64 - 1)
            assert rng.below(n) == (value if kept else n - 1)
            assert len(left) == (1 if kept else 0)


@pytest.mark.statistical
@given(seeds, st.integers(2, 12))
def test_below_is_even(seed, n):
    """Each count is within 7 standard deviations: a false alarm in fewer than 1 of 10^8 runs, and seeded."""
    draws = 1000
    rng = Rng(seed)
    counts = Counter(rng.below(n) for _ in range(draws))
    deviation = (draws * (1 / n) * (1 - 1 / n)) ** 0.5
    assert all(abs(counts[value] - draws / n) < 7 * deviation for value in range(n))


@given(seeds)
def test_uniform_is_at_least_0_and_below_1(seed):
    rng = Rng(seed)
    assert all(0.0 <= rng.uniform() < 1.0 for _ in range(20))


def test_uniform_is_a_multiple_of_two_to_the_minus_53():
    assert scripted(2**64 - 1)[0].uniform() == 1 - 2.0**-53
    assert scripted(2**11)[0].uniform() == 2.0**-53
    assert scripted(2**11 - 1)[0].uniform() == 0.0


@given(seeds, st.lists(st.integers()))
def test_shuffle_keeps_the_items(seed, items):
    shuffled = list(items)
    Rng(seed).shuffle(shuffled)
    assert Counter(shuffled) == Counter(items)


@pytest.mark.statistical
def test_shuffle_makes_every_order_equally_often():
    """Counts of 24 orders within 6 standard deviations of 500: a false alarm in about 1 of 10^7 seeds."""
    rng = Rng(5)
    counts = Counter()
    for _ in range(12000):
        items = [1, 2, 3, 4]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 24
    assert all(abs(count - 500) < 6 * 22 for count in counts.values())


@given(seeds, st.lists(st.integers(), min_size=1))
def test_choice_is_one_of_the_items(seed, items):
    assert Rng(seed).choice(items) in items


def test_choice_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        Rng(0).choice([])


def test_a_split_costs_one_draw_and_is_seeded_with_it():
    rng, twin = Rng(3), Rng(3)
    child = rng.split()
    assert drawn(child) == drawn(Rng(twin.next()))
    assert drawn(rng) == drawn(twin)


@pytest.mark.parametrize(
    "twin_of",
    [Rng.copy, copy.copy, copy.deepcopy, lambda rng: pickle.loads(pickle.dumps(rng))],
    ids=["copy", "copy.copy", "copy.deepcopy", "pickle"],
)
def test_a_copy_continues_alike_and_apart(twin_of):
    rng = Rng(3)
    drawn(rng, 5)
    twin = twin_of(rng)
    expected = drawn(rng)
    assert drawn(twin) == expected


def test_keyed_streams_are_the_same_on_every_platform():
    assert drawn(Rng.keyed(7, "match", 3), 2) == [4757588661094914687, 13601276480270725484]


def test_keyed_streams_differ_by_every_key():
    keys = [(), (1,), (2,), ("1",), (1, 1), (11,), ("1", "1"), ("11",), (-1,), (1, ""), (2**100,)]
    first = [Rng.keyed(seed, *key).next() for seed in (0, 1) for key in keys]
    assert len(set(first)) == len(first)


def test_a_look_at_the_rng_does_not_advance_it():
    rng = with_words(1, 2, 3, 4)
    assert repr(rng) == "<Rng 0000000000000001 0000000000000002 0000000000000003 0000000000000004>"
    assert rng.next() == 11520
