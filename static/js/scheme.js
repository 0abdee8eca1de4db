// Applies the colour scheme that the reader chose last time before anything is drawn, so that the page does not flash.
// A classic script on purpose: modules run only after the page is parsed.
try {
  const chosen = localStorage.getItem("scheme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.scheme = chosen;
} catch {
  // storage is blocked: follow the system
}
