"""Terms that need to know the board, each against a formula in plain Python over what a state holds."""

from itertools import pairwise

import pytest

from ludarium import game, play
from ludarium.core import BadParameter, Rng, UnsupportedGame
from ludarium.evaluate import evaluator
from ludarium.evaluate.named import LUDII, TERMS
from ludarium.evaluate.score import features
from ludarium.evaluate.sheet import sheet
from ludarium.kernel import bridge
from ludarium.ludii.game import from_text

HUNT = """(game "Hunt"
    (players { (player N) (player S) })
    (equipment {
        (board (square 5))
        (piece "Hunter" Each N (or { (move Step (directions { N NE NW E W }) (to if:(is Enemy (who at:(to))) (apply (remove (to)))))
                                     (move Step (to if:(is Empty (to)))) }))
        (piece "Rock" Neutral)
        (regions "Camp" P1 (sites Bottom)) (regions "Camp" P2 (sites Top)) (regions "Middle" (sites Centre))
        (map { (pair P1 1) (pair P2 23) })
    })
    (rules
        (start { (place "Hunter1" (sites { 0 1 2 6 })) (place "Hunter2" (sites { 24 23 17 })) (place "Rock0" 12)
                 (set Score P1 2) (set Score P2 -3) })
        (play (forEach Piece))
        (end { (if (no Pieces Next) (result Mover Win)) (if (>= (count Turns) 30) (byScore)) })
    )
)"""

ROW = """(game "Row"
    (players 2)
    (equipment { (board (square 5)) (piece "Stone" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 4) (result Mover Win))))
)"""

SOW = """(game "Sow"
    (players 2)
    (equipment { (mancalaBoard 2 4 store:None (track "Track" "0,E,N,W" loop:True)) (piece "Seed" Shared)
                 (regions P1 (sites Bottom)) (regions P2 (sites Top)) })
    (rules
        (start (set Count 3 to:(sites Track)))
        (play (move Select (from (sites Mover) if:(> (count at:(from)) 0)) (then (sow))))
        (end (if (>= (count Turns) 20) (result Mover Win)))
    )
)"""

WORTH = """(game "Worth"
    (players 2)
    (equipment { (board (square 3)) (piece "Coin" Each) })
    (rules (play (move Add (to (sites Empty)) (then (set Value at:(last To) (+ 1 (last To))))))
           (end (if (is Full) (result Mover Win))))
)"""


def made(text):
    return from_text(text)


def found(this, spec, state):
    """What a term gives each role, without weights."""
    (term,) = evaluator(spec).terms
    table = bridge(this).table
    looked_at = sheet(table, [term.feature(this)], [0.0] * 2 * 3)
    block = bytearray(state.block)
    calls = features(table, block, table.movers(block), looked_at, Rng(1))
    assert calls <= term.feature(this).looks * 2
    return list(looked_at.values)


def states(this, games=3, most=25):
    """States of random games."""
    rng = Rng(5)
    for _ in range(games):
        state = this.initial(rng)
        for _ in range(most):
            if state.over:
                break
            yield state
            state = state.after({state.movers[0]: rng.choice(state.legal(state.movers[0]))}, rng)


def record(this, state):
    return this.compiled.layout.state(bytearray(state.block))


def owner(this, state):
    """Per site of the board whose piece is there; 0 for nobody's, None for none."""
    what = record(this, state).what.numbers.tolist()
    owners = [None, *(each.owner for each in this.model.components)]
    return [owners[each] for each in what[: this.model.board_sites]]


def as_mover(this, state, role):
    """The state with another role to move."""
    held = record(this, state)
    held.prev, held.mover = held.mover, role + 1
    return this.state(bytes(held.memory))


def to_sites(this, state, role):
    return {this.coordinates.leaf(move).read(move, "to") for move in state.legal(role) if this.coordinates.leaf(move)}


@pytest.mark.parametrize("text", [HUNT, ROW])
def test_influence_is_the_share_of_sites_that_moves_lead_to(text):
    this = made(text)
    for state in states(this):
        mover = state.movers[0]
        share = [len(to_sites(this, as_mover(this, state, role), role)) / 25 for role in range(2)]
        assert found(this, "influence(advanced=True)", state) == pytest.approx(share)
        assert found(this, "influence", state) == pytest.approx([share[k] if k == mover else 0.0 for k in range(2)])


def test_advanced_mobility_counts_the_moves_of_who_is_made_the_mover():
    this = made(HUNT)
    for state in states(this):
        counted = [len(as_mover(this, state, role).legal(role)) for role in range(2)]
        assert found(this, "advanced", state) == counted


def test_unthreatened_are_pieces_that_no_move_takes():
    this = made(HUNT)
    threatened = 0
    for state in states(this, games=6):
        before = owner(this, state)
        safe = [{site for site, who in enumerate(before) if who == role + 1} for role in range(2)]
        for role in range(2):
            turned = as_mover(this, state, role)
            for move in turned.legal(role):
                after = owner(this, turned.after({role: move}, Rng(1)))
                lost = {site for site in safe[1 - role] if after[site] != 2 - role}
                threatened += len(lost)
                safe[1 - role] -= lost
        assert found(this, "unthreatened(looks=1024)", state) == [len(each) for each in safe]
    assert threatened > 0


