"""The page's engine in a Node process, and the comparison of its answers with the server's."""

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load

from model.core.checkpoint import SHIPPED

ROOT = Path(__file__).parent.parent.parent
DRIVER = ROOT / "tests/js/engine/driver.mjs"
NODE = shutil.which("node")
TOLERANCE = 2e-5
IN_NATS = 1e-4


class Engine:
    """The engine behind a pipe: one JSON document a line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None and process.stdout is not None
        self._in: IO[str] = process.stdin
        self._out: IO[str] = process.stdout

    def ask(self, kind: str, **rest: Any) -> dict[str, Any]:
        """The reply: `answer`, `error` or `crash`; see the driver."""
        self._in.write(json.dumps({"kind": kind, **rest}) + "\n")
        self._in.flush()
        found: dict[str, Any] = json.loads(self._out.readline())
        return found


@contextmanager
def engine(folder: Path = SHIPPED) -> Iterator[Engine]:
    """An engine with the model of a folder, under the name `shipped`, and `scratch`."""
    assert NODE is not None
    with subprocess.Popen(
        [NODE, str(DRIVER), str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Engine(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()


def tensors_of(answer: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """The tensors of the driver's answer."""
    return {
        name: np.frombuffer(base64.b64decode(each["base64"]), each["dtype"]).reshape(each["shape"])
        for name, each in answer["tensors"].items()
    }


def read(content: bytes) -> tuple[Any, dict[str, NDArray[Any]]]:
    """The JSON part and the tensors of the server's safetensors answer."""
    length = int.from_bytes(content[:8], "little")
    document = json.loads(json.loads(content[8 : 8 + length])["__metadata__"]["trace"])
    return document, load(content)


def differences(
    expected: Any, found: Any, at: str = "", tolerance: float = TOLERANCE
) -> Iterator[str]:
    """Where two documents differ by more than the tolerance, and by how much.

    Sums of float32 numbers are off by a share of the largest, so a list of numbers is compared with
    the tolerance times its largest, if that is above 1.
    """
    match expected, found:
        case dict(), dict():
            if expected.keys() != found.keys():
                names = expected.keys() ^ found.keys()
                yield f"{at}: only one has {', '.join(sorted(names))}"
            for name in expected.keys() & found.keys():
                within = f"{at}.{name}".lstrip(".")
                yield from differences(expected[name], found[name], within, tolerance)
        case list(), list():
            if len(expected) != len(found):
                yield f"{at}: {len(expected)} entries, not {len(found)}"
            elif _are_ranked(expected):
                yield from _rank_differences(expected, found, at, tolerance)
            else:
                numbers = [abs(each) for each in expected if type(each) is float]
                tolerance *= max(1.0, *numbers) if numbers else 1.0
                for index, (one, other) in enumerate(zip(expected, found, strict=True)):
                    yield from differences(one, other, f"{at}.{index}", tolerance)
        case float(), int() | float() if not isinstance(found, bool):
            if not abs(expected - found) <= tolerance * max(1.0, abs(expected)):
                yield f"{at}: {expected} and {found} differ by {abs(expected - found):.1e}"
        case _:
            if type(expected) is not type(found) or expected != found:
                yield f"{at}: expected {str(expected)[:80]!r}, got {str(found)[:80]!r}"


def document_differences(expected: Any, found: Any, body: Any) -> Iterator[str]:
    """Where two answers to a request differ.

    Probabilities are softmax(logits / temperature): a low temperature multiplies what the logits
    are off by. Mute effects are logarithms, so they show what unlikely tokens are off by.
    """
    temperature = (body.get("predict") or {}).get("temperature", 1.0)
    cold = TOLERANCE / min(1.0, temperature)
    tolerances = {"predictions": cold, "nucleus": cold, "mute_effects": IN_NATS}
    if expected.keys() != found.keys():
        yield f"only one has {', '.join(sorted(expected.keys() ^ found.keys()))}"
    for name in expected.keys() & found.keys():
        tolerance = tolerances.get(name, TOLERANCE)
        yield from differences(expected[name], found[name], name, tolerance)


def _are_ranked(items: list[Any]) -> bool:
    """Whether they are candidates of one prediction, and not the likeliest of several."""
    are_candidates = bool(items) and isinstance(items[0], dict) and "probability" in items[0]
    return are_candidates and len({one["id"] for one in items}) == len(items)


def _rank_differences(
    expected: list[Any], found: list[Any], at: str, tolerance: float
) -> Iterator[str]:
    """Differences of two lists of candidates, whose near ties may be in another order."""
    others = {each["id"]: each for each in found}
    for index, one in enumerate(expected):
        here = found[index]
        if abs(one["probability"] - here["probability"]) > tolerance:
            yield f"{at}.{index}: {one} and {here}"
        elif one["id"] in others:
            yield from differences(one, others[one["id"]], f"{at}.{index}", tolerance)


def tensor_differences(
    expected: Mapping[str, NDArray[Any]], found: Mapping[str, NDArray[Any]]
) -> Iterator[str]:
    """Where two sets of tensors differ by more than the tolerance."""
    if expected.keys() != found.keys():
        names = expected.keys() ^ found.keys()
        yield f"tensors: only one has {', '.join(sorted(names))}"
    for name in expected.keys() & found.keys():
        one, other = expected[name], found[name]
        dtype = np.float32 if one.dtype == np.float16 else one.dtype  # as the page reads it
        if one.shape != other.shape or dtype != other.dtype:
            yield f"{name}: {one.dtype} {one.shape}, not {other.dtype} {other.shape}"
        elif one.size:
            yield from _number_differences(name, one, other)


def _number_differences(name: str, one: NDArray[Any], other: NDArray[Any]) -> Iterator[str]:
    if name.endswith("blocked_by"):
        if not np.array_equal(one, other):
            yield f"{name}: {int((one != other).sum())} cells have other reasons"
        return
    sizes = np.abs(one.astype(np.float64))
    off = np.abs(one.astype(np.float64) - other)
    allowed = TOLERANCE * np.maximum(1, sizes.max(axis=-1, keepdims=True))
    if one.dtype != np.float32:  # it may be rounded to the next number
        largest = np.maximum(sizes, np.abs(other)).astype(one.dtype)
        allowed = allowed + (1 if one.dtype == np.uint8 else np.spacing(largest))
    if not np.all(off <= allowed):
        many = int((off > allowed).sum())
        yield f"{name}: {many} of {off.size} numbers differ by up to {off.max():.1e}"
