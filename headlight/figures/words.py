"""What figures say, in the page's words (static/js/words/); tests compare the two."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import regex

from headlight.application import facts
from headlight.figures.reasons import explain
from headlight.languages import Language
from headlight.request import Request
from headlight.request.masks import Kind

if TYPE_CHECKING:
    from headlight.figures.lines.strengths import Drawn
    from headlight.figures.panel import Panel

_LAYERS: Mapping[Kind, Callable[[Language, int], str]] = {
    "self": lambda said, layer: said.gettext("Layer {layer}", layer=layer),
    "encoder": lambda said, layer: said.gettext("Encoder layer {layer}", layer=layer),
    "decoder": lambda said, layer: said.gettext("Decoder layer {layer}", layer=layer),
    "cross": lambda said, layer: said.gettext("Cross layer {layer}", layer=layer),
}
_ALL_PATTERNS: Mapping[Kind, Callable[[Language], str]] = {
    "self": lambda said: said.gettext("All heads · pattern"),
    "encoder": lambda said: said.gettext("Encoder · all heads · pattern"),
    "decoder": lambda said: said.gettext("Decoder · all heads · pattern"),
    "cross": lambda said: said.gettext("Cross · all heads · pattern"),
}
_ALL_HEADS: Mapping[Kind, Callable[[Language], str]] = {
    "self": lambda said: said.gettext("All heads"),
    "encoder": lambda said: said.gettext("Encoder · all heads"),
    "decoder": lambda said: said.gettext("Decoder · all heads"),
    "cross": lambda said: said.gettext("Cross · all heads"),
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
    name = head_name(panel.language, panel.kind, panel.layer, panel.head)
    if panel.difference:
        return difference(panel.language, name)
    return panel.language.gettext("{name} (muted)", name=name) if panel.muted else name


def difference(language: Language, name: str) -> str:
    """The title of a difference of two runs."""
    return language.gettext("{name} (difference)", name=name)


def layer_name(language: Language, kind: Kind, layer: int) -> str:
    return _LAYERS[kind](language, layer)


def head_name(language: Language, kind: Kind, layer: int, head: int) -> str:
    layer_said = layer_name(language, kind, layer)
    return language.gettext("{layer} · head {head}", layer=layer_said, head=head)


def all_heads(panel: "Panel") -> str:
    """The title of all heads of all layers."""
    if panel.measure.name == "pattern":
        return _ALL_PATTERNS[panel.kind](panel.language)
    return f"{_ALL_HEADS[panel.kind](panel.language)} · {panel.measure.label}"


def short_head_name(panel: "Panel") -> str:
    """A head in little room."""
    return f"L{panel.layer} · H{panel.head}"


def group_name(language: Language, layers: Sequence[int], n_heads: int) -> str:
    """Several heads of one colour, in a legend."""
    heads = language.ngettext("{n} head", "{n} heads", n_heads)
    first, last = layers[0], layers[-1]
    if first == last:
        return language.gettext("layer {first}: {heads}", first=first, heads=heads)
    return language.gettext(
        "layers {first} to {last}: {heads}", first=first, last=last, heads=heads
    )


def side_names(language: Language, kind: Kind) -> tuple[str, str]:
    """What the two columns of tokens are, in a picture of lines."""
    if kind == "cross":
        return language.gettext("target queries"), language.gettext("source keys")
    return language.gettext("queries"), language.gettext("keys")


def lines_title(panels: Sequence["Panel"]) -> str:
    """The title of a picture of lines."""
    panel, others = panels[0], len(panels) - 1
    name = head_name(panel.language, panel.kind, panel.layer, panel.head)
    if others == 0:
        return f"{name}: {panel.measure.lines}"
    return panel.language.ngettext(
        "{name}: {numbers}, with {n} other head",
        "{name}: {numbers}, with {n} other heads",
        others,
        name=name,
        numbers=panel.measure.lines,
    )


def sum_caption(n_rows: int, panels: Sequence["Panel"]) -> str:
    """What the number beside a key is."""
    n, language = len(panels), panels[0].language
    if n_rows == 1:
        return language.gettext("sum of {n} heads", n=n) if n > 1 else panels[0].measure.unit
    if n > 1:
        return language.gettext("{rows} rows × {n} heads", rows=n_rows, n=n)
    return language.gettext("sum of {rows} rows", rows=n_rows)


def lines_notes(panels: Sequence["Panel"], drawn: "Drawn", by: str) -> str:
    """What the lines show, and what they leave out."""
    language, lines = panels[0].language, panels[0].measure.lines
    if drawn.full == 0:
        return language.gettext("None of these tokens looks at another one, so there are no lines.")
    full = exact(language, drawn.full)
    if len(panels) > 1:
        said = [
            language.gettext(
                "Lines show {lines} of {series} heads; the strongest is {full}.",
                lines=lines,
                series=len(panels),
                full=full,
            )
        ]
    else:
        said = [
            language.gettext("Lines show {lines}; the strongest is {full}.", lines=lines, full=full)
        ]
    if by == "layer":
        said.append(
            language.gettext(
                "There are more heads than colours, so each colour stands for a layer."
            )
        )
    if by == "layers":
        said.append(
            language.gettext(
                "There are more heads than colours, so each colour stands for a few layers."
            )
        )
    if drawn.cut:
        said.append(
            language.gettext(
                "Only the strongest {count} of {total} lines are drawn, down to {least}.",
                count=drawn.count,
                total=drawn.total,
                least=exact(language, drawn.least),
            )
        )
    return language.sentences(said)


def unit(panel: "Panel", steps: str) -> str:
    """What stands at a colour scale, whose steps may be others than linear."""
    if steps == "log":
        return panel.language.gettext("{unit}, log", unit=panel.unit)
    if steps == "root":
        return panel.language.gettext("{unit}, root", unit=panel.unit)
    return panel.unit


def axis_titles(language: Language, kind: Kind) -> tuple[str, str]:
    """The titles of the queries and of the keys."""
    if kind == "cross":
        return language.gettext("← target queries"), language.gettext("source keys →")
    return language.gettext("← queries"), language.gettext("keys →")


def minus(text: str) -> str:
    """A number with a real minus sign."""
    return text.replace("-", "−")


def brief(language: Language, value: float) -> str:
    """The number in a cell: two decimals."""
    return minus(language.pointed(re.sub(r"^-(?=0\.00$)", "", f"{value:.2f}")))


def exact(language: Language, value: float) -> str:
    """A number with four decimals; a tiny one never reads as 0."""
    if value != 0 and abs(value) < 0.00005:
        mantissa, _, power = f"{value:.1e}".partition("e")
        return language.pointed(f"{mantissa}e{int(power):+d}")
    return language.pointed(f"{value:.4f}")


def cell(
    panel: "Panel", query: tuple[int, str], key: tuple[int, str], value: float, blocked: int
) -> str:
    """What the page says of a cell under the pointer, with <b> around what stands out."""
    language, unit_said = panel.language, panel.unit.replace("\n", " ")
    numbers = [f"{unit_said} <b>{exact(language, value)}</b>"]
    if blocked:
        masks = explain(blocked, language)
        numbers.append(f"<b>{language.gettext('blocked by {mask}', mask=masks)}</b>")
    named = [f"<b>{place} {escaped(text)}</b>" for place, text in (query, key)]
    return language.gettext(
        "query {query} → key {key}: {numbers}",
        query=named[0],
        key=named[1],
        numbers=language.commas(numbers),
    )


def with_most(panel: "Panel", token: str, listed: list[str], *, is_key: bool) -> list[str]:
    """What a line of a token means, then the tokens that it goes with most."""
    language = panel.language
    said = (
        language.gettext("key {token} gets from", token=token)
        if is_key
        else language.gettext("query {token} {verb}", token=token, verb=panel.measure.row)
    )
    return [said, *(listed or [language.gettext("nothing")])]


def escaped(text: str) -> str:
    """Text for plotly, which reads markup."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def edits(request: Request, language: Language) -> str:
    """How the model is edited; "" if it is not."""
    rows = facts("masks")["rows"]
    changed = request.masks.changed().items()
    masked = [language.of_value(rows[name]["words"]["edit"], value) for name, value in changed]
    muted = [_mutes(request, language)] if request.muted else []
    n = len(request.interventions)
    others = [language.ngettext("{n} intervention", "{n} interventions", n)] if n else []
    return " · ".join([*masked, *muted, *others])


