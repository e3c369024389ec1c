"""Pictures for a page: what a state looks like as SVG, and which of its sites a move is made by clicking on."""

from __future__ import annotations

from ludarium.core import Game, Role, State
from ludarium.drawing.grid import Grid, draw_grids
from ludarium.drawing.sites import Steps, click_steps, sites_in
from ludarium.drawing.text import grids_in

__all__ = ["Grid", "Steps", "click_steps", "draw_grids", "moves_on", "picture_svg", "sites_in"]


def picture_svg(game: Game, state: State, role: Role | None = None) -> str:
    """Draw a state as SVG; for a role, only what that role sees.

    A game that offers no drawing of its own is drawn from its picture in letters: boards as boards, the rest as lines.

    >>> from ludarium import game
    >>> nim = game("tic-tac-toe")
    >>> picture_svg(nim, nim.initial())[:4], sorted(sites_in(picture_svg(nim, nim.initial())))[:2]
    ('<svg', ['a1', 'a2'])
    """
    if game.offers.svg is not None:
        return game.offers.svg(state, role)
    grids, lines = grids_in(game.picture(state, role))
    return draw_grids(grids, lines, game.roles, symbols=game.offers.symbols, title=game.name)


def moves_on(game: Game, state: State, role: Role, svg: str) -> dict[int, Steps]:
    """Say for every legal move of a role which sites of a picture to click on, one after the other; none if it has no place."""
    sites = sites_in(svg)
    own = game.offers.sites
    if own is not None:
        return {move: tuple((site,) for site in own(move) if site in sites) for move in state.legal(role)}
    return {move: click_steps(game.notation(move), sites) for move in state.legal(role)}
