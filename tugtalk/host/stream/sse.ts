/** Server-sent events: the entries of a session, or the board, as one endless answer to a GET. */
import { badField } from "../api/api-error.ts";
import type { Frame, Outlet } from "../api/frame.ts";
import { type BoardSource, subscribeBoard } from "./board.ts";
import { eventBytes } from "./encoding.ts";
import { type After, type FrameSource, subscribe } from "./subscription.ts";
import { WaitingRoom } from "./waiting-room.ts";

/** How often a quiet stream says that it is alive. Bun must be told not to end it before. */
export const PING_MS = 15_000;

/** How much waits in this process for a client that does not read. */
const MAX_WAITING_BYTES = 256 * 1024;

const PING = new TextEncoder().encode(": ping\n\n");

type StreamOptions = {
  readonly pingMs?: number;
  /** The client reads too slowly: what is sent to it now may be lost. */
  readonly onCutOff?: () => void;
};

/** `GET /api/sessions/:id/events`. Throws an `ApiError` if `after` is none. */
export function sessionEvents(
  session: FrameSource,
  request: Request,
  options: StreamOptions = {},
): Response {
  const after = afterOf(request);
  return eventStream((outlet) => subscribe(session, after, outlet, () => outlet.close()), options);
}

/** `GET /api/events`. */
export function boardEvents(sessions: BoardSource, options: StreamOptions = {}): Response {
  return eventStream((outlet) => subscribeBoard(sessions, outlet), options);
}

/** A browser that connects again repeats the `after` of its URL, so its header counts more. */
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
  const { pingMs = PING_MS, onCutOff = () => {} } = options;
  let stop = () => {};
  let outlet: EventOutlet | undefined;
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    start(controller) {
      const opened = new EventOutlet(controller, { onClose: () => stop(), onCutOff });
      outlet = opened;
      const end = begin(opened);
      const ping = setInterval(() => opened.ping(), pingMs);
      stop = () => {
        clearInterval(ping);
        end();
      };
    },
    pull: () => outlet?.resume(),
    cancel: () => stop(),
  };
  const room = new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES });
  return new Response(new ReadableStream(source, room), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}

type EventOutletPorts = { readonly onClose: () => void; readonly onCutOff: () => void };

class EventOutlet implements Outlet {
  readonly #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  readonly #ports: EventOutletPorts;
  readonly #waiting = new WaitingRoom();

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
    ports: EventOutletPorts,
  ) {
    this.#controller = controller;
    this.#ports = ports;
  }

  send(frames: readonly Frame[]): boolean {
    this.#controller.enqueue(eventBytes(frames));
    return this.hasRoom;
  }

  onRoom(resume: () => void): void {
    this.#waiting.add(resume);
  }

  resume(): void {
    this.#waiting.resume(() => this.hasRoom);
  }

  ping(): void {
    if (this.hasRoom) this.#controller.enqueue(PING);
  }

  cutOff(): void {
    this.close();
    this.#ports.onCutOff();
  }

  /** What waits is still sent, if the client reads it. */
  close(): void {
    this.#ports.onClose();
    this.#controller.close();
  }

  get hasRoom(): boolean {
    return (this.#controller.desiredSize ?? 0) > 0;
  }
}
