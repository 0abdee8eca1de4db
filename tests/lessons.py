"""Shared by the tests of lessons: the existing lessons, and the request that a link stands for."""

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import torch
from fastapi.testclient import TestClient
from torch import Tensor

from server.pages.learning import links
from server.pages.learning.content import Figure
from server.pages.learning.lessons import OURS
from server.pages.learning.states import changed, value_of

SLUGS = sorted(file.stem[3:] for file in OURS.glob("*.html"))
FLAGS = {"true": True, "false": False}


class Lesson:
    """One lesson: its words, and its figures with switches set."""

    def __init__(self, client: TestClient, slug: str) -> None:
        self._client = client
        found = client.app.state.lessons.get(slug)  # type: ignore[attr-defined]
        self.content = found.content
        self.words = html.unescape(re.sub("<[^>]+>", "", found.article.html))

    def get(self, path: str) -> Any:
        """What the server answers besides."""
        return self._client.get(path).json()

    def answer(self, figure: str, **more: Any) -> dict[str, Any]:
        """The API's answer for a figure; `set` has the labels of options by name of switch."""
        chosen = dict(more.pop("set", {}))
        pairs = links.pairs(self.content.figures[figure].link.removeprefix("?"))
        held = next((value for key, value in pairs if key == "against"), None)
        for switch in self.content.figures[figure].switches:
            labels = {option.label: option.set for option in switch.options}
            pairs = changed(pairs, labels[chosen.pop(switch.name, switch.options[0].label)])
        assert not chosen, "such a switch does not exist"
        if more.pop("side", "B") == "A":
            assert held is not None
            pairs = changed([pair for pair in pairs if pair[0] != "against"], held)
        body = body_of(pairs) | {"select": {"tensors": ["pattern", "scores", "z"]}} | more
        response = self._client.post("/api/trace", json=body)
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    def tensor(self, figure: str, name: str = "pattern", **more: Any) -> Tensor:
        """One tensor of the last text: layer, head, query or position, key or channel."""
        select = {"tensors": [name]}
        sites = self.answer(figure, select=select, **more)["sites"]
        return torch.stack([torch.tensor(site["tensors"][name][-1]) for site in sites])

    def next_words(self, figure: str, position: int, **chosen: str) -> dict[str, float]:
        """The likeliest words after a position, best first."""
        predict = {"top_k": 5, "position": position}
        answer = self.answer(figure, set=chosen, predict=predict)
        return {one["text"]: one["probability"] for one in answer["predictions"][0]}


def bodies(figure: Figure) -> Iterator[dict[str, Any]]:
    """The requests of the page, for each combination of the switches."""
    options = [[option.set for option in switch.options] for switch in figure.switches]
    for sets in product(*options):
        state = links.pairs(figure.link.removeprefix("?"))
        for one in sets:
            state = changed(state, one)
        yield body_of(state)


def body_of(state: links.Pairs) -> dict[str, Any]:
    """The keys and values of a link as the request that they stand for."""
    said = defaultdict(list)
    for key, value in state:
        said[key].append(value)
    body: dict[str, Any] = {"texts": said["text"], "masks": {}}
    body |= {"model": said["model"][0]} if said["model"] else {}
    body |= {"targets": said["target"]} if said["target"] else {}
    for name in ("causal", "padding"):
        body["masks"] |= {name: FLAGS[said[name][0]]} if said[name] else {}
    for name in ("padding_side", "window"):
        body["masks"] |= {name: value_of(said[name][0])} if said[name] else {}
    for name, key in (("blocked", "block"), ("allowed", "free")):
        body["masks"][name] = [cell for cells in said[key] for cell in cells_of(cells)]
    body["muted"] = [[int(part) for part in head.split(".")[:2]] for head in said["muted"]]
    if said["intervention"]:
        body["interventions"] = [intervention_of(text) for text in said["intervention"]]
    if said["view"] == ["why"]:
        body["analyse"] = {"cell": cell_of(said)}
    scratch = {key[8:]: said[key][0] for key in list(said) if key.startswith("scratch.")}
    if scratch:
        body["scratch"] = {key: value_of(value) for key, value in scratch.items()}
    return body


def intervention_of(text: str) -> dict[str, Any]:
    """A part that is set to zero, as "zero~mlp.1"."""
    kind, place = text.split("~")
    at, layer = place.split(".")
    return {"kind": kind, "at": at, "layer": int(layer)}


def cell_of(said: dict[str, list[str]]) -> dict[str, Any]:
    """The cell that the view "why" takes apart: the link must name its key."""
    place = {name: int(said[name][0]) for name in ("layer", "head", "query", "key")}
    return place | {"without": [without_of(code) for code in said["off"]]}


def without_of(code: str) -> dict[str, Any]:
    """A part that is switched off, as "q_head_0_layers.0_2" or "k_embedding"."""
    side, kind, layer, site, head = (code.split("_") + [""] * 3)[:5]
    part = {
        "kind": kind,
        "layer": int(layer) if layer else None,
        "site": site or None,
        "head": int(head) if head else None,
    }
    return {"part": part, "side": {"q": "query", "k": "key"}[side]}


def cells_of(text: str) -> list[dict[str, int | None]]:
    """Painted cells, as "0.1.2_4-9.3": the text, layer and head, then queries and keys."""
    place, *boxes = text.split("_")
    here = [None if part == "*" else int(part) for part in place.split(".")[:3]]
    found = []
    for box in boxes:
        queries, keys = (_run(part) for part in box.split("."))
        for query, key in product(queries, keys):
            cell = dict(zip(("text", "layer", "head"), here, strict=True))
            found.append(cell | {"query": query, "key": key})
    return found


def _run(part: str) -> list[int | None]:
    if part == "*":
        return [None]
    first, _, last = part.partition("-")
    return list(range(int(first), int(last or first) + 1))
