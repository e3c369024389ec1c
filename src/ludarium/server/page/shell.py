"""What all pages share: the head with its tabs, dark and light, styles and scripts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape

from nicegui import ui

TABS = {"/": "Play", "/watch": "Watch", "/think": "Think", "/rules": "Rules", "/tournaments": "Tournaments"}

_DARK = """
<script>
(() => {
  const wanted = localStorage.getItem("ludarium-dark");
  const dark = wanted === null ? matchMedia("(prefers-color-scheme: dark)").matches : wanted === "1";
  const paint = () => {
    if (!window.Quasar || !Quasar.Dark || !document.body) return setTimeout(paint, 20);
    if (document.body.classList.contains("body--dark") !== window.ludariumDark) Quasar.Dark.set(window.ludariumDark);
  };
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(paint).observe(document.body, { attributeFilter: ["class"] }); // whoever starts later has no say
    paint(); // and whoever started before
  });
  window.ludariumDark = dark;
  window.ludariumToggle = () => {
    window.ludariumDark = !window.ludariumDark;
    localStorage.setItem("ludarium-dark", window.ludariumDark ? "1" : "0");
    paint();
  };
  paint();
})();
</script>
"""


@contextmanager
def shell(here: str, *, script: str = "") -> Iterator[None]:
    """Put the content of a page into the frame that all have."""
    ui.page_title(f"{TABS.get(here, 'Match')} · Ludarium")
    ui.add_head_html('<link rel="stylesheet" href="/static/style.css">' + _DARK)
    if script:
        ui.add_body_html(f'<script type="module" src="/static/{script}"></script>')
    with ui.header().classes("items-center no-wrap q-py-xs"):
        links = "".join(
            f'<a href="{path}"{" class=here" if path == here else ""}>{name}</a>' for path, name in TABS.items()
        )
        ui.html(f'<nav aria-label="pages">{links}</nav>', sanitize=False).classes("fill")
        ui.button(icon="contrast").props('flat round color=white aria-label="dark or light"').on(
            "click", js_handler="() => ludariumToggle()"
        )
    yield


def mount(ident: str, **data: str | Sequence[str]) -> None:
    """Make room for what a script draws, and hand it data."""
    given = "".join(
        f' data-{name}="{escape(value if isinstance(value, str) else json.dumps(list(value)))}"'
        for name, value in data.items()
    )
    ui.html(f'<div id="{escape(ident)}"{given}>Loading …</div>', sanitize=False).classes("fill")
