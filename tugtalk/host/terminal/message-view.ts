/**
 * What a terminal shows of each message: outbound message in, rows of text out. Pure; what it
 * remembers from message to message is which blocks of text stream and whether the turn has shown
 * anything.
 */
import type { AssistantText, ThinkingText } from "../../src/messages/content-messages.ts";
import type { CostUpdate, OutboundMessage } from "../../src/types.ts";
import { formatPatch } from "./comfort/edit-diff.ts";
import {
  cutLines,
  cutText,
  formatDollars,
  formatFields,
  indentText,
  type Line,
  line,
  paintText,
  type Style,
  wrapText,
} from "./comfort/terminal-text.ts";
import { addToFlow, newFlow, restRows, type TextFlow } from "./comfort/text-flow.ts";

/** Styles whose lines are wrapped at words. Code is left to the terminal, to be copied whole. */
const PROSE: ReadonlySet<Style> = new Set(["dim", "ask", "error"]);

const MAX_INPUT_CHARS = 160;
const MAX_RESULT_LINES = 8;
const MAX_RESULT_CHARS = 200;
const MAX_DIFF_LINES = 40;

/** What showing the next message depends on. */
export type View = {
  readonly hasColors: boolean;
  /** Columns to wrap text at; Infinity where nothing is wrapped, as in a script. */
  readonly width: number;
  /** The block whose text comes in pieces, with what of it is not in a finished row. */
  readonly open: { readonly key: string; readonly flow: TextFlow } | undefined;
  /** Blocks that were shown as they came: their complete text would only repeat it. */
  readonly streamed: ReadonlySet<string>;
  /** The last complete text, which the end of a turn need not repeat. */
  readonly lastText: string | undefined;
  /** The open turn has shown nothing. */
  readonly isTurnSilent: boolean;
};

/** Whole rows to print for one message, and the view from then on. */
export type Shown = { readonly text: string; readonly view: View };

type Block = AssistantText | ThinkingText;

/** A view on which nothing has been shown. */
export function newView(hasColors: boolean, width = Number.POSITIVE_INFINITY): View {
  const nothing = { open: undefined, streamed: new Set<string>(), lastText: undefined };
  return { hasColors, width, ...nothing, isTurnSilent: false };
}

/** What to print for a message. Kinds that a user does not need give no text. */
export function showMessage(message: OutboundMessage, view: View): Shown {
  if (message.type === "turn_started") return { text: "", view: { ...view, isTurnSilent: true } };
  if (message.type === "assistant_text" || message.type === "thinking_text") {
    return showBlock(message, view);
  }
  const lines = describeMessage(message, view);
  const isSilent = lines.length === 0 || message.type === "cost_update";
  const next = isSilent ? view : { ...view, isTurnSilent: false };
  return showLines(lines, next, message.parent_tool_use_id !== undefined);
}

/** Whole lines, on lines of their own. */
export function showLines(lines: readonly Line[], view: View, isSubagent = false): Shown {
  if (lines.length === 0) return { text: "", view };
  const indent = isSubagent ? "  " : "";
  const painted = lines.map(({ style, text }) => {
    const columns = PROSE.has(style) ? view.width - indent.length : Number.POSITIVE_INFINITY;
    return indentText(indent, wrapText(paintText(text, style, view.hasColors), columns));
  });
  return { text: toText([...openRows(view), ...painted]), view: { ...view, open: undefined } };
}

/** The unfinished row of the block that streams. It is not printed: it may still change. */
export function unfinishedRow({ open }: View): string {
  return open === undefined ? "" : (restRows(open.flow).at(-1) ?? "");
}

function showBlock(block: Block, view: View): Shown {
  const key = JSON.stringify([block.parent_tool_use_id, block.msg_id, block.block_index]);
  if (block.status === "partial") return showPartial(block, key, view);

  const streamed = new Set(view.streamed);
  const wasStreamed = streamed.delete(key);
  const next: View = { ...view, streamed };
  if (block.status === "abandoned") {
    return wasStreamed ? showLines([line("dim", "(cut off)")], next) : { text: "", view };
  }
  const ended = { ...next, lastText: block.text };
  if (!wasStreamed) return showWhole(block, ended);
  if (view.open?.key !== key) return { text: "", view: ended };
  return { text: toText(openRows(view)), view: { ...ended, open: undefined } };
}

function showPartial(block: Block, key: string, view: View): Shown {
  if (block.text === undefined || block.text === "") return { text: "", view };
  const isContinued = view.open?.key === key;
  const before = isContinued ? [] : openRows(view);
  const flow = isContinued && view.open !== undefined ? view.open.flow : flowOf(block, view);
  const text = isContinued ? block.text : introduce(block) + block.text;
  const flowed = addToFlow(flow, text, view.width);
  const streamed = new Set([...view.streamed, key]);
  const next = { ...view, streamed, open: { key, flow: flowed.flow }, isTurnSilent: false };
  return { text: toText([...before, ...flowed.rows]), view: next };
}

