"""What a description says about its game, in plain values: players, pieces, containers, and what the rules make use of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludarium.core.problems import Place, Problem, RulesError
from ludarium.ludii.board import TYPES, Container, SiteType, Topology, build
from ludarium.ludii.board.containers import MOST_FACES
from ludarium.ludii.cards import MOST_CARDS, Card, card_of, cards_of, fault_of
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Lacking, Symbol, Value
from ludarium.ludii.grammar.checker import Rules
from ludarium.ludii.memory.kinds import PUTTING, types_in

MOST_PLAYERS = 16
"""As in Ludii."""

MOST_DICE = 64

MOST_SITES = 20_000
"""Of the board and all that is beside it."""

MOST_PIPS = 18
"""On half a domino."""

MOST_VALUE = 63
"""Of a variable of a puzzle: those that are not crossed out are the bits of a word."""

DOMINO = tuple("FRFRFLFLFRFRF")
"""The walk over a domino, which covers two times four sites: the first half, then the second."""

_NUMBER_AT_END = re.compile(r"\d+\Z")


@dataclass(frozen=True)
class Component:
    """A kind of piece; pieces of the same name that belong to several players are several kinds."""

    index: int
    name: str
    """With the number of its owner, as rules name it."""

    owner: int
    facing: str
    """The direction that it looks to, or nothing."""

    moves: Bound | None
    faces: tuple[int, ...] = ()
    """Of a die."""

    node: Bound | None = None
    walks: tuple[tuple[str, ...], ...] = ()
    """Of a large piece: the steps and turns that lead over its sites."""

    pips: tuple[int, ...] = ()
    """Of a domino: those of its first half, and of its second."""

    card: Card | None = None
    """What is printed on it, if it is a card."""

    @property
    def bare(self) -> str:
        """The name without the number of the owner."""
        return _NUMBER_AT_END.sub("", self.name)


@dataclass(frozen=True)
class Phase:
    """A part of the game with rules of its own."""

    name: str
    role: str
    moves: Value
    end: Bound | None
    next: tuple[Bound, ...]


@dataclass(frozen=True)
class Within:
    """The match that a game is part of, and what the game is worth in it to who wins."""

    rules: Rules
    worth: Bound | None = None


class Unsupported(RulesError):
    """A ludeme that cannot be played yet."""

    def __init__(self, place: Place, unit: str, why: str = "") -> None:
        self.unit = unit
        super().__init__([Problem(place, f"'{unit}' cannot be played yet" + (f": {why}" if why else ""), "")])


class Model:
    """A bound description, asked for what a compiler wants to know."""

    of_match = False
    """Whether it is that of a match, and not of a game."""

    def __init__(self, rules: Rules, within: Within | None = None) -> None:
        self.rules = rules
        self.root = rules.root
        self.within = within
        self._foreign = {id(each) for each in walk(within.worth)} if within and within.worth else set[int]()
        self.name = str(text(self.root.arguments["name"]))
        self.simulation = False
        """Whether nobody plays."""
        self.facings = self._facings()
        self.players = len(self.facings) - 1
        equipment = bound(self.root.arguments["equipment"])
        self.items = [bound(item) for item in items(equipment.arguments["items"])]
        self.topology: Topology = build(rules, self.players)
        self.sites = max(container.first + container.count for container in self.topology.containers)
        self.board_sites = self.topology.sites().count
        self._check_sizes()
        self.components = self._components()

    def unsupported(self, value: Value, unit: str = "", why: str = "") -> Unsupported:
        """The error for a ludeme that is not there yet."""
        name = unit or (f"{value.family}: {value.unit}" if isinstance(value, Bound) else repr(value))
        return Unsupported(self.place(value), name, why)

    def wrong(self, value: Value, message: str, hint: str = "") -> RulesError:
        """The error for what nobody could play."""
        return RulesError([Problem(self.place(value), message, hint)])

    def place(self, value: Value) -> Place:
        """Where something is written: in the description of the game, or of the match that it is a part of."""
        if self.within is not None and id(value) in self._foreign:
            return self.within.rules.place(value)
        return self.rules.place(value)

    @property
    def in_match(self) -> bool:
        """Whether the game is part of a match."""
        return self.within is not None

    def _check_sizes(self) -> None:
        """Refuse what has no sites, or more than can be played with."""
        containers = self.topology.containers
        if self.board_sites == 0:
            raise self.wrong(containers[0].items[0], "the board has no sites")
        if self.sites > MOST_SITES:
            largest = max(containers, key=lambda each: each.count)
            raise self.wrong(largest.items[0], f"there are {self.sites:,} sites", f"{MOST_SITES:,} are possible")
        for each in containers[1:]:
            if each.count < 1:
                raise self.wrong(each.items[0], f"a {each.kind} of {each.count} sites holds nothing")
        dice = [each for each in containers if each.kind == "dice"]
        if sum(each.count for each in dice) > MOST_DICE:
            raise self.wrong(dice[0].items[0], f"there are more than {MOST_DICE} dice")
        for each in dice:
            if any(not 1 <= len(faces) <= MOST_FACES for faces in each.faces):
                raise self.wrong(each.items[0], f"a die has 1 to {MOST_FACES:,} faces")

    @cached_property
    def units(self) -> frozenset[str]:
        """All ludemes in use, as `family:unit`."""
        said = [self.root, *([self.within.worth] if self.within and self.within.worth else [])]
        return frozenset(f"{each.family}:{each.unit}" for value in said for each in walk(value))

    def uses(self, *units: str) -> bool:
        """Whether one of these ludemes is in use."""
        return not self.units.isdisjoint(units)

    @cached_property
    def phases(self) -> tuple[Phase, ...]:
        """The phases in the order of the text; one without a name if the rules have none."""
        rules = bound(self.root.arguments["rules"])
        if "phases" not in rules.arguments:
            return (Phase("", "Shared", bound(rules.arguments["play"]).arguments["moves"], None, ()),)
        return tuple(self._phase(bound(each), rules) for each in items(rules.arguments["phases"]))

    def _phase(self, node: Bound, rules: Bound) -> Phase:
        given = node.arguments
        play = bound(given["play"]) if "play" in given else bound(rules.arguments["play"])
        after = [given["nextPhase"]] if "nextPhase" in given else items(given.get("nextPhases"))
        role = word(given["role"]) if "role" in given else "Shared"
        end = bound(given["end"]) if "end" in given else None
        return Phase(str(text(given["name"])), role, play.arguments["moves"], end, tuple(map(bound, after)))

    @property
    def end(self) -> Bound | None:
        """The end rules that hold in all phases."""
        found = bound(self.root.arguments["rules"]).arguments.get("end")
        return None if found is None else bound(found)

    @property
    def start(self) -> list[Bound]:
        """The start rules."""
        found = bound(self.root.arguments["rules"]).arguments.get("start")
        if found is None:
            return []
        given = bound(found).arguments
        return [bound(given["rule"])] if "rule" in given else [bound(each) for each in items(given["rules"])]

    @property
    def meta(self) -> list[Bound]:
        """The meta rules."""
        found = bound(self.root.arguments["rules"]).arguments.get("meta")
        if found is None:
            return []
        given = bound(found).arguments
        return [bound(given["rule"])] if "rule" in given else [bound(each) for each in items(given["rules"])]

    @property
    def mode(self) -> str:
        """Alternating, Simultaneous or Simulation."""
        found = self.root.arguments.get("mode")
        return "Alternating" if found is None else word(bound(found).arguments["mode"])

    @property
    def together(self) -> bool:
        """Whether all players choose at the same time."""
        return self.mode == "Simultaneous"

    @cached_property
    def stacking(self) -> bool:
        """Whether sites hold stacks of pieces, as they always do where there are cards."""
        return bool(self.cards) or any(_stacks(each) for each in walk(self.root))

    @property
    def large_stacks(self) -> bool:
        """Whether a board is made for stacks of any height."""
        asked = (each.arguments.get("largeStack") for each in self.items)
        return any(isinstance(each, Constant) and each.value is True for each in asked)

    @cached_property
    def counting(self) -> bool:
        """Whether sites hold several pieces of a kind without an order."""
        if self.stacking:
            return False
        return any(container.kind != "board" for container in self.topology.containers) or any(
            _counts(each) for each in walk(self.root)
        )

    @cached_property
    def types(self) -> tuple[SiteType, ...]:
        """The types of sites of the board that pieces may stand on: the usual one, and those that rules put pieces on."""
        usual: SiteType = self.topology.default_type
        named = {kind for node in walk(self.root) if node.unit in PUTTING for kind in types_in(node)}
        return (usual, *(kind for kind in TYPES if kind in named and kind != usual))

    @cached_property
    def numbers(self) -> int:
        """How many numbers sites have, of whatever type they are: rules name sites by numbers only."""
        if self.uses("moves:satisfy"):
            return self.sites
        named = {kind for node in walk(self.root) for kind in types_in(node)}
        return max(self.sites, *(self.topology.sites(kind).count for kind in named), 0)

    @property
    def block(self) -> int:
        """How far the spots of one type of sites are from those of the next, where there are several."""
        return -(-self.numbers // 64) * 64 if len(self.types) > 1 else self.numbers

    def spot(self, kind: SiteType, site: int) -> int:
        """Where a state keeps what stands on a site; -1 if there is no such site of a type that is played on."""
        hands = self.topology.containers[1:2]
        if kind == self.types[0] or (kind == "Cell" and hands and site >= hands[0].first):
            return site if 0 <= site < self.sites else -1
        if kind not in self.types or not 0 <= site < self.topology.sites(kind).count:
            return -1
        return self.block * self.types.index(kind) + site

    def site(self, spot: int) -> tuple[SiteType, int]:
        """The type and the number of the site of a spot; hands hold cells."""
        kind, site = self.types[spot // self.block], spot % self.block
        return ("Cell" if kind == self.types[0] and site >= self.board_sites else kind), site

    @cached_property
    def crossing(self) -> bool:
        """Whether rules ask how far pieces are on tracks of which one crosses itself."""
        asked = self.uses("int:trackSite Move", "int:count StepsOnTrack")
        return asked and any(track.internal_loop for track in self.topology.tracks)

    @property
    def large(self) -> bool:
        """Whether there are pieces that cover several sites."""
        return any(each.walks for each in self.components)

    @cached_property
    def cards(self) -> tuple[Component, ...]:
        """The kinds that are cards."""
        return tuple(each for each in self.components if each.card)

    @property
    def decks(self) -> list[tuple[Container, list[Component]]]:
        """The decks, and which cards belong to each."""
        decks = [each for each in self.topology.containers if each.kind == "deck"]
        return [(deck, [each for each in self.cards if each.node is deck.items[0]]) for deck in decks]

    @property
    def dominoes(self) -> list[Component]:
        """The kinds that are dominoes; there is one piece of each."""
        return [each for each in self.components if each.pips]

    @property
    def track_places(self) -> int:
        """How many places all tracks have."""
        return sum(len(track.sites) for track in self.topology.tracks)

    @cached_property
    def domain(self) -> tuple[int, int] | None:
        """The least and the greatest value that variables of a puzzle have; nothing if the game is no puzzle."""
        if not self.uses("moves:satisfy"):
            return None
        for item in self.items:
            if "values" in item.arguments:
                given = bound(bound(item.arguments["values"]).arguments["range"]).arguments
                least, most = number(given["min"]), number(given.get("max", given["min"]))
                if not 0 <= least <= most <= MOST_VALUE:
                    raise self.wrong(item, f"values go from {least} to {most}", f"0 to {MOST_VALUE} are possible")
                return least, most
        raise self.unsupported(self.root, "satisfy", "the board has no values")

    def owner_of(self, container: Container) -> int:
        """The player whose container it is; one more than the players if it belongs to all."""
        return self.players + 1 if container.role in ("Shared", "All") else container.owner

    @property
    def dice(self) -> list[tuple[int, Component]]:
        """The dice: their sites and what they are."""
        found = []
        dies = iter(each for each in self.components if each.faces)
        for container in self.topology.containers:
            if container.kind == "dice":
                found += [(container.first + k, next(dies)) for k in range(container.count)]
        return found

    def owned(self, name: str, owner: int) -> Component | None:
        """The first piece of a player whose name contains a text."""
        return next((each for each in self.components if each.owner == owner and name in each.name), None)

    def named(self, name: str) -> Component | None:
        """The piece of exactly this name."""
        return next((each for each in self.components if each.name == name), None)

    def _facings(self) -> list[str]:
        """The directions of the players, from number 1 on."""
        given = bound(self.root.arguments["players"]).arguments
        if "players" in given:
            listed = [bound(each) for each in items(given["players"])]
            facings = ["", *(word(each.arguments["dirn"]) if "dirn" in each.arguments else "" for each in listed)]
        else:
            declared = int(number(given["numPlayers"]))
            facings = [""] * (1 + min(declared, MOST_PLAYERS + 1)) if declared >= 0 else []
        if len(facings) == 1:  # nobody plays: one role looks on
            self.simulation = True
            return ["", ""]
        if not 1 <= len(facings) - 1 <= MOST_PLAYERS:
            raise self.wrong(self.root.arguments["players"], f"a game is for 0 to {MOST_PLAYERS} players")
        return facings

    def _components(self) -> list[Component]:
        """All kinds of pieces, numbered from 1."""
        found: list[Component] = []
        beside = self.topology.containers[1:]
        for container in (each for each in beside if each.kind == "deck"):
            self._deck(container, found)
        dice = [(each.owner, faces) for each in beside if each.kind == "dice" for faces in each.faces]
        for number, (owner, faces) in enumerate(dice, 1):
            found.append(Component(len(found) + 1, f"Die{number}", owner, "", None, faces))
        equipped = [each for each in self.items if each.family == "equip"]
        for item in equipped:
            if item.signature.ludeme.names[0] == "dominoes":
                self._dominoes(item, found)
        for item in equipped:
            self._equipped(item, found)
        if not found and not self.uses("moves:satisfy"):  # then each player has a kind of his own
            found = [Component(player, f"Ball{player}", player, "", None) for player in range(1, self.players + 1)]
        return found

    def _equipped(self, item: Bound, found: list[Component]) -> None:
        """The kinds of pieces that an item of the equipment is."""
        kind, other = item.signature.ludeme.names[0], "other" in item.arguments
        if kind == "piece" or (kind == "tile" and not other):
            self._pieces(item, found)
        elif kind == "card" and not other:
            if len(found) + self.players > MOST_CARDS:
                raise self.wrong(item, "there are too many cards and pieces", f"{MOST_CARDS} are possible with cards")
            self._pieces(item, found, card_of(item, number(item.arguments["suit"])))
        elif (kind == "deck" and other) or kind in ("tile", "card", "domino", "die", "component"):
            raise self.unsupported(item)

    def _dominoes(self, item: Bound, found: list[Component]) -> None:
        """All pairs of numbers, the lower one first; they belong to all."""
        most = number(item.arguments["upTo"]) if "upTo" in item.arguments else 6
        if not 0 <= most <= MOST_PIPS:
            raise self.wrong(item, f"dominoes go up to {most}", f"0 to {MOST_PIPS} pips are possible")
        for a in range(most + 1):
            for b in range(a, most + 1):
                name, of = f"Domino{a}{b}", self.players + 1
                found.append(Component(len(found) + 1, name, of, "", None, (), item, (DOMINO,), (a, b)))

    def _deck(self, container: Container, found: list[Component]) -> None:
        """The cards of a deck; they belong to whom the deck belongs to."""
        item = container.items[0]
        if fault := fault_of(item):
            raise self.wrong(item, *fault)
        owner = self._owner_of_cards(item, container.role)
        if any(each.card and each.owner == owner for each in found):
            raise self.wrong(item, "a second deck for the same owner", "list all cards in one deck")
        mark = "" if owner == self.players + 1 or (self.players == 1 and owner != 0) else str(owner)
        for number, card in enumerate(cards_of(item), len(found) + 1):
            found.append(Component(len(found) + 1, f"Card{number}{mark}", owner, "", None, node=item, card=card))

    def _owner_of_cards(self, item: Bound, role: str) -> int:
        """Whom a deck belongs to: one player, nobody, or all; Ludii knows no deck for each."""
        owners = self.owners(item, role) if role != "Each" else []
        if len(owners) != 1 or owners[0] > self.players + 1 or role == f"P{self.players + 1}":
            raise self.wrong(item, f"a deck cannot belong to {role}", "Shared, Neutral and players are possible")
        return owners[0]

    def _pieces(self, item: Bound, found: list[Component], card: Card | None = None) -> None:
        given = item.arguments
        usual = "Shared" if item.signature.ludeme.names[0] == "tile" else "Each"
        role = word(given["role"]) if "role" in given else usual
        facing = word(given["dirn"]) if "dirn" in given else ""
        moves = bound(given["generator"]) if "generator" in given else None
        name = str(text(given["label" if card else "name"]))
        walks = [given["walk"]] if "walk" in given else items(given.get("walks"))
        steps = tuple(tuple(word(step) for step in items(walk)) for walk in walks)
        for owner in self.owners(item, role):
            shared = owner == self.players + 1 or (self.players == 1 and owner != 0)
            full = name if shared else f"{name}{owner}"
            found.append(Component(len(found) + 1, full, owner, facing, moves, (), item, steps, card=card))

    def owners(self, node: Value, role: str) -> list[int]:
        """The players that a role in the equipment means."""
        if role == "Each":
            return list(range(1, self.players + 1)) if not self.simulation else []
        if role in ("Shared", "All"):
            return [self.players + 1]
        if role == "Neutral":
            return [0]
        if re.fullmatch(r"P\d+", role):
            return [int(role[1:])]
        raise self.unsupported(node, f"role {role}")


def _stacks(node: Bound) -> bool:
    """Whether a ludeme only makes sense with stacks."""
    given = node.arguments
    if node.unit in _STACK_UNITS or (node.unit == "place Random" and "where" in given):
        return True
    if node.unit == "forEach Piece" and "top" in given:
        return True
    stack = given.get("stack")
    if isinstance(stack, Constant) and stack.value is True:
        return True
    if node.unit in ("move (FromTo)", "fromTo"):  # other ludemes may name levels without stacks
        return "level" in bound(given["from"]).arguments
    return False


_STACK_UNITS = frozenset(
    ["place Stack", "count Stack", "size Stack", "topLevel", "level", "forEach Level", "where Level"]
)


def _counts(node: Bound) -> bool:
    if node.unit == "place Random":
        return False
    if node.family == "start":
        return "count" in node.arguments or "counts" in node.arguments or node.unit == "set Count"
    return node.unit in ("count (CountNumber)", "sow", "set Count", "mancalaBoard") or (
        node.family == "moves" and "count" in node.arguments
    )


def walk(value: Value, without: str = "") -> Iterator[Bound]:
    """All ludemes below a value, each once; what stands in arguments of one name may be left out."""
    seen: set[int] = set()
    waiting: list[Value] = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Array):
            waiting += each.items
        elif isinstance(each, Bound) and id(each) not in seen:
            seen.add(id(each))
            yield each
            waiting += (given for name, given in each.arguments.items() if name != without)


def rolls(value: Value) -> bool:
    """Whether dice are rolled by a rule itself, and not only by the consequences of its moves."""
    return any(each.unit == "roll" for each in walk(value, without="then"))


def words_in(value: Value) -> Iterator[str]:
    """The words that stand somewhere below a value."""
    for each in walk(value):
        for given in each.arguments.values():
            words = given.items if isinstance(given, Array) else [given]
            yield from (item.word for item in words if isinstance(item, Symbol))


def mentions(value: Value, name: str) -> bool:
    """Whether a word stands somewhere below a value."""
    return any(each == name for each in words_in(value))


def bound(value: Value | None) -> Bound:
    """A value that is a ludeme."""
    assert isinstance(value, Bound), value
    return value


def items(value: Value | None) -> Sequence[Value]:
    """The values of an array; none if there is no array."""
    if value is None:
        return ()
    assert isinstance(value, Array), value
    return value.items


def word(value: Value | None) -> str:
    """A value that is a word."""
    assert isinstance(value, Symbol), value
    return value.word


def text(value: Value | None) -> str:
    """A value that is a string."""
    assert isinstance(value, Constant)
    assert isinstance(value.value, str), value
    return value.value


def said_in(node: Bound) -> list[str]:
    """What a ludeme proposes, votes for or asks about."""
    slots = ("message", "proposition", "vote", "string", "messages", "propositions", "votes")
    given = next((node.arguments[slot] for slot in slots if slot in node.arguments), None)
    if given is None:
        raise Lacking(node, "message")
    return [text(each) for each in items(given)] if isinstance(given, Array) else [text(given)]


def number(value: Value | None) -> int:
    """A value that is a plain number."""
    assert isinstance(value, Constant), value
    return int(value.value)
