"""Cards and nobles: the printed ones, those of files, and generated ones that make games."""

import pytest

from ludarium.catalog import game as by_name
from ludarium.core import BadParameter
from ludarium.games.rinascimento.content import load, read, standard, unaffordable
from ludarium.games.rinascimento.game import rinascimento
from ludarium.games.rinascimento.generate import generate, value_curve, worth
from ludarium.games.rinascimento.survey import survey

HEAD = "deck,bonus,points,red,blue"


def test_the_printed_cards():
    content = standard()
    assert [len(deck) for deck in content.decks] == [40, 30, 20]
    assert len(content.nobles) == 10
    assert len(set(content.cards)) == 90
    for deck, each in ((0, 8), (1, 6), (2, 4)):
        cards = [card for card in content.cards if card.deck == deck]
        assert [sum(card.bonus == kind for card in cards) for kind in range(5)] == [each] * 5
    assert sum(card.points for card in content.cards) == 5 + 55 + 80
    assert {noble.points for noble in content.nobles} == {3}
    # Every type is asked for as often as any other.
    assert len({sum(card.price[kind] for card in content.cards) for kind in range(5)}) == 1
    assert content.letters == ("w", "b", "g", "r", "k")
    assert not unaffordable(content, tokens=4, jokers=5, max_tokens=10)


def test_a_file_is_read(tmp_path):
    file = tmp_path / "cards.csv"
    cards = [f"1,red,{k % 2},0,{k}\n1,blue,1,{k},0" for k in range(1, 5)]
    file.write_text("\n".join([HEAD, *cards, "noble,,3,2,2"]))
    content = load(file)
    assert content.types == ("red", "blue")
    assert content.names[:2] == ("1r1", "1b1")
    made = by_name(
        f"rinascimento(content='{file}', types=2, decks=1, different=2, players=2, extra_nobles=-1, goal=3, face_up=2)"
    )
    assert made.content == content
    found = survey(made, 100)
    assert found.stale < 1
    assert found.longest < 300


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "expected the columns deck,bonus,points and one per type of token, found nothing"),
        (["level,colour,points,red,blue"], "found level,colour,points,red,blue"),
        (["deck,bonus,points,red"], "1 types of tokens; expected 2 to 7"),
        (["deck,bonus,points,red,red"], "'red' cannot name a type"),
        (["deck,bonus,points,red,joker"], "'joker' cannot name a type"),
        ([HEAD, "1,red,0,1"], "row 2: 4 columns, where the head has 5"),
        ([HEAD, "1,green,0,1,1"], "row 2: the bonus 'green' is none of red, blue"),
        ([HEAD, "1,red,0,-1,1"], "row 2: red is '-1'; expected a whole number from 0 to 100"),
        ([HEAD, "1,red,x,1,1"], "row 2: points is 'x'"),
        ([HEAD, "2,red,0,1,1"], "decks are numbered 1, 2, 3 and so on"),
        ([HEAD, "noble,,3,2,2"], "none may be empty"),
        ([HEAD, *["1,red,0,1,1"] * 65], "deck 1 has 65 cards; 64 at most"),
    ],
)
def test_files_that_make_no_sense_are_refused(lines, why):
    with pytest.raises(BadParameter, match=why):
        read(lines, "here")


def test_cards_that_nobody_can_ever_buy_are_refused(tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text(f"{HEAD}\n1,red,0,1,1\n1,blue,1,60,0")
    parameters = {"content": str(file), "types": 2, "decks": 1, "different": 2, "players": 2, "extra_nobles": -2}
    with pytest.raises(BadParameter, match="1 cards can never be bought with these tokens: 1b1"):
        rinascimento(**parameters)
    file.write_text(f"{HEAD}\n1,red,0,1,1\n1,blue,1,2,0\nnoble,,3,9,0")
    with pytest.raises(BadParameter, match="a noble wants 9 red bonuses, but only 1 exist"):
        rinascimento(**parameters)


def test_the_curve_tells_what_printed_cards_are_worth():
    constant, total, largest = value_curve()
    assert constant < 0 < total < largest
    exact = sum(worth(card.price) == card.points for card in standard().cards)
    assert exact >= 0.8 * 90


@pytest.mark.parametrize("types", [2, 3, 5, 7])
@pytest.mark.parametrize("decks", [1, 3, 5])
def test_generated_content_is_fair_and_rises(types, decks):
    content = generate(types=types, decks=decks, nobles=5, seed=1)
    assert content == generate(types=types, decks=decks, nobles=5, seed=1)
    assert content != generate(types=types, decks=decks, nobles=5, seed=2)
    assert len(content.types) == types
    assert len(content.decks) == decks
    assert len(content.nobles) >= 5
    assert len({sum(card.price[kind] for card in content.cards) for kind in range(types)}) == 1
    assert len({sum(card.bonus == kind for card in content.cards) for kind in range(types)}) == 1
    means = [sum(sum(content.cards[k].price) for k in deck) / len(deck) for deck in content.decks]
    worths = [sum(content.cards[k].points for k in deck) / len(deck) for deck in content.decks]
    if decks > 1:
        assert means[0] < means[-1]
        assert worths[0] < worths[-1]
    assert not unaffordable(content, tokens=7, jokers=5, max_tokens=10)


def test_generated_cards_cost_and_count_as_the_printed_ones():
    """Averages over 20 seeds; the seeds are fixed, so this cannot fail by chance."""
    printed = standard()
    for deck in range(3):
        wanted = [printed.cards[k] for k in printed.decks[deck]]
        made = [generate(types=5, decks=3, nobles=5, seed=seed) for seed in range(20)]
        cards = [content.cards[k] for content in made for k in content.decks[deck]]
        for what, slack in ((lambda card: sum(card.price), 0.5), (lambda card: card.points, 0.5)):
            mean = sum(map(what, cards)) / len(cards)
            assert mean == pytest.approx(sum(map(what, wanted)) / len(wanted), abs=slack)


@pytest.mark.parametrize(
    "parameters",
    [
        {"types": 3, "decks": 2, "players": 2},
        {"types": 4, "decks": 3, "players": 3},
        {"types": 5, "decks": 3, "content": "generated"},
        {"types": 6, "decks": 4, "players": 4},
        {"types": 7, "decks": 5, "players": 5},
        {"types": 2, "different": 2, "decks": 2, "players": 2},
        {"types": 5, "decks": 1, "players": 2, "goal": 10, "content": "generated"},
    ],
    ids=str,
)
def test_generated_games_end_and_somebody_wins(parameters):
    made = rinascimento(seed=4, **parameters)
    found = survey(made, 1000)
    assert 10 * len(made.roles) < found.mean < 70 * len(made.roles)
    assert found.stale < 0.15
    assert abs(found.advantage) < 0.12  # nobody wins by sitting somewhere: 5 standard errors
