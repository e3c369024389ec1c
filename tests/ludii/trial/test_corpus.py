"""All trials that Ludii recorded are read, and written back byte for byte."""

import lzma

import pytest

from ludarium.ludii.library import open_library
from ludarium.ludii.trial.check import find
from ludarium.ludii.trial.writer import text
from tests.ludii.trial.samples import corpus_sample


@pytest.mark.corpus
def test_trials_are_written_back_byte_for_byte(ludii, pytestconfig):
    read = 0
    for file, trial in corpus_sample(ludii, pytestconfig):
        assert text(trial).encode() == lzma.decompress(file.read_bytes()), file
        read += 1
    assert read > 50


@pytest.mark.corpus
def test_trials_find_their_games(ludii, pytestconfig):
    library = open_library(ludii)
    for file, trial in corpus_sample(ludii, pytestconfig):
        assert find(trial, library).endswith(f"/{file.parent.name}.lud"), file


@pytest.mark.corpus
def test_placements_are_the_moves_that_nobody_made(ludii, pytestconfig):
    for file, trial in corpus_sample(ludii, pytestconfig):
        if trial.sizes and trial.name != "simulation/Game of Life":
            assert all(move.mover == 0 and move.decision is None for move in trial.placements), file
            assert all(move.decision is not None for move in trial.played), file
