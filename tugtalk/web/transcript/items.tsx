/** The items of the main conversation or of an agent. */
import { agentItems } from "../../client/agent-items.ts";
import type {
  BlockItem,
  TranscriptEntry,
  TranscriptItem,
  UserItem,
} from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { MessageActions } from "./message-actions.tsx";
import { type Row, rowsOf } from "./rows.ts";

const ToolRow = lazy(async () => (await import("./tool-row.tsx")).ToolRow);
const ReadsRow = lazy(async () => (await import("./tool-row.tsx")).ReadsRow);
const TasksRow = lazy(async () => (await import("./tasks-row.tsx")).TasksRow);
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
      return <ClaudeBlock item={row} />;
    case "user":
      return row.source === "host" ? (
        <UserMessage session={session} item={row} />
      ) : (
        <SideItem session={session} item={row} />
      );
    case "tool":
      return (
        <ToolRow
          session={session}
          item={row}
          agent={agents && agentItems(agents, row.toolUseId)}
          Steps={Items}
        />
      );
    case "reads":
      return <ReadsRow session={session} reads={row} />;
    case "tasks":
      return <TasksRow session={session} tasks={row} />;
    case "notice":
    case "unknown":
      return <SideItem session={session} item={row} />;
  }
});

function agentsOf(row: Row, agents: TranscriptEntry["agents"]): Pick<ItemRowProps, "agents"> {
  return row.kind === "tool" && Object.hasOwn(agents, row.toolUseId) ? { agents } : {};
}

type BlockProps = { readonly item: BlockItem };

/** Text and thinking of Claude. */
function ClaudeBlock({ item }: BlockProps) {
  return item.kind === "text" ? <ClaudeText item={item} /> : <Thinking item={item} />;
}

function ClaudeText({ item: { key, text, status, isError } }: BlockProps) {
  return (
    <div data-item={key} class={`text ${status}${isError === true ? " bad-text" : ""}`}>
      <Markdown text={text} isStreaming={status === "streaming"} />
      {status === "abandoned" && <p class="aside hint">This answer was cut off.</p>}
    </div>
  );
}

function Thinking({ item: { key, text, redacted } }: BlockProps) {
  if (redacted === true) return <p class="aside hint">Thinking, which the API keeps to itself</p>;
  return (
    <details class="thinking hint" data-item={key}>
      <summary>Thinking · {text.length.toLocaleString("en-US")} characters</summary>
      <div class="plain" dir="auto">
        {showHidden(text)}
      </div>
    </details>
  );
}

/** Parts of the messages of a person. */
const Attachments = lazy(async () => (await import("./attachments.tsx")).Attachments);
const NotAnswered = lazy(async () => (await import("./not-answered.tsx")).NotAnswered);

type UserMessageProps = { readonly session: SessionStore; readonly item: UserItem };

function UserMessage({ session, item }: UserMessageProps) {
  const { key, text, content, status } = item;
  return (
    <div class="asked row" data-item={key}>
      <div class="user" dir="auto">
        {showHidden(text)}
      </div>
      {content !== undefined && <Attachments content={content} />}
      {(status === "failed" || status === "cancelled") && (
        <NotAnswered session={session} text={text}>
          This message was not answered.
        </NotAnswered>
      )}
      <MessageActions session={session} item={item} />
    </div>
  );
}
