/**
 * The frames for clients: an entry of a journal, or an event that is in none. Each is encoded once for all
 * clients.
 */
import type { Cursor } from "../../client/host-api.ts";
import type { JournalEntry } from "../journal/journal.ts";

export type Frame = {
  /** The session; `*` for the list of all. */
  readonly session: string;
  /** Absent for `resume`, `snapshot`, its parts, `ping` and the frames of `*`. */
  readonly cursor?: Cursor;
  readonly type: string;
  /** JSON: an object. */
  readonly data: string;
};

/** The connection to one client, for all its subscriptions. */
export type Outlet = {
  /** False: the sender has to wait for `onRoom`. */
  readonly hasRoom: boolean;
  /** Takes all of these frames. Gives `hasRoom`. */
  send(frames: readonly Frame[]): boolean;
  /** Calls back once when there is room: after all other waiters, or before the last ones. */
  onRoom(resume: () => void, place?: "first" | "last"): void;
  /** Closes a client that reads too slowly, so that it reconnects and resumes. */
  cutOff(): void;
};

/** The frame of an entry, the same for all clients. */
export function entryFrame(session: string, { epoch, seq, type, data }: JournalEntry): Frame {
  return { session, cursor: { epoch, seq }, type, data };
}

/** The number of characters in these frames. */
export function charsOf(frames: readonly Frame[]): number {
  return frames.reduce((chars, { data }) => chars + data.length, 0);
}
