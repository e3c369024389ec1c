"""Cards: a deck and what is printed on its cards, dealt and played, with trumps, and hidden level by level."""

import pytest

from ludarium.core import GameError, InformationSet, Rng
from ludarium.core.problems import RulesError
from ludarium.hidden import determinizer
from ludarium.ludii.game import from_text
from ludarium.ludii.memory.state import TRUMP
from ludarium.ludii.replaying import LudReplay
from ludarium.ludii.trial.facts import Site
from ludarium.ludii.trial.interpreter import states
from ludarium.ludii.trial.reader import parse
from ludarium.testing import check_game

GAME = """
(game "Pack"
    (players {players})
    (equipment {{ (board {board}) {hands} {deck} {more} }})
    (rules (start {{ {start} }}) (play {play}) (end (if (and (is Empty (handSite P1)) (is Empty (handSite P2))) (byScore))))
)
"""
LISTED = "(deck suits:2 { (card Ace rank:9 value:5) (card Seven rank:2 value:0 trumpRank:8 trumpValue:7) })"
"""Ac, 7c, As, 7s."""

HIDE = "(set Hidden What at:(handSite P1) level:{level} to:P2)"
HANDS = {"Ac": "Card1", "7c": "Card2", "As": "Card3", "7s": "Card4"}


def made(
    play="(move PlayCard)", start="", deck=LISTED, hands="(hand Each)", board="(rectangle 1 2)", more="", players=2
):
    return from_text(
        GAME.format(play=play, start=start, deck=deck, hands=hands, board=board, more=more, players=players)
    )


def record(game, state):
    return game.compiled.layout.state(bytearray(state.block))


def trump(game, state):
    return record(game, state).var[game.compiled.layout.vars.index(TRUMP)]


def stack(game, state, site):
    """The names of the cards on a site, from below."""
    there, height = record(game, state), game.compiled.layout.height
    return [game.model.components[there.what[site * height + k] - 1].name for k in range(there.height[site])]


def then(state, move):
    return state.after(move, Rng(1))


def texts(game, state):
    return [game.text(move) for move in state.legal(state.movers[0])]


def dealt(play="(move PlayCard)", first="Ac 7s", second="7c As", more="", **options):
    """A game in which both players have cards that are known; the deck is beside them."""
    start = " ".join(f'(place "{HANDS[card]}" 2)' for card in first.split())
    start += " ".join(f'(place "{HANDS[card]}" 3)' for card in second.split())
    return made(play=play, start=f"{start} {more}", **options)


def test_a_deck_has_the_cards_of_each_suit_in_order():
    game = made()
    assert [each.name for each in game.model.components] == ["Card1", "Card2", "Card3", "Card4"]
    assert [each.card.title for each in game.model.cards] == ["Ac", "7c", "As", "7s"]
    assert [each.owner for each in game.model.cards] == [3] * 4
    usual = made(deck="(deck)").model.cards
    assert len(usual) == 52
    assert [each.card.title for each in usual[:13]] == [
        "Ac",
        "2c",
        "3c",
        "4c",
        "5c",
        "6c",
        "7c",
        "8c",
        "9c",
        "10c",
        "Jc",
        "Qc",
        "Kc",
    ]
    assert [each.card.sign for each in usual[::13]] == ["c", "s", "d", "h"]
    king = usual[-1].card
    assert (king.rank, king.value, king.trump_rank, king.trump_value, king.suit) == (13, 13, 13, 13, 4)


def test_cards_come_before_dice_and_pieces():
    game = made(
        more='(dice d:2 num:1) (piece "Man" P1) (card "Wild" P2 Joker rank:7 value:1 trumpRank:2 trumpValue:3 suit:3)'
    )
    assert [each.name for each in game.model.components[4:]] == ["Die1", "Man1", "Wild2"]
    assert game.model.components[-1].card.title == "jokerd"


def test_the_deck_is_shuffled_and_each_order_is_as_likely():
    game, seen = made(), {}
    for seed in range(480):
        order = tuple(stack(game, game.initial(Rng(seed)), 4))
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 24
    assert max(seen.values()) < 45  # 20 of each are to be expected


def test_what_chance_draws_can_be_given():
    """Of the cards that are left, in their order, one by its rank: so Ludii draws, too."""
    replay = LudReplay(made())
    replay.force([2, 0, 1, 0])
    replay._call("init", replay.block, Rng(1))
    state, height = replay.state, replay.layout.height
    assert [state.what[4 * height + k] for k in range(4)] == [3, 1, 4, 2]


