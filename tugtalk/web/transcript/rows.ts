/** The rows as which the items of an entry are drawn. Pure. */
import type { ToolItem, TranscriptItem } from "../../client/transcript-models.ts";
import { isSameList } from "../elements/same-list.ts";

/** Calls as one row: consecutive ones that read files, or all that keep Claude's list of tasks. */
export type Group = {
  readonly kind: "reads" | "tasks";
  readonly key: string;
  readonly calls: readonly ToolItem[];
};

export type Row = TranscriptItem | Group;

/** The rows of a list of items. Rows of the same items are the same objects. */
export function rowsOf(items: readonly TranscriptItem[]): readonly Row[] {
  const rows: Row[] = [];
  const tasks = items.filter(isTask);
  let reads: ToolItem[] = [];
  const endReads = () => {
    const [first] = reads;
    if (first !== undefined) rows.push(reads.length === 1 ? first : groupOf("reads", first, reads));
    reads = [];
  };
  for (const item of items) {
    if (isRead(item)) reads.push(item);
    else if (!isTask(item)) {
      endReads();
      rows.push(item);
    } else if (item === tasks[0]) {
      endReads();
      rows.push(groupOf("tasks", item, tasks));
    }
  }
  endReads();
  return rows;
}

const TASK_TOOLS: ReadonlySet<string | undefined> = new Set([
  ...["TodoWrite", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList"],
]);

function isRead(item: TranscriptItem): item is ToolItem {
  return isQuiet(item) && item.name === "Read";
}

function isTask(item: TranscriptItem): item is ToolItem {
  return isQuiet(item) && TASK_TOOLS.has(item.name);
}

const QUIET: ReadonlySet<string> = new Set(["streaming", "running", "done"]);

/** A call that a person was asked about, or that went wrong, stands alone. */
function isQuiet(item: TranscriptItem): item is ToolItem {
  return item.kind === "tool" && QUIET.has(item.status) && item.permission === undefined;
}

/** By the first call, so that a row keeps its identity while others are added to the list. */
const KNOWN_GROUPS = new WeakMap<ToolItem, Group>();

function groupOf(kind: Group["kind"], first: ToolItem, calls: readonly ToolItem[]): Group {
  const known = KNOWN_GROUPS.get(first);
  if (known !== undefined && isSameList(known.calls, calls)) return known;
  const group: Group = { kind, key: `${kind}:${first.key}`, calls };
  KNOWN_GROUPS.set(first, group);
  return group;
}
