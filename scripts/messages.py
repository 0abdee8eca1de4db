"""Brings the catalogues of server/languages up to date with what the program and the course say.

    python -m scripts.messages           # write them, and say what is left to translate
    python -m scripts.messages --check   # only say whether they are, and translated

Run it after a sentence was added or changed, then translate what is empty in each *.po.
"""

import argparse
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from server.languages.catalogue import FOLDER, read
from server.languages.prose import COURSE
from server.languages.table import ENGLISH, LANGUAGES, Language

ROOT = Path(__file__).parent.parent
METHODS = [
    ("templates/**.html", "jinja2.ext:babel_extract"),
    ("static/js/**.js", "scripts.extract:javascript"),
    ("static/js/facts/*.json", "scripts.extract:facts"),
    ("model/**/gallery.json", "scripts.extract:gallery"),
    ("model/**/config.json", "scripts.extract:checkpoint"),
    ("server/**.py", "python"),
    ("model/**.py", "python"),
    ("headlight/**.py", "python"),
]
COURSE_METHODS = [
    ("templates/learn/**.html", "scripts.extract:prose"),
    ("templates/learn/lessons/*.json", "scripts.extract:lesson"),
]
FOLDERS = {"templates", "static", "server", "model", "headlight"}
# Where the sentence is: first, or, where a second one follows, with its plural. Values come last.
_Spec = tuple[int | tuple[int, int] | tuple[int, str], ...] | None
_EITHER: dict[int | None, _Spec] = {None: None, **dict.fromkeys(range(3, 9), (1, 2))}
KEYWORDS: dict[str, _Spec | dict[int | None, _Spec]] = {
    "_": _EITHER,
    "Message": _EITHER,
    "marked": None,
    "gettext": None,
    "ngettext": (1, 2),
    "parts": None,
    "nparts": (1, 2),
    "between": None,
    "sentence": None,  # of the page's engine
    "nsentence": (1, 2),
    "_class_error": (3,),
}
HEADER = """\
# What Headlight says in {name}. docs/translating.md tells how to work on it.
#"""


@dataclass(frozen=True)
class Domain:
    """A folder with a catalogue for each of its languages, and where its messages are."""

    folder: Path
    methods: list[tuple[str, str]]
    languages: list[Language]


DOMAINS = (
    Domain(FOLDER, METHODS, [each for each in LANGUAGES if each != ENGLISH]),
    Domain(
        COURSE,
        COURSE_METHODS,
        [each for each in LANGUAGES if each != ENGLISH and each.has_course],
    ),
)


def said(domain: Domain) -> Catalog:
    """All messages of a domain, and the files that have them."""
    found = Catalog()
    extracted = extract_from_dir(
        ROOT,
        method_map=domain.methods,
        keywords=KEYWORDS,
        directory_filter=lambda path: Path(path).name in FOLDERS or Path(path).parent != ROOT,
    )
    for file, _, message, _, context in extracted:
        found.add(message, locations=[(file, 0)], context=context)
    return found


def updated(domain: Domain, language: Language, template: Catalog) -> Catalog:
    """A catalogue with what is said now, and nothing else; what is new in it is empty."""
    path = domain.folder / f"{language.code}.po"
    new = Catalog(language.code.replace("-", "_"))
    old = read(language, domain.folder) if path.exists() else new
    old.update(template, no_fuzzy_matching=True)
    old.obsolete.clear()
    old.header_comment = HEADER.format(name=language.name)
    old.fuzzy = False
    return old


def missing(catalog: Catalog) -> list[str]:
    """What is not translated, or was before its English changed (`fuzzy`): readers get English."""
    return [
        str(entry.id)
        for entry in catalog
        if entry.id and (entry.fuzzy or not all(words_of(entry.string)))
    ]


def words_of(string: object) -> list[str]:
    words = string if isinstance(string, tuple | list) else [string]
    return [str(each or "") for each in words]


def written(catalog: Catalog) -> bytes:
    """A catalogue as its file has it: without dates and line numbers, which would always change."""
    file = BytesIO()
    write_po(file, catalog, width=110, sort_by_file=True, include_lineno=False, omit_header=True)
    plural = f'"Plural-Forms: {catalog.plural_forms}\\n"'
    kept = ['msgid ""', 'msgstr ""', f'"Language: {catalog.locale_identifier}\\n"', plural]
    kept += ['"Content-Type: text/plain; charset=utf-8\\n"']
    head = "\n".join([str(catalog.header_comment), *kept])
    return f"{head}\n\n".encode() + file.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing")
    is_check = parser.parse_args().check
    stale, lacks = [], []
    for domain in DOMAINS:
        template = said(domain)
        for language in domain.languages:
            path = domain.folder / f"{language.code}.po"
            name = path.relative_to(FOLDER).as_posix()
            catalog = updated(domain, language, template)
            content = written(catalog)
            if not path.exists() or path.read_bytes() != content:
                stale.append(name)
                if not is_check:
                    path.parent.mkdir(exist_ok=True)
                    path.write_bytes(content)
            left = missing(catalog)
            lacks += [name] if left else []
            print(f"{name:20} {len(catalog) - len(left)} of {len(catalog)} messages")
            for each in left[:10]:
                print(f"         left: {each}")
    if is_check and stale:
        raise SystemExit(f"Out of date: {', '.join(stale)}. Run: python -m scripts.messages")
    if is_check and lacks:
        raise SystemExit(f"Not translated: what is listed as left, in {', '.join(lacks)}.")


if __name__ == "__main__":
    main()