def test_cards_are_dealt_from_the_top_one_by_one_in_turn():
    plain, game = made(), made(start="(deal Cards 2)")
    for seed in range(5):
        deck = stack(plain, plain.initial(Rng(seed)), 4)
        state = game.initial(Rng(seed))
        assert stack(game, state, 2) == [deck[3], deck[1]]
        assert stack(game, state, 3) == [deck[2], deck[0]]
        assert stack(game, state, 4) == []


def test_cards_are_dealt_again_from_some_player_on():
    """The first cards are known by the order of the deck; the second player is the next to get one."""
    deck = "(deck cardsBySuit:5 suits:1)"
    plain, game = made(deck=deck), made("(move Pass (then (deal Cards 2 beginWith:(next))))", deck=deck)
    order = stack(plain, plain.initial(Rng(3)), 4)
    state = game.initial(Rng(3))
    state = then(state, state.legal(0)[0])
    assert stack(game, state, 3) == [order[4], order[2]]
    assert stack(game, state, 2) == [order[3], order[1]]
    assert stack(game, state, 4) == order[:1]
    with pytest.raises(Exception, match="more cards are to be dealt than there are"):
        then(state, state.legal(1)[0])


def test_moves_tell_all_levels_of_a_large_deck():
    move = "(move (from (handSite Shared) level:(- (topLevel at:(handSite Shared)) (count Moves))) (to 0))"
    game = made(move, start="(deal Cards 1)", deck="(deck cardsBySuit:13 suits:8)")
    state = game.initial(Rng(2))
    order = stack(game, state, 4)
    assert texts(game, state) == ["deck0-a1 level=101"]
    for _ in range(3):
        state = then(state, state.legal(state.movers[0])[0])
    assert stack(game, state, 0) == [order[101], order[99], order[97]]


def test_a_deck_is_split_from_its_lowest_card_on():
    plain, game = (
        made(deck="(deck cardsBySuit:5 suits:1)"),
        made(start="(split Deck)", deck="(deck cardsBySuit:5 suits:1)"),
    )
    deck = stack(plain, plain.initial(Rng(3)), 4)
    state = game.initial(Rng(3))
    assert [stack(game, state, site) for site in (2, 3, 4)] == [deck[::2], deck[1::2], []]


def test_a_card_is_played_to_the_site_of_the_player():
    game = dealt()
    state = game.initial(Rng(1))
    assert texts(game, state) == ["play ac", "play 7s"]
    after = then(state, game.parse("play ac"))
    assert stack(game, after, 0) == ["Card1"]
    assert stack(game, after, 2) == ["Card4"]
    assert texts(game, after) == ["play 7c", "play as"]
    last = then(after, game.parse("play As"))
    assert stack(game, last, 1) == ["Card3"]
    assert stack(game, last, 3) == ["Card2"]


def test_rules_know_where_a_card_was_played_from_and_to():
    game = dealt("(move PlayCard (then (and (addScore P1 (last From)) (addScore P2 (last To)))))")
    state = then(game.initial(Rng(1)), game.parse("play 7s"))
    assert [record(game, state).score[k] for k in (1, 2)] == [2, 0]
    state = then(state, game.parse("play 7c"))
    assert [record(game, state).score[k] for k in (1, 2)] == [5, 1]


@pytest.mark.parametrize(
    ("asked", "worth"),
    [
        ("(card Rank at:2)", 9),
        ("(card Rank at:2 level:1)", 2),
        ("(card Suit at:2)", 1),
        ("(card Suit at:2 level:1)", 2),
        ("(card TrumpRank at:2)", 9),  # as its rank, where nothing is said
        ("(card TrumpRank at:2 level:1)", 8),
        ("(card TrumpValue at:2)", 5),
        ("(card TrumpValue at:2 level:1)", 7),
        ("(card Rank at:2 level:2)", -1),
        ("(card Rank at:0)", -1),
        ("(card TrumpSuit)", -1),
        ("(topLevel at:2)", 1),
    ],
)
def test_rules_ask_for_what_is_printed_on_cards(asked, worth):
    game = dealt(f"(move Pass (then (addScore P1 {asked})))")
    state = game.initial(Rng(1))
    state = then(state, state.legal(0)[0])
    assert record(game, state).score[1] == worth


