/**
 * One message of one chat as an element that lives as long as the message does. An update touches only the
 * parts that changed, so a held button, a revealed spoiler, a selection or a hover survives a busy chat.
 */

import { lineDirection } from "./direction.js";
import { fill, h, setText } from "./dom.js";
import { renderText } from "./entities.js";
import { avatar, colourClass, displayName, nameNode } from "./people.js";

const clockTime = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** HH:MM of a Unix time in seconds. */
export function hhmm(seconds) {
  return clockTime.format(new Date(seconds * 1000));
}

function fileSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** What stands for a message in one line: the pinned bar and labels use it. */
export function summary(message) {
  const text = message.service ?? message.text ?? message.caption ?? message.document?.file_name ?? "Photo";
  return text.split("\n").find((line) => line.trim() !== "") ?? text;
}

export class MessageView {
  constructor(id) {
    this.seen = {};
    this.buttons = new Map();
    this.avatarSlot = h("span", { class: "avatar-slot" });
    this.author = h("div", { class: "author", dataset: { testid: "author" } });
    this.media = h("div", { class: "media" });
    this.body = h("div", { class: "body", dataset: { testid: "text" } });
    this.reactions = h("div", { class: "reactions", hidden: true, dataset: { testid: "reactions" } });
    this.meta = h("div", { class: "meta" });
    this.bubble = h("div", { class: "bubble" }, this.author, this.media, this.body, this.reactions, this.meta);
    this.keyboard = h("div", { class: "keyboard", dataset: { testid: "keyboard" } });
    this.element = h("article", { class: "message", dataset: { message: id, testid: "message" } },
      this.avatarSlot, h("div", { class: "stack" }, this.bubble, this.keyboard));
  }

  /** Whether a part's source differs from what was drawn last. */
  changed(part, source) {
    const signature = JSON.stringify(source) ?? "";
    if (this.seen[part] === signature) return false;
    this.seen[part] = signature;
    return true;
  }

  /**
   * Draw `message`. `context`: `own` (sent by the one who looks), `continued` (same sender as the one before),
   * `inGroup`, `waiting` (set of callback data whose answer the one who looks is waiting for).
   */
  update(message, context) {
    if (this.changed("shape", [context.own, context.continued, context.inGroup, message.service, message.protected, message.from.id])) {
      this.drawShape(message, context);
    }
    const text = message.service ?? message.text ?? message.caption ?? "";
    if (this.changed("author", [message.from, message.sender_chat])) this.drawAuthor(message);
    const entities = message.entities ?? message.caption_entities;
    if (this.changed("body", [text, entities])) this.drawBody(text, entities);
    if (this.changed("media", [message.photo, message.document])) this.drawMedia(message);
    if (this.changed("meta", [message.date, message.edit_date, message.protected])) this.drawMeta(message);
    if (this.changed("reactions", message.reactions ?? [])) this.drawReactions(message.reactions ?? []);
    if (this.changed("tuck", [this.seen.body, this.seen.meta, this.seen.reactions])) this.tuckMeta();
    const rows = message.reply_markup?.inline_keyboard ?? [];
    if (this.changed("keyboard", rows)) this.drawKeyboard(rows);
    if (this.changed("waiting", [[...context.waiting].sort(), rows])) this.drawWaiting(context.waiting);
  }

  drawShape(message, { own, continued, inGroup }) {
    const shape = {
      in: !own, out: own, continued, "in-group": inGroup,
      service: message.service !== undefined, protected: Boolean(message.protected),
    };
    for (const [name, on] of Object.entries(shape)) this.element.classList.toggle(name, on);
    this.element.dataset.from = message.from.id;
  }

  drawAuthor(message) {
    const voice = message.sender_chat
      ? { id: message.sender_chat.id, first_name: message.sender_chat.title }
      : message.from;
    fill(this.avatarSlot, [avatar(voice.id, displayName(voice))]);
    const parts = [nameNode(voice, colourClass(voice.id))];
    if (message.sender_chat) parts.push(h("span", { class: "role" }, "anonymous admin"));
    else if (message.from.is_bot) parts.push(h("span", { class: "role" }, "bot"));
    fill(this.author, parts);
  }

