"""The real page in a real browser: Chromium without a screen clicks, types and looks."""

import shutil
import subprocess
import sys
import tempfile

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: pip install .[test]")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars"
)
PATIENCE = 60  # seconds: the machine may be busy

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="needs a Chromium and its driver: Debian's packages chromium and chromium-driver",
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    stores = tmp_path_factory.mktemp("stores")
    words = f"# What was found\n\n![Wins: the table has them](found/wins.svg)\n\n|{'wide |' * 60}\n|{'--- |' * 60}\n"
    (stores / "found.md").write_text(words)
    (stores / "found").mkdir()
    (stores / "found" / "wins.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="1999" height="9"><circle r="9"/></svg>'
    )
    command = [sys.executable, "-m", "ludarium", "serve", "--port", "0", "--no-browser", "--stores", stores]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline()
        assert "http://127.0.0.1:" in line, line
        yield line.split()[1].rstrip("/")
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS.split():
        options.add_argument(flag)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options.add_argument(f"--user-data-dir={folder}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        made = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
        made.set_window_size(1280, 900)
        yield made
        made.quit()


@pytest.fixture(autouse=True)
def no_errors_in_the_console(browser):
    browser.get_log("browser")
    yield
    wrong = [each["message"] for each in browser.get_log("browser") if each["level"] == "SEVERE"]
    assert not [each for each in wrong if "/api/v1/" not in each], wrong


def until(browser, condition):
    return WebDriverWait(
        browser, PATIENCE, ignored_exceptions=[webdriver.remote.errorhandler.WebDriverException]
    ).until(condition)


def there(browser, css):
    return until(browser, lambda b: b.find_element(By.CSS_SELECTOR, css))


def status(browser, word, css=".status"):
    return until(browser, lambda b: word in b.find_element(By.CSS_SELECTOR, css).text)


def opened(browser, address, **wanted):
    """Begin a match by the interface, and open its page with the keys of all people."""
    import httpx2

    seats = [{"agent": each, "iterations": None if each == "human" else 30} for each in wanted.pop("seats")]
    made = httpx2.post(f"{address}/api/v1/matches", json={"seats": seats, "seed": 5, **wanted}, timeout=PATIENCE).json()
    keys = "&".join(f"key={key}" for key in made["keys"].values())
    browser.get(f"{address}/match/{made['id']}?{keys}")
    there(browser, ".seat")
    return made


def click(browser, site):
    """Press and release on a site, as a mouse does."""
    element = until(browser, lambda b: b.find_element(By.CSS_SELECTOR, f'.site.can[data-site="{site}"]'))
    webdriver.ActionChains(browser).move_to_element(element).click().perform()


def test_a_match_is_chosen_set_up_and_played_by_clicking(browser, address):
    browser.get(address)
    box = there(browser, "input[placeholder^=search]")
    box.send_keys("three row python")
    until(
        browser,
        lambda b: [each.text.split("\n")[0] for each in b.find_elements(By.CSS_SELECTOR, ".game")] == ["tic-tac-toe"],
    )
    there(browser, ".game").click()
    until(browser, lambda b: b.find_element(By.ID, "begin").is_displayed())
    browser.find_element(By.ID, "begin").click()
    until(browser, lambda b: "/match/" in b.current_url)
    there(browser, ".picture svg")
    for ply in range(9):
        status_text = until(
            browser,
            lambda b: (
                (t := b.find_element(By.CSS_SELECTOR, ".status").text) and ("Your move" in t or "over" in t) and t
            ),
        )
        if "over" in status_text:
            break
        moves = len(browser.find_elements(By.CSS_SELECTOR, ".history li"))
        name = there(browser, ".site.can").get_attribute("data-site")
        click(browser, name)
        until(browser, lambda b, moves=moves: len(b.find_elements(By.CSS_SELECTOR, ".history li")) > moves)
    status(browser, "The match is over")
    assert browser.find_element(By.CSS_SELECTOR, ".worth").text in ("0", "0.5", "1")


def test_pieces_move_by_two_clicks_by_dragging_by_keys_and_by_typing(browser, address):
    opened(browser, address, game="breakthrough", seats=["human", "human"])
    click(browser, "a2")
    click(browser, "a3")
    status(browser, "black to move")
    source = there(browser, '.site.can[data-site="h7"]')
    webdriver.ActionChains(browser).move_to_element(source).click_and_hold().move_to_element(
        there(browser, '[data-site="h6"]')
    ).release().perform()
    status(browser, "white to move")
    there(browser, '.site.can[data-site="b2"]').send_keys(Keys.ENTER)
    there(browser, '.site.to[data-site="b3"]').send_keys(Keys.ENTER)
    status(browser, "black to move")
    typed = there(browser, "input.typed")
    typed.send_keys("g7g6", Keys.ENTER)
    status(browser, "white to move")
    typed = there(browser, "input.typed")
    typed.send_keys("g9", Keys.ENTER)
    until(browser, lambda b: "g9" in b.find_element(By.CSS_SELECTOR, ".notice").text)
    there(browser, ".controls button").click()  # undo takes back white's own last move
    until(browser, lambda b: len(b.find_elements(By.CSS_SELECTOR, ".history li")) == 2)


def test_a_hint_is_drawn_on_the_board(browser, address):
    opened(browser, address, game="tic-tac-toe", seats=["human", "human"], moves="a1 b1 a2 b2")
    there(browser, ".controls button:nth-child(2)").click()
    until(browser, lambda b: "a3" in b.find_element(By.CSS_SELECTOR, ".thoughts h3").text)
    assert browser.find_elements(By.CSS_SELECTOR, ".thought-disc")


def test_agents_are_watched_and_their_thoughts_opened(browser, address):
    opened(browser, address, game="connect-four", seats=["uct", "flat"], paused=True)
    status(browser, "Paused")
    next(each for each in browser.find_elements(By.CSS_SELECTOR, ".controls button") if each.text == "Step").click()
    there(browser, ".history button.ply").click()
    table = there(browser, ".thoughts .thought-table")
    assert "visits" in table.text
    assert len(table.find_elements(By.CSS_SELECTOR, "tbody tr")) == 7
    next(each for each in browser.find_elements(By.CSS_SELECTOR, ".controls button") if each.text == "Go on").click()
    status(browser, "The match is over")
    next(each for each in browser.find_elements(By.CSS_SELECTOR, ".controls button") if each.text == "‹").click()
    status(browser, "Looking back")


def test_several_people_at_one_page_are_shown_their_own_view_in_turn(browser, address):
    opened(browser, address, game="leduc-poker", seats=["human", "human"])
    until(browser, lambda b: "first's turn" in b.find_element(By.CSS_SELECTOR, ".cover").text)
    assert not browser.find_elements(By.CSS_SELECTOR, ".picture svg")
    there(browser, ".cover").click()
    until(browser, lambda b: b.find_elements(By.CSS_SELECTOR, ".picture svg"))
    there(browser, ".buttons button").click()
    until(browser, lambda b: "second's turn" in b.find_element(By.CSS_SELECTOR, ".cover").text)
    assert browser.find_element(By.CSS_SELECTOR, ".picture").value_of_css_property("visibility") == "hidden"


def test_a_belief_map_is_opened(browser, address):
    moves = "a1-e1; a1-e1; a2-d2; a2-d2; a3-c3; a3-c3; a4-c4; a4-c4; a5-b5; a5-b5"
    opened(browser, address, game="battleship", seats=["human", "uct"], moves=moves)
    next(each for each in browser.find_elements(By.CSS_SELECTOR, ".controls button") if each.text == "Belief").click()
    there(browser, ".heat td")
    assert len(browser.find_elements(By.CSS_SELECTOR, ".heat td")) >= 100


def test_thoughts_of_two_agents_grow_side_by_side(browser, address):
    browser.get(f"{address}/think?game=tic-tac-toe&moves=a1+b1+a2+b2&seconds=0.3&agent=uct&agent=alphabeta&go=1")
    until(browser, lambda b: [each.text for each in b.find_elements(By.CSS_SELECTOR, ".mind p")] == ["done", "done"])
    best = [each.text for each in browser.find_elements(By.CSS_SELECTOR, ".mind tr.best td:first-child")]
    assert best == ["a3", "a3"]
    assert browser.find_elements(By.CSS_SELECTOR, ".thought-disc")
    click(browser, "c3")
    status(browser, "o to move")
    assert "c3" in there(browser, "textarea").get_attribute("value")


def test_rules_with_a_mistake_are_mended(browser, address):
    browser.get(f"{address}/rules")
    status(browser, "No mistakes", "#rules-status")
    editor = there(browser, ".cm-content")
    editor.click()
    editor.send_keys(Keys.CONTROL, Keys.HOME)
    editor = there(browser, ".cm-content")
    editor.send_keys("(role")
    status(browser, "mistake", "#rules-status")
    until(browser, lambda b: b.find_element(By.CSS_SELECTOR, "#problems .error").text.startswith("1:"))
    for _ in range(5):
        there(browser, ".cm-content").send_keys(Keys.BACKSPACE)
    status(browser, "No mistakes", "#rules-status")
    assert browser.find_elements(By.CSS_SELECTOR, ".picture svg")


def test_a_tournament_is_started_and_a_match_of_it_opened(browser, address):
    browser.get(f"{address}/tournaments")
    there(browser, "#start-tournament").click()
    until(browser, lambda b: "/tournament?" in b.current_url)
    status(browser, "done", "#tournament-status")
    rows = until(
        browser,
        lambda b: (
            len(b.find_elements(By.CSS_SELECTOR, "tbody tr")) > 3 and b.find_elements(By.CSS_SELECTOR, "tbody tr")
        ),
    )
    assert any("uct" in each.text for each in rows[:3])
    rows[-1].click()
    until(browser, lambda b: "/match/" in b.current_url)
    status(browser, "The match is over")


def test_a_page_of_a_study_is_read_with_its_figures(browser, address):
    browser.get(f"{address}/tournaments")
    until(browser, lambda b: b.find_element(By.LINK_TEXT, "What was found")).click()
    until(browser, lambda b: b.execute_script("return document.querySelector('.study img')?.naturalWidth") == 1999)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "path", ["/", "/watch", "/think", "/rules", "/tournaments", "/begin?game=connect-four", "/study?name=found"]
)
def test_no_page_is_wider_than_the_screen(browser, address, path, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    browser.get(f"{address}{path}")
    there(browser, "nav a.here")
    until(browser, lambda b: b.execute_script("return document.querySelector('.q-page').innerText.length") > 60)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_dark_and_light(browser, address):
    browser.get(f"{address}/think")
    there(browser, ".picture svg")
    ground = "return getComputedStyle(document.body).backgroundColor"
    before = browser.execute_script(ground)
    there(browser, "button[aria-label='dark or light']").click()
    until(browser, lambda b: b.execute_script(ground) != before)
    browser.refresh()
    until(browser, lambda b: b.execute_script(ground) != before)  # it is remembered
    there(browser, "button[aria-label='dark or light']").click()


def test_a_page_of_an_address_that_is_wrong_says_so(browser, address):
    browser.get(f"{address}/match/none")
    until(browser, lambda b: "no such match" in b.find_element(By.CSS_SELECTOR, ".notice").text)
    browser.get(f"{address}/begin?game=nonsense")
    until(browser, lambda b: "nonsense" in b.find_element(By.CSS_SELECTOR, ".notice").text)
