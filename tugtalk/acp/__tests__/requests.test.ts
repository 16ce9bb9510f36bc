/** Requests of a client that need care, in process. */
import { expect, test } from "bun:test";
import { textBlock } from "../../simulator/stream-events.ts";
import { AcpHarness } from "../../testing/acp/acp-harness.ts";
import { execute, finishAll } from "../../testing/acp/random-client.ts";
import { assistantLine, initLine, resultLine } from "../../testing/drivers/test-lines.ts";
import type { Fields } from "../../testing/observer/observed.ts";
import { AcpError } from "../json-rpc.ts";

const PROMPT = [{ type: "text", text: "hello" }];

/** An agent with a session. */
async function start() {
  const harness = new AcpHarness();
  for (const does of ["begin", "work"] as const)
    await execute(harness, { does, session: 0, pick: 0 });
  return { harness, sessionId: harness.sessions[0] };
}

/** Sends a prompt, for which Claude prints these lines; its answers. */
async function prompted(harness: AcpHarness, ...lines: readonly Fields[]) {
  const [session_id] = harness.sessions;
  const id = harness.request("session/prompt", { sessionId: session_id, prompt: PROMPT });
  await harness.settle();
  const [claude] = harness.alive;
  if (claude === undefined) throw new Error("no Claude was started");
  await harness.print(
    claude,
    lines.map((line) => ({ ...line, session_id })),
  );
  return answers(harness, id);
}

const answers = ({ received }: AcpHarness, id: string) =>
  received.filter((frame) => frame["id"] === id && frame["method"] === undefined);

test("a second prompt with the id of an open one is refused, and the first can be withdrawn", async () => {
  const { harness, sessionId } = await start();
  const params = { sessionId, prompt: PROMPT };
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

test("a load in a folder that is not there sends nothing of the past", async () => {
  const { harness, sessionId } = await start();
  const turn = [initLine(), assistantLine("m", textBlock("a text")), resultLine()];
  expect(await prompted(harness, ...turn)).toMatchObject([{ result: {} }]);
  const params = { sessionId, cwd: "/work/project", mcpServers: [] };
  harness.request("session/close", params);
  await harness.settle();
  harness.checkFolder = () => Promise.reject(new AcpError("invalidParams", "cwd"));
  const place = harness.received.length;
  const load = harness.request("session/load", params);
  await harness.settle();
  const sent = harness.received.slice(place);
  expect(sent).toMatchObject([{ id: load, error: { code: -32602 } }]);
});

// After a logout in another terminal: Claude does not ask the API, so there is no status.
test("a prompt that Claude cannot answer because nobody is logged in says so", async () => {
  const { harness } = await start();
  const block = textBlock("Not logged in · Please run /login");
  const error = assistantLine("m", block, { error: "authentication_failed" });
  const turn = [initLine(), error, resultLine({ is_error: true })];
  expect(await prompted(harness, ...turn)).toMatchObject([
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
