import pytest

from ludarium import game
from ludarium.core import Rng


def truth(formulas, block: bytes) -> list[bool]:
    """Whether each node holds, worked out plainly: loops from nothing until nothing is added."""
    held = [True, *(block[bit >> 3] >> (bit & 7) & 1 == 1 for bit in formulas.bits)]
    held += [False] * len(formulas.gates)
    first = 1 + len(formulas.bits)
    runs = {run[0]: run[1] for run in formulas.loops}

    def work_out(node):
        all_of, literals = formulas.gates[node - first]
        values = [held[x >> 1] != bool(x & 1) for x in literals]
        return all(values) if all_of else any(values)

    node = first
    while node < len(held):
        end = runs.get(node, node + 1)
        changed = True
        while changed:
            before = held[node:end]
            for k in range(node, end):
                held[k] = work_out(k)
            changed = node in runs and held[node:end] != before
        node = end
    return held


@pytest.mark.parametrize(
    "name",
    [
        "gdl:tic-tac-toe",
        "gdl:connect-four",
        "gdl:breakthrough",
        "gdl:nim",
        "hex",
        "tron",
        "meier",
        "eight-puzzle",
        "brandubh",
    ],
)
def test_formulas_hold_where_the_rules_say_so(name):
    rules = game(name)
    formulas = rules.formulas
    for seed in range(4):
        rng = Rng(seed)
        state = rules.initial(rng)
        for _ in range(60):
            held = truth(formulas, state.block)

            def holds(x, held=held):
                return held[x >> 1] != bool(x & 1)

            assert holds(formulas.terminal) == state.over
            for role in range(len(rules.roles)):
                values = {round(100 * value) for r, value, x in formulas.goals if r == role and holds(x)}
                assert values == set(state.goals(role)) - {0}
            if state.over:
                break
            state = state.after({role: rng.choice(state.legal(role)) for role in state.movers}, rng)


def test_a_far_row_is_as_many_steps_away_as_there_are_rows_between():
    rules = game("gdl:breakthrough")
    facts = {text: k for k, text in enumerate(rules.network.facts)}
    formulas = rules.formulas
    levels = formulas.nearer[formulas.bits.index(facts["(cell 4 8 white)"])]
    assert len(levels) == 7
    for steps, mask in enumerate(levels, 1):
        row = 8 - steps
        columns = range(max(1, 4 - steps), min(8, 4 + steps) + 1)
        assert mask == sum(1 << facts[f"(cell {x} {row} white)"] for x in columns)


def test_what_is_placed_comes_from_nowhere():
    assert not any(game("gdl:tic-tac-toe").formulas.nearer)
