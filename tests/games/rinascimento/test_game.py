"""The rules: each sentence of section IV-A of the paper, and the end of the game."""

import pytest

from ludarium.core import IllegalMove, Rng
from ludarium.games.rinascimento.game import rinascimento
from ludarium.games.rinascimento.picture import counts
from tests.games.rinascimento.states import beginning, card, edited, play, record, showing, texts, with_hand, words


def tokens(state, role):
    game = state.game
    found = dict(zip(game.content.types, counts(game.settings, record(state).tokens[role]), strict=True))
    return {name: n for name, n in {**found, "joker": record(state).jokers[role]}.items() if n}


def stacks(state):
    game = state.game
    return dict(zip(game.content.types, counts(game.settings, record(state).stacks), strict=True))


# Setting up


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 5), (4, 7), (8, 15)])
def test_the_table_is_laid_out_for_the_players(players, each):
    _, state = beginning(players=players)
    made = record(state)
    assert set(stacks(state).values()) == {each}
    assert made.bank == 5
    assert sum(made.nobles[k] > 0 for k in range(len(made.nobles))) == players + 1
    assert all(made.shown[place] for place in range(12))
    assert [made.decks[deck].bit_count() for deck in range(3)] == [36, 26, 16]
    assert not any(made.tokens[p] or made.points[p] or made.jokers[p] for p in range(players))


def test_cards_and_nobles_are_shuffled():
    game = rinascimento()
    deals = {game.initial(Rng(seed)).block for seed in range(50)}
    nobles = {record(game.initial(Rng(seed))).nobles[0] for seed in range(200)}
    assert len(deals) == 50
    assert nobles == set(range(1, 11))


# Taking tokens


def test_three_tokens_of_different_types_are_taken():
    _, state = beginning()
    after = play(state, "take white blue red")
    assert tokens(after, 0) == {"white": 1, "blue": 1, "red": 1}
    assert stacks(after) == {"white": 6, "blue": 6, "green": 7, "red": 6, "black": 7}
    assert after.movers == (1,)
    assert len(texts(state, "take")) == 10 + 5


def test_fewer_are_taken_only_if_fewer_types_are_left():
    _, state = beginning()
    two = with_hand(state, stacks={"white": 1, "black": 3})
    assert texts(two, "take") == ["take white black"]
    one = with_hand(state, stacks={"white": 1})
    assert texts(one, "take") == ["take white"]
    assert texts(with_hand(state, stacks={}), "take") == []


def test_two_of_a_type_are_taken_if_four_lie_there():
    _, state = beginning()
    state = with_hand(state, stacks={"white": 4, "blue": 3, "red": 7})
    assert [t for t in texts(state, "take") if len(set(t.split())) == 2] == ["take red red", "take white white"]
    assert tokens(play(state, "take white white"), 0) == {"white": 2}


def test_tokens_of_any_type_go_back_until_ten_are_left():
    _, state = beginning()
    state = with_hand(state, white=3, blue=2, green=2, red=1, jokers=1)
    after = play(state, "take white blue back joker")  # white, blue and green or any other type, one of which goes back
    assert tokens(after, 0) == {"white": 4, "blue": 3, "green": 2, "red": 1}
    assert record(after).bank == 5
    assert "take white blue back joker" in texts(state)
    assert all(sum(tokens(play(state, t), 0).values()) == 10 for t in texts(state, "take"))


def test_a_full_hand_may_take_and_give_back_the_same():
    _, state = beginning()
    state = with_hand(state, white=2, blue=2, green=2, red=2, black=2)
    assert "take nothing" in texts(state)
    assert tokens(play(state, "take nothing"), 0) == tokens(state, 0)
    assert "take white back black" in texts(state)
    assert "take white" not in texts(state)


def test_nobody_gives_back_without_need():
    _, state = beginning()
    state = with_hand(state, white=3, blue=2)
    assert not [t for t in texts(state) if "back" in t]


# Reserving


def test_a_card_from_the_table_is_reserved_with_a_joker():
    game, state = beginning()
    state = showing(state, "2r4")
    after = play(state, "reserve 2r4")
    made = record(after)
    assert made.reserved[0] == card(game, "2r4") + 1
    assert (made.jokers[0], made.bank) == (1, 4)
    assert made.unseen[0] == 0
    assert made.shown[4] not in (0, card(game, "2r4") + 1)  # another card of the deck lies there now
    assert made.decks[1].bit_count() == 25


