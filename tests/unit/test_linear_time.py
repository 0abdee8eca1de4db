"""Reading a text takes linear time in every step: 5,000 characters, and 20,000 in a whole sweep."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

import jaxtyping
import pytest
import tokenizers
import transformers as hf
from tokenizers import Regex, models, normalizers, pre_tokenizers, trainers

from model.analysis.words import is_punctuation
from model.core.tokenizer import build_tokenizer
from model.scratch.words import tokenize
from model.sources.pretrained.text.reading import Reader
from server.api.schemas import TraceRequest
from server.errors import without_folders
from server.http.guard.cookies import cookie, ours
from server.pages.learning import prose
from server.run.participants import COOKIE, participant_of
from tests.adversarial import KINDS, N, is_linear

pytestmark = pytest.mark.long

WORDS = "the cat sat on the mat and a dog ran under an old tree near it".split()
NATIVE = build_tokenizer(WORDS, n_chunks=12)
SPECIAL = ["[UNK]", "[PAD]"]
bpe = partial(trainers.BpeTrainer, vocab_size=400, special_tokens=SPECIAL, show_progress=False)


def reader(model: Any, trainer: Any, normalizer: Any, pre_tokenizer: Any) -> Reader:
    """A tokenizer of another family, trained on a few words."""
    backend = tokenizers.Tokenizer(model)
    backend.normalizer = normalizer
    backend.pre_tokenizer = pre_tokenizer
    backend.train_from_iterator([" ".join(WORDS)] * 3, trainer)
    words = hf.PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=backend, unk_token="[UNK]", pad_token="[PAD]"
    )
    return Reader(words, backend.get_vocab_size())


def readers() -> Iterator[tuple[str, Callable[[str], Any]]]:
    """Tokenizers like those of BERT, GPT-2, T5 and Llama."""
    of_bert = reader(
        models.WordPiece(unk_token="[UNK]"),
        trainers.WordPieceTrainer(vocab_size=120, special_tokens=SPECIAL, show_progress=False),
        normalizers.BertNormalizer(),
        pre_tokenizers.BertPreTokenizer(),
    )
    yield "a pair as BERT reads it", lambda text: of_bert.read(text[: N // 2], text[N // 2 :])
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    of_gpt2 = reader(models.BPE(), bpe(initial_alphabet=alphabet), None, pre_tokenizers.ByteLevel())
    yield "a text as GPT-2 reads it", of_gpt2.read
    of_t5 = reader(
        models.Unigram(),
        trainers.UnigramTrainer(
            vocab_size=80, special_tokens=SPECIAL, unk_token="[UNK]", show_progress=False
        ),
        normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")]),
        pre_tokenizers.Metaspace(),
    )
    yield "a target as T5 reads it", lambda text: of_t5.read_target(text, 1, frozenset())
    of_llama = reader(
        models.BPE(unk_token="[UNK]"),
        bpe(),
        normalizers.NFC(),
        pre_tokenizers.Metaspace(split=False),
    )
    yield "a text as Llama reads it", of_llama.read


STEPS: dict[str, Callable[[str], Any]] = {
    "words": lambda text: tokenize([text], "words"),
    "characters": lambda text: tokenize([text], "characters"),
    "native tokens": NATIVE.encode,
    "normalising": NATIVE.normalise,
    "decoding": lambda text: NATIVE.decode(NATIVE.encode_ids([text])[0]),
    "punctuation": is_punctuation,
    "a request": lambda text: TraceRequest(texts=[text], targets=[text], pairs=[text]),
    "an error about files": without_folders,
    "a quoted cookie": lambda text: cookie(f'a="{text}"; headlight_participant="{text}"', "x"),
    "our cookies": lambda text: ours(f'a={text}; headlight_participant="{text}"'),
    "a participant": lambda text: participant_of(
        {"type": "http", "headers": [(b"cookie", f'{COOKIE}="{text}"'.encode())]}
    ),
    "a lesson's tags": lambda text: prose._SCROLLS.sub("", text),
    **dict(readers()),
}


@pytest.fixture(autouse=True)
def unchecked() -> Iterator[None]:
    """Without type checks, which take ten times as long as making a token."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


def test_there_are_enough_kinds() -> None:
    assert len(KINDS) >= 40 and len(set(KINDS.values())) == len(KINDS)


@pytest.mark.parametrize("name", STEPS)
def test_work_grows_with_the_text_and_no_faster(name: str) -> None:
    slow = [kind for kind, unit in KINDS.items() if not is_linear(STEPS[name], unit)]
    assert slow == []


def test_what_is_not_linear_is_found_out() -> None:
    """The pattern that words were once found by tries each run of spaces from every space in it."""
    once = re.compile(r"\s*(?:\w+(?:['’-]\w+)*|[^\w\s])")
    assert not is_linear(lambda text: once.findall(text[:-1]), " ")
    assert is_linear(lambda text: list(pairwise(text)), " ")
