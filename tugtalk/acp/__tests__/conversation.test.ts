/** Conversations of a client with the agent, whose Claude is the stand-in. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scenarioText } from "../../simulator/scenarios.ts";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { AcpAgent, type AcpOptions } from "../../testing/drivers/acp-agent.ts";
import { transcriptIn, writeTranscript } from "../../testing/drivers/mirrored-session.ts";
import { said } from "../../testing/drivers/past-sessions.ts";
import { childrenOf, leftAfter } from "../../testing/drivers/processes.ts";

let agent: AcpAgent | undefined;
afterEach(() => agent?.kill());

/** Starts an agent with one session. */
async function start(scenario: string, options: AcpOptions = {}) {
  agent = new AcpAgent({ ...options, env: { TUGTALK_SIM_SCENARIO: scenario, ...options.env } });
  await agent.initialize();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "acp-")));
  return { agent, dir, id: await agent.open(dir) };
}

test("the text of a turn comes before its answer, whole and once", async () => {
  const { agent, id } = await start("streaming");
  const { result } = await agent.prompt(id, "go");
  expect(result).toEqual({ stopReason: "end_turn" });
  const chunks = agent
    .updates(id)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
  expect(chunks.length).toBeGreaterThan(1);
  const text = chunks.map(({ content }) => fieldsOf(content)["text"]).join("");
  expect(scenarioText("streaming")).toContain(JSON.stringify({ type: "text", text }));
});

/** The subjects of the updates, in order: the kind, or the state in the mark. */
const kinds = (updates: readonly Fields[]) =>
  updates.map(
    ({ sessionUpdate, _meta }) => fieldsOf(fieldsOf(_meta)["tugtalk"])["state"] ?? sessionUpdate,
  );

/** A turn of Claude's own has ended. */
const isIdle = ({ params }: Fields) => JSON.stringify(params)?.includes('"state":"idle"') === true;

/** The messages after a frame. */
const after = ({ received }: AcpAgent, frame: Fields) =>
  received.slice(received.indexOf(frame) + 1);

const isAsking = ({ method }: Fields) => method === "session/request_permission";

test("the answer waits for an agent in the background and Claude's turn about it, not for a command", async () => {
  const { agent, id } = await start("background");
  const first = await agent.prompt(id, "a command");
  const idle = await agent.next(isIdle);
  // The command has its turn after the answer.
  const own = after(agent, first).map(({ params }) => fieldsOf(fieldsOf(params)["update"]));
  expect(kinds(own)).toContain("running");
  for (const { sessionUpdate, _meta } of own)
    if (sessionUpdate === "agent_message_chunk")
      expect(_meta).toMatchObject({ tugtalk: { trigger: "task" } });

  const prompt = [{ type: "text", text: "an agent" }];
  agent.send({ id: "held", method: "session/prompt", params: { sessionId: id, prompt } });
  agent.answer(await agent.next(isAsking), ALLOWED);
  const answer = await agent.next((frame) => frame["id"] === "held");
  expect(answer).toMatchObject({ result: { stopReason: "end_turn" } });
  const whole = after(agent, idle);
  expect(whole.findIndex(isIdle)).toBe(whole.length - 2);
  expect(JSON.stringify(whole)).not.toContain("Async agent launched");
});

const ALLOWED = { outcome: { outcome: "selected", optionId: "allow" } };

test("with --no-hold the answer comes at the end of the turn", async () => {
  const { agent, id } = await start("background", { args: ["--no-hold"] });
  await agent.prompt(id, "a command");
  await agent.next(isIdle);
  const answer = await agent.prompt(id, "an agent");
  agent.answer(await agent.next(isAsking), ALLOWED);
  await agent.next(isIdle);
  expect(after(agent, answer).some(isAsking)).toBe(true);
});

test("when Claude dies the prompt gets its error, and the next one goes on in the same session", async () => {
  const { agent, id } = await start("crash");
  expect(await agent.prompt(id, "one")).toMatchObject({
    error: { code: -32603, data: { tugtalk: { reason: "exited" } } },
  });
  const before = agent.updates(id).length;
  // The stand-in dies once more, in the middle of its text.
  expect(await agent.prompt(id, "two")).toMatchObject({ error: { code: -32603 } });
  expect(kinds(agent.updates(id).slice(before))).toContain("agent_message_chunk");
  expect(await agent.end()).toBe(0);
});

test("after a turn the client gets the title that Claude has stored", async () => {
  const configDir = mkdtempSync(join(tmpdir(), "acp-config-"));
  const { agent, id, dir } = await start("streaming", { env: { CLAUDE_CONFIG_DIR: configDir } });
  const title = { type: "ai-title", aiTitle: "Stored", sessionId: id };
  writeTranscript(transcriptIn(configDir, dir, id), `${JSON.stringify(title)}\n`);
  await agent.prompt(id, "go");
  await agent.ask("session/close", { sessionId: id });
  const titles = agent.updates(id).flatMap(({ title }) => title ?? []);
  expect(titles).toEqual(["go", "Stored"]);
});

test("a later prompt, which Claude stores as its last one, is no title, neither sent nor listed", async () => {
  const configDir = mkdtempSync(join(tmpdir(), "acp-config-"));
  const { agent, id, dir } = await start("streaming", { env: { CLAUDE_CONFIG_DIR: configDir } });
  const lines = [said("a", null, "go"), { type: "last-prompt", lastPrompt: "third" }];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeTranscript(transcriptIn(configDir, dir, id), text);
  await agent.prompt(id, "go");
  await agent.ask("session/close", { sessionId: id });
  expect(agent.updates(id).flatMap(({ title }) => title ?? [])).toEqual(["go"]);
  const { result } = await agent.ask("session/list", { cwd: dir });
  expect(result).toMatchObject({ sessions: [{ sessionId: id, title: "go" }] });
});

test("SIGTERM ends every Claude, and the exit code is 0", async () => {
  const { agent } = await start("streaming");
  const claudes = childrenOf(agent.pid);
  expect(claudes).toHaveLength(1);
  agent.kill("SIGTERM");
  expect(await agent.exited).toBe(0);
  expect(await leftAfter(claudes, 5_000)).toEqual([]);
});
