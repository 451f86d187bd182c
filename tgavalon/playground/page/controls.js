/**
 * The bar above the chats and the sheets behind it: who acts, who plays by itself, new people, the limits, the
 * clock, and the menu of one person. Says what is wanted through `actions`; draws what the state says.
 */

import { fill, h, setText } from "./dom.js";
import { hhmm } from "./message.js";
import { displayName, distinctName } from "./people.js";

const FOLLOW_MS = 300;
const id = (name) => document.getElementById(name);

const actAs = id("act-as");
const autoplay = id("autoplay");
const pace = id("pace");
const limits = id("limits");
const menu = id("person-menu");
const addPerson = id("add-person");

/** Switches that were just moved by hand: the state does not move them until it had time to follow. */
const held = new Set();

async function hold(control, act, redraw) {
  held.add(control);
  await act();
  setTimeout(() => {
    held.delete(control);
    redraw();
  }, FOLLOW_MS);
}

/** Wire the bar once. */
export function listen(actions, redraw) {
  actAs.addEventListener("change", () => actions.actAs(Number(actAs.value)));
  autoplay.addEventListener("change", () => hold(autoplay, () => actions.autoplayOthers(autoplay.checked), redraw));
  pace.addEventListener("change", () => autoplay.checked && actions.autoplayOthers(true));
  limits.indeterminate = true;
  limits.addEventListener("change", () => hold(limits, () => actions.setLimits(limits.checked), redraw));
  id("advance").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) actions.advanceClock(Number(button.dataset.seconds));
  });
  addPerson.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { first_name: name, language_code: language } = Object.fromEntries(new FormData(addPerson));
    if (await actions.addPerson(name, language.trim().toLowerCase())) addPerson.reset();
  });
}

/** Seconds between two moves of a person who plays by itself. */
export function chosenPace() {
  return Number(pace.value);
}

/** Draw the bar from the state. `now`: the double's clock in Unix seconds. `unreadOf(user id)`: how many messages wait in that person's private chat. */
export function draw(state, me, now, unreadOf) {
  setText(id("bot-name"), state.bot.first_name ?? "Playground");
  document.title = `${state.bot.first_name ?? "Playground"} · playground`;
  drawPeople(state, me, unreadOf);
  if (!held.has(autoplay)) {
    autoplay.checked = state.users.some((user) => user.id !== me && state.autoplay.includes(user.id));
  }
  if (state.limits !== undefined && !held.has(limits)) {
    limits.indeterminate = false;
    limits.checked = state.limits;
  }
  setText(id("clock"), hhmm(now));
}

function drawPeople(state, me, unreadOf) {
  const labels = state.users.map((user) => {
    const waiting = unreadOf(user.id);
    return { value: String(user.id), text: distinctName(user, state.users) + (waiting ? ` · ${waiting} new` : "") };
  });
  const key = JSON.stringify(labels);
  if (actAs.dataset.shown !== key) {
    actAs.dataset.shown = key;
    const options = new Map([...actAs.options].map((option) => [option.value, option]));
    fill(actAs, labels.map(({ value, text }) => {
      const option = options.get(value) ?? h("option", { value });
      setText(option, text);
      return option;
    }));
  }
  if (me !== null && actAs.value !== String(me)) actAs.value = String(me);
}

/** Say whether the line to the server stands. */
export function drawConnection(online) {
  const node = id("connection");
  node.dataset.online = online;
  setText(node, online ? "connected" : "connecting…");
}

/** The items of a person's menu: label, what it does, name for tests. */
function menuItems(person, { me, group, inGroup, byItself }, actions) {
  const items = [];
  if (person.id !== me) items.push(["act-as", "Act as this person", () => actions.actAs(person.id)]);
  items.push(byItself
    ? ["by-hand", "Play by hand", () => actions.autoplayOne(person.id, false)]
    : ["by-itself", "Play automatically", () => actions.autoplayOne(person.id, true)]);
  if (group !== null) {
    items.push(inGroup
      ? ["leave", "Leave the group", () => actions.leave(person.id, group)]
      : ["join", "Join the group", () => actions.join(person.id, group)]);
  }
  items.push(person.blocked
    ? ["unblock", "Unblock the bot", () => actions.unblock(person.id)]
    : ["block", "Block the bot", () => actions.block(person.id)]);
  return items;
}

/** Open the menu of `person` beside `anchor`. */
export function openMenu(person, situation, anchor, actions) {
  menu.dataset.user = person.id;
  menu.replaceChildren(
    h("h2", {}, h("bdi", {}, displayName(person))),
    ...menuItems(person, situation, actions).map(([name, label, act]) => h("button", {
      type: "button", dataset: { testid: `menu-${name}` },
      on: { click: () => { menu.hidePopover(); act(); } },
    }, label)));
  menu.showPopover();
  const { right, bottom } = anchor.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, right - width)}px`;
  menu.style.top = `${Math.max(8, Math.min(bottom + 4, innerHeight - height - 8))}px`;
  menu.querySelector("button").focus();
}
