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
  "id" | "snapshot" | "range" | "entriesAfter" | "listen"
>;

/** The entries to begin after: `start` is before the first one that is kept; without it, a snapshot. */
export type After = Cursor | "start" | undefined;

/**
 * Sends the verdict, after a gap the snapshot, and then every entry. Gives the way to end it. Calls
 * `onDeleted` when it has sent that the session is deleted. A client that cannot be served is cut off.
 */
export function subscribe(
  source: FrameSource,
  after: After,
  outlet: Outlet,
  onDeleted: () => void = () => {},
): () => void {
  const subscription = new Subscription(source, outlet, onDeleted);
  subscription.begin(after);
  return () => subscription.end();
}

class Subscription {
  readonly #source: FrameSource;
  readonly #outlet: Outlet;
  readonly #onDeleted: () => void;
  readonly #stopListening: () => void;
  /** The last entry that was sent. */
  #cursor: Cursor = { epoch: 0, seq: 0 };
  /** The last entry that was announced. */
  #announced: Cursor | undefined;
  /** Everything that is committed has been sent, and there is room. */
  #isLive = false;
  /** What was committed while it was not live, less what was read from the journal since. */
  #unreadChars = 0;
  #isEnded = false;

  constructor(source: FrameSource, outlet: Outlet, onDeleted: () => void) {
    this.#source = source;
    this.#outlet = outlet;
    this.#onDeleted = onDeleted;
    this.#stopListening = source.listen((frames) => this.#guard(() => this.#onCommit(frames)));
  }

  begin(after: After): void {
    // Each snapshot waits until the one before it is read: all at once they might be too much.
    if (this.#outlet.hasRoom) void this.#guard(() => this.#begin(after));
    else this.#outlet.onRoom(() => void this.#guard(() => this.#begin(after)));
  }

  end(): void {
    this.#isEnded = true;
    this.#stopListening();
  }

  async #begin(after: After): Promise<void> {
    const from = after === "start" ? (await this.#source.range()).start : after;
    if (from === undefined || !(await this.#isKept(from))) return this.#sendSnapshot();
    this.#cursor = from;
    this.#send([this.#verdict("ok")]);
  }

  async #isKept({ epoch, seq }: Cursor): Promise<boolean> {
    const { start, end } = await this.#source.range();
    return epoch === end.epoch && seq >= start.seq && seq <= end.seq;
  }

  async #sendSnapshot(): Promise<void> {
    const snapshot = await this.#source.snapshot();
    const { start, end } = await this.#source.range();
    // Another one has taken the room, or the journal was trimmed meanwhile.
    if (!this.#outlet.hasRoom)
      return this.#outlet.onRoom(() => void this.#guard(() => this.#sendSnapshot()));
    if (end.epoch > snapshot.cursor.epoch) return this.#sendSnapshot();
    // Otherwise one snapshot would follow the other for ever.
    if (snapshot.cursor.seq < start.seq)
      throw new Error("the journal does not go on from its state");
    this.#cursor = snapshot.cursor;
    this.#unreadChars = 0;
    const frames = snapshotFrames(this.#source.id, JSON.stringify(snapshot));
    const { value: first } = frames.next();
    if (this.#isEnded) return;
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
    this.#outlet.onRoom(() => void this.#guard(() => this.#sendParts(frames)), "first");
  }

  #verdict(result: ResumeVerdict["result"]): Frame {
    const verdict: ResumeVerdict = { result, from: this.#cursor };
    return { session: this.#source.id, type: "resume", data: JSON.stringify(verdict) };
  }

  /** Sends what is read from the journal, or precedes it, and reads on when there is room. */
  #send(frames: readonly Frame[]): void {
    if (this.#isEnded) return;
    // A turn of the event loop between two pieces: a long journal must not delay the other clients.
    if (this.#outlet.send(frames)) setImmediate(() => this.#readOn());
    else this.#outlet.onRoom(() => this.#readOn());
  }

  #readOn(): void {
    void this.#guard(() => this.#sendPiece());
  }

  /** A client that cannot be served must not hurt the session or the other clients: it is cut off. */
  async #guard(act: () => void | Promise<void>): Promise<void> {
    if (this.#isEnded) return;
    try {
      await act();
    } catch {
      // The session was deleted or the connection closed; the client learns it when it comes back.
      if (!this.#isEnded) this.#cutOff();
    }
  }

  async #sendPiece(): Promise<void> {
    const entries = await this.#source.entriesAfter(this.#cursor, PIECE_CHARS);
    if (entries === "gap") return this.#sendSnapshot();
    const last = entries.at(-1);
    if (last === undefined) {
      // What was announced while the journal was read is read next.
      if (isAfter(this.#announced, this.#cursor)) return this.#sendPiece();
      this.#isLive = true;
      return;
    }
    const frames = entries.map((entry) => entryFrame(this.#source.id, entry));
    this.#cursor = { epoch: last.epoch, seq: last.seq };
    this.#unreadChars = Math.max(0, this.#unreadChars - charsOf(frames));
    this.#send(frames);
  }

  #onCommit(frames: readonly Frame[]): void | Promise<void> {
    const last = frames.at(-1)?.cursor;
    if (!this.#isLive) {
      this.#announced = last ?? this.#announced;
      return this.#fallBehind(frames);
    }
    if (last === undefined) return this.#sendDeleted(frames);
    if (follows(frames, this.#cursor)) return this.#sendLive(frames, last);
    // Another epoch, or something that was read before it was announced: the journal knows.
    this.#isLive = false;
    return this.#sendPiece();
  }

  #sendLive(frames: readonly Frame[], last: Cursor): void {
    this.#cursor = last;
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

/** Epochs ascend, too. */
function isAfter(one: Cursor | undefined, other: Cursor): boolean {
  if (one === undefined) return false;
  return one.epoch === other.epoch ? one.seq > other.seq : one.epoch > other.epoch;
}
