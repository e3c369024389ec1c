import re
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from ludarium.arena import round_robin
from ludarium.arena.tournament.jobs import Failure, Job, Shelf, played
from ludarium.arena.tournament.supervisor import Supervisor, WorkerError

ODD = "tests.arena.odd_catalog"


def plan(*agents, **options):
    return round_robin(["tic-tac-toe"], agents, catalog=ODD, **{"iterations": 5, "matches": 2, "seed": 0, **options})


@pytest.fixture(scope="module")
def supervisor():
    made = Supervisor(patience=100.0, memory=1 << 30)
    yield made
    made.close()


def played_by(supervisor, pairing):
    return supervisor.play(Job(pairing, range(pairing.matches)))


@pytest.mark.parametrize(
    ("name", "fault", "said"),
    [
        ("end(at=1)", "crash", "its process ended with exit code 3"),
        ("kill(at=1)", "crash", "its process was killed by signal 9"),
        ("eat(at=1)", "crash", "MemoryError"),
        ("hang(at=1)", "timeout", r"no answer for \d+ s: its process was stopped"),
    ],
)
def test_what_ends_or_stops_a_process_is_a_fault_of_its_agent(supervisor, monkeypatch, name, fault, said):
    """All else goes as if the agent had failed quietly: up to there it plays, and from there on it is absent."""
    if fault == "timeout":
        monkeypatch.setattr(supervisor, "patience", 8.0)
    pairing = plan(name, "random", matches=1).pairings[0]
    (match,) = played_by(supervisor, pairing)
    faults = [turn.fault for turn in match.turns if turn.role == 0]
    assert faults[:2] == ["", fault]
    if name != "eat(at=1)":  # which survives
        assert set(faults[1:]) == {fault}
    (told,) = match.faults
    assert re.fullmatch(f"{re.escape(name)} \\(x\\) at move 3: {fault}: {said}", told)
    assert match.id == pairing[0].id


def test_a_worker_without_room_to_start_says_so_without_a_traceback(capfd):
    crowded = Supervisor(patience=100.0, memory=30 << 20)
    with pytest.raises(WorkerError, match="a worker does not start: 30 MB of memory are too few for it"):
        played_by(crowded, plan("flat", "random", matches=1).pairings[0])
    crowded.close()
    assert capfd.readouterr().err == ""


def test_the_others_play_on(supervisor):
    good = plan("flat", "random").pairings[0]
    expected = list(played(Job(good, range(2)), Shelf()))
    played_by(supervisor, plan("end", "random").pairings[0])
    assert played_by(supervisor, good) == expected


def test_every_match_of_a_deadly_agent_is_played(supervisor):
    pairing = plan("end(at=2)", "flat", matches=3).pairings[0]
    matches = played_by(supervisor, pairing)
    assert [match.seed for match in matches] == [pairing[number].seed for number in range(3)]
    assert all("at move 5: crash: its process ended" in match.faults[0] for match in matches)
    assert played_by(supervisor, pairing) == matches


def test_both_may_be_deadly(supervisor):
    (match,) = played_by(supervisor, plan("end", "kill(at=1)", matches=1).pairings[0])
    assert [turn.fault for turn in match.turns][:4] == ["crash", "", "crash", "crash"]
    assert len(match.faults) == 2


def test_who_ends_its_process_when_it_sits_down_is_absent(supervisor):
    (match,) = played_by(supervisor, plan("seat-end", "random", matches=1).pairings[0])
    assert {turn.fault for turn in match.turns if turn.role == 0} == {"crash"}
    assert match.faults[0].startswith("seat-end (x) before the first move: crash: its process ended")


def test_against_a_clock_the_second_end_is_the_last(supervisor):
    pairing = plan("end(at=1)", "random", matches=1, iterations=None, seconds=0.05).pairings[0]
    (match,) = played_by(supervisor, pairing)
    assert "crash" in {turn.fault for turn in match.turns if turn.role == 0}


def test_what_agents_print_does_not_get_between_the_results(supervisor):
    (match,) = played_by(supervisor, plan("noise", "random", matches=1).pairings[0])
    assert not match.faults


def test_a_broken_game_fails_the_match_and_nothing_else(supervisor):
    results = played_by(supervisor, plan("broken-game(at=1)", "random").pairings[0])
    assert [result.reason for result in results] == ["game 'x' breaks its promises"] * 2
    assert all(isinstance(result, Failure) for result in results)


def test_an_agent_that_forks_plays_once(supervisor):
    pairing = plan("fork", "random", matches=6).pairings[0]
    matches = played_by(supervisor, pairing)
    assert [match.id for match in matches] == [pairing[number].id for number in range(6)]
    assert not [fault for match in matches for fault in match.faults]
    assert played_by(supervisor, pairing) == matches


def there(process):
    """Whether a process runs: one that has ended and was not asked for yet does not."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("with_killed", [False, True])
def test_processes_of_agents_end_with_their_worker(tmp_path, monkeypatch, with_killed):
    monkeypatch.setenv("LEFT_BEHIND", str(tmp_path / "left"))
    made = Supervisor(patience=100.0)
    other = "end(at=1)" if with_killed else "random"
    played_by(made, plan("leave-behind", other, matches=1).pairings[0])
    left = [int(each) for each in (tmp_path / "left").read_text().split()]
    assert len(left) == (4 if with_killed else 2)
    made.close()
    for _ in range(100):
        if not any(map(there, left)):
            break
        sleep(0.05)
    assert not any(map(there, left))


def test_a_worker_that_is_killed_from_outside_is_nobodys_fault(tmp_path, monkeypatch):
    waits = tmp_path / "waits"
    monkeypatch.setenv("WAITS", str(waits))
    made = Supervisor(patience=100.0)
    pairing = plan("wait-once(at=1)", "random", matches=2).pairings[0]

    def kill():
        while not waits.exists():
            sleep(0.01)
        made._worker._process.kill()

    killer = Thread(target=kill, daemon=True)
    killer.start()
    matches = played_by(made, pairing)
    made.close()
    killer.join()
    assert matches == list(played(Job(pairing, range(2)), Shelf()))
    assert not [fault for match in matches for fault in match.faults]


def test_nothing_is_left_in_the_folder_for_temporary_files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    made = Supervisor(patience=100.0)
    played_by(made, plan("flat", "random", matches=1).pairings[0])
    assert list(tmp_path.iterdir()) == []  # while it runs: so nothing is left either when it is killed
    made.close()


def test_closing_does_not_wait():
    made = Supervisor(patience=100.0)
    pairing = plan("hang", "random", matches=1).pairings[0]
    from threading import Timer

    timer = Timer(1.5, made.close)
    timer.start()
    started = monotonic()
    assert made.play(Job(pairing, [0])) == []
    assert monotonic() - started < 30
    timer.join()


def test_a_worker_that_does_not_start_is_an_error(monkeypatch):
    made = Supervisor(patience=1.0)
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(WorkerError, match="a worker does not start: its process ended with exit code 1"):
        made.play(Job(plan("flat", "random").pairings[0], [0]))
