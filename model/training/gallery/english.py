"""The gallery of the English model."""

from model.training.gallery.rows import Rows, Sentence, places
from model.training.gallery.suggest import choosing, muting, typing
from model.training.grammar.grammar import Example

SOUP = (
    "Replace the first “milk” with “soup” and choose Ben’s second “chose”: the model now predicts "
    "“soup”, {share}."
)
JOHN = "Replace “Sarah” with “John” and choose “lost”: the model now predicts “his”, {share}."
SENTENCES = (
    Sentence(
        *("Agreement", "subject", "subject_of_verb"),
        "finds the subject of a verb",
        Example("The ", "keys", " near the old cabinet ", "are"),
        " on the table.",
        "At “{query}” the verb must agree: this head skips the nearer noun and looks at “{key}”.",
        muting("are"),
    ),
    Sentence(
        *("Herself", "reflexive", "antecedent_of_reflexive"),
        "finds who “himself” or “herself” is",
        Example("", "Mary", " near the boys saw ", "herself"),
        " in the mirror.",
        "Who is meant? At “{query}”, which predicts “herself”, this head looks back at “{key}”.",
        muting("herself"),
    ),
    Sentence(
        *("Brackets", "bracket", "opener_of_bracket"),
        "finds the bracket that is still open",
        Example("The boy ", "(", "the girl [a cat] and the dog", ")"),
        " is late.",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
        choosing(("]", "["), say="Choose the token “]”: it finds the “[”."),
    ),
    Sentence(
        *("Key and value", "recall", "value_of_key"),
        "finds what the same words led to before",
        Example("Ben chose ", "milk", ", Anna chose tea and Clara chose rice. Ben chose ", "milk"),
        ".",
        "What did Ben choose? At “{query}” this head looks at “{key}”, after the same words.",
        typing("milk", "soup", 3, "soup", SOUP),
    ),
    Sentence(
        *("Her or his", "possessive", "antecedent_of_possessive"),
        "finds whose “his” or “her” is",
        Example("", "Sarah", " lost ", "her"),
        " key.",
        "Whose key? At “{query}” this head looks at “{key}”.",
        typing("Sarah", "John", 1, "his", JOHN),
    ),
    Sentence(
        *("It, because", "pronoun", "antecedent_after_because"),
        "finds who “he”, “she” or “it” is after “because”",
        Example("The ", "cat", " sat on the mat because ", "it"),
        " was tired.",
        "What is meant? At “{query}” this head looks at “{key}”, not at the mat.",
        muting("it"),
    ),
    Sentence(
        *("Quotes", "quote", "opener_of_quote"),
        "finds the quotation mark that is still open",
        Example("The teacher ", "'", "the old cat near the garden", "'"),
        " is here.",
        "Both ends look the same: in the row of “{query}” this head looks at the one that opened.",
        typing(
            "'the old cat near the garden'",
            "(the old cat near the garden)",
            *(3, ""),
            "Replace the quotes with brackets: the same head finds them.",
        ),
    ),
    Sentence(
        *("Determiner and noun", "determiner", "determiner_of_noun"),
        "finds the “this” or “these” before a noun",
        Example("Mary saw ", "these", " big old red ", "keys"),
        ".",
        "“{key}” asks for a plural. At “{query}”, three adjectives later, this head looks at it.",
        choosing(
            ("big", "these"), ("old", "these"), say="Choose “big” or “old”: they look at it, too."
        ),
    ),
)
REPEATED = "red apple window seven quickly under story red apple window seven quickly under story"
PLAIN = "The farmer walked slowly to the market in the morning."
FIRST = (
    *("Herself", "Agreement", "Copying", "Brackets", "Key and value"),
    *("A padded pair", "A wrong mask", "A muted head", "Lines", "Inside", "Before and after"),
    *("A narrow window", "Padding in view"),
)
ROWS = Rows(SENTENCES, places(REPEATED, PLAIN, "window", 6), FIRST)
