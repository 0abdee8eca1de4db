"""Each idea of the study notebooks has its place in the course, or in From scratch.

A place is a lesson's figure, program or words, a mechanism of From scratch, or one of its settings.
"""

import html
import re
from functools import cache

import pytest

from model.scratch.mechanisms import MECHANISMS, ROWS
from server.pages.assets.pages import templates
from server.pages.learning.lessons import Lesson, Lessons

MECHANISM_ROWS = {
    "average": "averaging figure past",
    "dot-product": "similarity figure scores",
    "single-head": "query-key-value figure roles",
    "fused-single": "mechanism fused-single",
    "multi-head": "heads figure heads",
    "fused-multi-head": "heads figure packing",
    "heads-in-a-list": "heads figure heads",
    "padded-batch": "masks figure padding",
    "cross-attention": "cross-attention figure cross",
    "block": "block figure map",
    # younger than the notebooks
    "grouped-query": "since-2017 figure cache",
    "latent": "since-2017 figure cache",
    "sliding-window": "since-2017 figure window",
    "linear": "since-2017 figure linear",
    "retention": "since-2017 figure fading",
    "state-space": "since-2017 figure fading",
    "gated": "since-2017 figure gate",
    "differential": "since-2017 figure pair",
}

POINTS = {
    "1 averaging is attention with equal scores": [
        "averaging program ways",
        "averaging figure zeros",
    ],
    "2 variance of q·k, and sharpening": ["scale program experiment", "similarity program plain"],
    "3 scale by √d_model": ["scale figure roots"],
    "4 softmax over the wrong axis": ["masks figure softmax", "find-the-bug figure axis"],
    "5 a causal mask in an encoder is a choice": ["masks figure causal"],
    "6 a padding mask built and not applied": ["masks figure padding", "find-the-bug program mask"],
    "7 a row in which every key is blocked": ["masks program broadcast", "write-it program causal"],
    "8 packing order": ["heads figure packing"],
    "9 no notion of position": ["query-key-value figure order", "block figure permute"],
    "10 communication and computation": ["block says Attention is communication between positions"],
}

IDEAS = {
    "average by a loop, a triangle, a softmax of zeros": ["averaging program ways"],
    "x·xᵀ as weights, no parameters": ["similarity program plain", "similarity figure scores"],
    "equal inputs give equal weights": ["similarity program plain"],
    "softmax sharpens (× 9)": ["similarity program plain", "similarity says 0.8359"],
    "query, key, value": ["query-key-value figure roles"],
    "the private x": ["query-key-value says private to its word"],
    "unscaled and scaled variance, as printed": ["scale says 17.4690", "scale says 0.9957"],
    "and one's own draws": ["scale program experiment"],
    "1/√d_head against 1/√d_model": ["scale figure roots", "find-the-bug program root"],
    "softmax over the wrong axis": ["masks figure softmax", "find-the-bug program axis"],
    "a causal triangle cut to the length at hand": ["masks program triangle"],
    "an encoder without it": ["masks figure causal"],
    "True blocks against True allows": ["masks program polarity"],
    "a padding mask [batch, 1, 1, key]": ["masks program broadcast"],
    "−1e9 against −∞": ["masks program broadcast"],
    "a zero [PAD] embedding": ["masks says the vector of [PAD] is all zeros"],
    "a mask built and not applied": ["masks figure padding", "find-the-bug program mask"],
    "examples of a batch never mix": ["masks program broadcast"],
    "heads folded into the batch": ["heads program folded"],
    "einsum and rearrange": ["heads program folded"],
    "a wrong view mixes heads": ["heads program folded"],
    "a fused projection and its packing orders": ["heads figure packing"],
    "free d_head": ["heads figure size"],
    "heads in a list, concatenated": ["heads program joined", "heads figure heads"],
    "W_O with and without bias": ["heads program joined", "mechanism heads-in-a-list"],
    "cross-attention": ["cross-attention figure cross"],
    "feed-forward d → 4d → d": ["block figure ffn"],
    "one telling d → d": ["block says keeps it at d_model", "setting d_ff"],
    "residual path as a highway for gradients": ["block program gradients"],
    "small branches at the start": ["block program gradients", "block says small at the start"],
    "a block without residual": ["block figure depth", "setting residual"],
    "post-norm and pre-norm": ["block figure growth", "setting norm"],
    "tokens plus positions: learned, sinusoidal": ["query-key-value figure placed"],
    "rotary, and none": ["query-key-value figure placed", "setting positions"],
}

MISTAKES = {
    "torch.vmm": "find-the-bug program vmm",
    "k where the parameter is called e": "find-the-bug program name",
    "Linear(k, 4*4) before Linear(4*k, k)": "find-the-bug program widths",
    "√e after splitting into heads": "find-the-bug program root",
    "softmax over dim 1": "find-the-bug program axis",
    "a mask computed and left out": "find-the-bug program mask",
    "heads concatenated without W_O": "find-the-bug program join",
    "0.2478 on padding": "find-the-bug says 0.2478",
}

ALL = [
    *MECHANISM_ROWS.items(),
    *(
        (idea, place)
        for table in (POINTS, IDEAS)
        for idea, places in table.items()
        for place in places
    ),
    *MISTAKES.items(),
]


@cache
def lessons() -> Lessons:
    return Lessons(None, templates(), ("shipped", "scratch"))


def words_of(lesson: Lesson) -> str:
    text = html.unescape(re.sub(r"<[^>]+>", "", lesson.article.html))
    return " ".join(text.split())


@pytest.mark.parametrize(("idea", "place"), ALL)
def test_an_idea_has_its_place(idea: str, place: str) -> None:
    where, kind, *rest = place.split(" ", 2)
    if where in ("setting", "mechanism"):
        assert kind in (ROWS if where == "setting" else MECHANISMS)
        return
    lesson = lessons().get(where)
    assert lesson is not None
    [name] = rest
    match kind:
        case "figure":
            assert name in lesson.content.figures
            assert name in lesson.article.shown
        case "program":
            assert name in lesson.content.programs
        case _:
            assert name in words_of(lesson)


def test_every_mechanism_and_mistake_is_in_the_table() -> None:
    assert set(MECHANISM_ROWS) == set(MECHANISMS)
    assert len(POINTS) == 10
    found = lessons().get("find-the-bug")
    assert found is not None
    told = {place.split()[-1] for place in MISTAKES.values()}
    assert set(found.content.programs) - told == {"after"}  # which no notebook made
