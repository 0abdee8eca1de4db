"""The gallery of the German model."""

from model.training.gallery.rows import Rows, Sentence, places
from model.training.gallery.suggest import either, muting, typing
from model.training.grammar.grammar import Example

SENTENCES = (
    Sentence(
        *("Verb at the end", "verb at the end", "subject_of_last_verb"),
        "finds the subject of a verb at the end",
        Example("Anna glaubt, dass die ", "Kinder", " neben dem alten Hund müde ", "sind"),
        ".",
        "The verb comes last. At “{query}” this head skips the nearer noun and looks at “{key}”.",
        muting("sind"),
    ),
    Sentence(
        *("A verb in two parts", "prefix", "verb_of_prefix"),
        "finds the verb that a prefix belongs to",
        Example("Anna ", "wirft", " den alten Brief ", "weg"),
        ".",
        "“wirft … weg” is one verb in two parts. At “{query}” this head looks at “{key}”.",
        either(
            typing(
                *("wirft", "hängt", 2, "auf"),
                "Replace “wirft” with “hängt”: the model now predicts “auf”, {share}.",
            ),
            muting("weg"),
        ),
    ),
    Sentence(
        *("Case", "case", "verb_of_case"),
        "finds the verb that asks for a case",
        Example("Peter ", "hilft", " oft ", "dem"),
        " Mann.",
        "“hilft” asks for the dative. At “{query}”, which predicts the article, this head looks at "
        "“{key}”.",
        either(
            typing(
                *("hilft", "fragt", 2, "den"),
                "Replace “hilft” with “fragt”: the model now predicts “den”, {share}.",
            ),
            muting("dem"),
        ),
    ),
    Sentence(
        *("Participle or infinitive", "auxiliary", "auxiliary_of_verb"),
        "finds the auxiliary of the verb at the end",
        Example("Anna ", "hat", " den alten Koffer ", "getragen"),
        ".",
        "A participle or an infinitive? At “{query}” this head looks at “{key}”.",
        typing(*("hat", "will", 2, ""), "Replace “hat” with “will”: the same head looks at it."),
    ),
    Sentence(
        *("Sein or ihr", "possessive", "antecedent_of_possessive"),
        "finds whose “sein” or “ihr” is",
        Example("", "Anna", " verlor ", "ihren"),
        " Schlüssel.",
        "Whose key? At “{query}” this head looks at “{key}”.",
        either(
            typing(
                *("Anna", "Peter", 1, "seinen"),
                "Replace “Anna” with “Peter”: the model now predicts “seinen”, {share}.",
            ),
            muting("ihren"),
        ),
    ),
    Sentence(
        *("Er, sie, es", "pronoun", "antecedent_of_pronoun"),
        "finds the noun that “er”, “sie” or “es” stands for",
        Example("Die ", "Lampe", " neben dem Tisch ist kaputt, weil ", "sie"),
        " alt ist.",
        "A lamp is a “sie”, a table an “er”. At “{query}” this head looks at “{key}”.",
        either(
            typing(
                *("Die Lampe neben dem Tisch", "Der Tisch neben der Lampe", 2, "er"),
                "Write “Der Tisch neben der Lampe”: the model now predicts “er”, {share}.",
            ),
            muting("sie"),
        ),
    ),
    Sentence(
        *("Agreement", "subject", "subject_of_verb"),
        "finds the subject of a verb",
        Example("Die ", "Kinder", " neben dem alten Hund ", "sind"),
        " müde.",
        "At “{query}” the verb must agree: this head skips the nearer noun and looks at “{key}”.",
        muting("sind"),
    ),
    Sentence(
        *("Brackets", "bracket", "opener_of_bracket"),
        "finds the bracket that is still open",
        Example("Der Junge ", "(", "die Katze [ein Hund] und der Fuchs", ")"),
        " ist müde.",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
        muting(")"),
    ),
    Sentence(
        *("Quotes", "quote", "opener_of_quote"),
        "finds the quotation mark that is still open",
        Example("Der Lehrer ", "„", "die alte Katze neben dem Garten", "“"),
        " ist hier.",
        "In the row of the closing quote, this head looks at the one that opened.",
        muting('"'),
    ),
    Sentence(
        *("Key and value", "recall", "value_of_key"),
        "finds what the same words led to before",
        Example("Max wählt ", "Tee", ", Anna wählt Milch und Eva wählt Reis. Max wählt ", "Tee"),
        ".",
        "What did Max choose? At “{query}” this head looks at “{key}”, after the same words.",
        muting("Tee"),
    ),
)
REPEATED = " ".join(2 * ("heute schnell Stadt sieben unter Tür Lampe",))
PLAIN = "Der Bauer ging gestern langsam aus der Stadt in den Wald."
FIRST = (
    *("Verb at the end", "A verb in two parts", "Case", "Er, sie, es", "Participle or infinitive"),
    *("Copying", "Key and value", "A wrong mask", "Lines", "Before and after"),
)
ROWS = Rows(SENTENCES, places(REPEATED, PLAIN, "Stadt", 6), FIRST)
