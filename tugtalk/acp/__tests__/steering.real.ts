/** Texts for the open turn, with a real `claude`. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { callTool, startGate } from "../../testing/real/real-replies.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

const END_TURN = { result: { stopReason: "end_turn" } };
const textBlocks = (text: string) => [{ type: "text", text }];

test("a steering text and a prompt that steers are read in the open turn, and a steering text without a turn has to be a prompt", async ({
  claude,
  home,
  api,
}) => {
  const settings = JSON.stringify({ permissions: { allow: ["Bash"] } });
  writeFileSync(join(home.configDir, "settings.json"), settings);
  const agent = new AcpAgent({ claude, env: home.environment(api.url), isIsolated: true });
  await agent.initialize();
  const sessionId = await agent.open(home.project);
  const steer = (text: string) =>
    agent.ask("_session/steering", { sessionId, prompt: textBlocks(text) });
  expect(await steer("too early")).toMatchObject({ result: { outcome: "promptRequired" } });

  using gate = startGate();
  api.script(callTool("Bash", { command: gate.command }), "All is read.");
  const first = agent.prompt(sessionId, "wait at the gate");
  await gate.reached;
  expect(await steer("a steering text")).toMatchObject({ result: { outcome: "injected" } });
  const second = agent.ask("session/prompt", {
    sessionId,
    prompt: textBlocks("a prompt that steers"),
    _meta: { tugtalk: { delivery: "steer" } },
  });
  // Claude reads in order: the answer shows that it has both texts.
  await agent.ask("session/set_mode", { sessionId, modeId: "plan" });
  gate.open();
  expect([await first, await second]).toMatchObject([END_TURN, END_TURN]);
  const bodies = api.requests.flatMap(({ kind, body }) =>
    kind === "main" ? [JSON.stringify(body)] : [],
  );
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toContain("a steering text");
  expect(bodies[1]).toContain("a prompt that steers");
  expect(JSON.stringify(bodies)).not.toContain("too early");
  expect(await steer("too late")).toMatchObject({ result: { outcome: "promptRequired" } });
  expect(await agent.end()).toBe(0);
});
