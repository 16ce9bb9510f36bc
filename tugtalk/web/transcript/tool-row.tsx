/** A tool call, with what its agent did. */
import type { ComponentChildren } from "preact";
import type { ToolItem } from "../../client/transcript-models.ts";
import { formatCount } from "../elements/format-amount.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ToolCard } from "../tools/tool-card.tsx";
import type { Reads } from "./rows.ts";

type ToolRowProps = {
  readonly session: SessionStore;
  readonly item: ToolItem;
  /** What its agent did. */
  readonly children?: ComponentChildren;
};

export function ToolRow({ session, item, children }: ToolRowProps) {
  return (
    <div data-item={item.key}>
      <ToolCard item={item} servers={session.mcpServers.value}>
        {children}
      </ToolCard>
    </div>
  );
}

type ReadsRowProps = { readonly session: SessionStore; readonly reads: Reads };

/** Consecutive reads of files, as one line that opens. */
export function ReadsRow({ session, reads: { calls } }: ReadsRowProps) {
  const isDone = calls.every(({ status }) => status === "done");
  return (
    <details class="reads hint">
      <summary>
        {isDone ? "Read" : "Reading"} {formatCount(calls.length, "file")}
      </summary>
      {calls.map((call) => (
        <ToolRow key={call.key} session={session} item={call} />
      ))}
    </details>
  );
}
