"""Reads panels from a run, or from the difference of two: only the heads that are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from headlight.errors import RequestError
from headlight.figures.content import Content, Rows
from headlight.figures.panel import Array, Measure, Panel, measure_of
from headlight.figures.words import label, model_said, sums, text_shown
from headlight.http.steps import Steps
from headlight.languages import Language, language
from headlight.request.masks import Kind
from headlight.run.look import Look

Subject: TypeAlias = Any  # a BaseRun or a BaseDifference, which import this module
Site: TypeAlias = Mapping[str, Any]


def panel(
    subject: Subject,
    layer: int,
    head: int,
    what: Content,
) -> Steps[Panel]:
    """One head of one text."""
    site = _site(subject, layer, what.kind)
    if head not in site["heads"]:
        raise RequestError(
            f"{site['name']} has heads 0 to {len(site['heads']) - 1}; got {head}.", field="head"
        )
    [found] = yield from _panels(subject, site, [head], what)
    return found


def overlaid(subject: Subject, layer: int, head: int, what: Content) -> Steps[list[Panel]]:
    """The heads of a picture of lines: the selected one first, unless it is among the others."""
    each = [(layer, head), *what.overlay]
    found = []
    for one, other in each[1 if (layer, head) in each[1:] else 0 :]:
        found.append((yield from panel(subject, one, other, what)))
    return found


def grid(
    subject: Subject,
    layer: int | None,
    what: Content,
) -> Steps[list[list[Panel]]]:
    """All heads of a layer, or of all layers: a list for each layer."""
    kind = _kind(subject, what.kind)
    layers = [site["layer"] for site in subject._documents if site["kind"] == kind]
    found = []
    for each in layers if layer is None else [layer]:
        site = _site(subject, each, kind)
        found.append((yield from _panels(subject, site, site["heads"], what)))
    return found


def _kind(subject: Subject, kind: Kind | None) -> Kind:
    """The kind of sites that is drawn. It must be given if there are several."""
    kinds: list[Kind] = list(dict.fromkeys(site["kind"] for site in subject._documents))
    if kind in kinds:
        return kind
    if kind is None and len(kinds) == 1:
        return kinds[0]
    listed = ", ".join(f'"{one}"' for one in kinds)
    raise RequestError(f"Expected a kind of attention: {listed}; got {kind!r}.", field="kind")


def _site(subject: Subject, layer: int, kind: Kind | None) -> Site:
    kind = _kind(subject, kind)
    for site in subject._documents:
        if (site["layer"], site["kind"]) == (layer, kind):
            found: Site = site
            return found
    layers = [str(site["layer"]) for site in subject._documents if site["kind"] == kind]
    raise RequestError(f"The model has the layers {', '.join(layers)}; got {layer}.", field="layer")


def _panels(
    subject: Subject, site: Site, heads: Sequence[int], what: Content
) -> Steps[list[Panel]]:
    text, rows, said = what.text, what.rows, language(what.language)
    measure = measure_of(what.tensor, said)
    difference = hasattr(subject, "other")
    runs = (subject.run, subject.other) if difference else (subject,)
    queries, keys = yield from _labelled(runs[0], site, what)
    start, stop = _part(rows, len(queries))
    arrays, masks = list[Array](), list[Array]()
    for each in runs:
        run, place = _alone(each, text)
        for name, into in ((measure.name, arrays), ("blocked_by", masks)):
            look = Look(tensors=(name,), heads=tuple(heads), rows=rows, units=what.units)
            into.append((yield from _tensor(run, site, look, place)))
    values = arrays[0] - arrays[1] if difference else arrays[0]
    return [
        Panel(
            values=values[index],
            blocked=_both([mask[index].astype(np.uint8) for mask in masks]),
            queries=queries[start:stop],
            keys=keys,
            layer=site["layer"],
            head=head,
            kind=site["kind"],
            measure=measure,
            difference=difference,
            muted=_is_muted(runs[0], site, head),
            language=said,
            caption=_caption(runs, site, text, measure, said),
            first=start,
        )
        for index, head in enumerate(heads)
    ]


def _alone(run: Any, text: int) -> tuple[Any, int]:
    """A run of this text alone, if it does not depend on the others; and its place there."""
    n = len(run)
    if not -n <= text < n:
        raise RequestError(f"This run has {n} texts; got {text}.", field="text")
    alone = n == 1 or run.request.needs_all_texts
    return (run, text % n) if alone else (run._part(text), 0)


def _tensor(run: Any, site: Site, look: Look, place: int) -> Steps[Array]:
    """[head, query, key]."""
    if len(look.heads or ()) == len(site["heads"]):
        look = replace(look, heads=None)
    found = yield from run._tensors.of_site(site, look)
    array: Array = found if run.request.single else found[place]
    return array


def _labelled(run: Any, site: Site, what: Content) -> Steps[list[tuple[str, ...]]]:
    """The labels of the queries, and of the keys."""
    axes = [site[f"{axis}_tokens"] for axis in ("query", "key")]
    if what.units == "words":
        each = yield from run._fetched.words()
        return [tuple(label(word) for word in each[what.text][axis]) for axis in axes]
    rows = [getattr(run, axis) for axis in axes]
    return [
        tuple(label(token) for token in (row if run.request.single else row[what.text]))
        for row in rows
    ]


def _part(rows: Rows, n: int) -> tuple[int, int]:
    start, stop = rows or (0, n)
    if not 0 <= start < stop <= n:
        raise RequestError(
            f"Expected rows from 0 to {n}, as (start, stop); got {rows}.", field="rows"
        )
    return start, stop


def _both(masks: list[Any]) -> Any:
    """The cells that are blocked in both, with the reasons that both have, if any."""
    one, *others = masks
    for other in others:
        one = np.where((one != 0) & (other != 0), np.where(one & other, one & other, one), 0)
    return one.astype(np.uint8)


def _is_muted(run: Any, site: Site, head: int) -> bool:
    place = (site["layer"], head)
    return any(
        muted[:2] == place and (len(muted) == 2 or muted[2] == site["kind"])
        for muted in run.request.muted
    )


def _caption(
    runs: Sequence[Any], site: Site, text: int, measure: Measure, said: Language
) -> tuple[str, ...]:
    """The text, the model with its edits, and what the numbers are: the page's paragraphs."""
    models = [model_said(run.model, run.request, said) for run in runs]
    about = f"{measure.about} · {models[0]}"
    if len(models) > 1:
        about = said.gettext(
            "{about}, a difference: {first}, minus {second}",
            about=measure.about,
            first=models[0],
            second=models[1],
        )
    place = text % len(runs[0])
    paragraphs = [text_shown(runs[0].request, place, said), about]
    return tuple(filter(None, [*paragraphs, sums(site, said) if measure.name == "pattern" else ""]))
