"""Sentences for readers: in English, which is their key, and by catalogues in other languages."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

Value = str | int
Text = TypeVar("Text", bound=str)  # plain, or markup, which escapes the values


class Message(str):
    """An English sentence that a catalogue (server/languages) can say in another language.

    `template` is what catalogues list; each `{name}` in it stands for one of `values`. Whole
    numbers are grouped by thousands. With `plural`, the template is for one, and `n` decides.

    >>> Message("This class has {n} people.", n=1200)
    'This class has 1,200 people.'
    """

    template: str
    plural: str | None
    values: dict[str, Value]

    def __new__(cls, template: str, plural: str | None = None, **values: Value) -> "Message":
        is_one = plural is None or values["n"] == 1
        self = super().__new__(cls, filled(template if is_one else plural or "", values, grouped))
        self.template, self.plural, self.values = template, plural, values
        return self


def grouped(number: int) -> str:
    """`1,200`."""
    return f"{number:,}"


def filled(template: Text, values: Mapping[str, Value], written: Callable[[int], str]) -> Text:
    """A template with its values. `written`: how the language writes a number."""
    shown = {
        name: written(value) if isinstance(value, int) else value for name, value in values.items()
    }
    return cast(Text, template.format(**shown)) if shown else template


_PACKED = "Message"  # the one key of a message as JSON


def packed(value: Any) -> Any:
    """Anything for JSON, whose messages `unpacked` finds again; without halves of characters."""
    if isinstance(value, Message):
        return {_PACKED: [value.template, value.plural, packed(value.values)]}
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: packed(each) for name, each in value.items()}
    return [packed(each) for each in value] if isinstance(value, list | tuple) else value


def unpacked(found: dict[str, Any]) -> Any:
    """The `object_hook` of `json.loads` for what was packed."""
    if found.keys() != {_PACKED}:
        return found
    template, plural, values = found[_PACKED]
    return Message(template, plural, **values)
