/** Gives a bridge the kept lines of a conversation, which it writes where Claude looks for them. */

import { fieldsOf } from "../../src/base/json.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Journal, SessionRow } from "../journal/journal.ts";
import { type LineRow, rowsEnd } from "../journal/transcript-copy.ts";
import type { BridgeConnection } from "./bridge-connection.ts";
import { incomplete } from "./move-steps.ts";
import { conversationOf, startFolder, worktreeOf } from "./session-start.ts";

const PLACING: ReadonlySet<string> = new Set(["HOME", "CLAUDE_CONFIG_DIR"]);
const CHARS_PER_PART = 4 * 1024 * 1024;

export type RestorePorts = {
  readonly journal: Pick<Journal, "transcriptAfter">;
  readonly bridge: Pick<BridgeConnection, "request">;
  readonly row: SessionRow;
};

/** Resolves when the files are in their place. Rejects with an `ApiError`; then no file is. */
export async function restoreTranscript({ journal, bridge, row }: RestorePorts): Promise<void> {
  const session_id = conversationOf(row);
  if (session_id === undefined) return;
  const linesAfter = (last: LineRow | undefined) =>
    journal.transcriptAfter(row.id, session_id, last, CHARS_PER_PART);
  let lines = await linesAfter(undefined);
  if (lines.length === 0)
    throw incomplete("Claude has written none of it, as the simulator never does");
  const env = row.options?.["env"];
  const worktree = worktreeOf(row);
  const where = {
    session_id,
    dir: startFolder(row),
    ...(worktree !== undefined && { worktree }),
    ...(env !== undefined && { env: placing(env) }),
  };
  for (let part = 1; lines.length > 0; part += 1) {
    const next = await linesAfter(lines.at(-1));
    const files = asFiles(lines);
    const more = next.length > 0;
    const request = { type: "transcript_restore", ...where, part, more, files } as const;
    checkRestored(await bridge.request(request));
    lines = next;
  }
}

/** The variables that decide where Claude keeps its files. */
function placing(env: unknown): Readonly<Record<string, string | null>> {
  const given = Object.entries(fieldsOf(env)).filter(([name]) => PLACING.has(name));
  return Object.fromEntries(
    given.map(([name, value]) => [name, value === null ? null : `${value}`]),
  );
}

/** The bridge finds the gap if a line is missing. */
function asFiles(rows: readonly LineRow[]) {
  const files: { file: string; offset: number; end: number; lines: string[] }[] = [];
  for (const row of rows) {
    const last = files.at(-1);
    const end = rowsEnd([row]);
    if (last?.file === row.file && last.end === row.start) {
      last.lines.push(row.line);
      last.end = end;
    } else files.push({ file: row.file, offset: row.start, end, lines: [row.line] });
  }
  return files.map(({ end: _end, ...file }) => file);
}

type Result = Extract<OutboundMessage, { type: "transcript_restore_result" }>;

function checkRestored({ ok, reason, message = "the bridge does not say why" }: Result): void {
  if (ok) return;
  if (reason === "missing_directory") throw new ApiError(400, "no_such_dir", message);
  if (reason === "gap") throw incomplete(message);
  const error = `the conversation cannot be put there: ${message}`;
  throw new ApiError(409, "restore_refused", error, { ...(reason !== undefined && { reason }) });
}
