/** Consecutive reads of files, as one line that opens. */
import { formatCount } from "../elements/format-amount.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Reads } from "./rows.ts";
import { ToolRow } from "./tool-row.tsx";

type ReadsRowProps = { readonly session: SessionStore; readonly reads: Reads };

export function ReadsRow({ session, reads: { calls } }: ReadsRowProps) {
  const isDone = calls.every(({ status }) => status === "done");
  return (
    <details class="reads">
      <summary>
        {isDone ? "Read" : "Reading"} {formatCount(calls.length, "file")}
      </summary>
      {calls.map((call) => (
        <ToolRow key={call.key} session={session} item={call} />
      ))}
    </details>
  );
}
