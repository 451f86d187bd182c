/**
 * What Telegram shows one person as the answer to a press: a toast for three seconds, or an alert that waits for
 * OK. Each says whose eyes it is for, since one screen stands for several phones here.
 */

import { h } from "./dom.js";
import { renderText } from "./entities.js";
import { avatar, displayName } from "./people.js";

const TOAST_MS = 3000;
const MOST_TOASTS = 4;

const region = document.getElementById("toasts");
const dialog = document.getElementById("alert");
const queue = [];

function toastNode(person, text, extraClass) {
  const name = displayName(person);
  const node = h("div", { class: `toast ${extraClass}`, dataset: { testid: "toast", user: person.id } },
    avatar(person.id, name), h("div", {}, h("bdi", { class: "who" }, name), h("div", { class: "body" }, renderText(text))));
  setTimeout(() => node.remove(), TOAST_MS);
  return node;
}

/** A toast for a person whom somebody plays by hand. */
export function toast(person, text) {
  region.append(toastNode(person, text, ""));
  while (region.children.length > MOST_TOASTS) region.firstChild.remove();
}

/** A refusal of the control side, shown as a toast to the one who asked for it. */
export function complain(person, error) {
  console.warn(error);
  const node = toastNode(person, error.message, "error");
  node.dataset.testid = "error";
  region.append(node);
}

/** The same for a person who plays by itself: inside their own chat, out of everybody's way. */
export function whisper(pane, person, text) {
  pane.whisper(toastNode(person, text, "small"));
}

function showNext() {
  if (dialog.open || queue.length === 0) return;
  const { person, text } = queue.shift();
  const name = displayName(person);
  dialog.dataset.user = person.id;
  dialog.querySelector(".who").replaceChildren(avatar(person.id, name), h("span", {}, h("bdi", {}, name), " sees this"));
  dialog.querySelector(".text").replaceChildren(renderText(text));
  dialog.showModal();
}

/** An alert; alerts that come together are shown one after the other. */
export function alert(person, text) {
  queue.push({ person, text });
  showNext();
}

dialog.addEventListener("close", showNext);
dialog.querySelector("form").addEventListener("submit", (event) => {
  // Closed by hand: the page's policy forbids forms that go anywhere.
  event.preventDefault();
  dialog.close();
});
