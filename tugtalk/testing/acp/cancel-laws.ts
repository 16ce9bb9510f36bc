/** Which prompts may be answered as cancelled. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { linesOf, type OwnerOf } from "./claude-lines.ts";
import type { Passage } from "./client-pipe.ts";

/** No prompt is cancelled unless the client has asked for that since it has sent it. */
export function cancelFaults(
  passages: readonly Passage[],
  claudes: readonly (readonly Traffic[])[],
  ownerOf: OwnerOf,
): string[] {
  const unclear = new Set<unknown>(claudes.flatMap(unclearConversations).map(ownerOf));
  /** The prompts that have no reason to be cancelled, each with its session. */
  const kept = new Map<unknown, unknown>();
  return passages.flatMap(({ from, frame }) => {
    if (from === "client") record(kept, frame);
    const { id, result } = frame;
    const isCancelled = from === "agent" && fieldsOf(result)["stopReason"] === "cancelled";
    const isWrong = isCancelled && kept.has(id) && !unclear.has(kept.get(id));
    return isWrong ? [`prompt ${id} is cancelled, and the client has not asked for that`] : [];
  });
}

function record(kept: Map<unknown, unknown>, { id, method, params }: Fields): void {
  const { sessionId: session, requestId } = fieldsOf(params);
  if (method === "session/prompt") kept.set(id, session);
  if (method === "$/cancel_request") kept.delete(requestId);
  if (!CANCELS.has(method)) return;
  for (const [prompt, its] of kept) if (its === session) kept.delete(prompt);
}

const CANCELS: ReadonlySet<unknown> = new Set([
  "session/cancel",
  "session/close",
  "session/delete",
]);

/** Conversations in which the agent may take the end or the interrupt of another turn for a prompt's. */
function unclearConversations(traffic: readonly Traffic[]): string[] {
  const lines = linesOf(traffic);
  const isUnclear = hasUnexplainedTurn(lines) || hasLateInterrupt(lines);
  const ids = lines.map(({ session_id }) => session_id).filter((id) => typeof id === "string");
  return isUnclear ? ids.slice(0, 1) : [];
}

/** A turn begins for no message, no task and no `/clear`. */
function hasUnexplainedTurn(lines: readonly Fields[]): boolean {
  return lines.some(({ type, subtype }, place) => {
    if (type !== "system" || subtype !== "init") return false;
    const before = lines[place - 1];
    const reasons = [before?.["state"], before?.["subtype"], before?.["type"]];
    return !reasons.some((reason) => REASONS.has(reason));
  });
}

const REASONS: ReadonlySet<unknown> = new Set([
  "started",
  "task_notification",
  "conversation_reset",
]);

/** Claude begins a message, and then handles an interrupt that it was sent before. A real one reads in order. */
function hasLateInterrupt(lines: readonly Fields[]): boolean {
  const open = new Set<unknown>();
  const late = new Set<unknown>();
  return lines.some(({ type, uuid, state, command_uuid, request, request_id, response }) => {
    if (fieldsOf(request)["subtype"] === "interrupt") open.add(request_id);
    open.delete(fieldsOf(response)["request_id"]);
    if (type === "user" && open.size > 0) late.add(uuid);
    return state === "started" && open.size > 0 && late.has(command_uuid);
  });
}
