/**
 * One client's place in the journal of one session. It is pulled: while the client has room it gets each
 * entry as it is committed. A client that lags gets the next piece of the journal when it has room again. So
 * a slow client costs no memory, and no client sees a gap or a frame twice.
 */
import type { Cursor, ResumeVerdict } from "../../client/host-api.ts";
import { SESSION_DELETED } from "../../client/transports/subscriptions.ts";
import { isDatabaseAway } from "../api/error-answer.ts";
import { charsOf, entryFrame, type Frame, type Outlet } from "../api/frame.ts";
import type { HostSession } from "../api/host-session.ts";
import { follows, isAfter, LatestFrames } from "./latest-frames.ts";
import { snapshotFrames } from "./snapshot-frames.ts";

/** How far a client may fall behind the committed entries before it is cut off, in characters. */
export const MAX_UNREAD_CHARS = 8 * 1024 * 1024;

/** The size of one read of the journal. */
const PIECE_CHARS = 128 * 1024;

/** How long a lagging client waits before an unreachable journal is read again, in ms. */
const RETRY_MS = 500;

/** The methods of a session that a subscription uses. */
export type FrameSource = Pick<
  HostSession,
  "id" | "snapshot" | "range" | "entriesAfter" | "listen"
>;

/** The entries to begin after: `start` is before the first kept entry; without it, a snapshot. */
export type After = Cursor | "start" | undefined;

/**
 * Sends the verdict, after a gap the snapshot, and then every entry. Gives the function that ends it. Calls
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
  /** The last entry that was announced while the subscription was not live. */
  #announced: Cursor = { epoch: 0, seq: 0 };
  /** The verdict is sent. */
  #hasBegun = false;
  /** The frames that were announced while the subscription was not live. */
  readonly #latest = new LatestFrames(PIECE_CHARS);
  /** All committed entries have been sent, and there is room. */
  #isLive = false;
  /** The characters committed while the subscription was not live, less those read from the journal since. */
  #unreadChars = 0;
  #isEnded = false;

  constructor(source: FrameSource, outlet: Outlet, onDeleted: () => void) {
    this.#source = source;
    this.#outlet = outlet;
    this.#onDeleted = onDeleted;
    this.#stopListening = source.listen((frames) => this.#guard(() => this.#onCommit(frames)));
  }

  begin(after: After): void {
    // Each snapshot waits until the client has read the one before: all at once might be too much.
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
    // Another snapshot has taken the room, or the journal was trimmed meanwhile.
    if (!this.#outlet.hasRoom)
      return this.#outlet.onRoom(() => void this.#guard(() => this.#sendSnapshot()));
    if (end.epoch > snapshot.cursor.epoch) return this.#sendSnapshot();
    // Otherwise one snapshot would follow the other forever.
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

  /**
   * Sends the parts of a snapshot. Snapshots go one after the other: a subscription that waits for room to
   * begin holds none yet.
   */
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
    this.#hasBegun = true;
    const verdict: ResumeVerdict = { result, from: this.#cursor };
    return { session: this.#source.id, type: "resume", data: JSON.stringify(verdict) };
  }

  /** Sends frames from the journal or before it, and reads on when there is room. */
  #send(frames: readonly Frame[]): void {
    if (this.#isEnded) return;
    // A turn of the event loop between two pieces: a long journal must not delay the other clients.
    if (this.#outlet.send(frames)) setImmediate(() => this.#readOn());
    else this.#outlet.onRoom(() => this.#readOn());
  }

  #readOn(): void {
    void this.#guard(() => this.#sendPiece());
  }

  /** A client that cannot be served is cut off, without harm to the session or the other clients. */
  async #guard(act: () => void | Promise<void>): Promise<void> {
    if (this.#isEnded) return;
    try {
      await act();
    } catch (error) {
      if (this.#isEnded) return;
      // A client that has begun gets an event if its host is long without the database, and waits for it.
      if (isDatabaseAway(error) && this.#hasBegun) setTimeout(() => this.#readOn(), RETRY_MS);
      // The session was deleted or the connection closed. The client learns it when it reconnects.
      else this.#cutOff();
    }
  }

  async #sendPiece(): Promise<void> {
    if (this.#sendLatest()) return;
    const entries = await this.#source.entriesAfter(this.#cursor, PIECE_CHARS);
    if (this.#isEnded) return;
    if (entries === "gap") return this.#sendSnapshot();
    const last = entries.at(-1);
    if (last === undefined) {
      // Next come the entries that were announced during the read of the journal.
      if (isAfter(this.#announced, this.#cursor)) return this.#sendPiece();
      this.#goLive();
      return;
    }
    const frames = entries.map((entry) => entryFrame(this.#source.id, entry));
    this.#cursor = { epoch: last.epoch, seq: last.seq };
    this.#unreadChars = Math.max(0, this.#unreadChars - charsOf(frames));
    this.#send(frames);
  }

  /**
   * Sends the announced frames if they follow the last sent one, and gives whether they do. Without this, a
   * journal that answers late would never be read to its end.
   */
  #sendLatest(): boolean {
    const frames = this.#latest.after(this.#cursor);
    const last = frames.at(-1)?.cursor;
    if (last === undefined) return false;
    this.#goLive();
    this.#sendLive(frames, last);
    return true;
  }

  #goLive(): void {
    this.#latest.clear();
    this.#unreadChars = 0;
    this.#isLive = true;
  }

  #onCommit(frames: readonly Frame[]): void | Promise<void> {
    const last = frames.at(-1)?.cursor;
    if (last === undefined) return this.#sendNotice(frames);
    // If another host takes the session, the last entry may be announced again.
    if (!isAfter(last, this.#isLive ? this.#cursor : this.#announced)) return;
    if (!this.#isLive) {
      this.#announced = last;
      this.#latest.add(frames);
      return this.#fallBehind(frames);
    }
    if (follows(frames, this.#cursor)) return this.#sendLive(frames, last);
    // Another epoch, or a gap before the frame: the journal has the missing entries.
    this.#isLive = false;
    return this.#sendPiece();
  }

  #sendLive(frames: readonly Frame[], last: Cursor): void {
    this.#cursor = last;
    if (this.#outlet.send(frames)) return;
    this.#isLive = false;
    this.#outlet.onRoom(() => this.#readOn());
  }

  /** Sends frames that are in no journal: the end of the session, or the state of its host. */
  #sendNotice(frames: readonly Frame[]): void {
    const isDeleted = frames.at(-1)?.type === SESSION_DELETED;
    if (!this.#hasBegun && !isDeleted) return;
    if (!this.#outlet.hasRoom)
      this.#outlet.onRoom(() => void this.#guard(() => this.#sendNotice(frames)));
    else if (isDeleted) this.#sendDeleted(frames);
    else if (this.#isLive) this.#sendLive(frames, this.#cursor);
    // The notice comes before the entries that are still to be read.
    else this.#outlet.send(frames);
  }

  #sendDeleted(frames: readonly Frame[]): void {
    if (this.#isLive) {
      this.end();
      this.#outlet.send(frames);
      this.#onDeleted();
    }
    // The rest of a deleted session cannot be read. The client learns of the end when it reconnects.
    else this.#cutOff();
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
