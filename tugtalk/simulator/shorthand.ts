/**
 * The short forms of a conversation, as lines of the CLI: the opening of a turn, a message of the model and
 * the end of the turn. Protocol reference §4a.
 */

import type { Fields } from "../src/base/json.ts";
import {
  buildAssistant,
  buildInit,
  buildLifecycle,
  buildReplay,
  buildResult,
  buildStatus,
  buildStreamEvent,
  COST_OF_CALL,
  type Session,
  userUuids,
  uuidOf,
} from "./claude-lines.ts";
import type { ConversationEntry, PlayedEntry, ReplyBlock, ScriptedReply } from "./conversation.ts";
import { buildSteps, DEFAULT_SIGNATURE } from "./message-stream.ts";
import recorded from "./recorded-lines.json";
import { newApiId } from "./scenario-ids.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** A short form for other entries. */
export type ShortEntry = Extract<ConversationEntry, { dir: "open" | "reply" | "end" }>;

/** Whether an entry is a short form. */
export function isShort(entry: PlayedEntry): entry is ShortEntry {
  return entry.dir === "open" || entry.dir === "reply" || entry.dir === "end";
}

/** The entries of a short form, at this moment of the turn. */
export function writeOut(state: SimulatorState, entry: ShortEntry): readonly PlayedEntry[] {
  switch (entry.dir) {
    case "open":
      return [...opening(state, entry.msg).map(out), ...echoOf(state)];
    case "reply":
      return entry.msg.parent === undefined
        ? streamed(state, entry.msg)
        : ofSubagent(state, entry.msg).map(out);
    case "end":
      return ending(state, entry.msg).map(out);
  }
}

function out(msg: Fields): ConversationEntry {
  return { dir: "out", msg };
}

/**
 * The lines up to the first request to the API. Without a user message Claude has begun the turn by itself.
 */
export function opening(
  { session, received, printed, program }: SimulatorState,
  changes: Fields,
): readonly Fields[] {
  const uuid = uuidOf(received);
  const isQueued = uuid !== undefined && printed.queued.has(uuid);
  const states = isQueued ? ["started"] : ["queued", "started"];
  return [
    ...(uuid === undefined ? [] : states.map((state) => buildLifecycle(session, uuid, state))),
    program.addTo({ ...buildInit(session, uuid), ...changes }),
    buildStatus(session, { status: "requesting", ...userUuids(uuid) }),
  ];
}

/** The echo of a message, which comes when the API begins to answer. */
function echoOf({ session, received, script }: SimulatorState): readonly PlayedEntry[] {
  if (received === undefined) return [];
  return [...script.takeAttempts(), out(buildReplay(session, received))];
}

/** The request, unless the opening has it, and the message event by event. */
export function streamed(
  { session, printed }: SimulatorState,
  reply: ScriptedReply,
): readonly ConversationEntry[] {
  const message = newMessage(session);
  const steps = buildSteps(reply, {
    ...message,
    nextToolId: () => newApiId("toolu", session.newId),
  });
  const request = buildStatus(session, { status: "requesting" });
  return [
    ...(printed.messageIds.size === 0 ? [] : [out(request)]),
    ...steps.flatMap((step) => {
      if (step.kind === "pause") return { dir: "pause", msg: step.ms } as const;
      if (step.kind !== "event") return [];
      const event = out(buildStreamEvent(session, message.id, step.event));
      // The CLI prints the finished block before the end of its stream.
      const isEnd = step.event.type === "content_block_stop";
      const block = isEnd ? reply.content[Number(step.event["index"])] : undefined;
      return block === undefined ? [event] : [out(finishedBlock(session, message, block)), event];
    }),
  ];
}

/** A message of a subagent comes block by block, without its stream. */
function ofSubagent({ session }: SimulatorState, reply: ScriptedReply): readonly Fields[] {
  const message = newMessage(session);
  return reply.content.map((block) => ({
    ...finishedBlock(session, message, block),
    parent_tool_use_id: reply.parent ?? null,
  }));
}

function finishedBlock(session: Session, message: Fields, block: ReplyBlock): Fields {
  const { pieces: _pieces, ...finished } = block;
  const signed =
    block.type === "thinking" ? { ...finished, signature: DEFAULT_SIGNATURE } : finished;
  return buildAssistant(session, message, signed);
}

function newMessage(session: Session) {
  const model = session.model.replace("[1m]", "");
  return { ...recorded.message, id: newApiId("msg", session.newId), model };
}

/** The result, with these fields changed, and the lines after it. */
export function ending(
  { session, received, printed }: SimulatorState,
  changes: Fields,
): readonly Fields[] {
  const uuid = uuidOf(received);
  const modelCalls = printed.messageIds.size;
  const result = buildResult(session, {
    subtype: "success",
    isError: false,
    totalCost: printed.totalCost + modelCalls * COST_OF_CALL,
    modelCalls,
    ...(changes["errors"] === undefined && { result: printed.lastText }),
    terminalReason: "completed",
  });
  const done = uuid === undefined ? [] : [buildLifecycle(session, uuid, "completed")];
  return [{ ...result, ...changes }, ...done];
}
