/** The subscriptions of one transport, each with its place in the journal. */
import { isFields, numberOf, objectOf } from "../claude-value.ts";
import type { Cursor } from "../host-api.ts";
import type { HostFrame } from "../session-input.ts";
import { addSnapshotPart, SNAPSHOT_PART, type SnapshotParts } from "../snapshot-parts.ts";
import { ALL_SESSIONS, type CommandError, type SubscribeOptions } from "./transport.ts";

/** The last frame of a session. */
export const SESSION_DELETED = "session_deleted";

/** One subscription, from `subscribe` until it is ended, refused or replaced, or its session is deleted. */
export class Subscription {
  readonly session: string;
  #after: Cursor | 0 | undefined;
  #isOver = false;
  #parts: SnapshotParts = [];
  readonly #onFrame: (frame: HostFrame) => void;
  readonly #onRefused: ((error: CommandError) => void) | undefined;

  constructor(
    session: string,
    { after, onRefused }: SubscribeOptions,
    onFrame: (frame: HostFrame) => void,
  ) {
    this.session = session;
    this.#after = after;
    this.#onFrame = onFrame;
    this.#onRefused = onRefused;
  }

  /** Where a new connection goes on. */
  get after(): Cursor | 0 | undefined {
    return this.#after;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The parts of a snapshot are delivered as the snapshot. */
  deliver(sent: HostFrame): void {
    const frame = this.#isOver ? undefined : this.#joined(sent);
    if (frame === undefined) return;
    this.#after = cursorAfter(frame) ?? this.#after;
    this.#isOver = frame.t === SESSION_DELETED && this.session !== ALL_SESSIONS;
    this.#onFrame({ ...frame, s: this.session });
  }

  end(): void {
    this.#isOver = true;
    this.#parts = [];
  }

  refuse(error: CommandError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onRefused?.(error);
  }

  /** Undefined for a part that is not the last one. */
  #joined(frame: HostFrame): HostFrame | undefined {
    if (frame.t !== SNAPSHOT_PART) return frame;
    const { parts, snapshot } = addSnapshotPart(this.#parts, frame.d);
    this.#parts = parts;
    return snapshot && { ...frame, t: "snapshot", d: snapshot };
  }
}

/** At most one subscription to each session. */
export class Subscriptions {
  readonly #bySession = new Map<string, Subscription>();

  get(session: string): Subscription | undefined {
    return this.#bySession.get(session);
  }

  all(): readonly Subscription[] {
    return [...this.#bySession.values()];
  }

  /** Takes the place of another one to the same session. */
  add(subscription: Subscription): void {
    this.get(subscription.session)?.end();
    this.#bySession.set(subscription.session, subscription);
  }

  /** Ends it. False: it had been replaced. */
  remove(subscription: Subscription): boolean {
    subscription.end();
    const isCurrent = this.get(subscription.session) === subscription;
    if (isCurrent) this.#bySession.delete(subscription.session);
    return isCurrent;
  }
}

/** The cursor of who has this frame; undefined if it does not change by it. */
function cursorAfter({ e, q, t, d }: HostFrame): Cursor | undefined {
  if (typeof e === "number" && typeof q === "number") return { epoch: e, seq: q };
  const cursor = t === "snapshot" && isFields(d) ? objectOf(d["cursor"]) : undefined;
  const epoch = numberOf(cursor?.["epoch"]);
  const seq = numberOf(cursor?.["seq"]);
  return epoch === undefined || seq === undefined ? undefined : { epoch, seq };
}
