from ludarium.evaluate.sheet import split


def test_masks_are_split_into_words():
    assert list(split(0)) == []
    assert list(split(1 | 1 << 63 | 5 << 128)) == [(0, 1 | 1 << 63), (2, 5)]
