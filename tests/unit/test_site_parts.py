"""What enters the softmax besides q·k: the bias, the soft cap and the sink; and their names."""

import json
from dataclasses import replace

import pytest
import torch

from model.errors import UnavailableError
from model.masks.mask import Mask
from model.trace.site import Site
from server.api.schemas.responses import Site as SiteAnswer
from server.api.wire import _site
from tests.unit.test_trace import BATCH, HEADS, site


@pytest.mark.parametrize("texts", [1, BATCH])
@pytest.mark.parametrize("heads", [1, HEADS])
def test_a_bias_is_given_for_every_text_and_head_however_it_is_shared(
    texts: int, heads: int
) -> None:
    whole = site()
    assert whole.bias is not None
    shared = replace(whole, bias=whole.bias[:texts, :heads])
    assert shared.bias is not None
    expected = shared.bias.expand(BATCH, HEADS, -1, -1)
    assert torch.equal(shared.derive(["bias"])["bias"], expected)
    part = shared.derive(["bias"], heads=[2, 0], rows=slice(1, 3), text=1)["bias"]
    assert torch.equal(part, expected[1:, [2, 0], 1:3])


def test_the_parts_make_the_scores_and_the_pattern() -> None:
    s = site()
    got = s.derive(["q", "k", "bias", "scores", "pattern"], heads=[1], rows=slice(0, 1))
    scaled = s.scale * (got["q"] @ got["k"].mT)
    assert s.soft_cap is not None and s.sink is not None
    scores = s.soft_cap * torch.tanh(scaled / s.soft_cap) + got["bias"]
    torch.testing.assert_close(got["scores"], scores)
    mass = scores.exp() * s.mask.allows(slice(0, 1))
    total = mass.sum(-1, keepdim=True) + s.sink[1].exp()
    torch.testing.assert_close(got["pattern"], mass / total)


def test_a_site_without_a_bias_does_not_give_one() -> None:
    plain = site(bias=None)
    assert "bias" not in plain.tensors
    with pytest.raises(UnavailableError, match=r"layers.0 does not have bias; it has q, k, v"):
        plain.derive(["bias"])


def test_a_site_says_what_enters_its_softmax() -> None:
    s = site(muted=(2,))
    assert s.sink is not None
    answer = _site(s, [2, 0])
    SiteAnswer.model_validate(json.loads(json.dumps(answer)))
    assert (answer["soft_cap"], answer["has_bias"], answer["softmax_over"]) == (2.0, True, "key")
    assert answer["sink"] == s.sink[[2, 0]].tolist()
    assert list(answer["muted"]) == [2]
    plain = Site(name="layers.0", kind="self", layer=0, mask=Mask(2, 2), n_heads=1, n_kv_heads=1,
                 scale=1.0, softmax_over="query")  # fmt: skip
    answer = _site(plain, None)
    SiteAnswer.model_validate(json.loads(json.dumps(answer)))
    assert (answer["soft_cap"], answer["has_bias"], answer["sink"]) == (None, False, None)
    assert (answer["softmax_over"], list(answer["muted"])) == ("query", [])
