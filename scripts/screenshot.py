"""Make docs/screenshot.png from the real page: serve on a free port, open in Chromium, wait, shoot.

Run by `make screenshot`, which installs the browser. Fails if the page does not become ready.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

OUT = Path(__file__).resolve().parent.parent / "docs" / "screenshot.png"
BROWSERS = ("chromium", "google-chrome", "chromium-browser")  # else Playwright's own
PATIENCE = 60  # seconds for the model to load, and again for the page


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    headlight = Path(sys.executable).parent / "headlight"
    server = subprocess.Popen([headlight, "serve", "--host", "127.0.0.1", "--port", str(port)])
    try:
        wait_until_ready(server, f"http://127.0.0.1:{port}")
        shoot(f"http://127.0.0.1:{port}/")
    finally:
        server.terminate()
        server.wait(timeout=15)


def wait_until_ready(server: subprocess.Popen[bytes], address: str) -> None:
    """Return when the default model is loaded; exit if the server ends or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if server.poll() is not None:
            sys.exit(f"the server ended with exit code {server.returncode} before it was ready")
        try:
            urllib.request.urlopen(f"{address}/readyz", timeout=5).close()
            return
        except (urllib.error.URLError, TimeoutError):
            time.sleep(0.1)
    sys.exit(f"the server was not ready after {PATIENCE} s")


def shoot(url: str) -> None:
    # Chromium's sandbox refuses to run as root, as in a container or CI.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(url)
        # Not wait_for_function: it evaluates a string, which the content policy forbids.
        page.wait_for_selector('html[data-state="ready"]', timeout=PATIENCE * 1000)
        OUT.parent.mkdir(exist_ok=True)
        page.screenshot(path=OUT)
        browser.close()


if __name__ == "__main__":
    main()
