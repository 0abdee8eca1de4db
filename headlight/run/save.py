"""What a run can be saved as: a row for each ending of a file's name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from headlight.errors import RequestError
from headlight.http.answer import with_metadata
from headlight.http.connection import SAFETENSORS
from headlight.http.steps import Steps
from headlight.names import check_names

if TYPE_CHECKING:
    from headlight.run.run import BaseRun


def _page(run: "BaseRun", **view: Any) -> Steps[bytes]:
    """The page as one file that needs no server; `view` says what it shows, as for `link`."""
    _, _, query = run.link(**view).partition("?")
    reply = yield from run._connection.get(f"/export?{query}")
    return reply.content


def _answer(
    run: "BaseRun",
    accept: str,
    *,
    tensors: Sequence[str] = ("pattern",),
    stream: Sequence[str] = (),
    **unknown: Any,
) -> Steps[bytes]:
    """The API's answer to the request, with some tensors of its sites and of its stream."""
    check_names(unknown, ("tensors", "stream"))
    if len(run._batches) > 1:
        raise RequestError(
            f"The server takes {run._connection.limits.texts} texts at once, and this run has "
            f"{len(run)}. Save them one by one: `for index, one in enumerate(run): one.save(…)`.",
            code="too_many_texts",
            limit=run._connection.limits.texts,
        )
    body = run.request.body() | {"select": {"tensors": list(tensors)}}
    if stream:
        body["analyse"] = {"stream": {"tensors": list(stream)}}
    reply = yield from run._connection.post(body, accept)
    return reply.content


def _json(run: "BaseRun", **options: Any) -> Steps[bytes]:
    return (yield from _answer(run, "application/json", **options))


def _safetensors(run: "BaseRun", **options: Any) -> Steps[bytes]:
    """As `headlight.load` reads it."""
    from headlight.kept import beside

    content = yield from _answer(run, SAFETENSORS, **options)
    return with_metadata(content, beside(run))


def _picture(ending: str) -> Callable[..., Steps[bytes]]:
    def write(subject: Any, **options: Any) -> Steps[bytes]:
        from headlight.figures.saving import picture

        return (yield from picture(subject, ending, **options))

    return write


Writers: TypeAlias = Mapping[str, Callable[..., Steps[bytes]]]
PICTURES: Writers = {ending: _picture(ending) for ending in (".svg", ".pdf", ".png", ".pgf")}
WRITERS: Writers = {".html": _page, ".json": _json, ".safetensors": _safetensors, **PICTURES}


def save(subject: Any, path: str | Path, writers: Writers = WRITERS, **options: Any) -> Steps[Path]:
    """Write a run, or a difference, to a file; its ending says as what."""
    path = Path(path)
    if path.suffix not in writers:
        raise RequestError(
            f"Expected a name that ends with {', '.join(writers)}; got {path.name!r}.",
            code="unknown_ending",
        )
    content = yield from writers[path.suffix](subject, **options)
    path.write_bytes(content)
    return path
