"""Texts that try a reader: rules in both forms, ways to spoil them, and extremes."""

from hypothesis import strategies as st

from ludarium.core.problems import RulesError

PREFIX = """; a game of our own: two players count to three
(role first) (role second)
(init (count 0)) (init (turn first))
(<= (legal ?p (add ?n)) (true (turn ?p)) (step ?n)) ; one or two
(<= (legal ?p pass) (role ?p) (not (true (turn ?p))))

(step 1) (step 2)
(<= (next (count ?c)) (does ?p (add ?n)) (true (count ?b)) (sum ?b ?n ?c))
(<= (next (turn ?q)) (true (turn ?p)) (role ?q) (distinct ?p ?q))
(<= terminal (or (true (count 3)) (and (true (count 4)) (not open))))
(<= (goal ?p 100) (not (or (true (turn ?p)) (not terminal))))
; the end
"""

INFIX = """% a game of our own: two players count to three
role(first)  role(second)
init(count(0)). init(turn(first)).
legal(P,add(N)) :- true(turn(P)) & step(N) % one or two
legal(P,pass) :- role(P) & ~true(turn(P))

step(1) step(2)
next(count(C)) :-
  does(P,add(N)) &
  true(count(B)) & sum(B,N,C)
next(turn(Q)) :- true(turn(P)) & role(Q) & distinct(P,Q)
terminal :- true(count(3)) | true(count(4)) & ~open
goal(P,100) :- ~(true(turn(P)) | ~terminal)
% the end
"""
"""The same rules as `PREFIX`."""

MANY = 50_000
ODDITIES = [
    "(" * MANY,
    ")" * MANY,
    "()" * MANY,
    "~" * MANY,
    "p :- " + "~" * MANY + "q",
    "p :- " + "(" * MANY + "q" + ")" * MANY,
    "f(" * MANY,
    "p(" + "_," * MANY + "_)",
    "(p " + "(not " * 80 + ")" * 81,
    "(<= p " + "(or q " * 90 + ")" * 91,
    "(<= p " + "(or q r) " * MANY + ")",
    "p :- " + "(q | r) & " * MANY + "s",
    "p :- " + "q | " * MANY + "s",
    "p " * MANY,
    "p\n" * MANY,
    "p. " * MANY,
    "?" * MANY,
    "\n" * MANY,
    "\n " * MANY,
    "\r\n" * MANY + "(",
    " " * MANY,
    "\t\n" * MANY + "(p a)",
    ";" * MANY,
    ";\n" * MANY,
    "%\n" * MANY + "p",
    "(p a) ;\n" * MANY,
    "a" * MANY,
    "(" + "a " * MANY + ")",
    "_u0041_" * MANY,
    "name_" * MANY,
    "\0" * MANY,
    "\ufeff" * MANY,
    '"' * MANY,
    "(<= " * MANY,
    "(<= p)" * MANY,
    "p :- " * MANY,
    "p(a" + "\n" * MANY + ")",
]
"""Texts of extreme shape, some right and most wrong."""


def outcome(read, text):
    """The rules that a reader finds, and the problems; any other exception is a failure."""
    try:
        return read(text), []
    except RulesError as error:
        return [], error.problems


@st.composite
def mutations(draw, text):
    """A text with pieces cut out, doubled, moved or replaced."""
    spoilt = text
    for _ in range(draw(st.integers(1, 6))):
        start, end = sorted(draw(st.tuples(*[st.integers(0, len(spoilt))] * 2)))
        end = min(end, start + draw(st.sampled_from([0, 1, 3, 40])))
        piece = draw(
            st.sampled_from(["", spoilt[start:end] * 2, "(", ")", "<=", " ", "\n", ";", "?", ":-", "~", "|", "\0"])
        )
        spoilt = spoilt[:start] + piece + spoilt[end:]
    return spoilt
