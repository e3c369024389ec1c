"""Small descriptions of our own, ways to spoil them, and extremes."""

from hypothesis import strategies as st

from ludarium.core.problems import RulesError
from ludarium.ludii.text.defines import Library

LINES = """// Three in a row, on a board of one's choice.
(define "AddToEmpty" (move Add (to (sites Empty) #1)))   // #1: what else holds
(define "Wins" (result #1 <End:result>))

(game "Lines"
    (players 2)
    (equipment {
        (board (square <Size>))
        (piece "Stone" Each)
        (regions "Rim" {1..3 7 5..4})
        (regions "Corner" (sites {"A1".."B2"}))
    })
    (rules
        (play ("AddToEmpty" if:(is In (to) (sites Board))))
        (end (if (is Line <Size:length>) ("Wins" Mover)))
    )
)

(option "Board" <Size> args:{ <side> <length> } {
    (item "Small" <3> <3> "Three by three.")*
    (item "Large" <5> <4> "Five by five: four in a row.")**
    (item "Huge" <9> <5> "Nine by nine \\"like Gomoku\\".")
})
(option "Aim" <End> args:{ <result> } {
    (item "Usual" <Win> "A line wins.")
    (item "Misere" <Loss> "A line loses.")
})
(rulesets { (ruleset "Ruleset/Children (Own)" { "Board/Small" "Aim/Misere" })* (ruleset "Ruleset/Unknown" { }) })

(metadata
    (info { (description "Lines of stones.") (author "Nobody") (author "Somebody") (version "1") })
    (graphics { (useFor { "Board/Large" } (player Colour P1 (colour Red))) (useFor "Board/Small" (player Colour P1 (colour Blue))) })
    (ai "Lines_ai")
)
"""

HOPS = """(define "Leaper" (piece #1 #2 (move Hop (between if:(is Occupied (between)) (apply (remove (between)))) (to if:#3) #4)))
(define "Again" (then (if ("HasHop" (last To)) (moveAgain))))
(define "HasHop" (can Move (hop (from #1) (between if:(is Occupied (between))) (to if:(is Empty (to))))))
(game "Hops"
    (players 1)
    (equipment { (board (rectangle 1 7)) ("Leaper" "Frog" P1 (is Empty (to)) "Again") })
    (rules (start (place "Frog1" {0..2 4 5})) (play (forEach Piece)) (end (if (no Moves Mover) (result P1 Loss))))
)
"""

PASS = '(game "Null" (players 1) (equipment {(hand P1)}) (rules (play (move Pass)) (end (if True (result P1 Win)))))'

LIBRARY = Library(
    {
        "IsEmptyTo": (
            '// Whether one may go there.\n(define "IsEmptyTo"\n    (is Empty (to)) // yes\n)',
            "def/IsEmptyTo.def",
        ),
        "StepTo": ('(define "StepTo" (move Step (to if:#1)))', "def/StepTo.def"),
        "StepToEmpty": ('(define "StepToEmpty" ("StepTo" "IsEmptyTo"))', "def/StepToEmpty.def"),
        "Wrong": ('(define "Wrong"\n    (move Stepp #1)\n)', "def/Wrong.def"),
    }
)
"""Defines of our own, as a library would have them."""

MANY = 50_000
ODDITIES = [
    "",
    " \n\t ",
    "// only a comment",
    "(" * MANY,
    ")" * MANY,
    "{" * MANY,
    "()" * MANY,
    "[" * MANY,
    "<" * MANY,
    '"' * MANY,
    '"\\' * MANY,
    '\\"' * MANY,
    "/" * MANY,
    "//\n" * MANY,
    "#1 " * MANY,
    ":" * MANY,
    "a:" * MANY,
    "a " * MANY,
    "a" * MANY,
    "1..2 " * MANY,
    "1.." * MANY,
    '"A1".."Z99" ' * 1000,
    "0..1000 " * MANY,
    "99999999999999999999..1",
    '"A1".."A99999999999"',
    "\0" * 100,
    "\ufeff" * 100,
    "(game " * 80 + ")" * 80,
    '(game "x" ' + "(or " * 200 + ")" * 201,
    "(game " + "{" * 99 + "}" * 99 + ")",
    '(option "' * MANY,
    '(option "A" <A> args:{<a>} {' + '(item "x" <1> "y")' * 1000 + "})",
    '(option "A" <A> args:{<a>} {(item "x" <<A> <A>> "y")}) (game <A>)',
    '(option "A" <A> args:{<a>} {(item "x" <1> <2> "y")}) (game <A>)',
    '(option "A" <A> args:{<a>} {(item <1>)}) (game <A>)',
    '(option "A") (game)',
    "(rulesets {(ruleset })) (game)",
    "(rulesets {(ruleset x)}) (game)",
    '(define "A") (game "A" "A" ("A" ~ ~))',
    "(define A 1) (game)",
    '(define "A" "A") (game ("A"))',
    '(define "A" ("B")) (define "B" ("A")) (game ("A"))',
    '(define "A" "B" "B") (define "B" "C" "C")'
    + "".join(f'(define "{chr(c)}" "{chr(c + 1)}" "{chr(c + 1)}")' for c in range(67, 90))
    + '(game "x" "A")',
    '(define "A" #1 #1 #1) (game "x" ' + '("A" ' * 15 + "x" + ")" * 15 + ")",
    '(define "A" (define "B" ("A"))) (game ("A"))',
    "".join(f'(define "D{k}" ("D{k + 1}"))' for k in range(200)) + '(game ("D0"))',
    "(metadata (info)) (metadata",
    "(metadata",
    '(game "x" (players (players (players))))',
    "(game ((a) (b)) ((a b)) (((c))) ((d) e))",
    "(game x:y:z ::: :(a) b:)",
]
"""Texts of extreme shape, most of them wrong."""


def outcome(check, text):
    """What a check says; any other exception than an error of ours is a failure."""
    try:
        return check(text)
    except RulesError as error:
        return error.problems


@st.composite
def mutations(draw, text):
    """A text with pieces cut out, doubled, moved or replaced."""
    spoilt = text
    for _ in range(draw(st.integers(1, 6))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(spoilt))] * 2)))
        end = min(end, start + draw(st.sampled_from([0, 1, 3, 40])))
        pieces = [
            "",
            spoilt[start:end] * 2,
            *'(){}<>[]":#~',
            " ",
            "\n",
            "//",
            "..",
            "#1",
            "~",
            "(define ",
            '("Wins"',
            "\0",
        ]
        spoilt = spoilt[:start] + draw(st.sampled_from(pieces)) + spoilt[end:]
    return spoilt
