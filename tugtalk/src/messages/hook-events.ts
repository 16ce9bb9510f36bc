/** The moments at which a host can stand, and what tells which of its hooks one concerns. */

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

/** What the matcher of a hook is compared with, by event. The others have nothing to choose by. */
export const MATCHED_FIELDS: Readonly<Partial<Record<HookEvent, string>>> = {
  PreToolUse: "tool_name",
  PostToolUse: "tool_name",
  PostToolUseFailure: "tool_name",
  SubagentStart: "agent_type",
  SubagentStop: "agent_type",
  PreCompact: "trigger",
  PostCompact: "trigger",
};
