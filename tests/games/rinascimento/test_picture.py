"""Pictures: as text and as an image, for any parameters."""

from xml.etree import ElementTree as ET

import pytest

from ludarium.core import Rng
from ludarium.games.rinascimento.game import PRESETS, rinascimento
from tests.games.rinascimento.states import beginning, edited, play

AROUND = ("take white blue green", "take red black white", "take blue green red")


def test_the_beginning_as_text():
    _, state = beginning(seed=1, players=2)
    assert str(state) == (
        "turn 1 of 300 at most: first\n"
        "nobles      3 for 4r4k   3 for 4b4g   3 for 3w3r3k\n"
        "tokens      white 4   blue 4   green 4   red 4   black 4   joker 5\n"
        "deck 3, 16  3k2 4p 7r   3g3 4p 3w6b3g   3k3 4p 3g6r3k   3k4 5p 7r3k\n"
        "deck 2, 26  2r3 2p 5k   2w5 2p 5r3k   2w2 1p 2w3b3r   2g1 1p 2w3b2k\n"
        "deck 1, 36  1r5 2w1b1g1k   1g5 1w1b1r2k   1g7 1w3b1g   1b7 1b3g1r\n"
        "> first     points 0   cards 0   bonuses -   tokens -\n"
        "  second    points 0   cards 0   bonuses -   tokens -"
    )


def test_the_picture_for_a_role_shows_the_backs_of_hidden_cards():
    game, state = beginning()
    state = play(state, "reserve deck 2", *AROUND)
    assert "(unseen)" in game.picture(state, 0)
    assert "(unseen)" in str(state)
    assert "? from deck 2" in game.picture(state, 1)
    assert "(unseen)" not in game.picture(state, 1)


def test_the_end_is_told():
    _, state = beginning()

    def change(made):
        made.tick = 3
        made.points[1] = made.points[2] = 15

    end = play(edited(state, change), "take white blue green")
    assert str(end).startswith("after 4 turns second and third won\n")


@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_fit_all_parameters(preset):
    game = rinascimento(preset=preset, **({} if preset == "tiny" else {"face_up": 7}))
    state, rng = game.initial(Rng(0)), Rng(1)
    for _ in range(20):
        state = state.after(rng.choice(state.legal(state.movers[0])), rng)
    for role in (None, *range(len(game.roles))):
        text = game.picture(state, role)
        assert max(map(len, text.splitlines())) <= 80
        image = ET.fromstring(game.svg(state, role))
        size = [float(image.get(side)) for side in ("width", "height")]
        for each in image.iter("{http://www.w3.org/2000/svg}circle"):
            assert 0 < float(each.get("cx")) < size[0]
            assert 0 < float(each.get("cy")) < size[1]
        assert all(any(text.startswith(f"{name}: points ") for text in words_inside(image)) for name in game.roles)


def test_the_players_stay_inside_the_frame_before_they_own_anything():
    """Words made the frame wider but no higher: the lines of players without tokens lay below it."""
    game, state = beginning()
    texts = words_inside(ET.fromstring(game.svg(state)))
    assert any(text.startswith("fourth: points 0") for text in texts)


def words_inside(image):
    """Give all texts of an image, each of which has to lie in its frame."""
    size = [float(image.get(side)) for side in ("width", "height")]
    texts = list(image.iter("{http://www.w3.org/2000/svg}text"))
    for each in texts:
        reach = 0.6 * float(each.get("font-size")) * len(each.text) / (1 if each.get("text-anchor") == "start" else 2)
        assert 0 < float(each.get("x")) + reach <= size[0]
        assert 0 < float(each.get("y")) + 0.3 * float(each.get("font-size")) <= size[1]
    return [each.text for each in texts]


def test_the_image_shows_each_card_that_lies_there():
    game, state = beginning()
    shown = [t.text for t in ET.fromstring(game.svg(state)).iter("{http://www.w3.org/2000/svg}text")]
    made = game.state_record(bytearray(state.block))
    assert {game.content.names[made.shown[k] - 1] for k in range(12)} <= set(shown)
