"""Dominoes: they are dealt and drawn from a bag, and lie at the ends of a line with pips that match."""

from __future__ import annotations

from collections.abc import Mapping

from ludarium.ludii.board import Container
from ludarium.ludii.code.regions import Region, blank
from ludarium.ludii.code.script import Script, ludeme
from ludarium.ludii.code.sinks import Done, Found, act
from ludarium.ludii.grammar.binder import Bound
from ludarium.ludii.ludemes.frame.start import start_rule
from ludarium.ludii.ludemes.moving.cards import deal_cards, deals_cards
from ludarium.ludii.ludemes.moving.moves import find
from ludarium.ludii.memory import actions
from ludarium.ludii.model import Model, number, walk, word

_NEED_DOMINOES = ("start:deal", "moves:take Domino", "region:sites LineOfPlay", "bool:is PipsMatch")
_CHANGING = ("remove", "move Remove", "value Piece", "rotation", "set Count", "set Value")
"""What would bring a domino back into the bag, or ask what Ludii keeps of dominoes on sites."""


def check_dominoes(model: Model) -> None:
    """Refuse dominoes where Ludii has no line of play for them, and rules about dominoes where there are none."""
    for node in walk(model.root):
        if model.dominoes and node.unit in _CHANGING:
            raise model.unsupported(node, why="with dominoes")
        if deals_cards(node):
            continue
        about = f"{node.family}:{node.unit}" in _NEED_DOMINOES or node.unit == "deal"
        if about and not model.dominoes:
            raise model.wrong(
                node, f"'{node.unit}' is about dominoes, and there are none", "add (dominoes) to the equipment"
            )
    if not model.dominoes:
        return
    boards = [each for each in model.items if each.signature.ludeme.names[0] == "boardless"]
    node = model.dominoes[0].node or model.root
    if not boards or word(boards[0].arguments["tiling"]) != "Square":
        raise model.unsupported(node, why="on another board than (boardless Square)")
    if not model.uses("region:sites LineOfPlay"):
        raise model.unsupported(node, why="without (sites LineOfPlay)")
    if any(not each.pips for each in model.components):
        raise model.unsupported(node, why="beside other pieces")


@ludeme("region", "sites LineOfPlay")
def line_of_play(script: Script, _: Bound) -> Region:
    """Where the next domino may lie."""
    found = blank(script)
    script.line(f"line_of_play(s, {found.name})")
    return found


@ludeme("bool", "is PipsMatch")
def _pips_match(script: Script, node: Bound) -> str:
    """Whether the domino of a site, or of the last move, fits to what it touches."""
    return f"pips_match(s, {script.number(node.arguments.get('site'), 'i64(s.last_to)')})"


@start_rule("deal")
def _deal(script: Script, node: Bound) -> None:
    """Dominoes are dealt in turn, twice the number in all, as in Ludii; none if there is no hand for every player."""
    if deals_cards(node):
        deal_cards(script, node)
        return
    hands, players = _hands(script), script.layout.players
    many = dealt(node)
    if len(hands) != players:
        return
    if many > len(script.model.dominoes) or -(-many // players) > min(each.count for each in hands):
        raise script.model.wrong(node, "there are not so many dominoes, or no room for them in the hands")
    firsts = script.table([each.first for each in hands], hint="hands")
    with script.block(f"for k in range({many}):"):
        script.line("piece = in_bag(s, random_below(c, bag_size(s)))")
        script.line(f"add_piece(s, i64({firsts}[k % {players}]) + k // {players}, piece, 1, -1, -1, -1)")


def dealt(node: Bound) -> int:
    """How many dominoes a rule deals in all."""
    return 2 * (number(node.arguments["count"]) if "count" in node.arguments else 1)


@ludeme("moves", "take Domino")
def _take(script: Script, node: Bound) -> None:
    """A domino from the bag comes to the first free site of the mover's hand, if there is one."""
    if not isinstance(script.sink, Done):
        raise script.model.unsupported(node, why="drawn when moves are listed")
    owned = {each.owner: each for each in reversed(_hands(script))}
    rows = [owned.get(player) for player in range(script.layout.players + 1)]
    first = script.table([each.first if each else 0 for each in rows], hint="hands")
    count = script.table([each.count if each else 0 for each in rows], hint="sizes")
    free, at = script.out.fresh("free"), script.out.fresh("at")
    script.line(f"{free} = -1")
    with script.block(f"for {at} in range({first}[s.mover], {first}[s.mover] + {count}[s.mover]):"):
        with script.block(f"if {free} < 0 and what_at(s, {at}) == 0:"):
            script.line(f"{free} = {at}")
    left = script.local("left", "bag_size(s)")

    def push(_: str, to: str, __: Mapping[str, str]) -> None:
        act(script, actions.ADD, to, f"in_bag(s, random_below(c, {left}))", 1, 0)

    with script.block(f"if {free} >= 0 and {left} > 0:"):
        find(script, Found(node, "Add", free, free, push))


def _hands(script: Script) -> list[Container]:
    return [each for each in script.topology.containers if each.kind == "hand"]
