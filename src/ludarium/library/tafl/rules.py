"""The sentences of a tafl game in GDL; each rule of the family stands here once."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludarium.library.tafl.family import Tafl

_NAMES = {"a": "attacker", "d": "defender", "k": "king", ".": "b"}
_WIDTH = 108
_REPETITION = "Who brings a position about for the third time loses (the initial position is nobody's doing)."


def header(game: Tafl) -> str:
    """Write the comment at the head of the file: title, players, rules, source and view."""
    count = {symbol: sum(1 for _ in game.squares(symbol)) for symbol in "ad"}
    corners = game.exits == "corners"
    reserved = "the throne (the centre) and the corners are" if corners else "the throne (the centre) is"
    anvil = "the empty throne or a corner" if corners else "the empty throne"
    stop = "may be passed when empty, but only the king may stop there" if game.crossing else "is the king's alone"
    lines = f"""
The defender has a king and {count["d"]} men, the attacker {count["a"]} men; the attacker begins.
Pieces move like rooks; {reserved} restricted: the throne {stop}.
A move captures a man by closing it in, along a line, between the moved piece and another of that side or
{anvil}; who moves in between is safe, and the king captures like the rest.
On the throne or beside it the king cannot be captured like this but is killed when all four sides are held by
attackers, the throne counting as one.
The defender wins when the king reaches {"a corner" if corners else "an edge square"}, the attacker when
the king is captured or killed. Who has no legal move loses.
{_REPETITION if game.repetition_loses else ""}
After {game.turns} turns the game is a draw."""
    text = [game.title, "Players: attacker, defender."]
    text += wrap(" ".join(lines.split()), _WIDTH, break_on_hyphens=False) + wrap(game.notes, _WIDTH)
    text += ["Written by ludarium.library.tafl.family; do not edit."]
    marks = ", ".join(f'"{column} {row}" = "+"' for row, column in _reserved(game))
    view = [
        'board = "cell ?y ?x ?piece"',
        'symbols = { b = "·", attacker = "●", defender = "○", king = "♔" }',
        f"marks = {{ {marks} }}",
        'hide = ["past"]',
        "letters = true",
        'moves = { "move ?y1 ?x1 ?y2 ?x2" = "?x1?y1-?x2?y2" }',
    ]
    return "".join([f"; {line}\n" for line in text] + [";\n"] + [f";@ {line}\n" for line in view])


def rules(game: Tafl) -> str:
    """Write the rules, section by section."""
    parts = (part(game).strip() for part in (_board, _start, _moves, _effects, _captures, _history, _end))
    return "".join(f"\n{part}\n" for part in parts if part)


def _reserved(game: Tafl) -> list[tuple[int, int]]:
    corners = [(row, column) for row in (1, game.size) for column in (1, game.size)]
    return [(game.centre, game.centre), *(corners if game.exits == "corners" else [])]


def _fill(words: Iterable[str], indent: str = "") -> str:
    """Facts or conditions, as many to a line as fit."""
    lines = [""]
    for word in words:
        if lines[-1] and len(indent) + len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(indent + line for line in lines)


def _board(game: Tafl) -> str:
    still = not game.pieces_move and game.repetition_loses  # nothing asks who owns what and where the squares are
    text = f"""
(role attacker)
(role defender)
(opponent attacker defender) (opponent defender attacker)
{"" if still else "(owns attacker attacker) (owns defender defender) (owns defender king)"}

; The board: squares are (row, column), from the top left. Reserved squares are the king's.

{"" if still else _fill(f"(number {n})" for n in range(1, game.size + 1))}
{_fill(f"(succ {n} {n + 1})" for n in range(1, game.turns + 1))}
""".replace("\n\n\n", "\n\n")
    if not game.pieces_move:
        return text
    flank = "(<= (flank ?r1 ?c1 ?r ?c ?r2 ?c2) (ahead ?r1 ?c1 ?d ?r ?c) (ahead ?r ?c ?d ?r2 ?c2))\n"
    near = """(<= (near-throne ?r ?c) (throne ?r ?c))
