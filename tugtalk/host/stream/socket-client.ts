/** One client of the WebSocket: its name, its subscriptions and its running commands. */
import { ApiError } from "../api/api-error.ts";
import { type CommandRunner, TextBody } from "../api/command.ts";
import { answerOf } from "../api/error-answer.ts";
import type { Caller } from "../api/host-session.ts";
import { BOARD, type BoardSource, subscribeBoard } from "./board.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type CommandId, parseSocketCommand, type SocketCommand } from "./socket-command.ts";
import { type FrameSocket, SocketOutlet } from "./socket-outlet.ts";
import { type After, type FrameSource, subscribe } from "./subscription.ts";

const MAX_SUBSCRIPTIONS = 256;
const MAX_COMMANDS_UNDER_WAY = 64;

const PING = JSON.stringify({ t: "ping" });

/** The sessions that clients subscribe to. `get` throws an `ApiError` for an unknown session. */
export type StreamedSessions = BoardSource & {
  readonly seek: (id: string) => Promise<void>;
  readonly get: (id: string) => FrameSource;
};

export type ClientDeps = {
  readonly sessions: StreamedSessions;
  /** Starts the command before it returns, so that commands start in their order of arrival. */
  readonly run: CommandRunner;
  /** Gets errors that are mistakes of ours. */
  readonly report: (error: unknown) => void;
  readonly pingMs: number;
  readonly streams?: OpenStreams;
};

type RouteCommand = Extract<SocketCommand, { cmd: "run" }>;

export class SocketClient {
  readonly #deps: ClientDeps;
  readonly #outlet: SocketOutlet;
  readonly #ping: Timer;
  /** By session: the function that ends the subscription. */
  readonly #subscriptions = new Map<string, () => void>();
  readonly #uncount: (() => void) | undefined;
  #commandsUnderWay = 0;
  #isClosed = false;
  #caller: Caller;

  constructor(socket: FrameSocket, caller: Caller, deps: ClientDeps) {
    this.#deps = deps;
    this.#caller = caller;
    this.#outlet = new SocketOutlet(socket);
    this.#uncount = deps.streams?.add("websocket");
    this.#ping = setInterval(() => this.#sendPing(), deps.pingMs);
  }

  receive(message: string | Uint8Array): void {
    const parsed = parseSocketCommand(message);
    if ("refusal" in parsed) this.#refuse(parsed.id, parsed.refusal);
    else this.#handle(parsed.id, parsed.command);
  }

  /** The client has read all waiting frames. */
  drain(): void {
    this.#outlet.resume();
  }

  close(): void {
    this.#isClosed = true;
    this.#uncount?.();
    clearInterval(this.#ping);
    for (const end of this.#subscriptions.values()) end();
    this.#subscriptions.clear();
  }

  #handle(id: CommandId, command: SocketCommand): void {
    switch (command.cmd) {
      case "hello":
        this.#caller = { name: command.name };
        this.#send({ id, ok: true });
        break;
      case "subscribe":
        void this.#subscribe(id, command.session, command.after);
        break;
      case "unsubscribe":
        this.#unsubscribe(command.session);
        this.#send({ id, ok: true });
        break;
      case "run":
        void this.#run(id, command);
    }
  }

  /** Subscribes to a session in place of an earlier subscription, even of one that still begins. */
  async #subscribe(id: CommandId, session: string, after: After): Promise<void> {
    let isOver = false;
    let end = () => {
      isOver = true;
    };
    const place = () => end();
    try {
      const begin = await this.#subscriber(session, after, place);
      // Sent before the first frame.
      this.#send({ id, ok: true });
      if (isOver) return;
      end = begin();
      // The first frames may have cut the client off.
      if (this.#isClosed) end();
    } catch (error) {
      if (this.#subscriptions.get(session) === place) this.#subscriptions.delete(session);
      const { status, body } = answerOf(error);
      this.#send(answerTo(id, status, body));
      // A thrown error would end the host.
      if (!(error instanceof ApiError)) this.#deps.report(error);
    }
  }

  /** `place`: ends the subscription from now on. */
  async #subscriber(session: string, after: After, place: () => void): Promise<() => () => void> {
    const { sessions } = this.#deps;
    this.#unsubscribe(session);
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
      throw new ApiError(429, "too_many", `at most ${MAX_SUBSCRIPTIONS} subscriptions`);
    }
    this.#subscriptions.set(session, place);
    if (session === BOARD) return () => subscribeBoard(sessions, this.#outlet);
    await sessions.seek(session);
    const source = sessions.get(session);
    // Rejects if the session cannot be read.
    await source.range();
    return () => subscribe(source, after, this.#outlet);
  }

  #unsubscribe(session: string): void {
    this.#subscriptions.get(session)?.();
    this.#subscriptions.delete(session);
  }

  async #run(id: CommandId, { name, fields }: RouteCommand): Promise<void> {
    if (this.#commandsUnderWay >= MAX_COMMANDS_UNDER_WAY) {
      const message = `at most ${MAX_COMMANDS_UNDER_WAY} commands at a time`;
      this.#refuse(id, new ApiError(429, "too_many", message));
      return;
    }
    this.#commandsUnderWay += 1;
    const { status, body } = await this.#answer(name, fields);
    this.#commandsUnderWay -= 1;
    this.#send(answerTo(id, status, body));
  }

  /** Runs a command, and makes its text as a whole. That may fail after the command has succeeded. */
  async #answer(name: RouteCommand["name"], fields: RouteCommand["fields"]) {
    const { status, body } = await this.#deps.run(name, fields, this.#caller);
    if (!(body instanceof TextBody)) return { status, body };
    try {
      return { status, body: await body.fields() };
    } catch (error) {
      if (!(error instanceof ApiError)) this.#deps.report(error);
      return answerOf(error);
    }
  }

  #refuse(id: CommandId | undefined, { status, body }: ApiError): void {
    this.#send({ ...body, status, id: id ?? null, ok: false });
  }

  #send(message: object): void {
    this.#outlet.sendText(JSON.stringify(message));
  }

  /** A client with waiting frames needs no ping. */
  #sendPing(): void {
    if (this.#outlet.isRead) this.#outlet.sendText(PING);
  }
}

/**
 * The answer to a command. The id of a session is `s`, since `id` is the command's. A text has the fields
 * `contentType` and `text`. A refusal has its `status` of HTTP.
 */
function answerTo(id: CommandId, status: number, body: object): object {
  const { id: s, ...fields } = { id: undefined, ...body };
  if (status >= 400) return { ...fields, status, id, ok: false };
  return { ...fields, s, id, ok: true };
}
