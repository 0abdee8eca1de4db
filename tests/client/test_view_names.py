"""A view that the page does not have is refused."""

import numpy as np
import pytest

import headlight
from headlight import Client, RequestError


def test_a_view_that_there_is_not_is_an_error_that_names_the_others(hl: Client) -> None:
    run = hl.trace("The cat")
    for show in (run.link, run.show, lambda **view: headlight.show(np.eye(2)[None, None], **view)):
        with pytest.raises(RequestError, match=r"The views are heatmap, .*; got 'nonsense'"):
            show(view="nonsense")
