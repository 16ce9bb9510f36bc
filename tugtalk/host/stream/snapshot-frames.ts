/**
 * A snapshot as frames: one, or several parts if it is large. On a slow line, one large frame would delay all
 * others for longer than a client waits for a sign of life. Pure.
 */
import type { SnapshotPart } from "../../client/host-api.ts";
import { SNAPSHOT_PART } from "../../client/snapshot-parts.ts";
import type { Frame } from "../api/frame.ts";

/** The largest snapshot that is sent as one frame, in characters. */
export const MAX_WHOLE_CHARS = 128 * 1024;
/** The size of one part: some seconds on a line with 10 kB a second. */
export const PART_CHARS = 32 * 1024;

/** Makes each frame on demand. `data` is the JSON of the snapshot. */
export function* snapshotFrames(session: string, data: string): Generator<Frame, undefined> {
  if (data.length <= MAX_WHOLE_CHARS) {
    yield { session, type: "snapshot", data };
    return;
  }
  // A part may be one character short of its size.
  const parts = Math.ceil(data.length / (PART_CHARS - 1));
  let start = 0;
  for (let part = 1; part <= parts; part += 1) {
    const end = part === parts ? data.length : endOfPart(data, start + PART_CHARS - 1);
    const fields: SnapshotPart = { part, parts, text: data.slice(start, end) };
    yield { session, type: SNAPSHOT_PART, data: JSON.stringify(fields) };
    start = end;
  }
}

/**
 * The end of a part, not within a pair of surrogates: clients in other languages would not join the halves.
 */
function endOfPart(data: string, end: number): number {
  const isWithinPair = (data.codePointAt(end - 1) ?? 0) > 0xffff;
  return isWithinPair ? end + 1 : end;
}
