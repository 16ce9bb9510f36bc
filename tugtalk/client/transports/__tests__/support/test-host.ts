/** A host for tests of transports: the door and the streams of the reference host, before one session in memory. */
import { ApiError, databaseAway } from "../../../../host/api/api-error.ts";
import { type CommandAnswer, type CommandRunner, TextBody } from "../../../../host/api/command.ts";
import { answerOf } from "../../../../host/api/error-answer.ts";
import type { Frame } from "../../../../host/api/frame.ts";
import type { Caller, HostSessions } from "../../../../host/api/host-session.ts";
import { OwnDoor } from "../../../../host/server/door.ts";
import { type Handler, openHandler } from "../../../../host/server/handler.ts";
import { type Serving, serve } from "../../../../host/server/serve.ts";
import { SignIn } from "../../../../host/server/sign-in.ts";
import { sitesOf } from "../../../../host/server/sites.ts";
import { FakeSession } from "../../../../host/stream/__tests__/support/fake-session.ts";
import { OpenStreams } from "../../../../host/stream/open-streams.ts";
import { socketHandlers } from "../../../../host/stream/socket.ts";
import type { Fields } from "../../../claude-value.ts";
import { openHttpTransport } from "../../http-transport.ts";
import type { HostAddress, Transport } from "../../transport.ts";
import { openWebSocketTransport } from "../../web-socket-transport.ts";

const TOKEN = "token-of-the-tests";

export const CLIENT_NAME = "desk ✓";

export const WAYS = ["web socket", "http"] as const;
export type Way = (typeof WAYS)[number];

/** A command that the host was given. */
export type GivenCommand = {
  readonly name: string;
  readonly fields: Fields;
  readonly caller: Caller;
};

export class TestHost {
  readonly session = new FakeSession("one");
  readonly given: GivenCommand[] = [];
  isDeleted = false;
  /** Its database: no session can be subscribed to. */
  isAway = false;
  onRefused = () => {};
  readonly #sessions: HostSessions;
  readonly #board = new Set<(frame: Frame) => void>();
  #serving: Serving;

  constructor() {
    const sessions = {
      get: (id: string) => this.#find(id),
      seek: async () => {},
      list: () => [],
      listen: (listener: (frame: Frame) => void) => {
        this.#board.add(listener);
        return () => this.#board.delete(listener);
      },
    };
    // Nothing else is reached, since commands are run here.
    this.#sessions = sessions as unknown as HostSessions;
    this.#serving = this.#serve(0);
  }

  get port(): number {
    return this.#serving.port;
  }

  get address(): HostAddress {
    const url = `http://127.0.0.1:${this.port}`;
    return { url, token: TOKEN, clientName: CLIENT_NAME };
  }

  open(way: Way): Transport {
    switch (way) {
      case "web socket":
        return openWebSocketTransport(this.address);
      case "http":
        return openHttpTransport(this.address);
    }
  }

  /** Sends a message to the subscribers of the board. */
  announce(type: string): void {
    for (const listener of [...this.#board])
      listener({ session: this.session.id, type, data: JSON.stringify({ sessionId: "one" }) });
  }

  /** Cuts every connection. */
  stop(): Promise<void> {
    return this.#serving.close();
  }

  /** Listens again, where it did before. */
  start(): void {
    this.#serving = this.#serve(this.#serving.port);
  }

  async restart(): Promise<void> {
    await this.stop();
    this.start();
  }

  #serve(port: number): Serving {
    return serve({
      port,
      openHandler: (taken) => ({ answer: this.#handler(taken), isSignedIn: () => true }),
      websocket: socketHandlers({ sessions: this.#sessions, run: this.#run, report }),
    });
  }

  #handler(port: number): Handler {
    return openHandler({
      sessions: this.#sessions,
      runCommand: this.#run,
      signIn: new SignIn(new OwnDoor({ token: TOKEN, codeKey: "key", now: Date.now }), port),
      page: async () => ({ version: "test", files: [] }),
      sites: sitesOf({ allowedHosts: [], publicUrls: [] }, port),
      isReady: () => true,
      metrics: () => "",
      openApi: async () => "{}",
      streams: new OpenStreams(),
      report,
    });
  }

  #find(id: string): FakeSession & ReturnType<HostSessions["get"]> {
    if (this.isAway) {
      this.onRefused();
      throw databaseAway();
    }
    if (id !== this.session.id || this.isDeleted)
      throw new ApiError(404, "unknown_session", `there is no session ${id}`);
    // A subscription uses only the parts that this fake has.
    return this.session as FakeSession & ReturnType<HostSessions["get"]>;
  }

  /** `health` is never answered. */
  readonly #run: CommandRunner = async (name, fields, caller): Promise<CommandAnswer> => {
    this.given.push({ name, fields, caller });
    if (name === "health") return new Promise<CommandAnswer>(() => {});
    if (name === "export") return { status: 200, body: exported(fields["format"]) };
    if (name === "approve")
      return answerOf(new ApiError(409, "already_resolved", "too late", { by: "phone" }));
    if (name === "message") return { status: 202, body: { status: "queued", position: 1 } };
    return { status: 200, body: { ...fields, title: "One" } };
  };
}

function report(error: unknown): void {
  throw error;
}

function exported(format: unknown): TextBody {
  return format === "json"
    ? new TextBody("application/json", '{"entries":[]}')
    : new TextBody("text/markdown", "# One");
}
