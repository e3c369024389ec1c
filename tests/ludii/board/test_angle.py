"""Angles, to the last bit."""

from math import atan2, pi, ulp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.ludii.board.angle import angle

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_an_angle_is_that_of_the_mathematics_library_or_next_to_it(dy, dx):
    assert abs(angle(dy, dx) - atan2(dy, dx)) <= 2 * ulp(pi)


@given(NUMBERS, NUMBERS)
def test_angles_are_symmetrical(dy, dx):
    assert angle(-dy, dx) == -angle(dy, dx)
    assert angle(2 * dy, 2 * dx) == pytest.approx(angle(dy, dx))


def test_the_axes_are_exact():
    assert [angle(dy, dx) for dy, dx in [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (-0.0, -1.0)]] == [
        0.0,
        pi / 2,
        pi,
        -pi / 2,
        -pi,
    ]
    assert angle(1e-30, -1.0) == pi
    assert angle(1.0, 1e-30) == pi / 2


@pytest.mark.parametrize(
    ("dy", "dx", "value"),
    [  # in each range of the arctangent
        (0.25, 1.0, 0.24497866312686414),
        (0.5, 1.0, 0.4636476090008061),
        (1.0, 1.0, 0.7853981633974483),
        (2.0, 1.0, 1.1071487177940904),
        (4.0, 1.0, 1.3258176636680326),
        (1e-10, 1.0, 1e-10),
        (-1.0, -1.0, -2.356194490192345),
        (1.0, -2.0, 2.677945044588987),
    ],
)
def test_angles_that_are_known(dy, dx, value):
    assert angle(dy, dx) == value


def test_the_last_bit_is_that_of_fdlibm():
    assert angle(1.0, 5.0) == 0.19739555984988078  # other libraries round to ..075