function showWhole(block: Block, view: View): Shown {
  const isRedacted = block.type === "thinking_text" && block.redacted === true;
  const text = isRedacted ? "(not shown by Claude)" : (block.text ?? "");
  if (text === "") return { text: "", view };
  const { rows, flow } = addToFlow(flowOf(block, view), introduce(block) + text, view.width);
  const all = [...openRows(view), ...rows, ...restRows(flow)];
  return { text: toText(all), view: { ...view, open: undefined, isTurnSilent: false } };
}

function flowOf(block: Block, { width, hasColors }: View): TextFlow {
  const indent = block.parent_tool_use_id === undefined ? "" : "  ";
  return newFlow({ width, indent, style: styleOf(block), hasColors });
}

function styleOf(block: Block): Style {
  if (block.type === "thinking_text") return "dim";
  return block.is_error === true ? "error" : "plain";
}

/** Thinking says that it is thinking: without colours nothing else tells it from the answer. */
function introduce(block: Block): string {
  return block.type === "thinking_text" ? "thinking: " : "";
}

function openRows({ open }: View): string[] {
  return open === undefined ? [] : restRows(open.flow);
}

function toText(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join("");
}

/** One case a kind of message; the kinds that are left out mean nothing to a user at a terminal. */
function describeMessage(message: Exclude<OutboundMessage, Block>, view: View): Line[] {
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
      return formatPatch(message.structured_result, MAX_DIFF_LINES);
    case "cost_update":
      return describeCost(message);
    case "turn_complete":
      return describeTurnEnd(message, view);
    case "turn_cancelled":
      return [line("error", `turn ended: ${message.reason}`)];
    case "message_retracted":
      return [line("dim", "(Claude took back what it said before)")];
    case "message_status":
      return describeReceipt(message);
    case "control_result":
      return message.ok ? [] : [line("error", `${message.subtype}: ${message.error ?? "refused"}`)];
    case "control_request_cancel":
      return [line("dim", `(no answer needed: ${message.reason})`)];
    case "error":
      return [line("error", `error ${message.code}: ${message.message}`)];
    default:
      return describeNotification(message);
  }
}

/** Notifications about the session and Claude's environment. */
function describeNotification(message: OutboundMessage): Line[] {
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
    case "informational":
      // Also how Claude tells that a hook has blocked a message, with the hook's reason.
      return [line(message.level === "warning" ? "error" : "dim", message.content)];
    case "task_notification":
      return [line("dim", cutText(`(task ${message.status}: ${message.summary ?? ""})`, 200))];
    case "process_exit":
      return message.expected ? [] : describeExit(message);
    default:
      return [];
  }
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

function describeCost({ turn_cost_usd, total_cost_usd }: CostUpdate): Line[] {
  const turn = turn_cost_usd === undefined ? [] : [`${formatDollars(turn_cost_usd)} this turn`];
  const total = total_cost_usd === undefined ? [] : [`${formatDollars(total_cost_usd)} in total`];
  const parts = [...turn, ...total];
  return parts.length === 0 ? [] : [line("dim", `cost: ${parts.join(", ")}`)];
}

function describeTurnEnd(message: Message<"turn_complete">, view: View): Line[] {
  switch (message.result) {
    case "success":
      return describeSuccess(message, view);
    case "cancelled":
      return [line("dim", "(interrupted)")];
    case "error":
      return [line("error", `turn failed: ${reasonOf(message, view)}`)];
  }
}

/** A turn that has shown nothing has a text, or says that it has none: 2.1.38 drops a message that a hook blocks. */
function describeSuccess({ text }: Message<"turn_complete">, view: View): Line[] {
  if (!view.isTurnSilent) return [];
  return [line("dim", text || "(the turn ended without an answer; a hook may have blocked it)")];
}

/** Why a turn failed. An error of the API has the subtype `success` and tells it as its text. */
function reasonOf(message: Message<"turn_complete">, { lastText }: View): string {
  const { errors, text, api_error_status, subtype } = message;
  if (errors !== undefined && errors.length > 0) return errors.join("; ");
  if (text !== undefined && text !== "" && text !== lastText) return text;
  if (api_error_status !== undefined) return `the API answered ${api_error_status}`;
  return subtype === "success" ? "see above" : subtype;
}

function describeReceipt({ status, reason }: Message<"message_status">): Line[] {
  if (status === "failed") return [line("error", "Claude ended before it answered")];
  if (status !== "cancelled") return [];
  return [line("dim", `(a message of yours was not sent to Claude: ${reason ?? "cancelled"})`)];
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
