/** A conversation of the past as updates: by the rows of a live one, with the prompts, which a client has not. Pure. */
import { fieldsOf } from "../../src/base/json.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { isInBackground } from "./agent-calls.ts";
import { closeStep } from "./late-updates.ts";
import { blockOf } from "./shown-blocks.ts";
import { isAgentCall } from "./tool-kinds.ts";
import {
  type MessageOf,
  type Step,
  stepTo,
  type ToolCallState,
  type Update,
  type UpdateState,
} from "./update-state.ts";
import { updatesOf } from "./updates-of.ts";

type Calls = ReadonlyMap<string, ToolCallState>;

/** `live`: the calls of the live session, for what is sent behind the transcript. */
export function pastStep(
  state: UpdateState,
  message: OutboundDraft,
  live: Calls = new Map(),
): Step {
  if (message.type === "user_text" && message.kind === "history")
    return promptStep(state, message, live);
  const step = updatesOf(state, message);
  if (message.type !== "tool_use" || !isAgentCall(message.tool_name)) return step;
  // A transcript has the end of a task, but not its beginning.
  const call = step.state.tools.get(message.tool_use_id);
  if (call === undefined) return step;
  const tools = new Map([...step.state.tools, [message.tool_use_id, { ...call, hasTask: true }]]);
  return { ...step, state: { ...step.state, tools } };
}

/**
 * A prompt ends the calls that the turn before it has left open, except calls of agents in the background. A
 * call that runs in the live session is of the turn of the prompt, which is sent behind it.
 */
function promptStep(state: UpdateState, message: MessageOf<"user_text">, live: Calls): Step {
  const running = new Set(
    [...state.tools].flatMap(([id, call]) => (live.get(id)?.isEnded === false ? [call] : [])),
  );
  const { state: closed, updates } = closeStep(
    state,
    (call) => !running.has(call) && !isInBackground(state, call),
  );
  const left = [...closed.tools].flatMap(([id, call]): [string, ToolCallState][] =>
    call.isEnded ? [] : [[id, { ...call, isEarlier: true }]],
  );
  return stepTo({ ...closed, tools: new Map(left) }, ...updates, ...promptUpdates(message));
}

/** Has led to this conversation, and is no part of it. With an image it is a prompt. */
const CLEAR = "/clear";

function promptUpdates({ text, content, message_id }: MessageOf<"user_text">): Update[] {
  if (text === CLEAR && content === undefined) return [];
  const blocks = content?.flatMap((block) => blockOf(fieldsOf(block)));
  const shown = blocks ?? (text === "" ? [] : [{ type: "text", text } as const]);
  return shown.map((block) => ({
    sessionUpdate: "user_message_chunk",
    content: block,
    ...(message_id !== undefined && { messageId: message_id }),
  }));
}

type Now = {
  /** The calls of the live session. */
  readonly live: Calls;
  readonly openTurnId: string | undefined;
  /** All calls that the past has. */
  readonly calls: ReadonlySet<string>;
};

/** The end of the past. Calls that run in the live session, and calls of the open turn, go on. */
export function endPast(past: UpdateState, { live, openTurnId, calls }: Now): Step {
  const running = new Set([...live.values()].filter(({ isEnded }) => !isEnded));
  const tools = [...past.tools].map(([id, call]): [string, ToolCallState] => {
    const known = live.get(id);
    if (call.isEnded) return [id, call];
    if (known !== undefined && running.has(known)) return [id, known];
    const turnId = call.isEarlier === true ? undefined : openTurnId;
    return [id, { ...call, turnId, isUnseen: true }];
  });
  const isOver = (call: ToolCallState) => !running.has(call) && call.turnId === undefined;
  const closed = closeStep({ ...past, tools: new Map(tools), streamed: new Set() }, isOver);
  const others = [...live].filter(
    ([id, call]) => running.has(call) && !calls.has(id) && isInBackground({ tools: live }, call),
  );
  return others.reduce(goOnStep, closed);
}

/** An agent that was started before a `/clear` goes on. */
function goOnStep({ state, updates }: Step, [id, call]: [string, ToolCallState]): Step {
  const { name: tool_name, input = {} } = call;
  // The agent that has started it may have ended, and is not sent again.
  const isKnown = call.parent !== undefined && state.tools.has(call.parent);
  const parent = isKnown ? call.parent : undefined;
  const use = { type: "tool_use", msg_id: "", block_index: 0, status: "complete" } as const;
  const whole = { ...use, tool_use_id: id, tool_name, input, parent_tool_use_id: parent };
  const step = updatesOf(state, whole);
  const tools = new Map([...step.state.tools, [id, { ...call, parent }]]);
  return { state: { ...step.state, tools }, updates: [...updates, ...step.updates] };
}