def test_lines_are_worth_their_pieces_and_less_where_ends_are_blocked():
    this = made(ROW)
    for state in states(this, games=8):
        assert found(this, "lines", state) == pytest.approx(lines(owner(this, state), 5, 4))
        assert found(this, "lines(length=2)", state) == pytest.approx(lines(owner(this, state), 5, 2))


def lines(board, side, length):
    worth = {1: [0.0, 0.0], 2: [0.0, 0.0]}
    for x in range(side):
        for y in range(side):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [(x + k * dx, y + k * dy) for k in range(-1, length + 1)]
                inside = [0 <= a < side and 0 <= b < side for a, b in line]
                if not all(inside[1:-1]):
                    continue
                there = [board[b * side + a] if ok else None for (a, b), ok in zip(line, inside, strict=True)]
                whose = {each for each in there[1:-1] if each}
                if len(whose) == 1:
                    (who,) = whose
                    blocked = sum(bool(end) and end != who for end in (there[0], there[-1]))
                    worth[who].append(there[1:-1].count(who) / length / 2**blocked)
    best = [sorted(worth[who], reverse=True) for who in (1, 2)]
    return [first + second / 2 for first, second, *_ in best]


def test_proximity_to_regions_is_by_steps():
    this = made(HUNT)
    regions = {0: range(5), 1: range(20, 25), 2: [12]}
    for state in states(this):
        board = owner(this, state)
        for index, region in regions.items():
            steps = [min(max(abs(a % 5 - b % 5), abs(a // 5 - b // 5)) for b in region) for a in range(25)]
            wanted = [
                sum(1 - steps[site] / max(steps) for site in range(25) if board[site] == role + 1) for role in range(2)
            ]
            assert found(this, f"region(index={index})", state) == pytest.approx(wanted)
            if index < 2:
                assert found(this, f"player_regions(player={index + 1})", state) == pytest.approx(wanted)


def test_own_regions_and_maps_count_what_is_there_whosever_it_is():
    this = made(HUNT)
    for state in states(this):
        board = owner(this, state)
        rows = [sum(each is not None for each in row) for row in (board[:5], board[20:])]
        assert found(this, "own_regions", state) == rows
        assert found(this, "site_map", state) == [float(board[site] is not None) for site in (1, 23)]


def test_own_regions_count_seeds():
    this = made(SOW)
    seen = set()
    for state in states(this):
        count = record(this, state).count.numbers.tolist()
        assert found(this, "own_regions", state) == [sum(count[:4]), sum(count[4:8])]
        seen.add(tuple(count[:8]))
    assert len(seen) > 5


def test_scores_and_values_are_those_of_the_state():
    this = made(HUNT)
    assert found(this, "score", this.initial(Rng(1))) == [2.0, -3.0]
    this = made(WORTH)
    for state in states(this):
        board = owner(this, state)
        worth = [sum(site + 1 for site in range(9) if board[site] == role + 1) for role in range(2)]
        assert found(this, "values", state) == worth


def test_mover_and_null():
    this = made(ROW)
    for first, second in pairwise(states(this, games=1)):
        assert found(this, "mover", first) == found(this, "mover", second)[::-1]
        assert found(this, "null", first) == [0.0, 0.0]
        assert sorted(found(this, "mover", first)) == [0.0, 1.0]


@pytest.mark.parametrize(
    "spec", ["influence", "region", "own_regions", "site_map", "score", "values", "lines", "unthreatened"]
)
def test_games_that_do_not_tell_are_refused(spec):
    with pytest.raises(UnsupportedGame, match=f"{spec}.* cannot judge nim"):
        evaluator(spec).judge(game("nim"))


def test_lines_of_rules_in_gdl_come_from_coordinates():
    this = game("gdl:tic-tac-toe")
    rng = Rng(3)
    for _ in range(4):
        state = this.initial(rng)
        while not state.over:
            picture = [each for each in this.picture(state) if each in "XO."]
            value = found(this, "lines", state)
            assert len(value) == 2
            if len(picture) == 9:
                board = [{"X": 1, "O": 2}.get(each) for each in picture]
                assert value == pytest.approx(lines(board, 3, 3))
            role = state.movers[0]
            state = state.after({each: rng.choice(state.legal(each)) for each in state.movers}, rng)
            assert role in (0, 1)


def test_all_33_heuristics_of_ludii_are_evaluators():
    assert len(LUDII) == 33
    assert len(TERMS) == 16
    this = made(HUNT)
    for name in LUDII:
        evaluator(name).judge(this)
    with pytest.raises(BadParameter):
        evaluator("MaterialMaybe")


@pytest.mark.parametrize("name", sorted(name for name in LUDII if name.endswith("Pos")))
def test_alphabeta_plays_by_each(name):
    this = made(WORTH if "Values" in name else HUNT)
    result = play(this, [f"alphabeta(evaluator='{name}', depth=2)", "random"], seed=1, iterations=40, move_limit=12)
    assert len(result.utilities) == 2
