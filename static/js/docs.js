// Starts Swagger UI on /docs: its own start file is an inline script, which the content policy forbids.

/** @typedef {(options: object) => void} SwaggerUI */
const { SwaggerUIBundle } = /** @type {{SwaggerUIBundle: SwaggerUI}} */ (
  /** @type {unknown} */ (globalThis)
);

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#main",
  deepLinking: true,
  defaultModelsExpandDepth: 0, // the schemas are listed, but folded
  syntaxHighlight: false, // its colours are of one scheme, and inline
  validatorUrl: null, // it would ask an outside service
  onComplete: () => {
    document.documentElement.dataset.state = "ready";
  },
});
