"""What each head of a model does over many texts, as tables."""

from collections.abc import Mapping
from typing import Any

from headlight.frames import Table


class Dossier:
    """The dossier of a model. Each property is a table; `document` is all of it, as plain data."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document

    @property
    def heads(self) -> Table:
        """A row for each head: each measure, with the ends of its interval as `…_low`, `…_high`."""
        return Table.of([_named(head) | _numbers(head["values"]) for head in self._heads])

    @property
    def measures(self) -> Table:
        """What each measure means: name, label, definition, source, unit."""
        return Table.of(list(self.document["measures"]))

    @property
    def distances(self) -> Table:
        """The share of attention at each distance query − key, from `first` to `last`."""
        return Table.of(
            [
                {**_named(head), **bucket, "share": share}
                for head in self._heads
                if head["distances"] is not None
                for bucket, share in zip(self.document["buckets"], head["distances"], strict=True)
            ]
        )

    @property
    def top_examples(self) -> Table:
        """The cells where each head does most of what it does, with their texts."""
        texts = {each["number"]: each["text"] for each in self.document["texts"]}
        return Table.of(
            [
                {**_named(head), **example, "text": texts[example["text"]]}
                for head in self._heads
                for example in head["top_examples"]
            ]
        )

    @property
    def alike(self) -> Table:
        """The heads that are most like each head; `where` is `here`, or the other checkpoint."""
        against = self.document["against"]
        return Table.of(
            [
                {
                    **_named(head),
                    "where": "here" if field == "like" else against["model"],
                    **{f"like_{name}": one[name] for name in ("site", "layer", "head")},
                    "value": one["value"],
                }
                for head in self._heads
                for field in ("like", "like_elsewhere")
                for one in head[field] or ()
            ]
        )

    @property
    def _heads(self) -> list[Any]:
        heads: list[Any] = self.document["heads"]
        return heads

    def __repr__(self) -> str:
        corpus = self.document["corpus"]["description"]
        return f"<Dossier of {self.document['model']}: {len(self._heads)} heads over {corpus}>"


def _named(head: Mapping[str, Any]) -> dict[str, Any]:
    return {name: head[name] for name in ("site", "layer", "head")}


def _numbers(values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        f"{name}{end}": number[field]
        for name, number in values.items()
        for field, end in (("value", ""), ("low", "_low"), ("high", "_high"))
    }
