"""The tensors of a run: fetched once, and given for each text without its padding."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

import numpy as np

from headlight.errors import RequestError
from headlight.http.answer import Array
from headlight.http.connection import Connection
from headlight.http.steps import Steps
from headlight.progress import Progress
from headlight.request import Request
from headlight.run.batches import Batch
from headlight.run.look import PART, TENSORS, Arrays, Look, Site, looked
from headlight.tokens import Word

# An array where a single text was given, else a list of arrays, one for each text, since their
# lengths differ. Where sites differ in their axes, a list by site takes the place of an array.
Tensor: TypeAlias = Any


class Reads(Protocol):
    """Reads tensors of a run, or of the difference between two."""

    def of_sites(self, sites: Sequence[Site], look: Look) -> Steps[Tensor]: ...
    def of_site(self, site: Site, look: Look) -> Steps[Tensor]: ...


class Tensors:
    """What was fetched of a run, and what fetches more."""

    def __init__(self, connection: Connection, request: Request, batches: Sequence[Batch]) -> None:
        self._connection = connection
        self._request = request
        self._batches = batches
        self._known: list[Arrays] = [dict(batch.arrays) for batch in batches]
        self._words: list[dict[str, list[Word]]] | None = None

    def batches(self) -> list[Batch]:
        """The texts with all that was fetched of them."""
        pairs = zip(self._batches, self._known, strict=True)
        return [replace(batch, arrays=dict(known)) for batch, known in pairs]

    def of_sites(self, sites: Sequence[Site], look: Look) -> Steps[Tensor]:
        """A tensor of all sites that are selected: [layer, head, …], or a list by site."""
        sites = look.sites(sites)
        texts: list[Tensor] = yield from self._by_text(look, sites)
        if len({(site["kind"], len(site["heads"])) for site in sites}) == 1:
            texts = [np.stack(arrays) for arrays in texts]
        return texts[0] if self._request.single else texts

    def of_site(self, site: Site, look: Look) -> Steps[Tensor]:
        """A tensor of one site: [head, …]."""
        look = replace(look, layers=(site["layer"],), kinds=(site["kind"],))
        texts = [arrays[0] for arrays in (yield from self._by_text(look, [site]))]
        return texts[0] if self._request.single else texts

    def fetch(self, names: Sequence[str]) -> Steps[None]:
        """Tensors of all sites, in one request for each batch, unless they are here."""
        for batch, known in zip(self._batches, self._known, strict=True):
            missing = tuple(
                name
                for name in names
                if any((site["name"], name) not in known for site in batch.sites)
            )
            if not missing or not batch.sites:
                continue
            n_rows = len(batch.axis(batch.sites[0], "query"))
            look, body = Look(tensors=missing), batch.request.body()
            known |= yield from looked(self._connection, body, look, batch.sites, n_rows)

    def words(self) -> Steps[list[dict[str, list[Word]]]]:
        """The words of each text, by the name of the tokens that they are made of; without padding,
        unless that takes part in what is computed."""
        if self._words is None:
            found = []
            for batch in self._batches:
                asked = {"parts": {PART: {"layers": [], "units": "words"}}, "predict": None}
                answer = yield from self._connection.trace(batch.request.body() | asked)
                for row, text in enumerate(batch.texts):
                    of_text = {}
                    for axis, name in (("tokens", "words"), ("target_tokens", "target_words")):
                        tokens = getattr(text, axis) or []
                        words = map(Word.of, (answer.document[name] or {row: ()})[row])
                        of_text[axis] = [
                            word
                            for word in words
                            if self._request.needs_all_texts or not tokens[word.start].padding
                        ]
                    found.append(of_text)
            self._words = found
        return self._words

    def _by_text(self, look: Look, sites: Sequence[Site]) -> Steps[list[list[Array]]]:
        """For each text, the tensor of each site."""
        [name] = look.tensors
        words: list[Any] = (yield from self.words()) if look.units == "words" else []
        if name not in TENSORS:
            raise RequestError(
                f"Expected one of {', '.join(TENSORS)}; got {name!r}.", field="select.tensors"
            )
        texts: list[list[Array]] = []
        with Progress(f"Fetching {name}", self._request.n_texts) as progress:
            for batch, known in zip(self._batches, self._known, strict=True):
                arrays = yield from self._of_batch(batch, known, look, sites)
                first = len(texts)
                texts += [
                    [
                        self._cut(
                            arrays[site["name"], name],
                            batch,
                            row,
                            site,
                            look,
                            words[first + row] if words else None,
                        )
                        for site in sites
                    ]
                    for row in range(len(batch.texts))
                ]
                progress.at(len(texts))
        return texts

    def _of_batch(
        self, batch: Batch, known: Arrays, look: Look, sites: Sequence[Site]
    ) -> Steps[Arrays]:
        [name] = look.tensors
        whole = look == Look(tensors=look.tensors, layers=look.layers, kinds=look.kinds)
        if whole and all((site["name"], name) in known for site in sites):
            return known
        n_rows = len(batch.axis(sites[0], "query")) if sites else 0
        arrays = yield from looked(
            self._connection, batch.request.body(), look, batch.sites, n_rows
        )
        if whole:
            known |= arrays
        return arrays

    def _cut(
        self,
        array: Array,
        batch: Batch,
        row: int,
        site: Site,
        look: Look,
        words: dict[str, list[Word]] | None,
    ) -> Array:
        """The tensor of one text, without padding unless that takes part in what is computed."""
        if self._request.needs_all_texts or look.resolution is not None:
            whole: Array = array[row]
            return whole
        cut: list[Any] = [slice(None)]
        for axis in TENSORS[look.tensors[0]]:
            if axis in ("query", "key"):
                real = batch.length(site, axis, row)
                if words is not None:
                    real = len(words[site[f"{axis}_tokens"]])
                start = look.rows[0] if look.rows and axis == "query" else 0
                cut.append(slice(max(0, real - start)))
        real_part: Array = array[(row, *cut)]
        return real_part
