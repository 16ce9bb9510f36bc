/** Server-sent events: the entries of a session, or the board, as one endless answer to a GET. */
import { badField } from "../api/api-error.ts";
import type { Frame, Outlet } from "../api/frame.ts";
import { type BoardSource, subscribeBoard } from "./board.ts";
import { DrainQueue } from "./drain-queue.ts";
import { eventBytes } from "./encoding.ts";
import type { OpenStreams } from "./open-streams.ts";
import { type After, type FrameSource, subscribe } from "./subscription.ts";

/** How often a quiet stream sends a sign of life. Bun's idle limit must be longer. */
export const PING_MS = 15_000;

/** How many bytes may wait in this process for a client that does not read. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * How many bytes Bun gets at once. It asks for more when the client has taken them, which shows whether the
 * client reads.
 */
const CHUNK_BYTES = 64 * 1024;

/**
 * The number of pings after which a client that reads none of its waiting bytes is cut off. A WebSocket may
 * leave Bun's pings unanswered for as long.
 */
const MAX_STUCK_PINGS = 4;

const PING = new TextEncoder().encode(": ping\n\n");

export type StreamOptions = {
  readonly pingMs?: number;
  readonly streams?: OpenStreams;
};

/** `GET /api/sessions/:id/events`. Rejects with an `ApiError` if `after` is invalid. */
export async function sessionEvents(
  session: FrameSource,
  request: Request,
  options: StreamOptions = {},
): Promise<Response> {
  const after = afterOf(request);
  // Rejects if the session cannot be read.
  await session.range();
  return eventStream((outlet) => subscribe(session, after, outlet, () => outlet.close()), options);
}

/** `GET /api/events`. */
export function boardEvents(sessions: BoardSource, options: StreamOptions = {}): Response {
  return eventStream((outlet) => subscribeBoard(sessions, outlet), options);
}

/**
 * The place to resume after. A browser that reconnects repeats the `after` of its URL, so its header takes
 * precedence.
 */
function afterOf(request: Request): After {
  const lastEventId = request.headers.get("last-event-id");
  if (lastEventId !== null) return parseAfter(lastEventId);
  const after = new URL(request.url).searchParams.get("after");
  if (after === null) return undefined;
  const parsed = parseAfter(after);
  if (parsed !== undefined) return parsed;
  throw badField("after", "must be 0 or <epoch>.<seq>, as in the id of an event");
}

function parseAfter(text: string): After {
  if (text === "0") return "start";
  const [, epoch, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return epoch === undefined ? undefined : { epoch: Number(epoch), seq: Number(seq) };
}

function eventStream(begin: (outlet: EventOutlet) => () => void, options: StreamOptions): Response {
  const { pingMs = PING_MS } = options;
  let stop = () => {};
  let outlet: EventOutlet | undefined;
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    start(controller) {
      const opened = new EventOutlet(controller, () => stop());
      outlet = opened;
      const end = begin(opened);
      const ping = setInterval(() => opened.ping(), pingMs);
      const uncount = options.streams?.add("events");
      stop = () => {
        uncount?.();
        clearInterval(ping);
        end();
      };
    },
    pull: () => outlet?.resume(),
    cancel: () => stop(),
  };
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

class EventOutlet implements Outlet {
  readonly #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  /** Called when the stream ends. */
  readonly #onStop: () => void;
  readonly #waiting = new DrainQueue();
  #unsent: Uint8Array<ArrayBuffer>[] = [];
  #unsentBytes = 0;
  /** Bun waits for the next chunk. */
  #isAsked = false;
  #isClosing = false;
  #stuckPings = 0;

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
    onStop: () => void,
  ) {
    this.#controller = controller;
    this.#onStop = onStop;
  }

  send(frames: readonly Frame[]): boolean {
    this.#sendBytes(eventBytes(frames));
    return this.hasRoom;
  }

  onRoom(resume: () => void, place?: "first" | "last"): void {
    this.#waiting.add(resume, place);
  }

  /** The client has taken the last chunk. */
  resume(): void {
    this.#isAsked = true;
    this.#stuckPings = 0;
    this.#flush();
    this.#waiting.resume(() => this.hasRoom);
  }

  /** Sends a ping. A client with waiting bytes needs none, and is cut off if it reads none of them. */
  ping(): void {
    if (this.#unsentBytes === 0) this.#sendBytes(PING);
    else if (this.#stuckPings >= MAX_STUCK_PINGS) this.cutOff();
    else this.#stuckPings += 1;
  }

  /** Closes the stream. The host's front proxy then closes the connection, which the client does not read. */
  cutOff(): void {
    this.#onStop();
    this.#controller.close();
  }

  /** Ends the stream. The waiting text is still sent if the client reads it. */
  close(): void {
    this.#onStop();
    this.#isClosing = true;
    this.#flush();
  }

  get hasRoom(): boolean {
    return this.#unsentBytes < MAX_WAITING_BYTES;
  }

  #sendBytes(bytes: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      this.#unsent.push(bytes.subarray(at, at + CHUNK_BYTES));
    this.#unsentBytes += bytes.length;
    this.#flush();
  }

  #flush(): void {
    if (this.#isAsked && this.#unsentBytes > 0) {
      this.#isAsked = false;
      this.#controller.enqueue(this.#nextChunk());
    }
    if (this.#isClosing && this.#unsentBytes === 0) this.#controller.close();
  }

  /** As many waiting bytes as fit into one chunk. */
  #nextChunk(): Uint8Array<ArrayBuffer> {
    let count = 0;
    let length = 0;
    for (const { length: bytes } of this.#unsent) {
      if (count > 0 && length + bytes > CHUNK_BYTES) break;
      count += 1;
      length += bytes;
    }
    this.#unsentBytes -= length;
    const [first = PING, ...others] = this.#unsent.splice(0, count);
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }
}
