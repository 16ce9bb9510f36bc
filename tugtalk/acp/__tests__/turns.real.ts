/** Turns of the ACP agent with a real `claude`: background agents, compactions, edits, and Claude's death. */
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promptText } from "../../simulator/api-request.ts";
import type { Fields } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { childrenOf, signalIfRunning } from "../../testing/drivers/processes.ts";
import { agentInput, as, callTool, holdWhole, startGate } from "../../testing/real/real-replies.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

/** An agent with one session, which ends with its test. */
async function start({ claude, home, api }: RealPlace, features: Fields = {}) {
  const env = home.environment(api.url);
  const agent = new AcpAgent({ claude, env, isIsolated: true });
  await agent.initialize({ session: { notices: {}, compaction: {} }, ...features });
  return { agent, id: await agent.open(home.project) };
}

const END_TURN = { result: { stopReason: "end_turn" } };
const CANCELLED = { result: { stopReason: "cancelled" } };

/** A call that starts an agent in the background, and the text of its turn. */
const LAUNCH = [
  callTool("Agent", agentInput("SUBAGENT", { run_in_background: true })),
  "It works.",
] as const;

const isText =
  (text: string) =>
  ({ params }: Fields) =>
    JSON.stringify(params)?.includes(text) === true;

test("an answer waits for an agent in the background; the next prompt ends the wait, and so does a cancel", async (place) => {
  const { agent, id } = await start(place);
  const { api } = place;
  api.script(...LAUNCH, as("SUBAGENT", "A report."), "It has ended.");
  expect(await agent.prompt(id, "delegate")).toMatchObject(END_TURN);
  expect(JSON.stringify(agent.updates(id))).toContain("It has ended.");

  const followed = holdWhole("A late report.");
  api.script(...LAUNCH, as("SUBAGENT", followed.reply));
  const first = agent.prompt(id, "delegate again");
  await untilTold(agent, id, "It works.", 2);
  api.script("An answer.");
  const next = agent.prompt(id, "meanwhile");
  expect([await first, await next]).toMatchObject([END_TURN, END_TURN]);
  api.script("The late one has ended.");
  followed.release();
  await agent.next(isText("The late one has ended."));
  await agent.next(isText('"state":"idle"'));

  const stopped = holdWhole("Never.");
  api.script(...LAUNCH, as("SUBAGENT", stopped.reply));
  const held = agent.prompt(id, "delegate once more");
  await untilTold(agent, id, "It works.", 3);
  agent.send({ method: "session/cancel", params: { sessionId: id } });
  expect(await held).toMatchObject(CANCELLED);
  expect(callEnds(agent, id)).toEqual(["completed", "completed", "failed"]);
  stopped.release();
  expect(await agent.end()).toBe(0);
});

/** An agent has ended; the call of the tool that lets it go on. */
async function delegate({ agent, id }: Awaited<ReturnType<typeof start>>, { api }: RealPlace) {
  api.script(...LAUNCH, as("SUBAGENT", "A report."), "It has ended.");
  await agent.prompt(id, "delegate");
  const [to = ""] = api.requests.flatMap(({ body }) =>
    [...JSON.stringify(body).matchAll(/agentId: (\w+)/g)].map(([, agentId]) => agentId ?? ""),
  );
  return { to, summary: "go on with it", message: "go on" };
}

test("the child session of an agent that goes on with a message runs before its text, until its end", async (place) => {
  const { agent, id } = await start(place, { subagents: {} });
  const message = await delegate({ agent, id }, place);
  place.api.script(
    as("SUBAGENT", "Another report."),
    callTool("SendMessage", message),
    "It goes on.",
    "It has ended again.",
  );
  const before = agent.received.length;
  expect(await agent.prompt(id, "continue")).toMatchObject(END_TURN);
  const shown = agent.received.slice(before).flatMap(({ params }) => {
    const text = JSON.stringify(params) ?? "";
    if (text.includes('"subagent_update"')) return [/"state":"(\w+)"/.exec(text)?.[1]];
    return text.includes('"Another report."') ? ["text"] : [];
  });
  expect(shown).toEqual(["running", "text", "idle"]);
  expect(await agent.end()).toBe(0);
});

test("an answer waits for an agent that goes on with a message, whose texts come under its call", async (place) => {
  const { agent, id } = await start(place);
  const { api } = place;
  const message = await delegate({ agent, id }, place);
  const later = holdWhole("Another report.");
  api.script(as("SUBAGENT", later.reply), callTool("SendMessage", message), "It goes on.");
  const before = agent.updates(id).length;
  const answer = agent.prompt(id, "continue");
  await untilTold(agent, id, "It goes on.", 1);
  api.script("It has ended again.");
  later.release();
  expect(await answer).toMatchObject(END_TURN);
  const told = agent.updates(id).slice(before);
  const report = told.find((update) => JSON.stringify(update).includes("Another report."));
  const call = agent.updates(id).find(({ name }) => name === "Agent")?.["toolCallId"];
  expect(report).toMatchObject({ _meta: { tugtalk: { parentToolCallId: call } } });
  expect(JSON.stringify(told)).toContain("It has ended again.");
  expect(told.filter(({ toolCallId }) => toolCallId === call)).toEqual([]);
  expect(await agent.end()).toBe(0);
});

