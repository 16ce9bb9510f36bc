/** The frames for clients: an entry of a journal, or an event that is in none, encoded once for all of them. */
import type { Cursor } from "../../client/host-api.ts";
import type { JournalEntry } from "../journal/journal.ts";

export type Frame = {
  /** The session; `*` for the list of all. */
  readonly session: string;
  /** Absent for `resume`, `snapshot`, its parts, `ping` and what `*` is sent. */
  readonly cursor?: Cursor;
  readonly type: string;
  /** JSON: an object. */
  readonly data: string;
};

/** The way to one client, for all that it has subscribed to. */
export type Outlet = {
  /** False: send nothing more before `onRoom`. */
  readonly hasRoom: boolean;
  /** Takes all of these frames. Gives `hasRoom`. */
  send(frames: readonly Frame[]): boolean;
  /** Calls back once, when there is room again: after all others who wait, or before those who are last. */
  onRoom(resume: () => void, place?: "first" | "last"): void;
  /** The client reads too slowly: closes it, so that it comes back and resumes. */
  cutOff(): void;
};

/** The frame of an entry, the same for all clients. */
export function entryFrame(session: string, { epoch, seq, type, data }: JournalEntry): Frame {
  return { session, cursor: { epoch, seq }, type, data };
}

/** How much a client has to read for these frames. */
export function charsOf(frames: readonly Frame[]): number {
  return frames.reduce((chars, { data }) => chars + data.length, 0);
}
