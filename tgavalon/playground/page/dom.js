/**
 * The few DOM verbs the page is written in. Everything that came from a person or a bot enters the
 * document as a text node or an attribute value, never as markup: there is no innerHTML on this page.
 */

/** Make an element. `props`: attributes, plus `dataset` (object) and `on` (event name → listener). */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name === "dataset") {
      for (const [key, item] of Object.entries(value)) if (item !== undefined) element.dataset[key] = item;
    } else if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Set a text only where it differs, so that a selection or a screen reader is not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Put `child` at `index` of `parent`; moves nothing that already stands there. */
export function place(parent, child, index) {
  const there = parent.children[index] ?? null;
  if (there !== child) parent.insertBefore(child, there);
}

/** Make `parent` hold exactly `children`, in order, keeping those that already stand right. */
export function fill(parent, children) {
  const keep = new Set(children);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  children.forEach((child, index) => place(parent, child, index));
}

/** Enter and Space act on an element that only looks like a button (inline text cannot be one). */
export function isActivation(event) {
  return event.type === "click" || (event.type === "keydown" && (event.key === "Enter" || event.key === " "));
}

/** A counting badge: hidden at zero. */
export function setBadge(element, count) {
  element.hidden = count === 0;
  setText(element, count === 0 ? "" : count > 99 ? "99+" : String(count));
  if (count) element.setAttribute("aria-label", `${count} new`);
}
