/** What the items of an entry are drawn as. Pure. */
import type { ToolItem, TranscriptItem } from "../../client/transcript-models.ts";
import { isSameList } from "../elements/same-list.ts";

/** Consecutive calls that read files, as one row. */
export type Reads = {
  readonly kind: "reads";
  readonly key: string;
  readonly calls: readonly ToolItem[];
};

export type Row = TranscriptItem | Reads;

/** The rows of a list of items. Those of the same items are the same objects. */
export function rowsOf(items: readonly TranscriptItem[]): readonly Row[] {
  const rows: Row[] = [];
  let calls: ToolItem[] = [];
  const endReads = () => {
    const [first] = calls;
    if (first !== undefined) rows.push(calls.length === 1 ? first : readsOf(first, calls));
    calls = [];
  };
  for (const item of items) {
    if (isRead(item)) calls.push(item);
    else {
      endReads();
      rows.push(item);
    }
  }
  endReads();
  return rows;
}

const QUIET: ReadonlySet<string> = new Set(["streaming", "running", "done"]);

/** A read that a person was asked about, or that went wrong, stands alone. */
function isRead(item: TranscriptItem): item is ToolItem {
  if (item.kind !== "tool" || item.name !== "Read") return false;
  return QUIET.has(item.status) && item.permission === undefined;
}

/** By the first call, so that a row keeps its identity while others are added to the list. */
const KNOWN_READS = new WeakMap<ToolItem, Reads>();

function readsOf(first: ToolItem, calls: readonly ToolItem[]): Reads {
  const known = KNOWN_READS.get(first);
  if (known !== undefined && isSameList(known.calls, calls)) return known;
  const reads: Reads = { kind: "reads", key: `reads:${first.key}`, calls };
  KNOWN_READS.set(first, reads);
  return reads;
}