def test_trumps_are_chosen_and_written_as_suits():
    game = dealt(
        "(or (move Set TrumpSuit (card Suit at:2 level:1)) (move Set TrumpSuit (difference (values Remembered) 1)))",
        more="(set RememberValue 1) (set RememberValue 4)",
    )
    state = game.initial(Rng(1))
    assert texts(game, state) == ["trump spades", "trump hearts #2"]
    assert trump(game, then(state, game.parse("trump hearts #2"))) == 4
    assert "trumps: spades" in game.picture(then(state, game.parse("trump spades")))
    effect = dealt("(move Pass (then (set TrumpSuit (card Suit at:3))))")
    state = effect.initial(Rng(1))
    assert trump(effect, then(state, state.legal(0)[0])) == 1


def test_nobody_is_asked_whether_all_have_passed_where_cards_are_played():
    game = dealt("(if (< (count Moves) 9) (move Pass) (move PlayCard))")
    state = game.initial(Rng(1))
    for _ in range(5):
        state = then(state, state.legal(state.movers[0])[0])
    assert not state.over


def test_what_is_hidden_stays_with_the_level_of_a_site():
    game = dealt(more=HIDE.format(level=0))
    state = game.initial(Rng(1))
    assert "player 1 holds Ac 7s" in game.picture(state, 0)
    assert "player 1 holds ? 7s" in game.picture(state, 1)
    after = then(state, game.parse("play ac"))  # then the other card comes to lie where cards are hidden
    assert "Ac" in game.picture(after, 1)
    assert "player 1 holds ?\n" in game.picture(after, 1)
    assert "player 1 holds 7s" in game.picture(after, 0)


def test_a_card_that_its_player_does_not_see_is_played_by_its_number():
    hide = "(set Hidden What at:(handSite P1) level:1 to:P1)"
    game = dealt(more=hide)
    state = game.initial(Rng(1))
    assert texts(game, state) == ["play ac", "play number=1"]
    after = then(state, game.parse("play number=1"))
    assert stack(game, after, 0) == ["Card4"]
    other = dealt(first="Ac As", second="7c 7s", more=hide)
    assert texts(other, other.initial(Rng(1))) == texts(game, state)


def test_other_pieces_that_are_held_are_played_and_shown_beside_cards():
    more, start = '(piece "Man" Each)', '(place "Man1" (handSite P1)) (place "Man2" (handSite P2)) (deal Cards 1)'
    game = made(more=more, start=start, deck="(deck cardsBySuit:2 suits:1)")
    state = game.initial(Rng(1))
    card = game.model.components[record(game, state).what[2 * game.compiled.layout.height + 1] - 1].card.title
    assert texts(game, state) == ["play card=man1", f"play {card.lower()}"]
    assert f"player 1 holds X {card}\n" in game.picture(state, 0)
    after = then(state, game.parse("play card=man1"))
    assert stack(game, after, 0) == ["Man1"]
    assert stack(game, after, 2) == [f"Card{'A2'.index(card[0]) + 1}"]


@pytest.mark.parametrize("suit", ["5000000", "(- 0 5)"])
def test_what_is_no_suit_does_not_become_trumps(suit):
    game = made(f"(move Set TrumpSuit {suit})")
    with pytest.raises(GameError, match="there is no such suit"):
        game.initial(Rng(1)).legal(0)


def test_no_loop_deals_more_cards_than_there_are():
    game = made(start="(forEach Value min:1 max:3 (deal Cards 1))")
    with pytest.raises(GameError, match="more cards are to be dealt than there are"):
        game.initial(Rng(1))


@pytest.mark.parametrize("player", [0, 3])
def test_cards_are_dealt_from_a_player_on(player):
    game = made(f"(move Pass (then (deal Cards 1 beginWith:{player})))")
    state = game.initial(Rng(1))
    with pytest.raises(GameError, match="from a player on who has no hand"):
        then(state, state.legal(0)[0])


