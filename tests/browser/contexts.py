"""Contexts of the browser: what a test leaves ends with it, but what its pages compiled is kept."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Frame, Page

from tests.browser.inspector import OWN_CLOCK, TIMEOUT_S, WINDOW, WITHOUT_PLOTLY

SITE = "http://127.0.0.1/"  # that of the pages of all servers, whatever their ports are

# Makes the page of one person after another, in windows of these sizes.
Pages = Callable[..., Page]


class Contexts:
    """A pool: in a new context, a page of the server takes a third longer to open."""

    def __init__(self, chromium: Browser, painting: Callable[[], Browser]) -> None:
        """`painting` starts the browser of the pages that are painted, once one is asked for."""
        self._chromium = chromium
        self._painting = cache(painting)
        self._free: dict[str, list[BrowserContext]] = defaultdict(list)
        self._kind: dict[BrowserContext, str] = {}
        self._visited: dict[BrowserContext, set[str]] = defaultdict(set)

    def take(self, *, is_painted: bool = False, **options: Any) -> BrowserContext:
        """A context as good as new. It has an empty page, which keeps a process open.

        With a process for each page, a third more processor time goes into compiling its scripts.
        Fingers reach only what is painted.
        """
        is_painted |= options.get("has_touch", False)
        kind = repr([is_painted, *sorted(options.items())])
        if self._free[kind]:
            return self._free[kind].pop()
        chromium = self._painting() if is_painted else self._chromium
        context = chromium.new_context(viewport=WINDOW, **options)
        context.set_default_timeout(1000 * TIMEOUT_S)
        context.add_init_script(WITHOUT_PLOTLY)
        page = context.new_page()
        page.route(SITE, lambda route: route.fulfill(body=""))
        page.goto(SITE)
        context.on("page", lambda page: page.on("framenavigated", self._note))
        self._kind[context] = kind
        return context

    def put_away(self, page: Page) -> None:
        """Keep the context of a page for other tests, if it can be made as good as new."""
        context = page.context
        if self._clear(context, page):
            self._free[self._kind[context]].append(context)
        else:
            context.close()

    @contextmanager
    def page(self, width: int = 1440, height: int = 900, **options: Any) -> Iterator[Page]:
        """The page of somebody, in a window of this size."""
        page = self.take(**options).new_page()
        page.set_viewport_size({"width": width, "height": height})
        yield page
        self.put_away(page)

    def _note(self, frame: Frame) -> None:
        scheme, host, *_ = urlsplit(frame.url)
        self._visited[frame.page.context].add(f"{scheme}://{host}")

    def _clear(self, context: BrowserContext, page: Page) -> bool:
        """Make a context as good as new, except for its cache; False if that cannot be.

        What a test does to a page ends with the page: routes, scripts, sizes, schemes.
        """
        try:
            if not page.evaluate(OWN_CLOCK):  # a clock is for all pages that are still to come, too
                return False
            session = context.new_cdp_session(page)
            for origin in self._visited.pop(context, ()):
                stored = {"origin": origin, "storageTypes": "local_storage,indexeddb"}
                session.send("Storage.clearDataForOrigin", stored)
        except Error:  # it is closed, or nowhere
            return False
        context.clear_cookies()
        context.clear_permissions()
        context.set_offline(False)
        for each in context.pages[1:]:  # the first keeps the process
            each.close()
        return True
