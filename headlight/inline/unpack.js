// Runs in the frame, before the page: it unpacks the page that lies beside it, and writes it in its own place.
(async () => {
  const packed = document.querySelector("#page")?.textContent ?? "";
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const html = await new Response(stream).text();
  document.open();
  document.write(html);
  document.close();
})();
