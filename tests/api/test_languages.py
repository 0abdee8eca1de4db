"""Pages and errors in the reader's language."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send

from server.http.middleware import CatchBugs
from server.pages.assets.translated import key_of
from server.run.admission import RequestKey
from tests.api.conftest import Serve

HTML = {"Accept": "text/html"}
NOBODY = "/api/classes/BCDFGHJ"


@pytest.fixture
def school(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    yield serve(classes="on", class_store=str(tmp_path_factory.mktemp("store")))


def test_a_page_is_in_the_language_of_the_browser(school: TestClient) -> None:
    page = school.get("/join", headers={"Accept-Language": "ar-EG"})
    assert '<html lang="ar" dir="rtl"' in page.text and "الانضمام إلى الصف" in page.text
    assert {"Accept-Language", "Cookie"} <= {
        each.strip() for each in page.headers["vary"].split(",")
    }
    assert "headlight_language" not in page.headers.get("set-cookie", ""), "nobody has chosen"


def test_a_choice_is_remembered_and_pages_of_other_languages_are_not_mixed_up(
    school: TestClient,
) -> None:
    english = school.get("/join").text
    assert '<html lang="en"' in english and "/translations/" not in english
    assert "Der Klasse beitreten" in school.get("/join?lang=de").text
    assert "Der Klasse beitreten" in school.get("/join").text
    assert school.get("/join?lang=en").text == english
    assert school.get("/join").text == english


def test_a_link_of_somebody_else_chooses_for_one_page_alone(school: TestClient) -> None:
    shared = school.get("/join?lang=de", headers={"Sec-Fetch-Site": "cross-site"})
    assert "Der Klasse beitreten" in shared.text
    assert "headlight_language" not in shared.headers.get("set-cookie", "")
    chosen = school.get("/join?lang=de", headers={"Sec-Fetch-Site": "same-origin"})
    assert "headlight_language=de" in chosen.headers["set-cookie"]


@pytest.mark.parametrize(
    ("path", "code", "told"),
    [
        ("/learn", "ar", "لم تُترجم هذه الصفحة بعد."),
        ("/learn/teachers/slides", "ar", "لم تُترجم هذه الصفحة بعد."),
        ("/help", "de", "Diese Seite ist noch nicht übersetzt."),
    ],
)
def test_a_page_that_is_not_translated_is_in_english_and_says_so_once(
    school: TestClient, path: str, code: str, told: str
) -> None:
    page = school.get(f"{path}?lang={code}").text
    assert '<html lang="en"' in page and "/translations/" not in page
    assert page.count(told) == 1 and re.search(rf'lang="{code}"[^>]*>{told}', page)
    assert told not in school.get(f"{path}?lang=en").text


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/learn", "Die Vergangenheit mitteln"),
        ("/learn/averaging", "Die Frage"),
        ("/learn/glossary", "Residualstrom"),
        ("/learn/teachers", "Für Lehrkräfte"),
        ("/learn/teachers/slides", "Attention ist ein Mittelwert"),
        ("/learn/teachers/answers", "Antworten"),
        ("/learn/games/hunt", "Ein Kopf"),
    ],
)
def test_the_course_is_in_the_reader_s_language(school: TestClient, path: str, words: str) -> None:
    page = school.get(path, headers={"Accept-Language": "de"}).text
    assert '<html lang="de"' in page and words in page
    assert words not in school.get(path, headers={"Accept-Language": "en"}).text


def test_an_error_is_in_english_with_the_language_of_the_page_beside_it(
    school: TestClient,
) -> None:
    about = {"X-Headlight-Class": "p_somebody"}
    error = school.get(NOBODY, headers={**about, "Accept-Language": "de-CH"}).json()["error"]
    assert error["message"].startswith("There is no class with this code")
    assert error["localized"].startswith("Zu diesem Code gibt es keine laufende Klasse")
    for others in ({}, {"Accept-Language": "en"}, {"Cookie": "headlight_language=de"}):
        assert "localized" not in school.get(NOBODY, headers={**about, **others}).json()["error"]


def test_the_password_is_asked_for_in_each_language_and_the_address_is_kept(serve: Serve) -> None:
    client = serve(password="only for this test")
    page = client.get("/?text=Hi&head=2", headers={**HTML, "Accept-Language": "es"})
    assert page.status_code == 401 and "Este servidor pide una contraseña" in page.text
    assert 'href="?text=Hi&amp;head=2&amp;lang=ar"' in page.text
    wrong = client.post("/?lang=zh-Hans", data={"password": "x"}, headers=HTML)
    assert "密码错误" in wrong.text and '<html lang="zh-Hans"' in wrong.text
    assert "headlight_language=zh-Hans" in wrong.headers["set-cookie"]


def test_translations_are_a_script_that_browsers_keep(school: TestClient) -> None:
    page = school.get("/?lang=de").text
    [address] = re.findall(r'<script src="(/translations/[^"]*)"', page)
    script = school.get(address)
    assert "immutable" in script.headers["cache-control"]
    assert f'"{key_of("Theme: auto")}":"Design: auto"' in script.text
    nested = key_of("Nested brackets of three kinds: which one closes?")
    assert nested not in script.text, "what other scripts say"
    assert nested in school.get("/translations/0/de/first/train.js").text
    assert school.get("/translations/0/de/first/main.js").headers["cache-control"] == "no-cache"
    for path in ("xx/first/main.js", "de/first/none.js"):
        assert school.get(f"/translations/0/{path}").status_code == 404
    in_class = school.post("/api/classes", json={}).json()["code"]
    found = school.get(f"/class/{in_class}", headers=HTML).text
    assert len(re.findall('src="/translations/', found)) == 2, "what the class says, too"


def error_of(answer: Any) -> dict[str, str]:
    error = answer.json()["error"]
    assert isinstance(error, dict)
    return error


ASKED = {"Accept-Language": "es"}


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({"texts": ["a " * 400]}, "El texto 1 tiene 401 tokens; shipped admite 300 como máximo. "),
        (
            {"texts": ["a"] * 99},
            "En texts se admiten 8 elementos como máximo; llegaron 99. Envía menos.",
        ),
        ({"texts": ["a"], "model": "none"}, "No existe ese modelo. Este servidor tiene "),
        (
            {"texts": ["a b c"], "analyse": {"patching": {"clean": "a b"}}},
            "El texto 1 tiene 4 tokens y la frase limpia tiene 3, así que sus tokens no se ",
        ),
    ],
    ids=lambda each: each[:24] if isinstance(each, str) else "",
)
def test_what_a_text_is_refused_for_is_said_in_the_language_of_the_page(
    client: TestClient, request_: dict[str, object], says: str
) -> None:
    plain = error_of(client.post("/api/trace", json=request_, headers=ASKED))
    assert plain["localized"].startswith(says), plain["localized"]
    assert "localized" not in error_of(client.post("/api/trace", json=request_))


def test_an_error_after_a_stream_began_is_in_the_language_of_the_page(client: TestClient) -> None:
    headers = {**ASKED, "Accept": "text/event-stream"}
    asked = {"texts": ["a b c"], "analyse": {"patching": {"clean": "a b"}}}
    stream = client.post("/api/trace", json=asked, headers=headers).text
    assert "event: error" in stream and "la frase limpia tiene 3" in stream


def test_readers_of_two_languages_do_not_share_an_error() -> None:
    def key(language: str) -> RequestKey:
        headers = [(b"accept-language", language.encode())]
        return RequestKey.of({"type": "http", "headers": headers}, b"{}")

    assert key("de-CH,en") == key("de") != key("en") == key("fr")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused_in_the_language_of_the_page(
    client: TestClient, chunked: bool
) -> None:
    body = b" " * 300_000
    headers = {**ASKED, "Content-Type": "application/json"}
    error = error_of(
        client.post("/api/trace", content=iter([body]) if chunked else body, headers=headers)
    )
    assert error["code"] == "body_too_large"
    assert error["localized"].startswith("La petición puede ocupar "), error


def test_a_mistake_of_the_server_is_told_in_the_language_of_the_page() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        raise RuntimeError("A bug")

    answer = TestClient(CatchBugs(broken)).get("/", headers=ASKED)
    assert answer.status_code == 500
    assert error_of(answer)["localized"].startswith("Algo ha fallado en el servidor")
