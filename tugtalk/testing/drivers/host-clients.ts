/** Clients of the reference host for tests: server-sent events, and the WebSocket. */
import { addSnapshotPart, SNAPSHOT_PART, type SnapshotParts } from "../../client/snapshot-parts.ts";
import { Inbox } from "./inbox.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** An event of a stream, or a frame without an `id`. */
export type SentEvent = { readonly id?: string; readonly type: string; readonly data: Fields };

/** A frame of the WebSocket, or the answer to a command, which has `ok`. */
export type SocketFrame = {
  readonly s?: string;
  readonly e?: number;
  readonly q?: number;
  readonly t?: string;
  readonly d?: Fields;
  readonly id?: string;
  readonly ok?: boolean;
} & Fields;

const WAIT_LIMIT_MS = 25_000;

/** Waits for an item that fits. The error after the limit has the last other items. */
async function waitIn<Item>(inbox: Inbox<Item>, fits: (item: Item) => boolean): Promise<Item> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const last = inbox.received.slice(-5).map((item) => JSON.stringify(item).slice(0, 300));
    limit.reject(new Error(`nothing that fits; of ${inbox.received.length}: ${last.join("\n")}`));
  }, WAIT_LIMIT_MS);
  try {
    return await Promise.race([inbox.next(fits), limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** One connection for server-sent events, read as it comes. */
export class EventReader {
  readonly #inbox = new Inbox<SentEvent>();
  readonly #response: Response;
  readonly #end: AbortController;
  readonly #ended: Promise<void>;
  /** How many comments have come: the pings. */
  comments = 0;
  #parts: SnapshotParts = [];

  private constructor(response: Response, end: AbortController) {
    this.#response = response;
    this.#end = end;
    this.#ended = this.#read();
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
    const end = new AbortController();
    return new EventReader(await fetch(url, { headers, signal: end.signal }), end);
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  /** Everything received so far, in order. */
  get events(): readonly SentEvent[] {
    return this.#inbox.received;
  }

  /** The first event that fits, after those already returned. */
  next(fits: string | ((event: SentEvent) => boolean)): Promise<SentEvent> {
    const isWanted = typeof fits === "string" ? ({ type }: SentEvent) => type === fits : fits;
    return waitIn(this.#inbox, isWanted);
  }

  /** Resolves when the host has ended the stream, or `close` was called. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  close(): void {
    this.#end.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const chunk of this.#response.body ?? []) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // Ended by `close`, or with the host.
    }
    // A refusal is no stream.
    this.#inbox.end(new Error(["the stream ended first", rest].filter(Boolean).join(": ")));
  }

  #take(block: string): void {
    const lines = block.split("\n");
    const fieldOf = (name: string) =>
      lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
    const [id, type, data] = [fieldOf("id"), fieldOf("event"), fieldOf("data")];
    if (data === undefined) this.comments += 1;
    else if (type === undefined) throw new Error(`an event without a type: ${block}`);
    else if (type === SNAPSHOT_PART) this.#takePart(JSON.parse(data));
    else this.#inbox.add({ ...(id !== undefined && { id }), type, data: JSON.parse(data) });
  }

  #takePart(data: Fields): void {
    const { parts, snapshot } = addSnapshotPart(this.#parts, data);
    this.#parts = parts;
    if (snapshot !== undefined) this.#inbox.add({ type: "snapshot", data: snapshot });
  }
}

/** A WebSocket with the method of Bun that the declarations of browsers lack. */
type BunSocket = WebSocket & { terminate(): void };

/** Throws for an answer to a command that should not be so. */
type AnswerCheck = (cmd: string, answer: SocketFrame) => void;

/** One WebSocket. */
export class SocketClient {
  readonly #inbox = new Inbox<SocketFrame>();
  readonly #refusals = new Inbox<SocketFrame>();
  /** The commands that await their answer, by id. */
  readonly #waiting = new Map<unknown, PromiseWithResolvers<SocketFrame>>();
  readonly #socket: BunSocket;
  readonly #check: AnswerCheck;
  readonly #ended = Promise.withResolvers<number>();
  /** The parts of large snapshots, by session. */
  readonly #parts = new Map<string | undefined, SnapshotParts>();
  #commands = 0;

  private constructor(socket: BunSocket, check: AnswerCheck) {
    this.#socket = socket;
    this.#check = check;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)));
    socket.onclose = ({ code }) => this.#end(code);
  }

  /** Rejects if the upgrade is refused. */
  static open(
    url: string,
    headers: Readonly<Record<string, string>>,
    check: AnswerCheck = () => {},
  ): Promise<SocketClient> {
    // The declarations describe the constructor of browsers, which takes no headers.
    const options = [url.replace(/^http/, "ws"), { headers }];
    const socket: BunSocket = Reflect.construct(WebSocket, options);
    const client = new SocketClient(socket, check);
    return new Promise((resolve, reject) => {
      socket.onopen = () => resolve(client);
      socket.onerror = () => reject(new Error("the upgrade was refused"));
    });
  }

  /** The frames received so far, in order, without the answers to commands. */
  get frames(): readonly SocketFrame[] {
    return this.#inbox.received;
  }

  /** The first frame that fits, after those already returned. */
  next(fits: string | ((frame: SocketFrame) => boolean)): Promise<SocketFrame> {
    const isWanted = typeof fits === "string" ? ({ t }: SocketFrame) => t === fits : fits;
    return waitIn(this.#inbox, isWanted);
  }

  /** The next answer without an `id`, to a line that was no command. */
  nextRefusal(): Promise<SocketFrame> {
    return waitIn(this.#refusals, () => true);
  }

  /** Gives a command; resolves with its answer. */
  async run(cmd: string, fields: Fields = {}): Promise<SocketFrame> {
    const id = `command-${this.#commands++}`;
    const answer = Promise.withResolvers<SocketFrame>();
    this.#waiting.set(id, answer);
    this.sendRaw(JSON.stringify({ id, cmd, ...fields }));
    const given = await answer.promise;
    this.#check(cmd, given);
    return given;
  }

  sendRaw(text: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(text);
  }

  /** Resolves with the code when the socket is closed. */
  get ended(): Promise<number> {
    return this.#ended.promise;
  }

  /** The connection breaks off without a word. */
  kill(): void {
    this.#socket.terminate();
  }

  close(): void {
    this.#socket.close();
  }

  #take(frame: SocketFrame): void {
    if (frame.t === SNAPSHOT_PART) this.#takePart(frame);
    else if (frame.ok === undefined) this.#inbox.add(frame);
    else if (this.#waiting.has(frame.id)) this.#waiting.get(frame.id)?.resolve(frame);
    else this.#refusals.add(frame);
  }

  #takePart({ s, d }: SocketFrame): void {
    const { parts, snapshot } = addSnapshotPart(this.#parts.get(s) ?? [], d);
    this.#parts.set(s, parts);
    if (snapshot !== undefined)
      this.#inbox.add({ ...(s !== undefined && { s }), t: "snapshot", d: snapshot });
  }

  #end(code: number): void {
    const error = new Error(`the socket was closed with ${code}`);
    this.#ended.resolve(code);
    this.#inbox.end(error);
    this.#refusals.end(error);
    for (const answer of this.#waiting.values()) answer.reject(error);
  }
}

const PROMPTS = ["control_request_forward", "elicitation_request", "dialog_request"];

/** Whether an entry of this type opens a prompt. */
export function isPromptType(type: string): boolean {
  return PROMPTS.includes(type);
}
