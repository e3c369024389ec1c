"""States of Rinascimento made by hand: whoever tests a rule says only what matters for it."""

from ludarium.core import Rng
from ludarium.games.rinascimento.game import rinascimento
from ludarium.games.rinascimento.rules import packed


def words(game, **amounts):
    """Amounts by the names of types, as a word."""
    return packed(tuple(amounts.get(name, 0) for name in game.content.types))


def card(game, name):
    """The number of a card."""
    return game.content.names.index(name)


def edited(state, change):
    """The same state after a change to its record."""
    record = state.game.state_record(bytearray(state.block))
    change(record)
    return state.game.state(bytes(record.memory))


def record(state):
    """What is in a state."""
    return state.game.state_record(bytearray(state.block))


def beginning(seed=0, **parameters):
    """A game and its first state."""
    game = rinascimento(**parameters)
    return game, game.initial(Rng(seed))


def with_hand(state, role=0, jokers=0, stacks=None, **amounts):
    """Give a player tokens; unless told otherwise they are taken from the table, which keeps the number of all."""
    game = state.game

    def change(made):
        made.tokens[role] = words(game, **amounts)
        made.jokers[role] = jokers
        made.bank = game.settings.jokers - jokers
        left = {name: game.settings.stack - amounts.get(name, 0) for name in game.content.types}
        made.stacks = words(game, **(left if stacks is None else stacks))

    return edited(state, change)


def showing(state, *names):
    """Put cards face up, in the first places of their decks, and take them from the decks."""
    game = state.game

    def change(made):
        for name in names:
            number = card(game, name)
            deck = game.content.cards[number].deck
            place = deck * game.settings.face_up + sum(n[0] == name[0] for n in names[: names.index(name)])
            old = made.shown[place] - 1
            first = game.content.decks[deck].start
            here = [made.shown[deck * game.settings.face_up + k] - 1 for k in range(game.settings.face_up)]
            if number in here:
                at = deck * game.settings.face_up + here.index(number)
                made.shown[at], made.shown[place] = made.shown[place], made.shown[at]
                continue
            made.shown[place] = number + 1
            made.decks[deck] = made.decks[deck] & ~(1 << number - first) | 1 << old - first

    return edited(state, change)


def texts(state, start=""):
    """The legal moves of the player whose turn it is, as text."""
    (role,) = state.movers
    return sorted(t for t in map(state.game.text, state.legal(role)) if t.startswith(start))


def play(state, *moves, seed=0):
    """Make moves."""
    rng = Rng(seed)
    for text in moves:
        state = state.after(state.game.parse(text), rng)
    return state
