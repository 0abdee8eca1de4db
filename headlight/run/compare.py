"""What differs between two runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.steps import Async, Steps, Sync, asked, fetched
from headlight.run.analyses import Analyses
from headlight.run.look import Look
from headlight.run.look import Site as Document
from headlight.run.save import PICTURES, save
from headlight.run.sites import AsyncSite, Site, Tensored
from headlight.run.tensors import Reads, Tensor

MAX_TOKENS = 100  # ids in one request, as in the API


@dataclass(frozen=True)
class Minus:
    """Reads the tensors of one run minus those of another."""

    one: Reads
    other: Reads

    def of_sites(self, sites: Sequence[Document], look: Look) -> Steps[Tensor]:
        first = yield from self.one.of_sites(sites, look)
        return minus(first, (yield from self.other.of_sites(sites, look)))

    def of_site(self, site: Document, look: Look) -> Steps[Tensor]:
        first = yield from self.one.of_site(site, look)
        return minus(first, (yield from self.other.of_site(site, look)))


def minus(one: Tensor, other: Tensor) -> Tensor:
    if isinstance(one, list):
        return [minus(*pair) for pair in zip(one, other, strict=True)]
    if one.dtype == np.uint8:  # it would wrap around
        return one.astype(np.int16) - other
    return one - other


class BaseDifference(Tensored):
    """One run minus another, with the same tokens. Nothing is fetched until it is read.

    It has the tensors of a run: `difference.pattern`, `difference.site("layers.2").z`, ….
    """

    def __init__(self, run: Any, other: Any) -> None:
        if run.tokens != other.tokens or run.target_tokens != other.target_tokens:
            raise RequestError(
                "Expected two runs with the same tokens; theirs differ. Compare runs of one text.",
                field="texts",
            )
        if run.sites != other.sites:
            raise RequestError(
                f"Expected two runs with the same sites; {run.model} has {', '.join(run.sites)}, "
                f"{other.model} has {', '.join(other.sites)}.",
                field="model",
            )
        super().__init__(run._doing, Minus(run._tensors, other._tensors), run._documents)
        self.run = run
        self.other = other

    @fetched
    def predictions(self) -> Steps[Table]:
        """The tokens that are among the 10 likeliest in either run, the largest change first."""
        ids: dict[int, None] = {}
        for run in (self.run, self.other):
            table = yield from Analyses.predictions.steps(run)
            ids |= dict.fromkeys(table.columns["id"])
        now = yield from _probabilities(self.run, list(ids))
        before = yield from _probabilities(self.other, list(ids))
        rows: list[dict[str, Any]] = [
            {
                "text": text,
                "id": id,
                "token": token,
                "before": before[text, id, token],
                "now": probability,
                "change": probability - before[text, id, token],
            }
            for (text, id, token), probability in now.items()
            if (text, id, token) in before
        ]
        rows.sort(key=lambda row: (row["text"], -abs(row["change"])))
        return Table.of(rows, ["text", "id", "token", "before", "now", "change"])

    @asked
    def save(self, path: str | Path, /, **options: Any) -> Steps[Path]:
        """Write a figure to a file that ends with .svg, .pdf, .png or .pgf, and give its path.

        `options` are those of `plot`, and `dpi`.
        """
        return (yield from save(self, path, PICTURES, **options))


def _probabilities(run: Analyses, ids: Sequence[int]) -> Steps[dict[tuple[int, int, str], float]]:
    """The probability of each of these tokens in each text."""
    found = {}
    for start in range(0, len(ids), MAX_TOKENS):
        some = ids[start : start + MAX_TOKENS]
        table = yield from Analyses.predict.steps(run, top_k=1, tokens=some)
        for row in table:
            found[row["text"], row["id"], row["token"]] = row["probability"]
    return found


class Difference(BaseDifference, Sync):
    __doc__ = BaseDifference.__doc__

    def site(self, name: str) -> Site:
        """The differences at a site."""
        return self._site_of(name, Site)


class AsyncDifference(BaseDifference, Async):
    __doc__ = BaseDifference.__doc__

    def site(self, name: str) -> AsyncSite:
        """The differences at a site."""
        return self._site_of(name, AsyncSite)
