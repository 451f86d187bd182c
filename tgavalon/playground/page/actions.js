/**
 * What the page asks of the control side, each with its refusal shown to the one who asked. Nothing here draws.
 */

import { chosenPace } from "./controls.js";
import { post } from "./control.js";
import * as notices from "./notices.js";

const PRESS_LINGER_MS = 200;

/** Build the actions. `page`: {state(), me(), group(), personOf(id), choose(user), reveal(user), showTopic(topic), openMenu(user, anchor), setClock(seconds), redraw()}. */
export function makeActions(page) {
  const presses = new Map();
  const expected = new Map();

  /** Post; true when it was done, false (and shown) when it was refused. */
  async function attempt(user, verb, body) {
    try {
      await post(verb, body);
      return true;
    } catch (error) {
      notices.complain(page.personOf(user), error);
      return false;
    }
  }

  const others = (except) => page.state().users.map((user) => user.id).filter((user) => user !== except);

  async function autoplayOthers(on) {
    const me = page.me();
    await attempt(me, "autoplay", { users: others(me), on, pace: chosenPace() });
    if (on) await attempt(me, "autoplay", { users: [me], on: false });
  }

  async function press(user, chat, message, data) {
    const key = JSON.stringify([user, chat, message, data]);
    if (presses.has(key)) return;
    presses.set(key, { user, chat, message_id: message, data });
    expected.set(user, (expected.get(user) ?? 0) + 1);
    page.redraw();
    const taken = await attempt(user, "press", { user, chat, message_id: message, data });
    if (!taken) expected.set(user, expected.get(user) - 1);
    // The state that lists the press as pending may come a moment after the answer to the POST.
    setTimeout(() => {
      presses.delete(key);
      page.redraw();
    }, taken ? PRESS_LINGER_MS : 0);
  }

  /** Whether an address leads to this bot. */
  function isBotLink(address) {
    if (!URL.canParse(address)) return isBotLink(`https://${address}`) && !address.includes(":");
    const { protocol, hostname, pathname, searchParams } = new URL(address);
    const bot = page.state().bot.username.toLowerCase();
    if (protocol === "tg:") return searchParams.get("domain")?.toLowerCase() === bot;
    return ["t.me", "telegram.me"].includes(hostname) && pathname.slice(1).toLowerCase() === bot;
  }

  async function openUrl(user, url) {
    if (!isBotLink(url)) {
      if (/^https?:/i.test(url)) window.open(url, "_blank", "noopener,noreferrer");
      return;
    }
    const toGroup = /[?&]startgroup/.test(url);
    const opened = await attempt(user, "open", toGroup ? { user, url, chat: page.group() } : { user, url });
    if (opened && !toGroup) page.reveal(user);
  }

  return {
    botName: () => page.state().bot.username,
    isBotLink, openUrl, press, autoplayOthers,
    /** Presses made on this page that the state does not list yet. */
    presses: () => presses.values(),
    /** Whether the answer that came for this user belongs to a press made on this page; counts it off. */
    claimAnswer(user) {
      const waiting = expected.get(user) ?? 0;
      expected.set(user, Math.max(0, waiting - 1));
      return waiting > 0;
    },
    say: (user, chat, text, topic) => attempt(user, "say", { user, chat, text, topic }),
    async actAs(user) {
      const handedOver = page.state().autoplay.length > 0;
      page.choose(user);
      if (handedOver) await autoplayOthers(true);
    },
    autoplayOne: (user, on) => attempt(user, "autoplay", { users: [user], on, pace: chosenPace() }),
    start: (user) => attempt(user, "start", { user }),
    block: (user) => attempt(user, "block", { user }),
    unblock: (user) => attempt(user, "unblock", { user }),
    join: (user, chat) => attempt(user, "join", { user, chat }),
    leave: (user, chat) => attempt(user, "leave", { user, chat }),
    setLimits: (on) => attempt(page.me(), "limits", { on }),
    async advanceClock(seconds) {
      try {
        page.setClock((await post("clock", { advance: seconds })).now);
      } catch (error) {
        notices.complain(page.personOf(page.me()), error);
      }
    },
    async addPerson(name, language) {
      try {
        const handedOver = page.state().autoplay.length > 0;
        const user = await post("user", { first_name: name, ...(language ? { language_code: language } : {}) });
        if (page.group() !== null) await post("join", { user: user.id, chat: page.group() });
        if (handedOver) await post("autoplay", { users: [user.id], on: true, pace: chosenPace() });
        return true;
      } catch (error) {
        notices.complain(page.personOf(page.me()), error);
        return false;
      }
    },
    showTopic: page.showTopic,
    openMenu: page.openMenu,
  };
}