test("a load right behind a prompt has the prompt, and an agent that was stopped is over in it", async (place) => {
  const { agent, id } = await start(place);
  const { api, home } = place;
  const stopped = holdWhole("Never.");
  api.script(...LAUNCH, as("SUBAGENT", stopped.reply));
  const first = agent.prompt(id, "delegate");
  await untilTold(agent, id, "It works.", 1);
  agent.send({ method: "session/cancel", params: { sessionId: id } });
  expect(await first).toMatchObject(CANCELLED);
  const { reply, release } = holdWhole("Slowly.");
  api.script(reply);
  const second = agent.prompt(id, "the second prompt");
  await api.waitForRequest(({ body }) => promptText(body).includes("the second prompt"));
  const before = agent.updates(id).length;
  await agent.ask("session/load", { sessionId: id, cwd: home.project, mcpServers: [] });
  const told = agent.updates(id).slice(before);
  expect(JSON.stringify(told)).toContain("the second prompt");
  expect(told.flatMap(({ status }) => status ?? [])).toEqual(["in_progress", "failed"]);
  release();
  stopped.release();
  expect(await second).toMatchObject(END_TURN);
  expect(await agent.end()).toBe(0);
});

/** Resolves when so many updates have had this text. */
async function untilTold(agent: AcpAgent, id: string, text: string, times: number): Promise<void> {
  const count = () =>
    agent.updates(id).filter((update) => JSON.stringify(update).includes(text)).length;
  while (count() < times) await Bun.sleep(10);
}

/** How the calls have ended, in order. */
function callEnds(agent: AcpAgent, id: string): unknown[] {
  const states = agent.updates(id).flatMap(({ status }) => status ?? []);
  return states.filter((status) => status === "completed" || status === "failed");
}

test("a compaction is reported and may be cancelled, and the prompt after Claude was killed goes on", async (place) => {
  const { api, home } = place;
  const settings = JSON.stringify({ permissions: { allow: ["Bash"] } });
  writeFileSync(join(home.configDir, "settings.json"), settings);
  const { agent, id } = await start(place);
  api.script("One.");
  await agent.prompt(id, "first");
  api.script("The summary.");
  expect(await agent.prompt(id, "/compact")).toMatchObject(END_TURN);
  const { reply, release } = holdWhole("Never.");
  api.script("Two.", reply);
  await agent.prompt(id, "second");
  const asked = api.requests.length;
  const compacting = agent.prompt(id, "/compact");
  await untilTold(agent, id, '"in_progress"', 2);
  // A cancel before the model was asked would leave its reply to the next prompt.
  while (api.requests.length === asked) await Bun.sleep(10);
  agent.send({ method: "session/cancel", params: { sessionId: id } });
  expect(await compacting).toMatchObject(CANCELLED);
  release();
  const states = agent
    .updates(id)
    .flatMap(({ sessionUpdate, status }) =>
      sessionUpdate === "compaction_update" ? [status] : [],
    );
  expect(states).toEqual(["in_progress", "completed", "in_progress", "failed"]);

  using gate = startGate();
  api.script(callTool("Bash", { command: gate.command }));
  const broken = agent.prompt(id, "third");
  await gate.reached;
  for (const pid of childrenOf(agent.pid)) signalIfRunning(pid, "SIGKILL");
  expect(await broken).toMatchObject({
    error: { code: -32603, data: { tugtalk: { reason: "exited" } } },
  });
  expect(callEnds(agent, id).at(-1)).toBe("failed");
  api.script("It goes on.");
  expect(await agent.prompt(id, "fourth")).toMatchObject(END_TURN);
  expect(await agent.end()).toBe(0);
});

test("the diffs of an edit and of an overwritten file have the file's line ends, and its text on disk", async (place) => {
  const { agent, id } = await start(place);
  const { api, home } = place;
  const path = join(home.project, "a.txt");
  const before = "one\r\ntwo\r\nthree\r\n";
  writeFileSync(path, before);
  await agent.ask("session/set_mode", { sessionId: id, modeId: "acceptEdits" });
  const edit = { file_path: path, old_string: "two\nthree", new_string: "2" };
  api.script(callTool("Read", { file_path: path }), callTool("Edit", edit), "Edited.");
  await agent.prompt(id, "edit");
  const edited = readFileSync(path, "utf8");
  expect(lastDiff(agent, id)).toEqual({ type: "diff", path, oldText: before, newText: edited });
  api.script(callTool("Write", { file_path: path, content: "new\n" }), "Written.");
  await agent.prompt(id, "write");
  expect(lastDiff(agent, id)).toEqual({ type: "diff", path, oldText: edited, newText: "new\n" });
  expect(edited).toBe("one\r\n2\r\n");
  expect(await agent.end()).toBe(0);
});

function lastDiff(agent: AcpAgent, id: string): unknown {
  const contents = agent
    .updates(id)
    .flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return contents.findLast(({ type }) => type === "diff");
}
