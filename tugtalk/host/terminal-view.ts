/**
 * What a terminal shows of each message: outbound message in, text out. Pure; the only thing that
 * it remembers from message to message is which blocks of text are being streamed.
 */
import { z } from "zod";
import type { AssistantText, CostUpdate, OutboundMessage, ThinkingText } from "../src/types.ts";
import {
  cutLines,
  cutText,
  formatDollars,
  formatFields,
  type Line,
  paintText,
  type Style,
} from "./terminal-text.ts";

const MAX_INPUT_CHARS = 160;
const MAX_RESULT_LINES = 8;
const MAX_RESULT_CHARS = 200;
const MAX_DIFF_LINES = 40;

/** What printing the next message depends on. */
export type View = {
  readonly hasColors: boolean;
  /** The block whose text is in the last line, when that line is unfinished. */
  readonly openBlock: string | undefined;
  /** Blocks that were shown as they came: their complete text would only repeat it. */
  readonly streamed: ReadonlySet<string>;
};

/** What to print for one message, and the view from then on. */
export type Shown = { readonly text: string; readonly view: View };

type Block = AssistantText | ThinkingText;

/** A view on which nothing has been shown. */
export function newView(hasColors: boolean): View {
  return { hasColors, openBlock: undefined, streamed: new Set() };
}

/** Says what to print for a message. Kinds that a person does not need give no text. */
export function showMessage(message: OutboundMessage, view: View): Shown {
  if (message.type === "assistant_text" || message.type === "thinking_text") {
    return showBlock(message, view);
  }
  return showLines(describeMessage(message), view, message.parent_tool_use_id !== undefined);
}

/** Whole lines, on lines of their own. */
export function showLines(lines: readonly Line[], view: View, isSubagent = false): Shown {
  if (lines.length === 0) return { text: "", view };
  const indent = isSubagent ? "  " : "";
  const painted = lines.map(
    ({ style, text }) => `${indentText(indent, paintText(text, style, view.hasColors))}\n`,
  );
  return { text: endOpenLine(view) + painted.join(""), view: { ...view, openBlock: undefined } };
}

// ------------------------------------------------------------------------------- streamed blocks

function showBlock(block: Block, view: View): Shown {
  const key = JSON.stringify([block.parent_tool_use_id, block.msg_id, block.block_index]);
  if (block.status === "partial") return showPartial(block, key, view);

  const rest = new Set(view.streamed);
  const wasStreamed = rest.delete(key);
  const next: View = { ...view, streamed: rest };
  if (block.status === "abandoned") {
    return wasStreamed
      ? showLines([{ style: "dim", text: "(cut off)" }], next)
      : { text: "", view };
  }
  if (!wasStreamed) return showWhole(block, next);
  const isOpen = view.openBlock === key;
  return { text: isOpen ? "\n" : "", view: isOpen ? { ...next, openBlock: undefined } : next };
}

function showPartial(block: Block, key: string, view: View): Shown {
  if (block.text === undefined || block.text === "") return { text: "", view };
  const indent = indentOf(block);
  const isContinued = view.openBlock === key;
  const start = isContinued ? "" : endOpenLine(view) + indent + introduce(block, view);
  const text = paintText(block.text, styleOf(block), view.hasColors);
  return {
    text: start + text.replaceAll("\n", `\n${indent}`),
    view: { ...view, openBlock: key, streamed: new Set([...view.streamed, key]) },
  };
}

function showWhole(block: Block, view: View): Shown {
  const isRedacted = block.type === "thinking_text" && block.redacted === true;
  const text = isRedacted ? "(not shown by Claude)" : (block.text ?? "");
  if (text === "") return { text: "", view };
  const shown = introduce(block, view) + paintText(text, styleOf(block), view.hasColors);
  return {
    text: `${endOpenLine(view)}${indentText(indentOf(block), shown)}\n`,
    view: { ...view, openBlock: undefined },
  };
}

function styleOf(block: Block): Style {
  if (block.type === "thinking_text") return "dim";
  return block.is_error === true ? "error" : "plain";
}

/** Thinking says that it is thinking: without colours nothing else tells it from the answer. */
function introduce(block: Block, view: View): string {
  return block.type === "thinking_text" ? paintText("thinking: ", "dim", view.hasColors) : "";
}

function indentOf(block: Block): string {
  return block.parent_tool_use_id === undefined ? "" : "  ";
}

function indentText(indent: string, text: string): string {
  return indent + text.replaceAll("\n", `\n${indent}`);
}

function endOpenLine(view: View): string {
  return view.openBlock === undefined ? "" : "\n";
}

// ------------------------------------------------------------------------------ everything else

