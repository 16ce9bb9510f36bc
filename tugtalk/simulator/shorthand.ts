/**
 * What a conversation says in short, as the lines that the imitated CLI prints for it: the opening of a
 * turn, a message of the model and the end of the turn. The order of lines is that of 2.1.330 (§4a).
 */
import {
  buildAssistant,
  buildInit,
  buildLifecycle,
  buildReplay,
  buildResult,
  buildStatus,
  buildStreamEvent,
  costOfCall,
  type Session,
  userUuids,
  uuidOf,
} from "./claude-lines.ts";
import type { ConversationEntry, ReplyBlock, ScriptedReply } from "./conversation.ts";
import { RECORDED_LINES } from "./imitated-version.ts";
import type { JsonObject } from "./json-value.ts";
import { buildSteps, DEFAULT_SIGNATURE } from "./message-stream.ts";
import { newApiId } from "./scenario-ids.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** An entry that stands for others. */
export type ShortEntry = Extract<ConversationEntry, { dir: "open" | "reply" | "end" }>;

/** True for an entry that stands for others. */
export function isShort(entry: ConversationEntry): entry is ShortEntry {
  return entry.dir === "open" || entry.dir === "reply" || entry.dir === "end";
}

/** The entries that `entry` stands for, at this moment of the turn. */
export function writeOut(state: SimulatorState, entry: ShortEntry): readonly ConversationEntry[] {
  switch (entry.dir) {
    case "open":
      return opening(state, entry.msg);
    case "reply":
      return entry.msg.parent === undefined
        ? streamed(state, entry.msg)
        : ofSubagent(state, entry.msg).map(out);
    case "end":
      return ending(state, entry.msg).map(out);
  }
}

function out(msg: JsonObject): ConversationEntry {
  return { dir: "out", msg };
}

/**
 * Without a user message Claude has begun the turn by itself. The echo of a message comes when the API
 * begins to answer.
 */
function opening(
  { session, received, printed, script }: SimulatorState,
  changes: JsonObject,
): readonly ConversationEntry[] {
  const uuid = uuidOf(received);
  const isQueued = uuid !== undefined && printed.queued.has(uuid);
  const states = isQueued ? ["started"] : ["queued", "started"];
  const lines = [
    ...(uuid === undefined ? [] : states.map((state) => buildLifecycle(session, uuid, state))),
    { ...buildInit(session, uuid), ...changes },
    buildStatus(session, { status: "requesting", ...userUuids(uuid) }),
  ].map(out);
  if (received === undefined) return lines;
  return [...lines, ...script.takeAttempts(), out(buildReplay(session, received))];
}

/** The request, unless the opening has it, and the message event by event. */
function streamed(
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
function ofSubagent({ session }: SimulatorState, reply: ScriptedReply): readonly JsonObject[] {
  const message = newMessage(session);
  return reply.content.map((block) => ({
    ...finishedBlock(session, message, block),
    parent_tool_use_id: reply.parent ?? null,
  }));
}

function finishedBlock(session: Session, message: JsonObject, block: ReplyBlock): JsonObject {
  const { pieces: _pieces, ...finished } = block;
  const signed =
    block.type === "thinking" ? { ...finished, signature: DEFAULT_SIGNATURE } : finished;
  return buildAssistant(session, message, signed);
}

function newMessage(session: Session) {
  const { message } = RECORDED_LINES[session.version];
  const model = session.model.replace("[1m]", "");
  return { ...message, id: newApiId("msg", session.newId), model };
}

function ending(
  { session, received, printed }: SimulatorState,
  changes: JsonObject,
): readonly JsonObject[] {
  const uuid = uuidOf(received);
  const modelCalls = printed.messageIds.size;
  const result = buildResult(session, {
    subtype: "success",
    isError: false,
    totalCost: printed.totalCost + modelCalls * costOfCall(session.version),
    modelCalls,
    ...(changes["errors"] === undefined && { result: printed.lastText }),
    terminalReason: "completed",
  });
  const done = uuid === undefined ? [] : [buildLifecycle(session, uuid, "completed")];
  return [{ ...result, ...changes }, ...done];
}
