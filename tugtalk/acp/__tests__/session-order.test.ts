/** Requests right behind a request that opens or closes their session, in process. */
import { expect, test } from "bun:test";
import { AcpHarness } from "../../testing/acp/acp-harness.ts";
import { execute, finishAll } from "../../testing/acp/random-client.ts";
import { AcpError } from "../json-rpc.ts";

/** An agent with a session, and parameters for any request about it. */
async function start() {
  const harness = new AcpHarness();
  for (const does of ["begin", "work"] as const)
    await execute(harness, { does, session: 0, pick: 0 });
  const prompt = [{ type: "text", text: "hello" }];
  const params = { sessionId: harness.sessions[0], cwd: "/work/project", mcpServers: [], prompt };
  return { harness, params };
}

/** The same, after the session was closed. */
async function startClosed() {
  const { harness, params } = await start();
  harness.request("session/close", params);
  await harness.settle();
  return { harness, params };
}

const answers = ({ received }: AcpHarness, ...ids: readonly string[]) =>
  received.filter(({ id, method }) => method === undefined && ids.includes(String(id)));

const OPENINGS = ["session/resume", "session/load"] as const;

test.each(OPENINGS)(
  "a close right behind %s waits for it, and leaves no Claude",
  async (method) => {
    const { harness, params } = await startClosed();
    harness.request(method, params);
    const close = harness.request("session/close", params);
    await finishAll(harness);
    expect(answers(harness, close)).toMatchObject([{ result: {} }]);
    expect(harness.alive).toEqual([]);
  },
);

test.each(OPENINGS)(
  "a close right behind %s that waits for an earlier close ends it too, and the next load begins it again",
  async (method) => {
    const { harness, params } = await start();
    const methods = ["session/close", method, "session/close", "session/load"];
    const ids = methods.map((each) => harness.request(each, params));
    await finishAll(harness);
    expect(answers(harness, ...ids)).toMatchObject(ids.map((id) => ({ id, result: {} })));
    expect(harness.alive).toHaveLength(1);
    expect(harness.brokenGuarantees()).toEqual([]);
  },
);

test.each([
  ["session/load", "session/set_mode", { modeId: "plan" }],
  ["session/resume", "session/set_config_option", { configId: "mode", value: "plan" }],
  ["session/load", "session/load", {}],
  ["session/resume", "session/fork", {}],
  ["session/load", "_session/steering", {}],
])("behind %s of a closed session %s waits for its answer", async (opening, method, more) => {
  const { harness, params } = await startClosed();
  const ids = [
    harness.request(opening, params),
    harness.request(method, { ...params, ...more }),
  ] as const;
  await finishAll(harness);
  expect(answers(harness, ...ids)).toMatchObject(ids.map((id) => ({ id, result: {} })));
});

test("prompts right behind a load wait for it, in order, and can be given up meanwhile", async () => {
  const { harness, params } = await startClosed();
  harness.request("session/load", params);
  const [first, second, third] = [
    harness.request("session/prompt", params),
    harness.request("session/prompt", params),
    harness.request("session/prompt", params),
  ];
  harness.send({ method: "$/cancel_request", params: { requestId: second } });
  await finishAll(harness);
  expect(answers(harness, first, third)).toMatchObject([
    { id: first, result: { stopReason: "end_turn" } },
    { id: third, result: { stopReason: "end_turn" } },
  ]);
  expect(answers(harness, second)).toMatchObject([{ error: { code: -32800 } }]);
  expect(harness.brokenGuarantees()).toEqual([]);
});

test("a cancel right behind a load and a prompt cancels the prompt", async () => {
  const { harness, params } = await startClosed();
  harness.request("session/load", params);
  const prompt = harness.request("session/prompt", params);
  harness.send({ method: "session/cancel", params });
  await finishAll(harness);
  expect(answers(harness, prompt)).toMatchObject([{ result: { stopReason: "cancelled" } }]);
});

test("a request behind a load that fails is refused", async () => {
  const { harness, params } = await startClosed();
  harness.checkFolder = () => Promise.reject(new AcpError("invalidParams", "cwd"));
  const load = harness.request("session/load", params);
  const mode = harness.request("session/set_mode", { ...params, modeId: "plan" });
  await harness.settle();
  expect(answers(harness, load, mode)).toMatchObject([
    { id: load, error: { code: -32602 } },
    { id: mode, error: { code: -32002 } },
  ]);
});
