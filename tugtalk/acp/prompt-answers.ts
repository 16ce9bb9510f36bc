/** The answer to a prompt, by the end of its turn or the reason why it has none. Pure. */
import type { StopReason } from "@agentclientprotocol/sdk";
import { describeApiFailure } from "../client/views/notice-view.ts";
import type { Unstamped } from "../src/messages/envelope.ts";
import type { MessageStatus, TurnComplete } from "../src/messages/turn-messages.ts";
import { AcpError } from "./json-rpc.ts";

const BROKEN = {
  exited: "Claude has ended in the middle of the turn; the next prompt starts it again",
  stalled: "Claude did not end the turn in time",
  line_lost: "the result of the turn was too long",
  rejected: "Claude has dropped the prompt",
} as const;

export function withdrawn(): AcpError {
  return new AcpError("cancelled", "the prompt was withdrawn");
}

export function brokenBy(reason: keyof typeof BROKEN): AcpError {
  return new AcpError("internal", BROKEN[reason], dataOf(reason));
}

/** The error in a receipt of a prompt that no turn has; undefined where it was simply withdrawn. */
export function lossIn({ status, reason }: Unstamped<MessageStatus>): AcpError | undefined {
  const isWithdrawn = reason === undefined || WITHDRAWALS.has(reason);
  if (status === "cancelled" && isWithdrawn) return undefined;
  const text = `the prompt was ${status}${reason === undefined ? "" : `: ${reason}`}`;
  return new AcpError("internal", text, dataOf(reason));
}

/** Why a message is cancelled that somebody has withdrawn. Any other reason is a failure. */
const WITHDRAWALS: ReadonlySet<string> = new Set([
  "withdrawn",
  "replaced",
  "interrupted",
  "session_command",
  "shutdown",
]);

export function dataOf(reason: string | undefined, status?: number) {
  return { tugtalk: { reason, status } };
}

/**
 * Why a turn has ended, in the words of ACP, or the error that its prompts are answered with. `error` is
 * Claude's name for the last error of the API in the turn, and the only sign that nobody is logged in, or that
 * an answer is too long. Where the bridge has interrupted a turn in which nothing came, it is the bridge's code.
 * The `refusal` of ACP is not used: with it, a client drops the prompt, which Claude keeps.
 */
export function stopReasonOf(
  turn: Unstamped<TurnComplete>,
  error: string | undefined,
): StopReason | AcpError {
  const { result, subtype, stop_reason, api_error_status, api_error_type, errors } = turn;
  if (result === "cancelled")
    return error === "claude_unresponsive" ? brokenBy("stalled") : "cancelled";
  if (subtype === "error_max_turns") return "max_turn_requests";
  if (result === "success") return stop_reason === "max_tokens" ? "max_tokens" : "end_turn";
  if (error === "max_output_tokens") return "max_tokens";
  const isLoggedOut = api_error_status === 401 || error === "authentication_failed";
  const code = isLoggedOut ? "loginNeeded" : "internal";
  // Claude has sent the text of the API's error as its own.
  const isOfApi = subtype === "success";
  const reason = isOfApi ? (api_error_type ?? error) : subtype;
  const failure = isOfApi ? describeApiFailure(reason, api_error_status) : subtype;
  const data = dataOf(reason, api_error_status);
  return new AcpError(code, errors?.join("; ") ?? failure, data);
}
