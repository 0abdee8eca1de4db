"""Pictures for notebooks: what their frames carry."""

import html
import re

import pytest

from headlight import Client, Run
from headlight.inline.picture import LARGE, Picture
from tests.exported import inside, written_by

TEXT = "Maria saw herself in the mirror."


@pytest.fixture(scope="module")
def run(hl: Client) -> Run:
    return hl.trace(TEXT)


def page_in(picture: Picture) -> str:
    """The page that the frame of a picture writes."""
    bundle = picture._repr_mimebundle_()
    [document] = re.findall(r'srcdoc="([^"]*)"', bundle["text/html"])
    return written_by(html.unescape(document))


def test_a_picture_holds_the_run_alone(run: Run) -> None:
    picture = run.show(layer=2, head=3, view="lines")
    page = page_in(picture)
    found = inside(page)
    assert "shipped/trace.safetensors" in found
    assert "shipped/model.safetensors" not in found
    assert re.search(r'data-file="[^"]*layer=2&amp;head=3&amp;view=lines&amp;depth=embed', page)
    assert len(picture.html()) < 1_000_000
    assert picture._repr_mimebundle_()["image/png"].startswith("iVBOR")  # a PNG
    assert repr(picture) == "<Attention of layer 2, head 3 (lines)>"


def test_a_picture_keeps_the_edits_of_its_run(run: Run) -> None:
    page = page_in(run.mute((1, 2)).trace().show())
    assert "muted=1.2" in page
    assert '"muted": [[1, 2]]' in page


def test_a_live_picture_has_the_model_and_tells_its_size(run: Run) -> None:
    picture = run.show(live=True)
    assert "shipped/model.safetensors" in inside(picture.page.decode())
    with pytest.warns(UserWarning, match=r"takes \d\.\d MB of the notebook"):
        bundle = picture._repr_mimebundle_()
    assert len(bundle["text/html"]) > LARGE


def test_a_frame_can_reach_neither_the_notebook_nor_the_network(run: Run) -> None:
    written = run.show().html()
    [sandbox] = re.findall(r'sandbox="([^"]*)"', written)
    assert "allow-same-origin" not in sandbox
    assert not re.search(r"(src|href)=.https?:", written)
