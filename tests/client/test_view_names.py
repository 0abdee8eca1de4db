"""Views are named in Python as the page names them."""

import re
from pathlib import Path

import numpy as np
import pytest

import headlight
from headlight import Client, RequestError
from headlight.request.link import VIEWS

ROWS = Path(__file__).parents[2] / "static/js/state/views.js"


def test_the_views_are_those_of_the_page() -> None:
    rows = ROWS.read_text().partition("export const VIEWS")[2].partition("]);")[0]
    assert set(re.findall(r"\{\s*name: \"(\w+)\"", rows)) == set(VIEWS)


def test_a_view_that_there_is_not_is_an_error_that_names_the_others(hl: Client) -> None:
    run = hl.trace("The cat")
    for show in (run.link, run.show, lambda **view: headlight.show(np.eye(2)[None, None], **view)):
        with pytest.raises(RequestError, match=r"The views are heatmap, .*; got 'nonsense'"):
            show(view="nonsense")
