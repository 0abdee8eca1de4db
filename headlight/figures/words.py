"""What figures say, in the page's words (static/js/words/); tests compare the two."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import regex

from headlight.facts import facts, said
from headlight.figures.reasons import explain
from headlight.request import Request
from headlight.request.masks import Kind

if TYPE_CHECKING:
    from headlight.figures.lines.strengths import Drawn
    from headlight.figures.panel import Panel

QUERIES, KEYS = "← queries", "keys →"
TARGET_QUERIES, SOURCE_KEYS = "← target queries", "source keys →"
MUTED = "muted"
UNEDITED = "the model’s own masks, no head muted"
_LAYERS: Mapping[Kind, str] = {
    "self": "Layer",
    "encoder": "Encoder layer",
    "decoder": "Decoder layer",
    "cross": "Cross layer",
}
_ALL_HEADS: Mapping[Kind, str] = {
    "self": "All heads",
    "encoder": "Encoder · all heads",
    "decoder": "Decoder · all heads",
    "cross": "Cross · all heads",
}
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})  # characters that draw nothing
_SIGNS = {" ": " ", "\n": "↵", "\t": "⇥"}
_JOINERS = "\u200c\u200d"
_MOST_SPACES = 4  # each as a sign of its own
_MAX_LABEL, _MAX_TEXT, _MAX_NAMED = 12, 400, 8


def label(text: str) -> str:
    """A token on an axis, without surrounding spaces."""
    if text == "":
        return "⋯"  # it only completes a character of several bytes
    if inner := text.strip(" "):
        around = zip(" " + inner, inner, inner[1:] + " ", strict=False)
        return "".join(each[1] if _joins(*each) else _visible(each[1]) for each in around)
    return f"␣×{len(text)}" if len(text) > _MOST_SPACES else "␣" * len(text)


def _visible(mark: str) -> str:
    hidden = unicodedata.category(mark) in _INVISIBLE
    return _SIGNS.get(mark, f"U+{ord(mark):04x}") if hidden else mark


def _joins(before: str, mark: str, after: str) -> bool:
    """Whether it joins two visible characters: a family of emoji, letters of a Persian word."""
    return mark in _JOINERS and all(
        unicodedata.category(each)[0] in "LMS" for each in before + after
    )


def shorten(text: str, most: int = _MAX_LABEL) -> str:
    """At most so many characters, as readers see them."""
    if len(text) <= most:
        return text
    characters = regex.findall(r"\X", text)
    return text if len(characters) <= most else "".join(characters[: most - 1]) + "…"


def title(panel: "Panel") -> str:
    """The title of a head."""
    name = head_name(panel.kind, panel.layer, panel.head)
    more = "difference" if panel.difference else MUTED if panel.muted else ""
    return f"{name} ({more})" if more else name


def layer_name(kind: Kind, layer: int) -> str:
    return f"{_LAYERS[kind]} {layer}"


def head_name(kind: Kind, layer: int, head: int) -> str:
    return f"{layer_name(kind, layer)} · head {head}"


def all_heads(kind: Kind, tensor: str) -> str:
    """The title of all heads of all layers."""
    return f"{_ALL_HEADS[kind]} · {tensor}"


def short_head_name(panel: "Panel") -> str:
    """A head in little room."""
    return f"L{panel.layer} · H{panel.head}"


def group_name(layers: Sequence[int], n_heads: int) -> str:
    """Several heads of one colour, in a legend."""
    heads = "1 head" if n_heads == 1 else f"{n_heads} heads"
    first, last = layers[0], layers[-1]
    return f"layer {first}: {heads}" if first == last else f"layers {first} to {last}: {heads}"


def side_names(kind: Kind) -> tuple[str, str]:
    """What the two columns of tokens are, in a picture of lines."""
    return ("target queries", "source keys") if kind == "cross" else ("queries", "keys")


def lines_title(panels: Sequence["Panel"]) -> str:
    """The title of a picture of lines."""
    panel, others = panels[0], len(panels) - 1
    name = f"{head_name(panel.kind, panel.layer, panel.head)}: {panel.measure.lines}"
    if others == 0:
        return name
    return f"{name}, with {others} other head{'' if others == 1 else 's'}"


def sum_caption(n_rows: int, panels: Sequence["Panel"]) -> str:
    """What the number beside a key is."""
    n = len(panels)
    if n_rows == 1:
        return f"sum of {n} heads" if n > 1 else panels[0].measure.unit
    return f"{n_rows} rows × {n} heads" if n > 1 else f"sum of {n_rows} rows"


def lines_notes(panels: Sequence["Panel"], drawn: "Drawn", by: str) -> str:
    """What the lines show, and what they leave out."""
    if drawn.full == 0:
        return "None of these tokens looks at another one, so there are no lines."
    of = f" of {len(panels)} heads" if len(panels) > 1 else ""
    said = [f"Lines show {panels[0].measure.lines}{of}; the strongest is {exact(drawn.full)}."]
    if by != "head":
        many = "a layer" if by == "layer" else "a few layers"
        said.append(f"There are more heads than colours, so each colour stands for {many}.")
    if drawn.cut:
        said.append(
            f"Only the strongest {drawn.count:,} of {drawn.total:,} lines are drawn, down to "
            f"{exact(drawn.least)}."
        )
    return " ".join(said)


def axis_titles(kind: Kind) -> tuple[str, str]:
    """The titles of the queries and of the keys."""
    return (TARGET_QUERIES, SOURCE_KEYS) if kind == "cross" else (QUERIES, KEYS)


def minus(text: str) -> str:
    """A number with a real minus sign."""
    return text.replace("-", "−")


def brief(value: float) -> str:
    """The number in a cell: two decimals."""
    return minus(re.sub(r"^-(?=0\.00$)", "", f"{value:.2f}"))


def exact(value: float) -> str:
    """A number with four decimals; a tiny one never reads as 0."""
    if value != 0 and abs(value) < 0.00005:
        mantissa, _, power = f"{value:.1e}".partition("e")
        return f"{mantissa}e{int(power):+d}"
    return f"{value:.4f}"


def cell(
    query: tuple[int, str], key: tuple[int, str], unit: str, value: float, blocked: int
) -> str:
    """What the page says of a cell under the pointer, with <b> around what stands out."""
    numbers = [f"{unit} <b>{exact(value)}</b>"]
    if blocked:
        numbers.append(f"<b>blocked by {explain(blocked)}</b>")
    named = [f"<b>{place} {escaped(text)}</b>" for place, text in (query, key)]
    return f"query {named[0]} → key {named[1]}: {', '.join(numbers)}"


def escaped(text: str) -> str:
    """Text for plotly, which reads markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def edits(request: Request) -> str:
    """How the model is edited; "" if it is not."""
    rows = facts("masks")["rows"]
    changed = request.masks.changed().items()
    masked = [said(rows[name]["words"]["edit"], value) for name, value in changed]
    muted = [_mutes(request)] if request.muted else []
    n = len(request.interventions)
    others = [f"{n} intervention{'s' if n > 1 else ''}"] if n else []
    return " · ".join([*masked, *muted, *others])


