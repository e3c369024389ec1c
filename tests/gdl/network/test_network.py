"""Networks: what is done once for all, and what is not looked at again."""

from ludarium import library
from ludarium.gdl.check.definition import prepared
from ludarium.gdl.ground.choice import grounded_for_play
from ludarium.gdl.network import network
from ludarium.gdl.text.reader import read


def builder(name):
    grounded, _, _ = grounded_for_play(prepared(read(library.path(name))))
    return network._Builder(grounded, grounded.roles)


def test_moves_that_two_roles_share_are_laid_out_once(monkeypatch):
    laid = []

    def slots(names, boards):
        laid.append(tuple(names))
        return found(names, boards)

    found = network.slots
    monkeypatch.setattr(network, "slots", slots)
    made = builder("connect-four").build().moves
    assert len(laid) == len(set(laid)) < len(made)


def test_what_is_known_is_not_visited_again_and_the_rest_comes_in_order():
    made = builder("tic-tac-toe")
    known, (new, other, last) = next(iter(made.literal)), range(made.fresh, made.fresh + 3)
    made.bodies[last] = [(other, known), (-new, other), (-known,)]
    assert list(made._below(last)) == [other, new]
