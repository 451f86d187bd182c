/**
 * One chat on the page: header, pinned bar, messages by id, composer. The same class shows the group and each
 * private chat; what differs comes with the view that `update` is given.
 */

import { Composer, remember } from "./composer.js";
import { lineDirection } from "./direction.js";
import { fill, h, isActivation, place, setBadge, setText } from "./dom.js";
import { MessageView, summary } from "./message.js";
import { avatar } from "./people.js";

const NEAR_END_PX = 24;
const NOTHING_WAITS = new Set();

/** Whether a message stands under the name of the one before it. */
function continues(before, message) {
  return before.from.id === message.from.id && before.sender_chat?.id === message.sender_chat?.id
    && before.service === undefined && message.service === undefined;
}

export class Pane {
  /** `kind`: "group" or "private". `actions`: what a tap or a typed line does (see app.js). */
  constructor(kind, actions) {
    this.kind = kind;
    this.actions = actions;
    this.messages = new Map();
    this.unread = new Set();
    this.sticky = true;
    this.visible = false;
    this.build();
    this.listen();
  }

  build() {
    this.title = h("div", { class: "title", dataset: { testid: "pane-title" } });
    this.subtitle = h("div", { class: "subtitle", dataset: { testid: "pane-subtitle" } });
    this.avatarSlot = h("span", { class: "avatar-slot" });
    this.badge = h("span", { class: "badge", hidden: true, dataset: { testid: "unread" } });
    this.actAs = h("button", { type: "button", class: "quiet", dataset: { testid: "act-as-this" } }, "Act as");
    this.more = h("button", { type: "button", class: "quiet more", "aria-label": "More about this person", dataset: { testid: "person-more" } }, "⋯");
    this.header = h("header", {}, this.avatarSlot, h("div", { class: "titles" }, this.title, this.subtitle), this.badge, this.actAs, this.more);
    this.topics = h("div", { class: "topics", role: "group", "aria-label": "Topics", hidden: true });
    this.pinned = h("button", { type: "button", class: "pinned", hidden: true, dataset: { testid: "pinned" } },
      h("b", {}, "Pinned message"), h("span"));
    this.hint = h("div", { class: "hint", hidden: true, dataset: { testid: "hint" } });
    this.list = h("div", { class: "list", role: "log", "aria-live": "off" });
    this.scroller = h("div", { class: "scroller", tabindex: "0", "aria-label": "Messages", dataset: { testid: "scroller" } }, this.hint, this.list);
    this.toEnd = h("button", { type: "button", class: "to-end", hidden: true, "aria-label": "To the newest message", dataset: { testid: "to-end" } }, "↓");
    this.toasts = h("div", { class: "pane-toasts", dataset: { testid: "pane-toasts" } });
    this.composer = new Composer({ label: "Message", onSend: (text) => this.send(text) });
    this.gate = h("button", { type: "button", class: "gate", hidden: true, dataset: { testid: "gate" } });
    this.element = h("section", { class: `pane ${this.kind}`, dataset: { testid: "pane", kind: this.kind } },
      this.header, this.topics, this.pinned,
      h("div", { class: "room" }, this.scroller, this.toEnd, this.toasts),
      h("footer", {}, this.composer.element, this.gate));
  }

  listen() {
    this.scroller.addEventListener("scroll", () => this.onScroll(), { passive: true });
    new ResizeObserver(() => this.keepEnd()).observe(this.list);
    new ResizeObserver(() => this.keepEnd()).observe(this.scroller);
    this.toEnd.addEventListener("click", () => this.scrollToEnd());
    this.pinned.addEventListener("click", () => this.showMessage(Number(this.pinned.dataset.message)));
    this.actAs.addEventListener("click", () => this.actions.actAs(this.view.person.id));
    this.more.addEventListener("click", () => this.actions.openMenu(this.view.person.id, this.more));
    this.gate.addEventListener("click", () => this.view.gate.act());
    this.topics.addEventListener("click", (event) => {
      const chip = event.target.closest("button");
      if (chip) this.actions.showTopic(chip.dataset.topic === "" ? undefined : Number(chip.dataset.topic));
    });
    for (const type of ["click", "keydown"]) this.scroller.addEventListener(type, (event) => this.onActivation(event));
  }

