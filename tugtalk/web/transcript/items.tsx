/** The items of a conversation: the main one, or that of an agent. */
import { agentItems } from "../../client/agent-items.ts";
import type { TranscriptEntry, TranscriptItem } from "../../src/messages/transcript-models.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { Block } from "./block.tsx";
import { type Row, rowsOf } from "./rows.ts";
import { UserMessage } from "./user-message.tsx";

const ToolRow = lazy(async () => (await import("./tool-row.tsx")).ToolRow);
const ReadsRow = lazy(async () => (await import("./reads-row.tsx")).ReadsRow);
const SideItem = lazy(async () => (await import("./side-item.tsx")).SideItem);

type ItemsProps = {
  readonly session: SessionStore;
  readonly items: readonly TranscriptItem[];
  readonly agents: TranscriptEntry["agents"];
};

export const Items = memo(({ session, items, agents }: ItemsProps) => (
  <>
    {rowsOf(items).map((row) => (
      <ItemRow key={row.key} session={session} row={row} {...agentsOf(row, agents)} />
    ))}
  </>
));

type ItemRowProps = {
  readonly session: SessionStore;
  readonly row: Row;
  /** Only with a call that has started an agent: the others do not change with it. */
  readonly agents?: TranscriptEntry["agents"];
};

const ItemRow = memo(({ session, row, agents }: ItemRowProps) => {
  switch (row.kind) {
    case "text":
    case "thinking":
      return <Block item={row} />;
    case "user":
      return row.source === "host" ? (
        <UserMessage session={session} item={row} />
      ) : (
        <SideItem session={session} item={row} />
      );
    case "tool": {
      const agent = agents && agentItems(agents, row.toolUseId);
      return (
        <ToolRow session={session} item={row}>
          {agent !== undefined && <Items session={session} {...agent} />}
        </ToolRow>
      );
    }
    case "reads":
      return <ReadsRow session={session} reads={row} />;
    case "notice":
    case "unknown":
      return <SideItem session={session} item={row} />;
  }
});

function agentsOf(row: Row, agents: TranscriptEntry["agents"]): Pick<ItemRowProps, "agents"> {
  return row.kind === "tool" && Object.hasOwn(agents, row.toolUseId) ? { agents } : {};
}
