"""An SVG image in the making: elements, and sites that can be clicked on."""

from __future__ import annotations

from html import escape

from ludarium.drawing.colours import GROUND, INK


class Image:
    """Elements, and how far they reach.

    A site is a part of a picture that a move may be made on. It is drawn last, without a colour, above all else, and carries
    its name in `data-site`, and its middle and its size for whoever draws on top.
    """

    def __init__(self, title: str = "") -> None:
        self.title = title
        self.parts: list[str] = []
        self.sites: list[str] = []
        self.width = self.height = 0.0

    def reach(self, x: float, y: float) -> None:
        """Make the image large enough for a point."""
        self.width, self.height = max(self.width, x), max(self.height, y)

    def add(self, element: str) -> None:
        """Add an element as it is."""
        self.parts.append(element)

    def rect(self, x: float, y: float, width: float, height: float, fill: str, **more: str | float) -> None:
        """Draw a rectangle."""
        place = f'x="{x:.5g}" y="{y:.5g}" width="{width:.5g}" height="{height:.5g}"'
        self.add(f'<rect {place} fill="{fill}"{_attributes(more)}/>')
        self.reach(x + width, y + height)

    def disc(self, x: float, y: float, radius: float, fill: str, **more: str | float) -> None:
        """Draw a disc."""
        self.add(f'<circle cx="{x:.5g}" cy="{y:.5g}" r="{radius:.4g}" fill="{fill}"{_attributes(more)}/>')
        self.reach(x + radius, y + radius)

    def words(self, x: float, y: float, text: str, size: float, fill: str = INK, **more: str | float) -> None:
        """Write a text, by default with its middle at x and its foot at y."""
        more = {"text_anchor": "middle", **more}
        place = f'x="{x:.5g}" y="{y:.5g}" font-size="{size:.3g}" fill="{fill}"'
        self.add(f"<text {place}{_attributes(more)}>{escape(text)}</text>")
        wide = 0.62 * size * len(text)
        self.reach(x + (wide if more["text_anchor"] == "start" else wide / 2), y + 0.3 * size)

    def site(self, name: str, shape: str, x: float, y: float, radius: float) -> None:
        """Let a shape, an element without its end such as `<rect ... `, be a site."""
        place = f'data-x="{x:.5g}" data-y="{y:.5g}" data-r="{radius:.4g}"'
        self.sites.append(f'{shape} fill="transparent" class="site" data-site="{escape(name)}" {place}/>')

    def finished(self, margin: float = 10.0, smallest: float = 120.0) -> str:
        """The whole image."""
        width, height = max(self.width + margin, smallest), self.height + margin
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.5g} {height:.5g}" width="{width:.5g}" '
            f'height="{height:.5g}" font-family="sans-serif" role="img">'
        )
        ground = f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", ground, *self.parts, *self.sites, "</svg>"])


def _attributes(more: dict[str, str | float]) -> str:
    return "".join(f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in more.items())
