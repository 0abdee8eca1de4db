// Applies the colour scheme that the reader chose last time before anything is drawn, so that the page does not flash. A frame in another
// page follows that page instead, or the `scheme` in its address. A classic script on purpose: modules run only after the page is parsed.
{
  const { dataset } = document.documentElement;
  const said = new URLSearchParams(
    dataset.file === undefined ? location.search : location.hash.slice(1),
  );
  let chosen = null;
  if (dataset.depth === "embed" || said.get("depth") === "embed") chosen = said.get("scheme");
  else {
    try {
      chosen = localStorage.getItem("scheme");
    } catch {
      // storage is blocked: follow the system
    }
  }
  if (chosen === "light" || chosen === "dark") dataset.scheme = chosen;
}