def _mutes(request: Request) -> str:
    if len(request.muted) > _MAX_NAMED:
        return f"{len(request.muted)} heads muted"
    named = [f"{' '.join((*kind, ''))}L{layer}·H{head}" for layer, head, *kind in request.muted]
    return f"muted: {', '.join(named)}"


def text_shown(request: Request, text: int) -> str:
    """The text, as it was typed."""

    def typed(each: tuple[str, ...]) -> str:
        whole = shorten(each[text], _MAX_TEXT)
        return f"“{label(whole) if whole else ''}”"

    said = typed(request.texts)
    if request.pairs:
        said += f" and {typed(request.pairs)}"
    if request.targets:
        said += f" to {typed(request.targets)}"
    n = len(request.texts)
    return f"Text: {said} (text {text + 1} of {n})" if n > 1 else f"Text: {said}"


def sums(site: Mapping[str, Any]) -> str:
    """What sums to 1 in a pattern; "" for the usual case, where rows do."""
    if site.get("kernel") == "product":
        return "No softmax: the pattern is the size of each hidden weight as a share of its row."
    axis = "rows" if site.get("softmax_over", "key") == "key" else "columns"
    if site.get("mask_applied") == "after":
        return (
            f"The masks come after the softmax: {axis} sum to less than 1 where something is "
            "blocked."
        )
    return "Columns sum to 1 here, rows need not." if axis == "columns" else ""
