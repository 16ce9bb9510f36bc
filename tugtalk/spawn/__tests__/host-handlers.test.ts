/** Tools and hooks with handlers: their declarations, and the answers to requests of a bridge. */
import { expect, test } from "bun:test";
import { z } from "zod";
import { errorMessage } from "../../src/messages/errors.ts";
import { type Handlers, HostHandlers } from "../host-handlers.ts";
import { RequestError } from "../spawn-errors.ts";
import { tool } from "../tools.ts";

type Message = Readonly<Record<string, unknown>>;

/** The handlers of a host with a bridge that accepts every answer but those that `refuse` selects. */
function handlersOf(handlers: Handlers, refuse: (answer: Message) => boolean = () => false) {
  const answers: Message[] = [];
  let arrived = () => {};
  const host = new HostHandlers(handlers, async (answer) => {
    answers.push(answer);
    if (refuse(answer))
      throw new RequestError({ ...errorMessage("bad_message", "no"), ipc_version: 2, seq: 1 });
    arrived();
  });
  /** The answers to a request. */
  const ask = async (message: Message) => {
    const answered = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    host.receive({ request_id: "r", ...message });
    await answered;
    return answers;
  };
  return { host, ask, answers };
}

const add = tool({
  description: "Adds.",
  input: z.object({ a: z.number(), b: z.number() }),
  permission: "allow",
  run: ({ a, b }) => String(a + b),
});

const call = (tool_name: string, input: Message = {}) => ({
  type: "host_tool_request",
  tool_name,
  input,
});

test("protocol_init declares the tools and hooks beside its own options, and no other message has them", () => {
  const { host } = handlersOf({
    tools: { add },
    hooks: { PreToolUse: { matcher: "Bash", timeout_ms: 5, run: () => {} }, Stop: [() => {}] },
  });
  const init = { type: "protocol_init", version: 2, options: { effort: "low" } };
  expect(host.declared(init)).toMatchObject({
    options: {
      effort: "low",
      host_tools: [
        {
          name: "add",
          description: "Adds.",
          permission: "allow",
          input_schema: { type: "object", required: ["a", "b"] },
        },
      ],
      host_hooks: [
        { hook_id: "PreToolUse-1", event: "PreToolUse", matcher: "Bash", timeout_ms: 5 },
        { hook_id: "Stop-1", event: "Stop" },
      ],
    },
  });
  expect(JSON.parse(JSON.stringify(host.declared(init)))).toEqual(host.declared(init));
  const message = { type: "user_message", text: "hi" };
  expect(host.declared(message)).toBe(message);
});

test("a host without tools and hooks declares none", () => {
  const { host } = handlersOf({});
  const init = { type: "protocol_init", version: 2 };
  expect(host.declared(init)).toBe(init);
});

test("a call is answered with the result of the tool", async () => {
  const { ask } = handlersOf({ tools: { add } });
  expect(await ask({ ...call("add", { a: 1, b: 2 }), channel: "c" })).toEqual([
    { type: "host_tool_answer", request_id: "r", channel: "c", text: "3" },
  ]);
});

test("an input that does not fit the schema, and an error that is thrown, are failed calls", async () => {
  const unfit = handlersOf({ tools: { add } });
  const [answer] = await unfit.ask(call("add", { a: 1, b: "x" }));
  expect(answer).toMatchObject({ is_error: true });
  expect(String(answer?.["text"])).toStartWith("the input does not fit: b: ");
  const input = {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  } as const;
  const throwing = tool({
    description: "Fails.",
    input,
    run: ({ city }) => {
      throw new Error(`no weather in ${city.toUpperCase()}`);
    },
  });
  const failing = handlersOf({ tools: { throwing } });
  expect(await failing.ask(call("throwing", { city: "Ulm" }))).toMatchObject([
    { text: "no weather in ULM", is_error: true },
  ]);
});

test("an answer that the bridge does not take is a failed call", async () => {
  const { ask } = handlersOf({ tools: { add } }, ({ is_error }) => is_error !== true);
  expect(await ask(call("add", { a: 1, b: 2 }))).toMatchObject([
    { text: "3" },
    { is_error: true, text: "bad_message: no" },
  ]);
});

test("a call that is cancelled aborts its signal, and is not answered", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const wait = tool({
    description: "Waits.",
    input: { type: "object" },
    run: (_input, { signal }) =>
      new Promise<undefined>((resolve) => {
        signal.addEventListener("abort", () => {
          aborted.resolve(signal.reason);
          resolve(undefined);
        });
      }),
  });
  const { host, ask, answers } = handlersOf({ tools: { wait, add } });
  host.receive({ request_id: "w", ...call("wait") });
  await Promise.resolve();
  host.receive({ type: "control_request_cancel", request_id: "w", reason: "interrupted" });
  expect(String(await aborted.promise)).toContain("interrupted");
  await ask(call("add", { a: 1, b: 2 }));
  expect(answers).toMatchObject([{ request_id: "r" }]);
});

test("a hook is answered with its result, and with nothing where it returns nothing", async () => {
  const { ask } = handlersOf({
    hooks: {
      PreToolUse: ({ tool_name }) => ({ decision: "deny", reason: `no ${tool_name}` }),
      Stop: () => {},
    },
  });
  await ask({ type: "hook_request", hook_id: "PreToolUse-1", input: { tool_name: "Bash" } });
  expect(await ask({ type: "hook_request", hook_id: "Stop-1", input: {} })).toEqual([
    { type: "hook_answer", request_id: "r", decision: "deny", reason: "no Bash" },
    { type: "hook_answer", request_id: "r" },
  ]);
});

test.each([
  ["block", { decision: "deny", reason: "broken" }],
  ["continue", {}],
] as const)(
  "a hook that throws refuses the tool, unless it is to continue (%s)",
  async (on_timeout, answer) => {
    const run = () => {
      throw new Error("broken");
    };
    const { ask } = handlersOf({ hooks: { PreToolUse: { on_timeout, run } } });
    const request = { type: "hook_request", hook_id: "PreToolUse-1", input: {} };
    expect(await ask(request)).toEqual([{ type: "hook_answer", request_id: "r", ...answer }]);
  },
);
