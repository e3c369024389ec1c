"""The angle of a direction, to the last bit as Java has it.

Where two steps lead in the same direction, or one lies between two sectors of the compass, the last bit of an angle decides which
comes first and what it is called. Java takes its arctangent from fdlibm; the usual mathematics library rounds one angle in six to
another number.

fdlibm: Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this
software is freely granted, provided that this notice is preserved.
"""

from __future__ import annotations

from math import copysign, frexp, pi

_ODD = (
    3.33333333333329318027e-01,
    1.42857142725034663711e-01,
    9.09088713343650656196e-02,
    6.66107313738753120669e-02,
    4.97687799461593236017e-02,
    1.62858201153657823623e-02,
)
_EVEN = (
    -1.99999999998764832476e-01,
    -1.11111104054623557880e-01,
    -7.69187620504482999495e-02,
    -5.83357013379057348645e-02,
    -3.65315727442169155270e-02,
)
_KNOWN = (  # arctangents of 1/2, 1, 3/2 and infinity, and what is missing to them
    (4.63647609000806093515e-01, 2.26987774529616870924e-17),
    (7.85398163397448278999e-01, 3.06161699786838301793e-17),
    (9.82793723247329054082e-01, 1.39033110312309984516e-17),
    (1.57079632679489655800e00, 6.12323399573676603587e-17),
)
_REST = 1.2246467991473531772e-16  # what is missing to pi
_FAR = 60  # exponents this far apart make a direction one of the axes
_TINY = 2.0**-29


def angle(dy: float, dx: float) -> float:
    """The angle of a vector, counter-clockwise from the east: from -pi to pi.

    >>> angle(1, 1), angle(0, -1), angle(-2, 0), angle(0.0, 0.0)
    (0.7853981633974483, 3.141592653589793, -1.5707963267948966, 0.0)
    """
    west = copysign(1.0, dx) < 0
    if dy == 0:
        return copysign(pi, dy) if west else dy
    if dx == 0:
        return copysign(pi / 2, dy)
    steep = frexp(dy)[1] - frexp(dx)[1]
    if steep > _FAR:
        acute = pi / 2
    elif west and steep < -_FAR:
        acute = 0.0
    else:
        acute = _arctangent(abs(dy / dx))
    return copysign(pi - (acute - _REST) if west else acute, dy)


def _arctangent(x: float) -> float:
    """Of a number that is not negative: by a polynomial, near the known value that is nearest."""
    if x < 0.4375:
        return x if x < _TINY else x - x * _series(x)
    if x < 0.6875:
        at, x = 0, (2.0 * x - 1.0) / (2.0 + x)
    elif x < 1.1875:
        at, x = 1, (x - 1.0) / (x + 1.0)
    elif x < 2.4375:
        at, x = 2, (x - 1.5) / (1.0 + 1.5 * x)
    else:
        at, x = 3, -1.0 / x
    value, missing = _KNOWN[at]
    return value - ((x * _series(x) - missing) - x)


def _series(x: float) -> float:
    z = x * x
    w = z * z
    a, b, c, d, e, f = _ODD
    odd = z * (a + w * (b + w * (c + w * (d + w * (e + w * f)))))
    a, b, c, d, e = _EVEN
    return odd + w * (a + w * (b + w * (c + w * (d + w * e))))
