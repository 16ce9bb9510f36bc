/**
 * Clients of a host in a process of their own, so that their work does not count as the host's. Each opens a
 * WebSocket, subscribes to one session, and reads every frame. `openClients` starts the process; the rest
 * runs in it.
 */
import { percentile, sum } from "./findings.ts";
import { clockMs, markedTime } from "./time-mark.ts";

/** The order for the process. */
type Order = {
  /** The URL of the WebSocket. */
  readonly url: string;
  readonly token: string;
  /** One session for each client. */
  readonly sessions: readonly string[];
  /** The number of turns of each client. */
  readonly turns: number;
};

/** The sum over all clients. */
export type Watched = {
  /** By the clock of time-mark.ts. */
  readonly endedAt: number;
  readonly frames: number;
  /** Pieces of text. */
  readonly pieces: number;
  /** The number of frames whose number does not follow the one before. */
  readonly gaps: number;
  /** From the bridge to the client. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Processor time for all their frames. */
  readonly cpuMs: number;
};

type Report = "ready" | { readonly watched: Watched } | { readonly problem: string };

export type StreamClients = {
  /** Resolves when every client has got the end of its turns. */
  readonly end: Promise<Watched>;
  readonly close: () => Promise<void>;
};

/**
 * Opens one client for each named session; a session that is named twice has two. Resolves when all are
 * subscribed.
 */
export async function openClients(
  host: { readonly url: string; readonly token: string },
  sessions: readonly string[],
  turns: number,
): Promise<StreamClients> {
  const ready = Promise.withResolvers<void>();
  const watched = Promise.withResolvers<Watched>();
  const fail = (problem: string) => {
    ready.reject(new Error(problem));
    watched.reject(new Error(problem));
  };
  // The promise may reject while nobody waits for it.
  watched.promise.catch(() => undefined);
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (report: Report) => {
      if (report === "ready") ready.resolve();
      else if ("watched" in report) watched.resolve(report.watched);
      else fail(report.problem);
    },
    onExit: () => fail("the clients have ended"),
  });
  const url = new URL("/ws", host.url.replace(/^http/, "ws")).href;
  child.send({ url, token: host.token, sessions, turns } satisfies Order);
  await ready.promise;
  return {
    end: watched.promise,
    close: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

function report(message: Report): void {
  process.send?.(message);
}

/** One client. The numbers of its frames follow each other. */
class StreamClient {
  readonly subscribed = Promise.withResolvers<void>();
  readonly ended = Promise.withResolvers<void>();
  #last = 0;
  #turnsLeft: number;
  frames = 0;
  gaps = 0;
  /** The time of each piece of text from its bridge to here, in ms. */
  readonly delays: number[] = [];

  constructor({ url, token, turns }: Order, session: string) {
    this.#turnsLeft = turns;
    const headers = { authorization: `Bearer ${token}` };
    // The declarations are those of browsers, whose constructor takes no headers.
    const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }]);
    socket.onopen = () => socket.send(JSON.stringify({ id: 1, cmd: "subscribe", s: session }));
    socket.onclose = ({ code, reason }) => report({ problem: `closed: ${code} ${reason}` });
    socket.onmessage = ({ data }) => this.#take(String(data));
  }

  #take(text: string): void {
    // The numbers of a frame come before its data.
    const number = /^[^{]*\{[^{]*"q":(\d+)/.exec(text)?.[1];
    if (number !== undefined) this.#takeFrame(text, Number(number));
    // The snapshot has been read by then: all later entries come as frames.
    else if (text.includes('"t":"resume"')) this.subscribed.resolve();
  }

  #takeFrame(text: string, number: number): void {
    if (this.#last > 0 && number !== this.#last + 1) this.gaps += 1;
    this.#last = number;
    this.frames += 1;
    if (text.includes('"status":"partial"')) this.#takePiece(markedTime(text));
    else if (text.includes('"t":"turn_complete"')) this.#endTurn();
  }

  #takePiece(time: number | undefined): void {
    if (time !== undefined) this.delays.push(clockMs() - time);
  }

  #endTurn(): void {
    this.#turnsLeft -= 1;
    if (this.#turnsLeft === 0) this.ended.resolve();
  }
}

async function run(order: Order): Promise<void> {
  const clients = order.sessions.map((session) => new StreamClient(order, session));
  await Promise.all(clients.map(({ subscribed }) => subscribed.promise));
  const spent = process.cpuUsage();
  report("ready");
  await Promise.all(clients.map(({ ended }) => ended.promise));
  const { user, system } = process.cpuUsage(spent);
  const delays = clients.flatMap((client) => client.delays);
  const watched = {
    endedAt: clockMs(),
    frames: sum(clients.map(({ frames }) => frames)),
    pieces: delays.length,
    gaps: sum(clients.map(({ gaps }) => gaps)),
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    maxMs: percentile(delays, 1),
    cpuMs: (user + system) / 1000,
  };
  report({ watched });
}

if (import.meta.main) process.on("message", (order: Order) => void run(order));
