/** The process of stream-clients.ts, from the side of the benchmark that starts it. */
import { join } from "node:path";

export type ClientOrder =
  | {
      readonly order: "open";
      /** Of the WebSocket. */
      readonly url: string;
      readonly token: string;
      /** One for each client. */
      readonly sessions: readonly string[];
    }
  | { readonly order: "watch"; readonly turns: number };

/** What all clients have got together, up to the end of the turns that were watched. */
export type Watched = {
  /** By the clock of time-mark.ts. */
  readonly endedAt: number;
  readonly frames: number;
  /** Of text. */
  readonly pieces: number;
  /** Frames whose number does not follow the one before. */
  readonly gaps: number;
  /** From the bridge to the client. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

export type ClientReport =
  | { readonly isReady: true }
  | { readonly watched: Watched }
  | { readonly problem: string };

export type ClientLoad = {
  readonly pid: number;
  /** Counts from here on; the result comes when every client has seen the end of so many turns. */
  readonly watch: (turns: number) => Promise<{ readonly end: Promise<Watched> }>;
  readonly close: () => Promise<void>;
};

/** Opens one client for each session that is named; one that is named twice has two. */
export async function openClients(
  host: { readonly url: string; readonly token: string },
  sessions: readonly string[],
): Promise<ClientLoad> {
  let ready = Promise.withResolvers<void>();
  let watched = Promise.withResolvers<Watched>();
  const fail = (problem: string) => {
    ready.reject(new Error(problem));
    watched.reject(new Error(problem));
  };
  // Nobody may be waiting for it when it fails.
  watched.promise.catch(() => undefined);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "stream-clients.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (report: ClientReport) => {
      if ("isReady" in report) ready.resolve();
      else if ("watched" in report) watched.resolve(report.watched);
      else fail(report.problem);
    },
    onExit: () => fail("the clients have ended"),
  });
  const send = async (order: ClientOrder) => {
    ready = Promise.withResolvers();
    child.send(order);
    await ready.promise;
  };
  const url = new URL("/ws", host.url.replace(/^http/, "ws")).href;
  await send({ order: "open", url, token: host.token, sessions });
  return {
    pid: child.pid,
    watch: async (turns) => {
      watched = Promise.withResolvers();
      watched.promise.catch(() => undefined);
      await send({ order: "watch", turns });
      return { end: watched.promise };
    },
    close: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
