// Runs in the notebook, beside the frames: gives each the height of its content, and the notebook's colour scheme. Without it, a
// frame keeps its first height and follows the system. docs/embed.md tells what the messages mean.

/** @type {Record<string, boolean>} */
const JUPYTER = { true: false, false: true }; // it says whether it is light
/** @type {Record<string, boolean>} */
const COLAB = { dark: true, light: false };

/** What notebooks say of their scheme: whether it is dark; null if this is none of them. @type {((page: Document) => boolean | null)[]} */
const NOTEBOOKS = [
  ({ body }) => JUPYTER[body.dataset.jpThemeLight ?? ""] ?? null, // and nbconvert
  ({ body }) => (/\bvscode-light\b|-light\b/.test(body.className) ? false : null), // VS Code
  ({ body }) => (/\bvscode-(dark|high-contrast)\b/.test(body.className) ? true : null),
  ({ documentElement }) => COLAB[documentElement.getAttribute("theme") ?? ""] ?? null,
  ({ body, documentElement }) =>
    [body, documentElement].some(({ classList }) => classList.contains("dark")) || null, // marimo
];

/** The scheme of the page around a frame, as the frame takes it. @param {Document} page */
function schemeOf(page) {
  for (const isDark of NOTEBOOKS) {
    const found = isDark(page);
    if (found !== null) return found ? "dark" : "light";
  }
  return "auto";
}

/**
 * @param {HTMLElement} box with the frame
 * @param {(message: {type: string} & Record<string, any>) => void} [receive] what else the frame says
 * @returns what says something to the frame, and what ends this
 */
// biome-ignore lint/correctness/noUnusedVariables: the script that this one is put before calls it
function host(box, receive = () => {}) {
  box.dataset.hosted = "";
  const frame = /** @type {HTMLIFrameElement} */ (box.querySelector("iframe"));
  const page = box.ownerDocument;
  const ending = new AbortController();
  const say = (/** @type {{type: string} & Record<string, unknown>} */ message) =>
    frame.contentWindow?.postMessage({ ...message, version: 1 }, "*");
  const showScheme = () => {
    const scheme = schemeOf(page);
    frame.style.colorScheme = scheme === "auto" ? "" : scheme;
    say({ type: "headlight.scheme", scheme });
  };
  /** @type {Record<string, (message: any) => void>} */
  const takes = {
    "headlight.ready": showScheme,
    "headlight.height": ({ height }) => {
      box.style.height = `${height}px`;
    },
  };
  const listen = (/** @type {MessageEvent} */ { source, data }) => {
    if (source === null || source !== frame.contentWindow || !data?.type) return;
    takes[data.type]?.(data);
    receive(data);
  };
  page.defaultView?.addEventListener("message", listen, { signal: ending.signal });
  const themes = new MutationObserver(showScheme);
  for (const element of [page.documentElement, page.body])
    themes.observe(element, { attributeFilter: ["class", "theme", "data-jp-theme-light"] });
  showScheme();
  say({ type: "headlight.hello" }); // it may have begun before
  return {
    say,
    end: () => {
      ending.abort();
      themes.disconnect();
    },
  };
}
