/**
 * The wire to the control side: one POST per verb, and the live state over a WebSocket that reconnects.
 * Knows nothing of what the page looks like.
 */

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 5000;

/** Ask for a verb. Resolves to its `result`; rejects with an Error that carries the server's words. */
export async function post(verb, body = {}) {
  const response = await fetch(`/control/${verb}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(answer.error ?? `${verb}: HTTP ${response.status}`);
  return answer.result;
}

/** Follow the state. `onState(state)` for each frame, `onOnline(bool)` when the line comes and goes. */
export function follow(onState, onOnline) {
  let retry = FIRST_RETRY_MS;
  const connect = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/control/live`);
    socket.addEventListener("open", () => {
      retry = FIRST_RETRY_MS;
      onOnline(true);
    });
    socket.addEventListener("message", (event) => onState(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      onOnline(false);
      setTimeout(connect, retry);
      retry = Math.min(retry * 2, LONGEST_RETRY_MS);
    });
  };
  connect();
}
