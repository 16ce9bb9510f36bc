/** Requests of a client that need care, in process. */
import { expect, test } from "bun:test";
import { textBlock } from "../../simulator/stream-events.ts";
import { AcpHarness } from "../../testing/acp/acp-harness.ts";
import { execute, finishAll } from "../../testing/acp/random-client.ts";
import { assistantLine, initLine, resultLine } from "../../testing/drivers/test-lines.ts";
import { AcpError } from "../json-rpc.ts";

/** An agent with a session. */
async function start() {
  const harness = new AcpHarness();
  for (const does of ["begin", "work"] as const)
    await execute(harness, { does, session: 0, pick: 0 });
  return { harness, sessionId: harness.sessions[0] };
}

const answers = ({ received }: AcpHarness, id: string) =>
  received.filter((frame) => frame["id"] === id && frame["method"] === undefined);

test("a second prompt with the id of an open one is refused, and the first can be withdrawn", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, prompt: [{ type: "text", text: "hello" }] };
  harness.send({ id: "one", method: "session/prompt", params });
  harness.send({ id: "one", method: "session/prompt", params });
  await harness.settle();
  expect(answers(harness, "one")).toMatchObject([{ error: { code: -32600 } }]);
  harness.send({ method: "$/cancel_request", params: { requestId: "one" } });
  await finishAll(harness);
  expect(answers(harness, "one")[1]).toMatchObject({ result: { stopReason: "cancelled" } });
});

test("an error of ours is an internal one, and the log has it", async () => {
  const { harness } = await start();
  harness.past.list = () => Promise.reject(new TypeError("no such field"));
  const id = harness.request("session/list", {});
  await harness.settle();
  expect(answers(harness, id)).toMatchObject([{ error: { code: -32603 } }]);
  expect(harness.faults).toEqual(["a fault: session/list has failed: TypeError: no such field"]);
});

test("a session that is being resumed is closed once it has started", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project" };
  harness.request("session/close", params);
  await harness.settle();
  harness.request("session/resume", params);
  await harness.settle();
  const close = harness.request("session/close", params);
  await finishAll(harness);
  expect(answers(harness, close)).toMatchObject([{ result: {} }]);
  expect(harness.alive).toEqual([]);
});

test.each(["session/resume", "session/load"])(
  "a close right behind %s waits for it, and leaves no Claude",
  async (method) => {
    const { harness, sessionId } = await start();
    const params = { sessionId, cwd: "/work/project", mcpServers: [] };
    harness.request("session/close", params);
    await harness.settle();
    harness.request(method, params);
    const close = harness.request("session/close", params);
    await finishAll(harness);
    expect(answers(harness, close)).toMatchObject([{ result: {} }]);
    expect(harness.alive).toEqual([]);
  },
);

test.each(["session/resume", "session/load"])(
  "a close right behind %s that waits for an earlier close ends it too, and the next load begins it again",
  async (method) => {
    const { harness, sessionId } = await start();
    const params = { sessionId, cwd: "/work/project", mcpServers: [] };
    const [first, second, third] = [
      harness.request("session/close", params),
      harness.request(method, params),
      harness.request("session/close", params),
    ];
    const last = harness.request("session/load", params);
    await finishAll(harness);
    for (const id of [first, second, third, last])
      expect(answers(harness, id)).toMatchObject([{ result: {} }]);
    expect(harness.alive).toHaveLength(1);
    expect(harness.brokenGuarantees()).toEqual([]);
  },
);

const PROMPT = [{ type: "text", text: "hello" }];

test.each([
  ["session/load", "session/set_mode", { modeId: "plan" }],
  ["session/resume", "session/set_config_option", { configId: "mode", value: "plan" }],
  ["session/load", "session/load", {}],
  ["session/resume", "session/fork", {}],
  ["session/load", "_session/steering", { prompt: PROMPT }],
])("behind %s of a closed session %s waits for its answer", async (opening, method, more) => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project", mcpServers: [] };
  harness.request("session/close", params);
  await harness.settle();
  const [first, second] = [
    harness.request(opening, params),
    harness.request(method, { ...params, ...more }),
  ];
  await finishAll(harness);
  const answered = harness.received.filter(({ id }) => id === first || id === second);
  expect(answered).toMatchObject([
    { id: first, result: {} },
    { id: second, result: {} },
  ]);
});

