/**
 * The playground page: draws the state that the control side sends, one chat beside the other, and passes on
 * what the person at the screen does. Knows Telegram's nouns only: nothing of any game.
 */

import { makeActions } from "./actions.js";
import { follow } from "./control.js";
import * as controls from "./controls.js";
import { fill, h, setBadge } from "./dom.js";
import * as notices from "./notices.js";
import { Pane } from "./pane.js";
import { avatar, displayName, languageTag, nameNode } from "./people.js";

const STORE = "acted-as";
const CLOCK_REDRAW_MS = 10_000;
const body = document.body;
const column = document.getElementById("group-column");
const privates = document.getElementById("privates");
const strip = document.getElementById("strip");
const tabs = { group: document.getElementById("tab-group"), private: document.getElementById("tab-private") };

let state = null;
let me = Number(sessionStorage.getItem(STORE)) || null;
let group = null;
let topic;
let lastAnswer = null;
let drawing = false;
let clockAhead = 0;
let groupPane = null;
const panes = new Map();
const chips = new Map();

const personOf = (id) => state.users.find((user) => user.id === id) ?? { id: id ?? 0, first_name: `Person ${id}` };

const actions = makeActions({
  state: () => state,
  me: () => me,
  group: () => group,
  personOf,
  redraw: schedule,
  choose(user) {
    me = user;
    sessionStorage.setItem(STORE, String(user));
    schedule();
  },
  reveal(user) {
    if (user === me) showTab("private");
    panes.get(user)?.element.scrollIntoView({ block: "nearest" });
  },
  showTopic(id) {
    topic = id;
    schedule();
  },
  setClock(seconds) {
    clockAhead = seconds - Date.now() / 1000;
    schedule();
  },
  openMenu(user, anchor) {
    const chat = state.chats.find((other) => other.id === group);
    controls.openMenu(personOf(user), {
      me, group, byItself: state.autoplay.includes(user),
      inGroup: Boolean(chat?.members.some((member) => member.user === user)),
    }, anchor, actions);
  },
});

function schedule() {
  if (drawing || state === null) return;
  drawing = true;
  const later = document.hidden ? (draw) => setTimeout(draw, 250) : requestAnimationFrame;
  later(() => {
    drawing = false;
    draw();
  });
}

const liveGroups = () => state.chats.filter((chat) => chat.type !== "private" && !chat.migrated_to);

/** The acted-as person and the shown group, kept as long as they exist; a group that moved is followed. */
function settle() {
  if (!state.users.some((user) => user.id === me)) me = state.users[0]?.id ?? null;
  for (let chat = state.chats.find((other) => other.id === group); chat?.migrated_to; ) {
    group = chat.migrated_to;
    chat = state.chats.find((other) => other.id === group);
  }
  const groups = liveGroups();
  if (!groups.some((chat) => chat.id === group)) {
    group = groups[0]?.id ?? null;
    topic = undefined;
  }
}

/** message id → data of the presses in `chat` that `user` waits for. */
function waitingFor(user, chat) {
  const waiting = new Map();
  for (const press of [...state.pending, ...actions.presses()]) {
    if (press.user !== user || press.chat !== chat) continue;
    waiting.set(press.message_id, (waiting.get(press.message_id) ?? new Set()).add(press.data));
  }
  return waiting;
}

function groupTitle(chat) {
  const groups = liveGroups();
  if (groups.length < 2) return [h("bdi", {}, chat.title ?? "Group")];
  const choice = h("select", { "aria-label": "Group", dataset: { testid: "group-select" } },
    ...groups.map((other) => h("option", { value: other.id, selected: other.id === chat.id }, other.title ?? "Group")));
  choice.addEventListener("change", () => {
    group = Number(choice.value);
    topic = undefined;
    schedule();
  });
  return [choice];
}

function groupView(chat, person) {
  const member = chat.members.some((other) => other.user === person.id);
  const present = ["member", "administrator"].includes(chat.bot_status);
  const count = chat.members.length + (present ? 1 : 0);
  const messages = chat.is_forum ? chat.messages.filter((message) => message.topic === topic) : chat.messages;
  return {
    person, chat, messages, topic, pinned: chat.pinned ?? [], waiting: waitingFor(person.id, chat.id),
    title: () => groupTitle(chat),
    titleKey: liveGroups().map((other) => [other.id, other.title]),
    label: chat.title ?? "Group",
    subtitle: `${count} members${present ? "" : " · the bot is not here"}`,
    face: { id: chat.id, name: chat.title ?? "Group" },
    current: false,
    gate: member ? null : { label: `${displayName(person)} is not in this group. Join`, act: () => actions.join(person.id, chat.id) },
    hint: messages.some((message) => message.service === undefined) ? "" : body.dataset.hint ?? "",
  };
}

function privateGate(person) {
  if (person.blocked) return { label: "Unblock", act: () => actions.unblock(person.id) };
  if (!person.started) return { label: "Start", act: () => actions.start(person.id) };
  return null;
}

