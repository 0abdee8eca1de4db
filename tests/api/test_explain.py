"""“Explain this”: every sentence that the page would say is computed again from the API's numbers.

The page's own modules run under node (tests/js/explained.mjs) and ask this server; each sentence
must be one of those known here, with the right tokens in it, and each of its numbers is computed
from other requests.
"""

import base64
import json
import math
import random
import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import regex
import torch
import transformers as hf
from fastapi.testclient import TestClient
from numpy.typing import NDArray

from server.app import create_app
from server.settings import Settings
from tests.adversarial import KINDS
from tests.unit.sources.pretrained.checkpoints import END, FAMILIES, PAD, N, save, tokenizer

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
]
ROOT = Path(__file__).parents[2]
PLAIN: dict[str, Any] = {
    "causal": None,
    "padding": True,
    "window": None,
    "blocked": [],
    "allowed": [],
}
# The reasons why a cell is hidden, the one that is drawn first.
MASKS = {8: "your painted mask", 2: "the padding mask", 16: "the model’s own mask"}
MASKS |= {1: "the causal mask", 4: "the window"}
UNITS = {"norms": "norm", "value_weighted": "share", "rollout": "share"}
SPACES = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
Groups = dict[str, str]
Choice = dict[str, Any]


def sunk(folder: Path) -> Path:
    """A family with attention sinks."""
    config = hf.GptOssConfig(
        vocab_size=N, pad_token_id=PAD, bos_token_id=2, eos_token_id=END, hidden_size=24,
        num_hidden_layers=2, num_attention_heads=6, intermediate_size=20, num_key_value_heads=2,
        max_position_embeddings=64, num_local_experts=2, num_experts_per_tok=1, head_dim=6,
        sliding_window=3,
    )  # fmt: skip
    return save(hf.GptOssForCausalLM(config), tokenizer("[CLS] $A"), folder)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, tiny_folder: Path) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("explained")
    torch.manual_seed(0)
    makers = {name: FAMILIES[name] for name in ("bert", "t5", "gemma2", "bloom")} | {"sunk": sunk}
    for name, make in makers.items():
        make(folder / name)
    settings = Settings(models=(*(str(folder / name) for name in makers), f"tiny={tiny_folder}"))
    with TestClient(create_app(settings)) as client:
        for name in ("shipped", "scratch", "tiny", *makers):
            body = {"model": name, "texts": ["a"], "select": {"layers": []}}
            if name == "scratch":
                body["scratch"] = {"mechanism": "multi-head"}
            assert client.post("/api/trace", json=body).status_code == 200
        yield client


