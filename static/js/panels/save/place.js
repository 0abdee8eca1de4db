// Puts a popover beside the button that opens it.

const EDGE = 8; // pixels between the popover and the edge of the window
const GAP = 4; // pixels between it and its button

/**
 * Below the button, or above it where there is no room; its right edges agree, if the window has that room.
 * @param {HTMLElement} popover which is open
 * @param {HTMLElement} button
 */
export function besideButton(popover, button) {
  const at = button.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const left = Math.min(Math.max(EDGE, at.right - width), innerWidth - width - EDGE);
  const below = at.bottom + height + EDGE <= innerHeight;
  const top = below ? at.bottom + GAP : Math.max(EDGE, at.top - height - GAP);
  popover.style.left = `${left}px`;
  popover.style.top = `${top}px`;
}
