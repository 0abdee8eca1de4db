"""Runs that are kept: saved in a file and loaded again, or pickled.

A kept run has what was fetched, and asks no server: so it can be read on another machine, compared
with a run that is made there, and drawn. `hl.trace(kept.request)` makes it again.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from headlight.errors import HeadlightError, RequestError
from headlight.http.answer import Answer, read
from headlight.http.connection import Connection
from headlight.http.steps import Done, Steps, T, advance
from headlight.request import Request
from headlight.run.analyses import predictions_of
from headlight.run.batches import Batch
from headlight.run.look import TENSORS, Look
from headlight.run.run import Run

FORMAT = 1
NAME = "headlight"  # of what is kept beside an answer, in its metadata
_OF_STREAM = re.compile(r"stream/(?:.*layers\.(?P<layer>\d+)|.*final)\.(?P<name>\w+)")


def load(path: str | Path) -> Run:
    """A run that `run.save("….safetensors")` wrote, with the tensors that it was saved with.

    It needs no server. What it was not saved with is refused; `hl.trace(run.request)` makes the
    run again, on whatever server `hl` is a client of.

    Raises:
        RequestError: the file is not such a run (code "not_a_run").
        OSError: there is no such file.
    """
    path = Path(path)
    try:
        answer = read(path.read_bytes())
        kept = json.loads(answer.metadata[NAME])
        version = kept["format"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RequestError(
            f'{path} is not a saved run. Expected a file that run.save("name.safetensors") wrote.',
            code="not_a_run",
        ) from error
    if version != FORMAT:
        raise RequestError(
            f"{path} was saved by a newer Headlight (format {version}; this one reads "
            f"{FORMAT}). Update it: pip install -U headlight.",
            code="not_a_run",
        )
    given = Request.of(kept["request"].pop("texts", ()), kept["request"])
    request = Request(**{**vars(given), "single": kept["single"]})
    of_sites = {
        name: array
        for name, array in answer.tensors.items()
        if not _OF_STREAM.fullmatch(name) and name.rpartition(".")[2] in TENSORS
    }
    batch = Batch.of(request, Answer(answer.document, of_sites), Look())
    connection = Kept(kept["address"], kept["made"], kept["about"], answer)
    found = {}
    if answer.document.get("predictions") is not None:
        found["predictions"] = predictions_of(answer.document["predictions"], unedited=False)
    return run_of(
        {"request": request, "batches": [batch], "known": found, "connection": connection}
    )


def beside(run: Any) -> dict[str, str]:
    """What is kept beside an answer, so that it can be loaded as a run."""
    connection: Connection = run._connection
    kept = {
        "format": FORMAT,
        "request": run.request.body(),
        "single": run.request.single,
        "address": connection.address,
        "made": connection.made,
        "about": connection.known(run.model) or {},
    }
    return {NAME: json.dumps(kept)}


def state_of(run: Any) -> dict[str, Any]:
    """What is pickled of a run: what was fetched of it."""
    old: Connection = run._connection
    answer = old.answer if isinstance(old, Kept) else None
    return {
        "request": run.request,
        "batches": run._fetched.batches(),
        "known": dict(run._known),
        "connection": Kept(old.address, old.made, old.known(run.model) or {}, answer),
    }


def run_of(state: Mapping[str, Any]) -> Run:
    """A run that was kept."""
    run = Run(_Alone(), state["connection"], state["request"], state["batches"])
    run._known |= state["known"]
    return run


class Kept(Connection):
    """Stands in the place of a server, and has one answer at most."""

    def __init__(
        self, address: str, made: str, about: Mapping[str, Any], answer: Answer | None
    ) -> None:
        super().__init__(address, made)
        self.answer = answer
        if about:
            self._models[about["name"]] = dict(about)

    def trace(self, body: Mapping[str, Any]) -> Steps[Answer]:
        """A tensor of the stream, if it was saved."""
        yield from ()
        asked = (body.get("analyse") or {}).get("stream")
        if self.answer is not None and asked:
            [name], layers = asked["tensors"], asked["layers"]
            found = {
                key: array[:, slice(*(asked["positions"] or (None,)))]
                for key, array in self.answer.tensors.items()
                if (match := _OF_STREAM.fullmatch(key)) and match["name"] == name
                if layers is None or match["layer"] in map(str, layers)
            }
            if found:
                return Answer(self.answer.document, found)
        _refuse()

    def get(self, path: str) -> NoReturn:
        _refuse()

    def post(self, body: Mapping[str, Any], accept: str = "") -> NoReturn:
        _refuse()

    def models(self, name: str | None = None) -> NoReturn:
        _refuse()


class _Alone:
    """Does the steps of a run that asks nobody."""

    def do(self, steps: Steps[T]) -> T:
        found = advance(steps)
        if isinstance(found, Done):
            result: T = found.result
            return result
        raise HeadlightError(_NO_SERVER)


_NO_SERVER = (
    "This run was kept without a server, and was not kept with that. Make it again, "
    "hl.trace(run.request), or save it with more: run.save(path, tensors=[…], stream=[…])."
)


def _refuse() -> NoReturn:
    raise RequestError(_NO_SERVER, code="not_kept")