(<= (near-throne ?r2 ?c2) (throne ?r ?c) (ahead ?r ?c ?d ?r2 ?c2))
"""
    exits = {
        "edges": "(<= (exit 1 ?c) (number ?c))\n(<= (exit {0} ?c) (number ?c))\n"
        "(<= (exit ?r 1) (number ?r))\n(<= (exit ?r {0}) (number ?r))\n",
        "corners": "(exit 1 1) (exit 1 {0}) (exit {0} 1) (exit {0} {0})\n",
    }[game.exits].format(game.size)
    return f"""{text}
(<= (ahead ?r ?c up ?r2 ?c) (number ?r) (number ?c) (succ ?r2 ?r))
(<= (ahead ?r ?c down ?r2 ?c) (number ?r) (number ?c) (succ ?r ?r2) (number ?r2))
(<= (ahead ?r ?c left ?r ?c2) (number ?r) (number ?c) (succ ?c2 ?c))
(<= (ahead ?r ?c right ?r ?c2) (number ?r) (number ?c) (succ ?c ?c2) (number ?c2))
{flank if game.captures or game.king_captured else ""}
(throne {game.centre} {game.centre})
{_fill(f"(reserved {r} {c})" for r, c in _reserved(game))}
(<= (plain ?r ?c) (number ?r) (number ?c) (not (reserved ?r ?c)))
{near if game.king_captured else ""}{exits if game.king_moves else ""}"""


def _start(game: Tafl) -> str:
    base = """(<= (base (cell ?r ?c b)) (number ?r) (number ?c))
(<= (base (cell ?r ?c ?piece)) (owns ?who ?piece) (number ?r) (number ?c))
(<= (base (control ?who)) (role ?who))
(base (turn 1))
(<= (base (turn ?n)) (succ ?m ?n))"""
    if game.repetition_loses:
        base = "; There is no base: it would have to name every position that may come to be in the history."
    lane = """
(<= (lane ?r ?c ?r ?c2) (number ?r) (number ?c) (number ?c2) (distinct ?c ?c2))
(<= (lane ?r ?c ?r2 ?c) (number ?r) (number ?c) (number ?r2) (distinct ?r ?r2))"""
    if game.leaps:
        lane += """
(<= (lane ?r ?c ?r2 ?c2)
    (number ?r) (number ?c) (number ?r2) (number ?c2) (distinct ?r ?r2) (distinct ?c ?c2))"""
    move = "\n(<= (input ?who (move ?r ?c ?r2 ?c2)) (role ?who) (lane ?r ?c ?r2 ?c2))"
    passes = not game.pieces_move or not game.stalemate_loses
    return f"""
; The facts of a state, the moves, and the layout.

{base}
(<= (input ?who noop) (role ?who)){lane + move if game.pieces_move else ""}
{"(<= (input ?who pass) (role ?who))" if passes else ""}

{_layout(game)}
(init (control attacker))
(init (turn 1))
""".replace("\n\n\n", "\n\n")


def _layout(game: Tafl) -> str:
    rows = {row: [f"(init (cell {r} {c} {_NAMES[s]}))" for r, c, s in game.squares("adk.") if r == row]
            for row in range(1, game.size + 1)}  # fmt: skip
    return "\n".join(_fill(row) for row in rows.values())


def _moves(game: Tafl) -> str:
    noop = "(<= (legal ?who noop) (role ?who) (not (true (control ?who))))"
    if not game.pieces_move:
        return f"""
; The moves.

(<= (legal ?who pass) (true (control ?who)))
{noop}
"""
    king = "(<= (movable defender ?r ?c) (true (cell ?r ?c king)))" if game.king_moves else ""
    onward = "" if game.crossing else " (plain ?r2 ?c2)"
    slides = f"""
(<= (slide ?r ?c ?d ?r2 ?c2) (ahead ?r ?c ?d ?r2 ?c2) (true (cell ?r2 ?c2 b)))
(<= (slide ?r ?c ?d ?r3 ?c3)
    (slide ?r ?c ?d ?r2 ?c2){onward} (ahead ?r2 ?c2 ?d ?r3 ?c3) (true (cell ?r3 ?c3 b)))