def _mutes(request: Request, language: Language) -> str:
    if len(request.muted) > _MAX_NAMED:
        return language.gettext("{muted} heads muted", muted=len(request.muted))
    named = [f"{' '.join((*kind, ''))}L{layer}·H{head}" for layer, head, *kind in request.muted]
    return language.gettext("muted: {named}", named=language.commas(named))


def model_said(model: str, request: Request, language: Language) -> str:
    """The model with its edits."""
    edited = edits(request, language) or language.gettext("the model’s own masks, no head muted")
    return f"{language.gettext('model {model}', model=model)} · {edited}"


def text_shown(request: Request, text: int, language: Language) -> str:
    """The text, as it was typed."""

    def typed(each: tuple[str, ...]) -> str:
        whole = shorten(each[text], _MAX_TEXT)
        return language.gettext("“{text}”", text=label(whole) if whole else "")

    said = typed(request.texts)
    if request.pairs:
        said = language.gettext("{text} and {typed}", text=said, typed=typed(request.pairs))
    if request.targets:
        said = language.gettext("{source} to {typed}", source=said, typed=typed(request.targets))
    n = len(request.texts)
    if n == 1:
        return language.gettext("Text: {all}", all=said)
    return language.gettext(
        "Text: {all} (text {place} of {texts})", all=said, place=text + 1, texts=n
    )


def sums(site: Mapping[str, Any], language: Language) -> str:
    """What sums to 1 in a pattern; "" for the usual case, where rows do."""
    is_usual = site.get("softmax_over", "key") == "key"
    if site.get("kernel") == "product":
        return language.gettext(
            "No softmax: the pattern is the size of each hidden weight as a share of its row."
        )
    if site.get("mask_applied") != "after":
        return "" if is_usual else language.gettext("Columns sum to 1 here, rows need not.")
    if is_usual:
        return language.gettext(
            "The masks come after the softmax: rows sum to less than 1 where something is blocked."
        )
    return language.gettext(
        "The masks come after the softmax: columns sum to less than 1 where something is blocked."
    )
