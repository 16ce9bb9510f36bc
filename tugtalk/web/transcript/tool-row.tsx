/** A tool call, with the items of its agent. */
import type { ComponentType } from "preact";
import type { AgentItems } from "../../client/agent-items.ts";
import type { ToolItem } from "../../client/transcript-models.ts";
import { formatCount } from "../elements/format-amount.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ToolCard } from "../tools/tool-card.tsx";
import { ownSteps } from "./agent-steps.ts";
import type { Group } from "./rows.ts";

type ToolRowProps = {
  readonly session: SessionStore;
  readonly item: ToolItem;
  /** The work of its agent. */
  readonly agent?: AgentItems | undefined;
  /** Draws that. */
  readonly Steps?: ComponentType<AgentItems & { readonly session: SessionStore }>;
};

export function ToolRow({ session, item, agent, Steps }: ToolRowProps) {
  const own = agent && ownSteps(item, agent);
  return (
    <div data-item={item.key}>
      <ToolCard item={item} servers={session.mcpServers.value} steps={own?.items}>
        {own !== undefined && Steps !== undefined && <Steps session={session} {...own} />}
      </ToolCard>
    </div>
  );
}

type ReadsRowProps = { readonly session: SessionStore; readonly reads: Group };

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
