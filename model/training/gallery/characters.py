"""The gallery of the Chinese model that reads characters: the same sentences, counted in them."""

from collections.abc import Mapping

from model.training.gallery.chinese import FIRST, PLAIN, SENTENCES
from model.training.gallery.rows import BESIDE, Rows, places
from model.training.gallery.suggest import Suggest, either, muting, typing

# What to try where a word has two characters, or stands at another place.
SUGGESTED: Mapping[str, Suggest] = {
    "classifier_of_noun": typing(
        *("本", "把", 6, ""), "Replace “本” with “把”: the same head looks at it."
    ),
    "first_of_pair": either(
        typing(
            *("虽然", "因为", 2, "所"),
            "Replace “虽然” with “因为”: the model now predicts “所”, {share}.",
        ),
        muting("但"),
    ),
    "antecedent_of_possessive": typing(
        *("小红", "小明", 2, "他"),
        "Replace “小红” with “小明”: the model now predicts “他”, {share}.",
    ),
}
PREVIOUS = "A diagonal: “{query}” looks one token back, at “{key}”. Together they are one word."
PLACES = tuple(
    place._replace(query=9, key=8, look=PREVIOUS) if place.relation == "previous_token" else place
    for place in places("红雨七里故茶书红雨七里故茶书", PLAIN, "七", 9)
)
QUESTION = "Question"  # this model is sure of its answer, unless the head is muted
ROWS = Rows(
    tuple(
        sentence._replace(suggest=SUGGESTED.get(sentence.relation, sentence.suggest))
        for sentence in SENTENCES
    ),
    PLACES,
    (QUESTION, BESIDE, *(title for title in FIRST if title != QUESTION)),
    against="zh",
)
