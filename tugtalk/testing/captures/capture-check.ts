/**
 * The invariants of every captured conversation: each block and tool result of Claude reaches the host
 * whole, and each turn ends once. The capture is read here without the parser of the bridge.
 */

import type { Conversation } from "../../simulator/conversation.ts";
import type { Fields } from "../../src/base/json.ts";
import type { Emitted } from "../drivers/session-records.ts";
import { ACK } from "../drivers/test-session.ts";
import { observe } from "../observer/observer.ts";
import { isFields } from "./capture-run.ts";

/** Every violated invariant, as a text. */
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
    ...emitted.flatMap(abortFault),
    ...emitted.flatMap((message) =>
      message.type === "unknown_event"
        ? [`unknown: ${message.original_type}/${message.original_subtype}`]
        : [],
    ),
  ];
}

/** A turn or block that was cut short; `capture-exceptions.ts` lists the captures where that is right. */
function abortFault(message: Emitted): string[] {
  if (message.type === "turn_cancelled") return [`turn cancelled: ${message.reason}`];
  const isBlock = "status" in message && message.status === "abandoned";
  return isBlock ? [`abandoned: ${message.type}`] : [];
}

/** Each complete block of Claude is emitted as a complete block, under the same subagent and message. */
function textFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const printed = lines.flatMap(blocksOf);
  const complete = emitted.flatMap(completeOf);
  const lost = printed.flatMap((block) => {
    const at = complete.findIndex((candidate) => Bun.deepEquals(candidate, block));
    if (at !== -1) complete.splice(at, 1);
    return at === -1 ? [`block not emitted: ${JSON.stringify(block).slice(0, 160)}`] : [];
  });
  return [...lost, ...complete.map(({ value }) => `emitted without a snapshot: ${kindOf(value)}`)];
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
  const isText = message.type === "assistant_text" || message.type === "thinking_text";
  if (!isText || message.status !== "complete") return [];
  return [{ parentToolUseId: message.parent_tool_use_id, id: message.msg_id, value: message.text }];
}

/** Each tool result is emitted with the name of its tool. */
function resultFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const ids = lines.flatMap((line) =>
    line["type"] === "user" && line["isReplay"] !== true ? toolResultIds(line) : [],
  );
  const results = emitted.flatMap((message) => (message.type === "tool_result" ? [message] : []));
  const lost = ids.filter((id) => !results.some(({ tool_use_id }) => tool_use_id === id));
  const nameless = results.filter(({ tool_name }) => tool_name === undefined);
  return [
    ...lost.map((id) => `tool result not emitted: ${id}`),
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

/** Each `result` of Claude completes one turn. */
function endFaults(lines: readonly Fields[], emitted: readonly Emitted[]): string[] {
  const results = lines.filter(({ type }) => type === "result").length;
  const ends = emitted.filter(({ type }) => type === "turn_complete").length;
  return results === ends ? [] : [`${results} results, ${ends} completed turns`];
}
