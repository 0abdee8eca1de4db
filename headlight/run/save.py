"""What a run can be saved as: a row for each ending of a file's name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headlight.errors import RequestError
from headlight.http.steps import Steps

if TYPE_CHECKING:
    from headlight.run.run import BaseRun


def _page(run: "BaseRun", **view: Any) -> Steps[bytes]:
    """The page as one file that needs no server; `view` says what it shows, as for `link`."""
    _, _, query = run.link(**view).partition("?")
    reply = yield from run._connection.get(f"/export?{query}")
    return reply.content


def _answer(run: "BaseRun", accept: str, *, tensors: Sequence[str] = ("pattern",)) -> Steps[bytes]:
    """The API's answer to the request, with some tensors."""
    if len(run._batches) > 1:
        raise RequestError(
            f"The server takes {run._connection.limits.texts} texts at once, and this run has "
            f"{len(run)}. Save them one by one: `for index, one in enumerate(run): one.save(…)`.",
            code="too_many_texts",
            limit=run._connection.limits.texts,
        )
    body = run.request.body() | {"select": {"tensors": list(tensors)}}
    reply = yield from run._connection.post(body, accept)
    return reply.content


def _json(run: "BaseRun", **options: Any) -> Steps[bytes]:
    return (yield from _answer(run, "application/json", **options))


def _safetensors(run: "BaseRun", **options: Any) -> Steps[bytes]:
    return (yield from _answer(run, "application/safetensors", **options))


def _picture(ending: str) -> Callable[..., Steps[bytes]]:
    def write(run: "BaseRun", **options: Any) -> Steps[bytes]:
        from headlight.figures.saving import picture

        return (yield from picture(run, ending, **options))

    return write


WRITERS: Mapping[str, Callable[..., Steps[bytes]]] = {
    ".html": _page,
    ".json": _json,
    ".safetensors": _safetensors,
    **{ending: _picture(ending) for ending in (".svg", ".pdf", ".png", ".pgf")},
}


def save(run: "BaseRun", path: str | Path, **options: Any) -> Steps[Path]:
    """Write a run to a file; its ending says as what."""
    path = Path(path)
    if path.suffix not in WRITERS:
        raise RequestError(
            f"Expected a name that ends with {', '.join(WRITERS)}; got {path.name!r}.",
            code="unknown_ending",
        )
    content = yield from WRITERS[path.suffix](run, **options)
    path.write_bytes(content)
    return path
