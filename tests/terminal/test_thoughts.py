import pytest
from rich.console import Console

from ludarium import game
from ludarium.core import Decision
from ludarium.terminal.thoughts import thoughts, title

CONNECT_FOUR = game("connect-four")
A, B, C, D = range(4)


def shown(made, *, game=CONNECT_FOUR, role=0, width=80, **options):
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(thoughts(game, role, made, **({"most": 20} | options)))
    return captured.get()


def moves(text):
    return [line.replace("→", "").split()[0] for line in text.splitlines() if "░" in line or "█" in line]


def test_the_chosen_move_comes_first_and_then_those_with_most_visits():
    told = shown(Decision(B, visits={A: 5, B: 3, C: 9, D: 0}, values={A: 0.5, B: 0.25, C: 0.125, D: 0.5}))
    assert moves(told) == ["b", "c", "a", "d"]
    assert "→ b" in told
    assert told.count("→") == 1


def test_shares_and_values_are_those_of_the_decision():
    told = shown(Decision(A, visits={A: 3, B: 1}, values={A: 0.5, B: 0.25}))
    assert " ".join(told.split()).startswith("move visits share value")
    assert "75.0%" in told
    assert "25.0%" in told
    assert "0.500" in told
    assert "0.250" in told


def test_a_move_that_was_not_tried_has_no_value():
    told = shown(Decision(A, visits={A: 3, B: 0}, values={A: 0.5, B: 0.5}))
    assert told.count("0.500") == 1
    assert " - " in told


def test_values_alone_are_enough():
    told = shown(Decision(A, values={A: 0.75, B: 0.25, C: 0.5}))
    assert moves(told) == ["a", "c", "b"]
    assert "visits" not in told
    assert "share" not in told


def test_an_agent_that_tells_nothing_plays_all_the_same():
    told = shown(Decision(D))
    assert "move" not in told
    assert [" ".join(line.split()) for line in told.splitlines() if line.strip()] == [
        "plays d",
        "work 0 iterations, 0 forward calls",
    ]


def test_too_many_moves_are_counted():
    made = Decision(A, visits=dict.fromkeys(range(7), 1), values=dict.fromkeys(range(7), 0.5))
    assert "… 4 more" in shown(made, most=3)
    assert "more" not in shown(made, most=7)


def test_the_expected_play_names_the_roles_and_the_work_is_summed_up():
    made = Decision(
        A, line=((0, A), (1, C)), depth=1, iterations=1, forward_calls=1_234_567, seconds=2.0, note="7 nodes"
    )
    told = " ".join(shown(made).split())
    assert "expects red a, yellow c" in told
    assert "depth 1 ply" in told
    assert "work 1 iteration, 1,234,567 forward calls" in told
    assert "time 2.0 s: 0 iterations/s, 617,000 calls/s" in told
    assert "note 7 nodes" in told


def test_expected_play_of_one_role_needs_no_names():
    assert "expects a, c" in " ".join(shown(Decision(A, line=((0, A), (0, C)))).split())


@pytest.mark.parametrize(
    ("worth", "told"), [(1.0, "red wins"), (0.0, "red loses"), (0.5, "a draw"), (0.75, "worth 0.75 to red")]
)
def test_what_is_proven_is_said_in_words(worth, told):
    assert f"proven {told}" in " ".join(shown(Decision(A, proven=worth)).split())
    assert "proven" not in shown(Decision(A))


def test_without_room_there_are_no_bars():
    made = Decision(A, visits={A: 12345, B: 1}, values={A: 0.5, B: 0.5})
    told = shown(made, width=40, narrow=True)
    assert "█" not in told
    assert "12,345" in told
    assert "…" not in told


def test_the_title_names_the_position():
    assert title(CONNECT_FOUR, 0, [0]).plain == "connect-four · red to move"
    assert title(CONNECT_FOUR, 1, [1]).plain == "connect-four after 1 move · yellow to move"
    assert title(game("goofspiel"), 2, [0, 1]).plain == "goofspiel after 2 moves · first and second to move"
