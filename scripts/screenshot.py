"""Make docs/screenshot.png from the real page; fails if the page does not become ready."""

from pathlib import Path

from scripts.live import chromium, serving

OUT = Path(__file__).parent.parent / "docs" / "screenshot.png"


def main() -> None:
    with serving() as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        page.goto(address)
        page.locator("html[data-state=ready]").wait_for(state="attached")
        OUT.parent.mkdir(exist_ok=True)
        page.screenshot(path=OUT)


if __name__ == "__main__":
    main()