test("prompts right behind a load wait for it, in order, and can be given up meanwhile", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project", mcpServers: [], prompt: PROMPT };
  harness.request("session/close", params);
  await harness.settle();
  harness.request("session/load", params);
  const [first, second, third] = [
    harness.request("session/prompt", params),
    harness.request("session/prompt", params),
    harness.request("session/prompt", params),
  ];
  harness.send({ method: "$/cancel_request", params: { requestId: second } });
  await finishAll(harness);
  expect(answers(harness, first)).toMatchObject([{ result: { stopReason: "end_turn" } }]);
  expect(answers(harness, second)).toMatchObject([{ error: { code: -32800 } }]);
  expect(answers(harness, third)).toMatchObject([{ result: { stopReason: "end_turn" } }]);
  expect(harness.brokenGuarantees()).toEqual([]);
});

test("a cancel right behind a load and a prompt cancels the prompt", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project", mcpServers: [], prompt: PROMPT };
  harness.request("session/close", params);
  await harness.settle();
  harness.request("session/load", params);
  const prompt = harness.request("session/prompt", params);
  harness.send({ method: "session/cancel", params });
  await finishAll(harness);
  expect(answers(harness, prompt)).toMatchObject([{ result: { stopReason: "cancelled" } }]);
});

test("a request behind a load that fails is refused", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project", mcpServers: [], prompt: PROMPT };
  harness.request("session/close", params);
  await harness.settle();
  harness.checkFolder = () => Promise.reject(new AcpError("invalidParams", "cwd"));
  const ids = [
    harness.request("session/load", params),
    harness.request("session/set_mode", { sessionId, modeId: "plan" }),
  ];
  await harness.settle();
  expect(ids.flatMap((id) => answers(harness, id))).toMatchObject([
    { error: { code: -32602 } },
    { error: { code: -32002 } },
  ]);
});

test("a load in a folder that is not there tells nothing of the past", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, cwd: "/work/project", mcpServers: [] };
  const prompt = harness.request("session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "hello" }],
  });
  await harness.settle();
  const [claude] = harness.alive;
  const lines = [initLine(), assistantLine("m", textBlock("a text")), resultLine()];
  if (claude !== undefined)
    await harness.print(
      claude,
      lines.map((line) => ({ ...line, session_id: sessionId })),
    );
  expect(answers(harness, prompt)).toMatchObject([{ result: {} }]);
  harness.request("session/close", params);
  await harness.settle();
  harness.checkFolder = () => Promise.reject(new AcpError("invalidParams", "cwd"));
  const place = harness.received.length;
  const load = harness.request("session/load", params);
  await harness.settle();
  const said = harness.received.slice(place);
  expect(said).toMatchObject([{ id: load, error: { code: -32602 } }]);
});

// After a logout in another terminal: Claude does not ask the API, so there is no status.
test("a prompt that Claude cannot answer because nobody is logged in says so", async () => {
  const { harness, sessionId } = await start();
  const prompt = [{ type: "text", text: "hello" }];
  const id = harness.request("session/prompt", { sessionId, prompt });
  await harness.settle();
  const [claude] = harness.alive;
  const block = textBlock("Not logged in · Please run /login");
  const error = assistantLine("m", block, { error: "authentication_failed" });
  if (claude !== undefined)
    await harness.print(claude, [initLine(), error, resultLine({ is_error: true })]);
  expect(answers(harness, id)).toMatchObject([
    { error: { code: -32000, data: { tugtalk: { reason: "authentication_failed" } } } },
  ]);
});

test("a request that is no prompt is answered as if it were not cancelled", async () => {
  const { harness } = await start();
  const id = harness.request("session/new", { cwd: "/work/project", mcpServers: [] });
  harness.send({ method: "$/cancel_request", params: { requestId: id } });
  await finishAll(harness);
  expect(answers(harness, id)).toMatchObject([{ result: { sessionId: expect.any(String) } }]);
});
