/**
 * What an interrupted turn prints, from what its lines have left open. Pure; protocol reference §10.
 */
import {
  buildAssistant,
  buildInit,
  buildInjectedUser,
  buildReplay,
  buildResult,
  buildStreamEvent,
  buildToolError,
  costOfCall,
  type Session,
  uuidOf,
} from "./claude-lines.ts";
import type { JsonObject } from "./json-value.ts";
import type { OpenMessage, PrintedLines } from "./printed-lines.ts";

/** The user message of the interrupted turn, if it had one, and whether messages are echoed. */
export type InterruptedTurn = {
  readonly printed: PrintedLines;
  readonly received?: JsonObject;
  readonly echoesUser: boolean;
};

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a " +
  "file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the " +
  "user to tell you how to proceed.";

/** The withdrawals of prompts that an interrupt makes pointless; they come before its answer. */
export function buildWithdrawals(printed: PrintedLines): readonly JsonObject[] {
  return [...printed.openPrompts.keys()].map((request_id) => ({
    type: "control_cancel_request",
    request_id,
  }));
}

/** Everything from the interrupt's answer to the end of the turn. */
export function buildAbortedTurn(session: Session, turn: InterruptedTurn): readonly JsonObject[] {
  const { printed } = turn;
  const isInTool = printed.openTools.size > 0;
  const open = printed.openMessage;
  const text = isInTool ? TOOL_NOTICE : "[Request interrupted by user]";
  return [
    ...buildLateOpening(session, turn),
    ...(open === undefined || isInTool ? [] : buildPartialText(session, open)),
    ...[...printed.openTools].map((id) => buildRejection(session, id)),
    buildInjectedUser(session, text),
    ...(open === undefined || isInTool ? [] : buildStreamEnd(session, open)),
    buildAbortedResult(session, printed.totalCost, isInTool),
  ];
}

/** The end of a turn that a denial with `interrupt: true` stopped; its tool_result comes before. */
export function buildDeniedEnd(
  session: Session,
  totalCost: number,
): readonly [notice: JsonObject, result: JsonObject] {
  return [buildInjectedUser(session, TOOL_NOTICE), buildAbortedResult(session, totalCost, true)];
}

/** The tool_result of a tool that an interrupt caught. */
export function buildRejection(session: Session, toolUseId: string): JsonObject {
  if (session.version === "2.1.38") {
    return buildToolError(session, toolUseId, "Tool permission request failed: AbortError");
  }
  return buildToolError(session, toolUseId, REJECTED, "User rejected tool use");
}

const TOOL_NOTICE = "[Request interrupted by user for tool use]";

function buildLateOpening(session: Session, turn: InterruptedTurn): readonly JsonObject[] {
  const { printed, received } = turn;
  const init = printed.sawInit ? [] : [buildInit(session, uuidOf(received))];
  if (received === undefined || printed.sawReplay || !turn.echoesUser) return init;
  return [...init, buildReplay(session, received)];
}

/** V38 loses a text that was cut short; the others print it, V330 with a mark. */
function buildPartialText(session: Session, open: OpenMessage): readonly JsonObject[] {
  const { block, message } = open;
  if (session.version === "2.1.38" || block?.type !== "text" || block.text === "") return [];
  const line = buildAssistant(session, message, { type: "text", text: block.text });
  return [session.version === "2.1.330" ? { ...line, aborted: true } : line];
}

/** Only V330 closes the stream events of a message that was cut short. */
function buildStreamEnd(session: Session, open: OpenMessage): readonly JsonObject[] {
  if (session.version !== "2.1.330") return [];
  const { id, block, message } = open;
  const delta = { container: null, stop_details: null, stop_reason: null, stop_sequence: null };
  const events: JsonObject[] = [
    { type: "message_delta", context_management: null, delta, usage: message["usage"] },
    { type: "message_stop" },
  ];
  if (block !== undefined) events.unshift({ type: "content_block_stop", index: block.index });
  return events.map((event) => buildStreamEvent(session, id, event));
}

/** `spent` is the total cost before the aborted call, in US dollars; that call costs as much as any other. */
function buildAbortedResult(session: Session, spent: number, isInTool: boolean): JsonObject {
  const isOldest = session.version === "2.1.38";
  return buildResult(session, {
    subtype: "error_during_execution",
    isError: !isOldest,
    totalCost: spent + costOfCall(session.version),
    modelCalls: 1,
    numTurns: isInTool ? 3 : 2,
    errors: isOldest
      ? []
      : ["[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"],
    terminalReason: isInTool ? "aborted_tools" : "aborted_streaming",
  });
}
