"""Gallery entries that change something: masks, muted heads, or the view.

Each starts from an entry without edits and says, with numbers from the model, what changes. An
entry whose text is not true of this model is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from model.core.checkpoint import LANGUAGES
from model.gallery import Against, Entry, load_gallery
from model.masks.rules import MaskSettings
from model.sources.native import NativeSource
from model.training.gallery.reading import Reading, change, moves, percent, read
from model.training.gallery.rows import BESIDE

MUCH = 0.3  # of a row's attention, or of the probability
SHORT = "Mary saw herself."
LONG = "The keys near the old cabinet are on the table."
FAR = tuple(
    f"The {subject} {preposition} the tall old tree are on the table."
    for subject in ("girls", "dogs", "cats", "keys")
    for preposition in ("beside", "behind", "near")
)
WINDOWS = (4, 5, 3)


def edited(source: NativeSource, known: dict[str, Entry]) -> list[Entry]:
    """The edited entries that are true of this model, made from the plain ones by title."""
    entries: list[Entry] = []
    is_english = source.checkpoint.language == "en"  # as the texts of some of them
    if "Herself" in known:
        entries += _herself(source, known["Herself"])
    if "Key and value" in known:
        entries += _wrong_mask(source, known["Key and value"])
    if "Copying" in known:
        entries += _copying(source, known["Copying"], known.get("Previous token"))
    if is_english and "Agreement" in known:
        entries += _window(source, known["Agreement"])
    if is_english and "Previous token" in known:
        entries += _padding(source, known["Previous token"])
    return entries


def beside(entries: Sequence[Entry], title: str, name: str) -> Iterator[Entry]:
    """An entry beside what the same sentence is to a model that reads it by words."""
    others = [entry for entry in load_gallery(LANGUAGES / name) if entry.title == title]
    for entry in (entry for entry in entries if entry.title == title):
        for other in others:
            yield _variant(
                entry,
                title=BESIDE,
                view="compare",
                against=Against(layer=other.layer, head=other.head, model=name),
                look="A is a model that reads words, B one that reads characters. In both, a head "
                f"{entry.does}.",
            )


def _variant(entry: Entry, **changes: Any) -> Entry:
    """An entry in another state, without what was said of the first one alone."""
    alone: dict[str, Any] = {"label": None, "does": None, "value": None, "next": "", "tries": None}
    return replace(entry, **(alone | changes))


def _herself(source: NativeSource, entry: Entry) -> Iterator[Entry]:
    """A padded pair, a muted head, and one row step by step."""
    pair = _variant(
        entry,
        title="A padded pair",
        texts=(SHORT, LONG),
        query=2,
        look="The shorter text is filled up with [PAD]. It is hatched: no token may look there.",
        next="Unmask it: no real token changes, because the causal mask hides what comes "
        "later anyway.",
        tries="padding",
    )
    open_ = replace(pair, masks=MaskSettings(padding=False))
    masked, unmasked = read(source, pair).predictions, read(source, open_).predictions
    if [one.id for one in masked[:10]] == [one.id for one in unmasked[:10]]:
        yield pair
    muted = _variant(
        entry,
        title="A muted head",
        muted=((entry.layer, entry.head),),
        next="Unmute it.",
        tries="unmute",
    )
    before, after = read(source, entry), read(source, muted)
    if before.probability("herself") - after.probability("herself") >= MUCH:
        words = change("herself", before, after)
        yield replace(muted, look=f"The head that looks at “Mary” is silent: {words}.")
    row = before.weights(entry.layer, entry.head)
    key = max(range(len(row)), key=row.__getitem__)
    yield _variant(
        entry,
        title="Inside",
        view="inside",
        key=key,
        look=f"One row, step by step: “{before.token(key)}” has the largest score, and softmax "
        f"turns it into a weight of {row[key]:.4f}.",
        next="Choose another key to follow its numbers on paper.",
    )


def _wrong_mask(source: NativeSource, entry: Entry) -> Iterator[Entry]:
    """Without the causal mask a token sees the word that it has to predict."""
    first = 2
    wrong = _variant(
        entry,
        title="A wrong mask",
        query=first,
        masks=MaskSettings(causal=False),
        next="Put the causal mask back.",
        tries="causal",
    )
    before = Reading(source, entry.texts, first)
    after = read(source, wrong)
    answer = after.token(first + 1)
    ahead = sum(after.weights(entry.layer, entry.head)[first + 1 :])
    if ahead < MUCH or after.probability(answer) - before.probability(answer) < MUCH:
        return
    yield replace(
        wrong,
        look=f"With the causal mask off, “{after.token(first)}” cheats: it gives "
        f"{percent(ahead)} of its weight to later words, and "
        f"{moves(answer, before.probability(answer), after.probability(answer))}.",
    )


def _copying(source: NativeSource, entry: Entry, previous: Entry | None) -> Iterator[Entry]:
    """The induction stripe as lines, and without the head that it depends on."""
    yield _variant(
        entry,
        title="Lines",
        view="lines",
        look="The same head as lines: each word of the second list looks at the word that followed "
        "it in the first.",
        next="Point at a word to see its lines alone.",
    )
    if previous is None or previous.layer >= entry.layer:
        return
    built_on = (previous.layer, previous.head)
    broken = _variant(
        entry,
        title="Before and after",
        view="compare",
        muted=(built_on,),
        against=Against(),
        next=f"Mute other heads of layer {previous.layer} instead.",
    )
    before, after = read(source, entry), read(source, broken)
    key = entry.query - len(before.trace.tokens[0]) // 2 + 1
    was, now = (each.weights(entry.layer, entry.head)[key] for each in (before, after))
    if was - now < MUCH:
        return
    yield replace(
        broken,
        look=f"Without the head that looks one token back (layer {built_on[0]} · "
        f"head {built_on[1]}), this one no longer copies: from “{before.token(entry.query)}” to "
        f"“{before.token(key)}” its weight falls from {percent(was)} to {percent(now)}.",
    )


def _window(source: NativeSource, entry: Entry) -> Iterator[Entry]:
    """A window too narrow for the subject: the first sentence in which the verb is wrong."""
    for text, window in ((text, window) for text in FAR for window in WINDOWS):
        words = text.removesuffix(".").split()
        query = words.index("are")  # the place of the word before it: [BOS] comes first
        narrow = _variant(
            entry,
            title="A narrow window",
            texts=(text,),
            query=query,
            masks=MaskSettings(window=window),
        )
        before = Reading(source, [text], query)
        after = read(source, narrow)
        if (before.likeliest, after.likeliest) != ("are", "is"):
            continue
        subject, last = words[1], before.token(query)
        yield replace(
            narrow,
            look=f"In a window of {window} tokens “{last}” cannot see “{subject}”: "
            f"{moves('are', before.probability('are'), after.probability('are'))}, and "
            f"{moves('is', before.probability('is'), after.probability('is'))}.",
            next="Widen the window until the verb is right again.",
        )
        return


def _padding(source: NativeSource, entry: Entry) -> Iterator[Entry]:
    """Padding on the left that is not masked: every real token may look at it."""
    masks = MaskSettings(padding=False, padding_side="left")
    texts = (SHORT, LONG)
    n_pad = len(source.tokenizer.encode(LONG)) - len(source.tokenizer.encode(SHORT))
    left = _variant(
        entry,
        title="Padding in view",
        texts=texts,
        query=n_pad + 1,
        masks=masks,
    )
    after = read(source, left)
    before = read(source, replace(left, masks=replace(masks, padding=True)))
    lost = after.on_padding(entry.layer, entry.head)
    word = before.likeliest
    if lost < MUCH:
        return
    yield replace(
        left,
        look=f"Padding stands on the left and is not masked: “{after.token(left.query)}” gives it "
        f"{percent(lost)} of its attention.",
        next=f"Mask it: {moves(word, after.probability(word), before.probability(word))}.",
        tries="padding",
    )
