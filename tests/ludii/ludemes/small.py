"""Small games of our own that ask one ludeme something, or let it do one thing."""

from ludarium.ludii.game import from_text

GAME = """
(game "Small"
    (players 2)
    (equipment {{ (board {board}) (piece "Man" Each) (piece "Rook" Each) (piece "Wall" Neutral) {more} }})
    (rules {meta} (start {{ {start} }}) (play {play}) (end {{ {ends} }}))
)
"""


def made(play, *places, board="(square 5)", more="", meta="", start="", ends="(if (no Pieces P1) (result P2 Win))"):
    """A game with pieces in places, and one rule of play."""
    placed = " ".join(f'(place "{name}" {{{" ".join(map(str, sites))}}})' for name, sites in places)
    return from_text(GAME.format(board=board, more=more, meta=meta, start=f"{placed} {start}", play=play, ends=ends))


def selected(region, *places, **options):
    """The sites of a region, as those that can be selected."""
    game = made(f"(or (move Select (from {region})) (move Pass))", *places, **options)
    state = game.initial()
    codes = [code for code in state.legal(state.movers[0]) if game.coordinates.leaf(code).kind == "Select"]
    return sorted(game.coordinates.leaf(code).read(code, "from") for code in codes)


def worth(number, *places, **options):
    """What a number is: the one site of that number."""
    (found,) = selected(f"(sites {{ (+ 0 {number}) }})", *places, **options)
    return found


def holds(condition, *places, **options):
    """Whether a condition holds."""
    return selected(f"(if {condition} (sites {{ 0 }}) (sites {{ }}))", *places, **options) == [0]


def after(play, *places, moves=1, **options):
    """What stands where when so many moves were made: of the legal moves always the first."""
    game = made(play, *places, **options)
    state = game.initial()
    for _ in range(moves):
        state = state.after(state.legal(state.movers[0])[0])
    return standing(game, state)


def standing(game, state):
    """The names of pieces by their sites."""
    record = game.compiled.layout.state(bytearray(state.block))
    names = ["", *(each.name for each in game.model.components)]
    height = game.compiled.layout.height
    return {site: names[record.what[site * height]] for site in range(game.model.sites) if record.what[site * height]}
