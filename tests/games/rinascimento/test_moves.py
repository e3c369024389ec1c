"""Moves: codes and texts, exact enumeration against brute force, and the generator's support against both."""

from array import array
from collections import Counter
from itertools import combinations

import pytest

from ludarium.core import IllegalMove, Rng, UnknownName
from ludarium.games.rinascimento.game import KINDS, most_moves, rinascimento
from ludarium.games.rinascimento.moves import (
    BACK,
    BACK_JOKER,
    BLIND,
    BUY,
    EVEN,
    JOKERS,
    KIND,
    RESERVE,
    TAKE,
    most_changes,
)
from ludarium.games.rinascimento.picture import counts
from ludarium.games.rinascimento.settings import WEIGHTS, Settings
from ludarium.kernel import below
from ludarium.kernel.compiler.arguments import python_caller
from ludarium.kernel.compiler.debug import as_python
from tests.games.rinascimento.states import beginning, edited, record, with_hand

VARIANTS = [
    {},
    {"published": True},
    {"players": 2, "types": 3, "different": 2, "max_tokens": 6, "same_stack": 2},
    {"types": 4, "per_type": 2, "different": 2, "same": 3, "max_tokens": 7},
    {"types": 3, "per_type": 3, "same": 1, "same_stack": 1, "different": 2, "max_tokens": 5, "tokens": 4},
    {"types": 2, "different": 0, "jokers": 2, "max_tokens": 4},
    {"types": 7, "different": 3, "same": 0, "max_reserved": 0, "max_tokens": 9},
]


def handfuls(amounts, size):
    """All ways to take so many out of these amounts."""
    if not amounts:
        return [()] if size == 0 else []
    return [(n, *rest) for n in range(min(amounts[0], size) + 1) for rest in handfuls(amounts[1:], size - n)]


def slow_moves(state, role):
    """The legal moves by brute force: everything that can be taken, and everything that can go back."""
    game, made, s = state.game, record(state), state.game.settings
    hand, table = counts(s, made.tokens[role]), counts(s, made.stacks)
    jokers, held = made.jokers[role], sum(counts(s, made.tokens[role])) + made.jokers[role]
    there = [kind for kind in range(s.types) if table[kind] >= s.per_type]
    takes = [dict.fromkeys(some, s.per_type) for some in combinations(there, min(s.different, len(there))) if some]
    takes += [{kind: s.same} for kind in range(s.types) if s.same and table[kind] >= max(s.same, s.same_stack)]
    codes = set()
    for take in takes:
        after = [hand[kind] + take.get(kind, 0) for kind in range(s.types)]
        back = max(0, held + sum(take.values()) - s.max_tokens)
        for gone in handfuls([*after, 0 if s.published else jokers], back):
            code = TAKE << KIND | gone[-1] << JOKERS
            for kind in range(s.types):
                code |= EVEN + take.get(kind, 0) - gone[kind] << 8 * kind
            codes.add(code)
    shown = [made.shown[k] - 1 for k in range(s.decks * s.face_up) if made.shown[k]]
    kept = [made.reserved[role * s.max_reserved + k] - 1 for k in range(s.max_reserved)]
    kept = [number for number in kept if number >= 0]
    for number in shown + kept:
        price, bonus = game.content.cards[number].price, counts(s, made.bonuses[role])
        if sum(max(0, p - b - h) for p, b, h in zip(price, bonus, hand, strict=True)) <= jokers:
            codes.add(BUY << KIND | number)
    if len(kept) < s.max_reserved:
        wanted = [RESERVE << KIND | number for number in shown]
        wanted += [BLIND << KIND | deck for deck in range(s.decks) if made.decks[deck]]
        backs = [0]
        if made.bank and held == s.max_tokens and not s.published:
            backs = [1 + kind for kind in range(s.types) if hand[kind]] + [BACK_JOKER]
        codes |= {code | back << BACK for code in wanted for back in backs}
    return codes


def states(game, count, seed=0):
    """States of random play, those with full hands more often."""
    rng, found = Rng(seed), []
    state = game.initial(rng)
    while len(found) < count:
        if state.over:
            state = game.initial(rng)
        (role,) = state.movers
        made = record(state)
        full = sum(counts(game.settings, made.tokens[role])) + made.jokers[role] >= game.settings.max_tokens - 1
        if full or rng.below(4) == 0:
            found.append(state)
        state = state.after(rng.choice(state.legal(role)), rng)
    return found


@pytest.mark.parametrize("parameters", VARIANTS, ids=str)
def test_the_list_is_what_brute_force_finds(parameters):
    game = rinascimento(**parameters)
    for state in states(game, 60):
        (role,) = state.movers
        legal = state.legal(role)
        assert len(set(legal)) == len(legal) <= game.max_moves
        assert set(legal) == slow_moves(state, role)


@pytest.mark.parametrize("parameters", VARIANTS[:5], ids=str)
def test_a_move_is_legal_if_it_is_listed(parameters):
    game = rinascimento(**parameters)
    found = states(game, 25)
    every = sorted({move for state in found for role in state.movers for move in state.legal(role)})
    every += [
        0,
        2**64 - 1,
        5 << KIND,
        BUY << KIND | 1 << 20,
        BUY << KIND | 9999,
        RESERVE << KIND | 9999,
        BLIND << KIND | 9,
    ]
    every += [TAKE << KIND, TAKE << KIND | (1 << 56) - 1, RESERVE << KIND | 9 << BACK]
    for state in found:
        (role,) = state.movers
        legal = set(state.legal(role))
        made = record(state)
        assert {move for move in every if game.offers.actions().is_legal(made, role, move)} == legal


