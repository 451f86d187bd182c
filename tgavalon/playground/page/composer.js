/**
 * Where a person types. Built once per chat and never redrawn, so a half-typed line survives everything.
 * Above it: the commands used last, each a button that sends it again.
 */

import { fill, h } from "./dom.js";

const REMEMBERED = 6;
const STORE = "recent-commands";
const composers = new Set();

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
  } catch (error) {
    console.warn("The remembered commands are unreadable and were dropped.", error);
    return [];
  }
}

let recent = stored();

/** Remember a command that was sent, wherever it was sent from. */
export function remember(text) {
  if (!/^\/[a-z0-9_]+/i.test(text)) return;
  recent = [text, ...recent.filter((other) => other !== text)].slice(0, REMEMBERED);
  sessionStorage.setItem(STORE, JSON.stringify(recent));
  for (const composer of composers) composer.drawRecent();
}

export class Composer {
  /** `onSend(text)` resolves to whether it was sent; a refused text comes back into the field. */
  constructor({ label, onSend }) {
    this.onSend = onSend;
    this.lastSent = "";
    this.recent = h("div", { class: "recent", role: "group", "aria-label": "Commands used last", dataset: { testid: "recent" } });
    this.field = h("textarea", {
      rows: "1", dir: "auto", placeholder: "Message", "aria-label": label, enterkeyhint: "send", autocomplete: "off",
      dataset: { testid: "composer" },
    });
    this.sendButton = h("button", { type: "submit", class: "send", "aria-label": "Send", dataset: { testid: "send" } }, "➤");
    this.form = h("form", { class: "line" }, this.field, this.sendButton);
    this.element = h("div", { class: "composer" }, this.recent, this.form);
    this.listen();
    composers.add(this);
    this.drawRecent();
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(this.field.value);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.send(this.field.value);
      } else if (event.key === "ArrowUp" && this.field.value === "" && this.lastSent) {
        event.preventDefault();
        this.field.value = this.lastSent;
        this.grow();
      }
    });
    this.field.addEventListener("input", () => this.grow());
    this.recent.addEventListener("click", (event) => {
      const chip = event.target.closest("button");
      if (chip) this.onSend(chip.textContent);
    });
  }

  grow() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 120)}px`;
  }

  async send(text) {
    if (text.trim() === "") return;
    this.lastSent = text;
    this.field.value = "";
    this.grow();
    const sent = await this.onSend(text);
    if (!sent && this.field.value === "") this.field.value = text;
    this.grow();
  }

  drawRecent() {
    fill(this.recent, recent.map((text) =>
      h("button", { type: "button", class: "chip", dataset: { testid: "recent-command" } }, text)));
    this.recent.hidden = recent.length === 0;
  }

  forget() {
    composers.delete(this);
  }
}
