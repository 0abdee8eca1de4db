"""Which language a reader gets."""

import pytest

from server.languages.choice import accepted, language_of, links_to, query_of


def asking(query: str = "", cookie: str = "", accept: str = "") -> dict[str, object]:
    sent = {b"cookie": cookie, b"accept-language": accept}
    headers = [(name, value.encode("latin-1")) for name, value in sent.items() if value]
    return {"type": "http", "query_string": query.encode(), "headers": headers}


@pytest.mark.parametrize(
    ("accept", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("zh-TW,zh;q=0.9", "zh-Hans"),
        ("fr,es-MX;q=0.7,de;q=0.3", "es"),
        ("fr", "en"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("ar;q=0.2, en;q=0.1", "ar"),
        ("de;q=0", "en"),
        ("*", "en"),
        ("de;q=high, es", "es"),
        ("en-XA", "en-XA"),
        (",;=" * 1000, "en"),
        (f"{'fr,' * 100}de", "en"),
    ],
)
def test_a_browser_s_wish_is_read(accept: str, code: str) -> None:
    assert accepted(asking(accept=accept)).code == code


def test_the_address_comes_before_the_cookie_and_the_cookie_before_the_browser() -> None:
    cookie = "other=1; headlight_language=es"
    assert language_of(asking("lang=ar", cookie, "de")).code == "ar"
    assert language_of(asking("", cookie, "de")).code == "es"
    assert language_of(asking("", "", "de")).code == "de"
    assert language_of(asking("lang=xx", "headlight_language=yy", "de")).code == "de"
    assert language_of(asking("lang=en", cookie, "de")).code == "en"
    assert language_of(asking("&".join(["a=1"] * 200), cookie)).code == "es"


def test_a_link_to_another_language_keeps_the_rest_of_the_address() -> None:
    links = dict(
        (each.code, to) for each, to in links_to(query_of(asking("text=a%26b&lang=de&head=2")))
    )
    assert links["ar"] == "?text=a%26b&head=2&lang=ar"
