/** The simulator as Claude of a host with tools and hooks: its reactions to their answers. */
import { expect, test } from "bun:test";
import {
  type OutboundMessage,
  type SpawnOptions,
  spawnTugtalk,
  type Tugtalk,
  tool,
} from "../spawn/spawn.ts";
import { CHECKED_COMMAND } from "../testing/drivers/bridge-process.ts";

const LEVEL = {
  description: "The level of the water at a place.",
  input: { type: "object", properties: { place: { type: "string" } } },
  permission: "allow",
} as const;

/** A bridge that plays the scenario, with a first message. */
async function play(options: SpawnOptions): Promise<Tugtalk> {
  const command = [...CHECKED_COMMAND, "simulate", "host-tools", "--speed=max"];
  const tugtalk = await spawnTugtalk({ command, ...options });
  tugtalk.send({ type: "protocol_init", version: 2 });
  tugtalk.send({ type: "user_message", text: "go" });
  return tugtalk;
}

/** The messages to the end of the turn; each prompt is answered so. */
async function turn(
  tugtalk: Tugtalk,
  decision: "allow" | "deny" = "allow",
): Promise<readonly OutboundMessage[]> {
  const messages: OutboundMessage[] = [];
  for await (const message of tugtalk.messages) {
    messages.push(message);
    if (message.type === "control_request_forward")
      tugtalk.send({ type: "tool_approval", request_id: message.request_id, decision });
    if (message.type === "turn_complete") break;
  }
  return messages;
}

const results = (messages: readonly OutboundMessage[]) =>
  messages.flatMap((message) => (message.type === "tool_result" ? [message] : []));

test("a tool gets an input, and the call has its result", async () => {
  await using tugtalk = await play({
    tools: { level: tool({ ...LEVEL, run: ({ place }) => `high at ${place}` }) },
  });
  expect(results(await turn(tugtalk))).toMatchObject([
    { tool_name: "Bash", is_error: false },
    { tool_name: "mcp__host__level", output: "high at some place", is_error: false },
  ]);
});

test("a tool that throws, and one whose prompt is denied, are failures", async () => {
  const run = () => {
    throw new Error("there is no gauge");
  };
  const ask = tool({ ...LEVEL, permission: "ask", run: () => "never called" });
  await using tugtalk = await play({ tools: { level: tool({ ...LEVEL, run }), ask } });
  expect(results(await turn(tugtalk, "deny"))).toMatchObject([
    { tool_name: "Bash", is_error: true },
    { tool_name: "mcp__host__level", output: "there is no gauge", is_error: true },
    { tool_name: "mcp__host__ask", is_error: true },
  ]);
});

test("a hook refuses a command without a prompt, and another one changes an input", async () => {
  await using tugtalk = await play({
    tools: { level: tool({ ...LEVEL, run: ({ place }) => `high at ${place}` }) },
    hooks: {
      PreToolUse: [
        { matcher: "Bash", run: () => ({ decision: "deny", reason: "not here" }) },
        { matcher: "mcp__.*", run: () => ({ updatedInput: { place: "the weir" } }) },
      ],
    },
  });
  const messages = await turn(tugtalk);
  expect(messages.map(({ type }) => type)).not.toContain("control_request_forward");
  expect(results(messages)).toMatchObject([
    { output: expect.stringContaining("not here"), is_error: true },
    { output: "high at the weir", is_error: false },
  ]);
});

test("a hook that refuses a message ends its turn before the model has it", async () => {
  const hook = () => ({ decision: "deny", reason: "too late" }) as const;
  await using tugtalk = await play({ hooks: { UserPromptSubmit: hook } });
  const messages = await turn(tugtalk);
  expect(messages.at(-1)).toMatchObject({ text: expect.stringContaining("too late") });
  expect(messages.map(({ type }) => type)).not.toContain("assistant_text");
});

test("a hook that refuses to stop is obeyed for eight times", async () => {
  let asked = 0;
  const hook = () => {
    asked += 1;
    return { decision: "deny", reason: `reason ${asked}` } as const;
  };
  await using tugtalk = await play({ hooks: { Stop: hook } });
  expect((await turn(tugtalk)).at(-1)).toMatchObject({ text: "I go on: reason 8" });
  expect(asked).toBe(9);
});

test("a hook ends the turn after the tool", async () => {
  await using tugtalk = await play({ hooks: { PostToolUse: () => ({ stop: "enough" }) } });
  const messages = await turn(tugtalk);
  expect(results(messages)).toHaveLength(1);
  expect(messages.at(-1)).toMatchObject({ result: "success", terminal_reason: "hook_stopped" });
});

test("an interrupt cancels an open call, and the next turn makes another", async () => {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  let calls = 0;
  const run = (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
    calls += 1;
    if (calls > 1) return "high";
    began.resolve();
    signal.addEventListener("abort", () => ended.resolve(signal.reason));
    return new Promise<string>(() => {});
  };
  await using tugtalk = await play({ tools: { level: tool({ ...LEVEL, run }) } });
  const first = turn(tugtalk);
  await began.promise;
  await tugtalk.request({ type: "interrupt" });
  expect(String(await ended.promise)).toContain("interrupted");
  expect((await first).at(-1)).toMatchObject({ result: "cancelled" });
  tugtalk.send({ type: "user_message", text: "again" });
  expect(results(await turn(tugtalk)).at(-1)).toMatchObject({ output: "high" });
});

test("a list of tools that replaces the first one is read again", async () => {
  await using tugtalk = await play({
    tools: { level: tool({ ...LEVEL, run: () => "high" }) },
  });
  expect(results(await turn(tugtalk))).toHaveLength(2);
  await tugtalk.request({ type: "host_tools", tools: [] });
  tugtalk.send({ type: "user_message", text: "again" });
  expect(results(await turn(tugtalk))).toHaveLength(1);
});
