"""What every game promises: random matches are played and everything that a game answers is checked.

A check raises a `CheckFailed` that names the game, the match so far and what is wrong.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from ludarium.core import (
    TOGETHER,
    BadParameter,
    Game,
    IllegalMove,
    LudariumError,
    Rng,
    Role,
    State,
    Traits,
)
from ludarium.core.answers import checked_legal, checked_text
from ludarium.drawing import picture_svg
from ludarium.kernel import KernelGame, KernelState, mode, using
from ludarium.testing.failure import failing_as
from ludarium.testing.games import Named, makers
from ludarium.testing.table import check_own_playout, check_playouts, check_ways, random_joint

Swap = Callable[[State, Role, Rng], State]
"""Makes a state that a role cannot tell from this one by anything it has seen so far."""

SUCCESSORS = 6  # joint moves tried from each state, besides the one that is played
DEALS = 24  # beginnings compared for what they hide


def check_game(
    game: Named,
    *,
    seeds: Iterable[int] = range(4),
    plies: int = 300,
    hidden_swap: Swap | None = None,
) -> None:
    """Play random matches of a game and check everything that a game promises.

    `hidden_swap`, or a method of the game by that name, changes what a role must not know: nothing that the
    role is shown may change by that.
    """
    (make,) = makers(game)
    game = make()
    seeds = list(seeds)
    hidden_swap = hidden_swap or getattr(game, "hidden_swap", None)
    # Machine code without bounds checks comes last: by then its wrong indices have been found.
    with failing_as(f"game '{game.name}'"), using("check" if mode() == "native" else mode()):
        _check_facts(game)
        record = _Record()
        for seed in seeds:
            _check_match(game, seed, plies, record, hidden_swap)
        _check_beginnings(game, seeds[0], record)
        _check_deals(game, seeds[0], plies)
        check_playouts(game, seeds)
        if isinstance(game, KernelGame):
            if "playout" in game.kernels:
                check_own_playout(game, seeds[0])
            check_ways(game, seeds[:2], plies)


@dataclass
class _Record:
    """What all matches together have shown."""

    known: dict[tuple[object, ...], State] = field(default_factory=dict)  # what a role knows -> the state
    hashes: dict[int, State] = field(default_factory=dict)
    total: float | None = None  # of the utilities
    drawn: bool = False


@dataclass(frozen=True)
class _Seen:
    """What each role was shown, and did, on the way to a state."""

    shown: tuple[tuple[bytes, ...], ...]
    played: tuple[tuple[int, ...], ...]

    @classmethod
    def at(cls, state: State) -> _Seen:
        roles = range(len(state.game.roles))
        return cls(tuple((state.observe(role),) for role in roles), tuple(() for _ in roles))

    def then(self, joint: dict[Role, int], state: State) -> _Seen:
        roles = range(len(state.game.roles))
        shown = tuple((*self.shown[role], state.observe(role)) for role in roles)
        return _Seen(shown, tuple((*self.played[r], joint[r]) if r in joint else self.played[r] for r in roles))


# The game itself


def _check_facts(game: Game) -> None:
    assert game.name == game.name.strip(), f"the name {game.name!r} has blanks around it"
    assert game.name, "it has no name"
    assert isinstance(game.roles, tuple), f"its roles are a {type(game.roles).__name__}, not a tuple"
    assert game.roles, "it has no roles"
    assert len(set(game.roles)) == len(game.roles), f"two of its roles have one name: {game.roles}"
    assert isinstance(game.traits, Traits), "its traits are no Traits"
    assert game.max_moves > 0, f"its max_moves is {game.max_moves}"
    for wrong in ("", "?!", "no such move"):
        with _expecting(IllegalMove, f"parse({wrong!r})"):
            game.parse(wrong)


def _check_beginnings(game: Game, seed: int, record: _Record) -> None:
    for deal in range(DEALS):
        first = game.initial(Rng.keyed(seed, "deal", deal))
        again = game.initial(Rng.keyed(seed, "deal", deal))
        assert first == again, "the same seed gives another beginning: chance comes from rng alone"
        _check_known(first, _Seen.at(first), record)
    if game.traits.deterministic:
        rng = Rng(seed)
        before = rng.words[:]
        states = [game.initial(rng), game.initial(Rng(seed + 1)), game.initial()]
        assert states[0] == states[1] == states[2], "it says deterministic, but its beginning differs"
        assert rng.words == before, "it says deterministic, but its beginning draws from rng"


# One match


def _check_match(game: Game, seed: int, plies: int, record: _Record, swap: Swap | None) -> None:
    state = game.initial(Rng.keyed(seed, "begin"))
    seen = _Seen.at(state)
    moves: list[str] = []
    longest = game.traits.max_plies
    for ply in range(plies):
        with failing_as(f"seed {seed}, after {' '.join(moves) or 'no move'}"):
            _check_state(state, record)
            _check_known(state, seen, record)
            if swap is not None:
                _check_swap(state, swap, Rng.keyed(seed, "swap", ply))
            if state.over:
                break
            assert longest is None or ply < longest, f"it says max_plies={longest}, but goes on"
            _check_refusals(state)
            joint = random_joint(state, Rng.keyed(seed, "move", ply))
            following = _check_step(state, joint, seed, ply)
            _check_successors(state, seen, seed, ply, record)
            seen = seen.then(joint, following)
            moves.append(TOGETHER.join(game.text(move) for move in joint.values()))
            state = following


def _check_state(state: State, record: _Record) -> None:
    game = state.game
    roles = range(len(game.roles))
    movers = state.movers
    assert isinstance(movers, tuple | list), f"movers are {movers!r}, and no tuple of roles"
    assert list(movers) == sorted(set(movers) & set(roles)), f"movers are {movers}, of roles 0 to {len(roles) - 1}"
    assert not game.traits.turn_taking or len(movers) <= 1, f"it says turn_taking, but {len(movers)} roles move at once"
    for role in roles:
        _check_legal(state, role, must=role in movers)
        first, again = state.observe(role), state.observe(role)
        assert first == again, f"two looks of {game.roles[role]} at one state differ: {first!r}, then {again!r}"
        assert isinstance(first, bytes), f"observe gives a {type(first).__name__}, not bytes"
        assert game.picture(state, role).strip(), f"the picture for {game.roles[role]} is empty"
    assert game.picture(state).strip(), "the picture is empty"
    if not record.drawn:
        record.drawn = True  # one will do: there are many states
        _check_drawing(state)
    _check_utilities(state, record)
    other = record.hashes.setdefault(hash(state), state)
    if isinstance(state, KernelState):
        assert other == state, "two different states have one hash: searches would mix them up"


def _check_drawing(state: State) -> None:
    """An SVG image, in which every site has a name of its own."""
    svg = picture_svg(state.game, state)
    try:
        root = ET.fromstring(svg)  # noqa: S314  # by the game itself
    except ET.ParseError as problem:
        raise AssertionError(f"the drawing is no SVG image: {problem}") from None
    assert root.tag.endswith("svg"), f"the drawing is no SVG image, but a {root.tag}"
    names = [each.get("data-site") for each in root.iter() if each.get("data-site") is not None]
    twice = next((name for name in names if names.count(name) > 1), None)
    assert twice is None, f"two sites of the drawing are called {twice!r}"


def _check_legal(state: State, role: Role, *, must: bool) -> None:
    game, name = state.game, state.game.roles[role]
    legal = list(checked_legal(game, role, state.legal(role)))
    assert legal or not must, f"{name} is to move, but has no legal move"
    assert len(set(legal)) == len(legal), f"a legal move of {name} is listed twice: {legal}"
    count, most = len(legal), game.max_moves
    assert count <= most, f"{name} has {count} legal moves, more than it announced (max_moves={most})"
    state.legal(role).clear()
    assert state.legal(role) == legal, f"the legal moves of {name} changed by asking again"
    texts: dict[str, int] = {}
    for move in legal:
        assert 0 <= move < 2**64, f"move {move} is no 64-bit code"
        text = checked_text(game, move)
        assert text == text.strip() != "", f"the text of move {move} is {text!r}"
        assert TOGETHER not in text, f"the text {text!r} of a move holds {TOGETHER!r}, which joins moves"
        assert "\n" not in text, f"the text {text!r} of a move has two lines"
        assert texts.setdefault(text, move) == move, f"two legal moves are written {text!r}"
        back = game.parse(text)
        assert back == move, f"move {move} is written {text!r}, which reads as move {back}"


def _check_utilities(state: State, record: _Record) -> None:
    game, values = state.game, state.utilities()
    assert len(values) == len(game.roles), f"{len(values)} utilities for {len(game.roles)} roles"
    assert all(0 <= value <= 1 for value in values), f"utilities go from 0 to 1; these are {values}"
    if state.over and game.traits.constant_sum:
        total = record.total = math.fsum(values) if record.total is None else record.total
        same = math.isclose(math.fsum(values), total, abs_tol=1e-9)
        assert same, f"it says constant_sum, but utilities add up to {math.fsum(values)} here and {total} elsewhere"


def _check_refusals(state: State) -> None:
    game, movers = state.game, state.movers
    rng = Rng(0)
    legal = {role: state.legal(role) for role in movers}
    joint = {role: moves[0] for role, moves in legal.items()}
    for role in movers:
        wrong = next(move for move in range(2**64 - 1, 0, -1) if move not in legal[role])
        with _expecting(IllegalMove, f"the illegal move {wrong}"):
            state.after({**joint, role: wrong}, rng)
        with _expecting(IllegalMove, f"a joint move without {game.roles[role]}"):
            state.after({r: m for r, m in joint.items() if r != role}, rng)
    for role in set(range(len(game.roles))) - set(movers):
        with _expecting(IllegalMove, f"a move of {game.roles[role]}, who is not to move"):
            state.after({**joint, role: 0}, rng)
    if not game.traits.deterministic:
        with _expecting(BadParameter, "a move without rng"):
            state.after(joint)


def _check_step(state: State, joint: dict[Role, int], seed: int, ply: int) -> State:
    before = _snapshot(state)
    following = state.after(joint, Rng.keyed(seed, "chance", ply))
    assert _snapshot(state) == before, "the move changed the state that it was made in"
    rng, untouched = Rng.keyed(seed, "chance", ply), Rng.keyed(seed, "chance", ply)
    again = state.after(joint, rng)
    assert again == following, "the same move with the same seed leads elsewhere: chance comes from rng alone"
    assert hash(again) == hash(following), "equal states have different hashes"
    assert _snapshot(again) == _snapshot(following), "equal states answer differently"
    if state.game.traits.deterministic:
        other = state.after(joint, Rng.keyed(seed, "another chance", ply))
        assert other == following == state.after(joint), "it says deterministic, but a move has several outcomes"
        assert rng.words == untouched.words, "it says deterministic, but a move draws from rng"
    if following.over:
        with _expecting(IllegalMove, "a move after the end"):
            following.after(joint, Rng(0))
    return following


def _check_successors(state: State, seen: _Seen, seed: int, ply: int, record: _Record) -> None:
    for trial in range(SUCCESSORS):
        joint = random_joint(state, Rng.keyed(seed, "trial", ply, trial))
        following = state.after(joint, Rng.keyed(seed, "trial's chance", ply, trial))
        _check_known(following, seen.then(joint, following), record)


def _snapshot(state: State) -> tuple[object, ...]:
    """Everything that a state answers."""
    roles = range(len(state.game.roles))
    shown = [(state.legal(role), state.observe(role), state.game.picture(state, role)) for role in roles]
    return state.movers, shown, state.utilities(), hash(state), str(state), getattr(state, "block", b"")


# What the roles know


def _check_known(state: State, seen: _Seen, record: _Record) -> None:
    """Compare with an earlier state that a role cannot tell from this one, if there was any."""
    for role in range(len(state.game.roles)):
        other = record.known.setdefault((role, seen.shown[role], seen.played[role]), state)
        if other == state:
            continue
        name = state.game.roles[role]
        assert not state.game.traits.perfect_information, (
            f"it says perfect_information, but two states look alike to {name}"
        )
        check_alike(other, state, role)


def check_alike(one: State, other: State, role: Role) -> None:
    """Two states that look alike to a role must offer it the same, too."""
    game, name = one.game, one.game.roles[role]
    assert (role in one.movers) == (role in other.movers), f"{name} sees the same, but is to move in one state only"
    if role in one.movers:
        same = one.legal(role) == other.legal(role)
        assert same, f"the legal moves of {name} give away what it does not see"
    same = game.picture(one, role) == game.picture(other, role)
    assert same, f"the picture for {name} gives away what it does not see"
    same = picture_svg(game, one, role) == picture_svg(game, other, role)
    assert same, f"the drawing for {name} gives away what it does not see"


def _check_swap(state: State, swap: Swap, rng: Rng) -> None:
    """Swap what is hidden: nothing that the role is shown may change."""
    for role, name in enumerate(state.game.roles):
        other = swap(state, role, rng)
        assert other.observe(role) == state.observe(role), f"what {name} observes gives away what is hidden from it"
        check_alike(state, other, role)


def _check_deals(game: Game, seed: int, plies: int) -> None:
    """Play different deals that look alike to a role with the same moves, for as long as they look alike."""
    if game.traits.perfect_information:
        return
    for role in range(len(game.roles)):
        groups: dict[bytes, list[State]] = {}
        for deal in range(DEALS):
            state = game.initial(Rng.keyed(seed, "deal", deal))
            groups.setdefault(state.observe(role), []).append(state)
        for group in groups.values():
            for other in group[1:]:
                with failing_as(f"two deals that look alike to {game.roles[role]}"):
                    _check_pair(group[0], other, role, Rng.keyed(seed, "pair", role), plies)


def _check_pair(one: State, other: State, role: Role, rng: Rng, plies: int) -> None:
    for _ in range(plies):
        if one == other or one.observe(role) != other.observe(role):
            return
        check_alike(one, other, role)
        both = {r: sorted(set(one.legal(r)) & set(other.legal(r))) for r in one.movers}
        if one.over or one.movers != other.movers or not all(both.values()):
            return
        joint = {r: rng.choice(moves) for r, moves in both.items()}
        chance = rng.split()
        one, other = one.after(joint, chance.copy()), other.after(joint, chance.copy())


@contextlib.contextmanager
def _expecting(kind: type[LudariumError], what: str) -> Iterator[None]:
    try:
        yield
    except kind:
        return
    except Exception as problem:
        raise AssertionError(f"{what} ends in {type(problem).__name__}, not {kind.__name__}: {problem}") from problem
    raise AssertionError(f"{what} is accepted; expected {kind.__name__}")
