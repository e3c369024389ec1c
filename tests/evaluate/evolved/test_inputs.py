"""How states become inputs."""

from dataclasses import replace

import pytest

from ludarium import game
from ludarium.core import BadParameter, HiddenState, Rng, UnsupportedGame
from ludarium.evaluate.evolved.inputs import Mapping, seen
from ludarium.evaluate.evolved.inputs_kernels import look
from ludarium.kernel import bridge, f64, using, zeros

C4 = "gdl:connect-four"


def inputs_of(made, mapping, *states):
    found, reached = seen(made, mapping), bridge(made)
    bundle = found.bundle(reached.table)
    rows = []
    for block, state in zip(reached.blocks(states), states, strict=True):
        values = zeros(f64, found.count)
        acting = sum(1 << role for role in state.movers)
        look(reached.table, bytearray(block), acting, bundle, values)
        rows.append(values.tolist())
    return rows


def walked(made, plies, seed=1):
    rng = Rng(seed)
    state = made.initial(rng)
    for _ in range(plies):
        if state.over:
            break
        state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)
    return state


def test_a_projection_counts_the_clauses_that_were_drawn_for_an_input():
    made = game(C4)
    state = walked(made, 9)
    (row,) = inputs_of(made, Mapping(), state)
    targets = seen(made, Mapping()).targets
    assert len(row) == 40
    assert len(targets) == 128
    expected = [0.0] * 40
    for bit, text in enumerate(made.network.facts):
        if text in state.facts():
            ((target, weight),) = targets[bit]
            expected[target] += weight
    assert row == expected
    assert sum(row) > 0


def test_another_seed_projects_otherwise_and_the_same_alike():
    made = game(C4)
    assert seen(made, Mapping()).digest == seen(made, Mapping()).digest
    assert seen(made, Mapping()).digest != seen(made, Mapping(seed=2)).digest


def test_without_counters_states_that_differ_only_in_one_look_the_same():
    made = game("criss-cross")
    state = walked(made, 6)
    now, later = (made.network.facts.index(f"(turn {number})") for number in (7, 9))
    number = int.from_bytes(state.block, "little")
    later_on = made.state((number ^ 1 << now ^ 1 << later).to_bytes(len(state.block), "little"))
    plain = inputs_of(made, Mapping(counters=False), state, later_on)
    counted = inputs_of(made, Mapping(), state, later_on)
    assert number >> now & 1
    assert plain[0] == plain[1]
    assert counted[0] != counted[1]


def test_clocks_count_turns_and_whose_turn_it_is_stays():
    made = game("chinese-checkers")
    clocks = made.offers.clocks()
    names = {text.split()[0].strip("(") for bit, text in enumerate(made.network.facts) if clocks >> bit & 1}
    assert names == {"turn"}
    assert not any(bit in seen(made, Mapping(counters=False)).targets for bit in range(300) if clocks >> bit & 1)


def test_groups_have_an_input_each_and_tell_the_pieces_of_roles_apart():
    made = game(C4)
    empty, one, two = made.initial(), walked(made, 1), walked(made, 2)
    found = seen(made, Mapping("groups"))
    assert found.count == len(made.offers.groups()) == 43
    rows = inputs_of(made, Mapping("groups"), empty, one, two)
    changed = [k for k in range(43) if rows[0][k] != rows[2][k]]
    assert len(changed) == 2
    assert {rows[2][k] for k in changed} == {0.125, -0.125}


def test_features_are_counts_places_and_moves():
    made = game(C4)
    found = seen(made, Mapping("features"))
    state = walked(made, 5)
    (row,) = inputs_of(made, Mapping("features"), state)
    named = dict(zip(found.names, row, strict=True))
    counts = sorted(value for name, value in named.items() if name.startswith("count"))
    assert counts == [0.5, 0.75]
    moves = [value for name, value in named.items() if name.startswith("moves")]
    assert sorted(moves) == [0.0, 7 / 16]


@pytest.mark.parametrize("spec", ["connect-four", "breakthrough", "goofspiel", "nim", "tic-tac-toe", "hex.lud"])
@pytest.mark.parametrize("way", ["projection", "groups", "features"])
def test_every_game_can_be_seen(spec, way):
    made = game("lud:tic-tac-toe" if spec == "hex.lud" else spec)
    rows = inputs_of(made, Mapping(way), *(walked(made, plies) for plies in (0, 2, 4)))
    assert len({tuple(row) for row in rows}) > 1


def test_python_and_machine_code_see_the_same():
    def look_at(way):
        with using(way):
            made = game("tic-tac-toe")
            return [inputs_of(made, Mapping(each), walked(made, 3)) for each in ("projection", "groups", "features")]

    assert look_at("python") == look_at("native")


def test_what_cannot_be_seen_is_refused():
    with pytest.raises(BadParameter, match="projection, groups, features"):
        Mapping("smell")
    with pytest.raises(BadParameter, match="1 to 10000"):
        Mapping(count=0)
    hidden = game("nim")
    hidden.traits = replace(hidden.traits, perfect_information=False)
    with pytest.raises(HiddenState, match="hidden"):
        seen(hidden, Mapping())


def test_a_game_in_which_almost_nothing_changes_is_refused(tmp_path):
    rules = tmp_path / "still.kif"
    rules.write_text(
        "(role a) (role b) (init (now 1)) (legal a wait) (legal b wait) (<= (next (now 2)) (true (now 1)))"
        "(<= (next (now 3)) (true (now 2))) (<= terminal (true (now 3))) (goal a 50) (goal b 50)"
    )
    with pytest.raises(UnsupportedGame, match="only 0 bits"):
        seen(game(str(rules)), Mapping(counters=False))