def test_all_that_was_not_seen_is_imagined_as_often():
    """The second player sees his two cards, and the one that was played: three are left for one place in the hand."""
    hidden = " ".join(HIDE.format(level=level) for level in (0, 1))
    deck = "(forEach Value min:0 max:3 (set Hidden What at:(handSite Shared) level:(value) to:P2))"
    game = made(start=f"(deal Cards 2) {hidden} {deck}", deck="(deck cardsBySuit:3 suits:2)")
    state = game.initial(Rng(4))
    seen = [state.observe(1)]
    state = then(state, state.legal(0)[0])
    seen.append(state.observe(1))
    info = InformationSet(game=game, role=1, legal=tuple(state.legal(1)), seen=tuple(seen))
    found = {}
    for each in determinizer("walk").sampler(game, 1).sample(info, 600, Rng(2)):
        assert each.observe(1) == seen[-1]
        (left,) = stack(game, each, 2)
        found[left] = found.get(left, 0) + 1
    unseen = {f"Card{k}" for k in range(1, 7)} - {*stack(game, state, 0), *stack(game, state, 3)}
    assert found.keys() == unseen
    assert min(found.values()) > 150


def test_a_game_of_cards_keeps_its_promises():
    hide = " ".join(HIDE.format(level=level) for level in (0, 1))
    check_game(lambda: made(start=f"(deal Cards 2) {hide}"), seeds=range(2), plies=6)
    check_game(lambda: made("(or (move PlayCard) (move Pass))", start="(deal Cards 1)"), seeds=range(1), plies=6)


def test_a_match_is_written_as_a_trial_that_can_be_followed():
    game = made("(move PlayCard (then (set TrumpSuit (card Suit at:(last To)))))", start="(deal Cards 2)")
    passed, joints = [game.initial(Rng(5))], []
    while not passed[-1].over:
        mover = passed[-1].movers[0]
        move = passed[-1].legal(mover)[-1]
        joints.append({mover: move})
        passed.append(then(passed[-1], move))
    trial = parse(game.offers.record.write(passed, joints))
    assert trial.sizes == (2, 2, 1, 1)
    followed = list(states(trial, LudReplay(game).facts))
    assert followed[-1].trump == trump(game, passed[-1])
    names = [
        ["", *(each.name for each in game.model.components)][piece.what]
        for piece in followed[-1].pieces(Site("Cell", 0))
    ]
    assert names == stack(game, passed[-1], 0)


def test_a_drawing_shows_cards_face_up_and_face_down():
    game = dealt(more=HIDE.format(level=0))
    state = game.initial(Rng(1))
    assert 'data-site="Ac"' in game.svg(state, 0)
    assert 'data-site="Ac"' not in game.svg(state, 1)
    assert 'data-site="7s"' in game.svg(state, 1)
    assert list(game.offers.sites(game.parse("play ac"))) == ["Ac"]
    assert game.offers.places(state, 1) == {"hand1.1": "Ac"}


@pytest.mark.parametrize(
    ("options", "place", "said"),
    [
        ({"deck": "(deck suits:0)"}, "4:", "holds nothing"),
        ({"deck": "(deck { })"}, "4:", "holds nothing"),
        ({"deck": "(deck cardsBySuit:14)"}, "4:", "no 14 cards of a suit"),
        ({"deck": "(deck cardsBySuit:13 suits:20)"}, "4:", "255 cards are possible"),
        ({"deck": "(deck Each)"}, "4:", "cannot belong to Each"),
        ({"deck": "(deck P3)"}, "4:", "cannot belong to P3"),
        ({"deck": "(deck) (deck)"}, "4:", "a second deck"),
        ({"deck": ""}, "5:", "there are none"),
        ({"start": "(deal Cards 3)"}, "5:", "cards left in the deck: 4"),
        ({"start": "(deal Cards 1) (deal Cards 2)"}, "5:", "cards left in the deck: 2"),
        ({"start": "(deal Cards 1)", "hands": "(hand P1)"}, "5:", "players: 2, hands: 1"),
        ({"start": "(deal Cards 1)", "deck": "", "play": "(move Pass)"}, "5:", "there is no deck"),
        ({"play": "(move Pass (then (deal Cards 1)))", "deck": ""}, "5:", "there is no deck"),
        ({"start": "(split Deck)", "deck": "", "play": "(move Pass)"}, "5:", "there is no deck"),
        ({"board": "(rectangle 1 1)"}, "5:", "1 sites for 2 players"),
    ],
)
def test_what_is_wrong_with_cards_is_told_with_its_place(options, place, said):
    with pytest.raises(RulesError) as refused:
        made(**options)
    (problem,) = refused.value.problems
    assert said in str(problem)
    assert f":{place}" in str(problem)
