/**
 * One client's place in the journal of one session. It is pulled: while the client has room it gets what is
 * committed as it comes; a client that lags is given the next piece of the journal when it has room again.
 * So a slow client costs no memory, and nobody sees a hole or a frame twice.
 */
import type { Cursor, ResumeVerdict } from "../../client/host-api.ts";
import { charsOf, entryFrame, type Frame, type Outlet } from "../api/frame.ts";
import type { HostSession } from "../api/host-session.ts";
import { snapshotFrames } from "./snapshot-frames.ts";

/** How far a client may fall behind what is committed before it is cut off, in characters. */
export const MAX_UNREAD_CHARS = 8 * 1024 * 1024;

/** How much of the journal is read at once. */
const PIECE_CHARS = 128 * 1024;

/** What a subscription needs of a session. */
export type FrameSource = Pick<
  HostSession,
  "id" | "snapshot" | "start" | "cursor" | "entriesAfter" | "listen"
>;

/** The entries to begin after: `start` is before the first one that is kept; without it, a snapshot. */
export type After = Cursor | "start" | undefined;

/**
 * Sends the verdict, after a gap the snapshot, and then every entry. Gives the way to end it. Calls
 * `onDeleted` when it has sent that the session is deleted.
 */
export function subscribe(
  source: FrameSource,
  after: After,
  outlet: Outlet,
  onDeleted: () => void = () => {},
): () => void {
  const subscription = new Subscription(source, outlet, onDeleted);
  try {
    subscription.begin(after);
  } catch (error) {
    subscription.end();
    throw error;
  }
  return () => subscription.end();
}

class Subscription {
  readonly #source: FrameSource;
  readonly #outlet: Outlet;
  readonly #onDeleted: () => void;
  readonly #stopListening: () => void;
  /** The last entry that was sent. */
  #cursor: Cursor;
  /** Everything that is committed has been sent, and there is room. */
  #isLive = false;
  /** What was committed while it was not live, less what was read from the journal since. */
  #unreadChars = 0;
  #isEnded = false;

  constructor(source: FrameSource, outlet: Outlet, onDeleted: () => void) {
    this.#source = source;
    this.#outlet = outlet;
    this.#onDeleted = onDeleted;
    this.#cursor = source.cursor();
    this.#stopListening = source.listen((frames) => this.#guard(() => this.#onCommit(frames)));
  }

  /** Throws what the session throws. */
  begin(after: After): void {
    // Each snapshot waits until the one before it is read: all at once they might be too much.
    if (this.#outlet.hasRoom) this.#begin(after);
    else this.#outlet.onRoom(() => this.#guard(() => this.#begin(after)));
  }

  end(): void {
    this.#isEnded = true;
    this.#stopListening();
  }

  #begin(after: After): void {
    const from = after === "start" ? this.#source.start() : after;
    if (from === undefined || !this.#isKept(from)) {
      this.#sendSnapshot();
      return;
    }
    this.#cursor = from;
    this.#send([this.#verdict("ok")]);
  }

  #isKept({ epoch, seq }: Cursor): boolean {
    const start = this.#source.start();
    const end = this.#source.cursor();
    return epoch === end.epoch && seq >= start.seq && seq <= end.seq;
  }

  #sendSnapshot(): void {
    const snapshot = this.#source.snapshot();
    // Otherwise one snapshot would follow the other for ever.
    if (!this.#isKept(snapshot.cursor))
      throw new Error("the journal does not go on from its state");
    this.#cursor = snapshot.cursor;
    this.#unreadChars = 0;
    const frames = snapshotFrames(this.#source.id, JSON.stringify(snapshot));
    const { value: first } = frames.next();
    this.#outlet.send([this.#verdict("gap"), ...(first === undefined ? [] : [first])]);
    this.#sendParts(frames);
  }

  /** One snapshot after the other: whoever waits for room to begin holds none yet. */
  #sendParts(frames: Iterator<Frame>): void {
    while (this.#outlet.hasRoom && !this.#isEnded) {
      const { value: frame, done } = frames.next();
      if (done === true) {
        setImmediate(() => this.#readOn());
        return;
      }
      this.#outlet.send([frame]);
    }
    this.#outlet.onRoom(() => this.#guard(() => this.#sendParts(frames)), "first");
  }

  #verdict(result: ResumeVerdict["result"]): Frame {
    const verdict: ResumeVerdict = { result, from: this.#cursor };
    return { session: this.#source.id, type: "resume", data: JSON.stringify(verdict) };
  }

  /** Sends what is read from the journal, or precedes it, and reads on when there is room. */
  #send(frames: readonly Frame[]): void {
    // A turn of the event loop between two pieces: a long journal must not delay the other clients.
    if (this.#outlet.send(frames)) setImmediate(() => this.#readOn());
    else this.#outlet.onRoom(() => this.#readOn());
  }

  #readOn(): void {
    this.#guard(() => this.#sendPiece());
  }

  /** A client that cannot be served must not hurt the session or the other clients: it is cut off. */
  #guard(step: () => void): void {
    if (this.#isEnded) return;
    try {
      step();
    } catch {
      // The session was deleted or the connection closed; the client learns it when it comes back.
      this.#cutOff();
    }
  }

  #sendPiece(): void {
    const entries = this.#source.entriesAfter(this.#cursor, PIECE_CHARS);
    if (entries === "gap") {
      this.#sendSnapshot();
      return;
    }
    const last = entries.at(-1);
    this.#isLive = last === undefined;
    if (last === undefined) return;
    const frames = entries.map((entry) => entryFrame(this.#source.id, entry));
    this.#cursor = { epoch: last.epoch, seq: last.seq };
    this.#unreadChars = Math.max(0, this.#unreadChars - charsOf(frames));
    this.#send(frames);
  }

  #onCommit(frames: readonly Frame[]): void {
    if (!this.#isLive) this.#fallBehind(frames);
    else if (frames[0]?.cursor === undefined) this.#sendDeleted(frames);
    else if (follows(frames, this.#cursor)) this.#sendLive(frames);
    else {
      // Another epoch, or something that was read before it was announced: the journal knows.
      this.#isLive = false;
      this.#sendPiece();
    }
  }

  #sendLive(frames: readonly Frame[]): void {
    this.#cursor = frames.at(-1)?.cursor ?? this.#cursor;
    if (this.#outlet.send(frames)) return;
    this.#isLive = false;
    this.#outlet.onRoom(() => this.#readOn());
  }

  /** What is in no journal is the end of the session. */
  #sendDeleted(frames: readonly Frame[]): void {
    this.end();
    this.#outlet.send(frames);
    this.#onDeleted();
  }

  #fallBehind(frames: readonly Frame[]): void {
    this.#unreadChars += charsOf(frames);
    if (this.#unreadChars > MAX_UNREAD_CHARS) this.#cutOff();
  }

  #cutOff(): void {
    this.end();
    this.#outlet.cutOff();
  }
}

function follows([first]: readonly Frame[], cursor: Cursor): boolean {
  return first?.cursor?.epoch === cursor.epoch && first.cursor.seq === cursor.seq + 1;
}
