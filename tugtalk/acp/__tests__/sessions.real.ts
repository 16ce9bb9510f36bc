/** Sessions over several processes of the agent, with a real `claude`. */
import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { callTool, holdReply } from "../../testing/real/real-replies.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

async function start({ claude, home, api }: RealPlace): Promise<AcpAgent> {
  const agent = new AcpAgent({ claude, env: home.environment(api.url), isIsolated: true });
  await agent.initialize();
  return agent;
}

/** The conversation without the prompts, its pieces joined. */
function conversation(updates: readonly Fields[]): unknown[] {
  const told: Fields[] = [];
  for (const { sessionUpdate, messageId, content, toolCallId, status } of updates) {
    const last = told.at(-1);
    const { text } = fieldsOf(content);
    if (sessionUpdate === "agent_message_chunk" && last?.["messageId"] === messageId)
      told[told.length - 1] = { messageId, text: `${last?.["text"]}${text}` };
    else if (sessionUpdate === "agent_message_chunk") told.push({ messageId, text });
    else if (status === "completed" || status === "failed")
      told.push({ toolCallId, status, content });
  }
  return told;
}

const prompts = (updates: readonly Fields[]) =>
  updates.flatMap(({ sessionUpdate, content }) =>
    sessionUpdate === "user_message_chunk" ? [fieldsOf(content)["text"]] : [],
  );

function transcripts({ home }: RealPlace): string[] {
  const names = readdirSync(join(home.configDir, "projects"), { recursive: true });
  return names.map(String).filter((name) => name.endsWith(".jsonl"));
}

test("a session is closed, resumed in a second process, loaded in a third, loaded again while a turn runs, copied and deleted", async (place) => {
  const { api, home } = place;
  const place_ = { cwd: home.project, mcpServers: [] };
  const first = await start(place);
  const id = await first.open(home.project);
  const target = { ...place_, sessionId: id };
  api.script(
    "Hello.",
    callTool("Read", { file_path: join(home.project, "no.txt") }),
    "It is not there.",
  );
  await first.prompt(id, "hello");
  await first.prompt(id, "read");
  const live = conversation(first.updates(id));
  expect(live).toHaveLength(3);
  expect(await first.ask("session/close", { sessionId: id })).toMatchObject({ result: {} });
  expect(await first.prompt(id, "more")).toMatchObject({ error: { code: -32002 } });
  await first.end();

  const second = await start(place);
  expect(await second.ask("session/resume", target)).toMatchObject({ result: {} });
  expect(conversation(second.updates(id))).toEqual([]);
  api.script("Again.");
  await second.prompt(id, "again");
  live.push(...conversation(second.updates(id)));
  await second.end();

  const third = await start(place);
  const loads = [third.ask("session/load", target), third.ask("session/load", target)];
  for (const load of loads) expect(await load).toMatchObject({ result: { modes: {} } });
  // Both loads have sent the conversation, and one Claude goes on.
  const told = third.updates(id);
  expect(prompts(told)).toEqual(["hello", "read", "again", "hello", "read", "again"]);
  expect(conversation(told)).toEqual([...live, ...live]);

  const held = holdReply("Begun", " and ended.");
  api.script(held.reply);
  const answer = third.prompt(id, "slowly");
  await third.next((frame) => JSON.stringify(frame).includes("Begun"));
  const before = third.updates(id).length;
  await third.ask("session/load", target);
  held.release();
  expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  const again = third.updates(id).slice(before);
  expect(prompts(again)).toEqual(["hello", "read", "again", "slowly"]);
  expect(conversation(again)).toEqual([
    ...live,
    { messageId: expect.anything(), text: "Begun and ended." },
  ]);

  const { result: forked } = await third.ask("session/fork", target);
  const copy = String(fieldsOf(forked)["sessionId"]);
  api.script("In the copy.");
  await third.prompt(copy, "copied");
  await third.ask("session/load", { ...place_, sessionId: copy });
  expect(prompts(third.updates(copy))).toEqual(["hello", "read", "again", "slowly", "copied"]);

  const open = holdReply("Not", " told");
  api.script(open.reply);
  const last = third.prompt(id, "deleted");
  await third.next((frame) => JSON.stringify(frame).includes('"Not"'));
  expect(await third.ask("session/delete", { sessionId: id })).toMatchObject({ result: {} });
  expect(await last).toMatchObject({ result: { stopReason: "cancelled" } });
  const { result } = await third.ask("session/list", {});
  expect(fieldsOf(result)["sessions"]).toMatchObject([{ sessionId: copy, cwd: home.project }]);
  expect(transcripts(place)).toHaveLength(1);
  expect(await third.ask("session/load", target)).toMatchObject({ error: { code: -32002 } });
  open.release();
  expect(await third.end()).toBe(0);
});

test("after /clear the id of the session leads to the new conversation, also in a second process; one that was never begun begins there", async (place) => {
  const { api, home } = place;
  const first = await start(place);
  const [id, unbegun] = [await first.open(home.project), await first.open(home.project)];
  const target = { cwd: home.project, mcpServers: [], sessionId: id };
  api.script("Old.", "New.");
  await first.prompt(id, "old");
  // They wait for each other.
  const turns = [first.prompt(id, "/clear"), first.prompt(id, "new")];
  for (const turn of turns)
    expect(await turn).toMatchObject({ result: { stopReason: "end_turn" } });
  await first.end();

  const second = await start(place);
  const { result } = await second.ask("session/list", { cwd: home.project });
  expect(fieldsOf(result)["sessions"]).toMatchObject([{ sessionId: id }]);
  await second.ask("session/load", target);
  expect(prompts(second.updates(id))).toEqual(["new"]);
  const resumed = await second.ask("session/resume", { ...target, sessionId: unbegun });
  expect(resumed).toMatchObject({ result: {} });
  api.script("Begun.");
  expect(await second.prompt(unbegun, "begin")).toMatchObject({
    result: { stopReason: "end_turn" },
  });
  expect(conversation(second.updates(unbegun))).toMatchObject([{ text: "Begun." }]);
  await second.ask("session/delete", { sessionId: id });
  const listed = await second.ask("session/list", {});
  expect(fieldsOf(listed["result"])["sessions"]).toMatchObject([{ sessionId: unbegun }]);
  expect(await second.end()).toBe(0);
});

test("two agents have the same session open, neither sees the turns of the other, and a load has those of the agent that wrote last", async (place) => {
  const { api, home } = place;
  const [one, other] = [await start(place), await start(place)];
  const id = await one.open(home.project);
  const target = { cwd: home.project, mcpServers: [], sessionId: id };
  const turn = async (agent: AcpAgent, text: string) => {
    api.script(`To ${text}.`);
    expect(await agent.prompt(id, text)).toMatchObject({ result: { stopReason: "end_turn" } });
    return JSON.stringify(api.requests.findLast(({ kind }) => kind === "main")?.body);
  };
  await turn(one, "shared");
  expect(await other.ask("session/resume", target)).toMatchObject({ result: {} });
  await turn(one, "of one");
  const ofOther = await turn(other, "of the other");
  expect(ofOther).toContain("To shared.");
  expect(ofOther).not.toContain("To of one.");
  expect(await turn(one, "the last")).not.toContain("To of the other.");
  for (const agent of [one, other]) expect(await agent.end()).toBe(0);

  const third = await start(place);
  await third.ask("session/load", target);
  expect(prompts(third.updates(id))).toEqual(["shared", "of one", "the last"]);
  expect(await third.end()).toBe(0);
});
