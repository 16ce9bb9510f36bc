/** Messages for scripts of the fake bridge. Made up, in the shapes of the contract. */
import type { ToolApproval } from "../../../../src/types.ts";
import type { Draft } from "./fake-bridge.ts";

export function turnStarted(turn_id = "t1", message_ids: readonly string[] = []): Draft {
  return { type: "turn_started", turn_id, message_ids, trigger: "user" };
}

export function turnComplete(turn_id = "t1", message_ids: readonly string[] = []): Draft {
  return {
    type: "turn_complete",
    turn_id,
    result: "success",
    subtype: "success",
    is_error: false,
    permission_denials: [],
    message_ids,
    trigger: "user",
  };
}

export function status(message_id: string, word: string, more: object = {}): Draft {
  return { type: "message_status", message_id, status: word, ...more };
}

/** A permission prompt of the turn; without a turn, a prompt of work in the background. */
export function prompt(request_id: string, turn_id?: string): Draft {
  return {
    type: "control_request_forward",
    request_id,
    ...(turn_id !== undefined && { turn_id }),
    tool_name: "Bash",
    input: { command: "ls" },
    is_question: false,
    tool_use_id: `toolu_${request_id}`,
  };
}

/** A client's answer to a permission prompt. */
export function approval(request_id: string, decision: ToolApproval["decision"]): ToolApproval {
  return { type: "tool_approval", request_id, decision };
}

export function said(turn_id: string, text: string): Draft {
  const block = { msg_id: `msg_${turn_id}`, block_index: 0, is_partial: false };
  return { type: "assistant_text", turn_id, ...block, text, status: "complete" };
}

/** A part of a streaming text. */
export function partial(turn_id: string, text: string): Draft {
  const block = { msg_id: `msg_${turn_id}`, block_index: 0, is_partial: true };
  return { type: "assistant_text", turn_id, ...block, text, status: "partial" };
}

/** A whole turn for a message. */
export function wholeTurn(turn_id: string, message_id: string, text: string): readonly Draft[] {
  return [
    turnStarted(turn_id, [message_id]),
    status(message_id, "started", { turn_id }),
    { type: "user_text", turn_id, message_id, text, kind: "host" },
    said(turn_id, `You said: ${text}`),
    turnComplete(turn_id, [message_id]),
    status(message_id, "completed", { turn_id }),
  ];
}

/** Claude reports that the usage limit is reached, with the time of its reset in milliseconds since 1970. */
export function limitReached(resetsAt: number): Draft {
  const info = { status: "rejected", resetsAt: resetsAt / 1000, rateLimitType: "five_hour" };
  return { type: "rate_limit", rate_limit_info: info };
}

/** A turn that the usage limit refuses, after some other messages of it. */
export function refusedTurn(
  turn_id: string,
  message_ids: readonly string[],
  ...before: readonly Draft[]
): readonly Draft[] {
  return [
    turnStarted(turn_id, message_ids),
    ...message_ids.flatMap((message_id) => [
      status(message_id, "started", { turn_id }),
      { type: "user_text", turn_id, message_id, text: `Text of ${turn_id}`, kind: "host" },
    ]),
    ...before,
    {
      ...said(turn_id, "You have hit your limit"),
      msg_id: `limit_${turn_id}`,
      synthetic: true,
      is_error: true,
    },
    {
      ...turnComplete(turn_id, message_ids),
      result: "error",
      is_error: true,
      api_error_status: 429,
    },
    ...message_ids.map((message_id) => status(message_id, "completed", { turn_id })),
  ];
}

export function processExit(will_restart: boolean): Draft {
  const how = { exit_code: 1, signal: null, expected: false, stderr_tail: "" };
  return { type: "process_exit", pid: 7, ...how, will_restart };
}