def test_a_card_from_a_deck_is_seen_by_its_owner_only():
    _, state = beginning()
    after = play(state, "reserve deck 3")
    made = record(after)
    assert (made.unseen[0], made.jokers[0]) == (1, 1)
    assert made.decks[2].bit_count() == 15
    seen = [after.game.state_record(bytearray(after.observe(role))) for role in range(4)]
    assert seen[0].reserved[0] == made.reserved[0]
    assert {other.reserved[0] for other in seen[1:]} == {0x8002}  # a card of the third deck


def test_there_is_no_joker_if_none_is_left():
    _, state = beginning()
    state = edited(state, lambda made: setattr(made, "bank", 0))
    after = play(state, "reserve deck 1")
    assert record(after).jokers[0] == 0


def test_a_full_hand_gives_a_token_back_for_the_joker():
    _, state = beginning()
    state = with_hand(state, white=6, blue=4)
    assert texts(state, "reserve deck 1") == [
        "reserve deck 1 back blue",
        "reserve deck 1 back joker",
        "reserve deck 1 back white",
    ]
    assert tokens(play(state, "reserve deck 1 back white"), 0) == {"white": 5, "blue": 4, "joker": 1}
    assert stacks(play(state, "reserve deck 1 back white"))["white"] == 2
    assert tokens(play(state, "reserve deck 1 back joker"), 0) == {"white": 6, "blue": 4}


def test_three_cards_may_be_reserved():
    _, state = beginning()
    around = ("take white blue green", "take red black white", "take blue green red")
    for _ in range(3):
        state = play(state, "reserve deck 1", *around) if texts(state, "reserve") else state
    assert not texts(state, "reserve")


# Buying


def test_a_card_is_paid_with_tokens_and_its_bonus_lowers_later_prices():
    game, state = beginning()
    state = showing(state, "1w2", "1g7")  # three blue; one white, three blue, one green
    state = with_hand(state, blue=3, white=1, green=1)
    after = play(state, "buy 1w2")
    assert tokens(after, 0) == {"white": 1, "green": 1}
    assert stacks(after)["blue"] == 7
    made = record(after)
    assert made.bonuses[0] == words(game, white=1)
    assert (made.bought[0], made.points[0]) == (1, 0)
    rich = edited(
        after, lambda made: (setattr(made, "tick", 4), made.tokens.__setitem__(0, words(game, blue=3, green=1)))
    )
    assert "buy 1g7" in texts(rich)
    poor = edited(rich, lambda made: made.bonuses.__setitem__(0, 0))
    assert "buy 1g7" not in texts(poor)


def test_jokers_stand_for_what_is_missing():
    _, state = beginning()
    state = with_hand(showing(state, "2r3"), black=4, jokers=2)  # five black
    after = play(state, "buy 2r3")
    assert tokens(after, 0) == {"joker": 1}
    assert record(after).bank == 4
    assert record(after).points[0] == 2


def test_an_own_reserve_is_bought_and_the_gap_closes():
    game, state = beginning()
    numbers = [card(game, name) + 1 for name in ("1w2", "1g7", "2r3")]

    def change(made):
        for place, number in enumerate(numbers):
            made.reserved[place] = number
        made.unseen[0] = 0b101

    state = with_hand(edited(state, change), white=1, blue=3, green=1)
    after = play(state, "buy 1g7")
    made = record(after)
    assert [made.reserved[k] for k in range(3)] == [numbers[0], numbers[2], 0]
    assert made.unseen[0] == 0b11
    assert [made.shown[k] for k in range(12)] == [record(state).shown[k] for k in range(12)]


def test_an_empty_deck_leaves_its_place_empty():
    _, state = beginning()
    state = with_hand(showing(state, "1w2"), blue=3)
    state = edited(state, lambda made: made.decks.__setitem__(0, 0))
    after = play(state, "buy 1w2")
    assert record(after).shown[0] == 0
    assert not [t for t in texts(after, "reserve deck") if t == "reserve deck 1"]


# Nobles


def nearly(state, nobles, **bonuses):
    """A state in which the first player has bonuses, three blue tokens and a white card for them; these nobles are there."""
    game = state.game
    ids = [next(k for k, n in enumerate(game.content.nobles) if n.needs == needs) for needs in nobles]

    def change(made):
        made.bonuses[0] = words(game, **bonuses)
        for place in range(len(made.nobles)):
            made.nobles[place] = ids[place] + 1 if place < len(ids) else 0

    return with_hand(edited(showing(state, "1w2"), change), blue=3)