function privateView(person) {
  const chat = state.chats.find((other) => other.type === "private" && other.user === person.id)
    ?? { id: person.id, type: "private", messages: [], pinned: [], topics: [], is_forum: false };
  const byItself = state.autoplay.includes(person.id);
  const where = `chat with ${state.bot.first_name}`;
  return {
    person, chat, messages: chat.messages, pinned: chat.pinned ?? [], waiting: waitingFor(person.id, chat.id),
    title: () => [nameNode(person), languageTag(person)].filter(Boolean),
    titleKey: person.language_code,
    label: `${displayName(person)}, private chat`,
    subtitle: person.blocked ? "has blocked the bot" : byItself ? `${where} · plays automatically` : where,
    face: { id: person.id, name: displayName(person) },
    current: person.id === me,
    gate: privateGate(person),
    hint: "",
  };
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const pane = [groupPane, ...panes.values()].find((other) => other?.element === entry.target);
    pane?.setVisible(entry.isIntersecting && !document.hidden);
  }
  schedule();
}, { threshold: 0.2 });

function newPane(kind, parent) {
  const pane = new Pane(kind, actions);
  parent.append(pane.element);
  watcher.observe(pane.element);
  return pane;
}

function drawPrivates() {
  for (const [id, pane] of panes) {
    if (state.users.some((user) => user.id === id)) continue;
    watcher.unobserve(pane.element);
    pane.remove();
    panes.delete(id);
    chips.get(id)?.remove();
    chips.delete(id);
  }
  for (const user of state.users) {
    if (!panes.has(user.id)) panes.set(user.id, newPane("private", privates));
    panes.get(user.id).update(privateView(user));
  }
}

function makeChip(user) {
  const chip = h("button", { type: "button", class: "person-chip", dataset: { testid: "person-chip", user: user.id } },
    avatar(user.id, displayName(user)), h("span", { class: "badge", hidden: true, dataset: { testid: "badge" } }));
  chip.addEventListener("click", () => panes.get(user.id)?.element.scrollIntoView({ block: "nearest", behavior: "smooth" }));
  return chip;
}

/** Badges of the strip and the tabs: what waits in chats that nobody sees right now. */
function drawBadges() {
  fill(strip, state.users.map((user) => {
    if (!chips.has(user.id)) chips.set(user.id, makeChip(user));
    const chip = chips.get(user.id);
    chip.title = displayName(user);
    chip.setAttribute("aria-label", `Show the chat of ${displayName(user)}`);
    chip.classList.toggle("current", user.id === me);
    setBadge(chip.lastChild, panes.get(user.id).unread.size);
    return chip;
  }));
  setBadge(tabs.group.lastElementChild, groupPane?.unread.size ?? 0);
  setBadge(tabs.private.lastElementChild, panes.get(me)?.unread.size ?? 0);
}

function draw() {
  settle();
  body.dataset.stage = state.users.length === 0 && group === null ? "waiting" : "chats";
  const chat = state.chats.find((other) => other.id === group);
  if (chat && me !== null) {
    groupPane ??= newPane("group", column);
    groupPane.update(groupView(chat, personOf(me)));
  } else if (groupPane) {
    watcher.unobserve(groupPane.element);
    groupPane.remove();
    groupPane = null;
  }
  drawPrivates();
  drawBadges();
  controls.draw(state, me, Date.now() / 1000 + clockAhead, (user) => panes.get(user)?.unread.size ?? 0);
}

function showTab(name) {
  body.dataset.tab = name;
  for (const [key, tab] of Object.entries(tabs)) tab.setAttribute("aria-pressed", String(key === name));
}

function showAnswer(answer) {
  const person = personOf(answer.user);
  const own = actions.claimAnswer(answer.user);
  const byItself = state.autoplay.includes(answer.user) && answer.user !== me;
  if (answer.text) {
    if (byItself) notices.whisper(panes.get(answer.user), person, answer.text);
    else if (answer.alert) notices.alert(person, answer.text);
    else notices.toast(person, answer.text);
  }
  if (answer.url && own) actions.openUrl(answer.user, answer.url);
}

/** Show the answers that came since the last frame; those from before this page opened are past. */
function showAnswers() {
  const newest = state.answers.reduce((most, answer) => Math.max(most, answer.n), -1);
  if (lastAnswer === null || newest < lastAnswer) lastAnswer = newest;
  const fresh = state.answers.filter((answer) => answer.n > lastAnswer);
  lastAnswer = newest;
  if (fresh.length === 0) return;
  draw();
  fresh.forEach(showAnswer);
}

controls.listen(actions, schedule);
for (const [name, tab] of Object.entries(tabs)) tab.addEventListener("click", () => showTab(name));
showTab("group");
setInterval(schedule, CLOCK_REDRAW_MS);
document.addEventListener("visibilitychange", () => {
  for (const pane of [groupPane, ...panes.values()].filter(Boolean)) {
    watcher.unobserve(pane.element);
    watcher.observe(pane.element);
  }
});
follow((next) => {
  state = next;
  clockAhead = state.now - Date.now() / 1000;
  showAnswers();
  schedule();
}, controls.drawConnection);
