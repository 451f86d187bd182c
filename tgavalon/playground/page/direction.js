/**
 * The direction of a line of text: that of its first strong character outside isolates (rules P2 and P3 of the
 * Unicode bidirectional algorithm), left to right where there is none. Said aloud for every line because browsers
 * disagree with themselves here: with `unicode-bidi: plaintext` a line that starts with an isolated name may be
 * ordered one way and aligned the other.
 */

const STRONG_OR_ISOLATE = /[\p{L}\p{Nl}\u200E\u200F\u061C\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const ISOLATE_START = /[\u2066-\u2068]/;
const ISOLATE_END = "\u2069";

/** "rtl" or "ltr" for one line. */
export function lineDirection(line) {
  let depth = 0;
  for (const [character] of line.matchAll(STRONG_OR_ISOLATE)) {
    if (ISOLATE_START.test(character)) depth += 1;
    else if (character === ISOLATE_END) depth = Math.max(0, depth - 1);
    else if (depth === 0) return RIGHT_TO_LEFT.test(character) ? "rtl" : "ltr";
  }
  return "ltr";
}