def test_a_noble_comes_when_its_bonuses_are_there():
    _, state = beginning()
    state = nearly(state, [(4, 4, 0, 0, 0)], white=3, blue=4)
    assert record(play(state, "take green red black")).points[0] == 0
    made = record(play(state, "buy 1w2"))
    assert made.points[0] == 3
    assert made.nobles[0] == 0


def test_more_bonuses_than_a_noble_wants_will_do():
    _, state = beginning()
    state = nearly(state, [(4, 4, 0, 0, 0)], white=3, blue=6, red=2)
    assert record(play(state, "buy 1w2")).points[0] == 3


def test_one_noble_comes_in_a_turn():
    _, state = beginning()
    state = nearly(state, [(4, 4, 0, 0, 0), (3, 3, 3, 0, 0)], white=3, blue=4, green=3)
    state = edited(state, lambda made: made.bonuses.__setitem__(0, words(state.game, white=4, blue=4, green=3)))
    first = play(state, "take green red black")
    assert record(first).points[0] == 3
    around = ("take white red black", "take green red black", "take white red black")
    second = play(first, *around, "take white blue green")
    assert record(second).points[0] == 6


# The end


def with_points(state, points, bought=(0, 0, 0, 0), tick=0):
    def change(made):
        made.tick = tick
        for player, (each, cards) in enumerate(zip(points, bought, strict=True)):
            made.points[player], made.bought[player] = each, cards

    return edited(state, change)


def test_the_round_is_played_to_its_end():
    _, state = beginning()
    state = with_points(state, (15, 0, 0, 0), tick=1)
    for _ in range(2):
        state = play(state, "take white blue green")
        assert not state.over
    state = play(state, "take red black white")
    assert state.over
    assert state.utilities() == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("points", "bought", "utilities"),
    [
        ((15, 16, 3, 0), (1, 9, 1, 0), (0, 1, 0, 0)),
        ((15, 15, 3, 0), (9, 8, 1, 0), (0, 1, 0, 0)),
        ((17, 15, 17, 17), (9, 3, 9, 10), (1, 0, 1, 0)),
    ],
)
def test_most_points_win_then_fewest_cards_then_all(points, bought, utilities):
    _, state = beginning()
    end = play(with_points(state, points, bought, tick=3), "take white blue green")
    assert end.over
    assert end.utilities() == utilities


def test_a_player_who_can_do_nothing_ends_the_game_and_nobody_wins():
    game, state = beginning()

    def change(made):
        made.stacks = words(game, white=1)
        made.tick = 3
        for player in range(4):
            made.points[player] = 14 - player
            for place in range(3):
                made.reserved[3 * player + place] = card(game, "3w1") + 1

    end = play(edited(state, change), "take white")
    assert end.over
    assert end.utilities() == (0, 0, 0, 0)
    assert "nobody wins" in str(end)


def test_after_the_last_tick_nobody_wins():
    _, state = beginning(ticks=2)
    end = play(state, "take white blue green", "take white blue green")
    assert end.over
    assert end.utilities() == (0, 0, 0, 0)


def test_a_game_that_goes_on_is_worth_half_the_way_to_the_goal():
    _, state = beginning()
    assert with_points(state, (15, 3, 0, 30)).utilities() == (0.5, 0.1, 0, 0.5)


# As published


def test_the_published_code_ends_at_once():
    _, state = beginning(published=True)
    end = play(with_points(state, (0, 15, 0, 0), tick=1), "take white blue green")
    assert end.over
    assert end.utilities() == (0, 1, 0, 0)


def test_the_published_code_gives_no_joker_to_a_full_hand_and_takes_none_back():
    _, state = beginning(published=True)
    state = with_hand(state, white=6, blue=3, jokers=1)
    assert texts(state, "reserve deck 1") == ["reserve deck 1"]
    assert record(play(state, "reserve deck 1")).jokers[0] == 1
    assert not [t for t in texts(state) if t.endswith("joker")]


def test_the_published_code_mixes_up_the_types_of_bonuses():
    game, state = beginning(published=True)
    after = play(with_hand(showing(state, "1w2"), blue=3), "buy 1w2")
    assert record(after).bonuses[0] == words(game, green=1)


def test_illegal_moves_are_refused():
    _, state = beginning()
    for text in (
        "take white white white",
        "take white",
        "buy 1w1",
        "reserve deck 1 back joker",
        "take white blue back red",
    ):
        with pytest.raises(IllegalMove):
            play(state, text)