"""
    way = "(lane ?r ?c ?r2 ?c2)" if game.leaps else "(slide ?r ?c ?d ?r2 ?c2)"
    home = f"""(<= (legal defender (move ?r ?c ?r2 ?c2))
    (true (control defender)) (true (cell ?r ?c king)) {way} (reserved ?r2 ?c2))
"""
    return f"""
; The moves.

(<= (movable ?who ?r ?c) (role ?who) (true (cell ?r ?c ?who)))
{king}
{"" if game.leaps else slides}
(<= (legal ?who (move ?r ?c ?r2 ?c2))
    (true (control ?who)) (movable ?who ?r ?c) {way} (plain ?r2 ?c2))
{home if game.king_moves else ""}{noop}
{"" if game.stalemate_loses else "(<= (legal ?who pass) (true (control ?who)) (not (mobile ?who)))"}

{_mobility(game)}
""".replace("\n\n\n", "\n\n")


def _mobility(game: Tafl) -> str:
    if game.leaps:
        return "(<= (mobile ?who) (movable ?who ?r ?c))"
    king = """(<= (mobile defender)
    (true (cell ?r ?c king)) (ahead ?r ?c ?d ?r2 ?c2) (reserved ?r2 ?c2) (true (cell ?r2 ?c2 b)))
"""
    across = """(<= (mobile ?who)
    (movable ?who ?r ?c) (ahead ?r ?c ?d ?r2 ?c2) (throne ?r2 ?c2) (true (cell ?r2 ?c2 b))
    (ahead ?r2 ?c2 ?d ?r3 ?c3) (true (cell ?r3 ?c3 b)))
"""
    return f"""(<= (mobile ?who)
    (movable ?who ?r ?c) (ahead ?r ?c ?d ?r2 ?c2) (plain ?r2 ?c2) (true (cell ?r2 ?c2 b)))
{king if game.king_moves else ""}{across if game.crossing else ""}""".strip()


def _effects(game: Tafl) -> str:
    turns = """
