/** A conversation of the past as updates: by the rows of a live one, with the prompts, which a client has not. Pure. */
import { fieldsOf } from "../../src/base/json.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { closeStep, toolUpdates } from "./late-updates.ts";
import { isAgentCall } from "./tool-kinds.ts";
import {
  type MessageOf,
  type Step,
  type ToolCallState,
  told,
  type Update,
  type UpdateState,
} from "./update-state.ts";
import { updatesOf } from "./updates-of.ts";

export function pastStep(state: UpdateState, message: OutboundDraft): Step {
  if (message.type === "user_text" && message.kind === "history") return promptStep(state, message);
  const step = updatesOf(state, message);
  if (message.type !== "tool_use" || !isAgentCall(message.tool_name)) return step;
  // A transcript has the end of a task, but not its beginning.
  const call = step.state.tools.get(message.tool_use_id);
  if (call === undefined) return step;
  const tools = new Map([...step.state.tools, [message.tool_use_id, { ...call, hasTask: true }]]);
  return { ...step, state: { ...step.state, tools } };
}

/** A prompt ends the calls that the turn before it has left open. */
function promptStep(state: UpdateState, message: MessageOf<"user_text">): Step {
  const { state: closed, updates } = closeStep(state, ({ isLaunched }) => isLaunched !== true);
  const left = new Map([...closed.tools].filter(([, { isEnded }]) => !isEnded));
  return told({ ...closed, tools: left }, ...updates, ...promptUpdates(message));
}

/** Has led to this conversation, and is no part of it. */
const CLEAR = "/clear";

function promptUpdates({ text, content, message_id }: MessageOf<"user_text">): Update[] {
  if (text === CLEAR) return [];
  const blocks = content?.flatMap((block) => toolUpdates().blockOf(fieldsOf(block)));
  const shown = blocks ?? (text === "" ? [] : [{ type: "text", text } as const]);
  return shown.map((block) => ({
    sessionUpdate: "user_message_chunk",
    content: block,
    ...(message_id !== undefined && { messageId: message_id }),
  }));
}

/** The end of the updates about the past. Calls that run in the live session go on; without a turn the others are over. */
export function endPast(
  past: UpdateState,
  live: ReadonlyMap<string, ToolCallState>,
  openTurnId: string | undefined,
): Step {
  const running = new Set([...live.values()].filter(({ isEnded }) => !isEnded));
  const tools = [...past.tools].map(([id, call]): [string, ToolCallState] => {
    const known = live.get(id);
    if (call.isEnded) return [id, call];
    return [
      id,
      known !== undefined && running.has(known) ? known : { ...call, turnId: openTurnId },
    ];
  });
  const isOver = (call: ToolCallState) => !running.has(call) && call.turnId === undefined;
  return closeStep({ ...past, tools: new Map(tools), streamed: new Set() }, isOver);
}
