"""Networks in flat memory: Python and machine code agree, and what cannot be worked out is refused."""

import random

import pytest

from ludarium.evaluate.evolved.network import Network, Node, flat
from ludarium.evaluate.evolved.network_kernels import ACTIVATIONS, AGGREGATIONS, activate_all
from ludarium.kernel import f64, using, zeros


def random_network(rnd, inputs):
    nodes = []
    for place in range(rnd.randrange(1, 6)):
        known = inputs + place
        links = tuple((rnd.randrange(known), rnd.gauss(0, 1)) for _ in range(rnd.randrange(0, 9)))
        nodes.append(Node(rnd.gauss(0, 1), rnd.gauss(1, 1), rnd.choice(ACTIVATIONS), rnd.choice(AGGREGATIONS), links))
    return Network(inputs, tuple(nodes))


def test_kernels_as_python_equal_machine_code():
    rnd = random.Random(8)
    networks = [random_network(rnd, 5) for _ in range(150)]
    rows = [rnd.uniform(-2, 2) for _ in range(5 * 150)]

    def worked_out(way):
        with using(way):
            laid_out, out = flat(networks, 5), zeros(f64, 150)
            given = zeros(f64, len(rows))
            for place, value in enumerate(rows):
                given[place] = value
            activate_all(laid_out, given, out)
            return [repr(x) for x in out.tolist()]  # nan equals nan

    assert worked_out("python") == worked_out("native") == worked_out("check")


def test_the_parts_of_a_node_are_put_together_as_their_names_say():
    links = ((0, 1.0), (1, -2.0), (2, 1.0))
    expected = {"sum": 0.0, "product": -18.0, "max": 3.0, "min": -4.0, "maxabs": -4.0, "median": 1.0, "mean": 0.0}
    expected |= {"product": 1.0 * -4.0 * 3.0, "mean": 0.0, "sum": 0.0}
    for name, value in expected.items():
        laid_out = flat([Network(3, (Node(0.0, 1.0, "identity", name, links),))], 3)
        out, given = zeros(f64, 1), zeros(f64, 3)
        given[0], given[1], given[2] = 1.0, 2.0, 3.0
        activate_all(laid_out, given, out)
        assert out[0] == value, name


@pytest.mark.parametrize(
    "nodes",
    [
        (),
        (Node(0, 1, "sigmoid", "sum", ((3, 1.0),)),),
        (Node(0, 1, "sigmoid", "sum", ((-1, 1.0),)),),
        (Node(0, 1, "sigmoid", "vote", ()),),
        (Node(0, 1, "stairs", "sum", ()),),
        (Node(float("nan"), 1, "sigmoid", "sum", ()),),
    ],
)
def test_networks_that_cannot_be_worked_out_are_refused(nodes):
    with pytest.raises(ValueError, match="node"):
        Network(3, nodes)


def test_what_is_written_is_read_again():
    rnd = random.Random(3)
    for _ in range(20):
        network = random_network(rnd, 4)
        assert Network.read(network.written()) == network
