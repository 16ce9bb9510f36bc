/** Copies of sessions, and further folders, with a real `claude`. */
import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { callTool } from "../../testing/real/real-replies.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

async function start({ claude, home, api }: RealPlace): Promise<AcpAgent> {
  const agent = new AcpAgent({ claude, env: home.environment(api.url), isIsolated: true });
  await agent.initialize();
  return agent;
}

const prompts = (updates: readonly Fields[]) =>
  updates.flatMap(({ sessionUpdate, content }) =>
    sessionUpdate === "user_message_chunk" ? [fieldsOf(content)["text"]] : [],
  );

test("a fresh copy has the conversation of its source at the fork, also once it was closed, and is lost with it", async (place) => {
  const { api, home } = place;
  const agent = await start(place);
  const source = await agent.open(home.project);
  const turn = async (sessionId: string, text: string) => {
    api.script(`To ${text}.`);
    expect(await agent.prompt(sessionId, text)).toMatchObject({
      result: { stopReason: "end_turn" },
    });
    return JSON.stringify(api.requests.findLast(({ kind }) => kind === "main")?.body);
  };
  const target = (sessionId: string) => ({ cwd: home.project, mcpServers: [], sessionId });
  const fork = async () => {
    const { result } = await agent.ask("session/fork", target(source));
    return String(fieldsOf(result)["sessionId"]);
  };
  await turn(source, "first");
  const [copy, closed, compacted] = [await fork(), await fork(), await fork()];
  const lost = await fork();
  await agent.ask("session/close", { sessionId: closed });
  expect(prompts(agent.updates(copy))).toEqual([]);
  await turn(source, "later");
  for (const id of [copy, closed]) {
    await agent.ask("session/load", target(id));
    expect(prompts(agent.updates(id))).toEqual(["first"]);
    const asked = await turn(id, "in the copy");
    expect(asked).toContain("To first.");
    expect(asked).not.toContain("To later.");
  }

  await agent.ask("session/close", { sessionId: compacted });
  api.script("What was said.");
  await agent.prompt(source, "/compact");
  await agent.ask("session/load", target(compacted));
  expect(await turn(compacted, "in the last copy")).toContain("What was said.");

  await agent.ask("session/delete", { sessionId: source });
  await agent.ask("session/close", { sessionId: lost });
  await agent.ask("session/close", { sessionId: copy });
  expect(await agent.ask("session/resume", target(lost))).toHaveProperty("error");
  expect(await agent.ask("session/resume", target(copy))).toHaveProperty("result");
  expect(await agent.end()).toBe(0);
});

test("Claude reads a further folder of the session without asking", async (place) => {
  const { api, home } = place;
  const further = join(home.root, "further");
  mkdirSync(further);
  const path = join(further, "a.txt");
  writeFileSync(path, "the text of a further folder\n");
  const agent = await start(place);
  const id = await agent.open(home.project, { additionalDirectories: [further] });
  api.script(callTool("Read", { file_path: path }), "Read.");
  expect(await agent.prompt(id, "read")).toMatchObject({ result: { stopReason: "end_turn" } });
  const { body } = api.requests.findLast(({ kind }) => kind === "main") ?? {};
  expect(JSON.stringify(body)).toContain("the text of a further folder");
  expect(await agent.end()).toBe(0);
});
