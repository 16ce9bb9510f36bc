/** Sessions in memory behind a real port, for tests of frames. */
import type { SessionInfo } from "../../../../client/host-api.ts";
import type { OpenPrompt } from "../../../../client/prompt-models.ts";
import { ApiError } from "../../../api/api-error.ts";
import type { CommandRunner } from "../../../api/command.ts";
import type { Frame } from "../../../api/frame.ts";
import { type SocketData, type SocketDeps, socketHandlers } from "../../socket.ts";
import type { StreamedSessions } from "../../socket-client.ts";
import { boardEvents, sessionEvents } from "../../sse.ts";
import { FakeSession } from "./fake-session.ts";

export class FakeSessions implements StreamedSessions {
  readonly sessions = new Map<string, FakeSession>();
  readonly #listeners = new Set<(frame: Frame) => void>();

  add(id: string): FakeSession {
    const session = new FakeSession(id);
    this.sessions.set(id, session);
    return session;
  }

  async seek(): Promise<void> {}

  get(id: string): FakeSession {
    const session = this.sessions.get(id);
    if (session === undefined) throw new ApiError(404, "unknown_session", "no such session");
    return session;
  }

  list(): readonly SessionInfo[] {
    return [...this.sessions.values()].map(({ id, prompts }) => ({
      ...INFO,
      id,
      pending: prompts.length,
    }));
  }

  openPrompts(id: string): readonly OpenPrompt[] {
    return this.get(id).prompts;
  }

  listen(onFrame: (frame: Frame) => void): () => void {
    this.#listeners.add(onFrame);
    return () => this.#listeners.delete(onFrame);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Sends an event to the listeners of all sessions. */
  announce(session: string, type: string, data: object): void {
    const frame = { session, type, data: JSON.stringify({ sessionId: session, ...data }) };
    for (const listener of [...this.#listeners]) listener(frame);
  }
}

const INFO = {
  place: "local",
  dir: "/work",
  title: "",
  state: "idle",
  queued: 0,
  cost_usd: 0,
  created_at: 1,
  updated_at: 1,
} as const;

export type StreamServer = {
  readonly sessions: FakeSessions;
  readonly port: number;
  /** The number of open WebSockets. */
  readonly sockets: number;
  /** `http://…` without a final `/`. */
  readonly url: string;
};

const clients: { close(): void }[] = [];
const servers: { stop(isAtOnce: boolean): Promise<void> }[] = [];

/** Lets `endStreams` close a client. */
export function kept<Client extends { close(): void }>(client: Client): Client {
  clients.push(client);
  return client;
}

/** Ends every server and every kept client. */
export async function endStreams(): Promise<void> {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) await server.stop(true);
}

export type StreamServerOptions = {
  readonly run?: CommandRunner;
  readonly pingMs?: number;
};

/** Answers the paths of the host. End it with `endStreams`. */
export function startStreamServer(options: StreamServerOptions = {}): StreamServer {
  const sessions = new FakeSessions();
  const run: CommandRunner = options.run ?? (async () => ({ status: 200, body: {} }));
  const report = (error: unknown) => console.error(error);
  const deps: SocketDeps = { sessions, run, report, ...options };
  const server = Bun.serve<SocketData>({
    hostname: "127.0.0.1",
    port: 0,
    websocket: socketHandlers(deps),
    fetch(request, bun) {
      bun.timeout(request, 0);
      const { pathname } = new URL(request.url);
      if (pathname === "/ws" && bun.upgrade(request, { data: { caller: {} } })) return undefined;
      const [, id] = /^\/api\/sessions\/(.*)\/events$/.exec(pathname) ?? [];
      return id === undefined ? boardEvents(sessions, options) : answerEvents(request, id);
    },
  });
  servers.push(server);
  const port = server.port ?? Number.NaN;
  return {
    sessions,
    port,
    get sockets() {
      return server.pendingWebSockets;
    },
    url: `http://127.0.0.1:${port}`,
  };

  async function answerEvents(request: Request, id: string): Promise<Response> {
    try {
      return await sessionEvents(sessions.get(id), request, options);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return Response.json(error.body, { status: error.status });
    }
  }
}
