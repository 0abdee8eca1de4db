"""Each view in a fixed state, compared with a stored picture: small, and tolerant of other fonts.

A view that looks otherwise leaves its picture beside the stored one, as NAME.changed.png: look at
both, and if the new one is meant, rename it.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.browser.appearances import appearances
from tests.browser.inspector import Inspector

pytestmark = pytest.mark.browser
STORED = Path(__file__).parent / "looks"
SHRINK = 4  # a stored pixel is the mean of so many by so many on the screen
CELL = 6  # stored pixels: what is compared is the mean of such squares
FAR = 28  # of 255 levels
ALLOWED = 0.02  # of the squares may be further apart: other fonts set tokens otherwise
TEXT = "/?text=The+keys+near+the+old+cabinet+are+on+the+table.&layer=2&head=1&query=6"
LOOKS = {
    "heatmap": TEXT,
    "scores": f"{TEXT}&matrix=scores",
    "log": f"{TEXT}&scale=sea&log=true",
    "lines": f"{TEXT}&view=lines",
    "lines-of-two": f"{TEXT}&view=lines&overlay=1.2&overlay=2.3",
    "inside": f"{TEXT}&view=inside&key=2",
    "compare": f"{TEXT}&view=compare&against=layer%3D2%26head%3D3",
}


def squares(picture: Image.Image) -> NDArray[np.float64]:
    """Mean colour of each square, (down, across, 3)."""
    pixels = np.asarray(picture.convert("RGB"), dtype=np.float64)
    down, across = (side // CELL for side in pixels.shape[:2])
    cut = pixels[: down * CELL, : across * CELL]
    means: NDArray[np.float64] = cut.reshape(down, CELL, across, CELL, 3).mean(axis=(1, 3))
    return means


def apart(a: Image.Image, b: Image.Image) -> float:
    """The share of squares whose colours differ a lot; 1 if the sizes differ."""
    if any(abs(x - y) > CELL for x, y in zip(a.size, b.size, strict=True)):
        return 1.0
    first, second = squares(a), squares(b)
    down, across = (min(x, y) for x, y in zip(first.shape[:2], second.shape[:2], strict=True))
    far = np.abs(first[:down, :across] - second[:down, :across]).max(axis=-1) > FAR
    return float(far.mean())


@pytest.mark.painted
@pytest.mark.parametrize("name", LOOKS)
def test_it_looks_as_it_did(inspector: Inspector, name: str, tmp_path: Path) -> None:
    inspector.open(LOOKS[name]).probed()
    shot = tmp_path / "shot.png"
    for scheme, _ in appearances(inspector.page):
        inspector.ready().page.locator(".head").screenshot(path=shot, animations="disabled")
        with Image.open(shot) as full:
            compare(full.convert("RGB").reduce(SHRINK), f"{name}-{scheme}")


def compare(small: Image.Image, name: str) -> None:
    """Hold a picture against the stored one of that name."""
    stored = STORED / f"{name}.png"
    changed = STORED / f"{name}.changed.png"
    changed.unlink(missing_ok=True)
    if not stored.exists():
        STORED.mkdir(exist_ok=True)
        small.save(changed, optimize=True)
        pytest.fail(f"{stored.name} is not there: look at {changed.name}, and rename it")
    with Image.open(stored) as before:
        far = apart(small, before)
    if far > ALLOWED:
        small.save(changed, optimize=True)
    assert far <= ALLOWED, f"{100 * far:.1f}% of {name} looks otherwise: see {changed.name}"


def test_another_head_is_seen_to_look_otherwise() -> None:
    """The tolerance is narrow enough to notice changes."""
    with Image.open(STORED / "heatmap-light.png") as a, Image.open(STORED / "log-light.png") as b:
        assert apart(a, b) > 5 * ALLOWED
