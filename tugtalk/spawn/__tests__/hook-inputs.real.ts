/** The inputs of functions at hooks, with every measured version of the CLI. */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import type { Fields } from "../../src/base/json.ts";
import { HOOK_EVENTS, type HookEvent } from "../../src/messages/hook-events.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { agentInput, as, callTool } from "../../testing/real/real-replies.ts";
import { realTests } from "../../testing/real/real-tests.ts";
import { spawnTugtalk } from "../spawn.ts";

const test = realTests(...MEASURED_VERSIONS);

const COMMON = ["session_id", "transcript_path", "cwd"] as const;
const CALL = [...COMMON, "tool_name", "tool_input", "tool_use_id"] as const;
const AGENT = [...COMMON, "agent_id", "agent_type"] as const;

/**
 * The fields that the types of the inputs promise. `StopFailure` is absent: it needs an API that fails, and
 * comes late.
 */
const TOLD = {
  PreToolUse: CALL,
  PostToolUse: [...CALL, "tool_response"],
  PostToolUseFailure: [...CALL, "error"],
  PostToolBatch: [...COMMON, "tool_calls"],
  UserPromptSubmit: [...COMMON, "prompt"],
  Stop: [...COMMON, "stop_hook_active"],
  SubagentStart: AGENT,
  SubagentStop: [...AGENT, "stop_hook_active", "agent_transcript_path"],
  PreCompact: [...COMMON, "trigger"],
  PostCompact: [...COMMON, "trigger", "compact_summary"],
} satisfies Readonly<Partial<Record<HookEvent, readonly string[]>>>;

/** The fields that 2.1.38 lacks. */
const LATER: readonly HookEvent[] = ["PostToolBatch", "PostCompact"];

test("a function gets the fields that the type of its event promises", async (place) => {
  const { api, claude, home, version } = place;
  const told = new Map<HookEvent, Fields>();
  const record = (event: HookEvent) => (input: Fields) => {
    told.set(event, input);
    return event === "PreToolUse" ? { decision: "allow" } : undefined;
  };
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, record(event)]));
  const started = { claude, dir: home.project, env: home.environment(api.url) };
  await using tugtalk = await spawnTugtalk({ command: CHECKED_COMMAND, ...started, hooks });
  tugtalk.send({ type: "protocol_init", version: 2 });
  const say = async (text: string) => {
    tugtalk.send({ type: "user_message", text });
    for await (const { type } of tugtalk.messages) if (type === "turn_complete") return;
  };
  const agent = { ...agentInput("a task"), run_in_background: false };
  api.script(callTool("Bash", { command: "false" }));
  api.script(callTool(version === "2.1.38" ? "Task" : "Agent", agent));
  api.script(as("a task", "Done."), "All done.");
  await say("work");
  api.script("<summary>It worked.</summary>");
  await say("/compact");
  const absent = version === "2.1.38" ? LATER : [];
  for (const [event, fields] of Object.entries(TOLD) as [HookEvent, readonly string[]][]) {
    const missing = fields.filter((field) => told.get(event)?.[field] === undefined);
    expect({ event, missing }).toEqual({
      event,
      missing: absent.includes(event) ? [...fields] : [],
    });
  }
});
