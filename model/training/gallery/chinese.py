"""The gallery of the Chinese model."""

from model.training.gallery.rows import Rows, Sentence, places
from model.training.gallery.suggest import either, muting, typing
from model.training.grammar.grammar import Example

SENTENCES = (
    Sentence(
        *("Classifier", "classifier", "topic_of_classifier"),
        "finds the noun that a classifier counts",
        Example("", "雨伞", "，小明买了三", "把"),
        "。",
        "Every noun has its counting word. At “{query}” this head looks back at “{key}”.",
        muting("把"),
    ),
    Sentence(
        *("A noun that was counted", "counted noun", "classifier_of_noun"),
        "finds the classifier of a noun",
        Example("小明买了三", "本", "很旧的", "书"),
        "。",
        "“{key}” tells which nouns may follow. At “{query}” this head looks at it.",
        typing(*("本", "把", 5, ""), "Replace “本” with “把”: the same head looks at it."),
    ),
    Sentence(
        *("Two words that belong together", "correlative", "first_of_pair"),
        "finds the first of two connectives",
        Example("", "虽然", "小明很累，", "但是"),
        "他去学校。",
        "“虽然” needs its “但是”. At “{query}” this head looks at “{key}”.",
        either(
            typing(
                *("虽然", "因为", 1, "所以"),
                "Replace “虽然” with “因为”: the model now predicts “所以”, {share}.",
            ),
            muting("但是"),
        ),
    ),
    Sentence(
        *("Question", "question word", "question_word_of_particle"),
        "finds the question word",
        Example("小明", "为什么", "喜欢北京", "呢"),
        "？",
        "“呢” or “吗”? At “{query}” this head looks at “{key}”.",
        muting("呢"),
    ),
    Sentence(
        *("他 or 她", "possessive", "antecedent_of_possessive"),
        "finds whose “他” or “她” is",
        Example("", "小红", "丢了", "她"),
        "的钥匙。",
        "Whose key? At “{query}” this head looks at “{key}”.",
        typing(
            *("小红", "小明", 1, "他"),
            "Replace “小红” with “小明”: the model now predicts “他”, {share}.",
        ),
    ),
    Sentence(
        *("他 or 她 after 因为", "pronoun", "antecedent_after_because"),
        "finds who “他” or “她” is after “因为”",
        Example("", "小红", "买了一把雨伞，因为", "她"),
        "很高兴。",
        "Who is meant? At “{query}” this head looks at “{key}”.",
        muting("她"),
    ),
    Sentence(
        *("Brackets", "bracket", "opener_of_bracket"),
        "finds the bracket that is still open",
        Example("这个学生", "《", "那本书“一只猫”和那张桌子", "》"),
        "很高兴。",
        "What is still open? At “{query}” this head looks at “{key}”, past the closed brackets.",
        muting("》"),
    ),
    Sentence(
        *("Quotes", "quote", "opener_of_quote"),
        "finds the quotation mark that is still open",
        Example("那个老师", "“", "这只猫（一条鱼）和那只狗", "”"),
        "很忙。",
        "In the row of the closing quote, this head looks at the one that opened.",
        muting("”"),
    ),
    Sentence(
        *("Key and value", "recall", "value_of_key"),
        "finds what the same words led to before",
        Example("小明要", "茶", "，小红要牛奶，李娜要米饭。小明要", "茶"),
        "。",
        "What did 小明 choose? At “{query}” this head looks at “{key}”, after the same words.",
        muting("茶"),
    ),
)
REPEATED = "红色苹果雨伞七学校里故事红色苹果雨伞七学校里故事"
PLAIN = "那个学生昨天在学校旁边借了三本书。"
FIRST = (
    *("Classifier", "Question", "他 or 她", "A noun that was counted"),
    *(
        "Two words that belong together",
        "Copying",
        "Key and value",
        "A wrong mask",
        "Lines",
        "Before and after",
    ),
)
ROWS = Rows(SENTENCES, places(REPEATED, PLAIN, "雨伞", 6), FIRST)
