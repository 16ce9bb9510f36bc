/** What is neither said by a person nor by the model: notices, texts of Claude's program, unknown messages. */
import type { NoticeItem, UnknownItem, UserItem } from "../../src/messages/transcript-models.ts";
import type { SessionStore } from "../store/session-store.ts";
import { NoticeRow } from "./notice-row.tsx";

type SideItemProps = {
  readonly session: SessionStore;
  readonly item: NoticeItem | UnknownItem | UserItem;
};

export function SideItem({ session, item }: SideItemProps) {
  switch (item.kind) {
    case "notice":
      return <NoticeRow session={session} notice={item.notice} />;
    case "unknown":
      return <UnknownMessage item={item} />;
    case "user":
      return <SideText item={item} />;
  }
}

function UnknownMessage({ item: { type, message } }: { readonly item: UnknownItem }) {
  return (
    <details class="side">
      <summary>A message of the unknown type {type}</summary>
      <pre class="raw">{JSON.stringify(message, undefined, 2)}</pre>
    </details>
  );
}

function SideText({ item: { key, source, text, isError } }: { readonly item: UserItem }) {
  if (source === "interrupt_marker") return <p class="aside interrupt-marker">Interrupted</p>;
  if (source === "command_output")
    return (
      <pre data-item={key} class={isError === true ? "command-output failed" : "command-output"}>
        {text}
      </pre>
    );
  return (
    <details class="side" data-item={key}>
      <summary>{entryTitle(source)}</summary>
      <div class="plain">{text}</div>
    </details>
  );
}

function entryTitle(source: UserItem["source"]): string {
  switch (source) {
    case "subagent_prompt":
      return "What the agent was told";
    case "compact_summary":
      return "Summary of the conversation so far";
    case "history":
    case "host":
      return "An earlier message";
    case "synthetic":
    case "command_output":
    case "interrupt_marker":
      return "Added by Claude Code";
  }
}
