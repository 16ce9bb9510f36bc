/**
 * The lines of an interrupted turn, from the parts that its lines have left open. Pure; protocol reference
 * §10.
 */

import type { Fields } from "../src/base/json.ts";
import {
  buildAssistant,
  buildInit,
  buildReplay,
  buildResult,
  buildStreamEvent,
  buildToolError,
  buildUser,
  COST_OF_CALL,
  type Session,
  uuidOf,
} from "./claude-lines.ts";
import { fieldOf, textOf } from "./json-value.ts";
import type { OpenMessage, PrintedLines } from "./printed-lines.ts";
import { blockStop, textBlock } from "./stream-events.ts";

/** The user message of the interrupted turn, if it had one, and whether messages are echoed. */
export type InterruptedTurn = {
  readonly printed: PrintedLines;
  readonly received?: Fields;
  readonly echoesUser: boolean;
};

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a " +
  "file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the " +
  "user to tell you how to proceed.";

/** The withdrawals of prompts that an interrupt makes pointless; they come before its answer. */
export function buildWithdrawals(session: Session, printed: PrintedLines): readonly Fields[] {
  return [...printed.openPrompts.values()].flatMap(({ requestId: request_id, subtype, request }) =>
    subtype === "mcp_message"
      ? buildCancellation(session, request)
      : [{ type: "control_cancel_request", request_id }],
  );
}

/** Cancels the call of a host's tool with a message of its own. */
function buildCancellation({ newId }: Session, { server_name, message: call }: Fields): Fields[] {
  if (textOf(call, "method") !== "tools/call") return [];
  const params = { requestId: fieldOf(call, "id"), reason: "interrupted" };
  const message = { jsonrpc: "2.0", method: "notifications/cancelled", params };
  const request = { subtype: "mcp_message", server_name, message };
  return [{ type: "control_request", request_id: newId(), request }];
}

/** Everything from the interrupt's answer to the end of the turn. */
export function buildAbortedTurn(session: Session, turn: InterruptedTurn): readonly Fields[] {
  const { printed } = turn;
  const isInTool = printed.openTools.size > 0;
  const open = printed.openMessage;
  const text = isInTool ? TOOL_NOTICE : "[Request interrupted by user]";
  return [
    ...buildLateOpening(session, turn),
    ...(open === undefined || isInTool ? [] : buildPartialText(session, open)),
    ...[...printed.openTools].map((id) => buildRejection(session, id)),
    buildUser(session, textBlock(text)),
    ...(open === undefined || isInTool ? [] : buildStreamEnd(session, open)),
    buildAbortedResult(session, printed.totalCost, isInTool),
  ];
}

/** The end of a turn that a denial with `interrupt: true` stopped; its tool_result comes before. */
export function buildDeniedEnd(
  session: Session,
  totalCost: number,
): readonly [notice: Fields, result: Fields] {
  return [buildUser(session, textBlock(TOOL_NOTICE)), buildAbortedResult(session, totalCost, true)];
}

/** The tool_result of an interrupted tool. */
export function buildRejection(session: Session, toolUseId: string): Fields {
  return buildToolError(session, toolUseId, REJECTED, "User rejected tool use");
}

const TOOL_NOTICE = "[Request interrupted by user for tool use]";

function buildLateOpening(session: Session, turn: InterruptedTurn): readonly Fields[] {
  const { printed, received } = turn;
  const init = printed.sawInit ? [] : [buildInit(session, uuidOf(received))];
  if (received === undefined || printed.sawReplay || !turn.echoesUser) return init;
  return [...init, buildReplay(session, received)];
}

/** Prints a text that was cut short, with a mark. */
function buildPartialText(session: Session, open: OpenMessage): readonly Fields[] {
  const { block, message } = open;
  if (block?.type !== "text" || block.text === "") return [];
  return [{ ...buildAssistant(session, message, textBlock(block.text)), aborted: true }];
}

/** Closes the stream events of a message that was cut short. */
function buildStreamEnd(session: Session, open: OpenMessage): readonly Fields[] {
  const { id, block, message } = open;
  const delta = { container: null, stop_details: null, stop_reason: null, stop_sequence: null };
  const events: Fields[] = [
    { type: "message_delta", context_management: null, delta, usage: message["usage"] },
    { type: "message_stop" },
  ];
  if (block !== undefined) events.unshift(blockStop(block.index));
  return events.map((event) => buildStreamEvent(session, id, event));
}

/** `spent` is the total cost before the aborted call, in US dollars; that call costs as much as any other. */
function buildAbortedResult(session: Session, spent: number, isInTool: boolean): Fields {
  return buildResult(session, {
    subtype: "error_during_execution",
    isError: true,
    totalCost: spent + COST_OF_CALL,
    modelCalls: 1,
    numTurns: isInTool ? 3 : 2,
    errors: ["[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null"],
    terminalReason: isInTool ? "aborted_tools" : "aborted_streaming",
  });
}
