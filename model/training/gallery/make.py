"""Makes the gallery of a newly trained model: for each relation, its best head.

The sentences are fixed. The head, the row at which to look, and all numbers in the text come from
the model.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from model.core.checkpoint import OTHERS
from model.gallery import Entry
from model.sources.native import NativeSource
from model.training.evaluation.evaluate import Relation, Report
from model.training.evaluation.look import place
from model.training.gallery.edited import beside, edited
from model.training.gallery.reading import Reading
from model.training.gallery.rows import rows_of
from model.training.gallery.suggest import MIN_SHARE, Suggest
from model.training.grammar.grammar import Example


def make_gallery(folder: Path, report: Report) -> list[Entry]:
    """One entry for each relation that a head has learned, at its best head and row.

    Then the entries that show masks, mutes and the other views with the same heads.
    """
    source = NativeSource(folder.name, folder)
    rows = rows_of(source.checkpoint.language)
    known = {relation.id: relation for relation in report.relations}
    drawn = {relation.id for relation in report.relations if relation.best.value >= MIN_SHARE}
    entries = [
        *(
            replace(
                _entry(source, title, example.text + after, known[id], at, look, suggest),
                label=label,
                does=does,
                value=round(known[id].best.value, 3),
            )
            for title, label, id, does, example, after, look, suggest in rows.sentences
            if id in drawn
            for at in [_at(source, example, known[id])]
        ),
        *(
            _entry(source, title, text, known[id], at, look, suggest)
            for title, id, text, *at, look, suggest in rows.places
            if id in drawn
        ),
    ]
    entries += edited(source, {entry.title: entry for entry in entries})
    if rows.against is not None:
        entries += beside(entries, rows.first[0], OTHERS[rows.against])
    order = {title: number for number, title in enumerate(rows.first)}
    return sorted(entries, key=lambda entry: order.get(entry.title, len(order)))


def _at(source: NativeSource, example: Example, relation: Relation) -> list[int]:
    """The positions of the relation's query and key: of the target's tokens, the most looked at."""
    placed = place(source.tokenizer, example)
    query = placed.last if relation.at_token else placed.first - 1
    weights = Reading(source, [example.text], query).weights(
        relation.best.layer, relation.best.head
    )
    return [query, max(placed.target, key=weights.__getitem__)]


def _entry(
    source: NativeSource,
    title: str,
    text: str,
    relation: Relation,
    at: Sequence[int],
    look: str,
    suggest: Suggest,
) -> Entry:
    tokens = source.tokenizer.encode(text)
    query, key = (tokens[place].text.strip() for place in at)
    sentence = look.format(query=query, key=key)
    entry = Entry(title, (text,), relation.best.layer, relation.best.head, at[0], sentence)
    suggestion = suggest(source, entry)
    return replace(entry, next=suggestion.sentence, tries=suggestion.action)
