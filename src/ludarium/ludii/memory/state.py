"""The layout of a state: a record with only what the rules of a game make use of, and the memory that rules work in."""

from __future__ import annotations

from typing import Any

from ludarium.kernel import Record, array, i8, i16, i32, i64, u8, u16, u64
from ludarium.ludii.grammar.binder import Array, Bound, Constant, Symbol, Value
from ludarium.ludii.memory.belonging import asks_belonging
from ludarium.ludii.model import Model, said_in, text, walk

LARGEST_STACK = 32
LARGEST_OF_ALL = 255
"""Where a board asks for large stacks."""

ACTION_ROOM = 2048
"""How many actions may wait to be done."""

FORESEEN_ROOM = 1 << 16
"""The same where rules try effects before they do them: each effect may bring all that was done before it."""

FORCED_ROOM = 256
"""How many outcomes of chance may be given instead of drawn."""

ACTION_WIDTH = 8
"""The numbers of an action: its kind first."""

MOST_KINDS = 8
"""With more kinds of pieces it is not kept where each of them stands."""

REGISTERS = ("from_", "to", "between", "site", "level", "value", "player", "track", "pips", "die", "hint")
"""What rules speak of by one word while they are evaluated; -1 where it is not set."""

_WORK = ("top", "count", "target", "deep", "real_mover", "real_next", "real_prev")

NO_NAME = ""

TRUMP = '"trump"'
"""The variable that says which suit is trumps: one that no rule can name."""


