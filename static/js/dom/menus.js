// Menus: a button that says what is chosen, and the choices below it (`details.more`). One is open at a time; Escape, a press elsewhere
// and another menu close it.

/** @param {HTMLElement} root that has the menus */
export function menus(root) {
  /** @param {Node | null} within what stays open */
  const close = (within) => {
    for (const menu of root.querySelectorAll("details.more[open]"))
      if (menu instanceof HTMLDetailsElement && !menu.contains(within)) menu.open = false;
  };
  root.addEventListener("pointerdown", ({ target }) =>
    close(target instanceof Node ? target : null),
  );
  root.addEventListener("focusin", ({ target }) => close(target instanceof Node ? target : null));
  root.addEventListener("keydown", (event) => {
    const menu = event.target instanceof Element && event.target.closest("details.more[open]");
    if (event.key !== "Escape" || !(menu instanceof HTMLDetailsElement)) return;
    event.preventDefault();
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
