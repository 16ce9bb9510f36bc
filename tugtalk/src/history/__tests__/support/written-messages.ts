/** The messages of a transcript that a test has written. */

import { checkDraft } from "../../../../testing/drivers/emitted-lines.ts";
import type { PastSessions } from "../../../../testing/drivers/past-sessions.ts";
import type { Fields } from "../../../base/json.ts";
import { readHistory } from "../../session-history.ts";

/** Writes the transcript, and gives its history. */
export async function writtenMessages(
  past: PastSessions,
  session_id: string,
  lines: readonly Fields[],
): Promise<readonly Fields[]> {
  past.write(session_id, lines);
  return checkDraft(await readHistory(past.folder, { session_id })).messages;
}

/** The kind, or else the type, and the text of each. */
export function textsIn(messages: readonly Fields[]): readonly unknown[] {
  return messages.map(({ kind, type, text }) => [kind ?? type, text]);
}
