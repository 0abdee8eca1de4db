// Sets the depth of the page before anything is drawn, so that nothing on it moves when the modules run. The modules read it as the
// depth of an empty address. It also notes when the page's own script does not come, for messages.css to say so. A classic script on
// purpose: modules run only after the page is parsed.
{
  const { dataset } = document.documentElement;
  const { file } = dataset; // the page is a file: its choice is in the fragment, see standalone/bar.js
  const said = file === undefined ? location.search : location.hash.slice(1) || file;
  const asked = new URLSearchParams(said);
  const bare = [...asked.keys()].every((key) => ["tour", "engine", "model", "lang"].includes(key));
  let last = null;
  try {
    last = localStorage.getItem("depth");
  } catch {
    // storage is blocked: every visit is a first one
  }
  const depth = bare ? (asked.has("tour") ? null : last) : (asked.get("depth") ?? "full");
  // one view in a frame: of a server, this is a page of its own, which alone others may frame
  const isView = dataset.depth === "embed" || (file !== undefined && depth === "embed");
  if (isView) dataset.depth = "embed";
  else dataset.depth = depth === "full" || depth === "present" ? depth : "start";

  const tell = (/** @type {Event} */ { target }) => {
    if (target instanceof HTMLScriptElement && dataset.state === "starting")
      dataset.state = "unloaded";
  };
  addEventListener("error", tell, { capture: true });
}
