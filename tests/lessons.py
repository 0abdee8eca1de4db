"""Shared by the tests of lessons: the existing lessons, and the request that a link stands for."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

from server.learning import links
from server.learning.content import Figure
from server.learning.lessons import OURS
from server.learning.states import changed, value_of

SLUGS = sorted(file.stem[3:] for file in OURS.glob("*.html"))
FLAGS = {"true": True, "false": False}


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
    scratch = {key[8:]: said[key][0] for key in list(said) if key.startswith("scratch.")}
    if scratch:
        body["scratch"] = {key: value_of(value) for key, value in scratch.items()}
    return body


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
