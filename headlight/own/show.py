"""`headlight.show`: arrays as a picture in a notebook."""

import json
import os
import subprocess
import sys
import warnings
from typing import Any
from urllib.parse import urlencode

from headlight.application import PACKAGE
from headlight.errors import HeadlightError, RequestError
from headlight.inline.picture import Picture, title_of
from headlight.own.arrays import check_pattern, layers_of
from headlight.own.inseq import is_inseq, read_inseq
from headlight.own.outputs import Given, read
from headlight.own.recording import Recording, record
from headlight.own.still import png_of_head
from headlight.request.link import check_view

# A process of its own, since this one may not import `server`. It imports no torch.
_PROGRAM = (
    "from headlight.application import enter; enter();"
    "from server.pages.export import own; own.main()"
)


def show(
    attentions: Any = None,
    tokens: Any = None,
    *,
    q: Any = None,
    k: Any = None,
    v: Any = None,
    target_tokens: Any = None,
    tokenizer: Any = None,
    causal: bool | None = None,
    scale: float | None = None,
    name: str = "arrays",
    **view: Any,
) -> Picture:
    """Show your own arrays: of numpy, torch, jax, or lists. It needs no server and no torch.

    Args:
        attentions: patterns, [layer, head, query, key] or with a text after the layer; or an array
            for each layer, as a list or by its number. Or what a library gives, as it is: an output
            of Transformers, also of an encoder–decoder or of `generate`; an ActivationCache, or
            other arrays by names such as `layers.0.attention`; a data frame; what inseq attributes,
            or the path of its file.
        tokens: of the keys: strings, or ids with a `tokenizer`; in a list or array, or in one for
            each text. The last token that `generate` wrote is left out, since nothing was computed
            at it.
        q, k, v: in place of patterns, [layer, head, token, d_head]; k and v may have fewer heads.
        target_tokens: of the queries, where they are another sequence than the keys.
        tokenizer: of Transformers. With it, the tokens of `generate` need not be given.
        causal: whether tokens see only earlier ones; by default, whether the patterns look so.
        scale: of q·k; by default 1 / √d_head.
        name: what the picture calls the arrays.
        view: what it shows: `layer=2, head=3, view="lines"`.

    Raises:
        RequestError: the arrays or tokens do not fit each other, or are more than a notebook takes.
    """
    check_view(view)
    given = _given(attentions, q, k, v, two=target_tokens is not None)
    for kind, parts in given.groups.items():
        of = "attentions" if kind == "self" else f"{kind}_attentions"
        if remark := check_pattern(of, parts.get("pattern", {})):
            warnings.warn(remark, stacklevel=2)
    generated = "target_tokens" if "cross" in given.groups else "tokens"
    known = {"tokens": given.tokens, "target_tokens": given.target_tokens}
    if given.ids is not None and tokenizer is not None:
        known[generated] = given.ids
    recording = record(
        given.groups,
        tokens=known["tokens"] if tokens is None else tokens,
        target_tokens=known["target_tokens"] if target_tokens is None else target_tokens,
        tokenizer=tokenizer,
        spare=None if given.ids is None else generated,
        causal=causal,
        scale=scale,
        name=name,
    )
    return Picture(_page(recording, view), title_of(view), png_of_head(recording, view))


def _given(attentions: Any, q: Any, k: Any, v: Any, *, two: bool) -> Given:
    """The layers by kind of attention and by tensor, and what comes with them."""
    vectors = {"q": q, "k": k, "v": v}
    given = [part for part, array in vectors.items() if array is not None]
    if (attentions is None) == (not given) or (given and len(given) < 3):
        raise RequestError(
            f"Expected attentions, or q, k and v; got {', '.join(given) or 'neither'}"
            f"{' and attentions' if attentions is not None and given else ''}."
        )
    if not given and is_inseq(attentions):
        return read_inseq(attentions)
    if not given:
        return read(attentions, two=two)
    parts = {part: layers_of(part, array) for part, array in vectors.items()}
    if len({tuple(layers) for layers in parts.values()}) > 1:
        counts = ", ".join(f"{part} has {len(layers)}" for part, layers in parts.items())
        raise RequestError(f"The layers do not agree: {counts}.")
    return Given({"cross" if two else "self": parts})


def _page(recording: Recording, view: dict[str, Any]) -> bytes:
    """The page with a recording, made by the application."""
    choice = {"model": recording.model["name"], "layer": 0, "head": 0, **view, "depth": "embed"}
    pairs = [("text", text) for text in recording.texts]
    pairs += [("target", text) for text in recording.targets]
    head = json.dumps(
        {"query": f"?{urlencode([*pairs, *choice.items()])}", "model": recording.model}
    )
    paths = os.pathsep.join([str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-P", "-c", _PROGRAM],
        input=head.encode() + b"\n" + recording.file,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths.rstrip(os.pathsep)},
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").splitlines()
        raise HeadlightError(lines[-1] if lines else "The page could not be made.")
    return done.stdout
