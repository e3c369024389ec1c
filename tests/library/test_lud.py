"""Our games in Ludii's language, rule by rule: after some moves, what is allowed, or how it ended.

A move is written without what only tells rules apart (`e2-e4`, not `e2-e4 #2`; `d1-d2`, not `queen d1-d2`), as long as that names one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from ludarium import library
from ludarium.catalog import game
from ludarium.core import Game, Rng, State
from ludarium.ludii.game import LudGame
from ludarium.ludii.solving import solve


@cache
def made(spec: str) -> Game:
    return game(spec)


def plain(text: str) -> str:
    """A move without the number of its rule, the piece that moves, and the way that it goes."""
    words = [word for word in text.split() if not word.startswith(("#", "first=", "over=", "between=", "stops="))]
    moves = len(words) > 1 and "-" in words[1] and words[0] not in ("select", "copy")
    return " ".join(words[1:] if moves else words)


def follow(spec: str, moves: str) -> tuple[State, Game]:
    """The state after some moves, with semicolons between."""
    played = made(spec)
    state = played.initial(Rng(1))
    for text in filter(None, (" ".join(each.split()) for each in moves.split(";"))):
        fitting = [
            move for move in state.legal(state.movers[0]) if text in (plain(played.text(move)), played.text(move))
        ]
        assert len(fitting) == 1, f"{text}: {sorted(plain(played.text(move)) for move in state.legal(state.movers[0]))}"
        state = state.after(fitting[0])
    return state, played


RULES = tomllib.loads(Path(__file__).with_name("lud.toml").read_text(encoding="utf-8"))["rule"]


def holds(state: State, played: Game, expected: str) -> bool:
    kind, _, rest = expected.partition(" ")
    if kind in ("wins", "draw"):
        best = 1.0 if kind == "wins" else 0.5
        winners = [role for role, value in zip(played.roles, state.utilities(), strict=True) if value == best]
        return state.over and (winners == [rest] if kind == "wins" else len(winners) == len(played.roles))
    if kind == "mover":
        return [played.roles[role] for role in state.movers] == [rest]
    if kind == "shows":
        return rest in " ".join(played.picture(state).split())
    legal = {plain(played.text(move)) for move in state.legal(state.movers[0])}
    named = {each.strip() for each in rest.split(",")}
    return {"legal": legal == named, "has": named <= legal, "lacks": not named & legal}[kind]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule['game']} {rule['then'].strip()}")
def test_a_rule_of_a_game(rule: dict[str, str]) -> None:
    state, played = follow(rule["game"], rule["moves"])
    assert holds(state, played, " ".join(rule["then"].split())), played.picture(state)


class Step:
    """A move of a random match: who made it, from where to where, and who moves then."""

    def __init__(self, played: Game, state: State, rng: Rng) -> None:
        self.mover = state.movers[0]
        self.legal = [plain(played.text(move)) for move in state.legal(self.mover)]
        choice = rng.choice(range(len(self.legal)))
        self.text = self.legal[choice]
        self.state = state.after(state.legal(self.mover)[choice], rng)
        self.start, _, self.end = self.text.split()[0].partition("-")
        self.again = not self.state.over and self.state.movers[0] == self.mover


def enters_on_a_six(before: Step, step: Step) -> bool | None:
    return step.again and step.end == ("i2", "g14")[step.mover] if step.start.startswith("hand") else None


def enters_before_anything_else(before: Step, step: Step) -> bool | None:
    bar = any(text.startswith("hand") for text in step.legal)
    return all(text.startswith("hand") for text in step.legal) if bar else None


def nobody_stays_in_the_water(before: Step, step: Step) -> bool | None:
    return not any(text.startswith("g1-") for text in step.legal) if before.end == "g1" else None


def a_rosette_gives_another_throw(before: Step, step: Step) -> bool | None:
    return step.again == (step.end in ("a1", "a3", "d2", "g1", "g3")) if step.end and not step.state.over else None


def a_goose_leads_on(before: Step, step: Step) -> bool | None:
    return step.again if step.end in ("e1", "i1", "e2", "a2", "i3") else None


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("ludo", enters_on_a_six),
        ("backgammon", enters_before_anything_else),
        ("senet", nobody_stays_in_the_water),
        ("royal-game-of-ur", a_rosette_gives_another_throw),
        ("goose", a_goose_leads_on),
    ],
)
def test_a_rule_of_a_game_with_dice(spec: str, rule: Callable[[Step, Step], bool | None]) -> None:
    played, told = made(spec), []
    for seed in range(12):
        rng = Rng(seed)
        state, steps = played.initial(rng), list[Step]()
        while not state.over:
            steps.append(Step(played, state, rng))
            state = steps[-1].state
        told += [rule(*pair) for pair in pairwise(steps)]
    assert True in told
    assert False not in told


@pytest.mark.parametrize("spec", ['eight-queens(options="Size/4")', "latin-square", 'latin-square(options="Size/5x5")'])
def test_a_puzzle_has_a_solution(spec: str) -> None:
    played = made(spec)
    assert isinstance(played, LudGame)
    state = played.initial()
    for move in solve(played) or ():
        state = state.after(move)
    assert state.over
    assert state.utilities() == (1.0,)


def test_ghosts_are_seen_by_all_but_what_they_are_by_their_owners() -> None:
    played = made("ghosts")
    state = played.initial(Rng(5))
    blue, red = (re.findall(r"[GgEe?]", played.picture(state, role).partition("\n   a")[0]) for role in (0, 1))
    assert sorted(blue) == ["?"] * 8 + ["E"] * 4 + ["G"] * 4
    assert sorted(red) == ["?"] * 8 + ["e"] * 4 + ["g"] * 4


def laid_out(seed: int) -> tuple[State, Game]:
    """A sea battle after both fleets were laid out at random."""
    played, rng = made("sea-battle"), Rng(seed)
    state = played.initial()
    for _ in range(10):
        state = state.after(rng.choice(state.legal(state.movers[0])))
    return state, played


def sea(played: Game, state: State, role: int | None = None) -> dict[str, str]:
    """What is on each square, as letters."""
    rows = [line.split() for line in played.picture(state, role).split("\n")[:10]]
    return {f"{'abcdefghijklmnopqrst'[x]}{row[0]}": cell for row in rows for x, cell in enumerate(row[1:])}


@pytest.mark.parametrize("seed", range(3))
def test_fleets_lie_straight_in_their_own_waters_and_are_not_seen(seed: int) -> None:
    state, played = laid_out(seed)
    there = sea(played, state)
    for role, waters in enumerate(("abcdefghij", "klmnopqrst")):
        mine = {square: cell for square, cell in there.items() if square[0] in waters}
        parts = [cell for cell in mine.values() if cell != "."]
        assert sorted(parts.count(part) for part in set(parts)) == [2, 3, 3, 4, 5]
        for part in set(parts):
            held = [square for square, cell in mine.items() if cell == part]
            assert len({square[0] for square in held}) == 1 or len({square[1:] for square in held}) == 1
        seen = sea(played, state, 1 - role)
        assert all(seen[square] == "." for square in mine)
        assert all(sea(played, state, role)[square] == cell for square, cell in mine.items())


def test_a_shot_tells_the_part_of_a_ship_or_water_and_the_last_part_decides() -> None:
    state, played = laid_out(1)
    there = sea(played, state)
    fleet = [square for square, cell in there.items() if square[0] in "klmnopqrst" and cell != "."]
    water = [square for square, cell in there.items() if square[0] in "abcdefghij" and cell == "."]
    assert len(state.legal(0)) == 100
    wrecks = set()
    for square, miss in zip(fleet, water, strict=False):
        assert not state.over
        state = state.after(played.parse(f"select {square}"))
        wrecks.add(sea(played, state, 0)[square])
        assert f"select {square}" not in [played.text(move) for move in state.legal(0)]
        if not state.over:
            state = state.after(played.parse(f"select {miss}"))
            assert sea(played, state, 1)[miss] == "."
    assert state.over
    assert state.utilities() == (1.0, 0.0)
    assert len(wrecks) == 5
    assert "." not in wrecks


@pytest.mark.parametrize(("first", "second", "score"), [(0, 0, "1 1, 2 0"), (1, 0, "1 0, 2 1"), (1, 1, "1 1, 2 0")])
def test_fingers_are_shown_at_once_and_their_sum_decides(first: int, second: int, score: str) -> None:
    played = made("odds-and-evens")
    state = played.initial()
    state = state.after({0: state.legal(0)[first], 1: state.legal(1)[second]})
    assert played.picture(state).endswith(f"score: {score}")


def test_sim_is_lost_with_the_first_triangle_of_own_lines() -> None:
    played, lines = made("sim"), list(combinations(range(6), 2))
    for seed in range(10):
        rng = Rng(seed)
        state, drawn = played.initial(), (set[int](), set[int]())
        while not state.over:
            mover, move = state.movers[0], rng.choice(state.legal(state.movers[0]))
            drawn[mover].add(int(played.text(move).split()[1]))
            state = state.after(move)
            own = {lines[k] for k in drawn[mover]}
            triangle = any({(a, b), (a, c), (b, c)} <= own for a, b, c in combinations(range(6), 3))
            assert state.over == triangle
        assert state.utilities()[mover] == 0


@pytest.mark.parametrize(("size", "boxes"), [("2x2", 4), ("3x3", 9)])
def test_every_box_is_somebodys_and_closing_one_gives_another_line(size: str, boxes: int) -> None:
    played = made(f'dots-and-boxes(options="Size/{size}")')
    for seed in range(5):
        rng = Rng(seed)
        state, before = played.initial(), 0
        while not state.over:
            mover = state.movers[0]
            state = state.after(rng.choice(state.legal(mover)))
            score = sum(map(int, re.findall(r"[12] (\d+)", played.picture(state).partition("score:")[2])))
            assert state.over or (state.movers[0] == mover) == (score > before)
            before = score
        assert before == boxes


def test_chess_goes_as_in_gdl_but_for_promotions_in_two_moves() -> None:
    ours, theirs = made("lud:chess"), made("gdl:chess")
    castling = {("O-O", 0): "e1g1", ("O-O-O", 0): "e1c1", ("O-O", 1): "e8g8", ("O-O-O", 1): "e8c8"}
    rng, seen = Rng(3), 0
    state, twin = ours.initial(), theirs.initial()
    while not state.over:
        role = state.movers[0]
        if twin.movers[0] != role:  # GDL does not ask who has no choice
            state, twin = state.after(state.legal(role)[0]), twin.after(twin.legal(twin.movers[0])[0])
            continue
        known = {castling.get((theirs.notation(move), role), theirs.notation(move)): move for move in twin.legal(role)}
        after = dict[str, State]()
        for move in state.legal(role):
            text, then = plain(ours.text(move)).replace("-", ""), state.after(move)
            if then.over or then.movers[0] != role:
                after[text] = then
                continue
            for chosen in then.legal(role):
                seen += 1
                after[f"{text}={ours.text(chosen).partition('=')[2][:-1]}"] = then.after(chosen)
        assert after.keys() == known.keys()
        name = rng.choice(sorted(after))
        state, twin = after[name], twin.after(known[name])
    assert twin.over
    assert state.utilities() == twin.utilities()
    assert seen


POINTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
RANKS = ["2", "4", "5", "6", "7", "J", "Q", "K", "3", "A"]


class Trick:
    """A match of briscola as a referee at the table follows it, who knows the order of the stock."""

    def __init__(self, shown: str) -> None:
        held = {line.partition(" holds ")[0]: line.partition(" holds ")[2].split() for line in shown.splitlines()}
        self.hands = [held["player 1"], held["player 2"]]
        self.stock = next(line for line in shown.splitlines() if line.startswith("deck: "))[6:].split(", ")
        self.trump = self.stock[0][-1]
        self.leader, self.lying, self.points = 1, list[str](), [0, 0]

    @property
    def mover(self) -> int:
        return self.leader if not self.lying else 1 - self.leader

    def play(self, card: str) -> None:
        self.hands[self.mover].remove(card)
        self.lying.append(card)
        if len(self.lying) == 2:
            first, second = self.lying
            higher = RANKS.index(second[:-1]) > RANKS.index(first[:-1])
            takes = higher if first[-1] == second[-1] else second[-1] == self.trump
            self.leader = 1 - self.leader if takes else self.leader
            self.points[self.leader] += sum(POINTS.get(each[:-1], 0) for each in self.lying)
            self.lying = []
            for who in (self.leader, 1 - self.leader) if self.stock else ():
                self.hands[who].append(self.stock.pop())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spec", ["briscola", 'briscola(options="Pack/Twenty")'])
def test_briscola_is_played_as_at_the_table(spec: str, seed: int) -> None:
    played, rng = made(spec), Rng(seed)
    state = played.initial(rng)
    table = Trick(played.picture(state))
    assert len(table.stock) == {"briscola": 34}.get(spec, 14)
    suits = {"c": "clubs", "s": "spades", "d": "diamonds", "h": "hearts"}
    assert [played.text(move) for move in state.legal(0)] == [f"trump {suits[table.trump]}"]
    state = state.after(state.legal(0)[0], rng)
    while not state.over:
        assert state.movers == (table.mover,)
        legal = state.legal(table.mover)
        assert [played.text(move) for move in legal] == [f"play {card.lower()}" for card in table.hands[table.mover]]
        shown = played.picture(state, 1 - table.mover)
        assert f"player {table.mover + 1} holds {' '.join('?' * len(legal))}\n" in shown + "\n"
        choice = rng.choice(range(len(legal)))
        table.play(table.hands[table.mover][choice])
        state = state.after(legal[choice], rng)
    assert sum(table.points) == 120
    best = [float(each > 60) if each != 60 else 0.5 for each in table.points]
    assert list(state.utilities()) == best


def test_every_game_has_a_rule_that_is_tried() -> None:
    elsewhere = {
        "breakthrough",
        "connect-four",
        "eight-puzzle",
        "hex",
        "knightthrough",
        "reversi",
        "tablut",
        "tic-tac-toe",
    }
    apart_by_cards = {"briscola"}
    dice = {"backgammon", "goose", "ludo", "oncoming", "royal-game-of-ur", "senet"}
    apart = {"dots-and-boxes", "eight-queens", "ghosts", "latin-square", "odds-and-evens", "sea-battle", "sim"}
    tried = {rule["game"].partition("(")[0].removeprefix("lud:") for rule in RULES}
    assert {*tried, *elsewhere, *dice, *apart, *apart_by_cards} == {*library.names(library.LUDII)}