class Layout:
    """Where things are in a state of a game."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.sites = model.numbers
        """How many numbers sites have."""
        self.words = -(-self.sites // 64)
        """Of a set of sites of one type."""
        self.types = model.types
        self.block = model.block
        self.spots = self.block * len(self.types)
        """How many places there are for pieces: each site of each type has one."""
        self.spot_words = self.words * len(self.types)
        self.players = model.players
        self.stacking, self.counting = model.stacking, model.counting
        self.height = (LARGEST_OF_ALL if model.large_stacks else LARGEST_STACK) if self.stacking else 1
        self.cards = len(model.cards)
        """How many cards there are; all of them may lie on one stack."""
        self.height = max(self.height, self.cards)
        self.level_bits = 9 if self.cards > LARGEST_STACK else 6
        """Of the level of a stack in a code of a move."""
        self.vars = _names(model, ("moves:set Var", "int:var"), "name", "key")
        self.vars += [TRUMP] if model.cards and model.uses(*_TRUMPS) else []
        self.lists = _names(
            model,
            ("moves:remember Value", "moves:forget Value", "ints:values Remembered", "start:set RememberValue"),
            "name",
        )
        self.list_room = _list_room(model)
        self.large = model.large
        self.listing = _lists_heaps(model) and not self.stacking and self.counting and not self.large
        """Whether it is kept how often Ludii has a heap on its list of pieces: see `memory/listing.py`."""
        """Whether pieces cover several sites: how they lie is their local state."""
        self.local_states = (
            self.large
            or model.uses("moves:set State", "int:state", "region:sites State", "moves:flip")
            or _placed(model, "state")
        )
        self.values = model.uses("moves:set Value", "int:value Piece") or _placed(model, "value")
        self.rotations = model.uses(
            "moves:set Rotation", "moves:move Set Rotation", "int:rotation", "ints:rotations"
        ) or _placed(model, "rotation")
        self.phases = len(model.phases)
        self.ballots = sorted({said for each in walk(model.root) if each.unit in _BALLOTS for said in said_in(each)})
        """What can be proposed and voted for."""
        self.domain = model.domain
        """The least and the greatest value of the variables of a puzzle; nothing if it is none."""
        self.events = _names(model, ("moves:trigger", "bool:is Triggered"), "event")
        """What can be triggered."""
        self.hides = sorted({kind for each in walk(model.root) if each.unit in _HIDES for kind in hidden_kinds(each)})
        """What can be hidden of a site: all of it, or a part."""
        self.cycle = 3 * model.players**2 if model.uses("bool:is Cycle") else 0
        """How many states are remembered, of which three rounds are compared."""
        self.forbids = any(rule.unit == "no Repeat" for rule in model.meta)
        """Whether moves may not lead to states that are remembered."""
        self.forces = any(rule.unit == "automove" for rule in model.meta)
        """Whether moves follow by themselves that are the only ones to lead to their sites."""
        self.counts_choices = model.uses("int:count LegalMoves")
        """Whether it is kept among how many moves the last one was chosen."""
        self.spares = any(rule.unit == "no Suicide" for rule in model.meta)
        """Whether moves may not make the mover lose: it is told who has lost."""
        self.stores = model.uses("moves:remember State", "moves:avoidStoredState")
        """Whether one state is remembered that moves may be kept from."""
        self.repetition = _repetition(model)
        """Which states may not come again: in the game or in a turn, with or without regard to the mover."""
        self.history = 0 if not self.repetition else 256 if "InTurn" in self.repetition else 1250 * model.players + 2
        """How many states are remembered that may not come again."""
        self.dice = model.dice
        self.visits = model.uses("bool:is Visited")
        self.betweens = model.uses("region:last Between")
        """Whether rules ask what the last move went over."""
        self.crossing = model.crossing
        self.together = model.together
        """Whether all players choose at the same time."""
        self.touches = model.uses("region:sites LastTo") or any(_begins_everywhere(each) for each in walk(model.root))
        """Whether it is kept where all the actions of a move were."""
        self.begins = model.uses("region:sites LastFrom")
        """The same of where they began."""
        self.weighs = model.uses("moves:max Captures") or any(
            each.unit == "max Moves" and "withValue" in each.arguments for each in walk(model.root)
        )
        """Whether it is counted what moves take away, and what that is worth."""
        self.in_match = model.in_match
        """Whether it is told who has won: a match asks for it."""
        self.bets = model.uses(*_BETS)
        """Whether players have amounts to bet, and there is a pot."""
        self.swaps = model.uses("meta:swap") or model.uses("moves:move Swap Players", "moves:swap Players")
        self.clears = any(
            each.family == "moves" and _word(each.arguments.get("at")) == "EndOfTurn" for each in walk(model.root)
        ) or model.uses("region:sites ToClear")
        self.logs = any(_is_foreseen(each) for each in walk(model.root))
        """Whether actions are written down as they are done in copies, to be done later in the state itself."""
        self.action_room = FORESEEN_ROOM if self.logs else ACTION_ROOM
        """How many actions may wait to be done."""
        self.listing = self.listing and not self.hides
        plain = not (self.stacking or self.large or self.hides or self.listing) and len(self.types) == 1
        self.ordering = plain and _asks_order(model)
        """Whether it is kept in which order pieces are on Ludii's lists: see `memory/listing.py`."""
        self.ghosts = self.stacking and not self.hides and _leaves_ghosts(model)
        """Whether it is kept where Ludii has pieces on its lists that are no longer there."""
        special = self.stacking or self.counting or self.large or self.hides or self.domain or self.listing
        self.in_sets = self.spot_words == 1 and not special
        """Whether sets of bits tell what stands on sites: each holds one piece at most that everybody sees."""
        self.belonging = self.in_sets and self.local_states and asks_belonging(model)
        """Whether sets of bits tell whose pieces are by their local states."""
        self.kinds = self._kinds()
        """How many kinds of pieces there are, if it is kept where pieces of each kind stand; else 0."""
        self.state: type[Record] = self._state()

    def _kinds(self) -> int:
        """Only where players have pieces of several kinds that step, leap and hop does it pay to know all of a kind at once."""
        kinds, owners = len(self.model.components), [each.owner for each in self.model.components]
        special = self.stacking or self.counting or self.large or self.hides or self.domain
        if special or self.spot_words > 1 or kinds > MOST_KINDS or len(set(owners)) == kinds:
            return 0
        return kinds if goes_only(self.model) else 0

    def _state(self) -> type[Record]:
        many, n = self.spots * self.height, self.players + 1
        piece = u8 if len(self.model.components) < 256 else u16
        fields: dict[str, Any] = {
            "what": array(piece, many),
            "owned": array(u64, (n + 2) * self.spot_words),  # the last is nobody's
            "rank2": array(i16, n),
            "active": i32,
            "moves": i32,
            "turns": i32,
            "same_turn": i32,
            "mover": i8,
            "next": i8,
            "prev": i8,
            "over": i8,
            "winners": i8,
            "losers": i8,
            "status": i8,
            "stalemate": i32,
            "last_from": i16,
            "last_to": i16,
            "last_level": i16,
            "after_from": i16,
            "after_to": i16,
            "seen_from": i16,
            "seen_to": i16,
            "last_pass": i8,
            "turn_from": i16,
            "turn_passes": i8,
            "passed": i32,
            "last_mover": i8,
            "turn_mover": i8,
            "counter": i32,
            "temp": i32,
            "pending_count": i16,
            "pending": array(i16, self.list_room if self.model.uses("moves:set Pending") else 1),
        }
        if len(self.types) > 1 or self.model.uses("bool:is LastTo", "bool:is LastFrom"):
            fields |= {"last_from_type": i8, "last_to_type": i8}
        if self.kinds:
            fields["kinds"] = array(u64, self.kinds + 1)
        if self.logs:
            fields["logged"] = i8
        if self.ballots:
            fields |= {"proposed": i32, "decided": i8, "vote_count": i8, "vote": array(i8, n)}
        if self.domain:
            fields |= {"solved": array(i8, self.sites), "open": array(u64, self.sites)}
        if self.hides:
            fields["hidden"] = array(u64, len(self.hides) * n * self.flag_words)
        if self.events:
            fields["triggered"] = array(i32, len(self.events))
        if self.cycle:
            fields |= {"past_count": i32, "past": array(u64, self.cycle)}
        if self.stacking:
            fields["height"] = array(u8, self.spots)
        if self.counting:
            fields["count"] = array(i16, self.spots)
        if self.ghosts:
            fields["ghost"] = array(u8, (len(self.model.components) + 1) * self.spots)
        if self.listing:
            fields["listed"] = array(u8, (len(self.model.components) + 1) * self.spots)
        if self.ordering:
            fields |= {"rank": array(i16, self.spots), "ranked_as": array(piece, self.spots)}
            fields["ranked"] = array(i16, len(self.model.components) + 1)
        if self.local_states:
            fields["state"] = array(i16, many)
        if self.belonging:
            fields["belonging"] = array(u64, n)
        if self.values:
            fields["value"] = array(i32, many)
        if self.rotations:
            fields["rotation"] = array(u8, many)
        if self.phases > 1:
            fields["phase"] = array(u8, n)
        if self.vars:
            fields["var"] = array(i32, len(self.vars))
        if self.lists:
            fields["list_count"] = array(i16, len(self.lists))
            fields["list"] = array(i32, len(self.lists) * self.list_room)
        if self.model.uses(*_SCORES):
            fields["score"] = array(i32, n + 1)
        if self.model.uses("moves:set Value", "int:value Player"):
            fields["player_value"] = array(i32, n + 1)
        if self.dice:
            fields["die"] = array(u8, len(self.dice))
            fields["current"] = array(i16, len(self.dice))
            fields["dice_equal"] = i8
        if self.crossing:
            fields["on_track"] = array(
                i16, self.model.track_places * sum(not each.faces for each in self.model.components)
            )
        if self.model.uses("region:sites Start"):
            fields["started"] = array(piece, self.model.board_sites)
        if self.clears:
            fields["clear"] = array(u64, self.spot_words)
            if self.stacking:
                fields["clear_times"] = array(u8, self.spots)
        if self.betweens:
            fields["between"] = array(u64, self.words)
        if self.visits:
            fields["visited"] = array(u64, self.words)
        if self.swaps:
            fields["order"] = array(i8, n)
        if self.model.uses("start:set Team", "moves:set Team"):
            fields["team"] = array(i8, n + 1)
        if self.touches:
            fields |= {"touched": array(u64, self.words), "seen_touched": array(u64, self.words)}
        if self.begins:
            fields |= {"begun": array(u64, self.words), "seen_begun": array(u64, self.words)}
        if self.counts_choices:
            fields["choices"] = i32
        if self.stores:
            fields["stored"] = u64
        if self.weighs:
            fields |= {"taken": i32, "taken_worth": i32, "taken_tops": i32}
        if self.in_match:
            fields["won"] = i32
        if self.spares:
            fields["lost"] = i32
        if self.players > 2:
            fields["lost_now"] = i8  # in the evaluation of end rules that is under way
        if self.large:
            fields["covered"] = array(u64, self.words)
        if self.bets:
            fields |= {"pot": i32, "amount": array(i32, n)}
        if self.history:
            fields |= {"history_count": i32, "history": array(u64, self.history)}
        return make_record("State", fields)

    def context(self, copies: int, most_moves: int, chain: int = 0, *, group: bool = False) -> type[Record]:
        """The memory that rules work in, with room for so many copies of a state."""
        fields: dict[str, Any] = dict.fromkeys((*REGISTERS, *_WORK), i64)
        if self.model.uses("bool:is Pending"):
            fields["pending"] = i64
        fields["seed"] = u64
        fields["forced_count"] = i64
        fields["forced_at"] = i64
        fields["forced"] = array(i32, FORCED_ROOM)
        fields["actions"] = array(i32, self.action_room * ACTION_WIDTH)
        fields["chain"] = array(u64, max(1, chain))
        fields["seen"] = array(i32, 2 << max(4, (most_moves - 1).bit_length()))
        if self.together:
            fields["chooser"] = i64
        if group:
            fields["group"] = i64
        for name, units in (
            ("team", ("moves:forEach Team", "region:forEach Team", "start:forEach Team", "ints:team")),
            ("hinted", ("region:sites Hint",)),
        ):
            if self.model.uses(*units):
                fields[name] = i64
        if self.forces or self.counts_choices:
            fields["sole"] = array(u64, most_moves)
        if self.logs:
            fields["log_top"] = i64
            fields["log"] = array(i32, self.action_room * ACTION_WIDTH)
        fields["region"] = array(u64, self.words)
        fields["copies"] = array(u8, max(8, copies * self.copy_size))
        return make_record("Context", fields)

    @property
    def flag_words(self) -> int:
        """The words of flags that say of every piece whether something is hidden; in stacks every level has its own."""
        return -(-self.spots * self.height // 64)

    @property
    def copy_size(self) -> int:
        """The bytes of a copy of a state."""
        return -(-self.state.size // 8) * 8


_SCORES = ("moves:addScore", "moves:set Score", "int:score", "end:byScore", "start:set Score", "end:payoffs")


_BETS = ("moves:move Bet", "moves:bet", "moves:set Pot", "int:amount", "int:pot", "start:set Amount")
_TRUMPS = ("moves:set TrumpSuit", "moves:move Set", "int:card TrumpSuit")
_HIDES = ("set Hidden", "is Hidden", "sites Hidden")


def hidden_kinds(node: Bound) -> list[str]:
    """What a ludeme hides, or asks about."""
    given = node.arguments.get("dataTypes") or node.arguments.get("dataType")
    return [_word(each) for each in (given.items if isinstance(given, Array) else [given])] if given else ["Hidden"]


_BALLOTS = ("move Propose", "propose", "move Vote", "vote", "is Proposed", "is Decided")


def make_record(name: str, fields: dict[str, Any]) -> type[Record]:
    """A record with these fields."""
    listed = {key: kind for key, kind in fields.items() if type(kind).__name__ == "ArrayType"}
    plain = {key: kind for key, kind in fields.items() if key not in listed}
    made: type[Record] = type(name, (Record,), {"__annotations__": plain, "__slots__": (), **listed})
    return made


def _names(model: Model, units: tuple[str, ...], *slots: str) -> list[str]:
    """The names that these ludemes use, in a fixed order; the one without a name is empty."""
    found = set()
    for each in walk(model.root):
        if f"{each.family}:{each.unit}" in units:
            named = next((each.arguments[slot] for slot in slots if slot in each.arguments), None)
            found.add(NO_NAME if named is None else text(named))
    return sorted(found)


def _word(value: Value | None) -> str:
    return value.word if isinstance(value, Symbol) else ""


def _list_room(model: Model) -> int:
    """How many values a list may hold: more where the same one may come again, most where that is done in a loop without end."""
    sites, often = model.numbers, [each for each in walk(model.root) if each.unit == "remember Value"]
    often = [each for each in often if not _is_true(each.arguments.get("unique"))]
    if not often:
        return max(64, 2 * sites)
    loops = (inner for each in walk(model.root) if each.unit == "while" for inner in walk(each))
    return max(4096, 16 * sites) if any(inner in often for inner in loops) else max(256, 2 * sites)


def _is_true(value: Value | None) -> bool:
    return isinstance(value, Constant) and value.value is True


def _is_foreseen(node: Bound) -> bool:
    """Whether an effect is tried before it is done: captures with consequences, and what is done before others are found."""
    if node.unit == "sow":
        return "apply" in node.arguments and any("then" in each.arguments for each in walk(node.arguments["apply"]))
    return node.family == "moves" and (
        node.unit in ("seq", "while") or (node.unit == "do" and "next" in node.arguments)
    )


def _begins_everywhere(node: Bound) -> bool:
    """Whether a path on tiles is followed from all sites where something was done in the last move."""
    if {"start", "regionStart"} & node.arguments.keys():
        return False
    return node.unit == "pathExtent" or (node.unit == "is Loop" and _is_true(node.arguments.get("path")))


def _lists_heaps(model: Model) -> bool:
    """Whether heaps are moved by a number, and rules look through lists of pieces."""
    moved = any(each.unit in ("move (FromTo)", "fromTo") and "count" in each.arguments for each in walk(model.root))
    return moved and model.uses("moves:forEach Piece", "bool:no Pieces")


def _asks_order(model: Model) -> bool:
    """Whether it makes a difference in which order groups are gone through, and where each begins."""
    loops = [each for each in walk(model.root) if each.unit == "forEach Group"]
    kept = ("remember Value", "set Var")
    return any(
        part.unit in kept or (part.family, part.unit) == ("int", "from") for each in loops for part in walk(each)
    )


def _leaves_ghosts(model: Model) -> bool:
    """Whether pieces are promoted or taken at the end of a turn, and rules go through all pieces."""
    late = any(_word(each.arguments.get("at")) == "EndOfTurn" for each in walk(model.root) if each.family == "moves")
    return (late or model.uses("moves:promote", "moves:move Promote")) and model.uses("moves:forEach Piece")


def goes_only(model: Model) -> bool:
    """Whether all that players do is to step, leap and hop with one of their pieces."""
    rules = [phase.moves for phase in model.phases] + [each.moves for each in model.components if each.moves]
    chosen = [each for rule in rules for each in walk(rule, without="then") if each.family == "moves"]
    units = {each.unit for each in chosen if each.unit.startswith("move ")}
    return units <= {"move Step", "move Leap", "move Hop"} and any(each.unit == "forEach Piece" for each in chosen)


def _repetition(model: Model) -> str:
    """Which states are remembered: those that a rule above the rules forbids, or those that rules ask for."""
    asked = [each for each in walk(model.root) if each.unit in ("no Repeat", "is Repeat")]
    kinds = {_word(each.arguments.get("repetitionType")) or "Positional" for each in asked}
    if len(kinds) > 1:
        raise model.unsupported(asked[0], why="several kinds of states that come again")
    return next(iter(kinds), "")


def _placed(model: Model, slot: str) -> bool:
    """Whether pieces are put on the board with such a field."""
    return any(_gives(each, slot) for each in walk(model.root))


def _gives(node: Bound, slot: str) -> bool:
    return slot in node.arguments and (
        node.family == "start"
        or (node.signature.ludeme.names[0] in ("piece", "add", "move") and node.family != "equip")
    )
