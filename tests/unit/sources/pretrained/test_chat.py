"""Conversations: chat templates give what Transformers gives, and cannot run away."""

import time
from collections.abc import Sequence

import pytest
import transformers as hf

from model.errors import InputError
from model.sources.pretrained.text import chat
from model.sources.pretrained.text.chat import chat_text
from model.sources.pretrained.text.reading import Reader
from model.sources.source import ChatMessage
from tests.unit.sources.pretrained.checkpoints import tokenizer
from tests.unit.sources.pretrained.test_smollm2 import FOLDER

# As templates of the field are built, in words of our own: a system message that comes first or
# goes into the first turn, turns that must alternate, macros, loops with `continue`, dates, JSON.
MARKED = """{%- if messages[0].role == 'system' %}{% set rest = messages[1:] %}
    {%- set first = messages[0].content %}{% else %}{% set rest = messages %}{% set first = '' %}
{%- endif -%}
{{ bos_token }}
{%- for one in rest %}
    {%- if (one.role == 'user') != (loop.index0 % 2 == 0) %}
        {{- raise_exception('turns must alternate') }}
    {%- endif %}
    {%- set before = first ~ ' ' if loop.first and first else '' %}
    {%- if one.role == 'user' %}[ASK] {{ before ~ one.content | trim }} [/ASK]
    {%- else %} {{ one.content }}{{ eos_token }}{% endif %}
{%- endfor %}"""
HEADED = """{%- macro head(role) %}<<{{ role | upper }}>>
{% endmacro -%}
{%- for one in messages -%}
    {%- if one.content == '' %}{% continue %}{% endif -%}
    {{ head(one.role) }}{{ one.content | tojson }}
{% generation %}|{% endgeneration %}
{%- endfor %}
{%- if add_generation_prompt %}{{ head('assistant') }}{% endif %}"""
DATED = """{% set ns = namespace(n=0) %}{% for one in messages %}{% set ns.n = ns.n + 1 %}
{{ ns.n }}. {{ strftime_now('%Y') }} {{ dict(a=one.role).a }}: {{ one['content'] }}
{% endfor %}{{ tools is none }}{{ documents is none }}"""

TALKS: Sequence[tuple[ChatMessage, ...]] = (
    (ChatMessage("user", "the cat sat ."),),
    (ChatMessage("system", "a dog , <b> & “é”"), ChatMessage("user", "  the cat  ")),
    (ChatMessage("user", "the"), ChatMessage("assistant", "cat"), ChatMessage("user", "the dog")),
    (ChatMessage("user", "the"), ChatMessage("assistant", "cat ")),
)


def named(template: str) -> hf.PreTrainedTokenizerFast:
    words = tokenizer("[CLS] $A")
    words.bos_token, words.chat_template = "[CLS]", template
    return words


def by_transformers(words: hf.PreTrainedTokenizerBase, talk: Sequence[ChatMessage]) -> str:
    return str(
        words.apply_chat_template(
            [message._asdict() for message in talk],
            tokenize=False,
            add_generation_prompt=talk[-1].role != "assistant",
        )
    )


@pytest.mark.parametrize("talk", TALKS)
@pytest.mark.parametrize("template", [MARKED, HEADED, DATED])
def test_a_template_gives_what_transformers_gives(
    template: str, talk: tuple[ChatMessage, ...]
) -> None:
    words = named(template)
    assert Reader(words, len(words)).chat_text(talk) == by_transformers(words, talk)


@pytest.mark.skipif(not FOLDER.is_dir(), reason="SmolLM2 is not here")
@pytest.mark.parametrize("talk", TALKS)
def test_the_template_of_smollm2(talk: tuple[ChatMessage, ...]) -> None:
    words = hf.AutoTokenizer.from_pretrained(FOLDER)
    assert Reader(words, len(words)).chat_text(talk) == by_transformers(words, talk)


def test_what_a_template_refuses_is_told() -> None:
    words = named(MARKED)
    reader = Reader(words, len(words))
    with pytest.raises(InputError, match=r"refused the messages: turns must alternate\.$"):
        reader.chat_text([ChatMessage("user", "a"), ChatMessage("user", "b")])
    plain = tokenizer("$A")
    with pytest.raises(InputError, match=r"no chat template\. Send `texts` instead\.$"):
        Reader(plain, len(plain)).chat_text(TALKS[0])


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "more"),
        ("{{ 'a' * 2000000000 }}", "memory"),
        ("{% for a in range(99999) %}{{ 'a' * 99 }}{% endfor %}", "1,000,000 characters"),
        ("{{ ''.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
        ("{% if %}", "Expected an expression"),
        ("{{ messages.append(1) }}", "unsafe"),
    ],
)
def test_a_template_cannot_run_away(
    template: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "MAX_S", 2)
    start = time.monotonic()
    with pytest.raises(InputError, match=words) as refused:
        chat_text(template, {}, TALKS[0])
    assert refused.value.field == "messages"
    assert time.monotonic() - start < 20
