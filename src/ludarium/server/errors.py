"""What can go wrong between a server and those who ask it, each with the code that HTTP has for it."""

from ludarium.core import LudariumError


class Refused(LudariumError):
    """A request that cannot be granted as it is."""

    status = 400


class Unknown(Refused):
    """There is nothing by that name."""

    status = 404


class Late(Refused):
    """The match has gone on, or ended, since."""

    status = 409


class Forbidden(Refused):
    """Whoever asks may not do or see that."""

    status = 403


class Full(Refused):
    """The server has as much as it holds."""

    status = 503


class TooLarge(Refused):
    """More than the server takes."""

    status = 413
