// The socket: connects, comes back after a loss with growing pauses, and says which of the two it is doing.

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];
const PING = 25000;

export function connect(url, { frame, state }) {
  let socket = null;
  let tries = 0;
  let timer = 0;
  let closed = false;

  function open() {
    clearTimeout(timer);
    state("connecting", 0);
    socket = new WebSocket(url);
    socket.addEventListener("open", () => {
      tries = 0;
      state("open", 0);
    });
    socket.addEventListener("message", (event) => frame(JSON.parse(event.data)));
    socket.addEventListener("close", lost);
  }

  function lost(event) {
    if (closed || event.target !== socket) return;
    const pause = PAUSES[Math.min(tries, PAUSES.length - 1)];
    tries += 1;
    state("offline", pause);
    timer = setTimeout(open, pause);
  }

  function again() {
    if (socket && socket.readyState <= WebSocket.OPEN) return;
    open();
  }

  addEventListener("online", again);
  addEventListener("pagehide", () => {
    closed = true;
    socket?.close();
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    closed = false;
    open();
  });
  setInterval(() => send({ type: "ping" }), PING);

  /** False when there is no connection: nothing was sent. */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  open();
  return { send, again };
}
