/**
 * How a person is shown: name, avatar, language tag. Names are hostile until proven otherwise, so a name is
 * always its own bidi island and always text.
 */

import { h } from "./dom.js";

const COLOURS = 7;
const INVISIBLE = /[\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/gu;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** First and last name as they were given; a person whose name shows nothing is called by number. */
export function displayName(person) {
  const name = [person.first_name, person.last_name].filter(Boolean).join(" ");
  return name.replace(INVISIBLE, "") === "" ? `Nameless ${person.id}` : name;
}

/** The name, told apart from namesakes by @username or number. */
export function distinctName(person, people) {
  const name = displayName(person);
  const twins = people.some((other) => other.id !== person.id && displayName(other) === name);
  if (!twins) return name;
  return `${name} (${person.username ? `@${person.username}` : person.id})`;
}

/** One of seven colours, the same for a person everywhere, as Telegram gives them. */
export function colourClass(id) {
  return `c${Math.abs(id) % COLOURS}`;
}

/** A name as an isolated piece of text that cannot turn its surroundings around. */
export function nameNode(person, extraClass = "") {
  return h("bdi", { class: `name ${extraClass}` }, displayName(person));
}

function initial(name) {
  const visible = name.replace(/[\p{C}\p{Z}]/gu, "").replace(/^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u, "");
  const first = graphemes.segment(visible)[Symbol.iterator]().next();
  return first.done ? "?" : first.value.segment.toLocaleUpperCase();
}

/** A round picture with the first letter. */
export function avatar(id, name) {
  return h("span", { class: `avatar ${colourClass(id)}`, "aria-hidden": "true" }, initial(name));
}

/** The small tag with the language of a person's Telegram; nothing where it is unknown. */
export function languageTag(person) {
  if (!person.language_code) return null;
  return h("span", { class: "language", title: "Language of this person’s Telegram", dataset: { testid: "language" } },
    person.language_code);
}
