/**
 * Clients of a host as one process, so that their work is not the host's: each opens a WebSocket,
 * subscribes to one session, and looks at every frame. Takes orders from the process that started it.
 */
import type { ClientOrder, ClientReport, Watched } from "./client-load.ts";
import { clockMs, markedTime } from "./time-mark.ts";

function report(message: ClientReport): void {
  process.send?.(message);
}

/** One client. The numbers of its frames follow each other. */
class StreamClient {
  readonly subscribed = Promise.withResolvers<void>();
  readonly #onEnd: () => void;
  #last = 0;
  #turnsLeft = 0;
  frames = 0;
  gaps = 0;
  /** Of each piece of text, from its bridge to here, in ms. */
  latencies: number[] = [];

  constructor(order: Extract<ClientOrder, { order: "open" }>, session: string, onEnd: () => void) {
    this.#onEnd = onEnd;
    const headers = { authorization: `Bearer ${order.token}` };
    // The declarations are those of browsers, whose constructor takes no headers.
    const socket: WebSocket = Reflect.construct(WebSocket, [order.url, { headers }]);
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, cmd: "subscribe", s: session }));
    socket.onclose = ({ code, reason }) => report({ problem: `closed: ${code} ${reason}` });
    socket.onmessage = ({ data }) => this.#take(String(data));
  }

  /** Counts from here on, and up to the end of so many turns. */
  watch(turns: number): void {
    this.#turnsLeft = turns;
    this.frames = 0;
    this.latencies = [];
  }

  #take(text: string): void {
    // The numbers of a frame come before its data.
    const number = /^[^{]*\{[^{]*"q":(\d+)/.exec(text)?.[1];
    if (number !== undefined) this.#takeFrame(text, Number(number));
    else if (text.includes('"ok":true')) this.subscribed.resolve();
  }

  #takeFrame(text: string, number: number): void {
    if (this.#last > 0 && number !== this.#last + 1) this.gaps += 1;
    this.#last = number;
    this.frames += 1;
    if (text.includes('"status":"partial"')) this.#note(markedTime(text));
    else if (text.includes('"t":"turn_complete"')) this.#endTurn();
  }

  #note(time: number | undefined): void {
    if (time !== undefined) this.latencies.push(clockMs() - time);
  }

  #endTurn(): void {
    this.#turnsLeft -= 1;
    if (this.#turnsLeft === 0) this.#onEnd();
  }
}

let clients: readonly StreamClient[] = [];
let unfinished = 0;

function noteEnd(): void {
  unfinished -= 1;
  if (unfinished === 0) report({ watched: sumUp() });
}

function sumUp(): Watched {
  const sum = (of: (client: StreamClient) => number) =>
    clients.reduce((total, client) => total + of(client), 0);
  const latencies = clients.flatMap((client) => client.latencies).sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return {
    endedAt: clockMs(),
    frames: sum(({ frames }) => frames),
    pieces: latencies.length,
    gaps: sum(({ gaps }) => gaps),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: latencies.at(-1) ?? Number.NaN,
  };
}

async function obey(order: ClientOrder): Promise<void> {
  if (order.order === "watch") {
    unfinished = clients.length;
    for (const client of clients) client.watch(order.turns);
    report({ isReady: true });
    return;
  }
  clients = order.sessions.map((session) => new StreamClient(order, session, noteEnd));
  await Promise.all(clients.map(({ subscribed }) => subscribed.promise));
  report({ isReady: true });
}

process.on("message", (order: ClientOrder) => void obey(order));