/** One case a kind of message; the kinds that are left out mean nothing to a person at a terminal. */
function describeMessage(message: Exclude<OutboundMessage, Block>): Line[] {
  switch (message.type) {
    case "session_init":
      return [line("dim", `session ${message.session_id} (${message.mode})`)];
    case "user_text":
      return message.kind === "command_output" ? [line("plain", message.text)] : [];
    case "tool_use":
      return describeToolUse(message);
    case "tool_result":
      return describeToolResult(message);
    case "tool_use_structured":
      return describeEdit(message.structured_result);
    case "cost_update":
      return describeCost(message);
    case "turn_complete":
      return describeTurnEnd(message);
    case "turn_cancelled":
      return [line("error", `turn ended: ${message.reason}`)];
    case "message_retracted":
      return [line("dim", "(Claude took back what it said before)")];
    case "message_status":
      return message.status === "failed" ? [line("error", "Claude ended before it answered")] : [];
    case "control_result":
      return message.ok ? [] : [line("error", `${message.subtype}: ${message.error ?? "refused"}`)];
    case "control_request_cancel":
      return [line("dim", `(no answer needed: ${message.reason})`)];
    case "error":
      return [line("error", `error ${message.code}: ${message.message}`)];
    default:
      return describeNews(message);
  }
}

/** News of the session and of Claude's surroundings. */
function describeNews(message: OutboundMessage): Line[] {
  switch (message.type) {
    case "session_state":
      return message.state === "compacting" || message.state === "stalled"
        ? [line("dim", `(${message.state})`)]
        : [];
    case "permission_mode_changed":
      return [line("dim", `(permission mode: ${message.mode})`)];
    case "model_changed":
      return [line("dim", `(model: ${message.model ?? "default"})`)];
    case "compact_boundary":
      return [line("dim", "(the conversation so far was summarised)")];
    case "api_retry":
      return [line("dim", describeRetry(message))];
    case "rate_limit":
      return message.rate_limit_info.status === "allowed"
        ? []
        : [line("error", `rate limit: ${message.rate_limit_info.status}`)];
    case "permission_denied":
      return [line("dim", `(${message.tool_name} was refused: ${message.message})`)];
    case "notification":
      return [line("dim", `(${message.text})`)];
    case "task_notification":
      return [line("dim", cutText(`(task ${message.status}: ${message.summary ?? ""})`, 200))];
    case "process_exit":
      return message.expected ? [] : describeExit(message);
    default:
      return [];
  }
}

function line(style: Style, text: string): Line {
  return { style, text };
}

type Message<Type extends OutboundMessage["type"]> = Extract<OutboundMessage, { type: Type }>;

function describeToolUse(message: Message<"tool_use">): Line[] {
  if (message.status !== "complete") return [];
  const input = cutText(formatFields(message.input ?? {}), MAX_INPUT_CHARS);
  return [line("tool", `* ${message.tool_name}(${input})`)];
}

function describeToolResult({ output, is_error }: Message<"tool_result">): Line[] {
  const shown = output.trim() === "" ? "(no output)" : output;
  const text = cutLines(shown, MAX_RESULT_LINES, MAX_RESULT_CHARS);
  return [line(is_error ? "error" : "dim", indentText("  | ", text))];
}

/** The part of an edit's result that is shown. Claude owns the shape: anything else shows nothing. */
const EditResult = z.looseObject({
  structuredPatch: z.array(
    z.looseObject({
      oldStart: z.number(),
      oldLines: z.number(),
      newStart: z.number(),
      newLines: z.number(),
      lines: z.array(z.string()),
    }),
  ),
});

function describeEdit(structuredResult: unknown): Line[] {
  const edit = EditResult.safeParse(structuredResult);
  if (!edit.success) return [];
  const lines = edit.data.structuredPatch.flatMap((hunk) => [
    line("place", `  @@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`),
    ...hunk.lines.map(describeDiffLine),
  ]);
  const left = lines.length - MAX_DIFF_LINES;
  return left <= 0
    ? lines
    : [...lines.slice(0, MAX_DIFF_LINES), line("dim", `  … ${left} more lines`)];
}

function describeDiffLine(text: string): Line {
  const shown = `  ${cutText(text, MAX_RESULT_CHARS)}`;
  if (text.startsWith("+")) return line("added", shown);
  return line(text.startsWith("-") ? "removed" : "dim", shown);
}

function describeCost({ turn_cost_usd, total_cost_usd }: CostUpdate): Line[] {
  const turn = turn_cost_usd === undefined ? [] : [`${formatDollars(turn_cost_usd)} this turn`];
  const total = total_cost_usd === undefined ? [] : [`${formatDollars(total_cost_usd)} in total`];
  const parts = [...turn, ...total];
  return parts.length === 0 ? [] : [line("dim", `cost: ${parts.join(", ")}`)];
}

function describeTurnEnd(message: Message<"turn_complete">): Line[] {
  switch (message.result) {
    case "success":
      return [];
    case "cancelled":
      return [line("dim", "(interrupted)")];
    case "error":
      return [line("error", `turn failed: ${message.errors?.join("; ") || message.subtype}`)];
  }
}

function describeRetry(message: Message<"api_retry">): string {
  const seconds = (message.retry_delay_ms / 1000).toFixed(1);
  const attempt = `${message.attempt} of ${message.max_retries}`;
  return `(${message.error}: trying again in ${seconds} s, ${attempt})`;
}

function describeExit(message: Message<"process_exit">): Line[] {
  const how = message.signal ?? `exit code ${message.exit_code}`;
  const what = message.will_restart ? "it will be started again" : "it will not be started again";
  return [
    line("error", `Claude ended by itself (${how}); ${what}\n${message.stderr_tail}`.trimEnd()),
  ];
}