class Script:
    """All numbers that the generator can draw, one after the other."""

    def __init__(self):
        self.planned, self.drawn = [], []

    def below(self, _, count):
        place = len(self.drawn)
        number = self.planned[place] if place < len(self.planned) else 0
        self.drawn.append((number, count))
        return number

    def turn(self):
        drawn, self.drawn = self.drawn, []
        while drawn:
            number, count = drawn.pop()
            if number + 1 < count:
                self.planned = [each for each, _ in drawn] + [number + 1]
                return True
        return False


def support(state, role):
    """Every move that the generator can draw, by kind."""
    script, kernel = Script(), state.game._sample_kind
    function = as_python(kernel, wrap=True, instead={below: script.below})
    run = python_caller(kernel, function, function.written)
    found, made = {}, record(state)
    for kind, name in enumerate(KINDS):
        out, going = array("Q", [0]), True
        script.planned, script.drawn = [], []
        found[name] = set()
        while going:
            if run(made, role, kind, out, Rng(0)):
                found[name].add(out[0])
            going = script.turn()
    return found


@pytest.mark.parametrize("parameters", VARIANTS[:6], ids=str)
def test_the_generator_draws_exactly_what_is_legal(parameters):
    game = rinascimento(**parameters)
    for state in states(game, 4 if game.settings.types > 4 else 8, seed=3):
        (role,) = state.movers
        assert set().union(*support(state, role).values()) == set(state.legal(role))


def test_a_kind_without_moves_gives_none():
    game, state = beginning()
    rng = Rng(0)
    assert game.generated(state, "buy from the table", rng) is None
    assert game.generated(state, "buy a reserved card", rng) is None
    assert game.text(game.generated(state, "take same", rng)).startswith("take")
    bare = with_hand(state, stacks={})
    assert game.generated(bare, "take different", rng) is None
    with pytest.raises(UnknownName, match="did you mean 'take same'"):
        game.generated(state, "take sane", rng)


def test_the_same_seed_draws_the_same_move():
    game, state = beginning()
    out = [array("Q", [0]) for _ in range(2)]
    for seed in range(20):
        for each in out:
            game.offers.actions().sample(record(state), 0, each, Rng(seed))
        assert out[0] == out[1]


def drawn_kinds(game, state, count=4000):
    out, rng, found = array("Q", [0]), Rng(1), Counter()
    for _ in range(count):
        assert game.offers.actions().sample(record(state), 0, out, rng) == 1
        found[game.text(out[0]).split()[0], out[0] >> KIND == BLIND] += 1
    return found


@pytest.mark.statistical
def test_kinds_are_drawn_by_their_weights():
    """Four shares of 4000 draws within 5 standard errors each: false alarm below 1 in 100,000."""
    game, state = beginning()
    found = drawn_kinds(game, state)
    usable = sum(WEIGHTS[2:])  # nothing can be bought yet
    for key, weight in ((("take", False), 45.0), (("reserve", False), 5.0), (("reserve", True), 5.0)):
        share = weight / usable
        assert abs(found[key] / 4000 - share) < 5 * (share * (1 - share) / 4000) ** 0.5


def test_a_kind_of_weight_zero_is_never_drawn():
    game, state = beginning(weights=(1, 1, 0, 0, 1, 0))
    assert set(drawn_kinds(game, state, 200)) == {("reserve", False)}
    buying, state = beginning(weights=(1, 0, 0, 0, 0, 0))
    assert buying.offers.actions().sample(record(state), 0, array("Q", [0]), Rng(0)) == 0
    block = bytearray(state.block)
    plies = buying.bridge.call("playout", block, Rng(0), 300)  # which draws from the list then
    assert plies > 20
    assert buying.state(bytes(block)).over


def test_the_bound_of_moves_is_reached():
    game, state = beginning()
    # As many jokers as there are, and one token at least of each type that may go back.
    full = with_hand(state, white=2, blue=1, green=1, red=1, black=1, jokers=4)
    reach = len(full.legal(0))
    assert game.max_moves * 0.7 < reach <= game.max_moves
    assert most_changes(5, 3, 1, 3, 5) == 10
    assert most_moves(Settings(max_reserved=0)) < game.max_moves


@pytest.mark.parametrize(
    "text",
    [
        "take",
        "take joker",
        "take white back",
        "buy",
        "buy 9w1",
        "reserve deck 4",
        "reserve deck",
        "take white back white",
    ],
)
def test_what_is_no_move_is_told(text):
    with pytest.raises(IllegalMove):
        rinascimento().parse(text)


def test_letters_are_read_as_types():
    game = rinascimento()
    assert game.parse("take w b k") == game.parse("take white blue black")
    assert game.parse("reserve deck 1 back j") == game.parse("reserve deck 1 back joker")
    assert game.text(game.parse("take k w b back r j")) == "take white blue black back red joker"


def test_doing_nothing_passes_the_turn():
    game, state = beginning()
    made = record(state)
    assert game.offers.actions().do_nothing(made, 0, Rng(0)) == 1
    passed = game.state(bytes(made.memory))
    assert passed.movers == (1,)
    assert edited(passed, lambda each: setattr(each, "tick", 0)) == state