(<= (next (control ?other)) (true (control ?who)) (opponent ?who ?other))
(<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
"""
    if not game.pieces_move:
        frame = "(<= (next (cell ?r ?c ?piece)) (true (cell ?r ?c ?piece)))"
        return f"; What a turn changes: nothing on the board.\n{turns}{frame}"
    captured = "(<= (next (cell ?r ?c b)) (captured ?r ?c))\n(<= (changed ?r ?c) (captured ?r ?c))"
    return f"""
; What a turn changes.
{turns}
(<= (departs ?r ?c) (does ?who (move ?r ?c ?r2 ?c2)))
(<= (arrives ?r2 ?c2) (does ?who (move ?r ?c ?r2 ?c2)))
(<= (moving ?piece) (departs ?r ?c) (true (cell ?r ?c ?piece)) (owns ?who ?piece))
(<= (changed ?r ?c) (departs ?r ?c))
(<= (changed ?r ?c) (arrives ?r ?c))
(<= (next (cell ?r ?c ?piece)) (arrives ?r ?c) (moving ?piece))
(<= (next (cell ?r ?c b)) (departs ?r ?c))
(<= (next (cell ?r ?c ?piece)) (true (cell ?r ?c ?piece)) (not (changed ?r ?c)))
{captured}
""".replace("\n\n\n", "\n\n")


def _captures(game: Tafl) -> str:
    if not game.pieces_move:
        return ""
    leaver = " (not (departs ?r ?c))" if game.leaps else ""  # else nobody can move from one side of a piece to another
    left = "(<= (hostile ?who ?r ?c) (role ?who) (reserved ?r ?c) (departs ?r ?c))\n" if game.leaps else ""
    hostile = f"""(<= (mine ?who ?r ?c) (owns ?who ?piece) (true (cell ?r ?c ?piece)))
(<= (hostile ?who ?r ?c) (mine ?who ?r ?c){leaver})
(<= (hostile ?who ?r ?c) (role ?who) (reserved ?r ?c) (true (cell ?r ?c b)))
{left}"""
    men = """(<= (captured ?r ?c)
    (true (control ?who)) (opponent ?who ?prey) (arrives ?r1 ?c1) (flank ?r1 ?c1 ?r ?c ?r2 ?c2)
    (true (cell ?r ?c ?prey)) (hostile ?who ?r2 ?c2))
"""
    king = """(<= (captured ?r ?c)
    (true (control attacker)) (arrives ?r1 ?c1) (flank ?r1 ?c1 ?r ?c ?r2 ?c2)
    (true (cell ?r ?c king)) (not (near-throne ?r ?c)) (hostile attacker ?r2 ?c2))
"""
    shut = leaver.replace("?r ?c", "?r2 ?c2")
    killed = f"""
; The king is killed when the move closes the last of his four sides.

(<= (shut ?r ?c ?d) (ahead ?r ?c ?d ?r2 ?c2) (true (cell ?r2 ?c2 attacker)){shut})
(<= (shut ?r ?c ?d) (ahead ?r ?c ?d ?r2 ?c2) (arrives ?r2 ?c2))
(<= (shut ?r ?c ?d) (ahead ?r ?c ?d ?r2 ?c2) (throne ?r2 ?c2))
(<= (captured ?r ?c)
    (true (control attacker)) (arrives ?r1 ?c1) (ahead ?r1 ?c1 ?d ?r ?c) (true (cell ?r ?c king))
    (shut ?r ?c up) (shut ?r ?c down) (shut ?r ?c left) (shut ?r ?c right))
"""
    closed_in = hostile + men * game.captures + king * game.king_captured
    return f"""
; {"Capture: closed in between the piece that arrives and a hostile square." if game.captures else "Capture."}

{closed_in if game.captures or game.king_captured else ""}{killed if game.king_killed else ""}
""".replace("\n\n\n", "\n\n")


def _history(game: Tafl) -> str:
    if not game.repetition_loses:
        return ""
    span = range(1, game.size + 1)
    contents = " ".join(f"?c{c}" for c in span)
    cells = {r: _fill((f"(true (cell {r} {c} ?c{c}))" for c in span), "    ") for r in span}
    rows = "\n".join(f"(<= (row-now {r} (row {contents}))\n{cells[r]})" for r in span)
    board = _fill((f"(row-now {r} ?r{r})" for r in span), "    ")
    return f"""
; The history: every position that a turn brought about, and whether it was for the first or the second time.

(<= (next under-way) (true (control ?who)))
{rows}
(<= (position (board {" ".join(f"?r{r}" for r in span)}))
    (true under-way)
{board})
(<= (next (past ?p 1)) (position ?p))
(<= (next (past ?p 2)) (position ?p) (true (past ?p 1)))
(<= (next (past ?p ?n)) (true (past ?p ?n)))
(<= repeated (position ?p) (true (past ?p 2)))
"""


def _end(game: Tafl) -> str:
    escaped = "(<= escaped (true (cell ?r ?c king)) (exit ?r ?c))\n(<= (wins defender) escaped)\n"
    repeated = "(<= (wins ?who) repeated (true (control ?who)))\n"
    cause = " Who is to move when a position has come about for the third time did not cause it."
    cause *= game.repetition_loses
    unless = " (not repeated)" if game.repetition_loses else ""
    stuck = f"""(<= (wins ?who) (opponent ?who ?other) (true (control ?other)) (not (mobile ?other)){unless})
"""
    return f"""
; The end.{cause}

{escaped if game.king_moves and game.pieces_move else ""}(<= king-lives (true (cell ?r ?c king)))
(<= (wins attacker) (not king-lives))
{repeated if game.repetition_loses else ""}{stuck if game.stalemate_loses and game.pieces_move else ""}
(<= decided (wins ?who))
(<= terminal decided)
(<= terminal (true (turn {game.turns + 1})))
(<= (goal ?who 100) (wins ?who))
(<= (goal ?who 0) (opponent ?who ?other) (wins ?other))
(<= (goal ?who 50) (role ?who) (not decided))
"""
