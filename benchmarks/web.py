"""The page: how soon it is there, how soon a click shows, and whether many pages and matches stall each other.

A real server in a process of its own, and a real Chromium for what a person sees. The pages of the crowd are sockets that watch
matches as the page does, fifty of them, while twenty matches between agents run.
"""

import argparse
import asyncio
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --disable-dev-shm-usage"
)
CLICK = """
const done = arguments[arguments.length - 1];
const history = document.querySelector('.history');
const before = history.children.length;
let start = performance.now();
new MutationObserver((_, watcher) => {
  if (history.children.length <= before) return;
  watcher.disconnect();
  requestAnimationFrame(() => done(performance.now() - start));
}).observe(history, { childList: true });
const press = (site) => {
  const box = site.getBoundingClientRect();
  const where = { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, pointerId: 1 };
  start = performance.now();
  site.dispatchEvent(new PointerEvent('pointerdown', where));
  site.dispatchEvent(new PointerEvent('pointerup', where));
};
press(document.querySelector('.site.can'));
const to = document.querySelector('.site.to');
if (to) press(to);
"""
"""Makes a move, by a click or two, and measures from the last click until the new position was painted."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long the crowd stays")
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--long", type=float, default=0, metavar="MINUTES", help="only: does memory grow over matches?")
    given = parser.parse_args()
    command = [sys.executable, "-m", "ludarium", "serve", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().split()[1].rstrip("/")
        try:
            print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
            if given.long:
                long_watch(address, server.pid, given.long)
                return
            alone(address)
            asyncio.run(crowd(address, server.pid, given))
        finally:
            server.terminate()


def post(address, path, data):
    body = json.dumps(data).encode()
    request = urllib.request.Request(f"{address}/api/v1{path}", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)


def alone(address):
    """What one person sees."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in FLAGS.split():
        options.add_argument(flag)
    options.binary_location = shutil.which("chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        options.add_argument(f"--user-data-dir={folder}")
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            paints = []
            for _ in range(7):
                browser.get(f"{address}/tournaments")
                browser.get(f"{address}/")
                time.sleep(3)
                paints.append(
                    browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0].startTime")
                )
            tell("first paint of the page, ms", paints, 1500)
            seats = [{"agent": "human"}, {"agent": "human"}]
            for game in ("connect-four", "breakthrough", "hnefatafl"):
                made = post(address, "/matches", {"game": game, "seats": seats, "seed": 1})
                keys = "&".join(f"key={key}" for key in made["keys"].values())
                browser.get(f"{address}/match/{made['id']}?{keys}")
                time.sleep(4)
                browser.set_script_timeout(60)
                clicks = [browser.execute_async_script(CLICK) for _ in range(10)]
                tell(f"a click on the board of {game} shows the new position, ms", clicks, 150)
        finally:
            browser.quit()


async def crowd(address, pid, given):
    """Many pages and matches at once."""
    import websockets

    seats = [{"agent": "uct", "iterations": 1000}, {"agent": "flat", "iterations": 1000}]
    games = ("connect-four", "breakthrough", "tic-tac-toe", "hex")
    begin = {"seats": seats, "pause_seconds": 0.3}
    matches = [post(address, "/matches", {"game": games[k % 4], **begin})["id"] for k in range(given.matches)]
    socket = address.replace("http", "ws")
    told, late, stop = [0], [], time.monotonic() + given.seconds

    async def page(k):
        path = f"{socket}/api/v1/matches/{matches[k % len(matches)]}/watch"
        async with websockets.connect(path, max_size=None) as line:
            while time.monotonic() < stop:
                try:
                    data = json.loads(await asyncio.wait_for(line.recv(), 1))
                except TimeoutError:
                    continue
                told[0] += 1
                if data["over"] and k < len(matches):  # go on from some moves before
                    with contextlib.suppress(urllib.error.HTTPError):
                        for _ in range(4):
                            await asyncio.to_thread(post, address, f"/matches/{data['id']}/undo", {})

    async def probe():
        person = await asyncio.to_thread(
            post, address, "/matches", {"game": "connect-four", "seats": [{"agent": "human"}, {"agent": "human"}]}
        )
        while time.monotonic() < stop:
            start = time.monotonic()
            for path in ("/", f"/api/v1/matches/{person['id']}"):
                await asyncio.to_thread(
                    lambda path=path: urllib.request.urlopen(f"{address}{path}", timeout=120).read()
                )
            late.append(1000 * (time.monotonic() - start))
            await asyncio.sleep(0.2)

    await asyncio.gather(probe(), *(page(k) for k in range(given.pages)))
    tell(f"a page and a match are fetched beside {given.pages} pages and {given.matches} matches, ms", late, 1000)
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    memory = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
    print(f"| most memory of the server, MiB | {memory:,.0f} | under 1536 | {'pass' if memory < 1536 else 'FAIL'} |")
    print(f"{told[0]:,} positions were told to the pages in {given.seconds:g} s")


def long_watch(address, pid, minutes):
    """Match after match, six at a time, and what the server holds after each minute; the first third warms up."""
    seats = [{"agent": "uct", "iterations": 200}, {"agent": "mast", "iterations": 200}]
    games = ("connect-four", "breakthrough", "gdl:tic-tac-toe", "lud:hex", "tic-tac-toe", "lud:reversi")
    begin = {"seats": seats, "pause_seconds": 0.05}
    running = {game: post(address, "/matches", {"game": game, **begin})["id"] for game in games}
    held, done, start = [], 0, time.monotonic()
    while time.monotonic() < start + 60 * minutes:
        time.sleep(1)
        for game, ident in running.items():
            with urllib.request.urlopen(f"{address}/api/v1/matches/{ident}", timeout=120) as answer:
                over = json.load(answer)["over"]
            if over:
                done += 1
                running[game] = post(address, "/matches", {"game": game, **begin})["id"]
        if time.monotonic() > start + 60 * (len(held) + 1):
            lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            held.append(next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024)
            print(f"minute {len(held)}: {held[-1]:.1f} MiB, {done} matches over", flush=True)
    third = max(1, len(held) // 3)
    middle, last = statistics.mean(held[third : 2 * third] or held), statistics.mean(held[-third:])
    print(
        f"| memory, last third against the second, {minutes:g} minutes, {done} matches | {middle:.1f}, {last:.1f} MiB |"
    )


def tell(what, figures, bar):
    middle, worst = statistics.median(figures), max(figures)
    verdict = "pass" if worst < bar else "pass in the median" if middle < bar else "FAIL"
    print(
        f"| {what} | median {middle:,.0f}, worst {worst:,.0f} of {len(figures)} | under {bar} | {verdict} |", flush=True
    )


if __name__ == "__main__":
    main()