  onScroll() {
    if (this.scroller.clientHeight === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    this.sticky = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    this.toEnd.hidden = this.sticky;
  }

  keepEnd() {
    if (this.sticky) this.scroller.scrollTop = this.scroller.scrollHeight;
    else this.onScroll();
  }

  scrollToEnd() {
    this.sticky = true;
    this.keepEnd();
    this.toEnd.hidden = true;
  }

  showMessage(id) {
    const found = this.messages.get(id);
    if (!found) return;
    found.element.scrollIntoView({ block: "center" });
    found.element.classList.remove("flash");
    requestAnimationFrame(() => found.element.classList.add("flash"));
  }

  /** Say it as the person of this chat. In a group a bare command is completed with the bot's name, as Telegram's clients do. */
  send(text) {
    this.scrollToEnd();
    remember(text);
    const bare = this.kind === "group" ? /^\/[a-z0-9_]+(?=\s|$)/i : null;
    const said = bare ? text.replace(bare, (command) => `${command}@${this.actions.botName()}`) : text;
    return this.actions.say(this.view.person.id, this.view.chat.id, said, this.view.topic);
  }

  /** Taps and keys inside messages; inline text cannot be a real button, so keys are told apart here. */
  onActivation(event) {
    const target = event.target;
    if (!isActivation(event) || !(target instanceof Element)) return;
    const hidden = target.closest(".spoiler:not(.revealed)");
    const message = this.messages.get(Number(target.closest(".message")?.dataset.message));
    if (hidden) {
      event.preventDefault();
      message.reveal();
    } else if (target.closest(".command")) {
      event.preventDefault();
      this.send(target.closest(".command").dataset.command);
    } else if (target.closest("a[data-entity]")) {
      this.onLink(event, target.closest("a[data-entity]"));
    } else if (target.closest(".expandable")) {
      event.preventDefault();
      const quote = target.closest(".expandable");
      quote.setAttribute("aria-expanded", quote.getAttribute("aria-expanded") !== "true");
    } else if (event.type === "click" && target.closest(".inline-button")) {
      this.onButton(target.closest(".inline-button"));
    }
  }

  onLink(event, anchor) {
    if (!this.actions.isBotLink(anchor.href)) return;
    event.preventDefault();
    this.actions.openUrl(this.view.person.id, anchor.href);
  }

  onButton(button) {
    const { person, chat } = this.view;
    if (button.dataset.url !== undefined) this.actions.openUrl(person.id, button.dataset.url);
    else if (button.dataset.callback !== undefined && !button.classList.contains("busy")) {
      const id = Number(button.closest(".message").dataset.message);
      this.actions.press(person.id, chat.id, id, button.dataset.callback);
    }
  }

  /** Becoming visible reads everything. Returns whether the badge changed. */
  setVisible(visible) {
    this.visible = visible;
    if (!visible || this.unread.size === 0) return false;
    this.unread.clear();
    setBadge(this.badge, 0);
    return true;
  }

  /**
   * Show `view`: {person (who acts here), chat, messages, waiting: Map(message id → Set(data)), title: () => Node[],
   * titleKey (what the title depends on), label, subtitle, face: {id, name}, current: bool, gate: null | {label, act}, hint, topic, pinned}.
   */
  update(view) {
    this.view = view;
    this.drawFrame(view);
    if (this.chatShown !== `${view.chat.id}/${view.topic ?? ""}`) this.changeChat(view);
    this.drawMessages(view);
    this.drawPinned(view);
    this.drawTopics(view);
  }

  changeChat(view) {
    this.chatShown = `${view.chat.id}/${view.topic ?? ""}`;
    for (const message of this.messages.values()) message.element.remove();
    this.messages.clear();
    this.unread.clear();
    this.fresh = true;
    this.sticky = true;
  }

  drawFrame({ person, chat, title, titleKey, label, subtitle, face, current, gate, hint }) {
    const key = JSON.stringify([label, titleKey, chat.id, subtitle, face]);
    if (this.frameShown !== key) {
      this.frameShown = key;
      fill(this.avatarSlot, [avatar(face.id, face.name)]);
      this.title.replaceChildren(...title());
      setText(this.subtitle, subtitle);
      this.element.setAttribute("aria-label", label);
      this.composer.field.setAttribute("aria-label", `Message to ${label}`);
    }
    this.element.dataset.chat = chat.id;
    this.element.dataset.user = person.id;
    this.element.classList.toggle("current", current);
    this.actAs.hidden = this.kind === "group" || current;
    this.more.hidden = this.kind === "group";
    this.composer.element.hidden = gate !== null;
    this.gate.hidden = gate === null;
    if (gate) setText(this.gate, gate.label);
    this.drawHint(hint);
  }

  drawHint(hint) {
    this.hint.hidden = hint === "";
    if (this.hintShown === hint) return;
    this.hintShown = hint;
    this.hint.replaceChildren(...hint.split(/(\/[a-z0-9_]+)/i).map((part) => part.startsWith("/")
      ? h("button", { type: "button", class: "command", dataset: { command: part } }, part) : part));
  }

  drawMessages({ messages, person, waiting }) {
    const gone = new Set(this.messages.keys());
    let before = null;
    messages.forEach((message, index) => {
      const id = message.message_id;
      gone.delete(id);
      if (!this.messages.has(id)) this.messages.set(id, new MessageView(id));
      this.drawMessage(this.messages.get(id), message, before, person, waiting.get(id) ?? NOTHING_WAITS);
      place(this.list, this.messages.get(id).element, index);
      before = message;
    });
    for (const id of gone) {
      this.messages.get(id).element.remove();
      this.messages.delete(id);
      this.unread.delete(id);
    }
    this.fresh = false;
    setBadge(this.badge, this.unread.size);
  }

  /** One message; nothing at all is done for one that stayed as it was, since a state lists every message there is. */
  drawMessage(shown, message, before, person, waiting) {
    const context = {
      own: message.from.id === person.id && !message.sender_chat,
      continued: before !== null && continues(before, message),
      inGroup: this.kind === "group",
      waiting,
    };
    const source = JSON.stringify(message);
    const around = JSON.stringify([context.own, context.continued, [...waiting]]);
    if (shown.source === source && shown.around === around) return;
    if (shown.source !== source && !this.fresh && !this.visible && message.from.id !== person.id) {
      this.unread.add(message.message_id);
    }
    Object.assign(shown, { source, around });
    shown.update(message, context);
  }

  drawPinned({ pinned, messages }) {
    const last = messages.filter((message) => pinned.includes(message.message_id)).at(-1);
    this.pinned.hidden = last === undefined;
    if (!last) return;
    this.pinned.dataset.message = last.message_id;
    setText(this.pinned.lastChild, summary(last));
    this.pinned.lastChild.dir = lineDirection(summary(last));
  }

  drawTopics({ chat, topic }) {
    this.topics.hidden = !chat.is_forum;
    const key = JSON.stringify([chat.is_forum, chat.topics, topic]);
    if (!chat.is_forum || this.topicsShown === key) return;
    this.topicsShown = key;
    fill(this.topics, [{ id: "", name: "General" }, ...chat.topics].map(({ id, name }) => h("button", {
      type: "button", class: "chip", "aria-pressed": String((topic ?? "") === id), dataset: { topic: id, testid: "topic" },
    }, h("bdi", {}, name))));
  }

  /** A short note over this chat only: what a person who plays by itself is told. */
  whisper(node) {
    this.toasts.append(node);
  }

  remove() {
    this.composer.forget();
    this.element.remove();
  }
}
