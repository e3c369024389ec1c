import pytest

from ludarium import game
from ludarium.core import BadParameter, UnknownName
from ludarium.hidden import Enumeration, Replay, determinizer
from ludarium.hidden.auto import ReplayOrWalk


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("replay", Replay()),
        (" replay ( pool = 5 , tries = 7 ) ", Replay(pool=5, tries=7)),
        ("enumeration(limit=9)", Enumeration(limit=9)),
        (Replay(pool=3), Replay(pool=3)),
    ],
)
def test_determinizers_are_made_by_name(spec, made):
    assert determinizer(spec) == made


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("replays", "unknown determinizer 'replays': did you mean 'replay'?"),
        ("replay(size=3)", "determinizer 'replay' has no parameter 'size'; it has pool, tries"),
        ("replay(pool=", "cannot read determinizer 'replay(pool='"),
        ("replay(3)", "cannot read determinizer"),
        ("replay(pool=x)", "replay: pool is 'x'; expected a whole number"),
        ("replay(pool=0)", "replay: pool is 0; expected a whole number from 1"),
    ],
)
def test_what_cannot_be_made_is_refused(spec, told):
    with pytest.raises((BadParameter, UnknownName)) as problem:
        determinizer(spec)
    assert told in str(problem.value)


def test_a_game_that_deals_anew_does_so_by_itself_and_others_are_replayed():
    assert isinstance(determinizer("auto").sampler(game("kuhn-poker"), 0), ReplayOrWalk)
    splendid = game("rinascimento")
    assert type(determinizer("auto").sampler(splendid, 0)) is type(determinizer("redeal").sampler(splendid, 0))
