"""What of a page is not translated, and what has no room."""

from playwright.sync_api import Page

from server.languages.pseudo import START

# What can be seen or heard without the marks of a translation, but for what a reader or a model
# wrote. A sentence may have parts in bold.
RAW = """([start, ours]) => {
  const said = new Set();
  const isRaw = (text) =>
    /\\p{L}{2,}/u.test(text) && !text.includes(start) && !ours.includes(text.trim());
  const isAside = (it) =>
    !it.checkVisibility() || it.closest("[translate=no], .languages, kbd, code, script, style");
  const title = document.title.replace(" · Headlight", "");
  if (isRaw(title)) said.add(title);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const it = node.parentElement;
    const whole = it.closest("p, li, td, th, button, label, summary, dd, dt, h1, h2, option") ?? it;
    if (isRaw(node.textContent) && isRaw(whole.textContent) && !isAside(it))
      said.add(node.textContent.trim());
  }
  for (const name of ["aria-label", "title", "placeholder"])
    for (const it of document.querySelectorAll(`[${name}]`))
      if (isRaw(it.getAttribute(name)) && !isAside(it)) said.add(it.getAttribute(name));
  return [...said];
}"""
OURS = ["Headlight", "API"]
ASIDE = "document.documentElement.scrollWidth - innerWidth"
CUT = """() => [...document.querySelectorAll("button, a, label, p, h1, h2, input")]
  .filter((it) => it.checkVisibility() && it.scrollWidth > it.clientWidth + 1)
  .filter((it) => getComputedStyle(it).display !== "inline")
  .map((it) => it.textContent.trim())"""


def raw(page: Page, *ours: str) -> list[str]:
    """What is not marked as translated. `ours`: what is the same in all languages."""
    found: list[str] = page.evaluate(RAW, [START, [*OURS, *ours]])
    return found
