"""The figures of all studies: one palette, and words on every axis."""

import re
from pathlib import Path

import pytest

import ludarium
from ludarium.arena.report import palette

SOURCES = [
    *(Path(ludarium.__file__).parent / "studies").rglob("*.py"),
    Path(ludarium.__file__).parent / "arena" / "report" / "figures.py",
]


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_colours_come_from_the_palette_alone(source):
    text = source.read_text(encoding="utf-8")
    assert not re.search(r"\"#[0-9a-fA-F]{6}\"", text)
    assert not re.search(r"color=f?\"C", text)
    for name in re.findall(r"cmap=(\S+?)[,)]", text):
        assert name in ("SHARES", "HEAT")


def test_the_palette_tells_all_its_lines_apart():
    assert len(set(palette.LINES)) == len(palette.LINES)
    assert len({colour for colour, _ in palette.LINES}) == len(palette.LINES)


def labelled(figure):
    """Whether every plot has words on both its axes, be they its own or those of the whole figure."""
    whole = (bool(figure.get_supxlabel()), bool(figure.get_supylabel()))
    for axes in figure.axes:
        if not axes.get_visible() or axes.get_label() == "<colorbar>":
            continue
        words = axes.get_xlabel(), axes.get_ylabel()
        shared = any(each.get_ylabel() for each in figure.axes)
        assert words[0] or whole[0] or any(each.get_xlabel() for each in figure.axes), axes.get_title()
        assert words[1] or whole[1] or shared, axes.get_title()
    return True
