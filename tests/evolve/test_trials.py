"""What a player is worth against random judgement."""

import numpy as np
import pytest

from ludarium.evolve.trials import Trial


@pytest.mark.parametrize(
    ("scores", "random", "p"),
    [
        ([1, 1, 1], [0, 0, 0], 2 / 20),  # of the 20 ways to deal three wins out, two part them so far
        ([1] * 5, [0] * 4, 2 / 126),
        ([1, 1, 1], [1, 1, 1], 1.0),
        ([1, 1, 0, 1], [0, 1, 0, 0], 0.2070),
    ],
)
def test_few_matches_never_prove_anything_for_certain(scores, random, p):
    assert Trial(np.array(scores, float), np.array(random, float)).p == pytest.approx(p, abs=1e-4)
