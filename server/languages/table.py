"""The languages in which Headlight speaks. A row and a catalogue beside it add one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Language:
    """A language. `code` is a BCP 47 tag; `name` is what its speakers call it."""

    code: str
    name: str
    direction: str = "ltr"
    has_course: bool = False  # whether lessons and games are translated, too

    @property
    def primary(self) -> str:
        """What browsers ask for, whatever the script or the country: `zh`."""
        return primary(self.code)


def primary(code: str) -> str:
    """The first part of a language's tag."""
    return code.partition("-")[0]


ENGLISH = Language("en", "English", has_course=True)
LANGUAGES = (
    ENGLISH,
    Language("de", "Deutsch", has_course=True),
    Language("es", "Español", has_course=True),
    Language("zh-Hans", "简体中文", has_course=True),
    Language("ar", "العربية", "rtl"),
)
# English, longer and marked: what no catalogue reaches, and what has no room, is seen at once.
# Only an address asks for it: ?lang=en-XA
PSEUDO = Language("en-XA", "Pseudo", has_course=True)
BY_CODE = {each.code: each for each in (*LANGUAGES, PSEUDO)}
