/** A snapshot that comes in parts, each with a piece of the JSON of its data. Pure. */
import { type Fields, objectOf, parseJson, textOf } from "./claude-value.ts";

/** The type of their frames. */
export const SNAPSHOT_PART = "snapshot_part";

/** The texts of the parts that have come, from the first one on. */
export type SnapshotParts = readonly string[];

/** The parts with one more; with the last one, the data of the snapshot. */
export type AddedPart = {
  readonly parts: SnapshotParts;
  readonly snapshot?: Fields | undefined;
};

/**
 * A first part begins a new snapshot. A part that does not follow the earlier parts drops them, and itself.
 */
export function addSnapshotPart(before: SnapshotParts, data: unknown): AddedPart {
  const { part, parts: count, text: given } = objectOf(data) ?? {};
  const text = textOf(given);
  const known = part === 1 ? [] : before;
  if (text === undefined || part !== known.length + 1) return { parts: [] };
  const parts = [...known, text];
  return parts.length === count
    ? { parts: [], snapshot: objectOf(parseJson(parts.join(""))) }
    : { parts };
}
