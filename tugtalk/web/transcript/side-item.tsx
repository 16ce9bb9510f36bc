/** Items of neither a person nor the model: notices, texts of Claude's program, unknown messages. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Notice, NoticeItem, UnknownItem, UserItem } from "../../client/transcript-models.ts";
import { viewNotice } from "../../client/views/notice-view.ts";
import { formatCount, formatDuration } from "../elements/format-amount.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { SessionStore } from "../store/session-store.ts";
import { NotAnswered } from "./not-answered.tsx";

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
    <details class="side hint">
      <summary>A message of the unknown type {type}</summary>
      <pre class="raw">{JSON.stringify(message, undefined, 2)}</pre>
    </details>
  );
}

function SideText({ item: { key, source, text, isError } }: { readonly item: UserItem }) {
  if (source === "interrupt_marker") return <p class="aside interrupt-marker hint">Interrupted</p>;
  if (source === "command_output")
    return (
      <pre data-item={key} class={isError === true ? "command-output bad-text" : "command-output"}>
        {text}
      </pre>
    );
  return (
    <details class="side hint" data-item={key}>
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

type NoticeRowProps = { readonly session: SessionStore; readonly notice: Notice };

/** A notice for a person. */
function NoticeRow({ session, notice }: NoticeRowProps) {
  const { severity, text, detail, report, until } = viewNotice(notice);
  return (
    <div class={`notice hint notice-${severity}`}>
      <p dir="auto">
        {text}
        {until !== undefined && <Countdown until={until} />}
      </p>
      {detail !== undefined && (
        <details>
          <summary>Details</summary>
          <pre class="raw">{detail}</pre>
        </details>
      )}
      {report !== undefined && <Report text={report} />}
      {notice.kind === "message" && notice.text !== undefined && !isReturned(session, notice) && (
        <NotAnswered session={session} text={notice.text}>
          It has never reached the model.
        </NotAnswered>
      )}
    </div>
  );
}

/** More is opened on demand. */
const MAX_REPORT_LINES = 30;

function Report({ text }: { readonly text: string }) {
  const lines = text.split("\n").length;
  const report = <Markdown text={text} isStreaming={false} />;
  if (lines <= MAX_REPORT_LINES) return <div class="report">{report}</div>;
  return (
    <details class="report">
      <summary>Report · {formatCount(lines, "line")}</summary>
      {report}
    </details>
  );
}

/** It is offered above the composer, with its attachments. */
function isReturned(
  { returned }: SessionStore,
  { messageId }: Extract<Notice, { kind: "message" }>,
) {
  return returned.value.some((message) => message.messageId === messageId);
}

const TICK_MS = 1_000;

/** How long something still lasts. `until` in milliseconds since 1970; draws nothing once it is over. */
function Countdown({ until }: { readonly until: number }) {
  const now = useSignal(Date.now());
  const isOver = until <= now.value;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isOver]);
  if (isOver) return null;
  const seconds = Math.ceil((until - now.value) / TICK_MS);
  return <span> for {formatDuration(seconds * TICK_MS)}</span>;
}
