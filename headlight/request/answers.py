"""What is read in the place of what a model predicts: as the API takes it, and in an address."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from headlight.request.interventions import escaped


def answer_of(given: Mapping[str, Any] | str | None) -> Mapping[str, Any] | None:
    """An answer that may be named alone, such as "entropy".

    Weights are a probe's, and may be arrays; a vector is its only row.
    """
    if given is None:
        return None
    if isinstance(given, str):
        return {"kind": given}
    found = {**({"kind": "probe"} if "weights" in given else {}), **given}
    if isinstance(found.get("texts"), str):
        found["texts"] = [found["texts"]]
    for name in ("weights", "bias"):
        if hasattr(found.get(name), "tolist"):
            found[name] = found[name].tolist()
    weights = found.get("weights")
    if weights and not isinstance(weights[0], Iterable):
        found["weights"] = [list(weights)]
    if isinstance(found.get("bias"), int | float):
        found["bias"] = [found["bias"]]
    return found


def text_form(answer: Mapping[str, Any]) -> str:
    """An answer in an address: `similarity~texts=A cat~texts=A dog`.

    The position of an entropy is the row that the page selects.
    """
    return "~".join([answer["kind"], *(f"{key}={escaped(text)}" for key, text in _parts(answer))])


def _parts(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for text in answer.get("texts") or ():
        yield "texts", text
    if answer.get("layer") is not None:
        yield "layer", str(answer["layer"])
    if answer.get("weights") is not None:
        yield "weights", ";".join(map(_numbers, answer["weights"]))
    if answer.get("bias") is not None:
        yield "bias", _numbers(answer["bias"])
    for name in answer.get("classes") or ():
        yield "classes", name
    if answer.get("read") is not None:
        yield "read", answer["read"]
    if answer.get("scale") is not None:
        yield "scale", _numbers([answer["scale"]])


def _numbers(row: Iterable[float]) -> str:
    return ",".join(repr(float(each)).removesuffix(".0") for each in row)
