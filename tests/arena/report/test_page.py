import re
import shutil
import subprocess
from html.parser import HTMLParser

import numpy as np
import pytest
from matplotlib.image import imread

from ludarium.arena.report.page import page
from ludarium.arena.report.report import report
from tests.arena.samples import duels, lots, thoughts


class Reader(HTMLParser):
    """Checks that tags are closed, and keeps what a reader would see."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.words = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def read(text):
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    return reader


@pytest.fixture(scope="module")
def made():
    results = lots(600, games=7)
    return report(results, thoughts(results, 50), title="Spring & autumn")


@pytest.fixture(scope="module")
def text(made):
    return page(made, {"standings": "x-standings.csv"})


def test_the_page_needs_no_other_file_and_runs_no_script(text):
    for tag, attributes in read(text).tags:
        assert tag not in ("script", "link", "iframe")
        assert attributes.get("src", "data:").startswith("data:image/svg+xml;base64,") or "src" not in attributes
    assert not re.search(r"https?://", text)


def test_every_figure_has_words_for_those_who_cannot_see_it(text):
    images = [attributes for tag, attributes in read(text).tags if tag == "img"]
    assert len(images) == 6
    assert all(len(image["alt"]) > 20 for image in images)


def test_findings_and_tables_are_on_the_page(made, text):
    seen = " ".join(read(text).words)
    for line in made.findings:
        assert line in seen
    assert "Spring & autumn" in seen
    for sheet in made.sheets:
        assert (sheet.title in seen) or not sheet.for_page


def test_names_that_look_like_tags_are_harmless():
    text = page(report(duels([("<script>alert(1)</script>", "b", 1)]), title="<b>"), {})
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    read(text)


def test_the_tables_link_to_their_files(text):
    links = [attributes["href"] for tag, attributes in read(text).tags if tag == "a"]
    assert links == ["x-standings.csv"]


def test_long_tables_are_folded(text):
    assert "<summary>" not in text
    assert "<summary>Show all 30 rows</summary>" in page(report(lots(600, agents=2, games=30)), {})


@pytest.mark.browser
def test_a_browser_shows_the_page(made, tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs a browser: apt install chromium")
    written = made.write(tmp_path / "x.html")[0]
    picture = tmp_path / "x.png"
    # No sandbox: containers have none to give, and the page runs no script.
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    command = [browser, *options, "--window-size=1200,5000", f"--screenshot={picture}", written.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pixels = (imread(picture)[:, :, :3] * 255).round().astype(int)
    assert pixels.shape[:2] == (5000, 1200)
    assert (pixels[:, :5] == 255).all()  # the margin is white, so nothing hangs out on the left
    ink = (pixels.min(axis=2) < 128).any(axis=1)
    assert ink[:3500].mean() > 0.3  # lines of words, all the way down
    for colour, where in (
        ((86, 180, 233), "bars"),
        ((0, 114, 178), "findings, dots and margins"),
        ((230, 159, 0), "intervals"),
    ):
        close = np.abs(pixels - colour).max(axis=2) < 3
        assert close.sum() > 200, f"no {where}"
