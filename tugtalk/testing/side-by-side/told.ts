/** Reads of the frames of an agent: texts, calls, diffs, requests and ends. Pure. */
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { AcpFrame } from "../drivers/acp-client.ts";

export type Update = Fields;

/** All updates of all sessions, in order. */
export function updatesIn(frames: readonly AcpFrame[]): Update[] {
  return frames.flatMap(({ method, params }) =>
    method === "session/update" ? [fieldsOf(fieldsOf(params)["update"])] : [],
  );
}

function ofKind(frames: readonly AcpFrame[], kind: string): Update[] {
  return updatesIn(frames).filter(({ sessionUpdate }) => sessionUpdate === kind);
}

/** The text of all chunks of a kind, joined. */
export function textOf(
  frames: readonly AcpFrame[],
  of: "agent_message" | "agent_thought" | "user_message",
): string {
  const chunks = ofKind(frames, `${of}_chunk`);
  return chunks.map(({ content }) => fieldsOf(content)["text"] ?? "").join("");
}

/** Each tool call as its last update leaves it, by its id. */
export function callsIn(frames: readonly AcpFrame[]): ReadonlyMap<unknown, ToolCall> {
  const calls = new Map<unknown, ToolCall>();
  for (const update of updatesIn(frames)) {
    const { sessionUpdate, toolCallId, status, content } = update;
    if (sessionUpdate !== "tool_call" && sessionUpdate !== "tool_call_update") continue;
    const known = calls.get(toolCallId) ?? { fields: {}, statuses: [], contents: [] };
    const isNew = typeof status === "string" && known.statuses.at(-1) !== status;
    calls.set(toolCallId, {
      fields: { ...known.fields, ...update },
      statuses: isNew ? [...known.statuses, status] : known.statuses,
      contents: Array.isArray(content)
        ? [...known.contents, ...content.map(fieldsOf)]
        : known.contents,
    });
  }
  return calls;
}

export type ToolCall = {
  readonly fields: Fields;
  /** Each status in its updates, in order. */
  readonly statuses: readonly string[];
  /** All content in its updates, in order. */
  readonly contents: readonly Fields[];
};

/** The first tool call. */
export function firstCall(frames: readonly AcpFrame[]): ToolCall {
  const [call] = callsIn(frames).values();
  return call ?? { fields: {}, statuses: [], contents: [] };
}

/** The diffs of all calls and of all permission requests, in order. */
export function diffsIn(frames: readonly AcpFrame[]): Fields[] {
  const contents = frames.flatMap(({ params }) => {
    const { update, toolCall } = fieldsOf(params);
    const { content } = fieldsOf(update ?? toolCall);
    return Array.isArray(content) ? content.map(fieldsOf) : [];
  });
  return contents.filter(({ type }) => type === "diff");
}

/** The requests of the agent to the client. */
export function requestsIn(frames: readonly AcpFrame[], method: string): Fields[] {
  return frames.filter((frame) => frame["method"] === method && frame["id"] !== undefined);
}

/** The options of the first permission request. */
export function optionsIn(frames: readonly AcpFrame[]): Fields[] {
  const [request] = requestsIn(frames, "session/request_permission");
  const { options } = fieldsOf(request?.["params"]);
  return Array.isArray(options) ? options.map(fieldsOf) : [];
}

/** Why each prompt has ended, and the code of each that failed, in order. */
export function endsIn(frames: readonly AcpFrame[]): unknown[] {
  return frames.flatMap(({ method, result, error }) => {
    if (method !== undefined) return [];
    const { stopReason } = fieldsOf(result);
    return stopReason ?? fieldsOf(error)["code"] ?? [];
  });
}

/** Whether any frame has this text, in any field. */
export function tells(frames: readonly AcpFrame[], text: string): boolean {
  return JSON.stringify(frames).includes(JSON.stringify(text).slice(1, -1));
}

/** The values of this field of `_meta.tugtalk` in all updates, in order. */
export function marksIn(frames: readonly AcpFrame[], field: string): unknown[] {
  return updatesIn(frames).flatMap(
    ({ _meta }) => fieldsOf(fieldsOf(_meta)["tugtalk"])[field] ?? [],
  );
}

/** The entries of each plan, as their texts and states. */
export function plansIn(frames: readonly AcpFrame[]): string[] {
  return ofKind(frames, "plan").map(({ entries }) =>
    (Array.isArray(entries) ? entries : [])
      .map(fieldsOf)
      .map(({ content, status }) => `${content}: ${status}`)
      .join(", "),
  );
}

/** The updates of a kind. */
export function countOf(frames: readonly AcpFrame[], kind: string): number {
  return ofKind(frames, kind).length;
}