class Page:
    """The page under node."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.process = subprocess.Popen(
            ["node", ROOT / "tests/js/explained.mjs"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
        )  # fmt: skip
        models = client.get("/api/models").json()["models"]
        self.models: dict[str, dict[str, Any]] = {model["name"]: model for model in models}
        self._tell({"models": models})

    def said(self, choice: Choice) -> Any:
        """What the page says of a choice."""
        self._tell(choice)
        while True:
            assert self.process.stdout
            words = json.loads(self.process.stdout.readline())
            if "ask" not in words:
                return words
            accept = {"Accept": "application/safetensors"}
            answer = self.client.post("/api/trace", json=words["ask"], headers=accept)
            ok = answer.status_code == 200
            self._tell(base64.b64encode(answer.content).decode() if ok else None)

    def _tell(self, words: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        self.process.communicate("null\n", timeout=20)


@pytest.fixture(scope="module")
def page(client: TestClient) -> Iterator[Page]:
    page = Page(client)
    yield page
    page.close()


def label(text: str) -> str:
    """A token as the page writes it."""
    if text == "":
        return "⋯"
    if (shown := text.strip(" ")) == "":
        return "␣" * len(text) if len(text) <= 4 else f"␣×{len(text)}"
    return "".join(
        mark if joins(shown, at) else SIGNS.get(mark) or visible(mark)
        for at, mark in enumerate(shown)
    )


def joins(text: str, at: int) -> bool:
    """Whether it is a joiner between visible characters, as in a family of emoji."""
    around = text[at - 1 : at] + text[at + 1 : at + 2]
    return (
        text[at] in "\u200c\u200d"
        and len(around) == 2
        and all(unicodedata.category(each)[0] in "LMS" for each in around)
    )


SIGNS = {" ": " ", "\n": "↵", "\t": "⇥"}


def visible(mark: str) -> str:
    hidden = unicodedata.category(mark) in ("Cc", "Cf", "Zl", "Zp", "Zs")
    return f"U+{ord(mark):04x}" if hidden else mark


def quoted(text: str) -> str:
    characters = regex.findall(r"\X", text)
    return f"“{text}”" if len(characters) <= 24 else f"“{''.join(characters[:23])}…”"


def name(labels: list[str], place: int) -> str:
    twin = f" (token {place})" if labels.count(labels[place]) > 1 else ""
    return quoted(labels[place]) + twin


@dataclass
class Numbers:
    """What the API says of a choice, in requests of its own."""

    page: Page
    choice: Choice

    def ask(self, *, muted: list[Any] | None = None, masks: Any = None, **more: Any) -> Any:
        choice = self.choice
        inputs = ("model", "texts", "targets", "pairs", "scratch")
        body = {key: choice[key] for key in inputs if choice.get(key) is not None}
        body |= {"masks": PLAIN | (choice.get("masks", {}) if masks is None else masks)}
        body |= {"muted": choice.get("muted", []) if muted is None else muted}
        answer = self.page.client.post("/api/trace", json=body | more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def model(self) -> dict[str, Any]:
        return self.page.models[self.choice["model"]]

    @cached_property
    def head(self) -> Any:
        tensors = ["pattern", "blocked_by"]
        if "scores" in self.model["tensors"]:
            tensors.append("scores")
        matrix = self.choice.get("matrix", "pattern")
        if matrix in ("norms", "value_weighted"):
            tensors.append(matrix)
        kind = self.choice.get("kind", "self")
        select = {"tensors": tensors, "layers": [self.choice["layer"]]}
        select |= {"heads": [self.choice["head"]]} | ({} if kind == "self" else {"kinds": [kind]})
        analyse: dict[str, Any] = {"analyse": {"rollout": True}} if matrix == "rollout" else {}
        return self.ask(select=select, **analyse)

    @cached_property
    def site(self) -> Any:
        return self.head["sites"][0]

    @cached_property
    def text(self) -> int:
        return int(self.choice.get("shown", 0))

    def tensor(self, name: str) -> NDArray[np.float64]:
        return np.array(self.site["tensors"][name][self.text][0], dtype=np.float64)

    @cached_property
    def pattern(self) -> NDArray[np.float64]:
        return self.tensor("pattern")

    @cached_property
    def blocked(self) -> NDArray[np.int64]:
        return self.tensor("blocked_by").astype(np.int64)

    def tokens(self, side: str) -> list[dict[str, Any]]:
        rows: list[list[dict[str, Any]]] = self.head[self.site[f"{side}_tokens"]]
        return rows[self.text]

    @cached_property
    def queries(self) -> list[str]:
        return [label(token["text"]) for token in self.tokens("query")]

    @cached_property
    def keys(self) -> list[str]:
        return [label(token["text"]) for token in self.tokens("key")]

    @cached_property
    def predicts(self) -> bool:
        """Whether the queries are the tokens that predict."""
        target = bool(self.model["takes_targets"])
        return bool(self.model["predicts"]) and (
            (self.site["query_tokens"] == "target_tokens") == target
        )

    @cached_property
    def query(self) -> int:
        if self.choice.get("cell"):
            return int(self.choice["cell"][0])
        if self.choice.get("query") is not None:
            return int(self.choice["query"])
        real = [at for at, token in enumerate(self.tokens("query")) if not token["padding"]]
        return real[-1]

    @cached_property
    def row(self) -> NDArray[np.float64]:
        """The numbers that rank the keys."""
        if self.choice.get("matrix") == "rollout":
            return np.array(self.head["rollout"][self.text][self.query], dtype=np.float64)
        return np.array(self.pattern[self.query])

    @cached_property
    def allowed(self) -> list[int]:
        return [int(key) for key in np.flatnonzero(self.blocked[self.query] == 0)]

    @cached_property
    def strongest(self) -> int:
        among = range(len(self.row)) if self.choice.get("matrix") == "rollout" else self.allowed
        return max(among, key=lambda key: (self.row[key], -key))

    @cached_property
    def key(self) -> int:
        chosen = self.choice["cell"][1] if self.choice.get("cell") else self.choice.get("key")
        return self.strongest if chosen is None else int(chosen)

    @cached_property
    def next(self) -> tuple[float, float, set[str]]:
        """Its score, that of the next cell of the same softmax, and who that may be."""
        scores = self.tensor("scores")
        by_key = self.site["softmax_over"] == "key"
        at = self.key if by_key else self.query
        line = scores[self.query] if by_key else scores[:, self.key]
        free = (self.blocked[self.query] if by_key else self.blocked[:, self.key]) == 0
        others = [place for place in np.flatnonzero(free) if place != at]
        best = max(line[others])
        labels = self.keys if by_key else self.queries
        names = {name(labels, int(place)) for place in others if line[place] >= best - 1e-5}
        return float(line[at]), float(best), names

    @cached_property
    def listed(self) -> dict[str, Any]:
        """The likeliest token."""
        return self.predicted()[0]

    def predicted(self, *ids: int, **edits: Any) -> list[dict[str, Any]]:
        position = self.choice.get("query") if self.predicts else None
        predict = {"top_k": 1, "tokens": list(ids), "position": position}
        predict |= {"temperature": self.choice.get("temperature", 1)}
        answer = self.ask(select={"layers": []}, predict=predict, **edits)
        rows: list[dict[str, Any]] = answer["predictions"][self.text]
        return rows

    def probability(self, **edits: Any) -> float:
        """That of the likeliest token, if the model were edited otherwise."""
        id = self.listed["id"]
        return float(next(o["probability"] for o in self.predicted(id, **edits) if o["id"] == id))

    @cached_property
    def own(self) -> list[Any]:
        """The selected head, as a mute."""
        kind = self.choice.get("kind", "self")
        place = [self.choice["layer"], self.choice["head"]]
        return place if kind == "self" else [*place, kind]

    @cached_property
    def muted(self) -> bool:
        return self.own in self.choice.get("muted", [])

    @cached_property
    def toggled(self) -> list[Any]:
        muted = list(self.choice.get("muted", []))
        return [one for one in muted if one != self.own] if self.muted else [*muted, self.own]


def rounded(text: str, value: float) -> bool:
    """Whether a number was rounded to the digits that are written, "99.6%" or "−7.10"."""
    percent = text.endswith("%")
    digits = text.rstrip("%").replace("−", "-")
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    return abs(float(digits) - value * (100 if percent else 1)) <= half + 2e-5


def share(text: str, value: float) -> bool:
    if text == "less than 0.1%":
        return 0 < value < 0.0005
    if text == "more than 99.9%":
        return 0.9995 <= value < 1
    return rounded(text, value) and (text != "0%" or value == 0) and (text != "100%" or value >= 1)


def probability(text: str, value: float) -> bool:
    return value < 0.00051 if text == "less than 0.1%" else rounded(text, value)


def times(text: str, value: float) -> bool:
    """A factor, which the scores give: two digits, or whole below a thousand."""
    if text == "more than a million":
        return value > 999_000
    said = float(text.replace(",", ""))
    off = 0.05 if value < 9.96 else 0.5 if value < 1000 else 0.05 * value
    return abs(said - value) <= off + 1e-3 * value


Check = Callable[[Numbers, Groups], bool]


def _gives(n: Numbers, g: Groups) -> bool:
    same = n.site["query_tokens"] == n.site["key_tokens"] and n.query == n.key
    return same == ("itself" in g["all"]) and share(g["a"], n.pattern[n.query, n.key])


def _alone(n: Numbers, g: Groups) -> bool:
    return n.allowed == [n.key] and _gives(n, g)


def _spread(n: Numbers, g: Groups) -> bool:
    most = n.row[n.strongest]
    return int(g["n"]) == len(n.allowed) > 2 and most < 0.3 and share(g["a"], most)


def _even(n: Numbers, g: Groups) -> bool:
    row = n.row[n.allowed]
    close = row.max() - row.min() < 0.0011
    return bool(close) and int(g["n"]) == len(n.allowed) and share(g["a"], row.max())


def _hidden_cell(n: Numbers, g: Groups) -> bool:
    masks = [words for bit, words in MASKS.items() if n.blocked[n.query, n.key] & bit]
    return bool(masks) and re.split(", | and ", g["masks"]) == masks


def _beats(n: Numbers, g: Groups) -> bool:
    score, best, names = n.next
    right = rounded(g["s"], score) and rounded(g["gap"], score - best)
    return right and times(g["f"], math.exp(score - best)) and g["next"] in names


def _close(n: Numbers, g: Groups) -> bool:
    score, best, names = n.next
    return rounded(g["s"], score) and 0 <= score - best < 0.06 and g["next"] in names


def _hidden(n: Numbers, g: Groups) -> bool:
    bits = next(bit for bit, words in MASKS.items() if words == g["mask"])
    stronger = [bit for bit in list(MASKS)[: list(MASKS).index(bits)]]
    row = n.blocked[n.query]
    keys = [k for k, b in enumerate(row) if b & bits and not any(b & other for other in stronger)]
    later = all(key > n.query for key in keys)
    return int(g["n"]) == len(keys) and later == (g.get("later") is not None)


def _sink(n: Numbers, g: Groups) -> bool:
    return bool(n.site["sink"]) and share(g["a"], max(0.0, 1 - n.pattern[n.query].sum()))


def _lost(n: Numbers, g: Groups) -> bool:
    lost = max(0.0, 1 - n.pattern[n.query].sum())
    return n.site["mask_applied"] == "after" and share(g["a"], lost)


def _moves(n: Numbers, g: Groups) -> bool:
    to = n.probability(muted=n.toggled)
    before = probability(g["from"], n.listed["probability"]) if "from" in g else True
    return ("Unmuting" in g["all"]) == n.muted and before and probability(g["to"], to)


def _changed(n: Numbers, g: Groups) -> bool:
    """Of the token that was the likeliest before."""
    was = n.predicted(muted=[], masks={})[0]
    now = next(one for one in n.predicted(was["id"]) if one["id"] == was["id"])
    said = probability(g["from"], was["probability"]) if "from" in g else True
    right = g["token"] == quoted(label(was["text"]))
    return right and said and probability(g["to"], now["probability"])


def _others(n: Numbers, g: Groups) -> bool:
    kind, layer, head = re.findall(r"(?:(\w+) )?layer (\d+) head (\d+)", g["head"])[0]
    mute = [int(layer), int(head), *([kind] if kind else [])]
    best = min(_effects(n), key=lambda one: one["change"] or 0.0)
    named = [best["layer"], best["head"], *([best["kind"]] if best["kind"] != "self" else [])]
    to = n.probability(muted=[*n.choice.get("muted", []), mute])
    return mute == named != n.own and probability(g["to"], to)


def _first(n: Numbers, _: Groups) -> bool:
    best = min(_effects(n), key=lambda one: one["change"] or 0.0)
    return [best["layer"], best["head"]] == n.own[:2] and best["change"] < 0


def _effects(n: Numbers) -> list[dict[str, Any]]:
    position = n.choice.get("query") if n.predicts else None
    analyse = {"mute_effects": {"position": position, "token": None}}
    answer = n.ask(select={"layers": []}, analyse=analyse)
    effects: list[dict[str, Any]] = answer["mute_effects"][n.text]["effects"]
    return effects


def _predicts(n: Numbers, g: Groups) -> bool:
    fills = n.model["predicts"] == "fill"
    kind = "the token at" if fills else "what follows"
    return n.predicts and kind in g["all"] and probability(g["p"], n.listed["probability"])


def _sides(n: Numbers) -> Iterator[tuple[list[Any], str]]:
    """The tokens and the text of both sides, of which the second may be empty."""
    for axis, texts in (("tokens", "texts"), ("target_tokens", "targets")):
        yield (n.head[axis] or [[]] * 9)[n.text], (n.choice.get(texts) or [""] * 9)[n.text]


def words_in(text: str) -> list[str]:
    """Runs of letters and the marks on them."""
    letters = [mark if unicodedata.category(mark)[0] in "LM" else " " for mark in text]
    return "".join(letters).split()


def _pieces(n: Numbers, word: str) -> list[int]:
    """The tokens of a word, from their places in the text."""
    counts = []
    for tokens, text in _sides(n):
        for found in re.finditer(re.escape(word), text):
            start, end = found.span()
            counts.append(
                sum(
                    t["start"] < end and t["end"] > start
                    if t["start"] < t["end"]
                    else start < t["start"] <= end and not t["special"]
                    for t in tokens
                    if not t["padding"]
                )
            )
    return counts


def _spelled(n: Numbers, g: Groups) -> bool:
    right = int(g["n"]) in _pieces(n, g["word"].rstrip("…"))
    return right and g.get("on") == n.model["trained_on"]


def _listed(said: str) -> tuple[list[str], int]:
    """The words that a list names, and how many more it counts."""
    named = [word.rstrip("…") for word in re.findall("“(.+?)”", said)]
    more = re.search(r" and (\d+) more words?$", said)
    return named, int(more[1]) if more else 0


def _all_spelled(n: Numbers, g: Groups) -> bool:
    """Each is split; and those that the model splits into letters or bytes are all counted."""
    named, more = _listed(g["words"])
    split = {
        word
        for _, text in _sides(n)
        for word in words_in(text)
        if max(_pieces(n, word), default=0) >= max(3, len(word) / 2)
    }
    known = n.model["unknown_id"] is not None  # some of them are read as unknown instead
    right = len(named) + more == len(split) if not known else len(named) + more <= len(split)
    each = all(any(one.startswith(word) for one in split) for word in named)
    return right and each and len(set(named)) > 1 and g.get("on") == n.model["trained_on"]


def _unknown(n: Numbers, g: Groups) -> bool:
    tokens = [token for side, _ in _sides(n) for token in side]
    unknown = [token["text"] for token in tokens if token["id"] == n.model["unknown_id"]]
    named, _ = _listed(g.get("words", f"“{g['word']}”" if "word" in g else ""))
    return all(any(word in text for text in unknown) for word in named)


def _matrix(n: Numbers, g: Groups) -> bool:
    matrix = n.choice["matrix"]
    value = n.row[n.key] if matrix == "rollout" else n.tensor(matrix)[n.query, n.key]
    said = float(g["v"].replace("−", "-"))
    return g["unit"] == UNITS[matrix] and abs(said - value) <= max(6e-5, 0.06 * abs(value))


# Each sentence. {q} and {k} are the names of the two tokens, {m} that of the strongest key, {t} the
# predicted token; the other places are numbers and names, which the check reads.
SENTENCES: dict[str, Check] = {
    "In this head, {q} gives <a> of its attention to {k}.": _gives,
    "In this head, {q} gives <a> of its attention to itself.": _gives,
    "In this head, the attention to {k} is shared out among the tokens that look at it: {q} has "
    "<a> of it.": lambda n, g: (
        n.site["softmax_over"] == "query" and share(g["a"], n.pattern[n.query, n.key])
    ),
    "{q} can only look at {k}, which gets <a> of its attention.": _alone,
    "{q} can only look at itself, and gives itself <a> of its attention.": _alone,
    "In this head, {q} spreads its attention over <n> tokens; the strongest, {m}, gets <a>.": (
        _spread
    ),
    "In this head, {q} gives each of the <n> tokens that it can see the same weight, <a>.": _even,
    "Everything is hidden from {q}, so it gives no attention and takes nothing from this head.": (
        lambda n, g: not n.allowed
    ),
    "{q} cannot look at {k}, which is hidden by <masks>.": _hidden_cell,
    "It looks most at {m}, with <a>.": lambda n, g: share(g["a"], n.row[n.strongest]),
    "The score, <s>, beats the next, <next>, by <gap>, and softmax turns that into <f> times the "
    "weight.": _beats,
    "The score, <s>, is hardly higher than that of <next>, so the two get about the same weight.": (
        _close
    ),
    "<n> later tokens are hidden by <mask>.": lambda n, g: _hidden(n, g | {"later": ""}),
    "<n> later token is hidden by <mask>.": lambda n, g: _hidden(n, g | {"later": ""}),
    "<n> tokens are hidden by <mask>.": _hidden,
    "<n> token is hidden by <mask>.": _hidden,
    "<a> of its attention goes to the sink, which is not a token.": _sink,
    "The masks come after the softmax here, so <a> of its attention is lost.": _lost,
    "{q} is padding: it only makes the texts equally long.": (
        lambda n, g: bool(n.tokens("query")[n.query]["padding"])
    ),
    "This head is muted: whatever it looks at, it adds nothing.": lambda n, g: n.muted,
    "Muting this head moves {t} from <from> to <to>.": _moves,
    "Muting this head leaves {t} at <to>.": _moves,
    "Unmuting this head moves {t} from <from> to <to>.": _moves,
    "Unmuting this head leaves {t} at <to>.": _moves,
    "Your changes moved <token> from <from> to <to>.": _changed,
    "Your changes left <token> at <to>.": _changed,
    "Other heads matter, too: without <head>, {t} is at <to>.": _others,
    "No other single head helps {t} more.": _first,
    "This row predicts what follows {q}: {t}, <p>.": _predicts,
    "This row predicts the token at {q}: {t}, <p>.": _predicts,
    "The model splits “<word>” into <n> pieces.": _spelled,
    "This model was trained on <on>; it splits “<word>” into <n> pieces.": _spelled,
    "The model does not know “<word>”: it reads its token for unknown words instead.": _unknown,
    "The model splits <words> into pieces.": _all_spelled,
    "This model was trained on <on>; it splits <words> into pieces.": _all_spelled,
    "The model does not know <words>: for each it reads its token for unknown words instead.": (
        _unknown
    ),
    "The picture shows <unit> <v> here.": _matrix,
    "Over all layers and heads, {q} is mixed from {k}: <unit> <v>.": _matrix,
}


def known(sentence: str, n: Numbers) -> tuple[str, Groups] | None:
    """The template of a sentence about these tokens, and what stands in its places."""
    for template in SENTENCES:
        names = {"q": lambda: name(n.queries, n.query), "k": lambda: name(n.keys, n.key)}
        names |= {
            "m": lambda: name(n.keys, n.strongest),
            "t": lambda: quoted(label(n.listed["text"])),
        }
        pattern = ""
        for literal, place, name_of in re.findall(r"([^<{]+)|<(\w+)>|\{(\w)\}", template):
            if name_of:
                known_name = (
                    (name_of in "qk" and (n.allowed or name_of == "q"))
                    or (name_of == "m" and bool(n.allowed))
                    or (name_of == "t" and bool(n.model["predicts"]))
                )
                pattern += re.escape(names[name_of]()) if known_name else r"(?!)"
            else:
                pattern += f"(?P<{place}>.+?)" if place else re.escape(literal)
        if found := re.fullmatch(pattern, sentence, re.DOTALL):
            return template, found.groupdict() | {"all": sentence}
    return None


WORDS = "the a cat dog key keys old cabinet near is are sat on mat boy girl saw her him".split()
HOSTILE = [unit * 3 for unit in KINDS.values()] + [
    "“quoted” (token 1)",
    "Kaffee naïve",
    "\u202eabc",
]
SIZES = {
    "shipped": {"self": (3, 8)}, "bert": {"self": (3, 2)}, "gemma2": {"self": (3, 6)},
    "bloom": {"self": (3, 2)}, "sunk": {"self": (2, 6)}, "scratch": {"self": (1, 4)},
    "t5": {"encoder": (2, 4), "decoder": (3, 4), "cross": (3, 4)},
}  # fmt: skip
SCRATCH: list[Choice] = [{}, {"softmax_over": "query"}, {"mask_applied": "after"}, {"scale": 0}]


def chosen(rng: random.Random, model: str) -> Choice:
    """A random choice: texts, masks, mutes, a head, and perhaps a row, a cell and a matrix."""

    def text() -> str:
        words = [
            rng.choice(HOSTILE) if rng.random() < 0.12 else rng.choice(WORDS) for _ in range(9)
        ]
        return " ".join(words[: rng.randint(1, 9)])

    kind = rng.choice(list(SIZES[model]))
    layers, heads = SIZES[model][kind]
    texts = [text() for _ in range(rng.choice([1, 1, 2]))]
    choice: Choice = {"model": model, "texts": texts, "kind": kind, "shown": len(texts) - 1}
    choice |= {"layer": rng.randrange(layers), "head": rng.randrange(heads)}
    if model == "t5":
        choice["targets"] = [text() for _ in texts]
    if model == "scratch":
        choice["scratch"] = {"mechanism": "multi-head"} | rng.choice(SCRATCH)
    if rng.random() < 0.5:
        choice["query"] = rng.randrange(2)
    if rng.random() < 0.3:
        choice["key"] = rng.randrange(2)
    if rng.random() < 0.2:
        choice["cell"] = [rng.randrange(2), rng.randrange(2)]
    if model != "bloom":
        masks: dict[str, Any] = {}
        if rng.random() < 0.3:
            masks["window"] = rng.randint(1, 3)
        if rng.random() < 0.3 and model in ("shipped", "scratch"):
            masks["causal"] = rng.random() < 0.5
        if rng.random() < 0.2:
            masks["padding"] = False
        if rng.random() < 0.4:
            row = choice.get("query", 1)
            cells = [{"query": row}] if rng.random() < 0.4 else [{"query": row, "key": 0}]
            usual = dict.fromkeys(("text", "layer", "head", "query", "key", "kind"))
            masks["blocked"] = [usual | cell for cell in cells]
        own = [choice["layer"], choice["head"], *([kind] if kind != "self" else [])]
        choice |= {"masks": masks, "muted": [own] if rng.random() < 0.2 else []}
        if model in ("shipped", "bert", "t5") and rng.random() < 0.3:
            choice["right"] = "effects"
    if model == "shipped" and rng.random() < 0.3:
        choice["matrix"] = rng.choice([*UNITS, "scores"])
    if rng.random() < 0.1:
        choice["temperature"] = 2
    return choice


ALONE: Choice = {"shown": 0, "kind": "self", "layer": 0, "head": 0}
PAINTED: Choice = dict.fromkeys(("text", "layer", "head", "query", "key", "kind")) | {"key": 0}
# What random choices hardly ever meet.
RARE: list[Choice] = [
    ALONE | {"model": "shipped", "texts": ["the old cat sat", "a"], "shown": 1, "query": 4},
    ALONE | {"model": "shipped", "texts": ["Kaffee is hot"], "matrix": "rollout"},
    ALONE | {"model": "shipped", "texts": ["a cat"], "masks": {"window": 1}, "key": 2},
    ALONE | {"model": "bert", "texts": ["the zebra sat"], "query": 2},
    ALONE | {"model": "tiny", "texts": ["the zebra sat"]},
    ALONE | {"model": "shipped", "texts": ["Hund Kaffee zebra Vogel naïve"], "query": 2},
    ALONE | {"model": "bert", "texts": ["the zebra Kaffee Hund Vogel sat"], "query": 2},
    ALONE | {"model": "tiny", "texts": ["Kaffee Hund"]},
    ALONE | {"model": "bert", "texts": ["cat"], "query": 1, "masks": {"window": 1}},
    ALONE | {"model": "bert", "texts": ["near the mat"], "right": "effects"},
    ALONE
    | {
        "model": "scratch",
        "texts": ["a b c"],
        "scratch": {"mechanism": "multi-head", "mask_applied": "after"},
    }
    | {"masks": {"blocked": [PAINTED]}},
    ALONE
    | {"model": "shipped", "texts": ["Mary near the boys saw"], "layer": 2, "head": 3}
    | {"right": "effects"},
    ALONE
    | {"model": "t5", "texts": ["the cat"], "targets": ["a"], "kind": "cross"}
    | {"masks": {"blocked": [PAINTED | {"kind": "cross", "key": 1}, PAINTED | {"kind": "cross"}]}},
]


def test_every_sentence_is_computed_again(page: Page) -> None:
    """100 random texts, masks and heads of all kinds of models."""
    rng = random.Random(15)
    models = [*SIZES, *["shipped"] * 5]
    used: set[str] = set()
    for choice in [*RARE, *(chosen(rng, models[turn % len(models)]) for turn in range(100))]:
        said = [re.sub("[\u2068\u2069]", "", one) for one in page.said(choice)["said"]]
        assert said, choice
        numbers = Numbers(page, choice)
        assert not re.search(r"NaN|undefined|null|Infinity|\[object", " ".join(said)), said
        for sentence in said:
            found = known(sentence, numbers)
            assert found, (sentence, choice)
            template, groups = found
            assert SENTENCES[template](numbers, groups), (sentence, choice)
            used.add(template)
    assert used == set(SENTENCES), set(SENTENCES) - used
