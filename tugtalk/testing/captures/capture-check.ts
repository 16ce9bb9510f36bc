/**
 * What must hold for every captured conversation: all that Claude said is told, whole, and every
 * turn ends once. Compares what the host was told with what the capture holds, found independently.
 */
import type { Conversation } from "../../simulator/conversation.ts";
import { ACK } from "../drivers/emitted-messages.ts";
import type { Emitted } from "../drivers/test-session.ts";
import { observe } from "../observer/observer.ts";
import { isFields } from "./capture-run.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Every broken promise, as a sentence. */
export function checkCapture(conversation: Conversation, emitted: readonly Emitted[]): string[] {
  const end = conversation.entries.findIndex(({ dir }) => dir === "exit");
  const lines = conversation.entries
    .slice(0, end === -1 ? undefined : end)
    .flatMap(({ dir, msg }) => (dir === "out" && isFields(msg) ? [msg] : []));
  const stamped = [ACK, ...emitted];
  return [
    ...observe({ received: stamped, isOver: false }),
    ...textFaults(lines, emitted),
    ...resultFaults(lines, emitted),
    ...endFaults(lines, emitted),
    ...emitted.flatMap(lossFault),
    ...emitted.flatMap((message) =>
      message.type === "unknown_event"
        ? [`unknown: ${message.original_type}/${message.original_subtype}`]
        : [],
    ),
  ];
}

/** What did not come to its proper end; fine where the capture is on the list of those that do so. */
function lossFault(message: Emitted): string[] {
  if (message.type === "turn_cancelled") return [`turn cancelled: ${message.reason}`];
  const isBlock = "status" in message && message.status === "abandoned";
  return isBlock ? [`abandoned: ${message.type}`] : [];
}

/** Each block that Claude gave whole is told whole, in the same order, in its lane. */
function textFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const said = lines.flatMap(blocksOf);
  const heard = emitted.flatMap(completeOf);
  const untold = said.flatMap((block) => {
    const at = heard.findIndex((candidate) => Bun.deepEquals(candidate, block));
    if (at !== -1) heard.splice(at, 1);
    return at === -1 ? [`not told whole: ${JSON.stringify(block).slice(0, 160)}`] : [];
  });
  return [...untold, ...heard.map(({ value }) => `told without a snapshot: ${kindOf(value)}`)];
}

function kindOf(value: unknown): string {
  if (typeof value !== "string") return "a tool call";
  return value === "" ? "an empty text" : "a text";
}

type Block = { readonly parentToolUseId: unknown; readonly id: unknown; readonly value: unknown };

function blocksOf(line: Fields): Block[] {
  const { message } = line;
  if (line["type"] !== "assistant" || !isFields(message) || !Array.isArray(message["content"]))
    return [];
  const isCommand = message["model"] === "<synthetic>" && typeof line["error"] !== "string";
  if (isCommand) return [];
  const parentToolUseId = line["parent_tool_use_id"] ?? undefined;
  return message["content"].map((block: Fields) => ({
    parentToolUseId,
    id: message["id"],
    value: block["text"] ?? block["thinking"] ?? block["input"] ?? "",
  }));
}

function completeOf(message: Emitted): Block[] {
  if (message.type === "tool_use" && message.status === "complete") {
    return [
      { parentToolUseId: message.parent_tool_use_id, id: message.msg_id, value: message.input },
    ];
  }
  const isWriting = message.type === "assistant_text" || message.type === "thinking_text";
  if (!isWriting || message.status !== "complete") return [];
  return [{ parentToolUseId: message.parent_tool_use_id, id: message.msg_id, value: message.text }];
}

/** Each tool result is told, with the name of its tool. */
function resultFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const ids = lines.flatMap((line) =>
    line["type"] === "user" && line["isReplay"] !== true ? toolResultIds(line) : [],
  );
  const results = emitted.flatMap((message) => (message.type === "tool_result" ? [message] : []));
  const untold = ids.filter((id) => !results.some(({ tool_use_id }) => tool_use_id === id));
  const nameless = results.filter(({ tool_name }) => tool_name === undefined);
  return [
    ...untold.map((id) => `tool result not told: ${id}`),
    ...nameless.map(({ tool_use_id }) => `tool result without a name: ${tool_use_id}`),
  ];
}

function toolResultIds({ message }: Fields): unknown[] {
  const content = isFields(message) ? message["content"] : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Fields) =>
    block["type"] === "tool_result" ? [block["tool_use_id"]] : [],
  );
}

/** As many turns are completed as Claude gave results. */
function endFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const results = lines.filter(({ type }) => type === "result").length;
  const ends = emitted.filter(({ type }) => type === "turn_complete").length;
  return results === ends ? [] : [`${results} results, but ${ends} turns were completed`];
}
