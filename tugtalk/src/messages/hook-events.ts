/**
 * The events that can have hooks of the host, the hooks that an event concerns, and the answers that it
 * takes.
 */

export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** The field that the matcher of a hook is compared with, by event. Other events have none. */
export const MATCHED_FIELDS: Readonly<Partial<Record<HookEvent, string>>> = {
  PreToolUse: "tool_name",
  PostToolUse: "tool_name",
  PostToolUseFailure: "tool_name",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  PreCompact: "trigger",
  PostCompact: "trigger",
};

/** The answers that each event takes: decisions, the strongest first, and fields. Claude ignores all others. */
export const TAKEN = {
  PreToolUse: ["deny", "ask", "allow", "updatedInput", "context", "stop"],
  PostToolUse: ["updatedOutput", "context", "stop"],
  PostToolUseFailure: ["context"],
  PostToolBatch: ["context", "stop"],
  UserPromptSubmit: ["deny", "context", "stop"],
  Stop: ["deny", "stop"],
  StopFailure: [],
  SubagentStart: ["context"],
  SubagentStop: ["deny"],
  PreCompact: ["deny"],
  PostCompact: [],
} as const satisfies Readonly<Record<HookEvent, readonly string[]>>;

/** Where `deny` means that Claude goes on working, by the reason. */
export const GOING_ON = ["Stop", "SubagentStop"] as const satisfies readonly HookEvent[];

/** A hook at one of these refuses where it gives no answer, unless it is to continue. */
export const GUARDED = ["PreToolUse", "UserPromptSubmit"] as const satisfies readonly HookEvent[];
