/** Hooks of the host: their declaration, the request at an event of Claude, and the host's answer. */
import { z } from "zod";
import { jsonObject } from "../base/json-schemas.ts";
import { type HookEvent as Event, HOOK_EVENTS, MATCHED_FIELDS } from "./hook-events.ts";
import {
  inbound,
  milliseconds,
  optionalText,
  outbound,
  refuseLongAnswer,
  text,
} from "./message-schemas.ts";

const HookEvent = z.enum(HOOK_EVENTS, { error: ({ input }) => unknownEvent(String(input)) });

/** Why a host cannot stand at an event of Claude. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  SessionStart: "Claude tells no host of a startup or a resume",
  PermissionRequest: "control_request_forward is sent for the same moment",
};

function unknownEvent(event: string): string {
  const reason = Object.hasOwn(NOT_OFFERED, event) ? NOT_OFFERED[event] : undefined;
  return reason === undefined
    ? `no hook of the host: one of ${HOOK_EVENTS.join(", ")} is expected`
    : `${event} is no hook of the host: ${reason}`;
}

const HostHook = z
  .strictObject({
    hook_id: text
      .min(1)
      .max(64)
      .describe("The host's name for the hook: 1 to 64 characters, and no other hook has it."),
    event: HookEvent.describe(
      "When it is asked. `PostToolBatch`, `PostCompact` and `StopFailure` never come before Claude 2.1.197.",
    ),
    matcher: text
      .min(1)
      .optional()
      .describe(
        "For which tools, by Claude's name: one name, several with `|` between them, or a regular expression that fits somewhere in the name. For `SubagentStart` and `SubagentStop` the `agent_type`, for `PreCompact` and `PostCompact` the `trigger`; not for other events. Absent or `*`: always.",
      ),
    timeout_ms: milliseconds
      .optional()
      .describe("How long the host may take to answer, in ms. Default: 60000."),
    on_timeout: z
      .enum(["block", "continue"])
      .optional()
      .describe(
        "`block` (the default): without an answer in time a tool or a message is refused. `continue`: Claude goes on. Other events go on in any case.",
      ),
  })
  .check((payload) => {
    const { event, matcher } = payload.value;
    const fault = matcher === undefined ? undefined : matcherFault(event, matcher);
    if (fault !== undefined)
      payload.issues.push({ code: "custom", input: matcher, path: ["matcher"], message: fault });
  })
  .meta({ id: "HostHook", description: "A hook of the host. An unknown field is refused." });
export type HostHook = z.infer<typeof HostHook>;

/** Claude ignores a matcher that it cannot use, and would never ask its hook. */
function matcherFault(event: Event, matcher: string): string | undefined {
  if (MATCHED_FIELDS[event] === undefined) return `${event} has nothing to match`;
  try {
    new RegExp(matcher.replace(/^\*$/, ""));
    return undefined;
  } catch {
    return "not a regular expression";
  }
}

const MAX_HOOKS = 64;

export const HostHooks = z
  .array(HostHook)
  .max(MAX_HOOKS)
  .check((payload) => {
    const ids = payload.value.map(({ hook_id }) => hook_id);
    const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
    if (twice !== -1)
      payload.issues.push({
        code: "custom",
        input: ids[twice],
        path: [twice, "hook_id"],
        message: "is used twice",
      });
  });

export const HookRequest = outbound("hook_request", {
  request_id: text.describe("Identifies the request; its answer repeats it. Set by tugtalk."),
  hook_id: text.describe("The hook of `options.host_hooks`."),
  event: HookEvent.describe("The event."),
  input: jsonObject.describe(
    "Claude's data of the event, unchanged: `tool_name`, `tool_input`, `prompt`, … by event and version.",
  ),
  tool_use_id: optionalText.describe("The tool call. Absent for an event without one."),
  agent_id: optionalText.describe(
    "The subagent. Absent for the main conversation, and on Claude 2.1.38 for tools.",
  ),
}).describe(
  "Claude waits at a hook of the host. Answered with `hook_answer`. Without `turn_id` it is from work in the background.",
);
export type HookRequest = z.infer<typeof HookRequest>;

export const HookAnswer = inbound("hook_answer", {
  request_id: text.describe("The `request_id` of the `hook_request`."),
  decision: z
    .enum(["allow", "deny", "ask"])
    .optional()
    .describe(
      "For `PreToolUse`: whether the tool runs, is refused, or is asked for. `deny` for `UserPromptSubmit` refuses the message, for `PreCompact` the compaction (since Claude 2.1.197), for `Stop` and `SubagentStop` it means: go on working.",
    ),
  reason: optionalText.describe(
    "Why. For the model with `deny` of a tool, and with `deny` of `Stop` and `SubagentStop`, where it is required: the model works on by it. For the person, since Claude 2.1.197, with `ask` in `decision_reason`, and with `deny` of `UserPromptSubmit` in `turn_complete.text`.",
  ),
  updatedInput: jsonObject
    .optional()
    .describe("For `PreToolUse`: the whole input to run the tool with instead."),
  updatedOutput: z
    .unknown()
    .optional()
    .describe(
      "For `PostToolUse`: the output that the model gets instead; in the form of `input.tool_response`, or for an MCP tool a text. Before Claude 2.1.197 for MCP tools only.",
    ),
  context: optionalText.describe(
    "An additional text for the model. Not for `Stop`, `SubagentStop`, `PreCompact`, `PostCompact` and `StopFailure`.",
  ),
  stop: optionalText.describe(
    "Ends the turn; a tool that is to run still runs. The text is why, for the model's next turn. For `PreToolUse`, `PostToolUse`, `PostToolBatch`, `UserPromptSubmit` and `Stop`.",
  ),
})
  .strict()
  .superRefine(refuseLongAnswer)
  .describe(
    "The answer to a `hook_request`, of at most 10 MiB. Nothing but the id: go on. An unknown field is refused. Answered by `control_request_resolved`, or by `error`, and then the request stays open.",
  );
export type HookAnswer = z.infer<typeof HookAnswer>;
