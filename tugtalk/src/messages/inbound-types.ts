import type { InboundMessage } from "../types.ts";

const TYPES: Readonly<Record<InboundMessage["type"], true>> = {
  protocol_init: true,
  user_message: true,
  tool_approval: true,
  question_answer: true,
  interrupt: true,
  permission_mode: true,
  model_change: true,
  session_command: true,
  stop_task: true,
  cancel_message: true,
  control: true,
  elicitation_answer: true,
  dialog_answer: true,
  session_list: true,
  session_history: true,
  shutdown: true,
};

/** The `type` of every message that a host may send. A table, so that the compiler names one that is missing. */
export const INBOUND_TYPES: ReadonlySet<string> = new Set(Object.keys(TYPES));
