"""Which rules in GDL are used: those whose bodies never hold are told, and no others."""

from ludarium.core import Rng
from ludarium.gdl.game import load

RULES = """
(role robot)
(init (step 1))
(succ 1 2) (succ 2 3)
(<= (legal robot (go ?x)) (true (step ?x)))
(<= (legal robot stay) (true (step 9)))
(<= (next (step ?y)) (does robot (go ?x)) (succ ?x ?y))
(<= (next (step 9)) (does robot stay))
(<= terminal (true (step 3)))
(<= (goal robot 100) (true (step 3)))
(<= (goal robot 0) (not (true (step 3))))
"""


def test_rules_whose_bodies_never_hold_are_told(tmp_path):
    (tmp_path / "steps.kif").write_text(RULES)
    game = load(tmp_path / "steps.kif")
    seen, rng = game.offers.coverage(), Rng(1)
    states, joints = [game.initial(rng)], []
    while not states[-1].over:
        joints.append({role: rng.choice(states[-1].legal(role)) for role in states[-1].movers})
        states.append(states[-1].after(joints[-1], rng))
    seen.follow(states, joints)
    dead = [rule.rule for rule in seen.rules() if not rule.used]
    assert dead == ["(<= (legal robot stay) (true (step 9)))", "(<= (next (step 9)) (does robot stay))"]