  drawBody(text, entities) {
    const expanded = [...this.body.querySelectorAll(".expandable")].map((quote) => quote.getAttribute("aria-expanded"));
    this.body.replaceChildren(renderText(text, entities));
    this.body.hidden = text === "";
    [...this.body.querySelectorAll(".expandable")].forEach((quote, index) => {
      if (expanded[index]) quote.setAttribute("aria-expanded", expanded[index]);
    });
    if (this.revealed) this.reveal();
  }

  /** Show what the spoilers of this message hide; it stays shown, also when the message is edited. */
  reveal() {
    this.revealed = true;
    for (const spoiler of this.body.querySelectorAll(".spoiler")) {
      spoiler.classList.add("revealed");
      for (const name of ["role", "tabindex", "aria-label", "aria-hidden"]) spoiler.removeAttribute(name);
    }
  }

  drawMedia({ photo, document: file }) {
    const parts = [];
    if (photo) parts.push(h("img", { src: photo, alt: "Photo", dataset: { testid: "photo" } }));
    if (file) {
      parts.push(h("a", { class: "document", href: file.url, download: file.file_name, dataset: { testid: "document" } },
        h("span", { class: "document-icon", "aria-hidden": "true" }, "⤓"),
        h("span", { class: "document-label" },
          h("bdi", {}, file.file_name), h("small", {}, fileSize(file.file_size ?? 0)))));
    }
    fill(this.media, parts);
    this.media.hidden = parts.length === 0;
  }

  drawMeta(message) {
    const parts = [];
    if (message.protected) parts.push(h("span", { title: "Cannot be copied or forwarded" }, "protected"));
    if (message.edit_date) {
      parts.push(h("span", { title: `at ${hhmm(message.edit_date)}`, dataset: { testid: "edited" } }, "edited"));
    }
    parts.push(h("time", { datetime: new Date(message.date * 1000).toISOString() }, hhmm(message.date)));
    fill(this.meta, parts);
  }

  drawReactions(reactions) {
    fill(this.reactions, reactions.map((reaction) => h("span", {}, reaction.emoji ?? "★")));
    this.reactions.hidden = reactions.length === 0;
  }

  /** The time stands at the end of the last line where that is left to right, else on a line of its own. */
  tuckMeta() {
    const lastLine = this.body.lastElementChild?.matches(".lines") ? this.body.lastElementChild.lastElementChild : null;
    const tucked = lastLine?.dir === "ltr" && this.reactions.hidden;
    this.bubble.classList.toggle("tucked", tucked);
    if (tucked) lastLine.dataset.room = [...this.meta.children].map((part) => part.textContent).join("  ");
  }

  /** Buttons are kept by what they do: one whose data changed is a new button, so that a finger already down on the old one presses nothing. */
  drawKeyboard(rows) {
    const kept = new Map();
    const lines = rows.map((row, at) => {
      const line = this.keyboard.children[at] ?? h("div", { class: "row" });
      const buttons = row.map((button) => {
        const action = button.callback_data ?? button.url ?? button.text;
        let key = `${button.url === undefined ? "data" : "url"}:${action}`;
        while (kept.has(key)) key += "+";
        const element = this.buttons.get(key) ?? this.makeButton(button);
        setText(element.firstChild, button.text);
        element.firstChild.dir = lineDirection(button.text);
        element.dataset.style = button.style ?? "";
        kept.set(key, element);
        return element;
      });
      fill(line, buttons);
      return line;
    });
    this.buttons = kept;
    fill(this.keyboard, lines);
    this.element.classList.toggle("with-keyboard", lines.length > 0);
  }

  makeButton({ callback_data: data, url }) {
    return h("button", {
      type: "button", class: "inline-button",
      dataset: { testid: "inline-button", callback: data, url },
    }, h("span", { class: "label" }), url === undefined ? null : h("span", { class: "outside", "aria-hidden": "true" }, "↗"));
  }

  drawWaiting(waiting) {
    for (const button of this.buttons.values()) {
      const busy = button.dataset.callback !== undefined && waiting.has(button.dataset.callback);
      button.classList.toggle("busy", busy);
      if (busy) button.setAttribute("aria-busy", "true");
      else button.removeAttribute("aria-busy");
    }
  }
}
