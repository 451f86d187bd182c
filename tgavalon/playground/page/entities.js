/**
 * (text, entities) → DOM. Offsets and lengths are UTF-16 code units, which is what JavaScript strings are made
 * of. Nesting is kept; entities that cross each other are split at the crossing.
 *
 * Every line is an element of its own with its own direction, as in Telegram; its newline stays in its text.
 */

import { lineDirection } from "./direction.js";
import { h } from "./dom.js";

const BLOCKS = new Set(["pre", "blockquote", "expandable_blockquote"]);
const SIMPLE_TAGS = { bold: "strong", italic: "em", underline: "u", strikethrough: "s", code: "code" };

/** A link that may be opened, as an absolute address; null for anything that is not plain web or mail. */
export function safeUrl(address) {
  const absolute = /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`;
  if (!URL.canParse(absolute)) return null;
  const url = new URL(absolute);
  return ["http:", "https:", "mailto:", "tg:"].includes(url.protocol) ? url.href : null;
}

function link(address, props) {
  const href = safeUrl(address);
  if (href === null) return h("span", props);
  return h("a", { ...props, href, target: "_blank", rel: "noopener noreferrer", title: href });
}

const inlineMakers = {
  // One that goes over several lines is several elements; only the first is a stop for the keyboard.
  spoiler: (props, entity, covered, first) => h("span", first
    ? { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Hidden text, press to show", dataset: { ...props.dataset, testid: "spoiler" } }
    : { ...props, class: "spoiler", "aria-hidden": "true" }),
  text_link: (props, entity) => link(entity.url ?? "", props),
  url: (props, entity, covered) => link(covered, props),
  email: (props, entity, covered) => link(`mailto:${covered}`, props),
  bot_command: (props, entity, covered) =>
    h("span", { ...props, class: "command", role: "button", tabindex: "0", dataset: { ...props.dataset, command: covered } }),
  mention: (props, entity, covered) => h("span", { ...props, class: "mention", dataset: { ...props.dataset, username: covered.slice(1) } }),
  text_mention: (props, entity) => h("span", { ...props, class: "mention", dataset: { ...props.dataset, user: entity.user?.id } }),
};

function inlineElement(entity, covered, first) {
  const props = { dataset: { entity: entity.type } };
  const make = inlineMakers[entity.type];
  return make ? make(props, entity, covered, first) : h(SIMPLE_TAGS[entity.type] ?? "span", props);
}

/** Append text[from, to) with its inline entities to `parent`. */
function appendInline(parent, text, from, to, entities) {
  const marks = entities
    .filter((entity) => entity.start < to && entity.end > from)
    .sort((a, b) => a.start - b.start || b.end - a.end || a.index - b.index);
  const cuts = new Set([from, to]);
  for (const mark of marks) cuts.add(Math.max(mark.start, from)).add(Math.min(mark.end, to));
  const points = [...cuts].sort((a, b) => a - b);
  let open = [];
  for (let i = 0; i + 1 < points.length; i += 1) {
    const [start, end] = [points[i], points[i + 1]];
    const active = marks.filter((mark) => mark.start <= start && mark.end >= end);
    let kept = 0;
    while (kept < open.length && open[kept].mark === active[kept]) kept += 1;
    open = open.slice(0, kept);
    for (const mark of active.slice(kept)) {
      const element = inlineElement(mark, text.slice(mark.start, mark.end), mark.start === start);
      (open.at(-1)?.element ?? parent).append(element);
      open.push({ mark, element });
    }
    (open.at(-1)?.element ?? parent).append(text.slice(start, end));
  }
}

function blockElement(entity) {
  const dataset = { entity: entity.type };
  if (entity.type === "pre") {
    return h("pre", { dataset: { ...dataset, language: entity.language || undefined } });
  }
  if (entity.type === "blockquote") return h("blockquote", { dataset });
  return h("blockquote", { class: "expandable", role: "button", tabindex: "0", "aria-expanded": "false", dataset });
}

/** Append text[from, to) line by line. */
function appendRun(parent, text, from, to, inline) {
  if (from >= to) return;
  const run = h("div", { class: "lines" });
  for (let start = from; start < to; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 || newline >= to ? to : newline + 1;
    const line = h("div", { class: "line-of-text", dir: lineDirection(text.slice(start, end)) });
    appendInline(line, text, start, end, inline);
    run.append(line);
    start = end;
  }
  parent.append(run);
}

/** Append text[from, to): quotes and code blocks stand on lines of their own, inline runs between them. */
function appendBlocks(parent, text, from, to, blocks, inline) {
  let cursor = from;
  const within = blocks.filter((block) => block.start >= from && block.end <= to);
  for (const block of within) {
    if (block.start < cursor) continue;
    appendRun(parent, text, cursor, block.start, inline);
    const element = blockElement(block);
    appendBlocks(element, text, block.start, block.end, within.filter((other) => other !== block), inline);
    parent.append(element);
    cursor = block.end;
    // The block already breaks the line; the newline that follows it in the text is that same break.
    if (cursor < to && text[cursor] === "\n") cursor += 1;
  }
  appendRun(parent, text, cursor, to, inline);
}

/** Render a message's text. Entities that cover nothing are dropped; ends beyond the text are clamped. */
export function renderText(text, entities = []) {
  const known = entities
    .map((entity, index) => ({
      ...entity, index,
      start: Math.max(0, entity.offset),
      end: Math.min(text.length, entity.offset + entity.length),
    }))
    .filter((entity) => entity.start < entity.end);
  const blocks = known.filter((entity) => BLOCKS.has(entity.type)).sort((a, b) => a.start - b.start || b.end - a.end);
  const inline = known.filter((entity) => !BLOCKS.has(entity.type));
  const fragment = document.createDocumentFragment();
  appendBlocks(fragment, text, 0, text.length, blocks, inline);
  return fragment;
}
