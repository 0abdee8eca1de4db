"""The colours of the page, read from its style sheet: static/css/tokens.css is the only list."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from headlight.application import folder

Scheme: TypeAlias = Literal["light", "dark"]
Scale: TypeAlias = Literal["blue", "sea"]  # the page's two sequential scales
Steps: TypeAlias = Literal["linear", "root", "log"]  # how a range from 0 is spread over them
DECADES = 4  # of a logarithmic scale
Table: TypeAlias = NDArray[np.uint8]  # 256 colours (r, g, b)

_SEQUENTIAL = tuple(f"seq-{step}" for step in range(6))
_DIVERGING = ("div-low-2", "div-low-1", "div-zero", "div-high-1", "div-high-2")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_TOKEN = re.compile(r"--([\w-]+):\s*([^;]+);")

# Ottosson 2020: linear RGB to the cones' responses, whose cube roots give OKLab
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@dataclass(frozen=True)
class Palette:
    """What figures are drawn with, in one colour scheme. Colours are such as `#14203a`."""

    sequential: Table
    diverging: Table
    text: str
    faint: str
    line: str
    panel: str
    hatch: str
    categories: tuple[str, ...]  # the heads of one picture


@cache
def palette(dark: bool = False, scale: Scale = "blue") -> Palette:
    """The colours of the page."""
    tokens = _tokens(scale)

    def colour(name: str) -> str:
        return _resolved(tokens[name], tokens, "dark" if dark else "light")

    return Palette(
        sequential=table([colour(name) for name in _SEQUENTIAL]),
        diverging=table([colour(name) for name in _DIVERGING], halves=2),
        text=colour("text"),
        faint=colour("faint"),
        line=colour("line"),
        panel=colour("panel"),
        hatch=colour("hatch"),
        categories=tuple(colour(name) for name in tokens if name.startswith("cat-")),
    )


def table(stops: Sequence[str], halves: int = 1) -> Table:
    """256 colours through some, each as far along as it looks in OKLab, as on the page.

    With two halves, the colour in the middle stays there.
    """
    labs = oklab(np.array([_rgb(stop) for stop in stops]))
    steps = np.linalg.norm(np.diff(labs, axis=0), axis=1).reshape(halves, -1)
    shares = (steps / steps.sum(axis=1, keepdims=True)).ravel() / halves
    at = np.concatenate([[0], np.cumsum(shares)])
    places = np.linspace(0, 1, 256)
    mixed = np.stack([np.interp(places, at, channel) for channel in labs.T], axis=1)
    linear = (mixed @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_LMS).T
    bent = 1.055 * np.maximum(linear, 0) ** (1 / 2.4) - 0.055
    shares = np.where(linear <= 0.0031308, 12.92 * linear, bent)
    found: Table = np.clip(np.rint(255 * shares), 0, 255).astype(np.uint8)
    return found


def oklab(rgb: NDArray[Any]) -> NDArray[np.float64]:
    """(n, 3) of 0 to 255 in OKLab; the first channel is the perceived lightness, 0 to 1."""
    shares = rgb / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    lab: NDArray[np.float64] = np.cbrt(linear @ _TO_LMS.T) @ _TO_LAB.T
    return lab


@cache
def _tokens(scale: Scale) -> Mapping[str, str]:
    """The values of all tokens, as the style sheet has them."""
    sheet = (folder() / "static/css/tokens.css").read_text(encoding="utf-8")
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    found: dict[str, str] = {}
    for selector, body in _RULE.findall(sheet):
        if selector.strip() in (":root", f'[data-scale="{scale}"]'):
            found |= {name: " ".join(value.split()) for name, value in _TOKEN.findall(body)}
    return found


def _resolved(value: str, tokens: Mapping[str, str], scheme: Scheme) -> str:
    """A colour without `light-dark()` and `var()`."""
    pair = re.fullmatch(r"light-dark\(\s*(.+?)\s*,\s*(.+?)\s*\)", value)
    if pair:
        return _resolved(pair[1 if scheme == "light" else 2], tokens, scheme)
    named = re.fullmatch(r"var\(--([\w-]+)\)", value)
    return _resolved(tokens[named[1]], tokens, scheme) if named else value


def _rgb(colour: str) -> list[int]:
    return list(bytes.fromhex(colour.removeprefix("#")))
