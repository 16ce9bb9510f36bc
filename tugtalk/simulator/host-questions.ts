/** Claude's requests to the host's program, whose answers it awaits. Protocol reference §22 and §23. */
import { z } from "zod";
import type { Fields } from "../src/base/json.ts";
import type { PlayedEntry } from "./conversation.ts";
import { fieldOf } from "./json-value.ts";
import type { SimulatorState } from "./simulator-state.ts";

/** The fields of a hook's answer that the stand-in follows. */
const HookOutput = z.object({
  continue: z.boolean().optional(),
  decision: z.enum(["approve", "block"]).optional(),
  reason: z.string().default(""),
  hookSpecificOutput: z
    .object({
      permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
      permissionDecisionReason: z.string().default(""),
      updatedInput: z.record(z.string(), z.unknown()).optional(),
      updatedMCPToolOutput: z.unknown().optional(),
    })
    .optional(),
});
export type HookOutput = z.infer<typeof HookOutput>;

/** Asks a hook of the host, if it has one. `then` gets its output. */
export function atHook(
  state: SimulatorState,
  event: string,
  fields: Fields,
  then: (output: HookOutput) => readonly PlayedEntry[] | undefined,
): readonly PlayedEntry[] {
  const { session, program } = state;
  const name = fields["tool_name"];
  const [callback_id] = program.callbacks(event, typeof name === "string" ? name : undefined);
  if (callback_id === undefined) return [{ dir: "then", msg: () => then({ reason: "" }) }];
  const input = {
    session_id: session.sessionId,
    transcript_path: `/home/user/.claude/projects/-work-project/${session.sessionId}.jsonl`,
    cwd: session.cwd,
    permission_mode: session.permissionMode,
    hook_event_name: event,
    ...fields,
  };
  const tool_use_id = fields["tool_use_id"] ?? session.newId();
  const request = { subtype: "hook_callback", callback_id, input, tool_use_id };
  return ask(state, request, (answer) => {
    // An invalid output counts as "go on".
    const output = HookOutput.safeParse(fieldOf(answer, "response"));
    return then(output.data ?? { reason: "" });
  });
}

/** Asks the host. `then` gets the `response` of its answer, or undefined if its input has ended. */
export function ask(
  state: SimulatorState,
  request: Fields,
  then: (response: unknown) => readonly PlayedEntry[] | undefined,
): readonly PlayedEntry[] {
  const request_id = state.session.newId();
  return waitFor(state, { type: "control_request", request_id, request }, then);
}

/** Asks the host as `ask` does, by a request that has its id. */
export function waitFor(
  state: SimulatorState,
  line: Fields,
  then: (response: unknown) => readonly PlayedEntry[] | undefined,
): readonly PlayedEntry[] {
  const id = String(line["request_id"]);
  state.answers.set(id, undefined);
  return [
    { dir: "out", msg: line },
    { dir: "in", msg: { type: "control_response", response: { request_id: id } } },
    {
      dir: "then",
      msg: () => {
        const answer = state.answers.get(id);
        state.answers.delete(id);
        return then(answer);
      },
    },
  ];
}
