/** Small values for tests of the journal. */
import type { Turn } from "../../../../client/transcript-models.ts";
import type { JournalEntry, SessionRow } from "../../journal.ts";

export function sessionRow(id: string): SessionRow {
  return {
    id,
    place: "local",
    dir: "/work/project",
    title: "Project",
    createdAt: 1,
    updatedAt: 2,
    summary: { state: "starting", pending: 0, queued: 0, costUsd: 0 },
  };
}

export function entry(text: string): Pick<JournalEntry, "type" | "data"> {
  return { type: "text_delta", data: JSON.stringify({ text }) };
}

export function turn(key: string): Turn {
  return {
    kind: "turn",
    key,
    turnId: key,
    trigger: "user",
    messageIds: [],
    status: "success",
    items: [
      { kind: "notice", key: `${key}-1`, notice: { kind: "text", level: "info", text: key } },
    ],
    agents: {},
  };
}

/** The entries that `journal-writer.ts` writes. */
export const SESSION = "session";
export const COMMIT_ENTRIES = 3;

/** Each fifth commit has a snapshot. */
export const SNAPSHOT_COMMITS = 5;
