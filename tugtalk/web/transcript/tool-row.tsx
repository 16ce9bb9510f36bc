/** A tool call, with what its agent did. */
import type { ComponentChildren } from "preact";
import type { ToolItem } from "../../src/messages/transcript-models.ts";
import type { SessionStore } from "../store/session-store.ts";
import { ToolCard } from "../tools/tool-card.tsx";

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
